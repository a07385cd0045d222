//! Translates the system's error for a write. Messages name the caller's file, never the temporary
//! one.

use std::error::Error;
use std::io;
use std::path::Path;

use super::system;
use super::target::folder_of;
use crate::StoreError;

/// The error for a failed write of bytes to a target, with a way out; messages name `path`.
#[must_use]
pub fn write_error(path: &Path, target: &Path, bytes: &[u8], fault: &io::Error) -> StoreError {
    let folder = folder_of(target);
    let because =
        |text: String| StoreError::file("write", path, io::Error::new(fault.kind(), text));
    match fault.kind() {
        io::ErrorKind::StorageFull => StoreError::DiskFull {
            path: path.to_owned(),
            disk: system::mount_point(folder),
            needed: bytes.len() as u64,
            free: system::free_space(folder).unwrap_or_default(),
        },
        io::ErrorKind::QuotaExceeded => because(format!(
            "your disk quota is used up and {} bytes are needed; delete some of your files",
            bytes.len()
        )),
        io::ErrorKind::FileTooLarge => because(format!(
            "its {} bytes are above the limit for a file; raise the limit (ulimit -f)",
            bytes.len()
        )),
        io::ErrorKind::NotFound if folder.is_dir() => because(format!(
            "the system creates no file in its folder {}; name a file in another one",
            folder.display()
        )),
        io::ErrorKind::NotFound => because(format!(
            "there is no folder {}; create it first",
            folder.display()
        )),
        io::ErrorKind::NotADirectory => because(format!(
            "{} is no folder; name a file in a folder",
            folder.display()
        )),
        io::ErrorKind::PermissionDenied
            if target.is_file() && system::writable(target).is_err() =>
        {
            because(
                "the file is not writable; allow writing to it, or write to another file"
                    .to_owned(),
            )
        }
        io::ErrorKind::PermissionDenied => because(format!(
            "its folder {} is not writable; allow writing to it, or name a file in another one",
            folder.display()
        )),
        io::ErrorKind::ReadOnlyFilesystem => because(format!(
            "the disk at {} is read-only; name a file on another one",
            system::mount_point(folder).display()
        )),
        _ => StoreError::file("write", path, bare(fault)),
    }
}

/// The system's own error, without the path of the temporary file wrapped around it.
fn bare(fault: &io::Error) -> io::Error {
    let mut inner: Option<&(dyn Error + 'static)> = Some(fault);
    while let Some(error) = inner {
        let code = error.downcast_ref().and_then(io::Error::raw_os_error);
        if let Some(code) = code {
            return io::Error::from_raw_os_error(code);
        }
        inner = match error.downcast_ref::<io::Error>() {
            Some(error) => error.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    fault.kind().into()
}
