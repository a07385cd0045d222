//! What a path leads to: a regular file, existing or not, that is replaced, or a stream that is
//! written to.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::system;
use super::write_error::write_error;
use crate::StoreError;

/// Destination of the bytes.
#[derive(Debug)]
pub enum Target {
    /// A regular file, symlinks resolved; it need not exist.
    File(PathBuf),
    /// Something that cannot be replaced.
    Stream(Stream),
}

/// A device, a pipe, or an open descriptor.
#[derive(Debug)]
pub struct Stream(PathBuf);

impl Stream {
    /// Opens it for writing. Like any program, this blocks on a pipe without a reader.
    pub fn open(&self) -> io::Result<File> {
        // Standard output and error share their position with the program that opened them. A
        // second description of the same file would overwrite its output.
        match system::standard_stream(&self.0) {
            Some(shared) => shared,
            None => OpenOptions::new().append(true).open(&self.0),
        }
    }
}

/// Resolves a path to its destination.
///
/// # Errors
/// [`StoreError::File`] if a link cannot be read or there are more than 40 in a row.
pub fn resolve(path: &Path) -> Result<Target, StoreError> {
    let mut target = path.to_owned();
    // The limit that Linux has.
    for _ in 0..40 {
        if system::is_descriptor(&target) {
            return Ok(Target::Stream(Stream(target)));
        }
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => return kind(path, target),
        }
    }
    let fault = io::Error::other("the symbolic links form a loop");
    Err(StoreError::file("follow", path, fault))
}

fn kind(path: &Path, target: PathBuf) -> Result<Target, StoreError> {
    let named = |text| io::Error::new(io::ErrorKind::IsADirectory, text);
    match fs::metadata(&target) {
        Ok(found) if found.is_file() => Ok(Target::File(target)),
        Ok(found) if found.is_dir() => Err(StoreError::file(
            "write",
            path,
            named("this is a folder; name a file in it"),
        )),
        Ok(_) => Ok(Target::Stream(Stream(target))),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(Target::File(target)),
        Err(fault) => Err(write_error(path, &target, &[], &fault)),
    }
}

/// The folder that contains a file.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
