//! Searches with the lazy automata of `regex-automata`, stepped by hand so that the work is
//! counted.
//!
//! A cached transition costs the same for every pattern. One that has to be built costs as much as
//! there are states of the pattern active at once, which nested bounded repetitions drive to tens
//! of thousands: a search of such a pattern is linear in the text and takes minutes all the same.
//! Each built transition is therefore charged by the size of the states built so far. Reading past
//! the end of a match is charged as well, so that finding every match of `<[^>]*>|<` is bounded.

use std::collections::BTreeMap;

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use super::budget::{CompileBudget, Meter, OutOfBudget};
use super::error::PatternError;

/// Compiled size, in bytes, beyond which a pattern is refused.
const SIZE_LIMIT: usize = 2 << 20;
/// Bytes that the cached states of one search may take.
const CACHE: usize = 2 << 20;
/// Bytes of cached states that are kept from one text to the next.
const KEPT: usize = 128 << 10;
/// Units of one byte along cached transitions.
const BYTE: u64 = 2;
/// Units of beginning a search: finding the state it begins in, forwards and backwards.
const SEARCH: u64 = 16;
/// Units of building one transition between small states.
const MISS: u64 = 256;
/// Units for each byte that a large state takes, about one for each state of the pattern in it.
const PER_STATE_BYTE: u64 = 16;
/// Units for each state of the pattern and byte of text where no automaton can be built.
const SIMULATED: u64 = 4;

/// A pattern compiled to automata.
#[derive(Debug)]
pub(super) struct Automaton {
    forward: DFA,
    /// Finds where a match begins; absent for patterns that are only tested.
    reverse: Option<DFA>,
}

impl Automaton {
    /// Compiles `source`, in the syntax of the `regex` crate. With `places`, it can tell where a
    /// match begins and ends.
    pub fn new(
        source: &str,
        places: bool,
        budget: &mut CompileBudget,
    ) -> Result<Self, PatternError> {
        let forward = nfa(source, false, budget)?;
        let reverse = match places {
            true => Some(dfa(nfa(source, true, budget)?, true)?),
            false => None,
        };
        Ok(Self {
            forward: dfa(forward, false)?,
            reverse,
        })
    }

    pub fn scanner<'p, 't>(&'p self, text: &'t str) -> Scanner<'p, 't> {
        Scanner {
            text,
            forward: Side::new(&self.forward),
            reverse: self.reverse.as_ref().map(Side::new),
        }
    }

    /// As [`Scanner::is_match`], with the states that earlier texts built.
    pub fn is_match_again<'p>(
        &'p self,
        text: &str,
        states: &mut Option<Side<'p>>,
        meter: &mut Meter,
    ) -> Result<bool, OutOfBudget> {
        let mut scanner = Scanner {
            text,
            forward: states.take().unwrap_or_else(|| Side::new(&self.forward)),
            reverse: None,
        };
        let matches = scanner.is_match(meter);
        *states = Some(scanner.forward).filter(|side| side.usage <= KEPT);
        matches
    }

    /// Whether the pattern occurs, by simulating it state by state: for texts with places that the
    /// automata can't decide. Dear, so refused where pattern and text are large.
    pub fn simulate(&self, text: &str, meter: &mut Meter) -> Result<bool, OutOfBudget> {
        let nfa = self.forward.get_nfa();
        meter.take(SIMULATED * nfa.states().len() as u64 * text.len() as u64)?;
        let machine = PikeVM::new_from_nfa(nfa.clone()).map_err(|_| OutOfBudget)?;
        Ok(machine.is_match(&mut machine.create_cache(), text))
    }
}

fn nfa(source: &str, reverse: bool, budget: &mut CompileBudget) -> Result<NFA, PatternError> {
    let limit = SIZE_LIMIT.min(budget.left());
    let config = thompson::Config::new()
        .reverse(reverse)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(limit));
    let built = thompson::Compiler::new()
        .configure(config)
        .syntax(syntax::Config::new().utf8(true))
        .build(source);
    let size = built.as_ref().map_or(limit, NFA::memory_usage);
    let affordable = budget.take(size);
    match built {
        Ok(nfa) if affordable => Ok(nfa),
        _ if limit < SIZE_LIMIT => Err(PatternError::too_large(
            "compiled, all patterns together are too large; use fewer or smaller bounded repetitions",
        )),
        _ => Err(too_large()),
    }
}

