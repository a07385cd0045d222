//! Tells when something in a folder changed, a burst of changes once.
//!
//! Whose change it was is not known here: compare content hashes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::StoreError;

/// A burst is over when nothing happened for this long.
const QUIET: Duration = Duration::from_millis(60);

/// Changes are told at least this often, however long the burst.
const LONGEST_BURST: Duration = Duration::from_millis(500);

/// Watches until it is dropped.
#[derive(Debug)]
pub struct Watch {
    // Dropping it closes the channel, and with it the thread.
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches the files directly in a folder; `on_change` is called on a thread of its own.
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
                // An error may hide a change as well as an event may tell one.
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
        Ok(Self { _watcher: watcher })
    }
}
