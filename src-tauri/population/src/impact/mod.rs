//! The impact of an edit: what changes between two versions of a deck in the same rolls.
//!
//! Picks depend on the seed and their own name only, so the same seed differs between two versions
//! where the edit reaches, and nowhere else.

mod changes;
mod item_texts;
mod parts;
mod problems;
mod report;
mod worker;

use promptdeck_core::hydrate::{Engine, HydrateError, Roll, Roller, Seed, State};

pub use changes::{Change, ChangedPlace};
pub use item_texts::ItemTexts;
pub use problems::{Problems, problems};
pub use report::{
    BudgetCrossings, ChangedField, ChangedSection, Impact, ImpactSummary, SideReport,
};
pub use worker::{ImpactPartial, ImpactWorker};

use parts::Numbered;
pub(crate) use parts::field_of;

use crate::{common_start::CommonStart, survey::Survey, tokens::Tokenizer};

/// One of two versions.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The registry.
    pub engine: &'a Engine,
    /// The route, or none for the registry's own assembly order.
    pub route: Option<&'a str>,
}

/// What is compared.
#[derive(Clone, Copy, Default)]
pub struct ImpactOptions<'a> {
    /// How many rolls the sample has: the seeds from `seed` on.
    pub rolls: u64,
    /// The first seed.
    pub seed: Seed,
    /// Counts the tokens of changed prompts; none to leave it out.
    pub tokenizer: Option<&'a dyn Tokenizer>,
    /// A limit in tokens, or in characters without a tokenizer.
    pub budget: Option<u64>,
}

/// Two versions to be compared in the same rolls of one state. Several states are compared by one
/// plan each, and reported by the first of them from their merged results, as long as the
/// registries are the same.
///
/// # Examples
///
/// ```
/// use promptdeck_core::hydrate::{Engine, State};
/// use promptdeck_core::registry;
/// use promptdeck_population::{impact::{ImpactOptions, ImpactPlan, Side}, measure};
///
/// let version = |text: &str| {
///     let registry = format!(r#"{{"assembly_order": ["topic"], "topic": {{"section_random": true,
///         "items": [{{"id": "a", "text": "One."}}, {{"id": "b", "text": "{text}"}}]}}}}"#);
///     registry::parse(registry.as_bytes()).map(|parsed| Engine::new(parsed.registry))
/// };
/// let (old, new) = (version("Two.")?, version("Three.")?);
/// let side = |engine| Side { engine, route: None };
/// let options = ImpactOptions { rolls: 1_000, ..ImpactOptions::default() };
/// let state = State::default();
/// let plan = ImpactPlan::new(side(&old), side(&new), &state, options)?;
/// let impact = plan.impact(measure(&plan)?)?;
/// assert_eq!(impact.sections[0].section, "topic");
/// assert_eq!(impact.changes[0].after, "Three.");
/// assert_eq!(impact.changed.rolls + impact.identical, 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ImpactPlan<'a> {
    old: Side<'a>,
    new: Side<'a>,
    state: &'a State,
    options: ImpactOptions<'a>,
    /// The sections of both versions by name.
    sections: Vec<&'a str>,
    /// By position in the old and in the new registry: the position in `sections`.
    old_sections: Vec<usize>,
    new_sections: Vec<usize>,
    old_start: CommonStart,
    new_start: CommonStart,
}

impl<'a> ImpactPlan<'a> {
    /// A plan for a state.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if a registry has no such route, or a prompt of the first seed is too large.
    pub fn new(
        old: Side<'a>,
        new: Side<'a>,
        state: &'a State,
        options: ImpactOptions<'a>,
    ) -> Result<Self, HydrateError> {
        let start = |side: &Side<'a>| -> Result<CommonStart, HydrateError> {
            let mut roller = Roller::new(side.engine, state, side.route)?;
            // Before anything is counted; of the other rolls, the result says it.
            if let Some(error) = roller.roll(options.seed).too_large() {
                return Err(error.clone());
            }
            let text = |seed| roller.roll(seed).text.to_owned();
            Ok(CommonStart::find(options.seed, options.rolls, text))
        };
        let (old_start, new_start) = (start(&old)?, start(&new)?);
        let mut sections: Vec<&str> = Vec::new();
        let mut positions = |side: &Side<'a>| -> Vec<usize> {
            let names = side.engine.registry().sections().keys();
            names
                .map(|name| {
                    let known = sections.iter().position(|known| known == name);
                    known.unwrap_or_else(|| {
                        sections.push(name);
                        sections.len() - 1
                    })
                })
                .collect()
        };
        let (old_sections, new_sections) = (positions(&old), positions(&new));
        Ok(Self {
            old,
            new,
            state,
            options,
            sections,
            old_sections,
            new_sections,
            old_start,
            new_start,
        })
    }

    fn numbered<'r, 'e>(&'r self, old: Roll<'r, 'e>, new: Roll<'r, 'e>) -> [Numbered<'r, 'e>; 2] {
        [(old, &self.old_sections), (new, &self.new_sections)]
            .map(|(roll, sections)| Numbered { roll, sections })
    }
}

impl Survey for ImpactPlan<'_> {
    type Partial = ImpactPartial;
    type Worker<'s>
        = ImpactWorker<'s>
    where
        Self: 's;

    fn rolls(&self) -> u64 {
        self.options.rolls
    }

    fn worker(&self) -> Result<ImpactWorker<'_>, HydrateError> {
        ImpactWorker::new(self)
    }
}
