//! Reads Python's regular expression syntax (`re`, as of Python 3.11) into a
//! tree, refusing what Python refuses, with its words and its places.
//!
//! Characters and sets have their own file (`escape`), group openings too
//! (`group`). Nothing is matched here.

use super::budget::CompileBudget;
use super::case_fold;
use super::error::PatternError;
use super::syntax::{Assertion, CategoryKind, Greed, Node, Set, Width};

/// Nesting that is still read; deeper is refused rather than risked.
const MAX_DEPTH: usize = 120;
/// Characters of a pattern that are still read.
const MAX_LENGTH: usize = 100_000;
/// What the sets of a pattern may take, counted as bytes of [`CompileBudget`].
const MOST_OF_SETS: usize = 8 << 20;
/// Bytes that a set of all letters counts for.
const LETTERS: usize = 4_096;
/// Python's own bound on a repetition count.
const MAX_REPEAT: u64 = 4_294_967_295;

/// The flags of Python that change what is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one of Python's flags, on or off"
)]
pub(super) struct Flags {
    pub ignore_case: bool,
    pub multi_line: bool,
    pub dot_all: bool,
    pub verbose: bool,
    pub ascii: bool,
}

/// A pattern read, and whether it asks for boundaries of Unicode words.
#[derive(Debug)]
pub(super) struct Parsed {
    pub root: Node,
    pub unicode_words: bool,
}

/// Reads `pattern` under `flags`.
pub(super) fn parse(
    pattern: &str,
    flags: Flags,
    budget: &mut CompileBudget,
) -> Result<Parsed, PatternError> {
    let chars: Vec<char> = pattern.chars().collect();
    if chars.len() > MAX_LENGTH {
        return Err(PatternError::too_large(format!(
            "the pattern has {} characters, {MAX_LENGTH} is the most",
            chars.len()
        )));
    }
    let mut parser = Parser {
        chars,
        at: 0,
        flags,
        groups: vec![Some((0, 0))],
        names: Vec::new(),
        look_behinds: Vec::new(),
        conditionals: Vec::new(),
        variable_look_behind: None,
        depth: 0,
        sets: 0,
        most_of_sets: MOST_OF_SETS.min(budget.left()),
    };
    let root = parser.alternation(true);
    budget.take(parser.sets);
    let root = root?;
    if parser.peek().is_some() {
        return Err(PatternError::malformed(parser.at, "unbalanced parenthesis"));
    }
    for (group, position) in &parser.conditionals {
        if *group >= parser.groups.len() {
            return Err(PatternError::malformed(
                *position,
                format!("invalid group reference {group}"),
            ));
        }
    }
    if let Some(position) = parser.variable_look_behind {
        return Err(PatternError::malformed(
            position,
            "look-behind requires fixed-width pattern",
        ));
    }
    let unicode_words = root.asks_for_words();
    Ok(Parsed {
        root,
        unicode_words,
    })
}

pub(super) struct Parser {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) flags: Flags,
    /// Widths by group number; `None` while the group is open. 0 is no group.
    pub(super) groups: Vec<Option<Width>>,
    pub(super) names: Vec<(String, usize)>,
    /// For each look-behind being read, how many groups there were before it.
    pub(super) look_behinds: Vec<usize>,
    /// Groups that conditionals name by number, with their places.
    pub(super) conditionals: Vec<(usize, usize)>,
    /// The place of the first look-behind that is not of one width. Python finds every other
    /// fault before this one.
    pub(super) variable_look_behind: Option<usize>,
    depth: usize,
    /// What the sets took so far, and the most they may take.
    sets: usize,
    most_of_sets: usize,
}

impl Parser {
    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// The next character of a name or a comment, with the one after it where it is a backslash:
    /// what follows one ends neither.
    pub(super) fn sign(&mut self) -> Result<Option<(char, Option<char>)>, PatternError> {
        let place = self.at;
        match self.next() {
            Some('\\') => match self.next() {
                Some(escaped) => Ok(Some(('\\', Some(escaped)))),
                None => Err(PatternError::malformed(
                    place,
                    "bad escape (end of pattern)",
                )),
            },
            next => Ok(next.map(|next| (next, None))),
        }
    }

