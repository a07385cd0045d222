//! Compares one text with one expectation about texts.

use std::cell::RefCell;

use promptdeck_pattern::{Pattern, SearchBudget, SearchLimit, Tester};

use super::{excerpt, explain::Location, tokenizers::Counter};

/// What a text has to be.
pub(crate) enum TextTest {
    /// It contains a text, or does not.
    Contains {
        /// The text.
        text: String,
        /// Whether it has to.
        wanted: bool,
    },
    /// A pattern matches it, or does not.
    Pattern {
        /// The pattern.
        pattern: Box<Pattern>,
        /// Whether it has to.
        wanted: bool,
    },
    /// It starts with a text.
    Starts(String),
    /// It ends with a text.
    Ends(String),
    /// It has at most, or at least, so many tokens.
    Tokens {
        /// The number.
        limit: u64,
        /// Name of the tokenizer.
        tokenizer: String,
        /// The tokenizer.
        counter: Counter,
        /// Whether the number is the greatest.
        is_most: bool,
    },
    /// It has at most so many characters.
    Characters(u64),
    /// It is this text.
    Golden(String),
}

/// What was found where an expectation does not hold.
#[derive(Debug)]
pub(crate) struct Finding {
    /// What was there, in words.
    pub found: String,
    /// Where it came from.
    pub location: Location,
    /// The text instead of a golden text.
    pub actual: Option<String>,
}

impl Finding {
    pub fn new(found: impl Into<String>, location: Location) -> Self {
        Self {
            found: found.into(),
            location,
            actual: None,
        }
    }
}

/// A text whose tokens are counted once for each tokenizer.
pub(crate) struct Text<'t> {
    /// The text.
    pub text: &'t str,
    counts: RefCell<Vec<(String, u64)>>,
}

impl<'t> Text<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            counts: RefCell::default(),
        }
    }

    fn tokens(&self, tokenizer: &str, counter: &Counter) -> u64 {
        let mut counts = self.counts.borrow_mut();
        if let Some((_, count)) = counts.iter().find(|(name, _)| name == tokenizer) {
            return *count;
        }
        let count = counter(self.text) as u64;
        counts.push((tokenizer.to_owned(), count));
        count
    }
}

/// The searches of one expectation, which share a budget.
#[derive(Default)]
pub(crate) struct Searches<'t> {
    budget: SearchBudget,
    /// Present where many texts are searched.
    tester: Option<Tester<'t>>,
}

impl<'t> Searches<'t> {
    /// The searches of many texts.
    pub fn of_many(test: &'t TextTest) -> Self {
        let tester = match test {
            TextTest::Pattern { pattern, .. } => Some(pattern.tester()),
            _ => None,
        };
        Self {
            tester,
            ..Self::default()
        }
    }

    fn is_match(&mut self, pattern: &Pattern, text: &str) -> Result<bool, SearchLimit> {
        match &mut self.tester {
            Some(tester) => tester.is_match_within(text, &mut self.budget),
            None => pattern.is_match_within(text, &mut self.budget),
        }
    }
}

impl TextTest {
    /// What is wrong with a text; `None` if the expectation holds.
    pub fn judge(&self, subject: &Text<'_>, searches: &mut Searches<'_>) -> Option<Finding> {
        let text = subject.text;
        let found = match self {
            Self::Contains { text: part, wanted } => match (text.find(part.as_str()), wanted) {
                (None, true) => missing(text),
                (Some(start), false) => {
                    let place = start..start + part.len();
                    Finding::new(excerpt::around(text, &place), Location::Bytes(place))
                }
                _ => return None,
            },
            Self::Pattern { pattern, wanted } => match searches.is_match(pattern, text) {
                Ok(matches) if matches == *wanted => return None,
                Ok(false) => missing(text),
                Ok(true) => located(pattern.source(), text),
                Err(limit) => Finding::new(limit.to_string(), Location::Nowhere),
            },
            Self::Starts(start) if text.starts_with(start.as_str()) => return None,
            Self::Starts(_) => Finding::new(excerpt::beginning(text), Location::Bytes(0..1)),
            Self::Ends(end) if text.ends_with(end.as_str()) => return None,
            Self::Ends(_) => {
                let last = text.len().saturating_sub(1)..text.len();
                Finding::new(excerpt::end(text), Location::Bytes(last))
            }
            Self::Tokens {
                limit,
                tokenizer,
                counter,
                is_most,
            } => {
                let tokens = subject.tokens(tokenizer, counter);
                match is_most {
                    true if tokens <= *limit => return None,
                    false if tokens >= *limit => return None,
                    true => Finding::new(format!("{tokens} tokens"), Location::Longest),
                    false => Finding::new(format!("{tokens} tokens"), Location::Nowhere),
                }
            }
            Self::Characters(limit) => {
                let count = text.chars().count() as u64;
                if count <= *limit {
                    return None;
                }
                Finding::new(format!("{count} characters"), Location::Longest)
            }
            Self::Golden(golden) if golden == text => return None,
            Self::Golden(golden) => difference(golden, text),
        };
        Some(found)
    }
}

/// The finding that a text is not there.
fn missing(text: &str) -> Finding {
    let found = match text {
        "" => "an empty text".to_owned(),
        _ => {
            let count = text.chars().count();
            format!("none in {count} characters: {}", excerpt::beginning(text))
        }
    };
    Finding::new(found, Location::Nowhere)
}

/// The first match of a pattern.
fn located(pattern: &str, text: &str) -> Finding {
    let place = Pattern::for_location(pattern).ok();
    match place.and_then(|pattern| pattern.find(text).ok().flatten()) {
        Some(place) => Finding::new(excerpt::around(text, &place), Location::Bytes(place)),
        // Finding the place takes more work than finding that there is one.
        None => Finding::new("a match", Location::Nowhere),
    }
}

/// The first difference from a golden text.
fn difference(golden: &str, text: &str) -> Finding {
    let same = golden.bytes().zip(text.bytes());
    let same = same.take_while(|(one, other)| one == other).count();
    let same = text.floor_char_boundary(same);
    let line = text
        .bytes()
        .take(same)
        .filter(|byte| *byte == b'\n')
        .count()
        + 1;
    let place = same..same;
    let found = match (golden, text) {
        ("", _) => format!(
            "{} characters, and no golden text yet",
            text.chars().count()
        ),
        (_, "") => "an empty text".to_owned(),
        _ => {
            let was = excerpt::around(golden, &place);
            let is = excerpt::around(text, &place);
            format!("a difference in line {line}: {is} instead of {was}")
        }
    };
    let different = same..text.ceil_char_boundary((same + 1).min(text.len()));
    Finding {
        actual: Some(text.to_owned()),
        ..Finding::new(found, Location::Bytes(different))
    }
}
