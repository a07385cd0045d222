//! Moves a file to a free name, never over another file.

use std::io;
use std::path::Path;

use super::{leftovers, sync_folder, system, target::folder_of};
use crate::StoreError;

/// Moves a file, or the link it is, to a name that must be free. The move is atomic and durable on
/// return.
///
/// # Errors
/// [`StoreError::File`] if the file is missing, the name is taken, or the system refuses.
pub fn relocate(from: &Path, to: &Path) -> Result<(), StoreError> {
    // The only file of this name that a clean-up could remove is a temporary one.
    leftovers::clean_once(folder_of(to));
    move_to_free_name(from, to).map_err(|fault| match fault.kind() {
        io::ErrorKind::AlreadyExists => StoreError::file("create", to, fault),
        _ => StoreError::file("move", from, fault),
    })?;
    sync_folder(to)?;
    if folder_of(from) == folder_of(to) {
        return Ok(());
    }
    sync_folder(from)
}

fn move_to_free_name(from: &Path, to: &Path) -> io::Result<()> {
    if system::rename_to_free_name(from, to)? {
        return Ok(());
    }
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_moves_to_a_free_name_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "a").expect("written");
        fs::write(path("b"), "b").expect("written");
        let taken = relocate(&path("a"), &path("b")).expect_err("taken");
        assert_eq!(taken.code(), "file_exists");
        assert_eq!(fs::read(path("b")).expect("there"), b"b");
        fs::create_dir(path("sub")).expect("made");
        relocate(&path("a"), &path("sub/c")).expect("moved");
        assert!(!path("a").exists());
        assert_eq!(fs::read(path("sub/c")).expect("there"), b"a");
        let gone = relocate(&path("a"), &path("d")).expect_err("gone");
        assert_eq!(gone.code(), "file_missing");
    }
}
