//! Exchanges the new file with the old one and keeps an outside edit made in between.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::Replaced;
use super::beside;
use super::system;
use super::target::folder_of;
use super::temporary::Temporary;
use crate::{Hash, StoreError};

/// Hash of a file's content; `None` if there is no file. Messages name `path`.
///
/// # Errors
/// [`StoreError::File`] if the file cannot be read.
pub fn hash(target: &Path, path: &Path) -> Result<Option<Hash>, StoreError> {
    match fs::read(target) {
        Ok(bytes) => Ok(Some(Hash::of(&bytes))),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(StoreError::file("read", path, fault)),
    }
}

/// Moves the new file to a free name. The rename is durable only once the folder is synced.
pub fn make(new: Temporary, target: &Path) -> io::Result<Replaced> {
    match new.persist_new(target) {
        Ok(()) => Ok(Replaced::Written),
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => Ok(Replaced::ChangedOutside),
        Err(fault) => Err(fault),
    }
}

/// How long a program may take between opening a file and writing to it.
const GRACE: Duration = Duration::from_millis(2);

/// Properties that identify a file and change when it is written to.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    identity: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        Self {
            identity: system::identity(found),
            length: found.len(),
            modified: found.modified().ok(),
        }
    }

    /// The stamp of a regular file; `None` for anything else.
    fn at(path: &Path) -> io::Result<Option<Self>> {
        let found = fs::symlink_metadata(path)?;
        Ok(found.is_file().then(|| Self::of(&found)))
    }
}

/// Replaces a file that holds `expected`.
pub fn exchange(new: Temporary, target: &Path, expected: Hash) -> io::Result<Replaced> {
    let new = new.announce(expected)?;
    match compare(target, expected)? {
        Some(old) => take_place(new, target, expected, &old.stamp),
        None => Ok(Replaced::ChangedOutside),
    }
}

/// Replaces a file that held `expected` a moment ago, then inspects the file it took out.
fn take_place(
    new: Temporary,
    target: &Path,
    expected: Hash,
    stamp: &Stamp,
) -> io::Result<Replaced> {
    match system::exchange(new.path(), target) {
        Ok(true) => {}
        Ok(false) => {
            new.persist(target)?;
            system::sync_folder(folder_of(target))?;
            return Ok(Replaced::Written);
        }
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            return Ok(Replaced::ChangedOutside);
        }
        Err(fault) => return Err(fault),
    }
    // From here on the temporary name leads to the file taken out, which must not be removed until
    // it proves to be the expected one.
    match was_expected(new.path(), stamp, expected, target) {
        Ok(true) => Ok(Replaced::Written),
        Ok(false) => put_back(new, target),
        Err(fault) => {
            new.keep();
            Err(fault)
        }
    }
}

/// The file about to be replaced.
struct Old {
    stamp: Stamp,
    /// Its lock: after the exchange a temporary name leads to this file, and no clean-up may remove
    /// it.
    _file: File,
}

/// The file at a path, if it holds the expected content.
fn compare(target: &Path, expected: Hash) -> io::Result<Option<Old>> {
    let missing = |fault: io::Error| match fault.kind() {
        io::ErrorKind::NotFound => Ok(None),
        _ => Err(fault),
    };
    let file = match File::open(target) {
        Ok(file) => file,
        Err(fault) => return missing(fault),
    };
    let _ = file.try_lock_shared();
    let stamp = Stamp::of(&file.metadata()?);
    let bytes = match fs::read(target) {
        Ok(bytes) => bytes,
        Err(fault) => return missing(fault),
    };
    Ok((Hash::of(&bytes) == expected).then_some(Old { stamp, _file: file }))
}

/// Whether the file taken out is the one compared. A program that opened the file before the
/// exchange may still write to it, so this waits for [`GRACE`]; syncing the exchange to disk takes
/// most of that time anyway.
fn was_expected(taken: &Path, stamp: &Stamp, expected: Hash, target: &Path) -> io::Result<bool> {
    if Stamp::at(taken)?.as_ref() != Some(stamp) {
        return Ok(false);
    }
    let started = Instant::now();
    system::sync_folder(folder_of(target))?;
    thread::sleep(GRACE.saturating_sub(started.elapsed()));
    let same = Hash::of(&fs::read(taken)?) == expected;
    Ok(same && Stamp::at(taken)?.as_ref() == Some(stamp))
}

/// Exchanges the files back after an outside edit was taken out.
fn put_back(new: Temporary, target: &Path) -> io::Result<Replaced> {
    match system::exchange(new.path(), target) {
        Ok(_) => {}
        // Another program removed the file since; the edit is worth more than the removal.
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            let edit = new.keep();
            preserve_edit(&edit, target)?;
            return Ok(Replaced::ChangedOutside);
        }
        Err(fault) => {
            new.keep();
            return Err(fault);
        }
    }
    match new.is_untouched() {
        Ok(true) => Ok(Replaced::ChangedOutside),
        // A second outside edit hit the new bytes while they were in place. It is the newer one and
        // stays in the file; the first one is preserved beside it.
        Ok(false) => {
            let exchanged = system::exchange(new.path(), target);
            let edit = new.keep();
            exchanged?;
            preserve_edit(&edit, target)?;
            Ok(Replaced::ChangedOutside)
        }
        Err(fault) => {
            new.keep();
            Err(fault)
        }
    }
}

