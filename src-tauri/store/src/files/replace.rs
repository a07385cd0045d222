//! Replaces the content of a file as a whole, provided that it has the expected content, or creates a
//! file.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::beside::{REPLACED, copy_beside};
use super::target::{self, Target, folder_of};
use super::temporary::Temporary;
use super::write_error::write_error;
use super::{atomic_exchange, leftovers, system};
use crate::{Hash, StoreError};

/// The content a file must have for it to be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The content it has when [`replace`] is called.
    Anything,
    /// The file must not exist.
    Absent,
    /// Bytes with this hash.
    Content(Hash),
}

/// Result of replacing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// The file holds the new bytes.
    Written,
    /// The file held the same bytes already and was not touched.
    Unchanged,
    /// The file holds something else than expected and was left alone; the new bytes were
    /// discarded.
    ChangedOutside,
}

impl Replaced {
    /// Turns an outside edit of the file at `path` into an error.
    ///
    /// # Errors
    /// [`StoreError::ChangedOutside`] for [`Replaced::ChangedOutside`].
    pub fn or_changed_outside(self, path: &Path) -> Result<Self, StoreError> {
        match self {
            Self::ChangedOutside => Err(StoreError::ChangedOutside {
                path: path.to_owned(),
            }),
            done => Ok(done),
        }
    }
}

/// The current content of a path, to be passed to [`replace`] later. [`Expected::Anything`] stands
/// for a device, a pipe or an open descriptor, which is written to and not replaced.
///
/// # Errors
/// [`StoreError::File`] if the path cannot be resolved or read.
pub fn current(path: &Path) -> Result<Expected, StoreError> {
    match target::resolve(path)? {
        Target::Stream(_) => Ok(Expected::Anything),
        Target::File(file) => Ok(match atomic_exchange::hash(&file, path)? {
            Some(hash) => Expected::Content(hash),
            None => Expected::Absent,
        }),
    }
}

/// Replaces the content of a file, or creates it, provided that it has the expected content.
/// Follows a symlink; preserves mode and owner. Writes nothing if the file holds these bytes
/// already.
///
/// Where the system can exchange two files (Linux, macOS), the file taken out is inspected
/// afterwards and put back if it is not the expected one. Elsewhere the comparison immediately
/// precedes the rename.
///
/// # Errors
/// [`StoreError::File`] if the file cannot be read, written or synced, [`StoreError::DiskFull`] if
/// the disk has no room. A file with unexpected content is [`Replaced::ChangedOutside`], not an
/// error.
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
                "not a regular file, so it cannot be replaced; name a file",
            );
            return Err(StoreError::file("write", path, fault));
        }
    };
    leftovers::clean_once(folder_of(&target));
    let found = atomic_exchange::hash(&target, path)?;
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
        system::writable(&target).map_err(|fault| write_error(path, &target, bytes, &fault))?;
    }
    let temporary = write_beside(path, &target, bytes)?;
    let replaced = match expected {
        None => atomic_exchange::make(temporary, &target),
        Some(hash) => atomic_exchange::exchange(temporary, &target, hash),
    };
    let replaced = replaced.map_err(|fault| write_error(path, &target, bytes, &fault))?;
    if expected.is_none() {
        sync_folder(&target)?;
    }
    Ok(replaced)
}

/// As [`replace`], for a file that may hold what no other place does: other bytes are copied beside
/// it first, as `NAME.replaced-1.json`. Returns the path of the copy.
///
/// # Errors
/// As [`replace`]; nothing is replaced if the copy cannot be written.
pub fn replace_with_copy(
    path: &Path,
    bytes: &[u8],
    expected: Expected,
) -> Result<(Replaced, Option<PathBuf>), StoreError> {
    let replaced = |copy| Ok((replace(path, bytes, expected)?, copy));
    let Target::File(target) = target::resolve(path)? else {
        return replaced(None);
    };
    let current_content = match fs::read(&target) {
        Ok(content) => content,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return replaced(None),
        Err(fault) => return Err(StoreError::file("read", path, fault)),
    };
    let is_replaced = match expected {
        Expected::Anything => true,
        Expected::Absent => false,
        Expected::Content(hash) => hash == Hash::of(&current_content),
    };
    if !is_replaced || current_content.is_empty() || current_content == bytes {
        return replaced(None);
    }
    system::writable(&target).map_err(|fault| write_error(path, &target, bytes, &fault))?;
    replaced(Some(copy_beside(&target, &current_content, REPLACED)?))
}

/// Removes what killed programs left beside a file that needs no writing; see [`clean`](super::clean).
/// [`replace`] does this itself.
pub fn clean_beside(path: &Path) {
    if let Ok(Target::File(target)) = target::resolve(path) {
        leftovers::clean_once(folder_of(&target));
    }
}

/// Creates a file that must not exist yet.
///
/// # Errors
/// [`StoreError::File`] if the file exists or cannot be written, [`StoreError::DiskFull`] if the
/// disk has no room.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    leftovers::clean_once(folder_of(path));
    let temporary = write_beside(path, path, bytes)?;
    match atomic_exchange::make(temporary, path) {
        Ok(Replaced::ChangedOutside) => {
            let fault = io::ErrorKind::AlreadyExists.into();
            Err(StoreError::file("create", path, fault))
        }
        Ok(_) => sync_folder(path),
        Err(fault) => Err(write_error(path, path, bytes, &fault)),
    }
}

/// Writes the bytes to a temporary file beside the target. Messages name `path`, the caller's name
/// for it.
fn write_beside(path: &Path, target: &Path, bytes: &[u8]) -> Result<Temporary, StoreError> {
    Temporary::beside(target, bytes).map_err(|fault| write_error(path, target, bytes, &fault))
}

/// Makes a rename durable. Where folders cannot be opened (Windows, or without the right to list
/// them) the system decides when that happens.
pub(crate) fn sync_folder(target: &Path) -> Result<(), StoreError> {
    system::sync_folder(folder_of(target)).map_err(|fault| StoreError::file("write", target, fault))
}
