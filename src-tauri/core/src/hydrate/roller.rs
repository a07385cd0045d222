//! Hydrates one state and route with many seeds, into buffers that are used again: the text, where
//! each piece of it comes from, and what was rolled. Without names, evaluation and diagnostics.

use std::ops::Range;

use super::{
    Call, Engine, HydrateError, Origin, Part, Seed, State, TextOrigin,
    assembler::{Assembler, PinnedEntries},
    choose::{self, Choice, ItemSet, is_rolled, slider, slider_is_rolled},
    print_cache::{CachedText, Dice, PrintCache},
    roll_trace::RollTrace,
    route_program::RouteProgram,
    state_lint,
    trace::{RolledArray, SourceRef},
    writer::Writer,
};
use crate::registry::Diagnostic;

/// Rolls one state and route with many seeds. The text of a roll is that of
/// [`Engine::hydrate_text`].
///
/// # Examples
///
/// ```
/// use promptdeck_core::hydrate::{Engine, Roller, Seed, State};
/// use promptdeck_core::registry;
///
/// let text = br#"{
///     "assembly_order": ["topic"],
///     "topic": {"section_random": true, "items": [{"id": "a", "text": "One."}, {"id": "b", "text": "Two."}]}
/// }"#;
/// let engine = Engine::new(registry::parse(text)?.registry);
/// let state = State::default();
/// let mut roller = Roller::new(&engine, &state, None)?;
/// let roll = roller.roll(Seed::new(7)?);
/// let (section, items) = roll.chosen().next().ok_or("no section")?;
/// let piece = roll.pieces().next().and_then(|piece| piece.source).ok_or("no piece")?;
/// assert_eq!((piece.section, piece.item), (section, items[0] as usize));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Roller<'e> {
    engine: &'e Engine,
    route: &'e RouteProgram,
    /// The last roll. The choices of sections that are not rolled, and the injections, which no roll
    /// makes active, are those of every roll.
    assembler: Assembler<'e, 'e, State>,
    /// The sections whose choices are made: the slots of the route, then every other rolled one and
    /// the runtime injections.
    wanted: Vec<u32>,
    /// Which of them are rolled.
    rolled: Vec<usize>,
    dice: Dice,
    cache: PrintCache<'e>,
    text: String,
    trace: RollTrace<'e>,
    conflicts: Vec<u32>,
    /// Why the last roll has no prompt.
    too_large: Option<HydrateError>,
}

/// What one roll printed and decided.
#[derive(Clone, Copy)]
pub struct Roll<'r, 'e> {
    /// The prompt; empty if it is [too large](Self::too_large).
    pub text: &'r str,
    roller: &'r Roller<'e>,
}

/// A text that prompts are put together from.
#[derive(Clone, Copy)]
pub struct RolledText<'r, 'e> {
    /// Its number among the texts of the roller.
    pub number: usize,
    /// The prompt.
    text: &'r str,
    start: usize,
    cached: &'r CachedText<'e>,
}

/// A piece of a prompt; all pieces of a prompt, concatenated, are the prompt.
#[derive(Clone, Copy, Debug)]
pub struct PrintedPiece<'r, 'e> {
    /// Its text, never empty.
    pub text: &'r str,
    /// Where its text starts in the prompt, in bytes.
    pub start: usize,
    /// Where it comes from; glue comes from nowhere.
    pub source: Option<PieceSource<'e>>,
}

/// Where a piece comes from, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceSource<'e> {
    /// The token's position in the assembly order; none for injections at the end.
    pub token: Option<usize>,
    /// The section's position in the registry.
    pub section: usize,
    /// The item's position in its section.
    pub item: usize,
    /// The field.
    pub field: &'e str,
    /// What kind of text it is.
    pub part: Part,
    /// The entry's position in its array, as authored.
    pub entry: Option<usize>,
    /// The fragment's position in its item.
    pub fragment: Option<usize>,
    /// What the text is made of.
    pub origin: TextOrigin,
}

impl<'e> Roller<'e> {
    /// A roller for a state and a route.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route.
    pub fn new(
        engine: &'e Engine,
        state: &'e State,
        route: Option<&str>,
    ) -> Result<Self, HydrateError> {
        let route = engine.route(route)?;
        let mut wanted = route.slots.to_vec();
        for (section, program) in engine.sections().iter().enumerate() {
            let section = section as u32;
            let needed = is_rolled(program, state) || engine.injections_section() == Some(section);
            if needed && !wanted.contains(&section) {
                wanted.push(section);
            }
        }
        let program = |section: &u32| &engine.sections()[*section as usize];
        let is_rolled = |section: &u32| is_rolled(program(section), state);
        let slots: Vec<bool> = wanted.iter().map(is_rolled).collect();
        let sections = 0..engine.sections().len() as u32;
        let sliders = sections.filter(|section| slider_is_rolled(program(section), state));
        let injections = engine
            .injections_section()
            .and_then(|section| wanted.iter().position(|other| *other == section));
        let call = call(state, Seed::default());
        let choices = engine.choices(&wanted, &call, |_| {});
        let active = injections.map(|at| choices[at].chosen.clone());
        Ok(Self {
            rolled: (0..wanted.len()).filter(|at| slots[*at]).collect(),
            dice: Dice {
                sliders: sliders.map(|section| (section, 0)).collect(),
                slots,
            },
            cache: PrintCache::default(),
            assembler: engine.assembler_with(route, &call, choices, active.as_ref(), None),
            engine,
            route,
            wanted,
            text: String::new(),
            trace: RollTrace::default(),
            conflicts: Vec::new(),
            too_large: None,
        })
    }

