//! One roll, and the texts of the rolls so far.

use std::{cell::OnceCell, collections::HashSet};

use foldhash::fast::FixedState;
use promptdeck_core::hydrate::{Call, Engine, HydrateError, Hydration};

use super::judge::Text;

/// Bytes of different texts that one batch remembers.
const REMEMBERED_BYTES: usize = 4 << 20;

/// One roll: its text, and its provenance once something asks for it.
pub(crate) struct Roll<'r> {
    pub engine: &'r Engine,
    pub call: Call<'r>,
    pub text: Text<'r>,
    hydration: OnceCell<Hydration>,
}

impl<'r> Roll<'r> {
    pub fn new(
        engine: &'r Engine,
        call: Call<'r>,
        text: &'r mut String,
        with_provenance: bool,
    ) -> Result<Self, HydrateError> {
        let hydration = OnceCell::new();
        text.clear();
        if with_provenance {
            let found = engine.hydrate(&call)?;
            text.push_str(&found.text);
            // The cell is new.
            let _ = hydration.set(found);
        } else {
            engine.hydrate_text_into(&call, text)?;
        }
        Ok(Self {
            engine,
            call,
            text: Text::new(text),
            hydration,
        })
    }

    pub fn hydration(&self) -> Result<&Hydration, HydrateError> {
        if let Some(known) = self.hydration.get() {
            return Ok(known);
        }
        let found = self.engine.hydrate(&self.call)?;
        Ok(self.hydration.get_or_init(|| found))
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
