//! Details of files in lists, such as titles: read within bounds, and cached until a file changes.
//!
//! A list is sorted by name. Small files are read at once, up to a total; larger ones are read
//! afterwards, one at a time, by the caller of [`Catalog::read_next`]. Only regular files are
//! listed, and files above [`LARGEST_READ`] are never read for a list.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Maximum size in bytes of a file read for a list; larger ones are listed by name only, and
/// opening them reports any problem. Parsing takes about forty times the size of the file in
/// memory.
pub const LARGEST_READ: u64 = 4 << 20;

/// Total size in bytes of the files read while a list is built, smallest first.
pub const READ_AT_ONCE: u64 = 256 << 10;

/// Distinguishes versions of a file without reading it.
pub type Stamp = (Option<SystemTime>, u64);

/// A regular file to be listed.
#[derive(Debug, Clone)]
pub struct ListedFile {
    /// Its path.
    pub path: PathBuf,
    /// Its name in the list.
    pub name: String,
    stamp: Stamp,
}

impl ListedFile {
    /// A path that leads to a regular file, listed as `name`. Does not open the file.
    pub fn new(path: PathBuf, name: String) -> Option<Self> {
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let stamp = (metadata.modified().ok(), metadata.len());
        Some(Self { path, name, stamp })
    }

    /// Distinguishes this version of the file from others.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Time of its last change, in milliseconds since 1970.
    pub fn changed_at(&self) -> Option<u64> {
        let since = self.stamp.0?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        u64::try_from(since.as_millis()).ok()
    }
}

/// A file that was read.
#[derive(Debug, Clone)]
struct CachedFile<E> {
    stamp: Stamp,
    /// `None` for a file that does not belong in the list.
    entry: Option<E>,
}

#[derive(Debug)]
struct State<E> {
    /// By path and name: an entry may hold the name, which is another once another folder is open.
    known: HashMap<(PathBuf, String), CachedFile<E>>,
    unread: VecDeque<ListedFile>,
}

/// Reads files for lists with entries of type `E`.
#[derive(Debug)]
pub struct Catalog<E> {
    state: Mutex<State<E>>,
    /// Entry of an unread file.
    by_name: fn(file: &ListedFile) -> E,
    /// Entry of a file; `None` if it does not belong in the list.
    read: fn(file: &ListedFile) -> Option<E>,
}

/// A list of files.
#[derive(Debug)]
pub struct Listing<E> {
    /// The entries, by file name.
    pub entries: Vec<E>,
    /// Whether some of the files have not been read yet.
    pub unread: bool,
}

impl<E: Clone> Catalog<E> {
    /// Creates an empty catalog.
    pub fn new(by_name: fn(&ListedFile) -> E, read: fn(&ListedFile) -> Option<E>) -> Self {
        Self {
            state: Mutex::new(State {
                known: HashMap::new(),
                unread: VecDeque::new(),
            }),
            by_name,
            read,
        }
    }

    /// Lists files.
    pub fn list(&self, mut files: Vec<ListedFile>) -> Listing<E> {
        files.sort_by_key(|file| file.stamp.1);
        let mut spent = 0_u64;
        let mut unread = VecDeque::new();
        let mut entries = Vec::with_capacity(files.len());
        for file in files {
            let size = file.stamp.1;
            let entry = match self.cached(&file) {
                Some(known) => known.entry,
                None if size > LARGEST_READ => Some((self.by_name)(&file)),
                None if spent.saturating_add(size) <= READ_AT_ONCE => {
                    spent = spent.saturating_add(size);
                    self.read_and_cache(&file)
                }
                None => {
                    unread.push_back(file.clone());
                    Some((self.by_name)(&file))
                }
            };
            entries.extend(entry.map(|entry| (file.name, entry)));
        }
        entries.sort_by(|(left, _), (right, _)| left.cmp(right));
        let left = !unread.is_empty();
        self.state().unread = unread;
        Listing {
            entries: entries.into_iter().map(|(_, entry)| entry).collect(),
            unread: left,
        }
    }

    /// Reads one of the files that the last list left unread; `false` if there is none.
    pub fn read_next(&self) -> bool {
        let Some(file) = self.state().unread.pop_front() else {
            return false;
        };
        self.read_and_cache(&file);
        true
    }

    /// The entry of a file, read now unless cached. `None` if the file is not listed or too large
    /// to be read for a list.
    pub fn entry(&self, path: &Path, name: &str) -> Option<E> {
        let file = ListedFile::new(path.to_owned(), name.to_owned())?;
        match self.cached(&file) {
            Some(known) => known.entry,
            None if file.stamp.1 > LARGEST_READ => None,
            None => self.read_and_cache(&file),
        }
    }

    /// The entry of a file that a list has read, as the file is now.
    pub fn read_entry(&self, path: &Path, name: &str) -> Option<E> {
        let file = ListedFile::new(path.to_owned(), name.to_owned())?;
        self.cached(&file)?.entry
    }

    fn cached(&self, file: &ListedFile) -> Option<CachedFile<E>> {
        let state = self.state();
        let known = state.known.get(&key(file));
        known.filter(|known| known.stamp == file.stamp).cloned()
    }

    /// No lock is held while the file is read.
    fn read_and_cache(&self, file: &ListedFile) -> Option<E> {
        let entry = (self.read)(file);
        let known = CachedFile {
            stamp: file.stamp,
            entry: entry.clone(),
        };
        self.state().known.insert(key(file), known);
        entry
    }

    fn state(&self) -> MutexGuard<'_, State<E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(file: &ListedFile) -> (PathBuf, String) {
    (file.path.clone(), file.name.clone())
}

/// Regular files of a folder, those behind links included; hidden ones, and whatever else lies
/// there, are left out.
///
/// # Errors
/// If the folder cannot be read.
pub fn regular_files(
    folder: &Path,
    is_listed: impl Fn(&str) -> bool,
) -> io::Result<Vec<ListedFile>> {
    let mut files = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let Some(name) = file.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        if name.starts_with('.') || !is_listed(&name) {
            continue;
        }
        files.extend(ListedFile::new(file.path(), name));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog<String> {
        let read = |file: &ListedFile| {
            let text = fs::read_to_string(&file.path).ok()?;
            (text != "other").then(|| format!("{}: {}", file.name, text.len()))
        };
        Catalog::new(|file| file.name.clone(), read)
    }

    #[test]
    fn small_files_are_read_at_once_and_the_rest_one_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let half = usize::try_from(READ_AT_ONCE / 2).expect("fits");
        let write = |name: &str, text: String| {
            fs::write(folder.path().join(name), text).expect("written");
        };
        write("a", "x".repeat(half + 2));
        write("b", "x".repeat(half));
        write("c", "x".repeat(half + 1));
        write("d", "other".to_owned());
        let large = usize::try_from(LARGEST_READ).expect("fits") + 1;
        write("e", "x".repeat(large));
        let catalog = catalog();
        let list = || catalog.list(regular_files(folder.path(), |_| true).expect("read"));
        let first = list();
        assert_eq!(first.entries, ["a", &format!("b: {half}"), "c", "e"]);
        assert!(first.unread);
        assert!(catalog.read_next() && catalog.read_next() && !catalog.read_next());
        let (a, c) = (format!("a: {}", half + 2), format!("c: {}", half + 1));
        let second = list();
        assert_eq!(second.entries, [a.as_str(), &format!("b: {half}"), &c, "e"]);
        assert!(!second.unread, "what is too large is not waited for");
        write("a", "changed".to_owned());
        assert_eq!(list().entries[0], "a: 7");
    }
}