    pub(super) fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Branches up to a closing parenthesis or the end.
    pub(super) fn alternation(&mut self, outermost: bool) -> Result<Node, PatternError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PatternError::too_large(format!(
                "groups are nested deeper than {MAX_DEPTH}"
            )));
        }
        let outer = self.flags;
        let mut branches = Vec::new();
        loop {
            branches.push(self.sequence(outermost && branches.is_empty())?);
            if !self.accept('|') {
                break;
            }
        }
        if !outermost {
            self.flags = outer;
        }
        self.depth -= 1;
        Ok(if branches.len() == 1 {
            branches.remove(0)
        } else {
            Node::Alternation(branches)
        })
    }

    /// One branch: items with their repetitions.
    pub(super) fn sequence(&mut self, first: bool) -> Result<Node, PatternError> {
        let mut nodes: Vec<Node> = Vec::new();
        while let Some(next) = self.peek() {
            if matches!(next, '|' | ')') {
                break;
            }
            let start = self.at;
            self.at += 1;
            match next {
                _ if self.flags.verbose && self.skip_verbose(next)? => {}
                '\\' => nodes.push(self.escape(start)?),
                '[' => nodes.push(self.set(start)?),
                '*' | '+' | '?' | '{' => {
                    if let Some((min, max)) = self.counts(next, start)? {
                        self.repeat(&mut nodes, min, max, start)?;
                    } else {
                        nodes.push(self.literal('{'));
                    }
                }
                '.' => nodes.push(Node::Set(self.dot())),
                '^' => nodes.push(Node::Assert(if self.flags.multi_line {
                    Assertion::LineStart
                } else {
                    Assertion::TextStart
                })),
                '$' => nodes.push(Node::Assert(if self.flags.multi_line {
                    Assertion::LineEnd
                } else {
                    Assertion::TextEndOrLastNewline
                })),
                '(' => {
                    let may_set_flags = first && nodes.is_empty();
                    nodes.extend(self.group(start, may_set_flags)?);
                }
                other => nodes.push(self.literal(other)),
            }
            if self.sets > self.most_of_sets {
                return Err(PatternError::too_large(
                    "the sets of the pattern are too large together; use fewer of them",
                ));
            }
        }
        Ok(match nodes.len() {
            0 => Node::Empty,
            1 => nodes.remove(0),
            _ => Node::Concat(nodes),
        })
    }

    /// Skips what verbose mode ignores; `next` has been read already.
    fn skip_verbose(&mut self, next: char) -> Result<bool, PatternError> {
        if next == '#' {
            while self.sign()?.is_some_and(|skipped| skipped != ('\n', None)) {}
            return Ok(true);
        }
        Ok(matches!(next, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}'))
    }

    fn dot(&self) -> Set {
        Set {
            negated: true,
            ranges: if self.flags.dot_all {
                Vec::new()
            } else {
                vec![(0x0A, 0x0A)]
            },
            categories: Vec::new(),
        }
    }

    /// The node of one plain character under the flags in force.
    pub(super) fn literal(&mut self, character: char) -> Node {
        self.code_point(u32::from(character))
    }

    pub(super) fn code_point(&mut self, code: u32) -> Node {
        if char::from_u32(code).is_none() {
            return Node::Never;
        }
        let mut ranges = vec![(code, code)];
        self.fold(&mut ranges);
        Node::Set(Set {
            negated: false,
            ranges,
            categories: Vec::new(),
        })
    }

    /// Adds the other letter case to the ranges of a set, where the flags ask for it.
    pub(super) fn fold(&mut self, ranges: &mut Vec<(u32, u32)>) {
        if !self.flags.ignore_case {
            return;
        }
        for (low, high) in ranges.iter() {
            self.sets += 64 + (high - low) as usize / 8;
        }
        if self.sets <= self.most_of_sets {
            case_fold::expand(ranges, self.flags.ascii);
        }
    }

    /// Counts a category that a set holds.
    pub(super) fn count_category(&mut self, kind: CategoryKind) {
        self.sets += match kind {
            CategoryKind::Word if !self.flags.ascii => LETTERS,
            _ => LETTERS / 16,
        };
    }

    /// The bounds a repetition sign asks for; `None` when a brace is plain text.
    fn counts(
        &mut self,
        sign: char,
        start: usize,
    ) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        match sign {
            '*' => return Ok(Some((0, None))),
            '+' => return Ok(Some((1, None))),
            '?' => return Ok(Some((0, Some(1)))),
            _ => {}
        }
        if self.peek() == Some('}') {
            return Ok(None);
        }
        let low = self.digits();
        let high = if self.accept(',') {
            self.digits()
        } else {
            low.clone()
        };
        if !self.accept('}') {
            self.at = start + 1;
            return Ok(None);
        }
        let count = |text: &str| match text.parse::<u64>() {
            Ok(count) if count < MAX_REPEAT => Ok(count as u32),
            _ => Err(PatternError::malformed(
                start,
                "the repetition number is too large",
            )),
        };
        let min = if low.is_empty() { 0 } else { count(&low)? };
        let max = if high.is_empty() {
            None
        } else {
            Some(count(&high)?)
        };
        if max.is_some_and(|max| max < min) {
            return Err(PatternError::malformed(
                start + 1,
                "min repeat greater than max repeat",
            ));
        }
        Ok(Some((min, max)))
    }

    fn digits(&mut self) -> String {
        let mut digits = String::new();
        while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            digits.push(digit);
            self.at += 1;
        }
        digits
    }

    fn repeat(
        &mut self,
        nodes: &mut Vec<Node>,
        min: u32,
        max: Option<u32>,
        start: usize,
    ) -> Result<(), PatternError> {
        let node = match nodes.pop() {
            None | Some(Node::Assert(_)) => {
                return Err(PatternError::malformed(start, "nothing to repeat"));
            }
            Some(Node::Repeat { .. }) => {
                return Err(PatternError::malformed(start, "multiple repeat"));
            }
            Some(node) => node,
        };
        let greed = if self.accept('?') {
            Greed::Lazy
        } else if self.accept('+') {
            Greed::Possessive
        } else {
            Greed::Greedy
        };
        nodes.push(Node::Repeat {
            node: Box::new(node),
            min,
            max,
            greed,
        });
        Ok(())
    }
}
