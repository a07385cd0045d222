//! Opens regular files, and never blocks on other kinds.
//!
//! Opening a named pipe waits for its other end, and opening some devices has side effects. The
//! file type is therefore checked before and after a non-blocking open, since another file may take
//! its place in between.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file for reading. Follows links.
///
/// # Errors
/// If the file does not exist, may not be read, or is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    check(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits();
        options.custom_flags(nonblocking.cast_signed());
    }
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let fault = "not a regular file but a pipe, a socket or a device";
    Err(io::Error::new(io::ErrorKind::InvalidInput, fault))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn pipes_devices_folders_and_dangling_links_are_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "x").expect("written");
        let pipe = path("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("made");
        symlink(&pipe, path("to pipe")).expect("linked");
        symlink(path("file"), path("to file")).expect("linked");
        symlink(path("nothing"), path("dangling")).expect("linked");
        symlink("/dev/zero", path("to device")).expect("linked");
        let opens = |name: &str| open(&path(name)).is_ok();
        assert!(opens("file") && opens("to file"));
        for name in ["pipe", "to pipe", "dangling", "to device", "."] {
            assert!(!opens(name), "{name}");
        }
    }
}
