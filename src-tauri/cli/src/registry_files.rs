//! The input files of `check`, `fmt` and `test`: named files, and the registries in named folders.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use promptdeck_checks::is_checks_name;
use promptdeck_core::plural::plural;
use walkdir::{DirEntry, WalkDir};

use crate::{
    content::{self, Content, OtherContent},
    failure::Failure,
    input, output,
};

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
            true => content::of_found(&name, bytes),
            false => content::of(&name, bytes),
        }
    }
}

/// The input files of a path: the file itself, or the JSON files in the folder other than files of
/// checks, sorted by name. Skips hidden files and folders and installed packages; follows links to
/// files, as the studio does, and names the links to folders, which it does not enter. A sub-folder or a
/// link that cannot be read is passed to `fail`, and the others are read.
pub fn of(path: &Path, fail: impl FnMut(Failure)) -> Vec<InputFile> {
    let mut files = with_checks(path, fail);
    files.retain(|file| !file.found || !is_checks(&file.path));
    files
}

/// The input files of all paths as [`of`] gives them, and whether anything was unreadable. That is
/// reported, as is a folder without files.
pub fn of_all(paths: &[PathBuf]) -> (Vec<InputFile>, bool) {
    listed(paths, |path, fail| of(path, fail))
}

/// As [`of_all`], files of checks included.
pub fn all_with_checks(paths: &[PathBuf]) -> (Vec<InputFile>, bool) {
    listed(paths, |path, fail| with_checks(path, fail))
}

fn listed(
    paths: &[PathBuf],
    list: impl Fn(&Path, &mut dyn FnMut(Failure)) -> Vec<InputFile>,
) -> (Vec<InputFile>, bool) {
    let mut files = Vec::new();
    let mut unreadable = false;
    for path in paths {
        let mut failed = false;
        let found = list(path, &mut |failure| {
            output::error(&failure);
            failed = true;
        });
        unreadable |= failed;
        if found.is_empty() && !failed {
            output::warning(&format!("{}: no JSON file in it", input::name_of(path)));
        }
        files.extend(found);
    }
    (files, unreadable)
}

/// Whether a file is one of checks by its name.
pub fn is_checks(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(is_checks_name)
}

/// The input files of a path, files of checks included.
fn with_checks(path: &Path, mut fail: impl FnMut(Failure)) -> Vec<InputFile> {
    if input::is_stdin(path) || !path.is_dir() {
        return vec![InputFile {
            path: path.to_owned(),
            found: false,
        }];
    }
    let visible = |entry: &DirEntry| {
        let name = entry.file_name();
        let hidden = name.as_encoded_bytes().starts_with(b".") || name == "node_modules";
        entry.depth() == 0 || !hidden
    };
    let mut files = Vec::new();
    let mut linked_folders = Vec::new();
    let walk = WalkDir::new(path).max_depth(MAX_DEPTH).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(visible) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                fail(unreadable_folder(&error, path));
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
                        fail(broken_link(entry.path(), &error));
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
        if files.len() == MAX_FILES {
            let message = format!(
                "{} holds more than {MAX_FILES} JSON files; name a folder below it",
                path.display()
            );
            fail(Failure::input("too_many_files", message));
            return Vec::new();
        }
        files.push(InputFile {
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
    files
}

/// Files skipped because they are not registries.
#[derive(Debug, Default)]
pub struct SkippedFiles {
    /// Named files and what they hold.
    named: Vec<(PathBuf, OtherContent)>,
    /// Number of files in folders.
    pub found: usize,
}

impl SkippedFiles {
    /// Adds a skipped file.
    pub fn add(&mut self, file: &InputFile, content: OtherContent) {
        if file.found {
            self.found += 1;
        } else {
            self.named.push((file.path.clone(), content));
        }
    }

    /// Reports the named files that were skipped; an error if no registry was named at all. Folders in
    /// which none of the files is a registry are worth a warning: another folder may have been meant.
    pub fn report(&self, has_registries: bool) -> Result<(), Failure> {
        match self.named.first() {
            Some((path, content)) if !has_registries => {
                return Err(content.refused(&input::name_of(path)));
            }
            None if !has_registries && self.found > 0 => {
                let files = plural(self.found, "JSON file");
                output::warning(&format!("no registry among {files}: nothing was checked"));
            }
            _ => {}
        }
        for (path, content) in &self.named {
            let (name, why) = (input::name_of(path), content.why());
            output::note(&format!("{name}: {why}; skipped"));
        }
        Ok(())
    }
}

/// The failure of a link that leads to no file.
fn broken_link(link: &Path, error: &io::Error) -> Failure {
    let leads = fs::read_link(link).map_or_else(
        |_| String::new(),
        |target| format!(" to {}", target.display()),
    );
    let message = format!("cannot read {}: its link{leads}: {error}", link.display());
    Failure::input("unreadable", message)
}

/// The failure of a walk through the folder `root`.
fn unreadable_folder(error: &walkdir::Error, root: &Path) -> Failure {
    let unread = error.path().unwrap_or(root).display();
    let why = error
        .io_error()
        .map_or_else(String::new, |why| format!(": {why}"));
    Failure::input(
        "unreadable",
        format!("cannot read the folder {unread}{why}"),
    )
}
