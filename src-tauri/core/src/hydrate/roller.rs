//! Hydrates one state and route with many seeds, into buffers that are used again: the text, where
//! each piece of it comes from, and what was rolled. Without names, evaluation and diagnostics.

use std::ops::Range;

use super::{
    ArrayEvaluation, Call, Engine, HydrateError, Origin, Part, Seed, State, TextOrigin,
    TokenOutcome,
    assembler::PinnedEntries,
    choose::{Choice, Choices, ItemSet, is_rolled, slider, slider_is_rolled},
    route_program::RouteProgram,
    trace::{Marks, RolledArray, SourceRef, Trace},
    writer::Writer,
};

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
    state: &'e State,
    route: &'e RouteProgram,
    /// The sections whose choices are made: the slots of the route, then every other rolled one and
    /// the runtime injections.
    wanted: Vec<u32>,
    /// Which of them are rolled.
    rolled: Vec<usize>,
    /// Which of them is the section `runtime_injections`.
    injections: Option<usize>,
    /// The sections whose slider is rolled.
    sliders: Vec<u32>,
    text: String,
    trace: RollTrace<'e>,
    choices: Choices,
    conflicts: Vec<u32>,
}

/// What one roll printed and decided.
#[derive(Clone, Copy)]
pub struct Roll<'r, 'e> {
    /// The prompt.
    pub text: &'r str,
    roller: &'r Roller<'e>,
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

/// Records sources and rolled entries.
#[derive(Default)]
struct RollTrace<'e> {
    marks: Marks<'e>,
    arrays: Vec<(RolledArray<'e>, Range<usize>)>,
    decisions: Vec<u32>,
}

impl<'e> Trace<'e> for &mut RollTrace<'e> {
    const RECORDS: bool = true;

    #[inline]
    fn mark(&mut self, end: usize, source: Option<SourceRef<'e>>) {
        self.marks.push(end, source);
    }

    fn truncate(&mut self, length: usize) {
        self.marks.truncate(length);
    }

    fn remove(&mut self, cuts: &[Range<usize>]) {
        self.marks.remove(cuts);
    }

    #[inline]
    fn array(&mut self, _array: impl FnOnce() -> ArrayEvaluation) {}

    #[inline]
    fn rolled(&mut self, array: RolledArray<'e>, entries: &[u32]) {
        self.decisions.push(entries.len() as u32);
        let start = self.decisions.len();
        self.decisions.extend_from_slice(entries);
        self.arrays.push((array, start..self.decisions.len()));
    }

    #[inline]
    fn token(&mut self, _outcome: impl FnOnce() -> TokenOutcome) {}
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
        let rolled = (0..wanted.len()).filter(|at| is_rolled(program(&wanted[*at]), state));
        let sections = 0..engine.sections().len() as u32;
        Ok(Self {
            rolled: rolled.collect(),
            injections: engine
                .injections_section()
                .and_then(|section| wanted.iter().position(|other| *other == section)),
            sliders: sections
                .filter(|section| slider_is_rolled(program(section), state))
                .collect(),
            engine,
            state,
            route,
            wanted,
            text: String::new(),
            trace: RollTrace::default(),
            choices: Choices::new(),
            conflicts: Vec::new(),
        })
    }

    /// Rolls a seed.
    pub fn roll(&mut self, seed: Seed) -> Roll<'_, 'e> {
        let conflicts = &mut self.conflicts;
        conflicts.clear();
        let on_conflict = |section| conflicts.push(section);
        let call = call(self.state, seed);
        let choices = self.engine.choices(&self.wanted, &call, on_conflict);
        self.assemble(&call, choices, None)
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
        let given = |at: usize| {
            let section = self.wanted[at] as usize;
            let item = self.rolled.contains(&at).then(|| choice(section)).flatten();
            item.filter(|item| *item < self.engine.sections()[section].len())
        };
        let given: Vec<Option<usize>> = (0..self.wanted.len()).map(given).collect();
        // Sections whose choice is given are not rolled: that takes a draw for every item.
        let rest = self.wanted.iter().zip(&given);
        let rest: Vec<u32> = rest
            .filter(|(_, given)| given.is_none())
            .map(|(section, _)| *section)
            .collect();
        let conflicts = &mut self.conflicts;
        conflicts.clear();
        let on_conflict = |section| conflicts.push(section);
        let call = call(self.state, seed);
        let mut rest = self.engine.choices(&rest, &call, on_conflict).into_iter();
        let choices = given.into_iter().filter_map(|given| match given {
            Some(item) => Some(Choice {
                chosen: ItemSet::Single(item as u32),
                origin: Origin::Random,
            }),
            None => rest.next(),
        });
        let choices = choices.collect();
        self.assemble(&call, choices, Some(entries))
    }

    fn assemble(
        &mut self,
        call: &Call<'e>,
        choices: Choices,
        pinned: Option<&PinnedEntries>,
    ) -> Roll<'_, 'e> {
        self.trace.marks.0.clear();
        self.trace.arrays.clear();
        self.trace.decisions.clear();
        for at in &self.rolled {
            let item = choices[*at].chosen.items().first();
            self.trace
                .decisions
                .push(item.map_or(u32::MAX, |item| *item));
        }
        for section in &self.sliders {
            let program = &self.engine.sections()[*section as usize];
            // A rolled position is a whole number from 1 to 10.
            let value = slider(program, self.state, call.seed).value as i32;
            self.trace.decisions.push(value.unsigned_abs());
        }
        self.text.clear();
        let injections = self.injections.map(|at| choices[at].chosen.clone());
        let assembler =
            self.engine
                .assembler_with(self.route, call, choices, injections.as_ref(), pinned);
        assembler.run(&mut Writer::new(&mut self.text, &mut self.trace));
        self.choices = assembler.choices;
        Roll {
            text: &self.text,
            roller: self,
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
    /// The pieces of the prompt, in order.
    pub fn pieces(self) -> impl Iterator<Item = PrintedPiece<'r, 'e>> {
        let mut start = 0;
        self.roller
            .trace
            .marks
            .0
            .iter()
            .filter_map(move |(end, source)| {
                let piece = self.text.get(start..*end).filter(|text| !text.is_empty())?;
                let piece = PrintedPiece {
                    text: piece,
                    start,
                    source: source.as_ref().map(PieceSource::new),
                };
                start = *end;
                Some(piece)
            })
    }

    /// What was rolled: two rolls of a roller that decided the same are the same evaluation, as
    /// [`variants`](super::variants) counts them, and no others are.
    #[must_use]
    pub fn decisions(self) -> &'r [u32] {
        &self.roller.trace.decisions
    }

    /// The items chosen, by section, in the sections that the route names and those that are rolled.
    pub fn chosen(self) -> impl Iterator<Item = (usize, &'r [u32])> {
        let sections = self.roller.wanted.iter().zip(&self.roller.choices);
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

    /// The rolled sections in which no item satisfies `requires` and `excludes`.
    pub fn conflicts(self) -> impl Iterator<Item = usize> + 'r {
        self.roller
            .conflicts
            .iter()
            .map(|section| *section as usize)
    }
}

