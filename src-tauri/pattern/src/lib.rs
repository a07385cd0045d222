#![doc = include_str!("../README.md")]
//!
//! # How a pattern runs
//!
//! `parse`, `group` and `escape` read a pattern as Python reads it, into the tree of `syntax`. `emit`
//! translates what a finite automaton can do for `regex-automata` and spells out everything that the
//! two understand differently: what `\s`, `\d`, `\w` hold, what letter case means, where `$` matches,
//! what a bracket holds. The rest (look-around, back-references, atomic groups, conditionals) is
//! compiled by `program` for the backtracking `matcher`. Both charge their work to a `budget` and stop
//! when it is used up. `\N{...}` is refused: there is no table of character names here.

#![warn(clippy::missing_errors_doc)]

mod automaton;
mod budget;
mod case_fold;
mod class;
mod emit;
mod error;
mod escape;
mod group;
mod matcher;
mod parse;
mod program;
mod syntax;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

pub use budget::{CompileBudget, SearchBudget};
pub use error::{PatternError, PatternErrorKind, SearchLimit};

use automaton::{Automaton, Scanner, Side};
use budget::{Meter, OutOfBudget};
use class::Class;
use emit::Target;
use matcher::Matcher;
use parse::Flags;
use program::Program;
use syntax::{Assertion, Node};

/// Characters that are part of a word for Unicode or for Python, not for both.
const DISPUTED_WORD_CHARACTERS: &str = r"[\w~~[\p{L}\p{N}_]]";

/// A compiled Python pattern. Compiling is expensive, searching is cheap.
///
/// ```
/// use promptdeck_pattern::Pattern;
///
/// let pattern = Pattern::for_removal(r"\s+$").expect("a pattern");
/// assert_eq!(pattern.remove_all("a  \nb ").expect("few steps"), "a\nb");
/// ```
#[derive(Debug)]
pub struct Pattern {
    source: String,
    root: Node,
    /// Absent when the pattern needs backtracking.
    automaton: Option<Automaton>,
    program: OnceLock<Program>,
    /// Whether it asks for boundaries of Unicode words, which automata find in ASCII only.
    unicode_words: bool,
    /// Whether it asks for a place inside a text, which in the empty text only Python denies.
    inner_places: bool,
    /// Whether an empty match may be taken though a longer one starts at the same place.
    empty_comes_last: bool,
}

/// What a pattern is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Test,
    Location,
    Removal,
}

impl Pattern {
    /// Compiles a pattern for [`Pattern::is_match`], as Python's `re.compile` does without flags.
    ///
    /// # Errors
    /// When Python refuses the pattern, when it uses something that is not supported here, and when
    /// it is too large.
    pub fn for_search(source: &str) -> Result<Self, PatternError> {
        Self::for_search_within(source, &mut CompileBudget::default())
    }

    /// As [`Pattern::for_search`], with a budget that several patterns share.
    ///
    /// # Errors
    /// As [`Pattern::for_search`].
    pub fn for_search_within(
        source: &str,
        budget: &mut CompileBudget,
    ) -> Result<Self, PatternError> {
        Self::compile(source, Purpose::Test, budget)
    }

    /// Compiles a pattern for [`Pattern::find`]: one that [`Pattern::for_search`] compiles as well, and
    /// larger.
    ///
    /// # Errors
    /// As [`Pattern::for_search`].
    pub fn for_location(source: &str) -> Result<Self, PatternError> {
        Self::compile(source, Purpose::Location, &mut CompileBudget::default())
    }

    /// Compiles a pattern for [`Pattern::remove_all`], as Python's `re.compile` does with
    /// `re.MULTILINE`.
    ///
    /// # Errors
    /// As [`Pattern::for_search`].
    pub fn for_removal(source: &str) -> Result<Self, PatternError> {
        Self::for_removal_within(source, &mut CompileBudget::default())
    }

    /// As [`Pattern::for_removal`], with a budget that several patterns share.
    ///
    /// # Errors
    /// As [`Pattern::for_search`].
    pub fn for_removal_within(
        source: &str,
        budget: &mut CompileBudget,
    ) -> Result<Self, PatternError> {
        Self::compile(source, Purpose::Removal, budget)
    }

