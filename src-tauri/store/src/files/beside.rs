//! Names beside a file for what it held: an outside edit, or the bytes of a damaged file.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::write_error::write_error;
use super::{leftovers, replace, target::folder_of, temporary::Temporary};
use crate::StoreError;

/// Names derived from that of a file, to be tried in this order: `a.LABEL-1.json` and so on.
pub(super) fn names(target: &Path, label: &str) -> impl Iterator<Item = PathBuf> {
    let stem = target.file_stem().unwrap_or_default();
    let ending = target.extension().map(OsStr::to_owned);
    (1..1000).map(move |copy| {
        let mut name = stem.to_owned();
        name.push(format!(".{label}-{copy}"));
        if let Some(ending) = &ending {
            name.push(".");
            name.push(ending);
        }
        target.with_file_name(name)
    })
}

/// Copies the bytes of a file beside it, to a name with a label, and returns the path of the copy. It
/// has the mode and the owner of the file. A copy of the same bytes that is there already will do.
///
/// # Errors
/// [`StoreError::File`] if no copy can be written, [`StoreError::DiskFull`] if the disk has no room.
pub fn copy_beside(path: &Path, bytes: &[u8], label: &str) -> Result<PathBuf, StoreError> {
    leftovers::clean_once(folder_of(path));
    for copy in names(path, label) {
        match fs::read(&copy) {
            Ok(there) if there == bytes => return Ok(copy),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
            _ => continue,
        }
        let fail = |fault: io::Error| write_error(&copy, &copy, bytes, &fault);
        match Temporary::beside(path, bytes)
            .map_err(fail)?
            .persist_new(&copy)
        {
            Ok(()) => {
                replace::sync_folder(&copy)?;
                return Ok(copy);
            }
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {}
            Err(fault) => return Err(fail(fault)),
        }
    }
    let fault = io::ErrorKind::AlreadyExists.into();
    Err(StoreError::file("copy", path, fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_takes_a_free_name_and_the_same_bytes_are_copied_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.checks.json");
        fs::write(&path, "first").expect("written");
        let copy = |bytes: &[u8]| copy_beside(&path, bytes, "damaged").expect("copied");
        let name = |number: u32| {
            folder
                .path()
                .join(format!("a.checks.damaged-{number}.json"))
        };
        assert_eq!(copy(b"first"), name(1));
        assert_eq!(copy(b"first"), name(1));
        assert_eq!(copy(b"\xff second"), name(2));
        assert_eq!(fs::read(name(1)).expect("read"), b"first");
        assert_eq!(fs::read(name(2)).expect("read"), b"\xff second");
        assert_eq!(fs::read(&path).expect("read"), b"first", "left alone");
    }

    #[cfg(unix)]
    #[test]
    fn a_copy_of_a_private_file_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        fs::write(&path, "x").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
        let copy = copy_beside(&path, b"x", "damaged").expect("copied");
        let mode = fs::metadata(copy).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
