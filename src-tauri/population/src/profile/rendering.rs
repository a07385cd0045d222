//! The prompts of rolls whose texts are Jinja templates, as a call renders them.

use promptdeck_core::hydrate::{HydrateError, Hydration, Seed, Segment};
use promptdeck_core::run::RenderPrompt;

use super::ProfilePlan;

/// Renders the rolls of a sample.
#[derive(Clone, Copy)]
pub(super) struct Rendering<'p> {
    plan: &'p ProfilePlan<'p>,
    renderer: &'p dyn RenderPrompt,
}

impl<'p> Rendering<'p> {
    /// None if the sample is not rendered.
    pub fn of(plan: &'p ProfilePlan<'_>) -> Option<Self> {
        let renderer = plan.options.renderer?;
        Some(Self { plan, renderer })
    }

    /// The prompt of a seed; `None` if it does not render.
    pub fn text(self, seed: Seed) -> Option<String> {
        let hydration = self.hydration(seed).ok()?;
        self.renderer.render(&hydration).ok()
    }

    /// The same in pieces.
    pub fn segments(self, seed: Seed) -> Option<Vec<Segment>> {
        let hydration = self.hydration(seed).ok()?;
        self.renderer.render_segments(&hydration).ok()
    }

    fn hydration(self, seed: Seed) -> Result<Hydration, HydrateError> {
        self.plan.engine.hydrate(&self.plan.call(seed))
    }
}
