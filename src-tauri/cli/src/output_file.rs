//! The output file of `-o`. Its content is recorded before the work, and the file is replaced
//! afterwards only if it has not changed, with a copy of what it held beside it. A device or a pipe is
//! written to directly.

use std::{
    io,
    path::{Path, PathBuf},
};

use promptdeck_service::{
    files::{self, Expected, Replaced},
    store::StoreError,
};

use crate::{
    failure::Failure,
    input,
    output::{self, Output},
};

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
            Self::File(path, expected) => replace_with_copy(path, text, *expected),
        }
    }
}

/// Replaces a file if it has the expected content, with a copy of what it held beside it; otherwise an
/// error.
pub fn replace_with_copy(path: &Path, text: &str, expected: Expected) -> Result<(), Failure> {
    let mut copy = None;
    written(path, || {
        let (replaced, copy_path) = files::replace_with_copy(path, text.as_bytes(), expected)?;
        copy = copy_path;
        Ok(replaced)
    })?;
    note_copy(path, copy.as_deref());
    Ok(())
}

/// Says where the replaced content of a file is.
pub fn note_copy(path: &Path, copy: Option<&Path>) {
    if let Some(copy) = copy {
        output::note(&format!(
            "what {} held before is in {}",
            path.display(),
            copy.display()
        ));
    }
}

/// Replaces a file if it has the expected content; otherwise an error. For a document that is edited:
/// the new text comes from the old one, so no copy is made.
pub fn replace(path: &Path, text: &str, expected: Expected) -> Result<(), Failure> {
    written(path, || files::replace(path, text.as_bytes(), expected))
}

fn written(
    path: &Path,
    write: impl FnOnce() -> Result<Replaced, StoreError>,
) -> Result<(), Failure> {
    match write().and_then(|replaced| replaced.or_changed_outside(path)) {
        Ok(_) => Ok(()),
        // With `-o /dev/stdout`, a broken pipe means that the reader of standard output is gone.
        Err(StoreError::File { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure::Output(source))
        }
        Err(fault) => Err(fault.into()),
    }
}
