//! Operating system differences: exchanging two files, owners, descriptors, free space.

#[cfg(unix)]
pub use unix::*;

#[cfg(not(unix))]
pub use other::*;

#[cfg(unix)]
mod unix {
    use std::fs::{self, File, Metadata, Permissions};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    use rustix::fs::{Access, AtFlags, CWD, Gid, Uid};
    use rustix::io::Errno;

    /// Device and inode: equal for two names of one file.
    pub fn identity(file: &Metadata) -> (u64, u64) {
        (file.dev(), file.ino())
    }

    /// Exchanges two files atomically; `false` where the system or the file system does not support
    /// it.
    pub fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_vendor = "apple"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
                Ok(()) => Ok(true),
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
                Err(fault) => Err(fault.into()),
            }
        }
        #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
        {
            let _ = (one, other);
            Ok(false)
        }
    }

    /// Renames a file unless the new name is taken; `false` where the system cannot do both at once.
    pub fn rename_to_free_name(from: &Path, to: &Path) -> io::Result<bool> {
        #[cfg(any(target_os = "linux", target_vendor = "apple"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
                Ok(()) => return Ok(true),
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        // A link takes a free name only. If the program ends here, the file has two names.
        match fs::hard_link(from, to) {
            Ok(()) => fs::remove_file(from).map(|()| true),
            Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Err(fault),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Err(fault),
            Err(_) => Ok(false),
        }
    }

    /// Fails if this user may not change the names in a folder.
    pub fn writable_folder(folder: &Path) -> io::Result<()> {
        writable(folder)
    }

    /// Fails if this user may not write the file. The rename that replaces it checks only the
    /// folder's permissions.
    pub fn writable(path: &Path) -> io::Result<()> {
        // Root may write any file, but a file that nobody may write is protected on purpose.
        if fs::metadata(path)?.permissions().readonly() {
            return Err(Errno::ACCESS.into());
        }
        Ok(rustix::fs::accessat(
            CWD,
            path,
            Access::WRITE_OK,
            AtFlags::EACCESS,
        )?)
    }

    /// Gives a new file the owner and mode of the one it replaces, as far as this user may.
    pub fn take_over(file: &File, replaced: &Metadata) -> io::Result<()> {
        let mut mode = replaced.mode() & 0o7777;
        let metadata = file.metadata()?;
        let (uid, gid) = (replaced.uid(), replaced.gid());
        if (metadata.uid(), metadata.gid()) != (uid, gid) {
            let (owner, group) = (Uid::from_raw(uid), Gid::from_raw(gid));
            let group_set = rustix::fs::fchown(file, Some(owner), Some(group)).is_ok()
                || rustix::fs::fchown(file, None, Some(group)).is_ok();
            if !group_set && metadata.gid() != gid {
                // The group changed, so it gets only the permissions that everybody has.
                mode = mode & !0o2070 | (mode & 0o007) << 3;
            }
            if file.metadata()?.uid() != uid {
                mode &= !0o4000;
            }
        }
        file.set_permissions(Permissions::from_mode(mode))
    }

    /// Whether a path names an open descriptor, such as `/dev/fd/63`.
    pub fn is_descriptor(path: &Path) -> bool {
        let number = path.file_name().and_then(|name| name.to_str());
        let number = number.is_some_and(|name| name.parse::<u32>().is_ok());
        number
            && folder_of(path).is_some_and(|folder| {
                folder == Path::new("/dev/fd")
                    || folder.starts_with("/proc") && folder.ends_with("fd")
            })
    }

    /// Standard output or error, sharing its position, if the path names one of them.
    pub fn standard_stream(path: &Path) -> Option<io::Result<File>> {
        let shared = match path.file_name()?.to_str()? {
            "1" => io::stdout().as_fd().try_clone_to_owned(),
            "2" => io::stderr().as_fd().try_clone_to_owned(),
            _ => return None,
        };
        let fd_dir = PathBuf::from(format!("/proc/{}/fd", std::process::id()));
        let folder = folder_of(path)?;
        (folder == fd_dir || folder == Path::new("/dev/fd")).then(|| shared.map(File::from))
    }

    fn folder_of(path: &Path) -> Option<PathBuf> {
        fs::canonicalize(path.parent()?).ok()
    }

    /// Syncs a folder, which makes renames in it durable.
    pub fn sync_folder(folder: &Path) -> io::Result<()> {
        match File::open(folder) {
            Ok(folder) => folder.sync_all(),
            // A user may be allowed to write in a folder but not to list it.
            Err(fault) if fault.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    /// Bytes this user may still write to the disk of a folder.
    pub fn free_space(folder: &Path) -> Option<u64> {
        let disk = rustix::fs::statvfs(folder).ok()?;
        // Without a free inode no file can be created.
        let room = disk.f_files == 0 || disk.f_favail > 0;
        Some(if room {
            disk.f_bavail * disk.f_frsize
        } else {
            0
        })
    }

    /// Mount point of the disk of a folder.
    pub fn mount_point(folder: &Path) -> PathBuf {
        let whole = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let device = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
        let on = device(&whole);
        let mount = whole
            .ancestors()
            .take_while(|each| device(each) == on)
            .last();
        mount.unwrap_or(&whole).to_owned()
    }
}

#[cfg(not(unix))]
mod other {
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::path::{Path, PathBuf};

    /// Not available: files are compared by their other properties.
    pub fn identity(_: &Metadata) -> (u64, u64) {
        (0, 0)
    }

    /// Not available.
    pub fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Not available.
    pub fn rename_to_free_name(_: &Path, _: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Folders have no mark that says so on this system.
    pub fn writable_folder(_: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Fails if the file is marked read-only.
    pub fn writable(path: &Path) -> io::Result<()> {
        if fs::metadata(path)?.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(())
    }

    /// Not needed: the folder determines the permissions.
    pub fn take_over(_: &File, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// Paths name no descriptors on this system.
    pub fn is_descriptor(_: &Path) -> bool {
        false
    }

    /// Paths name no descriptors on this system.
    pub fn standard_stream(_: &Path) -> Option<io::Result<File>> {
        None
    }

    /// Folders cannot be opened on this system.
    pub fn sync_folder(_: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Not queried on this system.
    pub fn free_space(_: &Path) -> Option<u64> {
        None
    }

    /// The folder itself identifies its disk.
    pub fn mount_point(folder: &Path) -> PathBuf {
        folder.to_owned()
    }
}
