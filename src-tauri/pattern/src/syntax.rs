//! The syntax tree of a Python regular expression, and the questions the
//! translation asks of it: how wide is a match, can it be empty, is an empty
//! match always its last choice. It neither reads patterns nor writes them.

/// One node of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// Matches the empty text.
    Empty,
    /// Matches nothing at all (a lone surrogate, which no text here can hold).
    Never,
    /// One character out of a set; `ranges` are inclusive code points.
    Set(Set),
    /// A place, not a text.
    Assert(Assertion),
    /// A capturing group and its number, from 1.
    Group(usize, Box<Node>),
    /// One after the other.
    Concat(Vec<Node>),
    /// The first that works.
    Alternation(Vec<Node>),
    /// `min` to `max` times; no `max` is no bound.
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greed: Greed,
    },
    /// `(?=`, `(?!`, `(?<=`, `(?<!`.
    Look {
        ahead: bool,
        negative: bool,
        node: Box<Node>,
    },
    /// `(?>...)`.
    Atomic(Box<Node>),
    /// The text of an earlier group again.
    Backreference { group: usize, ignore_case: bool },
    /// `(?(group)yes|no)`.
    Conditional {
        group: usize,
        yes: Box<Node>,
        no: Box<Node>,
    },
}

/// How eagerly a repetition takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

/// A place in the text, with the flags in force where it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assertion {
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    /// `$` without the multi-line flag: the end, or before a last newline.
    TextEndOrLastNewline,
    WordBoundary {
        ascii: bool,
    },
    NotWordBoundary {
        ascii: bool,
    },
}

/// A set of characters.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Set {
    pub negated: bool,
    /// Inclusive code points; they may cover surrogates.
    pub ranges: Vec<(u32, u32)>,
    pub categories: Vec<Category>,
}

/// `\d`, `\s`, `\w` and their opposites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Category {
    pub kind: CategoryKind,
    pub negated: bool,
    pub ascii: bool,
}

/// What a category holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CategoryKind {
    Digit,
    Space,
    Word,
}

/// The least and the greatest width of a match in characters, saturating.
pub(super) type Width = (u64, u64);

impl Node {
    /// The width of a match, given the widths of the groups closed so far.
    pub fn width(&self, groups: &[Option<Width>]) -> Width {
        match self {
            Self::Empty | Self::Assert(_) | Self::Look { .. } => (0, 0),
            Self::Never | Self::Set(_) => (1, 1),
            Self::Group(_, node) | Self::Atomic(node) => node.width(groups),
            Self::Concat(nodes) => nodes.iter().fold((0, 0), |(low, high), node| {
                let (a, b) = node.width(groups);
                (low.saturating_add(a), high.saturating_add(b))
            }),
            Self::Alternation(nodes) => nodes
                .iter()
                .map(|node| node.width(groups))
                .reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
                .unwrap_or((0, 0)),
            Self::Repeat { node, min, max, .. } => {
                let (low, high) = node.width(groups);
                let times = max.map_or(u64::MAX, u64::from);
                (
                    low.saturating_mul(u64::from(*min)),
                    high.saturating_mul(times),
                )
            }
            Self::Backreference { group, .. } => {
                groups.get(*group).copied().flatten().unwrap_or((0, 0))
            }
            Self::Conditional { yes, no, .. } => {
                let ((a, b), (c, d)) = (yes.width(groups), no.width(groups));
                (a.min(c), b.max(d))
            }
        }
    }

    /// Whether some match may be empty (a backreference always may).
    pub fn nullable(&self) -> bool {
        match self {
            Self::Empty | Self::Assert(_) | Self::Look { .. } | Self::Backreference { .. } => true,
            Self::Never | Self::Set(_) => false,
            Self::Group(_, node) | Self::Atomic(node) => node.nullable(),
            Self::Concat(nodes) => nodes.iter().all(Self::nullable),
            Self::Alternation(nodes) => nodes.iter().any(Self::nullable),
            Self::Repeat { node, min, .. } => *min == 0 || node.nullable(),
            Self::Conditional { yes, no, .. } => yes.nullable() || no.nullable(),
        }
    }

    /// Whether every match is empty.
    pub fn only_empty(&self) -> bool {
        match self {
            Self::Empty | Self::Assert(_) | Self::Look { .. } => true,
            Self::Never | Self::Set(_) | Self::Backreference { .. } => false,
            Self::Group(_, node) | Self::Atomic(node) => node.only_empty(),
            Self::Concat(nodes) | Self::Alternation(nodes) => nodes.iter().all(Self::only_empty),
            Self::Repeat { node, max, .. } => *max == Some(0) || node.only_empty(),
            Self::Conditional { yes, no, .. } => yes.only_empty() && no.only_empty(),
        }
    }

    /// Whether an empty match is only ever taken when no other match starts at
    /// the same place. Where this is false (`a*?`, `|a`), a search for the next
    /// match after an empty one has to look at the same place again.
    pub fn empty_comes_last(&self) -> bool {
        if !self.nullable() || self.only_empty() {
            return true;
        }
        match self {
            Self::Group(_, node) | Self::Atomic(node) => node.empty_comes_last(),
            Self::Concat(nodes) => nodes.iter().all(Self::empty_comes_last),
            Self::Alternation(nodes) => {
                let first = nodes.iter().position(Self::nullable).unwrap_or(0);
                nodes[first].empty_comes_last() && nodes[first + 1..].iter().all(Self::only_empty)
            }
            Self::Repeat { node, greed, .. } => *greed != Greed::Lazy && node.empty_comes_last(),
            Self::Conditional { yes, no, .. } => yes.empty_comes_last() && no.empty_comes_last(),
            _ => true,
        }
    }

    /// Whether any node of the tree satisfies `wanted`.
    pub fn any(&self, wanted: &dyn Fn(&Self) -> bool) -> bool {
        wanted(self)
            || match self {
                Self::Group(_, node)
                | Self::Atomic(node)
                | Self::Repeat { node, .. }
                | Self::Look { node, .. } => node.any(wanted),
                Self::Concat(nodes) | Self::Alternation(nodes) => {
                    nodes.iter().any(|node| node.any(wanted))
                }
                Self::Conditional { yes, no, .. } => yes.any(wanted) || no.any(wanted),
                _ => false,
            }
    }

    /// Calls `see` with every node of the tree.
    pub fn visit(&self, see: &mut dyn FnMut(&Self)) {
        see(self);
        match self {
            Self::Group(_, node)
            | Self::Atomic(node)
            | Self::Repeat { node, .. }
            | Self::Look { node, .. } => node.visit(see),
            Self::Concat(nodes) | Self::Alternation(nodes) => {
                for node in nodes {
                    node.visit(see);
                }
            }
            Self::Conditional { yes, no, .. } => {
                yes.visit(see);
                no.visit(see);
            }
            _ => {}
        }
    }

    /// Whether a boundary of Unicode words occurs.
    pub fn asks_for_words(&self) -> bool {
        self.any(&|node| {
            matches!(
                node,
                Self::Assert(
                    Assertion::WordBoundary { ascii: false }
                        | Assertion::NotWordBoundary { ascii: false }
                )
            )
        })
    }
}
