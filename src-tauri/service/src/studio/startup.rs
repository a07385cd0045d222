//! Startup: the list of registries in the folder, and the first document.

use std::collections::HashSet;
use std::path::Path;

use promptdeck_checks::checks_name;

use crate::ServiceError;
use crate::list_reader;
use crate::open_documents::lock;
use crate::snapshots;
use crate::studio::Studio;
use crate::studio::places::{lock_watch, name_of};
use crate::wire::{Failure, First, Settings, StartupState, Workspace};
use crate::workspace::call_folders;

/// The sample with the most features, which is opened first in a new folder.
const WELCOME: &str = "trivia_host.json";

impl Studio {
    /// The folder, its registries, the settings, and the file to open first.
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        let inner = &self.inner;
        let folder = inner.folder.path();
        let (mut registries, mut problem) = (Vec::new(), None);
        let (mut folders, mut cut) = (Vec::new(), false);
        match inner.folder.list() {
            Ok(listing) => {
                registries = listing.entries;
                inner.remember_list(registries.len());
                folders = listing.folders;
                cut = listing.cut;
                if let Some(watch) = lock_watch(&self.watch).as_mut() {
                    let calls = call_folders(&folder).into_iter().skip(1);
                    let watched = folders.iter().cloned().chain(calls);
                    watch.also(watched.map(|name| folder.join(name)).collect());
                }
                if listing.unread {
                    problem = list_reader::start(inner).err().map(Failure::from);
                }
            }
            Err(fault) => problem = Some(fault.into()),
        }
        let drafts = self.modified_files();
        let of_calls = self.registries_of_modified_calls(&drafts, &folder);
        for entry in &mut registries {
            if let Some(title) = inner.title_now(&entry.file) {
                entry.title = title;
            }
            entry.modified =
                of_calls.contains(&entry.file) || self.is_modified(&drafts, &folder, &entry.file);
        }
        registries.extend(self.missing_registries(&folder, &drafts, &registries));
        let last = inner.store_handle.last_open(&folder);
        let found = registries
            .iter()
            .find(|entry| Some(&entry.file) == last.as_ref())
            .or_else(|| {
                let mut welcoming = registries.iter().filter(|entry| entry.file == WELCOME);
                welcoming.find(|entry| inner.folder.is_readable(&entry.file))
            })
            .or_else(|| {
                let mut all = registries.iter();
                all.find(|entry| inner.folder.is_readable(&entry.file))
            })
            .or_else(|| registries.iter().find(|entry| entry.problem.is_none()))
            .map(|entry| entry.file.clone());
        // The file that was asked for is opened or reported, whether the list has it or not.
        let named = lock(&inner.named_file).clone();
        let first = named.or(found);
        Workspace {
            folder: folder.display().to_string(),
            name: name_of(&folder),
            registries,
            folders,
            cut,
            first,
            settings: inner.store_handle.settings(),
            store: inner.store_handle.health(),
            problem,
        }
    }

    /// The files whose drafts have unsaved edits, damaged ones included, by key; none while the store
    /// cannot be read.
    pub(super) fn modified_files(&self) -> HashSet<String> {
        let store_handle = &self.inner.store_handle;
        let store = store_handle.store();
        let files = store.and_then(|store| Ok(store.modified_files()?));
        let files = files.unwrap_or_default().into_iter();
        files.chain(store_handle.damaged_drafts()).collect()
    }

    /// Whether a registry of a folder or its checks have unsaved edits: as they are in the window, else
    /// by their drafts.
    pub(super) fn is_modified(&self, drafts: &HashSet<String>, folder: &Path, file: &str) -> bool {
        let is_here = folder == self.inner.folder.path();
        // A document in use is listed by its draft, since a list must not wait for a lock.
        let is_modified = |name: &str, now: Option<bool>| {
            now.filter(|_| is_here).unwrap_or_else(|| {
                !drafts.is_empty() && drafts.contains(&snapshots::key(&folder.join(name)))
            })
        };
        is_modified(file, self.inner.sessions.modified(file))
            || checks_name(file)
                .is_some_and(|name| is_modified(&name, self.inner.checks.modified(&name)))
    }

    /// The page has drawn the window: analyses what is open, which would have delayed that. Returns
    /// the settings.
    pub fn started(&self) -> Settings {
        for (document, _) in self.inner.sessions.all() {
            self.analysis.touch(&document);
        }
        self.inner.store_handle.settings()
    }

    /// The window's initial state: the folder, and its first registry opened.
    #[must_use]
    pub fn begin(&self) -> StartupState {
        let state = self.begin_ahead();
        if let Some(first) = &state.first {
            self.analysis.touch(&first.opened.document);
        }
        state
    }

    /// The same before the window is drawn: nothing is analysed until [`Studio::started`], as it would
    /// take the time of the processes that draw.
    #[must_use]
    pub fn begin_ahead(&self) -> StartupState {
        let workspace = self.workspace();
        let named = lock(&self.inner.named_file).clone();
        let open = |file: &String| -> Result<First, ServiceError> {
            if named.as_ref() == Some(file) && self.inner.folder.is_other_kind(file) {
                return Err(ServiceError::OtherKind(file.clone()));
            }
            Ok(First {
                opened: self.open_unanalysed(file)?,
                view: self.view(file)?,
            })
        };
        let (first, failure) = match workspace.first.as_ref().map(open).transpose() {
            Ok(first) => (first, None),
            Err(fault) => (None, Some(fault.into())),
        };
        StartupState {
            workspace,
            first,
            failure,
        }
    }
}