fn dfa(nfa: NFA, reverse: bool) -> Result<DFA, PatternError> {
    let kind = match reverse {
        true => MatchKind::All,
        false => MatchKind::LeftmostFirst,
    };
    let config = DFA::config()
        .match_kind(kind)
        .unicode_word_boundary(true)
        .cache_capacity(CACHE)
        .skip_cache_capacity_check(true);
    DFA::builder()
        .configure(config)
        .build_from_nfa(nfa)
        .map_err(|_| too_large())
}

fn too_large() -> PatternError {
    PatternError::too_large(format!(
        "compiled, the pattern is larger than {SIZE_LIMIT} bytes or nested too deeply"
    ))
}

/// The automata at work on one text.
pub(super) struct Scanner<'p, 't> {
    text: &'t str,
    forward: Side<'p>,
    reverse: Option<Side<'p>>,
}

impl Scanner<'_, '_> {
    /// Whether there is a match.
    pub fn is_match(&mut self, meter: &mut Meter) -> Result<bool, OutOfBudget> {
        Ok(self.end_of_match(0, true, meter)?.is_some())
    }

    /// The first match at or after byte `from`.
    pub fn find(
        &mut self,
        from: usize,
        meter: &mut Meter,
    ) -> Result<Option<(usize, usize)>, OutOfBudget> {
        let Some(end) = self.end_of_match(from, false, meter)? else {
            return Ok(None);
        };
        let start = self.start_of_match(from, end, meter)?;
        Ok(Some((start, end)))
    }

    fn end_of_match(
        &mut self,
        mut from: usize,
        earliest: bool,
        meter: &mut Meter,
    ) -> Result<Option<usize>, OutOfBudget> {
        loop {
            match self.end_from(from, earliest, meter)? {
                // An empty match inside a character's bytes is none.
                Some(end) if !self.text.is_char_boundary(end) => from += 1,
                found => return Ok(found),
            }
        }
    }

    fn end_from(
        &mut self,
        from: usize,
        earliest: bool,
        meter: &mut Meter,
    ) -> Result<Option<usize>, OutOfBudget> {
        meter.take(SEARCH)?;
        let side = &mut self.forward;
        let input = Input::new(self.text).range(from..);
        let start = side.dfa.start_state_forward(&mut side.cache, &input);
        let mut state = start.map_err(|_| OutOfBudget)?;
        let mut end = None;
        // Bytes are charged in blocks: one subtraction for each would cost as much as the step. The
        // first blocks are small, as most of the searches for many short matches end in them.
        let mut rest = &self.text.as_bytes()[from..];
        let (mut block, mut at) = (FIRST_BLOCK, from);
        while !rest.is_empty() {
            let (bytes, behind) = rest.split_at(block.min(rest.len()));
            (rest, block) = (behind, (2 * block).min(BLOCK));
            meter.take(BYTE * bytes.len() as u64)?;
            let first = at;
            at += bytes.len();
            for (place, byte) in bytes.iter().enumerate() {
                state = side.next(state, *byte, meter)?;
                if state.is_tagged() {
                    if state.is_match() {
                        // The automaton says so one byte late.
                        end = Some(first + place);
                        if earliest {
                            return Ok(end);
                        }
                    } else if state.is_dead() {
                        return Ok(end);
                    } else if state.is_quit() {
                        return Err(OutOfBudget);
                    }
                }
            }
        }
        if side.at_edge(state, meter)?.is_match() {
            end = Some(self.text.len());
        }
        Ok(end)
    }

