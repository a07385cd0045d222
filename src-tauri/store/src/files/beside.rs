//! Names beside a file for what it held, or was to hold: an outside edit, the bytes of a damaged file or
//! of one that was replaced, unsaved edits.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use super::write_error::write_error;
use super::{leftovers, relocate, replace, target::folder_of, temporary::Temporary};
use crate::StoreError;

/// Label of a copy of bytes that cannot be read as a document.
pub const DAMAGED: &str = "damaged";
/// Label of a copy of bytes that were replaced by others.
pub const REPLACED: &str = "replaced";

/// Label of a copy of unsaved edits.
pub const UNSAVED: &str = "unsaved";

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

/// Whether a file name is one of those that a copy is given: `a.replaced-1.json` and so on.
#[must_use]
pub fn is_copy_name(name: &str) -> bool {
    let stem = Path::new(name).file_stem().and_then(OsStr::to_str);
    let label = stem
        .and_then(|stem| stem.rsplit_once('.'))
        .map(|parts| parts.1);
    label
        .and_then(|label| label.rsplit_once('-'))
        .is_some_and(|(label, number)| {
            [DAMAGED, REPLACED, UNSAVED].contains(&label) && number.parse::<u32>().is_ok()
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
            Ok(existing) if existing == bytes => return Ok(copy),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
            _ => continue,
        }
        let fail = |fault: io::Error| write_error(path, &copy, bytes, &fault);
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

/// Moves a file that another one is about to replace to a name beside it, of any size, and returns that
/// name; `None` if the file is missing or empty, or the other one holds the same bytes.
///
/// # Errors
/// [`StoreError::File`] if one of the files cannot be read or no name is free.
pub fn move_replaced(path: &Path, by: &Path) -> Result<Option<PathBuf>, StoreError> {
    let is_needed = match fs::metadata(path) {
        Ok(found) if found.len() == 0 => Ok(false),
        Ok(_) => same_bytes(path, by).map(|same| !same),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(fault) => Err(fault),
    };
    if !is_needed.map_err(|fault| StoreError::file("read", path, fault))? {
        return Ok(None);
    }
    for name in names(path, REPLACED) {
        match relocate(path, &name) {
            Ok(()) => return Ok(Some(name)),
            Err(StoreError::File { source, .. })
                if source.kind() == io::ErrorKind::AlreadyExists => {}
            Err(fault) => return Err(fault),
        }
    }
    let fault = io::ErrorKind::AlreadyExists.into();
    Err(StoreError::file("move", path, fault))
}

fn same_bytes(left: &Path, right: &Path) -> io::Result<bool> {
    let (left, right) = (File::open(left)?, File::open(right)?);
    if left.metadata()?.len() != right.metadata()?.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (BufReader::new(left), BufReader::new(right));
    loop {
        let (a, b) = (left.fill_buf()?, right.fill_buf()?);
        let length = a.len().min(b.len());
        if a[..length] != b[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
        left.consume(length);
        right.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copies_are_told_from_others() {
        for label in [DAMAGED, REPLACED, UNSAVED] {
            let name = names(Path::new("a.checks.json"), label)
                .nth(11)
                .expect("a name");
            assert!(is_copy_name(&name.to_string_lossy()), "{name:?}");
        }
        for name in [
            "a.json",
            "replaced-1.json",
            "a.replaced.json",
            "a.replaced-x.json",
            "a-1.json",
        ] {
            assert!(!is_copy_name(name), "{name}");
        }
    }

    #[test]
    fn a_copy_takes_a_free_name_and_the_same_bytes_are_copied_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.checks.json");
        fs::write(&path, "first").expect("written");
        let copy = |bytes: &[u8]| copy_beside(&path, bytes, DAMAGED).expect("copied");
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
        let copy = copy_beside(&path, b"x", DAMAGED).expect("copied");
        let mode = fs::metadata(copy).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_replaced_file_moves_aside_unless_its_bytes_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("rows.part"), "new").expect("written");
        let moved = |existing: Option<&str>| {
            if let Some(existing) = existing {
                fs::write(path("rows.jsonl"), existing).expect("written");
            }
            move_replaced(&path("rows.jsonl"), &path("rows.part")).expect("read")
        };
        assert_eq!(moved(None), None);
        assert_eq!(moved(Some("")), None);
        assert_eq!(moved(Some("new")), None);
        assert_eq!(moved(Some("old")), Some(path("rows.replaced-1.jsonl")));
        assert_eq!(moved(Some("older")), Some(path("rows.replaced-2.jsonl")));
        assert_eq!(
            fs::read(path("rows.replaced-1.jsonl")).expect("read"),
            b"old"
        );
    }
}
