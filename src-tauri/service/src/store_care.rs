//! The store of a studio: opened, checked in the background, salvaged when damaged, and the
//! small settings kept in it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use promptdeck_store::{Opened, Store, on_waiting};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::studio::{Inner, Listener};
use crate::wire::{ChatModel, ChatSetup, Event, Settings, StoreHealth, StoreStatus, View};
use crate::{ServiceError, clock, path_text};

/// The store, if it can be used, and how it is.
#[derive(Debug)]
pub(crate) struct Care {
    store: Option<Arc<Store>>,
    health: Mutex<StoreHealth>,
}

/// A message of the store as a sentence of the window.
fn sentence(message: &impl ToString) -> String {
    let message = message.to_string();
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

impl Care {
    /// Opens the store. `listener` gets an event when another program makes this one wait.
    pub(crate) fn open(path: Option<PathBuf>, listener: &Listener) -> Self {
        let listener = Listener::clone(listener);
        on_waiting(move |message| {
            listener(Event::StoreWaiting {
                message: sentence(&message),
            });
        });
        let mut health = StoreHealth {
            status: StoreStatus::Checking,
            message: None,
            checked_at: None,
            path: path
                .as_ref()
                .map(|path| path.display().to_string())
                .unwrap_or_default(),
        };
        let opened = path
            .ok_or_else(|| ServiceError::NoStore("there is no home folder for it".into()))
            .and_then(|path| Ok(Store::open(&path)?));
        let store = match opened {
            Ok(Opened { store, salvage }) => {
                if let Some(salvage) = &salvage {
                    health.status = StoreStatus::Salvaged;
                    health.message = Some(sentence(salvage));
                }
                Some(Arc::new(store))
            }
            Err(fault) => {
                health.status = StoreStatus::Unavailable;
                health.message = Some(format!("Drafts and snapshots are not saved: {fault}"));
                // What was kept before can be read where nothing can be written.
                let path = Path::new(&health.path);
                let readable = Store::open_to_read(path).ok().filter(|_| path.exists());
                readable.map(|opened| Arc::new(opened.store))
            }
        };
        Self {
            store,
            health: Mutex::new(health),
        }
    }

    pub(crate) fn store(&self) -> Result<Arc<Store>, ServiceError> {
        self.store.clone().ok_or_else(|| {
            ServiceError::NoStore(
                self.health()
                    .message
                    .unwrap_or_else(|| "it is not open".into()),
            )
        })
    }

    pub(crate) fn health(&self) -> StoreHealth {
        self.health
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set_health(&self, status: StoreStatus, message: Option<String>) -> StoreHealth {
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        // What was salvaged stays told until the next start.
        if !(health.status == StoreStatus::Salvaged && status == StoreStatus::Healthy) {
            health.status = status;
            health.message = message;
        }
        health.checked_at = Some(clock::now());
        health.clone()
    }

    /// Checks the whole store on a thread of its own and reports its health, then and whenever damage
    /// is found later.
    pub(crate) fn check_in_background(inner: &Arc<Inner>) -> Result<(), ServiceError> {
        if let Ok(store) = inner.care.store() {
            let studio = Arc::downgrade(inner);
            store.on_salvage(move |salvage| {
                if let Some(inner) = studio.upgrade() {
                    let message = Some(sentence(salvage));
                    let health = inner.care.set_health(StoreStatus::Salvaged, message);
                    inner.tell(Event::Store { health });
                }
            });
        }
        let inner = Arc::clone(inner);
        thread::Builder::new()
            .name("store check".into())
            .spawn(move || {
                let health = inner.care.check();
                inner.tell(Event::Store { health });
            })
            .map_err(ServiceError::Thread)?;
        Ok(())
    }

    fn check(&self) -> StoreHealth {
        let Ok(store) = self.store() else {
            return self.health();
        };
        if store.is_read_only() {
            return self.health();
        }
        match store.problems() {
            Ok(problems) if problems.is_empty() => {
                // Housekeeping can wait for another start when another process is busy.
                let _ = store.forget_deleted(clock::now_signed());
                self.set_health(StoreStatus::Healthy, None)
            }
            Ok(_) => match store.mend() {
                Ok(Some(salvage)) => {
                    self.set_health(StoreStatus::Salvaged, Some(sentence(&salvage)))
                }
                // Another program was here first.
                Ok(None) => self.set_health(StoreStatus::Healthy, None),
                // It stays open: what can be read of it is read.
                Err(fault) => self.set_health(
                    StoreStatus::Unavailable,
                    Some(format!(
                        "The store is damaged and could not be repaired: {fault}"
                    )),
                ),
            },
            Err(fault) => self.set_health(
                StoreStatus::Unavailable,
                Some(format!("The store could not be checked: {fault}")),
            ),
        }
    }

    fn read<T: DeserializeOwned + Default>(&self, name: &str) -> T {
        let kept = self
            .store()
            .ok()
            .and_then(|store| store.setting(name).ok().flatten());
        kept.and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<(), ServiceError> {
        Ok(self
            .store()?
            .set_setting(name, &serde_json::to_string(value)?)?)
    }

    pub(crate) fn settings(&self) -> Settings {
        self.read("window")
    }

    pub(crate) fn save_settings(&self, settings: &Settings) -> Result<(), ServiceError> {
        self.write("window", settings)
    }

    pub(crate) fn view(&self, file: &str) -> View {
        self.read(&format!("view {file}"))
    }

    pub(crate) fn save_view(&self, file: &str, view: &View) -> Result<(), ServiceError> {
        self.write(&format!("view {file}"), view)
    }

    pub(crate) fn chat(&self, file: &str) -> ChatSetup {
        self.read(&format!("chat {file}"))
    }

    pub(crate) fn save_chat(&self, file: &str, setup: &ChatSetup) -> Result<(), ServiceError> {
        self.write(&format!("chat {file}"), setup)
    }

    /// What the file or folder chosen for a slot of the chat brings.
    pub(crate) fn chat_model(&self, file: &str, slot: &str) -> Option<ChatModel> {
        self.read(&format!("chat {slot} {file}"))
    }

    pub(crate) fn save_chat_model(
        &self,
        file: &str,
        slot: &str,
        model: &ChatModel,
    ) -> Result<(), ServiceError> {
        self.write(&format!("chat {slot} {file}"), &Some(model))
    }

    pub(crate) fn remember_seed_lock(&self, file: &str, locked: bool) -> Result<(), ServiceError> {
        let mut view = self.view(file);
        view.seed_locked = locked;
        self.save_view(file, &view)
    }

    /// The file opened last, for the next start. Forgetting it costs a click.
    pub(crate) fn remember_open(&self, folder: &Path, file: &str) {
        let _ = self.write(&format!("last open {}", path_text::encode(folder)), &file);
    }

    pub(crate) fn last_open(&self, folder: &Path) -> Option<String> {
        self.read(&format!("last open {}", path_text::encode(folder)))
    }
}
