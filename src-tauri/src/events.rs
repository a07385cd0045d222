//! Delivers the service's events to the listening page, in order.

use std::sync::{Arc, Mutex, PoisonError};

use promptdeck_service::wire::Event;
use tauri::ipc::Channel;

/// The listening page.
#[derive(Clone)]
pub struct Events(Arc<Mutex<Page>>);

enum Page {
    /// No page listens yet; buffers events, such as a wait for the store.
    Starting(Vec<Event>),
    Listening(Channel<Event>),
}

impl Default for Events {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Page::Starting(Vec::new()))))
    }
}

impl Events {
    /// Makes `page` the receiver of all further events. The first page also receives the buffered
    /// ones.
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
    pub fn emit(&self, event: Event) {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Page::Starting(earlier) => earlier.push(event),
            Page::Listening(page) => drop(page.send(event)),
        }
    }
}
