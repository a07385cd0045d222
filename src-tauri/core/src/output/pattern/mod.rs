//! Python regular expressions, run in linear time.
//!
//! A pattern is read as Python reads it, and written anew for the `regex`
//! crate with everything spelled out that the two understand differently: what
//! `\s`, `\d`, `\w` hold, what letter case means, where `$` matches, what a
//! bracket holds. What a finite automaton cannot do (look-around,
//! back-references, atomic groups, conditionals) runs on `fancy-regex` with a
//! bound on its work. `\N{...}` is refused, as there is no table of names here.

mod backtracking;
mod emit;
mod error;
mod escape;
mod fold;
mod group;
mod parse;
mod reach;
mod syntax;

use std::borrow::Cow;

use regex::{Regex, RegexBuilder};

pub use error::{PatternError, PatternErrorKind, SearchLimit};

use backtracking::{Backtracking, Budget, OutOfBudget};
use emit::Target;
use parse::Flags;
use reach::Reach;
use syntax::{Assertion, Node};

/// Compiled size, in bytes, beyond which a pattern is refused.
const SIZE_LIMIT: usize = 2 << 20;
/// Bytes of a text beyond ASCII in which Unicode word boundaries are looked for: `regex` has to do
/// without its fast automata there.
const LONGEST_FOR_WORDS: usize = 512 << 10;
/// Characters that are part of a word for Unicode or for Python, not for both.
const DISPUTED_WORD_CHARACTERS: &str = r"[\w~~[\p{L}\p{N}_]]";

/// A compiled Python pattern. Cheap to use often, dear to make.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    engine: Engine,
    /// Used instead of `engine` on texts with disputed word characters.
    exact_words: Option<Box<(Regex, Backtracking)>>,
    /// Finds a match of at least one character that starts where the search
    /// does; present when such a match may exist beside an empty one.
    not_empty: Option<Backtracking>,
    /// Watches over removals by a linear engine that may read far past its matches.
    reach: Option<Reach>,
    /// The answer for the empty text, when it differs from the engine's.
    on_empty_text: Option<bool>,
}