    /// Rolls a seed.
    pub fn roll(&mut self, seed: Seed) -> Roll<'_, 'e> {
        self.choose(seed);
        self.record_decisions();
        let printed =
            self.cache
                .print(&self.assembler, &self.dice, &mut self.text, &mut self.trace);
        self.too_large = if printed {
            None
        } else {
            self.record_decisions();
            let mut writer = Writer::new(&mut self.text, &mut self.trace);
            self.assembler.run(&mut writer).err()
        };
        Roll {
            text: &self.text,
            roller: self,
        }
    }

    /// Makes the choices of a seed.
    fn choose(&mut self, seed: Seed) {
        self.assembler.seed = seed;
        self.conflicts.clear();
        if self.engine.is_dependent() {
            let conflicts = &mut self.conflicts;
            let on_conflict = |section| conflicts.push(section);
            let call = call(self.assembler.state, seed);
            self.assembler.choices = self.engine.choices(&self.wanted, &call, on_conflict);
            return;
        }
        for at in &self.rolled {
            let program = &self.engine.sections()[self.wanted[*at] as usize];
            self.assembler.choices[*at] = choose::roll(program, seed);
        }
    }

    /// Rolls a seed, with some choices and entries given: for a rolled section, `choice` may return
    /// the item to use instead of the rolled one; the entries of `entries`, by section, item and
    /// field, replace the rolled ones.
    pub fn roll_choosing(
        &mut self,
        seed: Seed,
        choice: impl Fn(usize) -> Option<usize>,
        entries: &PinnedEntries,
    ) -> Roll<'_, 'e> {
        let fixed = |at: usize| {
            let section = self.wanted[at] as usize;
            let item = self.rolled.contains(&at).then(|| choice(section)).flatten();
            item.filter(|item| *item < self.engine.sections()[section].len())
        };
        let fixed: Vec<Option<usize>> = (0..self.wanted.len()).map(fixed).collect();
        // Sections whose choice is given are not rolled: that takes a draw for every item.
        let rest = self.wanted.iter().zip(&fixed);
        let rest: Vec<u32> = rest
            .filter(|(_, fixed)| fixed.is_none())
            .map(|(section, _)| *section)
            .collect();
        let conflicts = &mut self.conflicts;
        conflicts.clear();
        let on_conflict = |section| conflicts.push(section);
        let call = call(self.assembler.state, seed);
        let mut rest = self.engine.choices(&rest, &call, on_conflict).into_iter();
        let choices = fixed.into_iter().filter_map(|fixed| match fixed {
            Some(item) => Some(Choice {
                chosen: ItemSet::Single(item as u32),
                origin: Origin::Random,
            }),
            None => rest.next(),
        });
        self.assembler.seed = seed;
        self.assembler.choices = choices.collect();
        self.record_decisions();
        let choices = std::mem::take(&mut self.assembler.choices);
        let mut assembler =
            self.engine
                .assembler_with(self.route, &call, choices, None, Some(entries));
        assembler.injections.clone_from(&self.assembler.injections);
        let written = assembler.run(&mut Writer::new(&mut self.text, &mut self.trace));
        self.too_large = written.err();
        self.assembler.choices = assembler.choices;
        Roll {
            text: &self.text,
            roller: self,
        }
    }

    /// Begins a prompt: records the choices and the positions of sliders. The entries of arrays follow
    /// when they are printed.
    fn record_decisions(&mut self) {
        let Self {
            assembler, trace, ..
        } = self;
        self.text.clear();
        self.cache.clear();
        trace.clear();
        for at in &self.rolled {
            let item = assembler.choices[*at].chosen.items().first();
            trace.decisions.push(item.map_or(u32::MAX, |item| *item));
        }
        for (section, position) in &mut self.dice.sliders {
            let program = assembler.program(*section);
            // A rolled position is a whole number from 1 to 10.
            let value = slider(program, assembler.state, assembler.seed).value as i32;
            *position = value.unsigned_abs();
            trace.decisions.push(*position);
        }
    }
}

/// The call of a roll; its route is known already.
fn call(state: &State, seed: Seed) -> Call<'_> {
    Call {
        state,
        route: None,
        seed,
    }
}

