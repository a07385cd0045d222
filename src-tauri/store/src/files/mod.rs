//! Files replaced as a whole: a reader sees the old bytes or the new ones, never a part, and an
//! edit that another program makes meanwhile is never overwritten unseen.
//!
//! New bytes go into a temporary file beside the target ([`temporary`]) and change places with it
//! ([`exchange`]). What is not a regular file, such as a device or a pipe, is written into ([`target`]).

mod exchange;
mod leftovers;
mod system;
mod target;
mod temporary;
mod write_error;

use std::io::{self, Read, Write};
use std::path::Path;

use crate::{Hash, StoreError, regular_file};
use target::Target;
use temporary::Temporary;
use write_error::write_error;

pub use leftovers::clean;
pub(crate) use system::mount_point;
pub(crate) use target::folder_of;

/// What a file has to hold for it to be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// What it holds when [`replace`] is called.
    Anything,
    /// Nothing: there is no such file.
    Absent,
    /// Bytes with this hash.
    Content(Hash),
}

/// What replacing did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// The file holds the new bytes.
    Written,
    /// It held the same bytes already; nothing was touched.
    Unchanged,
    /// It holds something else than was expected, and still does; the new bytes are nowhere.
    ChangedOutside,
}

impl Replaced {
    /// For callers to whom an outside edit is a failure. `path` is the file.
    pub fn or_changed_outside(self, path: &Path) -> Result<Self, StoreError> {
        match self {
            Self::ChangedOutside => Err(StoreError::ChangedOutside {
                path: path.to_owned(),
            }),
            done => Ok(done),
        }
    }
}

/// Reads a file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    let fail = |fault| StoreError::file("read", path, fault);
    let file = regular_file::open(path).map_err(fail)?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > limit {
        return Err(StoreError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}

/// What a path holds now, to be handed to [`replace`] later. [`Expected::Anything`] is what is
/// written into instead of being replaced: a device, a pipe, an open descriptor.
pub fn current(path: &Path) -> Result<Expected, StoreError> {
    match target::resolve(path)? {
        Target::Stream(_) => Ok(Expected::Anything),
        Target::File(file) => Ok(match exchange::hash(&file, path)? {
            Some(hash) => Expected::Content(hash),
            None => Expected::Absent,
        }),
    }
}

/// Replaces a file's bytes, or makes the file, provided that it holds what is expected. A symlink
/// is followed; mode and owner stay. Nothing is written when the file holds these bytes already.
///
/// Where the system can exchange two files (Linux, macOS), what was taken out is looked at
/// afterwards, and put back when it is not what was expected. Elsewhere the file is compared
/// immediately before it is replaced.
pub fn replace(path: &Path, bytes: &[u8], expected: Expected) -> Result<Replaced, StoreError> {
    let target = match target::resolve(path)? {
        Target::File(target) => target,
        Target::Stream(stream) if expected == Expected::Anything => {
            let written = stream.open().and_then(|mut stream| stream.write_all(bytes));
            return match written {
                Ok(()) => Ok(Replaced::Written),
                Err(fault) => Err(StoreError::file("write", path, fault)),
            };
        }
        Target::Stream(_) => {
            let fault = io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a regular file, so it can't be replaced; name a file",
            );
            return Err(StoreError::file("write", path, fault));
        }
    };
    leftovers::clean_once(folder_of(&target));
    let found = exchange::hash(&target, path)?;
    if found == Some(Hash::of(bytes)) {
        return Ok(Replaced::Unchanged);
    }
    let expected = match expected {
        Expected::Anything => found,
        Expected::Absent => None,
        Expected::Content(hash) => Some(hash),
    };
    if found != expected {
        return Ok(Replaced::ChangedOutside);
    }
    if found.is_some() {
        system::writable(&target).map_err(|fault| StoreError::file("write", path, fault))?;
    }
    let temporary = write_beside(path, &target, bytes)?;
    let replaced = match expected {
        None => exchange::make(temporary, &target),
        Some(hash) => exchange::exchange(temporary, &target, hash),
    };
    let replaced = replaced.map_err(|fault| write_error(path, &target, bytes, &fault))?;
    if expected.is_none() {
        sync_folder(&target)?;
    }
    Ok(replaced)
}

/// Removes what killed programs of ours left over beside a file that needs no writing; see
/// [`clean`]. [`replace`] does so itself.
pub fn clean_beside(path: &Path) {
    if let Ok(Target::File(target)) = target::resolve(path) {
        leftovers::clean_once(folder_of(&target));
    }
}

/// Makes a file that must not exist yet.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    leftovers::clean_once(folder_of(path));
    let temporary = write_beside(path, path, bytes)?;
    match exchange::make(temporary, path) {
        Ok(Replaced::ChangedOutside) => {
            let fault = io::ErrorKind::AlreadyExists.into();
            Err(StoreError::file("make", path, fault))
        }
        Ok(_) => sync_folder(path),
        Err(fault) => Err(write_error(path, path, bytes, &fault)),
    }
}

/// The bytes in a temporary file beside the target. Messages name `path`, as the caller does.
fn write_beside(path: &Path, target: &Path, bytes: &[u8]) -> Result<Temporary, StoreError> {
    Temporary::beside(target, bytes).map_err(|fault| write_error(path, target, bytes, &fault))
}

/// Puts a rename on the disk. Where folders can't be opened (Windows, or without the right to list
/// them) the system does it by itself.
pub(crate) fn sync_folder(target: &Path) -> Result<(), StoreError> {
    system::sync_folder(folder_of(target)).map_err(|fault| StoreError::file("write", target, fault))
}