impl<'e> PieceSource<'e> {
    #[inline]
    fn new(source: &SourceRef<'e>) -> Self {
        Self {
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
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::registry;

    const SAMPLES: [&str; 4] = [
        include_str!("../../../../registries/trivia_host.json"),
        include_str!("../../../../registries/noir_roller.json"),
        include_str!("../../../../registries/night_stream.json"),
        include_str!("../../../../registries/support_desk.json"),
    ];

    fn engine(text: &str) -> Engine {
        Engine::new(
            registry::parse(text.as_bytes())
                .expect("a registry")
                .registry,
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_roll_is_what_hydration_gives(sample in 0..SAMPLES.len(), bits: u64, applause: bool) {
            let engine = engine(SAMPLES[sample]);
            let mut state = State::default();
            if applause {
                let ids = r#"{"selections": {"runtime_injections": ["applause"]}}"#;
                state = serde_json::from_str(ids).expect("a state");
            }
            let mut roller = Roller::new(&engine, &state, None).expect("the default route");
            // The buffers of an earlier roll leave nothing behind.
            roller.roll(Seed::from_bits(bits.wrapping_add(1)));
            let seed = Seed::from_bits(bits);
            let roll = roller.roll(seed);
            let call = Call { state: &state, route: None, seed };
            let hydration = engine.hydrate(&call).expect("the default route");
            prop_assert_eq!(roll.text, &hydration.text);
            let pieces: Vec<PrintedPiece<'_, '_>> = roll.pieces().collect();
            prop_assert_eq!(pieces.len(), hydration.segments.len());
            for (piece, segment) in pieces.iter().zip(&hydration.segments) {
                prop_assert_eq!(piece.text, &segment.text);
                let found = piece.source.map(|source| {
                    let name = engine.registry().sections().get_index(source.section);
                    (name.map(|(name, _)| name.clone()), source.item, source.field.to_owned(),
                     source.part, source.entry, source.fragment)
                });
                let expected = segment.source.clone().map(|source| {
                    (Some(source.section), source.item, source.field, source.part, source.entry,
                     source.fragment)
                });
                prop_assert_eq!(found, expected);
            }
            for (section, items) in roll.chosen() {
                let (name, _) = engine.registry().sections().get_index(section).expect("a section");
                let used = &hydration.evaluation.sections[name].items;
                let used: Vec<u32> = used.iter().map(|item| item.index as u32).collect();
                prop_assert_eq!(items, &used[..]);
            }
        }
    }

    #[test]
    fn a_given_choice_replaces_the_rolled_one() {
        let engine = engine(SAMPLES[0]);
        let state = State::default();
        let mut roller = Roller::new(&engine, &state, None).expect("the default route");
        let personas = engine.registry().sections().get_index_of("personas");
        let given = |item| move |section| (Some(section) == personas).then_some(item);
        let seed = Seed::from_bits(3);
        let none = PinnedEntries::new();
        for (item, words) in [
            (0, "quick and generous"),
            (1, "dry and in no hurry"),
            (2, "loud, fast"),
        ] {
            let roll = roller.roll_choosing(seed, given(item), &none);
            assert!(roll.text.contains(words), "{}", roll.text);
        }
        let key = ("sentiment".to_owned(), 0, "nudges".to_owned());
        let entries = PinnedEntries::from([(key, vec![0, 1, 2, 3, 4])]);
        let roll = roller.roll_choosing(seed, |_| None, &entries);
        let nudges = roll.arrays().find(|(array, _)| array.field == "nudges");
        let (array, kept) = nudges.expect("the nudges are rolled");
        assert_eq!((array.total, kept), (5, &[0, 1, 2, 3, 4][..]));
    }
}
