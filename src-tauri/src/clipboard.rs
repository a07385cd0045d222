//! The system's clipboard. On X11 whoever copied has to answer for the text, so one connection
//! is kept for as long as the window lives.

use std::sync::{Mutex, PoisonError};

/// The clipboard, connected to on first use.
#[derive(Default)]
pub struct Clipboard(Mutex<Option<arboard::Clipboard>>);

impl Clipboard {
    /// Puts text there.
    pub fn put(&self, text: String) -> Result<(), arboard::Error> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let clipboard = match &mut *slot {
            Some(clipboard) => clipboard,
            empty => empty.insert(arboard::Clipboard::new()?),
        };
        clipboard.set_text(text)
    }
}
