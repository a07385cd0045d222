//! Files replaced as a whole: a reader sees the old bytes or the new ones, never a part.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// What replacing did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// The file holds the new bytes.
    Written,
    /// It held the same bytes already; nothing was touched.
    Unchanged,
}

/// Reads a file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    let fail = |fault| StoreError::file("read", path, fault);
    let file = File::open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
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

/// Replaces a file's bytes, or makes the file. A symlink is followed; permissions stay. Nothing
/// is written when the file holds these bytes already.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<Replaced, StoreError> {
    let target = follow(path)?;
    match fs::metadata(&target) {
        Ok(known) => {
            if known.len() == bytes.len() as u64 && read(&target, known.len())? == bytes {
                return Ok(Replaced::Unchanged);
            }
            if known.permissions().readonly() {
                let fault = io::Error::from(io::ErrorKind::PermissionDenied);
                return Err(StoreError::file("write", &target, fault));
            }
            write_beside(&target, bytes, Some(known.permissions()))?
                .persist(&target)
                .map_err(|fault| StoreError::file("write", &target, fault.error))?;
        }
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            write_beside(&target, bytes, None)?
                .persist(&target)
                .map_err(|fault| StoreError::file("write", &target, fault.error))?;
        }
        Err(fault) => return Err(StoreError::file("read", &target, fault)),
    }
    sync_folder(&target)?;
    Ok(Replaced::Written)
}

/// Makes a file that must not exist yet.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_beside(path, bytes, None)?
        .persist_noclobber(path)
        .map_err(|fault| StoreError::file("make", path, fault.error))?;
    sync_folder(path)
}

/// Where a chain of symlinks ends; the end itself need not exist.
fn follow(path: &Path) -> Result<PathBuf, StoreError> {
    let mut target = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => return Ok(target),
        }
    }
    let fault = io::Error::other("the symlinks lead in a circle");
    Err(StoreError::file("follow", path, fault))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The bytes in a temporary file in the same folder, on the disk. It goes when it is dropped.
fn write_beside(
    target: &Path,
    bytes: &[u8],
    permissions: Option<fs::Permissions>,
) -> Result<tempfile::NamedTempFile, StoreError> {
    let fail = |fault| StoreError::file("write", target, fault);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".promptdeck-").suffix(".part");
    #[cfg(unix)]
    let readable: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    #[cfg(unix)]
    builder.permissions(readable);
    let mut file = builder.tempfile_in(folder_of(target)).map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions).map_err(fail)?;
    }
    file.as_file().sync_all().map_err(fail)?;
    Ok(file)
}

/// Puts a rename on the disk. Where folders can't be opened (Windows) the system does it alone.
fn sync_folder(target: &Path) -> Result<(), StoreError> {
    if cfg!(unix) {
        let folder = folder_of(target);
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|fault| StoreError::file("write", folder, fault))?;
    }
    Ok(())
}
