//! An engine and a call to roll: the part of a document that samples are made of.

use std::time::Duration;

use promptdeck_core::hydrate::{Call, Engine, HydrateError, Seed, State};
use promptdeck_core::run::RenderPrompt;
use promptdeck_request::call_prompt::CallPrompt;

use crate::preview::Preview;
use crate::session::Session;
use crate::wire::VariantPick;

/// The engine and the call of a document at one revision, so that rolling holds no lock. The engine
/// is shared with the document.
pub(crate) struct Rolled {
    engine: Engine,
    state: State,
    route: Option<String>,
    seed: Seed,
    renderer: Option<CallPrompt>,
}

impl Rolled {
    pub fn of(session: &Session) -> Self {
        Self {
            engine: session.engine().clone(),
            state: session.state().clone(),
            route: session.route().map(str::to_owned),
            seed: session.seed(),
            renderer: session.renders().then(|| session.renderer().ok()).flatten(),
        }
    }

    /// What renders its prompts, if its texts are templates and the arguments of its call are right.
    pub fn renderer(&self) -> Option<&dyn RenderPrompt> {
        self.renderer
            .as_ref()
            .map(|renderer| renderer as &dyn RenderPrompt)
    }

    /// The prompt of a seed as the window shows it: rendered, or the template if it does not render.
    pub fn text(&self, seed: Seed) -> Result<String, HydrateError> {
        let hydration = self.engine.hydrate(&self.call(seed))?;
        let rendered = self.renderer().map(|renderer| renderer.render(&hydration));
        Ok(rendered.and_then(Result::ok).unwrap_or(hydration.text))
    }

    /// The same with another seed.
    pub fn with_seed(self, seed: Seed) -> Self {
        Self { seed, ..self }
    }

    /// Runs `work` with the engine and the call.
    pub fn with_call<T>(&self, work: impl FnOnce(&Engine, &Call<'_>) -> T) -> T {
        work(&self.engine, &self.call(self.seed))
    }

    /// The values that a seed rolls; empty if the call cannot be hydrated.
    pub fn picks(&self, seed: Seed) -> Vec<VariantPick> {
        picks(&self.engine, &self.call(seed))
    }

    fn call(&self, seed: Seed) -> Call<'_> {
        Call {
            state: &self.state,
            route: self.route.as_deref(),
            seed,
        }
    }
}

/// The values that a call rolls; empty if it cannot be hydrated.
pub(crate) fn picks(engine: &Engine, call: &Call<'_>) -> Vec<VariantPick> {
    let hydration = engine.hydrate(call).ok();
    let preview =
        hydration.map(|hydration| Preview::of(hydration, engine, call.state, Duration::ZERO));
    preview.map(|preview| preview.picks()).unwrap_or_default()
}
