//! The input files of `check`, `fmt`, `test`, `impact` and `doctor`: named files, and the registries in
//! named folders.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use promptdeck_checks::is_checks_name;
use promptdeck_core::plural::plural;
use promptdeck_request::document::{Content, OtherContent};
use walkdir::{DirEntry, WalkDir};

use crate::{failure::Failure, input, output};

/// Maximum depth of nested folders.
const MAX_DEPTH: usize = 32;

/// Maximum number of files read in a folder.
const MAX_FILES: usize = 10_000;

/// An input file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether a folder contained it. Files in folders that are not registries are skipped.
    pub found: bool,
}

impl InputFile {
    /// What the file holds, of which these are the bytes.
    pub fn content(&self, bytes: &[u8]) -> Content {
        let name = input::name_of(&self.path);
        match self.found {
            true => Content::of_found(&name, bytes),
            false => Content::of(&name, bytes),
        }
    }
}

/// A link or a folder that cannot be read, or a file that is refused.
pub struct Unread {
    /// Its path.
    pub path: PathBuf,
    /// Why.
    pub failure: Failure,
    /// Whether it is the place of one file, and not of any number.
    pub is_file: bool,
}

impl Unread {
    /// Its name in messages and reports.
    pub fn name(&self) -> String {
        input::name_of(&self.path)
    }
}

/// What some paths name or contain.
#[derive(Default)]
pub struct Listing {
    /// The files.
    pub files: Vec<InputFile>,
    /// What cannot be read of the folders.
    pub unread: Vec<Unread>,
    /// The folders without files.
    pub empty: Vec<PathBuf>,
}

/// The input files of the paths: the files themselves, or the JSON files in the folders other than
/// files of checks, sorted by name. Skips hidden files and folders and installed packages; follows links
/// to files, as the studio does, and names the links to folders, which it does not enter. A sub-folder
/// or a link that cannot be read is listed as such, and the others are read.
pub fn of(paths: &[PathBuf]) -> Listing {
    listed(paths, |file| !file.found || !is_checks(&file.path))
}

/// As [`of`], files of checks included.
pub fn with_checks(paths: &[PathBuf]) -> Listing {
    listed(paths, |_| true)
}

fn listed(paths: &[PathBuf], is_wanted: impl Fn(&InputFile) -> bool) -> Listing {
    let mut listing = Listing::default();
    for path in paths {
        let before = (listing.files.len(), listing.unread.len());
        walk(path, &mut listing);
        listing.files.retain(&is_wanted);
        if (listing.files.len(), listing.unread.len()) == before {
            listing.empty.push(path.clone());
        }
    }
    listing
}

/// Whether a file is one of checks by its name.
pub fn is_checks(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(is_checks_name)
}

/// Adds the input files of a path, files of checks included.
fn walk(path: &Path, listing: &mut Listing) {
    let first = listing.files.len();
    if input::is_stdin(path) || !path.is_dir() {
        listing.files.push(InputFile {
            path: path.to_owned(),
            found: false,
        });
        return;
    }
    let visible = |entry: &DirEntry| {
        let name = entry.file_name();
        let hidden = name.as_encoded_bytes().starts_with(b".") || name == "node_modules";
        entry.depth() == 0 || !hidden
    };
    let mut linked_folders = Vec::new();
    let walk = WalkDir::new(path).max_depth(MAX_DEPTH).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(visible) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                listing.unread.push(unreadable_folder(&error, path));
                continue;
            }
        };
        let is_json = entry
            .path()
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        let mut kind = entry.file_type();
        if entry.path_is_symlink() && entry.depth() > 0 {
            kind = match fs::metadata(entry.path()) {
                Ok(target) => target.file_type(),
                Err(error) => {
                    if is_json {
                        listing.unread.push(broken_link(entry.path(), &error));
                    }
                    continue;
                }
            };
            if kind.is_dir() {
                linked_folders.push(input::name_of(entry.path()));
            }
        }
        if !is_json || !kind.is_file() {
            continue;
        }
        if listing.files.len() - first == MAX_FILES {
            let message = format!(
                "{} holds more than {MAX_FILES} JSON files; name a folder below it",
                path.display()
            );
            listing.files.truncate(first);
            listing.unread.push(Unread {
                path: path.to_owned(),
                failure: Failure::input("too_many_files", message),
                is_file: false,
            });
            return;
        }
        listing.files.push(InputFile {
            path: entry.into_path(),
            found: true,
        });
    }
    if !linked_folders.is_empty() {
        let names = linked_folders.join(", ");
        output::note(&format!(
            "links to folders are not entered: {names}; name such a folder to read it"
        ));
    }
}

