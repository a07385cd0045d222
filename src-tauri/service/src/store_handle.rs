//! The store of a studio: opened and checked in the background, salvaged when damaged. Also the
//! small settings stored in it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use promptdeck_store::{OpenedStore, Store, StoreError, on_waiting};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::studio::file_move::FileMove;
use crate::studio::folder_move::FolderMove;
use crate::studio::noted_move::NotedMove as _;
use crate::studio::places::Recent;
use crate::studio::{Inner, Listener};
use crate::wire::{
    ChatModel, ChatSetup, ChatSlot, DamagedDraft, Event, Settings, StoreHealth, StoreStatus, View,
};
use crate::{ServiceError, clock, panics, path_text};

/// The store, once open, and its health.
#[derive(Debug)]
pub(crate) struct StoreHandle {
    path: Option<PathBuf>,
    state: Mutex<State>,
    /// Notified when opening has ended.
    opened: Condvar,
    health: Mutex<StoreHealth>,
    /// Why writes fail, while they do; reported in place of the result of the check.
    write_fault: Mutex<Option<(StoreStatus, String)>>,
    /// Set while opening is retried after a timeout: further waits are not reported.
    retrying: Arc<AtomicBool>,
}

#[derive(Debug)]
enum State {
    /// The first attempt to open it; callers wait.
    Opening,
    Open(Arc<Store>),
    Unavailable,
}

/// Formats a message of the store as a sentence.
fn sentence(message: &impl ToString) -> String {
    let message = message.to_string();
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// What names of the unsaved text of a damaged file begin with.
const DAMAGED: &str = "damaged";

/// Name of the setting with the view of a file.
pub(crate) fn view_setting(file: &str) -> String {
    format!("view {file}")
}

/// Names of the settings of one file, each with its name for another file.
pub(crate) fn file_settings(from: &str, to: &str) -> Vec<(String, String)> {
    file_setting_kinds()
        .into_iter()
        .map(|kind| (format!("{kind} {from}"), format!("{kind} {to}")))
        .collect()
}

/// What names of the settings of a file have before the file, and a space.
pub(crate) fn file_setting_kinds() -> Vec<String> {
    let slots = ChatSlot::ALL.map(|slot| format!("chat {}", slot.name()));
    let kinds = ["view", "chat", DAMAGED].map(str::to_owned);
    kinds.into_iter().chain(slots).collect()
}

/// The unsaved text of a damaged file, as one window keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct OwnedDraft {
    /// A number that no other process has.
    owner: i64,
    draft: DamagedDraft,
}

/// Result of an attempt to open the store.
enum Attempt {
    Ended,
    /// Another program held it until the timeout.
    Busy,
}

