//! The system clipboard. On X11 the owner of the selection serves its text, so one connection stays
//! open as long as the window.

use std::sync::{Mutex, PoisonError};

/// The clipboard, connected on first use.
#[derive(Default)]
pub struct Clipboard(Mutex<Option<arboard::Clipboard>>);

impl Clipboard {
    /// Writes text to the clipboard.
    pub fn put(&self, text: String) -> Result<(), arboard::Error> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let clipboard = match &mut *slot {
            Some(clipboard) => clipboard,
            empty => empty.insert(arboard::Clipboard::new()?),
        };
        clipboard.set_text(text)
    }
}
