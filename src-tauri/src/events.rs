//! Where the service's events go: to the page that listens, in the order they happened.

use std::sync::{Arc, Mutex, PoisonError};

use promptdeck_service::wire::Event;
use tauri::ipc::Channel;

/// The page that listens. Before it starts, and after it is gone, nobody needs to hear.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<Option<Channel<Event>>>>);

impl Events {
    /// From now on events go to this page.
    pub fn listen(&self, page: Channel<Event>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(page);
    }

    /// Tells the page.
    pub fn tell(&self, event: Event) {
        if let Some(page) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            drop(page.send(event));
        }
    }
}
