//! Reports changes in folders, each burst of changes once.
//!
//! The report does not say which program made the change; callers compare content hashes.

use std::collections::BTreeSet;
use std::path::{self, Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::StoreError;

/// A burst ends after this long without a change.
const QUIET: Duration = Duration::from_millis(60);

/// A longer burst is reported at this interval.
const LONGEST_BURST: Duration = Duration::from_millis(500);

/// Watches a folder until dropped. A folder that takes its place is watched as well: another folder may
/// have its path after it was moved away, and it may come back.
#[derive(Debug)]
pub struct Watch {
    // Dropping the watcher closes the channel, which ends the thread.
    watcher: Arc<Mutex<RecommendedWatcher>>,
    /// Further folders that are watched.
    further: BTreeSet<PathBuf>,
}

/// An event of a watched folder.
enum Heard {
    /// Something in it has changed.
    Change,
    /// It is gone, or another one is in its place.
    Replacement,
}

impl Heard {
    /// What an event says of the folder; none of one beside it.
    fn of(event: notify::Result<notify::Event>, folder: &Path) -> Option<Self> {
        // A watcher error can hide a change, so it counts as one.
        let Ok(event) = event else {
            return Some(Self::Change);
        };
        let is_beside = |path: &PathBuf| {
            path.parent() == folder.parent() && path.file_name() != folder.file_name()
        };
        if event.kind.is_access() || (!event.paths.is_empty() && event.paths.iter().all(is_beside))
        {
            return None;
        }
        Some(if event.paths.iter().any(|path| path == folder) {
            Self::Replacement
        } else {
            Self::Change
        })
    }
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
        let folder = path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let (sender, receiver) = mpsc::channel();
        let watched = folder.clone();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                if let Some(heard) = Heard::of(event, &watched) {
                    let _ = sender.send(heard);
                }
            })
            .map_err(fail)?;
        watcher
            .watch(&folder, RecursiveMode::NonRecursive)
            .map_err(fail)?;
        if let Some(parent) = folder.parent() {
            // One that cannot be watched says nothing of a replacement, and nothing else is missed.
            let _ = watcher.watch(parent, RecursiveMode::NonRecursive);
        }
        let watcher = Arc::new(Mutex::new(watcher));
        let anew = Arc::downgrade(&watcher);
        let watched = folder.clone();
        thread::Builder::new()
            .name("watch".into())
            .spawn(move || {
                while let Ok(heard) = receiver.recv() {
                    let mut is_replaced = matches!(heard, Heard::Replacement);
                    let begun = std::time::Instant::now();
                    while begun.elapsed() < LONGEST_BURST {
                        match receiver.recv_timeout(QUIET) {
                            Ok(heard) => is_replaced |= matches!(heard, Heard::Replacement),
                            Err(RecvTimeoutError::Timeout) => break,
                            Err(RecvTimeoutError::Disconnected) => return,
                        }
                    }
                    if is_replaced && let Some(watcher) = anew.upgrade() {
                        let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
                        let _ = watcher.unwatch(&watched);
                        // This fails while it is missing; the watch on the parent folder reports its return.
                        let _ = watcher.watch(&watched, RecursiveMode::NonRecursive);
                    }
                    on_change();
                }
            })
            .map_err(|fault| StoreError::file("watch", &folder, fault))?;
        Ok(Self {
            watcher,
            further: BTreeSet::new(),
        })
    }

    /// Watches these folders too, and no longer those of the call before. One that cannot be
    /// watched is left out: a folder may go while it is listed.
    pub fn also(&mut self, folders: BTreeSet<PathBuf>) {
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        for gone in self.further.difference(&folders) {
            let _ = watcher.unwatch(gone);
        }
        // A folder that was deleted and made again is another one, so each is watched anew.
        for folder in &folders {
            let _ = watcher.watch(folder, RecursiveMode::NonRecursive);
        }
        self.further = folders;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_that_was_replaced_is_watched_on() {
        let home = tempfile::tempdir().expect("a folder");
        let (folder, other) = (home.path().join("decks"), home.path().join("moved"));
        fs::create_dir(&folder).expect("made");
        let (sender, receiver) = mpsc::channel();
        let _watch = Watch::folder(&folder, move || {
            let _ = sender.send(());
        })
        .expect("watched");
        let heard = || receiver.recv_timeout(Duration::from_secs(10));
        let quiet = || while receiver.recv_timeout(4 * QUIET).is_ok() {};
        fs::write(folder.join("a.json"), "{}").expect("written");
        heard().expect("a change");
        quiet();
        fs::write(home.path().join("beside.json"), "{}").expect("written");
        assert!(
            receiver.recv_timeout(4 * QUIET).is_err(),
            "heard of a file beside it"
        );
        fs::rename(&folder, &other).expect("moved");
        heard().expect("the folder is gone");
        quiet();
        fs::create_dir(&folder).expect("made");
        heard().expect("another folder");
        quiet();
        fs::write(folder.join("b.json"), "{}").expect("written");
        heard().expect("a change in it");
        quiet();
        fs::remove_dir_all(&folder).expect("removed");
        heard().expect("it is gone");
        quiet();
        fs::rename(&other, &folder).expect("moved back");
        heard().expect("the first folder");
        quiet();
        fs::write(folder.join("a.json"), "{ }").expect("written");
        heard().expect("a change in the first one");
    }
}
