//! Where the service's events go: to the page that listens, in the order they happened.

use std::sync::{Arc, Mutex, PoisonError};

use promptdeck_service::wire::Event;
use tauri::ipc::Channel;

/// The page that listens.
#[derive(Clone)]
pub struct Events(Arc<Mutex<Page>>);

enum Page {
    /// Not started yet; what happens meanwhile, such as a wait for the store, is for it.
    Starting(Vec<Event>),
    Listening(Channel<Event>),
}

impl Default for Events {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Page::Starting(Vec::new()))))
    }
}

impl Events {
    /// From now on events go to this page. The first one gets what happened before, too.
    pub fn listen(&self, page: Channel<Event>) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Page::Starting(earlier) = &mut *current {
            for event in earlier.drain(..) {
                drop(page.send(event));
            }
        }
        *current = Page::Listening(page);
    }

    /// Sends an event to the page.
    pub fn tell(&self, event: Event) {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Page::Starting(earlier) => earlier.push(event),
            Page::Listening(page) => drop(page.send(event)),
        }
    }
}
