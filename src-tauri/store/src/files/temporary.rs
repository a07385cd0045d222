//! The temporary file beside a target: created private, filled, synced, and named so that a
//! left-over can be distinguished from an outside edit.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::TempPath;

use super::{system, target::folder_of};
use crate::Hash;

/// Prefix of the names of our temporary files.
pub const PREFIX: &str = ".promptdeck-";
/// Suffix of the names of our temporary files.
pub const SUFFIX: &str = ".part";
/// Number of random characters between prefix and suffix.
pub const RANDOM: usize = 6;

/// A temporary file, deleted on drop.
#[derive(Debug)]
pub struct Temporary {
    file: File,
    path: TempPath,
    hash: Hash,
    // Marks the folder as in use, for programs that clean it up.
    _lock: Option<File>,
}

/// Purpose of a folder lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Writing in it, possibly by several programs at once.
    Write,
    /// Removing left-overs while no program writes.
    Clean,
}

/// Locks a folder until the returned file is closed; `None` if the lock is not available. The lock
/// is advisory and concerns only our own programs.
pub fn lock(folder: &Path, purpose: Use) -> Option<File> {
    let lock = File::open(folder).ok()?;
    match purpose {
        Use::Clean => lock.try_lock().ok()?,
        // Cleaning is brief. The wait is bounded because another program may lock the folder for
        // good.
        Use::Write => {
            let acquired = (0..50).any(|attempt| {
                if attempt > 0 {
                    thread::sleep(Duration::from_millis(2));
                }
                lock.try_lock_shared().is_ok()
            });
            acquired.then_some(())?;
        }
    }
    Some(lock)
}

impl Temporary {
    /// Writes and syncs bytes to a file beside the target, with the target's owner and mode. The
    /// file is never readable by more users than the target.
    pub fn beside(target: &Path, bytes: &[u8]) -> io::Result<Self> {
        let folder = folder_of(target);
        let lock = lock(folder, Use::Write);
        let replaced = match fs::metadata(target) {
            Ok(replaced) => Some(replaced),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => None,
            Err(fault) => return Err(fault),
        };
        let (file, path) = make(folder, replaced.as_ref())?.into_parts();
        // Marks the file as in use even where the folder cannot be locked.
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

    /// Current path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the file to a name that must be free.
    pub fn persist_new(self, target: &Path) -> io::Result<()> {
        Ok(self.path.persist_noclobber(target)?)
    }

    /// Renames the file, replacing an existing one.
    pub fn persist(self, target: &Path) -> io::Result<()> {
        Ok(self.path.persist(target)?)
    }

    /// Renames the file so that its name states what it may hold after an exchange: these bytes or
    /// `replaced`. Other content under this name is an outside edit.
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

    /// Whether the name still leads to the file that was created, with its original bytes.
    pub fn is_untouched(&self) -> io::Result<bool> {
        let found = fs::symlink_metadata(&self.path)?;
        Ok(
            system::identity(&found) == system::identity(&self.file.metadata()?)
                && Hash::of(&fs::read(&self.path)?) == self.hash,
        )
    }

    /// Disables deletion and returns the path.
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
        // A new file gets the permissions of the umask; one that replaces a private file stays
        // private.
        let mode = if replaced.is_some() { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = replaced;
    builder.tempfile_in(folder)
}

/// The part of a hash used in names.
pub fn hash_prefix(hash: &Hash) -> String {
    let mut text = hash.to_string();
    text.truncate(16);
    text
}
