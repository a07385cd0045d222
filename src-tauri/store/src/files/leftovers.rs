//! Removes temporary files of killed programs, unless they hold an outside edit.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use super::atomic_exchange::preserve_edit;
use super::temporary::{PREFIX, RANDOM, SUFFIX, Use, hash_prefix, lock};
use crate::{Hash, regular_file};

/// Age from which a temporary file counts as abandoned where files cannot be locked.
const STALE: Duration = Duration::from_mins(1);

/// Cleans a folder before this process first writes in it.
pub fn clean_once(folder: &Path) {
    static CLEANED: LazyLock<Mutex<BTreeSet<PathBuf>>> = LazyLock::new(Mutex::default);
    let Ok(whole) = folder.canonicalize() else {
        return;
    };
    let first = CLEANED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(whole);
    if first {
        clean(folder);
    }
}

/// Removes the temporary files of killed programs from a folder while no program writes there. A
/// program at work holds the lock of its folder and of the files that its temporary names lead to.
/// An outside edit that was taken out and not put back becomes a separate file. A file that
/// cannot be removed stays.
pub fn clean(folder: &Path) {
    let Some(_lock) = lock(folder, Use::Clean) else {
        return;
    };
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name();
        let Some(hashes) = name.to_str().and_then(hashes) else {
            continue;
        };
        let path = file.path();
        let Some(_unused) = open_unused(&path) else {
            continue;
        };
        // A file that was never exchanged has never been anybody else's.
        let ours = hashes.is_empty()
            || fs::read(&path)
                .is_ok_and(|bytes| hashes.contains(&hash_prefix(&Hash::of(&bytes)).as_str()));
        // The next clean-up finds what stays.
        if ours {
            let _ = fs::remove_file(&path);
        } else {
            let _ = preserve_edit(&path, &folder.join("recovered.json"));
        }
    }
}

/// Opens a file whose program has ended, which is when its lock is free.
fn open_unused(path: &Path) -> Option<File> {
    let file = regular_file::open(path).ok()?;
    let stale = || {
        let modified = file.metadata().and_then(|found| found.modified()).ok();
        modified.is_some_and(|then| then.elapsed().is_ok_and(|age| age > STALE))
    };
    let is_unused = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => stale(),
    };
    is_unused.then_some(file)
}

/// The hashes in the name of one of our temporary files: none before its exchange, afterwards those
/// of the replaced and the new bytes.
fn hashes(name: &str) -> Option<Vec<&str>> {
    let middle = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let mut words = middle.split('-');
    let random = words.next()?;
    let hashes: Vec<&str> = words.collect();
    let hexadecimal = |word: &&str| word.len() == 16 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let ours = random.len() == RANDOM
        && random.bytes().all(|b| b.is_ascii_alphanumeric())
        && [0, 2].contains(&hashes.len())
        && hashes.iter().all(hexadecimal);
    ours.then_some(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_our_temporary_files_are_ours() {
        let check = |name: &str, expected: Option<usize>| {
            assert_eq!(hashes(name).map(|hashes| hashes.len()), expected, "{name}");
        };
        check(".promptdeck-a1B2c3.part", Some(0));
        check(
            ".promptdeck-a1B2c3-0123456789abcdef-fedcba9876543210.part",
            Some(2),
        );
        check(".promptdeck-.part", None);
        check(".promptdeck-notes of mine.part", None);
        check(".promptdeck-a-b.part", None);
        check("a.part", None);
        check(".promptdeck-a1B2c3.json", None);
    }
}
