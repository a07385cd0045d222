//! The file that `-o` names. It is looked at before the work, and replaced after it only if nobody
//! has changed it meanwhile; a device or a pipe is written into.

use std::{
    io,
    path::{Path, PathBuf},
};

use promptdeck_service::{
    files::{self, Expected},
    store::StoreError,
};

use crate::{failure::Failure, input, output::Output};

/// Where a verb writes its result.
#[derive(Debug)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file, and what it held before the work.
    File(PathBuf, Expected),
}

impl Destination {
    /// What `-o` names; `-` and no name stand for standard output.
    pub fn of(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            Some(path) if !input::is_stdin(path) => {
                Ok(Self::File(path.to_owned(), files::current(path)?))
            }
            _ => Ok(Self::Stdout),
        }
    }

    /// Writes the result.
    pub fn write(&self, text: &str, out: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Stdout => out.verbatim(text),
            Self::File(path, expected) => replace(path, text, *expected),
        }
    }
}

/// Replaces a file that holds what is expected, or says that it does not.
pub fn replace(path: &Path, text: &str, expected: Expected) -> Result<(), Failure> {
    let replaced = files::replace(path, text.as_bytes(), expected);
    match replaced.and_then(|replaced| replaced.or_changed_outside(path)) {
        Ok(_) => Ok(()),
        // A reader of `-o /dev/stdout` that goes away is one of standard output.
        Err(StoreError::File { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure::Output(source))
        }
        Err(fault) => Err(fault.into()),
    }
}
