//! The temporary file beside a target: created private, filled, put on the disk, named so that a
//! left-over of it can be told from an outside edit.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::TempPath;

use super::{system, target::folder_of};
use crate::Hash;

/// What the names of our temporary files begin and end with.
pub const PREFIX: &str = ".promptdeck-";
/// See [`PREFIX`].
pub const SUFFIX: &str = ".part";
/// Random characters between them.
pub const RANDOM: usize = 6;

/// A temporary file; it goes when it is dropped.
#[derive(Debug)]
pub struct Temporary {
    file: File,
    path: TempPath,
    hash: Hash,
    // Tells those who clean up that somebody is at work in this folder.
    _lock: Option<File>,
}

/// What a folder is locked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Writing in it, as several may at a time.
    Write,
    /// Removing what others have left over, while nobody writes.
    Clean,
}

/// Locks a folder until the file is closed; none where it can't be had. The lock is advisory and
/// stands between our own programs only.
pub fn lock(folder: &Path, purpose: Use) -> Option<File> {
    let lock = File::open(folder).ok()?;
    match purpose {
        Use::Clean => lock.try_lock().ok()?,
        // Cleaning is over in a moment; a program that locks folders for good is not waited for.
        Use::Write => {
            let held = (0..50).any(|attempt| {
                if attempt > 0 {
                    thread::sleep(Duration::from_millis(2));
                }
                lock.try_lock_shared().is_ok()
            });
            held.then_some(())?;
        }
    }
    Some(lock)
}

impl Temporary {
    /// Puts bytes on the disk beside a target, in a file with the target's owner and mode. It is
    /// never readable by more people than the target is.
    pub fn beside(target: &Path, bytes: &[u8]) -> io::Result<Self> {
        let folder = folder_of(target);
        let lock = lock(folder, Use::Write);
        let replaced = match fs::metadata(target) {
            Ok(replaced) => Some(replaced),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => None,
            Err(fault) => return Err(fault),
        };
        let (file, path) = make(folder, replaced.as_ref())?.into_parts();
        // Says that it is in use, also where the folder can't be locked.
        let _ = file.try_lock();
        if let Some(replaced) = &replaced {
            system::take_over(&file, replaced)?;
        }
        (&file).write_all(bytes)?;
        file.sync_all()?;
        Ok(Self {
            file,
            path,
            hash: Hash::of(bytes),
            _lock: lock,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames it to what is not there yet.
    pub fn persist_new(self, target: &Path) -> io::Result<()> {
        Ok(self.path.persist_noclobber(target)?)
    }

    /// Renames it over what is there.
    pub fn persist(self, target: &Path) -> io::Result<()> {
        Ok(self.path.persist(target)?)
    }

    /// Takes a name that says what it may hold after an exchange: these bytes or `replaced`. What
    /// is found under this name with other bytes is an outside edit.
    pub fn announce(self, replaced: Hash) -> io::Result<Self> {
        let stem = self.path.file_name().and_then(|name| name.to_str());
        let random = stem
            .and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX))
            .unwrap_or_default();
        let name = format!(
            "{PREFIX}{random}-{}-{}{SUFFIX}",
            hash_prefix(&replaced),
            hash_prefix(&self.hash)
        );
        let named = folder_of(&self.path).join(name);
        self.path.persist_noclobber(&named)?;
        Ok(Self {
            path: TempPath::try_from_path(named)?,
            ..self
        })
    }

    /// Whether the name still leads to the file that was made, with the bytes it was filled with.
    pub fn is_untouched(&self) -> io::Result<bool> {
        let found = fs::symlink_metadata(&self.path)?;
        Ok(
            system::identity(&found) == system::identity(&self.file.metadata()?)
                && Hash::of(&fs::read(&self.path)?) == self.hash,
        )
    }

    /// Leaves what is under the name where it is, and gives its path.
    pub fn keep(mut self) -> PathBuf {
        self.path.disable_cleanup(true);
        self.path.to_path_buf()
    }
}

fn make(folder: &Path, replaced: Option<&Metadata>) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A new file is as open as the umask leaves it; one that replaces a private file is not.
        let mode = if replaced.is_some() { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = replaced;
    builder.tempfile_in(folder)
}

/// As much of a hash as names need.
pub fn hash_prefix(hash: &Hash) -> String {
    let mut text = hash.to_string();
    text.truncate(16);
    text
}
