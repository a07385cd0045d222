//! Reads the folder and its first document while the web view's processes start, so that the page's
//! first request finds its reply.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use promptdeck_service::Studio;
use promptdeck_service::wire::StartupState;
use tauri::{AppHandle, Manager as _};

/// The reply to the first page. Pages that start later get the state of their time.
#[derive(Debug)]
pub struct EarlyStart(Mutex<Option<JoinHandle<StartupState>>>);

impl EarlyStart {
    /// Begins to read. The app manages its [`Studio`] by then.
    pub fn begin(app: AppHandle) -> Self {
        let read = thread::spawn(move || app.state::<Studio>().begin());
        Self(Mutex::new(Some(read)))
    }

    /// Waits for the reply; `None` if a page had it before.
    pub fn take(&self) -> Option<StartupState> {
        let read = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        read?.join().ok()
    }
}
