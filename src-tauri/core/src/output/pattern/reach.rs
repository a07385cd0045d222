//! How far a linear search reads past the match it returns.
//!
//! One search is linear in the text, but a search for every match need not be: `<[^>]*>|<` on a
//! row of `<` reads to the end of the text for each of them. The `regex` crate does not tell how
//! far it read, so the same automaton is stepped along here, once per match, and the bytes are
//! charged to the text's budget. It finds no matches and decides nothing else.

use std::sync::OnceLock;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

/// Texts so short that reading all of it for each match does no harm.
const HARMLESS: usize = 4_096;
/// Bytes that may be read past matches in one text, beside [`PER_BYTE`].
const ALLOWANCE: usize = 8 << 20;
/// Bytes that may be read for each byte of the text.
const PER_BYTE: usize = 4;
/// Size, in bytes, of an automaton that is still built.
const SIZE_LIMIT: usize = 4 << 20;
/// How often the automaton's cache may overflow before it is given up.
const CACHE_CLEARS: usize = 2;

#[derive(Debug)]
pub(super) struct Reach {
    /// The pattern, in the syntax of the `regex` crate.
    source: String,
    automaton: OnceLock<Option<DFA>>,
}

impl Reach {
    pub fn new(source: String) -> Self {
        Self {
            source,
            automaton: OnceLock::new(),
        }
    }

    /// The meter of one text; none for a text that needs none.
    pub fn meter(&self, text: &str) -> Option<Meter<'_>> {
        if text.len() <= HARMLESS {
            return None;
        }
        let automaton = self.automaton.get_or_init(|| build(&self.source)).as_ref();
        Some(Meter {
            automaton: automaton.map(|dfa| (dfa, dfa.create_cache())),
            left: ALLOWANCE + PER_BYTE * text.len(),
        })
    }
}

/// What may still be read of one text.
pub(super) struct Meter<'p> {
    automaton: Option<(&'p DFA, Cache)>,
    left: usize,
}

impl Meter<'_> {
    /// Charges the search that found a match starting at byte `start`; false when too much was
    /// read. An automaton that gives up is charged as if it had read to the end.
    pub fn charge(&mut self, text: &str, start: usize) -> bool {
        let read = self.read(text, start);
        let enough = read <= self.left;
        self.left = self.left.saturating_sub(read);
        enough
    }

    fn read(&mut self, text: &str, start: usize) -> usize {
        let to_the_end = text.len() - start;
        let Some((dfa, cache)) = &mut self.automaton else {
            return to_the_end;
        };
        let input = Input::new(text).range(start..).anchored(Anchored::Yes);
        let Ok(mut state) = dfa.start_state_forward(cache, &input) else {
            return to_the_end;
        };
        for (read, byte) in text.as_bytes()[start..].iter().enumerate() {
            match dfa.next_state(cache, state, *byte) {
                Ok(next) if next.is_dead() => return read + 1,
                Ok(next) if !next.is_quit() && read <= self.left => state = next,
                _ => break,
            }
        }
        to_the_end
    }
}

fn build(source: &str) -> Option<DFA> {
    let config = DFA::config()
        .unicode_word_boundary(true)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(CACHE_CLEARS));
    DFA::builder()
        .configure(config)
        .syntax(syntax::Config::new().utf8(true))
        .thompson(regex_automata::nfa::thompson::Config::new().nfa_size_limit(Some(SIZE_LIMIT)))
        .build(source)
        .ok()
}
