//! Finds the `.json` files of a folder and its sub-folders, within bounds: a folder of anything may
//! be opened. Links to folders are not followed, as they can lead outside or back.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::names::{self, is_listed_folder, is_registry_name};
use crate::calls::folder::CALLS;
use crate::catalog::ListedFile;

/// How many folders deep registries are listed.
pub(super) const DEEPEST: usize = 4;

/// How many names are read in all. The folder itself comes first, then what is nearest to it.
const MOST_NAMES: usize = 20_000;

/// A sub-folder.
#[derive(Debug)]
pub(super) struct SubFolder {
    /// Name, as steps below the folder.
    pub(super) name: String,
    /// Whether there is nothing in it.
    pub(super) is_empty: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) files: Vec<ListedFile>,
    pub(super) folders: Vec<SubFolder>,
    /// Whether there was more than is read.
    pub(super) cut: bool,
}

/// Whether a registry is in a sub-folder, at whatever depth.
pub(crate) fn is_inside(file: &str, folder: &str) -> bool {
    let rest = file.strip_prefix(folder);
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Looks through a folder. A sub-folder that cannot be read counts as one with other things in it.
///
/// # Errors
/// If the folder itself cannot be read.
pub(super) fn walk(root: &Path) -> io::Result<Tree> {
    let mut tree = Tree::default();
    let mut left = MOST_NAMES;
    let mut queue: VecDeque<(PathBuf, String, usize)> = VecDeque::new();
    read(&mut tree, &mut queue, &mut left, (root, "", 0))?;
    while let Some((path, name, depth)) = queue.pop_front() {
        let read = read(&mut tree, &mut queue, &mut left, (&path, &name, depth));
        tree.folders.push(SubFolder {
            name,
            is_empty: read.is_ok_and(|names| names == 0),
        });
    }
    Ok(tree)
}

/// The folders of call documents, as steps below a folder of registries: its own, whether it exists
/// or not, and those of its sub-folders, within the bounds of the registries. Reads no file.
pub(crate) fn call_folders(root: &Path) -> Vec<String> {
    let mut found = vec![CALLS.to_owned()];
    let mut left = MOST_NAMES;
    let mut queue = VecDeque::from([(String::new(), 0)]);
    while let Some((folder, depth)) = queue.pop_front() {
        let entries = fs::read_dir(root.join(&folder)).into_iter().flatten();
        for entry in entries.flatten() {
            let Some(rest) = left.checked_sub(1) else {
                return found;
            };
            left = rest;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let Some(name) = entry
                .file_name()
                .to_str()
                .filter(|_| is_folder)
                .map(str::to_owned)
            else {
                continue;
            };
            if name == CALLS && depth > 0 {
                found.push(names::join(&folder, &name));
            } else if depth < DEEPEST && is_listed_folder(&name) {
                queue.push_back((names::join(&folder, &name), depth + 1));
            }
        }
    }
    found
}

/// Reads one folder and gives the number of names in it.
fn read(
    tree: &mut Tree,
    queue: &mut VecDeque<(PathBuf, String, usize)>,
    left: &mut usize,
    (path, folder, depth): (&Path, &str, usize),
) -> io::Result<usize> {
    let mut found = 0;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        found += 1;
        if *left == 0 {
            tree.cut = true;
            break;
        }
        *left -= 1;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if depth < DEEPEST && is_listed_folder(&name) {
                queue.push_back((entry.path(), names::join(folder, &name), depth + 1));
            }
        } else if is_registry_name(&name) {
            let name = names::join(folder, &name);
            tree.files.extend(ListedFile::new(entry.path(), name));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path) -> Vec<String> {
        let mut names: Vec<_> = walk(root).expect("read").files;
        names.sort_by(|one, other| one.name.cmp(&other.name));
        names.into_iter().map(|file| file.name).collect()
    }

    #[test]
    fn registries_are_found_in_sub_folders_within_bounds() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |name: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "{}").expect("written");
        };
        for name in [
            "a.json",
            "finals/b.json",
            "1/2/3/4/c.json",
            "1/2/3/4/5/deep.json",
            ".git/hidden.json",
            "calls/call.json",
            "finals/notes.txt",
        ] {
            write(name);
        }
        assert_eq!(
            names(root.path()),
            ["1/2/3/4/c.json", "a.json", "finals/b.json"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_is_not_followed() {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir(root.path().join("sub")).expect("made");
        fs::write(root.path().join("sub/a.json"), "{}").expect("written");
        std::os::unix::fs::symlink("..", root.path().join("sub/loop")).expect("linked");
        std::os::unix::fs::symlink("sub/a.json", root.path().join("b.json")).expect("linked");
        assert_eq!(names(root.path()), ["b.json", "sub/a.json"]);
    }

    #[test]
    fn a_folder_of_anything_is_read_to_a_limit() {
        let root = tempfile::tempdir().expect("a folder");
        for number in 0..=MOST_NAMES {
            fs::write(root.path().join(format!("{number}.txt")), "").expect("written");
        }
        assert!(walk(root.path()).expect("read").cut);
    }
}
