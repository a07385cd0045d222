//! Opens the store, the folder and its first document while the web view's processes start, so that
//! the page's first request finds them open.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use promptdeck_service::Studio;
use promptdeck_service::wire::StartupState;
use tauri::{AppHandle, Manager as _};

/// The opening, until the first page has asked for the state.
#[derive(Debug)]
pub struct EarlyStart(Mutex<Option<JoinHandle<StartupState>>>);

impl EarlyStart {
    /// Begins to open. The app manages its [`Studio`] by then.
    pub fn begin(app: AppHandle) -> Self {
        let opening = thread::spawn(move || app.state::<Studio>().begin_ahead());
        Self(Mutex::new(Some(opening)))
    }

    /// The state at this moment: files may have changed since they were opened. Of the early state
    /// only the restored draft remains, which no later opening reports.
    pub fn state(&self, studio: &Studio) -> StartupState {
        let opening = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let early = opening.and_then(|opening| opening.join().ok()?.first);
        let mut state = studio.begin_ahead();
        if let (Some(early), Some(first)) = (early, &mut state.first)
            && early.opened.document == first.opened.document
        {
            first.opened.draft = first.opened.draft.take().or(early.opened.draft);
        }
        state
    }
}
