//! Reads the store's file past SQLite, and identifies the file behind a path.
//!
//! POSIX drops all locks that a process has on a file when it closes any descriptor of that file,
//! including SQLite's locks. A descriptor is therefore closed only while no connection of this
//! process has the file open; until then it is parked.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::regular_file;

/// Identity of the file at a path; it changes with a rename.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity(u64, u64);

impl Identity {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Self(metadata.dev(), metadata.ino())
        }
        #[cfg(not(unix))]
        {
            let created = metadata.created().ok();
            let since =
                created.and_then(|created| created.duration_since(std::time::UNIX_EPOCH).ok());
            Self(0, since.map_or(0, |since| since.as_nanos() as u64))
        }
    }

    pub(crate) fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::of)
    }
}

#[derive(Default)]
struct Use {
    connections: usize,
    parked: Vec<File>,
}

static IN_USE: Mutex<BTreeMap<Identity, Use>> = Mutex::new(BTreeMap::new());

fn in_use() -> MutexGuard<'static, BTreeMap<Identity, Use>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Marks a file as opened by a connection of this process until dropped.
#[derive(Debug)]
pub(crate) struct InUse(Identity);

impl InUse {
    pub(crate) fn new(identity: Identity) -> Self {
        in_use().entry(identity).or_default().connections += 1;
        Self(identity)
    }

    pub(crate) fn identity(&self) -> Identity {
        self.0
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut all = in_use();
        if let Some(file) = all.get_mut(&self.0) {
            file.connections -= 1;
            if file.connections == 0 {
                all.remove(&self.0);
            }
        }
    }
}

/// A file opened for reading. Its descriptor is closed only when that releases no lock.
#[derive(Debug)]
pub(crate) struct RawFile {
    file: Option<File>,
    identity: Identity,
    len: u64,
}

impl RawFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = regular_file::open(path)?;
        let metadata = file.metadata()?;
        Ok(Self {
            identity: Identity::of(&metadata),
            len: metadata.len(),
            file: Some(file),
        })
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Reads bytes at an offset; fewer at the end of the file.
    pub(crate) fn read_at(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        if let Some(mut file) = self.file.as_ref() {
            file.seek(SeekFrom::Start(offset))?;
            file.take(length as u64).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    /// Copies the whole file.
    pub(crate) fn copy_to(&self, target: &Path) -> io::Result<()> {
        let mut to = File::options().write(true).create_new(true).open(target)?;
        if let Some(mut from) = self.file.as_ref() {
            from.seek(SeekFrom::Start(0))?;
            io::copy(&mut from, &mut to)?;
        }
        to.sync_all()
    }
}

impl Drop for RawFile {
    fn drop(&mut self) {
        if let Some(file) = in_use().get_mut(&self.identity) {
            file.parked.extend(self.file.take());
        }
    }
}
