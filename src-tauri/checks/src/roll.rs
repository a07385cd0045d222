//! One roll, and what the rolls of a sample share.

use std::{cell::OnceCell, collections::HashSet};

use foldhash::fast::FixedState;
use promptdeck_core::{
    hydrate::{self, Call, Engine, HydrateError, Hydration},
    lint,
    registry::Diagnostic,
};

use super::judge::Text;

/// Bytes of different texts that one batch remembers.
const REMEMBERED_BYTES: usize = 4 << 20;

/// The problems of a registry and a state, whatever is rolled, once something asks for them.
pub(crate) type StateProblems = OnceCell<Vec<Diagnostic>>;

/// One roll: its text and its pieces, and its full provenance once something asks for it.
pub(crate) struct Roll<'r, 'e> {
    pub engine: &'e Engine,
    pub call: Call<'e>,
    pub rolled: hydrate::Roll<'r, 'e>,
    pub text: Text<'r>,
    state_problems: &'r StateProblems,
    hydration: OnceCell<Hydration>,
}

impl<'r, 'e> Roll<'r, 'e> {
    pub fn new(
        engine: &'e Engine,
        call: Call<'e>,
        rolled: hydrate::Roll<'r, 'e>,
        state_problems: &'r StateProblems,
    ) -> Self {
        Self {
            engine,
            call,
            rolled,
            text: Text::new(rolled.text),
            state_problems,
            hydration: OnceCell::new(),
        }
    }

    pub fn hydration(&self) -> Result<&Hydration, HydrateError> {
        if let Some(known) = self.hydration.get() {
            return Ok(known);
        }
        let found = self.engine.hydrate(&self.call)?;
        Ok(self.hydration.get_or_init(|| found))
    }

    /// The problems that every roll has, and those of this one.
    pub fn problems(&self) -> impl Iterator<Item = Diagnostic> {
        let all = self.state_problems.get_or_init(|| {
            let mut all = lint::summary(self.engine, &self.call);
            all.extend(self.rolled.state_diagnostics());
            all
        });
        all.iter().cloned().chain(self.rolled.diagnostics())
    }
}

/// The different texts so far, up to a size. What holds for a text holds when it comes again.
#[derive(Default)]
pub(crate) struct SeenTexts {
    texts: HashSet<Box<str>, FixedState>,
    bytes: usize,
}

impl SeenTexts {
    /// Whether the text is new, or no longer remembered.
    pub fn insert(&mut self, text: &str) -> bool {
        if self.texts.contains(text) {
            return false;
        }
        if self.bytes + text.len() <= REMEMBERED_BYTES {
            self.bytes += text.len();
            self.texts.insert(text.into());
        }
        true
    }
}
