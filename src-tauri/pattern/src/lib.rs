//! Python regular expressions, searched within a budget of counted work.
//!
//! A pattern is read as Python reads it. What a finite automaton can do is
//! written anew for `regex-automata` with everything spelled out that the two
//! understand differently: what `\s`, `\d`, `\w` hold, what letter case means,
//! where `$` matches, what a bracket holds. What it cannot do (look-around,
//! back-references, atomic groups, conditionals) runs on a backtracking matcher.
//! Both count their work and stop when it is too much. `\N{...}` is refused, as
//! there is no table of names here.

mod automaton;
mod budget;
mod class;
mod emit;
mod error;
mod escape;
mod fold;
mod group;
mod matcher;
mod parse;
mod program;
mod syntax;

use std::borrow::Cow;
use std::sync::OnceLock;

pub use budget::{CompileBudget, SearchBudget};
pub use error::{PatternError, PatternErrorKind, SearchLimit};

use automaton::{Automaton, Scanner};
use budget::{Meter, OutOfBudget};
use class::Class;
use emit::Target;
use matcher::Matcher;
use parse::Flags;
use program::Program;
use syntax::{Assertion, Node};

/// Characters that are part of a word for Unicode or for Python, not for both.
const DISPUTED_WORD_CHARACTERS: &str = r"[\w~~[\p{L}\p{N}_]]";

/// A compiled Python pattern. Cheap to use often, dear to make.
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
    Removal,
}

impl Pattern {
    /// Compiles a pattern that is asked whether it occurs in a text, as by
    /// Python's `re.search` without flags.
    pub fn for_search(source: &str) -> Result<Self, PatternError> {
        Self::for_search_within(source, &mut CompileBudget::default())
    }

    /// The same with a budget that several patterns share.
    pub fn for_search_within(
        source: &str,
        budget: &mut CompileBudget,
    ) -> Result<Self, PatternError> {
        Self::compile(source, Purpose::Test, budget)
    }

    /// Compiles a pattern whose matches are taken out of a text, as by
    /// Python's `re.sub` with `re.MULTILINE`.
    pub fn for_removal(source: &str) -> Result<Self, PatternError> {
        Self::for_removal_within(source, &mut CompileBudget::default())
    }

    /// The same with a budget that several patterns share.
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
            Purpose::Removal => Target::Find,
        };
        let automaton = match emit::emit(&root, target) {
            Some(text) => Some(Automaton::new(&text, purpose == Purpose::Removal, budget)?),
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

    /// Whether the pattern matches anywhere in `text`.
    pub fn is_match(&self, text: &str) -> Result<bool, SearchLimit> {
        self.is_match_within(text, &mut SearchBudget::default())
    }

    /// The same with a budget that several searches share.
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

    /// `text` without the matches of the pattern, taken from left to right;
    /// the search after an empty match looks for a longer one at the same
    /// place first, as Python does.
    pub fn remove_all<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, SearchLimit> {
        self.remove_all_within(text, &mut SearchBudget::default())
    }

    /// The same with a budget that several searches share.
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
        let mut kept = String::new();
        let mut kept_to = 0;
        let mut searcher = match self.scanner(text) {
            Some(scanner) => Searcher::Automaton(Box::new(scanner)),
            None => Searcher::Matcher(self.matcher(text)),
        };
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
                kept.push_str(&text[kept_to..start]);
                kept_to = end;
            }
            after_empty = start == end;
            from = end;
        }
        if kept_to == 0 {
            return Ok(Cow::Borrowed(text));
        }
        kept.push_str(&text[kept_to..]);
        Ok(Cow::Owned(kept))
    }

    /// The automata, where they give Python's answer for this text.
    fn scanner<'t>(&self, text: &'t str) -> Option<Scanner<'_, 't>> {
        let strange =
            (self.unicode_words && !text.is_ascii()) || (self.inner_places && text.is_empty());
        self.automaton
            .as_ref()
            .filter(|_| !strange)
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
