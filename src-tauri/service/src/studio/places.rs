//! The folders and registries that the author opened, remembered between starts, and opening
//! another folder.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use promptdeck_store::StoreError;
use promptdeck_store::watch::Watch;
use serde::{Deserialize, Serialize};

use crate::calls::folder::{NewName, document_of};
use crate::checks::is_checks;
use crate::open_documents::{FileDocument as _, lock};
use crate::panics::READING_CHANGES;
use crate::saturating::saturating_u32;
use crate::session::Session;
use crate::studio::{Inner, Studio};
use crate::wire::{FolderEntry, Places, RecentFile, StartupState};
use crate::workspace::{is_registry_path, relative, unread_entry};
use crate::{ServiceError, path_text, tree};

/// How many folders are remembered.
const MOST_FOLDERS: usize = 12;

/// How many registries are remembered.
const MOST_FILES: usize = 8;

/// What is remembered, latest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Recent {
    folders: Vec<KnownFolder>,
    files: Vec<KnownFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KnownFolder {
    path: String,
    registries: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KnownFile {
    folder: String,
    file: String,
    title: String,
}

impl Recent {
    fn opened(&mut self, path: &str, registries: Option<u32>) {
        let known = self.folders.iter().position(|known| known.path == path);
        let before = known.map(|at| self.folders.remove(at));
        let registries = registries.or(before.map(|known| known.registries));
        let folder = KnownFolder {
            path: path.to_owned(),
            registries: registries.unwrap_or(0),
        };
        self.folders.insert(0, folder);
        self.folders.truncate(MOST_FOLDERS);
    }

    fn worked_on(&mut self, file: KnownFile) {
        let same = |known: &KnownFile| (&known.folder, &known.file) == (&file.folder, &file.file);
        self.files.retain(|known| !same(known));
        self.files.insert(0, file);
        self.files.truncate(MOST_FILES);
    }
}

/// What is remembered, as it was last read from the store. It lasts as long as the window if the
/// store cannot be used.
#[derive(Debug, Default)]
pub(crate) struct RecentPlaces(Mutex<Option<Recent>>);

/// The title of an open registry, if it has one.
fn title_of(session: &Session) -> Option<String> {
    let title = tree::registry(session.copy().tree()).get("title");
    let title = title.and_then(serde_json::Value::as_str);
    title.filter(|title| !title.is_empty()).map(str::to_owned)
}

impl Inner {
    /// Reads what is remembered, or changes it; it is stored if it changed. A failure to store costs
    /// the author a line of a list.
    fn recent<T>(&self, work: impl FnOnce(&mut Recent) -> T) -> T {
        let mut places = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = places.get_or_insert_default();
        // Another window may have added to it.
        if let Some(stored) = self.store_handle.recent() {
            *recent = stored;
        }
        let before = recent.clone();
        let done = work(recent);
        if *recent != before {
            let _ = self.store_handle.save_recent(recent);
        }
        done
    }

    /// Takes note of a registry that was opened.
    pub(crate) fn remember(&self, session: &Mutex<Session>) {
        let (file, title) = {
            let session = lock(session);
            (session.copy().document().to_owned(), title_of(&session))
        };
        *lock(&self.named_file) = None;
        let folder = path_text::encode(&self.folder.path());
        self.store_handle.remember_open(&self.folder.path(), &file);
        self.recent(|recent| {
            recent.opened(&folder, None);
            recent.worked_on(KnownFile {
                folder,
                title: title.unwrap_or_else(|| unread_entry(&file).title),
                file,
            });
        });
    }

    /// The path of the registry of a folder that was opened last in this window, while it is open.
    fn last_worked_on(&self, folder: &Path) -> Option<PathBuf> {
        let encoded = path_text::encode(folder);
        let files = self.recent(|recent| recent.files.clone());
        let mut files = files.into_iter().filter(|known| known.folder == encoded);
        let last = files.find(|known| self.sessions.get(&known.file).is_ok())?;
        Some(folder.join(last.file))
    }

    /// Takes note that registries have other names.
    pub(crate) fn remember_names(&self, new_name: &NewName<'_>) {
        let path = self.folder.path();
        let folder = path_text::encode(&path);
        self.recent(|recent| {
            for known in &mut recent.files {
                if known.folder == folder
                    && let Some(to) = new_name(&known.file)
                {
                    known.file = to;
                }
            }
        });
        let last = self.store_handle.last_open(&path);
        if let Some(to) = last.and_then(|last| new_name(&last)) {
            self.store_handle.remember_open(&path, &to);
        }
        let new_in = self.store_handle.new_in(&path);
        if let Some(to) = new_in.and_then(|folder| new_name(&folder)) {
            self.store_handle.remember_new_in(&path, &to);
        }
    }

    /// The title of a registry as it is in the window, which the file may not have yet; none while it is
    /// in use, since a list must not wait for a lock.
    pub(crate) fn title_now(&self, file: &str) -> Option<String> {
        let session = self.sessions.get(file).ok()?;
        let session = session.try_lock().ok()?;
        title_of(&session)
    }

    /// Records how many registries the open folder has, and updates the titles in *Recent*: a rename, a
    /// save or another program may have changed them.
    pub(crate) fn remember_list(&self, registries: usize) {
        let folder = path_text::encode(&self.folder.path());
        let count = saturating_u32(registries);
        self.recent(|recent| {
            recent.opened(&folder, Some(count));
            for known in &mut recent.files {
                if known.folder == folder
                    && let Some(title) = self
                        .title_now(&known.file)
                        .or_else(|| self.folder.read_title(&known.file))
                {
                    known.title = title;
                }
            }
        });
    }

    /// Starts to watch the open folder.
    pub(crate) fn watch_folder(self: &Arc<Self>) -> Option<Watch> {
        let watcher = Arc::downgrade(self);
        let look = move || {
            if let Some(inner) = watcher.upgrade() {
                inner.catch(READING_CHANGES, || inner.look_at_registries());
            }
        };
        Watch::folder(&self.folder.path(), look).ok()
    }
}

impl Studio {
    /// The folders and registries the author has worked on.
    #[must_use]
    pub fn places(&self) -> Places {
        let current = path_text::encode(&self.inner.folder.path());
        let recent = self.inner.recent(|recent| {
            recent.opened(&current, None);
            recent.clone()
        });
        let drafts = self.modified_files();
        let mut of_calls = HashMap::new();
        Places {
            folders: recent
                .folders
                .into_iter()
                .map(|known| {
                    let path = path_text::decode(&known.path);
                    FolderEntry {
                        name: name_of(&path),
                        found: path.is_dir(),
                        current: known.path == current,
                        registries: known.registries,
                        path: known.path,
                    }
                })
                .collect(),
            recent: recent
                .files
                .into_iter()
                .map(|known| {
                    let folder = path_text::decode(&known.folder);
                    let of_calls = of_calls
                        .entry(known.folder.clone())
                        .or_insert_with(|| self.registries_of_modified_calls(&drafts, &folder));
                    RecentFile {
                        found: folder.join(&known.file).is_file(),
                        modified: of_calls.contains(&known.file)
                            || self.is_modified(&drafts, &folder, &known.file),
                        folder: known.folder,
                        file: known.file,
                        title: known.title,
                    }
                })
                .collect(),
        }
    }

    /// Takes note of a folder that the author chose, and gives the path by which it is opened.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn choose_folder(&self, folder: &Path) -> Result<String, ServiceError> {
        let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        readable(&whole)?;
        let path = path_text::encode(&whole);
        self.inner.recent(|recent| {
            // The open one stays in front until the other is opened.
            let at = usize::from(!recent.folders.is_empty());
            if !recent.folders.iter().any(|known| known.path == path) {
                let known = KnownFolder {
                    path: path.clone(),
                    registries: 0,
                };
                recent.folders.insert(at, known);
                recent.folders.truncate(MOST_FOLDERS);
            }
        });
        Ok(path)
    }

    /// Leaves the open folder and opens another that was chosen or open before, with this registry,
    /// else the one that is open if the other folder holds it too, else the one open there last.
    /// Unsaved edits and steps to undo are there again when a folder that holds the file is opened.
    ///
    /// # Errors
    /// If the folder was not opened before or cannot be read; the open one stays.
    pub fn open_folder(
        &self,
        folder: &str,
        file: Option<&str>,
    ) -> Result<StartupState, ServiceError> {
        let from = self.inner.folder.path();
        let to = path_text::decode(folder);
        let known = self.inner.recent(|recent| {
            recent.folders.iter().any(|known| known.path == folder)
                || recent.files.iter().any(|known| known.folder == folder)
        });
        if !known && to != from {
            return Err(ServiceError::UnknownFolder(to.display().to_string()));
        }
        readable(&to)?;
        *lock(&self.inner.named_file) = None;
        if to != from {
            for (document, _) in self.inner.sessions.all() {
                self.inner.requests.forget(&document);
            }
            let stays = self.inner.last_worked_on(&from);
            let stays = stays.and_then(|path| registry_in(&to, &path));
            let of_checks = |path: &Path| relative(&to, path).filter(|name| is_checks(name));
            let of_calls = |path: &Path| document_of(&to, path);
            self.inner
                .sessions
                .change_folder(&|path| registry_in(&to, path));
            self.inner.calls.change_folder(&of_calls);
            self.inner.checks.change_folder(&of_checks);
            if let Some(stays) = &stays {
                self.inner.store_handle.remember_open(&to, stays);
                // Also where the store cannot be used.
                *lock(&self.inner.named_file) = Some(stays.clone());
            }
            self.inner.folder.go_to(to.clone());
            *lock_watch(&self.watch) = self.inner.watch_folder();
            *lock_watch(&self.watch_calls) = None;
            self.inner.recent(|recent| recent.opened(folder, None));
        }
        if let Some(file) = file {
            self.inner.folder.file(file)?;
            *lock(&self.inner.named_file) = None;
            self.inner.store_handle.remember_open(&to, file);
        }
        Ok(self.begin())
    }

    /// Takes a folder off the list, and the registries in it. The folder itself is left alone.
    pub fn forget_folder(&self, folder: &str) {
        self.inner.recent(|recent| {
            recent.folders.retain(|known| known.path != folder);
            recent.files.retain(|known| known.folder != folder);
        });
    }
}

/// Last step of a path; the path itself if it has none.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The name of a registry in a folder that would list it.
fn registry_in(folder: &Path, path: &Path) -> Option<String> {
    relative(folder, path).filter(|name| is_registry_path(name))
}

fn readable(folder: &Path) -> Result<(), ServiceError> {
    let read = fs::read_dir(folder).map(drop);
    read.map_err(|source| {
        ServiceError::Store(StoreError::File {
            action: "read the folder",
            path: PathBuf::from(folder),
            source,
        })
    })
}

pub(crate) fn lock_watch(watch: &Mutex<Option<Watch>>) -> std::sync::MutexGuard<'_, Option<Watch>> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}