#[derive(Debug)]
enum Engine {
    Linear(Regex),
    Backtracking(Box<Backtracking>),
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
        Self::compile(source, Purpose::Test)
    }

    /// Compiles a pattern whose matches are taken out of a text, as by
    /// Python's `re.sub` with `re.MULTILINE`.
    pub fn for_removal(source: &str) -> Result<Self, PatternError> {
        Self::compile(source, Purpose::Removal)
    }

    fn compile(source: &str, purpose: Purpose) -> Result<Self, PatternError> {
        let flags = Flags {
            multi_line: purpose == Purpose::Removal,
            ..Flags::default()
        };
        let parsed = parse::parse(source, flags)?;
        let root = &parsed.root;
        let unbounded = root.unbounded();
        let target = match purpose {
            Purpose::Test => Target::LinearTest,
            Purpose::Removal => Target::LinearFind,
        };
        let text = |exact_words| {
            emit::emit(root, Target::Backtracking { exact_words }).unwrap_or_default()
        };
        let backtracking = |exact_words| Backtracking::new(text(exact_words), unbounded);
        let linear_text = emit::emit(root, target).filter(|_| !root.needs_backtracking());
        let engine = match &linear_text {
            Some(text) => Engine::Linear(linear(text)?),
            None => Engine::Backtracking(Box::new(backtracking(false)?)),
        };
        let reach = linear_text
            .filter(|_| purpose == Purpose::Removal && unbounded)
            .map(Reach::new);
        let exact_words = if parsed.unicode_words {
            Some(Box::new((
                linear(DISPUTED_WORD_CHARACTERS)?,
                backtracking(true)?,
            )))
        } else {
            None
        };
        let not_empty = if purpose == Purpose::Removal && !root.empty_comes_last() {
            Backtracking::not_empty(format!(r"\G{}", text(true)), unbounded)?
        } else {
            None
        };
        Ok(Self {
            source: source.to_owned(),
            on_empty_text: on_empty_text(root, target)?,
            engine,
            exact_words,
            not_empty,
            reach,
        })
    }

    /// The pattern as written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern runs in time linear in the text for every text
    /// without the few characters whose part in words is disputed.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        matches!(self.engine, Engine::Linear(_))
    }

    /// Whether the pattern matches anywhere in `text`.
    pub fn is_match(&self, text: &str) -> Result<bool, SearchLimit> {
        if let (true, Some(answer)) = (text.is_empty(), self.on_empty_text) {
            return Ok(answer);
        }
        let mut budget = Budget::new(text);
        let searcher = self.searcher(text)?;
        if let Searcher::Linear(regex) = searcher {
            return Ok(regex.is_match(text));
        }
        searcher
            .find(text, 0, &mut budget)
            .map(|found| found.is_some())
            .map_err(|OutOfBudget| self.limit(text))
    }

    /// `text` without the matches of the pattern, taken from left to right;
    /// the search after an empty match looks for a longer one at the same
    /// place first, as Python does.
    pub fn remove_all<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, SearchLimit> {
        let mut kept = String::new();
        let mut kept_to = 0;
        let mut budget = Budget::new(text);
        let searcher = self.searcher(text)?;
        let mut meter = match (searcher, &self.reach) {
            (Searcher::Linear(_), Some(reach)) => reach.meter(text),
            _ => None,
        };
        let mut from = 0;
        let mut after_empty = false;
        while from <= text.len() {
            let found = self
                .next(searcher, text, from, after_empty, &mut budget)
                .map_err(|OutOfBudget| self.limit(text))?;
            let Some((start, end)) = found else {
                break;
            };
            if let Some(meter) = &mut meter
                && !meter.charge(text, start)
            {
                return Err(self.limit(text));
            }
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

    /// The next match from `from`; after an empty match there, one that is
    /// longer or starts later.
    fn next(
        &self,
        searcher: Searcher<'_>,
        text: &str,
        from: usize,
        after_empty: bool,
        budget: &mut Budget,
    ) -> Result<Option<(usize, usize)>, OutOfBudget> {
        if !after_empty {
            return searcher.find(text, from, budget);
        }
        if let Some(not_empty) = &self.not_empty
            && let Some(found) = not_empty.find(text, from, budget)?
        {
            return Ok(Some(found));
        }
        match text[from..].chars().next() {
            Some(skipped) => searcher.find(text, from + skipped.len_utf8(), budget),
            None => Ok(None),
        }
    }

    fn searcher(&self, text: &str) -> Result<Searcher<'_>, SearchLimit> {
        if let Some((disputed, exact)) = self.exact_words.as_deref()
            && !text.is_ascii()
        {
            if text.len() > LONGEST_FOR_WORDS {
                return Err(self.limit(text));
            }
            if disputed.is_match(text) {
                return Ok(Searcher::Backtracking(exact));
            }
        }
        Ok(match &self.engine {
            Engine::Linear(regex) => Searcher::Linear(regex),
            Engine::Backtracking(engine) => Searcher::Backtracking(engine),
        })
    }

    fn limit(&self, text: &str) -> SearchLimit {
        SearchLimit {
            pattern: self.source.clone(),
            length: text.len(),
        }
    }
}

#[derive(Clone, Copy)]
enum Searcher<'p> {
    Linear(&'p Regex),
    Backtracking(&'p Backtracking),
}

impl Searcher<'_> {
    fn find(
        self,
        text: &str,
        from: usize,
        budget: &mut Budget,
    ) -> Result<Option<(usize, usize)>, OutOfBudget> {
        match self {
            Self::Linear(regex) => Ok(regex
                .find_at(text, from)
                .map(|found| (found.start(), found.end()))),
            Self::Backtracking(engine) => engine.find(text, from, budget),
        }
    }
}

fn linear(text: &str) -> Result<Regex, PatternError> {
    RegexBuilder::new(text)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(SIZE_LIMIT)
        .build()
        .map_err(|_| {
            PatternError::too_large(format!(
                "compiled, the pattern is larger than {SIZE_LIMIT} bytes or nested too deeply"
            ))
        })
}

/// Python knows no `\B` in the empty text; what a pattern with one says there
/// is settled beforehand.
fn on_empty_text(root: &Node, target: Target) -> Result<Option<bool>, PatternError> {
    let asks = root.any(&|node| matches!(node, Node::Assert(Assertion::NotWordBoundary { .. })));
    if !asks {
        return Ok(None);
    }
    if let Some(text) = emit::emit_for_empty_text(root, target)
        && !root.needs_backtracking()
    {
        return Ok(Some(linear(&text)?.is_match("")));
    }
    let target = Target::Backtracking { exact_words: false };
    let text = emit::emit_for_empty_text(root, target).unwrap_or_default();
    let engine = Backtracking::new(text, root.unbounded())?;
    Ok(Some(matches!(
        engine.find("", 0, &mut Budget::new("")),
        Ok(Some(_))
    )))
}