impl StoreHandle {
    /// The store at a path, to be opened by [`StoreHandle::open_in_background`]. `listener`
    /// receives an event when the lock of another program causes a wait.
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
            write_fault: Mutex::default(),
            retrying,
        }
    }

    /// Waits until opening has ended and returns the store.
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
        let health = self.health.lock().unwrap_or_else(PoisonError::into_inner);
        let mut health = health.clone();
        let fault = self.write_fault.lock();
        if let Some((status, message)) = &*fault.unwrap_or_else(PoisonError::into_inner) {
            health.status = *status;
            health.message = Some(message.clone());
        }
        health
    }

    /// Takes note that a write failed, or that one succeeded again, and returns the health.
    fn set_write_fault(&self, fault: Option<&StoreError>) -> StoreHealth {
        let fault = fault.map(|fault| {
            let status = match fault {
                StoreError::Full { .. } => StoreStatus::Full,
                _ => StoreStatus::NotWritable,
            };
            let message = format!("Drafts and snapshots are not saved: {fault}");
            (status, message)
        });
        let current = self.write_fault.lock();
        *current.unwrap_or_else(PoisonError::into_inner) = fault;
        self.health()
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
        drop(health);
        self.health()
    }

    /// Opens the store on a separate thread, so that the window is drawn while another program
    /// holds the lock, and then checks all of it. Reports its health after the check and whenever
    /// damage is found later. If the lock is not free after the timeout, reports the store as
    /// unavailable and opens it as soon as the lock is free.
    pub(crate) fn open_in_background(inner: &Arc<Inner>) -> Result<(), ServiceError> {
        let studio = Arc::downgrade(inner);
        thread::Builder::new()
            .name("store".into())
            .spawn(move || {
                loop {
                    let Some(inner) = studio.upgrade() else {
                        return;
                    };
                    let store_handle = &inner.store_handle;
                    let attempt = panics::catch("opening the store", || store_handle.open(&inner));
                    if let Attempt::Ended =
                        attempt.unwrap_or_else(|fault| store_handle.give_up(&fault))
                    {
                        break;
                    }
                    let health = inner.store_handle.health();
                    inner.emit(Event::Store { health });
                }
                let Some(inner) = studio.upgrade() else {
                    return;
                };
                let store_handle = &inner.store_handle;
                let health = panics::catch("checking the store", || store_handle.check());
                let health = health.unwrap_or_else(|fault| store_handle.unchecked(&fault));
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
                let studio = Arc::downgrade(inner);
                store.on_write_fault(move |fault| {
                    if let Some(inner) = studio.upgrade() {
                        let health = inner.store_handle.set_write_fault(fault);
                        inner.emit(Event::Store { health });
                    }
                });
                // A call that waits for the store must not meet a file that is half renamed.
                if let Err(fault) = FileMove::finish(&store).and(FolderMove::finish(&store)) {
                    inner.emit(Event::StoreWaiting {
                        message: sentence(&fault),
                    });
                }
                self.set_state(State::Open(Arc::new(store)));
            }
            Err(fault) => {
                self.refuse(&fault);
                if matches!(fault, StoreError::Busy { .. }) {
                    self.retrying.store(true, Relaxed);
                    self.set_state(State::Unavailable);
                    return Attempt::Busy;
                }
                // Earlier data is readable even if the store cannot be written.
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

    /// Ends an attempt that panicked: callers wait no longer.
    fn give_up(&self, fault: &ServiceError) -> Attempt {
        self.refuse(fault);
        self.set_state(State::Unavailable);
        self.retrying.store(false, Relaxed);
        Attempt::Ended
    }

    fn unchecked(&self, fault: &impl ToString) -> StoreHealth {
        let message = format!("The store could not be checked: {}", fault.to_string());
        self.set_health(StoreStatus::Unavailable, Some(message))
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
                // Purging can wait for another start if another process is busy.
                let _ = store.forget_deleted(clock::now_signed());
                self.set_health(StoreStatus::Healthy, None)
            }
            Ok(_) => match store.repair() {
                Ok(Some(salvage)) => {
                    self.set_health(StoreStatus::Salvaged, Some(sentence(&salvage)))
                }
                // Another program has repaired it.
                Ok(None) => self.set_health(StoreStatus::Healthy, None),
                // The store stays open, so that its readable part can be read.
                Err(fault) => self.set_health(
                    StoreStatus::Unavailable,
                    Some(format!(
                        "The store is damaged and could not be repaired: {fault}"
                    )),
                ),
            },
            Err(fault) => self.unchecked(&fault),
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
        self.read(&view_setting(file))
    }

    pub(crate) fn save_view(&self, file: &str, view: &View) -> Result<(), ServiceError> {
        self.write(&view_setting(file), view)
    }

    /// The unsaved text of a damaged file: that of this window, else the last one of another, which may
    /// have ended.
    pub(crate) fn damaged_draft(&self, file: &str, owner: i64) -> Option<DamagedDraft> {
        let drafts: Vec<OwnedDraft> = self.read(&format!("{DAMAGED} {file}"));
        let owned_draft = drafts.iter().position(|draft| draft.owner == owner);
        let at = owned_draft.or(drafts.len().checked_sub(1))?;
        drafts.into_iter().nth(at).map(|draft| draft.draft)
    }

    /// Takes note of this window's text of a damaged file, written from this version of it; none if it is
    /// what the file holds. Another window's text stays, unless it is the same.
    pub(crate) fn save_damaged_draft(
        &self,
        file: &str,
        owner: i64,
        text: &str,
        version: Option<String>,
    ) -> Result<(), ServiceError> {
        let draft = version.map(|version| DamagedDraft {
            text: text.to_owned(),
            version,
        });
        let name = format!("{DAMAGED} {file}");
        Ok(self.store()?.change_setting(&name, |before| {
            let drafts = before.and_then(|text| serde_json::from_str(text).ok());
            let mut drafts: Vec<OwnedDraft> = drafts.unwrap_or_default();
            drafts.retain(|other| other.owner != owner && other.draft.text != text);
            drafts.extend(draft.clone().map(|draft| OwnedDraft { owner, draft }));
            if drafts.is_empty() {
                return None;
            }
            serde_json::to_string(&drafts).ok()
        })?)
    }

    /// The damaged files with unsaved text; none while the store cannot be read.
    pub(crate) fn damaged_drafts(&self) -> Vec<String> {
        let prefix = format!("{DAMAGED} ");
        let store = self.store();
        let names = store.and_then(|store| Ok(store.setting_names(&prefix)?));
        let names = names.unwrap_or_default().into_iter();
        names
            .filter_map(|name| name.strip_prefix(&prefix).map(str::to_owned))
            .collect()
    }

    pub(crate) fn chat(&self, file: &str) -> ChatSetup {
        self.read(&format!("chat {file}"))
    }

    pub(crate) fn save_chat(&self, file: &str, setup: &ChatSetup) -> Result<(), ServiceError> {
        self.write(&format!("chat {file}"), setup)
    }

    /// The model chosen for a slot of the chat.
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

    /// Stores the file opened last, for the next start. A failure costs the user one click.
    pub(crate) fn remember_open(&self, folder: &Path, file: &str) {
        let _ = self.write(&format!("last open {}", path_text::encode(folder)), &file);
    }

    /// Stores the sub-folder of the last new registry. A failure costs the author a choice.
    pub(crate) fn remember_new_in(&self, folder: &Path, sub_folder: &str) {
        let _ = self.write(
            &format!("new in {}", path_text::encode(folder)),
            &sub_folder,
        );
    }

    pub(crate) fn new_in(&self, folder: &Path) -> Option<String> {
        self.read(&format!("new in {}", path_text::encode(folder)))
    }

    pub(crate) fn recent(&self) -> Option<Recent> {
        self.read("recent")
    }

    pub(crate) fn save_recent(&self, recent: &Recent) -> Result<(), ServiceError> {
        self.write("recent", recent)
    }

    pub(crate) fn last_open(&self, folder: &Path) -> Option<String> {
        self.read(&format!("last open {}", path_text::encode(folder)))
    }
}