    fn compile(
        source: &str,
        purpose: Purpose,
        budget: &mut CompileBudget,
    ) -> Result<Self, PatternError> {
        let flags = Flags {
            multi_line: purpose == Purpose::Removal,
            ..Flags::default()
        };
        let parsed = parse::parse(source, flags, budget)?;
        let root = parsed.root;
        let target = match purpose {
            Purpose::Test => Target::Test,
            Purpose::Location | Purpose::Removal => Target::Find,
        };
        let automaton = match emit::emit(&root, target) {
            Some(text) => Some(Automaton::new(&text, target == Target::Find, budget)?),
            None => None,
        };
        Ok(Self {
            source: source.to_owned(),
            automaton,
            program: OnceLock::new(),
            unicode_words: parsed.unicode_words,
            inner_places: root
                .any(&|node| matches!(node, Node::Assert(Assertion::NotWordBoundary { .. }))),
            empty_comes_last: root.empty_comes_last(),
            root,
        })
    }

    /// The pattern as written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern runs in time linear in the text: for every text, or where it asks for
    /// boundaries of Unicode words, for texts in ASCII.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.automaton.is_some()
    }

    /// Whether the pattern matches anywhere in `text`, as Python's `re.search`.
    ///
    /// # Errors
    /// When the search takes more work than one search may.
    pub fn is_match(&self, text: &str) -> Result<bool, SearchLimit> {
        self.is_match_within(text, &mut SearchBudget::default())
    }

    /// As [`Pattern::is_match`], with a budget that several searches share.
    ///
    /// # Errors
    /// When the search takes more work than one search may, or than the budget has left.
    pub fn is_match_within(
        &self,
        text: &str,
        budget: &mut SearchBudget,
    ) -> Result<bool, SearchLimit> {
        budget
            .search(text.len(), |meter| match self.scanner(text) {
                Some(mut scanner) => scanner.is_match(meter),
                None => self.is_match_by_steps(text, meter),
            })
            .map_err(|OutOfBudget| self.limit(text))
    }

    /// The bytes of the first match in `text`, as Python's `re.search`, of a pattern made by
    /// [`Pattern::for_location`].
    ///
    /// ```
    /// use promptdeck_pattern::Pattern;
    ///
    /// let pattern = Pattern::for_location(r"\d+").expect("a pattern");
    /// assert_eq!(pattern.find("round 12"), Ok(Some(6..8)));
    /// ```
    ///
    /// # Errors
    /// As [`Pattern::is_match`].
    pub fn find(&self, text: &str) -> Result<Option<Range<usize>>, SearchLimit> {
        SearchBudget::default()
            .search(text.len(), |meter| self.searcher(text).find(0, meter))
            .map(|found| found.map(|(start, end)| start..end))
            .map_err(|OutOfBudget| self.limit(text))
    }

    /// Tests many texts one after another.
    #[must_use]
    pub fn tester(&self) -> Tester<'_> {
        Tester {
            pattern: self,
            states: None,
        }
    }

    /// `text` without the matches of the pattern, as Python's `re.sub(pattern, '', text)`: after an
    /// empty match, a longer one is looked for at the same position first.
    ///
    /// # Errors
    /// As [`Pattern::is_match`].
    pub fn remove_all<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, SearchLimit> {
        self.remove_all_within(text, &mut SearchBudget::default())
    }

    /// As [`Pattern::remove_all`], with a budget that several searches share.
    ///
    /// # Errors
    /// As [`Pattern::is_match_within`].
    pub fn remove_all_within<'t>(
        &self,
        text: &'t str,
        budget: &mut SearchBudget,
    ) -> Result<Cow<'t, str>, SearchLimit> {
        budget
            .search(text.len(), |meter| self.without_matches(text, meter))
            .map_err(|OutOfBudget| self.limit(text))
    }

    fn without_matches<'t>(
        &self,
        text: &'t str,
        meter: &mut Meter,
    ) -> Result<Cow<'t, str>, OutOfBudget> {
        let mut copied = String::new();
        let mut kept_to = 0;
        let mut searcher = self.searcher(text);
        let mut longer = (!self.empty_comes_last).then(|| self.matcher(text));
        let mut from = 0;
        let mut after_empty = false;
        loop {
            let found = match longer.as_mut().filter(|_| after_empty) {
                Some(matcher) => matcher.not_empty_at(from, meter)?.map(|end| (from, end)),
                None => None,
            };
            let found = match found {
                Some(found) => Some(found),
                None if after_empty => match text[from..].chars().next() {
                    Some(skipped) => searcher.find(from + skipped.len_utf8(), meter)?,
                    None => None,
                },
                None => searcher.find(from, meter)?,
            };
            let Some((start, end)) = found else {
                break;
            };
            if end > start {
                copied.push_str(&text[kept_to..start]);
                kept_to = end;
            }
            after_empty = start == end;
            from = end;
        }
        if kept_to == 0 {
            return Ok(Cow::Borrowed(text));
        }
        copied.push_str(&text[kept_to..]);
        Ok(Cow::Owned(copied))
    }

    fn searcher<'t>(&self, text: &'t str) -> Searcher<'_, 't> {
        match self.scanner(text) {
            Some(scanner) => Searcher::Automaton(Box::new(scanner)),
            None => Searcher::Matcher(self.matcher(text)),
        }
    }

    /// The automata, where they give Python's answer for this text.
    fn automaton(&self, text: &str) -> Option<&Automaton> {
        let strange =
            (self.unicode_words && !text.is_ascii()) || (self.inner_places && text.is_empty());
        self.automaton.as_ref().filter(|_| !strange)
    }

    fn scanner<'t>(&self, text: &'t str) -> Option<Scanner<'_, 't>> {
        self.automaton(text)
            .map(|automaton| automaton.scanner(text))
    }

    fn matcher<'t>(&self, text: &'t str) -> Matcher<'_, 't> {
        let program = self.program.get_or_init(|| Program::new(&self.root));
        Matcher::new(program, text)
    }

    /// Tests with the matcher; where that takes too long and the pattern is an automaton's but for
    /// its word boundaries, by simulating the automaton.
    fn is_match_by_steps(&self, text: &str, meter: &mut Meter) -> Result<bool, OutOfBudget> {
        let Some(automaton) = &self.automaton else {
            return Ok(self.matcher(text).find(0, meter)?.is_some());
        };
        match meter.share(2, |meter| self.matcher(text).find(0, meter)) {
            Ok(found) => Ok(found.is_some()),
            Err(OutOfBudget) if holds_disputed(text) => Err(OutOfBudget),
            Err(OutOfBudget) => automaton.simulate(text, meter),
        }
    }

    fn limit(&self, text: &str) -> SearchLimit {
        SearchLimit {
            pattern: self.source.clone(),
            length: text.len(),
        }
    }
}

