//! The syntax of templates: choices in braces, wildcards between double underscores.

use crate::{
    import::text_input::fault,
    registry::{ParseCode, ParseError},
};

/// Maximum depth of nested choices.
const MAX_DEPTH: usize = 32;

/// The default separator of the values of a choice.
const SEPARATOR: &str = ", ";

/// A piece of a template and where it begins, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece<'t> {
    pub at: usize,
    pub node: Node<'t>,
}

/// What a piece of a template is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node<'t> {
    Text(&'t str),
    Choice(Choice<'t>),
    Wildcard(Wildcard<'t>),
    /// Unsupported syntax, printed verbatim.
    Unread(&'t str),
    /// A brace without its counterpart, printed verbatim.
    Unpaired(&'t str),
}

/// A reference to a wildcard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wildcard<'t> {
    /// Its name; an asterisk stands for any text.
    pub name: &'t str,
    /// The mark of a sampler before the name.
    pub sampler: Option<char>,
}

impl<'t> Wildcard<'t> {
    /// The wildcard of that name.
    pub fn named(name: &'t str) -> Self {
        Self {
            name,
            sampler: None,
        }
    }
}

/// The marks of samplers: random, cyclical and combinatorial.
const SAMPLERS: [char; 3] = ['~', '@', '!'];

/// The mark of a sampler at the beginning of a text.
fn sampler(text: &str) -> Option<char> {
    text.chars().next().filter(|mark| SAMPLERS.contains(mark))
}

/// A choice of some options.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice<'t> {
    /// Minimum and maximum number of options taken.
    pub count: (usize, usize),
    pub separator: &'t str,
    /// The mark of a sampler before all else.
    pub sampler: Option<char>,
    /// Weight and template of each option.
    pub options: Vec<(f64, Vec<Piece<'t>>)>,
    /// The options as written, without their weights.
    pub texts: Vec<&'t str>,
    /// Numbers before `::` that are not valid weights and are part of the text, and where their
    /// options begin.
    pub invalid_weights: Vec<(usize, &'t str)>,
}

/// Choices that nest too deep, and where, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooDeep {
    pub at: usize,
}

impl From<TooDeep> for ParseError {
    fn from(_: TooDeep) -> Self {
        let message = format!("choices nest deeper than {MAX_DEPTH} levels");
        fault(ParseCode::TooDeep, message, None)
    }
}

impl Node<'_> {
    /// The name of a variable that replaces the piece.
    pub fn label(&self) -> &str {
        match self {
            Node::Wildcard(wildcard) => wildcard.name,
            _ => "choice",
        }
    }
}

/// Parses a template.
///
/// # Errors
///
/// Choices that nest too deep.
pub(super) fn parse(template: &str) -> Result<Vec<Piece<'_>>, TooDeep> {
    Parser {
        text: template,
        closes: closing_braces(template),
        at: 0,
    }
    .sequence(template.len(), 0)
}

/// For each byte that opens a brace, the byte that closes it.
fn closing_braces(text: &str) -> Vec<Option<u32>> {
    let mut closes = vec![None; text.len()];
    let mut open = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open.push(at),
            b'}' => {
                if let Some(start) = open.pop() {
                    closes[start] = Some(at as u32);
                }
            }
            _ => {}
        }
    }
    closes
}

struct Parser<'t> {
    text: &'t str,
    closes: Vec<Option<u32>>,
    at: usize,
}

