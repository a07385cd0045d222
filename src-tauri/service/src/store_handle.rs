//! The store of a studio: opened, checked in the background, salvaged when damaged, and the
//! small settings kept in it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use promptdeck_store::{OpenedStore, Store, StoreError, on_waiting};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::studio::{Inner, Listener};
use crate::wire::{ChatModel, ChatSetup, Event, Settings, StoreHealth, StoreStatus, View};
use crate::{ServiceError, clock, path_text};

/// The store, once it is open, and its health.
#[derive(Debug)]
pub(crate) struct StoreHandle {
    path: Option<PathBuf>,
    state: Mutex<State>,
    /// Notified when opening has ended.
    opened: Condvar,
    health: Mutex<StoreHealth>,
    /// True while opening goes on after a timeout: waits are not reported again.
    retrying: Arc<AtomicBool>,
}

#[derive(Debug)]
enum State {
    /// Being opened for the first time; who needs the store waits.
    Opening,
    Open(Arc<Store>),
    Unavailable,
}

/// A message of the store as a sentence of the window.
fn sentence(message: &impl ToString) -> String {
    let message = message.to_string();
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// How an attempt to open the store went.
enum Attempt {
    Ended,
    /// Another program has held it until the timeout.
    Busy,
}

impl StoreHandle {
    /// The store at a path, not open yet; see [`StoreHandle::open_in_background`]. `listener` gets an event
    /// when another program makes this one wait.
    pub(crate) fn new(path: Option<PathBuf>, listener: &Listener) -> Self {
        let retrying = Arc::new(AtomicBool::new(false));
        let (listener, quiet) = (Listener::clone(listener), Arc::clone(&retrying));
        on_waiting(move |message| {
            if !quiet.load(Relaxed) {
                listener(Event::StoreWaiting {
                    message: sentence(&message),
                });
            }
        });
        let health = StoreHealth {
            status: StoreStatus::Checking,
            message: None,
            checked_at: None,
            path: path
                .as_ref()
                .map(|path| path.display().to_string())
                .unwrap_or_default(),
        };
        Self {
            path,
            state: Mutex::new(State::Opening),
            opened: Condvar::new(),
            health: Mutex::new(health),
            retrying,
        }
    }

    /// The store. Waits until opening has ended.
    pub(crate) fn store(&self) -> Result<Arc<Store>, ServiceError> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self
            .opened
            .wait_while(state, |state| matches!(state, State::Opening))
            .unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Open(store) => Ok(Arc::clone(store)),
            _ => Err(ServiceError::NoStore(
                self.health()
                    .message
                    .unwrap_or_else(|| "it is not open".into()),
            )),
        }
    }

    fn set_state(&self, state: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.opened.notify_all();
    }

    pub(crate) fn health(&self) -> StoreHealth {
        self.health
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn set_health(&self, status: StoreStatus, message: Option<String>) -> StoreHealth {
        let mut health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        // A salvage stays reported until the next start.
        if !(health.status == StoreStatus::Salvaged && status == StoreStatus::Healthy) {
            health.status = status;
            health.message = message;
        }
        if status != StoreStatus::Checking {
            health.checked_at = Some(clock::now());
        }
        health.clone()
    }

    /// Opens the store on a thread of its own, so that the window is drawn while another program
    /// holds the store, and then checks the whole of it. Its health is reported after the check and
    /// whenever damage is found later. A store that is still held after the timeout is reported as
    /// unavailable and taken up as soon as it is free.
    pub(crate) fn open_in_background(inner: &Arc<Inner>) -> Result<(), ServiceError> {
        let studio = Arc::downgrade(inner);
        thread::Builder::new()
            .name("store".into())
            .spawn(move || {
                loop {
                    let Some(inner) = studio.upgrade() else {
                        return;
                    };
                    if let Attempt::Ended = inner.store_handle.open(&inner) {
                        break;
                    }
                    let health = inner.store_handle.health();
                    inner.emit(Event::Store { health });
                }
                let Some(inner) = studio.upgrade() else {
                    return;
                };
                let health = inner.store_handle.check();
                inner.emit(Event::Store { health });
            })
            .map_err(ServiceError::Thread)?;
        Ok(())
    }

    fn open(&self, inner: &Arc<Inner>) -> Attempt {
        let Some(path) = &self.path else {
            let fault = ServiceError::NoStore("there is no home folder for it".into());
            self.refuse(&fault);
            self.set_state(State::Unavailable);
            return Attempt::Ended;
        };
        match Store::open(path) {
            Ok(OpenedStore { store, salvage }) => {
                let (status, message) = match &salvage {
                    Some(salvage) => (StoreStatus::Salvaged, Some(sentence(salvage))),
                    None => (StoreStatus::Checking, None),
                };
                self.set_health(status, message);
                let studio = Arc::downgrade(inner);
                store.on_salvage(move |salvage| {
                    if let Some(inner) = studio.upgrade() {
                        let message = Some(sentence(salvage));
                        let health = inner
                            .store_handle
                            .set_health(StoreStatus::Salvaged, message);
                        inner.emit(Event::Store { health });
                    }
                });
                self.set_state(State::Open(Arc::new(store)));
            }
            Err(fault) => {
                self.refuse(&fault);
                if matches!(fault, StoreError::Busy { .. }) {
                    self.retrying.store(true, Relaxed);
                    self.set_state(State::Unavailable);
                    return Attempt::Busy;
                }
                // What was saved before can be read where nothing can be written.
                let readable = Store::open_to_read(path).ok().filter(|_| path.exists());
                self.set_state(match readable {
                    Some(opened) => State::Open(Arc::new(opened.store)),
                    None => State::Unavailable,
                });
            }
        }
        self.retrying.store(false, Relaxed);
        Attempt::Ended
    }

    fn refuse(&self, fault: &impl ToString) {
        let message = format!("Drafts and snapshots are not saved: {}", fault.to_string());
        self.set_health(StoreStatus::Unavailable, Some(message));
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
            Ok(_) => match store.repair() {
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
        let stored = self
            .store()
            .ok()
            .and_then(|store| store.setting(name).ok().flatten());
        stored
            .and_then(|text| serde_json::from_str(&text).ok())
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