/// Gives an outside edit a separate name: the name of the edited file if it is free, otherwise
/// one derived from it.
pub fn preserve_edit(edit: &Path, target: &Path) -> io::Result<PathBuf> {
    let target_name = std::iter::once(target.to_owned());
    for beside in target_name.chain(beside::names(target, "outside-edit")) {
        match tempfile::TempPath::try_from_path(edit)?.persist_noclobber(&beside) {
            Ok(()) => return Ok(beside),
            Err(fault) => {
                let mut path = fault.path;
                path.disable_cleanup(true);
                if fault.error.kind() != io::ErrorKind::AlreadyExists {
                    return Err(fault.error);
                }
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(all(test, any(target_os = "linux", target_vendor = "apple")))]
mod tests {
    use super::*;

    const OLD: &[u8] = b"old";
    const NEW: &[u8] = b"new";

    struct Case {
        folder: tempfile::TempDir,
        target: PathBuf,
    }

    impl Case {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let target = folder.path().join("a.json");
            fs::write(&target, OLD).expect("written");
            Self { folder, target }
        }

        fn temporary(&self) -> Temporary {
            Temporary::beside(&self.target, NEW)
                .and_then(|new| new.announce(Hash::of(OLD)))
                .expect("made")
        }

        /// Replaces the file and runs `edit` between the last comparison and the exchange.
        fn replace(&self, edit: impl FnOnce(&Path)) -> Replaced {
            let new = self.temporary();
            let stamp = compare(&self.target, Hash::of(OLD)).expect("read");
            edit(&self.target);
            take_place(
                new,
                &self.target,
                Hash::of(OLD),
                &stamp.expect("as expected").stamp,
            )
            .expect("answered")
        }

        /// The files in the folder with their content.
        fn files(&self) -> Vec<(String, String)> {
            let mut files: Vec<_> = fs::read_dir(self.folder.path())
                .expect("listed")
                .map(|file| {
                    let file = file.expect("listed");
                    let text = fs::read_to_string(file.path()).unwrap_or_default();
                    (file.file_name().into_string().expect("a name"), text)
                })
                .collect();
            files.sort();
            files
        }

        fn hold(&self, expected: &[(&str, &str)]) {
            let files = self.files();
            let files: Vec<_> = files
                .iter()
                .map(|(a, b)| (a.as_str(), b.as_str()))
                .collect();
            assert_eq!(files, expected);
        }
    }

    #[test]
    fn an_unchanged_file_is_replaced() {
        let case = Case::new();
        assert_eq!(case.replace(|_| ()), Replaced::Written);
        case.hold(&[("a.json", "new")]);
    }

    #[test]
    fn an_edit_after_the_last_comparison_stays_however_it_is_made() {
        let in_place = |target: &Path| fs::write(target, "edit").expect("written");
        let renamed = |target: &Path| {
            let other = target.with_extension("other");
            fs::write(&other, "edit").expect("written");
            fs::rename(other, target).expect("renamed");
        };
        let edits: [&dyn Fn(&Path); 2] = [&in_place, &renamed];
        for edit in edits {
            let case = Case::new();
            assert_eq!(case.replace(edit), Replaced::ChangedOutside);
            case.hold(&[("a.json", "edit")]);
        }
        // Same length and same time stamp.
        let case = Case::new();
        let same = |target: &Path| {
            let then = fs::metadata(target).and_then(|found| found.modified());
            fs::write(target, "OLD").expect("written");
            let file = File::options().write(true).open(target).expect("opened");
            file.set_modified(then.expect("known")).expect("set");
        };
        assert_eq!(case.replace(same), Replaced::ChangedOutside);
        case.hold(&[("a.json", "OLD")]);
        // A link in the file's place is an outside change too.
        let case = Case::new();
        let linked = |target: &Path| {
            fs::rename(target, target.with_extension("real")).expect("renamed");
            std::os::unix::fs::symlink("a.real", target).expect("linked");
        };
        assert_eq!(case.replace(linked), Replaced::ChangedOutside);
        case.hold(&[("a.json", "old"), ("a.real", "old")]);
    }

    #[test]
    fn a_file_removed_after_the_last_comparison_stays_removed() {
        let case = Case::new();
        let removed = |target: &Path| fs::remove_file(target).expect("removed");
        assert_eq!(case.replace(removed), Replaced::ChangedOutside);
        case.hold(&[]);
    }

    #[test]
    fn a_second_edit_upon_the_new_bytes_stays_and_the_first_is_set_aside() {
        let case = Case::new();
        let new = case.temporary();
        fs::write(&case.target, "first").expect("written");
        assert!(system::exchange(new.path(), &case.target).expect("exchanged"));
        fs::write(&case.target, "second").expect("written");
        assert_eq!(
            put_back(new, &case.target).expect("answered"),
            Replaced::ChangedOutside
        );
        case.hold(&[("a.json", "second"), ("a.outside-edit-1.json", "first")]);
    }

    #[test]
    fn an_edit_whose_file_was_removed_meanwhile_is_put_back() {
        let case = Case::new();
        let new = case.temporary();
        fs::write(&case.target, "edit").expect("written");
        assert!(system::exchange(new.path(), &case.target).expect("exchanged"));
        fs::remove_file(&case.target).expect("removed");
        assert_eq!(
            put_back(new, &case.target).expect("answered"),
            Replaced::ChangedOutside
        );
        case.hold(&[("a.json", "edit")]);
    }
}