impl<'t> Parser<'t> {
    /// Parses up to a byte.
    fn sequence(&mut self, end: usize, depth: usize) -> Result<Vec<Piece<'t>>, TooDeep> {
        if depth > MAX_DEPTH {
            return Err(TooDeep { at: self.at });
        }
        let mut pieces = Vec::new();
        let mut done = self.at;
        while self.at < end {
            let rest = &self.text[self.at..end];
            let Some(found) = rest.find(['{', '}', '$', '_']) else {
                break;
            };
            let start = self.at + found;
            self.at = start + 1;
            let rest = &self.text[start..end];
            let close = |open: usize| {
                self.closes[open]
                    .map(|close| close as usize)
                    .filter(|close| *close < end)
            };
            let node = if rest.starts_with("${") {
                close(start + 1).map(|close| {
                    self.at = close + 1;
                    Node::Unread(&self.text[start..=close])
                })
            } else if rest.starts_with('{') {
                match close(start) {
                    Some(close) => {
                        let choice = self.choice(start + 1, close, depth)?;
                        self.at = close + 1;
                        Some(Node::Choice(choice))
                    }
                    None => Some(Node::Unpaired(&rest[..1])),
                }
            } else if rest.starts_with('}') {
                Some(Node::Unpaired(&rest[..1]))
            } else {
                wildcard(rest).map(|(length, node)| {
                    self.at = start + length;
                    node
                })
            };
            if let Some(node) = node {
                if start > done {
                    pieces.push(self.text_piece(done, start));
                }
                pieces.push(Piece { at: start, node });
                done = self.at;
            }
        }
        if done < end {
            pieces.push(self.text_piece(done, end));
        }
        self.at = end;
        Ok(pieces)
    }

    fn text_piece(&self, from: usize, to: usize) -> Piece<'t> {
        Piece {
            at: from,
            node: Node::Text(&self.text[from..to]),
        }
    }

    /// Parses what is between the braces of a choice.
    fn choice(&mut self, start: usize, end: usize, depth: usize) -> Result<Choice<'t>, TooDeep> {
        let sampler = sampler(&self.text[start..end]);
        let start = start + sampler.map_or(0, char::len_utf8);
        let mut bounds = Vec::new();
        let mut from = start;
        let mut at = start;
        while at < end {
            match self.text.as_bytes()[at] {
                b'{' => at = self.closes[at].map_or(at, |close| close as usize),
                b'|' => {
                    bounds.push((from, at));
                    from = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        bounds.push((from, end));
        let (count, separator, first) = self.head(start, bounds[0].1);
        bounds[0].0 = first;
        let mut options = Vec::with_capacity(bounds.len());
        let mut texts = Vec::with_capacity(bounds.len());
        let mut invalid_weights = Vec::new();
        for (from, end) in bounds {
            let text = &self.text[from..end];
            let weight = text.split_once("::").and_then(|(weight, _)| {
                let number: f64 = weight.trim().parse().ok()?;
                let valid = number.is_finite() && number >= 0.0;
                if !valid {
                    invalid_weights.push((from, weight.trim()));
                }
                valid.then_some((weight.len() + 2, number))
            });
            let (skip, weight) = weight.unwrap_or((0, 1.0));
            self.at = from + skip;
            texts.push(&self.text[self.at..end]);
            options.push((weight, self.sequence(end, depth + 1)?));
        }
        let count = count.unwrap_or((1, Some(1)));
        let all = options.len();
        Ok(Choice {
            count: (count.0, count.1.unwrap_or(all)),
            separator,
            sampler,
            options,
            texts,
            invalid_weights,
        })
    }

    /// The number of options and their separator, and where the first option begins.
    fn head(&self, start: usize, end: usize) -> (Option<(usize, Option<usize>)>, &'t str, usize) {
        let none = (None, SEPARATOR, start);
        let Some((number, rest)) = self.text[start..end].split_once("$$") else {
            return none;
        };
        let parse = |text: &str| {
            text.trim()
                .parse::<usize>()
                .ok()
                .filter(|count| *count < 1000)
        };
        let count = match number.split_once('-') {
            None => parse(number).map(|count| (count, Some(count))),
            Some((least, most)) => {
                let least = if least.trim().is_empty() {
                    Some(1)
                } else {
                    parse(least)
                };
                let most = if most.trim().is_empty() {
                    Some(None)
                } else {
                    parse(most).map(Some)
                };
                least.zip(most)
            }
        };
        let Some(count) = count else {
            return none;
        };
        let begin = start + number.len() + 2;
        match rest.split_once("$$") {
            Some((separator, _)) => (Some(count), separator, begin + separator.len() + 2),
            None => (Some(count), SEPARATOR, begin),
        }
    }
}

/// The wildcard at the beginning of a text, and its length. A name with other characters is not read.
fn wildcard(text: &str) -> Option<(usize, Node<'_>)> {
    const MARKS: &str = "__";
    let whole = text.strip_prefix(MARKS)?;
    let sampler = sampler(whole);
    let inner = &whole[sampler.map_or(0, char::len_utf8)..];
    let begin = text.len() - inner.len();
    let in_name =
        |next: char| next.is_alphanumeric() || matches!(next, '-' | '/' | '*' | '.' | '\\');
    // A single underscore belongs to the name.
    let mut length = 0;
    while let Some(next) = inner[length..].chars().next() {
        if in_name(next) || (next == '_' && !inner[length..].starts_with(MARKS)) {
            length += next.len_utf8();
        } else {
            break;
        }
    }
    let (name, rest) = inner.split_at(length);
    if name.is_empty() && rest.starts_with(MARKS) {
        return None;
    }
    if rest.starts_with(MARKS) {
        let end = begin + length + MARKS.len();
        return Some((end, Node::Wildcard(Wildcard { name, sampler })));
    }
    let unread = match rest.strip_prefix('(') {
        Some(arguments) => arguments.find(")__")? + 1,
        None => {
            let end = rest.find(MARKS)?;
            let is_name = |next: char| !next.is_whitespace() && !"{}|$".contains(next);
            rest[..end]
                .chars()
                .all(is_name)
                .then(|| end.checked_sub(1))??
        }
    };
    let end = begin + length + 1 + unread + MARKS.len();
    Some((end, Node::Unread(&text[..end])))
}
