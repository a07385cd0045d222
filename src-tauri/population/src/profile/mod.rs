//! The profile of a sample: lengths, coverage, pairs, stable prefix, sameness.

mod absence;
mod coverage;
mod exact;
mod find;
mod pairs;
mod rendering;
mod report;
mod sameness;
mod worker;

use std::sync::Arc;

use promptdeck_core::hydrate::{Call, Engine, HydrateError, Roller, Seed, State};
use promptdeck_core::registry::Item;
use promptdeck_core::run::RenderPrompt;

pub use absence::Absence;
pub use coverage::{CoverageRow, SectionCoverage};
pub use find::{FoundRolls, RollFilter, RowKey};
pub use pairs::{ImpossibleCell, Pair, Slot};
pub use report::{Conflict, Note, Profile};
pub use sameness::{SameText, Sameness};
pub use worker::{ProfilePartial, ProfileWorker};

use crate::{common_start::CommonStart, rows::Rows, survey::Survey, tokens::Tokenizer};
use pairs::PairPlan;
use rendering::Rendering;

/// What a profile measures.
#[derive(Clone, Copy, Default)]
pub struct ProfileOptions<'a> {
    /// How many rolls the sample has: the seeds from the call's on.
    pub rolls: u64,
    /// Counts the tokens of each prompt, which takes longer than all else; none to leave it out.
    pub tokenizer: Option<&'a dyn Tokenizer>,
    /// A limit in tokens, or in characters without a tokenizer.
    pub budget: Option<u64>,
    /// The slots whose combinations are counted.
    pub pairs: &'a [(Slot, Slot)],
    /// Renders texts that are Jinja templates; without it they are counted as they are.
    pub renderer: Option<&'a dyn RenderPrompt>,
}

/// A sample to be measured.
///
/// # Examples
///
/// ```
/// use promptdeck_core::hydrate::{Call, Engine, Seed, State};
/// use promptdeck_core::registry;
/// use promptdeck_population::measure;
/// use promptdeck_population::profile::{ProfileOptions, ProfilePlan};
///
/// let text = br#"{
///     "assembly_order": ["topic"],
///     "topic": {"section_random": true, "items": [{"id": "a", "text": "One."}, {"id": "b", "text": "Two."}]}
/// }"#;
/// let engine = Engine::new(registry::parse(text)?.registry);
/// let call = Call { state: &State::default(), route: None, seed: Seed::new(1)? };
/// let options = ProfileOptions { rolls: 1_000, ..ProfileOptions::default() };
/// let plan = ProfilePlan::new(&engine, &call, options)?;
/// let profile = plan.profile(measure(&plan)?, &|| false)?;
/// let row = &profile.coverage[0].rows[0];
/// assert_eq!((row.label.as_str(), row.chance), ("a", Some(0.5)));
/// assert!(row.low < 0.5 && 0.5 < row.high);
/// assert_eq!(profile.sameness.texts.estimate, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProfilePlan<'a> {
    engine: &'a Engine,
    state: &'a State,
    route: Option<&'a str>,
    seed: Seed,
    options: ProfileOptions<'a>,
    rows: Rows,
    pairs: Vec<PairPlan>,
    start: CommonStart,
}

impl<'a> ProfilePlan<'a> {
    /// A plan for the state and route of a call, and the seeds from its seed on.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt of the first seed is too large.
    pub fn new(
        engine: &'a Engine,
        call: &Call<'a>,
        options: ProfileOptions<'a>,
    ) -> Result<Self, HydrateError> {
        let mut roller = Roller::new(engine, call.state, call.route)?;
        // Before anything is counted; of the other rolls, the result says it.
        if let Some(error) = roller.roll(call.seed).too_large() {
            return Err(error.clone());
        }
        let rows = Rows::new(engine, call.state);
        let pairs = PairPlan::all(engine, options.pairs, &rows);
        let mut plan = Self {
            engine,
            state: call.state,
            route: call.route,
            seed: call.seed,
            options,
            rows,
            pairs,
            start: CommonStart::default(),
        };
        plan.start = CommonStart::find(call.seed, options.rolls, |seed| {
            let rendered = Rendering::of(&plan).and_then(|rendering| rendering.text(seed));
            rendered.unwrap_or_else(|| roller.roll(seed).text.to_owned())
        });
        Ok(plan)
    }

    fn call(&self, seed: Seed) -> Call<'a> {
        Call {
            state: self.state,
            route: self.route,
            seed,
        }
    }

    /// The items of a section, by position.
    fn items(&self, section: usize) -> &'a [Arc<Item>] {
        let section = self.engine.registry().sections().get_index(section);
        section.map_or(&[], |(_, section)| section.items())
    }

    /// The name of a section, by position.
    fn name(&self, section: usize) -> &'a str {
        let section = self.engine.registry().sections().get_index(section);
        section.map_or("", |(name, _)| name.as_str())
    }
}

impl Survey for ProfilePlan<'_> {
    type Partial = ProfilePartial;
    type Worker<'s>
        = ProfileWorker<'s>
    where
        Self: 's;

    fn rolls(&self) -> u64 {
        self.options.rolls
    }

    fn worker(&self) -> Result<ProfileWorker<'_>, HydrateError> {
        ProfileWorker::new(self)
    }
}
