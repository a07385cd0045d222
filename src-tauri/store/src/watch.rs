//! Reports changes in folders, each burst of changes once.
//!
//! The report does not say which program made the change; callers compare content hashes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::StoreError;

/// A burst ends after this long without a change.
const QUIET: Duration = Duration::from_millis(60);

/// A longer burst is reported at this interval.
const LONGEST_BURST: Duration = Duration::from_millis(500);

/// Watches a folder until dropped.
#[derive(Debug)]
pub struct Watch {
    // Dropping the watcher closes the channel, which ends the thread.
    watcher: RecommendedWatcher,
    /// Further folders that are watched.
    further: BTreeSet<PathBuf>,
}

impl Watch {
    /// Watches the files directly in a folder and calls `on_change` on a separate thread.
    ///
    /// # Errors
    /// [`StoreError::Watch`] if the system cannot watch the folder.
    pub fn folder(
        folder: &Path,
        on_change: impl Fn() + Send + 'static,
    ) -> Result<Self, StoreError> {
        let fail = |source| StoreError::Watch {
            path: PathBuf::from(folder),
            source,
        };
        let (sender, receiver) = mpsc::channel();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                // A watcher error can hide a change, so it counts as one.
                if event.map_or(true, |event| !event.kind.is_access()) {
                    let _ = sender.send(());
                }
            })
            .map_err(fail)?;
        watcher
            .watch(folder, RecursiveMode::NonRecursive)
            .map_err(fail)?;
        thread::Builder::new()
            .name("watch".into())
            .spawn(move || {
                while receiver.recv().is_ok() {
                    let begun = std::time::Instant::now();
                    while begun.elapsed() < LONGEST_BURST {
                        match receiver.recv_timeout(QUIET) {
                            Ok(()) => {}
                            Err(RecvTimeoutError::Timeout) => break,
                            Err(RecvTimeoutError::Disconnected) => return,
                        }
                    }
                    on_change();
                }
            })
            .map_err(|fault| StoreError::file("watch", folder, fault))?;
        Ok(Self {
            watcher,
            further: BTreeSet::new(),
        })
    }

    /// Watches these folders too, and no longer those of the call before. One that cannot be
    /// watched is left out: a folder may go while it is listed.
    pub fn also(&mut self, folders: BTreeSet<PathBuf>) {
        for gone in self.further.difference(&folders) {
            let _ = self.watcher.unwatch(gone);
        }
        // A folder that was deleted and made again is another one, so each is watched anew.
        for folder in &folders {
            let _ = self.watcher.watch(folder, RecursiveMode::NonRecursive);
        }
        self.further = folders;
    }
}
