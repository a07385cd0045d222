//! The engine: a registry compiled for many calls.

use serde::Serialize;

use super::{Evaluation, HydrateError, Seed, Segment, State, TokenReport};
use crate::registry::{Diagnostic, Registry};

/// One call: a state, an optional route, a seed.
#[derive(Debug)]
pub struct Call<'a, S = State> {
    /// What the caller sets.
    pub state: &'a S,
    /// The route, or none for the registry's own assembly order.
    pub route: Option<&'a str>,
    /// The seed of every pick.
    pub seed: Seed,
}

/// A prompt and everything known about how it came to be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hydration {
    /// The prompt.
    pub text: String,
    /// The prompt in pieces that know their source.
    pub segments: Vec<Segment>,
    /// What was used, and why.
    pub evaluation: Evaluation,
    /// What became of each token.
    pub tokens: Vec<TokenReport>,
    /// What is odd about the call.
    pub diagnostics: Vec<Diagnostic>,
    /// The seed, so that the roll can be repeated.
    pub seed: Seed,
}

/// A registry compiled for many calls; shareable between threads.
#[derive(Clone, Debug)]
pub struct Engine {
    registry: Registry,
}

impl Engine {
    /// Compiles a registry.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        Self { registry }
    }

    /// Compiles another version of the registry, reusing what has not changed.
    #[must_use]
    pub fn with_registry(&self, registry: Registry) -> Self {
        Self { registry }
    }

    /// The registry.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Hydrates with full provenance.
    pub fn hydrate(&self, call: &Call<'_>) -> Result<Hydration, HydrateError> {
        let text = self.hydrate_text(call)?;
        Ok(Hydration {
            text,
            segments: Vec::new(),
            evaluation: Evaluation::default(),
            tokens: Vec::new(),
            diagnostics: Vec::new(),
            seed: call.seed,
        })
    }

    /// Hydrates to the prompt alone.
    pub fn hydrate_text(&self, call: &Call<'_>) -> Result<String, HydrateError> {
        let mut text = String::new();
        self.hydrate_text_into(call, &mut text)?;
        Ok(text)
    }

    /// Hydrates to the prompt alone, appended to `out`.
    pub fn hydrate_text_into(
        &self,
        call: &Call<'_>,
        _out: &mut String,
    ) -> Result<(), HydrateError> {
        match call.route {
            Some(route) if !self.registry.routes().contains_key(route) => {
                Err(HydrateError::UnknownRoute {
                    route: route.to_owned(),
                    known: self.registry.routes().keys().cloned().collect(),
                })
            }
            _ => Ok(()),
        }
    }
}