/// Tests many texts with one pattern and keeps the states of its automaton between them, which
/// [`Pattern::is_match`] builds for each text. Texts after the first therefore take less of a budget.
///
/// ```
/// use promptdeck_pattern::{Pattern, SearchBudget};
///
/// let pattern = Pattern::for_search(r"(?i)\bsure\b").expect("a pattern");
/// let (mut tester, mut budget) = (pattern.tester(), SearchBudget::default());
/// assert_eq!(tester.is_match_within("Sure.", &mut budget), Ok(true));
/// assert_eq!(tester.is_match_within("Surely.", &mut budget), Ok(false));
/// ```
pub struct Tester<'p> {
    pattern: &'p Pattern,
    states: Option<Side<'p>>,
}

impl Tester<'_> {
    /// As [`Pattern::is_match_within`].
    ///
    /// # Errors
    /// When the search takes more work than one search may, or than the budget has left.
    pub fn is_match_within(
        &mut self,
        text: &str,
        budget: &mut SearchBudget,
    ) -> Result<bool, SearchLimit> {
        let (pattern, states) = (self.pattern, &mut self.states);
        match pattern.automaton(text) {
            Some(automaton) => budget
                .search(text.len(), |meter| {
                    automaton.is_match_again(text, states, meter)
                })
                .map_err(|OutOfBudget| pattern.limit(text)),
            None => pattern.is_match_within(text, budget),
        }
    }
}

/// Whether Python and Unicode differ on what is part of a word in `text`.
fn holds_disputed(text: &str) -> bool {
    static DISPUTED: OnceLock<Class> = OnceLock::new();
    let disputed = DISPUTED.get_or_init(|| Class::of(DISPUTED_WORD_CHARACTERS));
    text.chars().any(|character| disputed.holds(character))
}

enum Searcher<'p, 't> {
    Automaton(Box<Scanner<'p, 't>>),
    Matcher(Matcher<'p, 't>),
}

impl Searcher<'_, '_> {
    fn find(
        &mut self,
        from: usize,
        meter: &mut Meter,
    ) -> Result<Option<(usize, usize)>, OutOfBudget> {
        match self {
            Self::Automaton(scanner) => scanner.find(from, meter),
            Self::Matcher(matcher) => matcher.find(from, meter),
        }
    }
}