    fn start_of_match(
        &mut self,
        from: usize,
        end: usize,
        meter: &mut Meter,
    ) -> Result<usize, OutOfBudget> {
        let side = self.reverse.as_mut().ok_or(OutOfBudget)?;
        let input = Input::new(self.text)
            .range(from..end)
            .anchored(Anchored::Yes);
        let state = side.dfa.start_state_reverse(&mut side.cache, &input);
        let mut state = state.map_err(|_| OutOfBudget)?;
        let mut start = end;
        let bytes = self.text.as_bytes();
        for place in (from..end).rev() {
            meter.take(BYTE)?;
            state = side.next(state, bytes[place], meter)?;
            if state.is_match() {
                start = place + 1;
            } else if state.is_dead() {
                return Ok(start);
            }
        }
        let last = match from.checked_sub(1) {
            Some(before) => side.next(state, bytes[before], meter)?,
            None => side.at_edge(state, meter)?,
        };
        Ok(if last.is_match() { from } else { start })
    }
}

/// Most bytes that are charged at once, and those of the first block of a search.
const BLOCK: usize = 64;
const FIRST_BLOCK: usize = 4;

/// One automaton with its cache.
pub(super) struct Side<'p> {
    dfa: &'p DFA,
    cache: Cache,
    /// Of match states, which transitions were built: the automaton tells so of others only.
    built: BTreeMap<LazyStateID, [u64; 4]>,
    clears: usize,
    usage: usize,
    /// Units of building one transition, as far as is known.
    miss: u64,
}

impl<'p> Side<'p> {
    fn new(dfa: &'p DFA) -> Self {
        let cache = dfa.create_cache();
        Self {
            usage: cache.memory_usage(),
            miss: MISS + dfa.get_nfa().states().len() as u64,
            dfa,
            cache,
            built: BTreeMap::new(),
            clears: 0,
        }
    }

    #[inline]
    fn next(
        &mut self,
        state: LazyStateID,
        byte: u8,
        meter: &mut Meter,
    ) -> Result<LazyStateID, OutOfBudget> {
        if !state.is_tagged() {
            let next = self.dfa.next_state_untagged(&self.cache, state, byte);
            if !next.is_unknown() {
                return Ok(next);
            }
        } else if self.is_built(state, byte) {
            return self
                .dfa
                .next_state(&mut self.cache, state, byte)
                .map_err(|_| OutOfBudget);
        }
        self.build(state, byte, meter)
    }

    fn is_built(&mut self, state: LazyStateID, byte: u8) -> bool {
        let (word, bit) = (usize::from(byte / 64), 1 << (byte % 64));
        let built = &mut self.built.entry(state).or_default()[word];
        let known = *built & bit != 0;
        *built |= bit;
        known
    }

    #[cold]
    fn build(
        &mut self,
        state: LazyStateID,
        byte: u8,
        meter: &mut Meter,
    ) -> Result<LazyStateID, OutOfBudget> {
        meter.take(self.miss)?;
        let next = self.dfa.next_state(&mut self.cache, state, byte);
        self.weigh();
        next.map_err(|_| OutOfBudget)
    }

    /// The state at the end of what is read, where the text ends too.
    fn at_edge(
        &mut self,
        state: LazyStateID,
        meter: &mut Meter,
    ) -> Result<LazyStateID, OutOfBudget> {
        meter.take(self.miss)?;
        let next = self.dfa.next_eoi_state(&mut self.cache, state);
        self.weigh();
        next.map_err(|_| OutOfBudget)
    }

    /// Learns from the growth of the cache how large the states of this pattern get.
    fn weigh(&mut self) {
        if self.clears != self.cache.clear_count() {
            self.clears = self.cache.clear_count();
            self.built.clear();
        }
        let usage = self.cache.memory_usage();
        let grown = usage.saturating_sub(self.usage);
        self.usage = usage;
        let transitions = self.dfa.byte_classes().alphabet_len().next_power_of_two() * 4;
        let set = grown.saturating_sub(transitions) as u64;
        let states = self.dfa.get_nfa().states().len() as u64;
        self.miss = self.miss.max(MISS + states + PER_STATE_BYTE * set);
    }
}
