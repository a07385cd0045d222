//! The system's trash: puts a file there, and takes it out again.
//!
//! Putting is the business of the `trash` crate. Restoring is done here: the crate's own restore
//! makes an empty file at the old place first, which a kill would leave behind, and its list reads
//! the trash of every mounted disk.

use std::io;
use std::path::{Path, PathBuf};

use crate::StoreError;

/// A file in the trash.
#[derive(Debug)]
pub struct Trashed {
    original: PathBuf,
    #[cfg(all(unix, not(target_vendor = "apple")))]
    identity: (u64, u64),
}

/// Moves a file, or the link it is, to the trash.
///
/// # Errors
/// [`StoreError::File`] if there is no such file, [`StoreError::NoTrash`] if it cannot be moved
/// there. The file is where it was then.
pub fn trash(path: &Path) -> Result<Trashed, StoreError> {
    let missing = |fault| StoreError::file("delete", path, fault);
    let found = path.symlink_metadata().map_err(missing)?;
    let refused = |reason: String| StoreError::NoTrash {
        path: path.to_owned(),
        why: reason,
    };
    // The crate would move the file by the rights of its folder alone.
    super::system::writable_folder(super::target::folder_of(path))
        .map_err(|fault| StoreError::file("delete", path, fault))?;
    trash::delete(path).map_err(|fault| refused(in_words(&fault)))?;
    if path.symlink_metadata().is_ok() {
        return Err(refused("the system left it where it is".to_owned()));
    }
    #[cfg(not(all(unix, not(target_vendor = "apple"))))]
    let _ = found;
    Ok(Trashed {
        original: path.to_owned(),
        #[cfg(all(unix, not(target_vendor = "apple")))]
        identity: super::system::identity(&found),
    })
}

fn in_words(fault: &trash::Error) -> String {
    match fault {
        trash::Error::FileSystem { path, source } => format!("{}: {source}", path.display()),
        trash::Error::Unknown { description } | trash::Error::Os { description, .. } => {
            description.lines().next().unwrap_or_default().to_owned()
        }
        _ => "the system has no trash for it".to_owned(),
    }
}

impl Trashed {
    /// Path at which the file was.
    #[must_use]
    pub fn original(&self) -> &Path {
        &self.original
    }

    /// Moves the file back to where it was, unless a file of that name is there again.
    ///
    /// # Errors
    /// [`StoreError::NotInTrash`] if it is not found in the trash, or the system cannot restore
    /// files; [`StoreError::File`] if the name is taken or the file cannot be moved.
    pub fn restore(&self) -> Result<(), StoreError> {
        let found = self.find().ok_or_else(|| StoreError::NotInTrash {
            path: self.original.clone(),
        })?;
        let folder = super::target::folder_of(&self.original);
        std::fs::create_dir_all(folder)
            .map_err(|fault| StoreError::file("create the folder", folder, fault))?;
        match super::relocate(&found.file, &self.original) {
            Err(StoreError::File { source, .. })
                if source.kind() == io::ErrorKind::CrossesDevices =>
            {
                let bytes = super::read(&found.file, u64::MAX)?;
                super::create(&self.original, &bytes)?;
                // What stays is a second copy in the trash.
                let _ = std::fs::remove_file(&found.file);
            }
            moved => moved?,
        }
        // Left behind, it is a line in the list of the trash that leads nowhere.
        let _ = std::fs::remove_file(&found.info);
        Ok(())
    }

    #[cfg(not(all(unix, not(target_vendor = "apple"))))]
    fn find(&self) -> Option<InTrash> {
        None
    }

    /// Looks for the very file: names repeat in a trash.
    #[cfg(all(unix, not(target_vendor = "apple")))]
    fn find(&self) -> Option<InTrash> {
        freedesktop::folders(&self.original)
            .iter()
            .find_map(|trash| freedesktop::find(trash, self.identity))
    }
}

/// Where a file is in the trash.
struct InTrash {
    file: PathBuf,
    /// The note of where it came from.
    info: PathBuf,
}

/// The folders of the freedesktop.org trash specification.
#[cfg(all(unix, not(target_vendor = "apple")))]
mod freedesktop {
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::InTrash;
    use crate::files::system;

    /// The trash of the user and those of the disk on which the file was.
    pub fn folders(original: &Path) -> Vec<PathBuf> {
        let data = env::var_os("XDG_DATA_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .or_else(|| env::home_dir().map(|home| home.join(".local/share")));
        let disk = system::mount_point(crate::files::folder_of(original));
        let user = rustix::process::getuid().as_raw();
        data.map(|data| data.join("Trash"))
            .into_iter()
            .chain([
                disk.join(".Trash").join(user.to_string()),
                disk.join(format!(".Trash-{user}")),
            ])
            .collect()
    }

    /// The file with this identity.
    pub fn find(trash: &Path, identity: (u64, u64)) -> Option<InTrash> {
        let entries = fs::read_dir(trash.join("files")).ok()?.flatten();
        for entry in entries {
            let path = entry.path();
            let same = path
                .symlink_metadata()
                .is_ok_and(|found| system::identity(&found) == identity);
            if same {
                let mut info = entry.file_name();
                info.push(".trashinfo");
                return Some(InTrash {
                    file: path,
                    info: trash.join("info").join(info),
                });
            }
        }
        None
    }
}