/// Files skipped because they are not registries, and folders without files.
#[derive(Debug, Default)]
pub struct SkippedFiles {
    /// Named files and what they hold.
    named: Vec<(PathBuf, OtherContent)>,
    /// Files in folders that are probably meant to be registries but are not, and what they hold.
    probable: Vec<(PathBuf, OtherContent)>,
    /// Number of files in folders.
    pub found: usize,
    /// Folders without files.
    pub empty: Vec<PathBuf>,
}

/// Files and folders in which nothing was read.
pub struct LeftOut {
    /// What cannot pass.
    pub refused: Vec<Unread>,
    /// What is probably a mistake.
    pub warned: Vec<Unread>,
}

/// The stable code of a folder without registries.
pub const NO_REGISTRY: &str = "no_registry";

/// The failure of a folder in which nothing was read.
fn no_registry(folder: &Path, message: String) -> Unread {
    Unread {
        path: folder.to_owned(),
        failure: Failure::input(NO_REGISTRY, message),
        is_file: false,
    }
}

impl SkippedFiles {
    /// No files, and these folders without any.
    pub fn of_empty(empty: Vec<PathBuf>) -> Self {
        Self {
            empty,
            ..Self::default()
        }
    }

    /// Adds a skipped file.
    pub fn add(&mut self, file: &InputFile, content: OtherContent) {
        if let OtherContent::Misspelled { .. } = content
            && file.found
        {
            self.probable.push((file.path.clone(), content));
        } else if file.found {
            self.found += 1;
        } else {
            self.named.push((file.path.clone(), content));
        }
    }

    /// The named files that are refused: what is no document of Promptdeck, whatever is named beside it,
    /// and if nothing was read, all. The others are noted: a shell names them with the registries of
    /// their folder.
    pub fn refused(&self, was_read: bool) -> Vec<Unread> {
        let mut refused = Vec::new();
        for (path, content) in &self.named {
            let name = input::name_of(path);
            if was_read && content.is_document() {
                output::note(&format!("{name}: {}; skipped", content.why()));
                continue;
            }
            refused.push(Unread {
                path: path.clone(),
                failure: Failure::not_a_registry(&name, content),
                is_file: true,
            });
        }
        refused
    }

    /// The failures of the files in folders that are probably meant to be registries but are not. They are worth a
    /// warning: a folder may hold documents of any program.
    pub fn probable(&self) -> Vec<Unread> {
        let unread = self.probable.iter().map(|(path, content)| Unread {
            path: path.clone(),
            failure: Failure::not_a_registry(&input::name_of(path), content),
            is_file: true,
        });
        unread.collect()
    }

    /// The folders in which nothing was read, of the paths that were named.
    fn without_registry(&self, paths: &[PathBuf], was_read: bool) -> Vec<Unread> {
        let empty = self.empty.iter().map(|folder| {
            let message = format!("{}: no JSON file in it", input::name_of(folder));
            no_registry(folder, message)
        });
        let mut found: Vec<Unread> = empty.collect();
        let others = self.found + self.probable.len();
        if others > 0 && self.named.is_empty() && !was_read {
            let files = plural(others, "JSON file");
            let folder = paths.iter().find(|path| !self.empty.contains(path));
            let message = format!("no registry among {files}: nothing was checked");
            found.push(no_registry(
                folder.map_or(Path::new(""), PathBuf::as_path),
                message,
            ));
        }
        found
    }

    /// What was left out, of the paths that were named. A folder without a registry is refused if nothing
    /// was read: another one may have been meant, and success would mean that it was. Beside others it is
    /// worth a warning.
    pub fn left_out(&self, paths: &[PathBuf], was_read: bool) -> LeftOut {
        let mut left_out = LeftOut {
            refused: self.refused(was_read),
            warned: self.probable(),
        };
        let folders = match was_read {
            true => &mut left_out.warned,
            false => &mut left_out.refused,
        };
        folders.extend(self.without_registry(paths, was_read));
        left_out
    }
}

/// The failure of a link that leads to no file.
fn broken_link(link: &Path, error: &io::Error) -> Unread {
    let leads = fs::read_link(link).map_or_else(
        |_| String::new(),
        |target| format!(" to {}", target.display()),
    );
    let message = format!("cannot read {}: its link{leads}: {error}", link.display());
    Unread {
        path: link.to_owned(),
        failure: Failure::input("unreadable", message),
        is_file: true,
    }
}

/// The failure of a walk through the folder `root`.
fn unreadable_folder(error: &walkdir::Error, root: &Path) -> Unread {
    let path = error.path().unwrap_or(root);
    let reason = error
        .io_error()
        .map_or_else(String::new, |reason| format!(": {reason}"));
    let message = format!("cannot read the folder {}{reason}", path.display());
    Unread {
        path: path.to_owned(),
        failure: Failure::input("unreadable", message),
        is_file: false,
    }
}