impl<'r, 'e> Roll<'r, 'e> {
    /// The error with which [`Engine::hydrate`] refuses this seed, if the prompt is too large.
    #[must_use]
    pub fn too_large(self) -> Option<&'r HydrateError> {
        self.roller.too_large.as_ref()
    }

    /// The pieces of the prompt, in order.
    pub fn pieces(self) -> impl Iterator<Item = PrintedPiece<'r, 'e>> {
        let mut end = 0;
        let cached = self
            .roller
            .cache
            .used()
            .flat_map(move |(start, _, cached)| {
                let glue = self.text.get(end..start).filter(|text| !text.is_empty());
                let glue = glue.map(|text| PrintedPiece {
                    text,
                    start: end,
                    source: None,
                });
                end = start + cached.text.len();
                glue.into_iter()
                    .chain(pieces(self.text, start, &cached.marks))
            });
        cached.chain(pieces(self.text, 0, &self.roller.trace.marks.0))
    }

    /// The texts that the prompt is put together from, joined by line breaks; none if it was assembled
    /// anew. A text has the same number in all rolls of a roller.
    #[must_use]
    pub fn texts(
        self,
    ) -> Option<impl DoubleEndedIterator<Item = RolledText<'r, 'e>> + ExactSizeIterator + Clone>
    {
        let texts = self.roller.cache.used();
        let texts = texts.map(move |(start, number, cached)| RolledText {
            number,
            text: self.text,
            start,
            cached,
        });
        self.roller.trace.marks.0.is_empty().then_some(texts)
    }

    /// What was rolled: two rolls of a roller that decided the same are the same evaluation, as
    /// [`variants`](super::variants) counts them, and no others are.
    #[must_use]
    pub fn decisions(self) -> &'r [u32] {
        &self.roller.trace.decisions
    }

    /// The items chosen, by section, in the sections that the route names and those that are rolled.
    pub fn chosen(self) -> impl Iterator<Item = (usize, &'r [u32])> {
        let sections = self
            .roller
            .wanted
            .iter()
            .zip(&self.roller.assembler.choices);
        sections.map(|(section, choice)| (*section as usize, choice.chosen.items()))
    }

    /// The arrays whose entries were rolled, in the order rendered, with these entries.
    pub fn arrays(self) -> impl Iterator<Item = (RolledArray<'e>, &'r [u32])> {
        let trace = &self.roller.trace;
        let entries = |range: &Range<usize>| trace.decisions.get(range.clone()).unwrap_or_default();
        trace
            .arrays
            .iter()
            .map(move |(array, range)| (*array, entries(range)))
    }

    /// Diagnostics about the state, which are those of every roll.
    #[must_use]
    pub fn state_diagnostics(self) -> Vec<Diagnostic> {
        let roller = self.roller;
        roller.engine.state_diagnostics(roller.assembler.state)
    }

    /// Diagnostics about this roll alone. Those of [`Engine::hydrate`] are
    /// [`Self::state_diagnostics`] and these.
    #[must_use]
    pub fn diagnostics(self) -> Vec<Diagnostic> {
        let conflicts = self.roller.conflicts.iter();
        let conflicts = conflicts.map(|section| self.roller.engine.conflict(*section));
        let arrays = state_lint::of_arrays(&self.roller.trace.incomplete);
        conflicts.chain(arrays).collect()
    }

    /// The rolled sections in which no item satisfies `requires` and `excludes`.
    pub fn conflicts(self) -> impl Iterator<Item = usize> + 'r {
        self.roller
            .conflicts
            .iter()
            .map(|section| *section as usize)
    }
}

impl<'r, 'e> RolledText<'r, 'e> {
    /// Its pieces, in order, and their places in the prompt.
    pub fn pieces(self) -> impl Iterator<Item = PrintedPiece<'r, 'e>> {
        pieces(self.text, self.start, &self.cached.marks)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &'r str {
        &self.cached.text
    }
}

/// The pieces of a text that starts there; each mark has the end of its piece in that text.
fn pieces<'r, 'e>(
    text: &'r str,
    first: usize,
    marks: &'r [(usize, Option<SourceRef<'e>>)],
) -> impl Iterator<Item = PrintedPiece<'r, 'e>> {
    let mut start = first;
    marks.iter().filter_map(move |(end, source)| {
        let end = first + *end;
        let piece = text.get(start..end).filter(|text| !text.is_empty())?;
        let piece = PrintedPiece {
            text: piece,
            start,
            source: source.as_ref().map(PieceSource::new),
        };
        start = end;
        Some(piece)
    })
}

impl<'e> PieceSource<'e> {
    #[inline]
    fn new(source: &SourceRef<'e>) -> Self {
        Self {
            token: source.token.map(|token| token as usize),
            section: source.section as usize,
            item: source.item as usize,
            field: source.field,
            part: source.part,
            entry: source.entry.map(|entry| entry as usize),
            fragment: source.fragment.map(|fragment| fragment as usize),
            origin: source.origin,
        }
    }
}

#[cfg(test)]
mod tests;
