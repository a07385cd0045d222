//! The output file of `-o`. Its content is recorded before the work, and the file is replaced
//! afterwards only if it has not changed. A device or a pipe is written to directly.

use std::{
    io,
    path::{Path, PathBuf},
};

use promptdeck_service::{
    files::{self, Expected},
    store::StoreError,
};

use crate::{failure::Failure, input, output::Output};

/// Destination of a result.
#[derive(Debug)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file and its content before the work.
    File(PathBuf, Expected),
}

impl Destination {
    /// The destination named by `-o`: standard output for `-` or without a name.
    pub fn of(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            Some(path) if !input::is_stdin(path) => {
                Ok(Self::File(path.to_owned(), files::current(path)?))
            }
            _ => Ok(Self::Stdout),
        }
    }

    /// The same destination, unless it is the document that is read: no verb writes another kind of
    /// document over what its author wrote.
    pub fn other_than(self, document: &Path) -> Result<Self, Failure> {
        if let Self::File(path, _) = &self
            && let (Ok(to), Ok(from)) = (path.canonicalize(), document.canonicalize())
            && to == from
            && to.is_file()
        {
            let message = format!(
                "{} is the document that is read; write to another file",
                path.display()
            );
            return Err(Failure::input("exists", message));
        }
        Ok(self)
    }

    /// Writes the result.
    pub fn write(&self, text: &str, out: &mut Output) -> Result<(), Failure> {
        match self {
            Self::Stdout => out.verbatim(text),
            Self::File(path, expected) => replace(path, text, *expected),
        }
    }
}

/// Replaces a file if it has the expected content; otherwise an error.
pub fn replace(path: &Path, text: &str, expected: Expected) -> Result<(), Failure> {
    let replaced = files::replace(path, text.as_bytes(), expected);
    match replaced.and_then(|replaced| replaced.or_changed_outside(path)) {
        Ok(_) => Ok(()),
        // With `-o /dev/stdout`, a broken pipe means that the reader of standard output is gone.
        Err(StoreError::File { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure::Output(source))
        }
        Err(fault) => Err(fault.into()),
    }
}
