//! The files that `check` and `fmt` are given: those named, and the registries in the folders named.

use std::path::{Path, PathBuf};

use promptdeck_request::document::FileKind;
use walkdir::{DirEntry, WalkDir};

use crate::{failure::Failure, input, output};

/// How deep folders are walked.
const MAX_DEPTH: usize = 32;

/// How many files are read in one folder.
const MAX_FILES: usize = 10_000;

/// A file to read.
pub struct Named {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it was found in a folder, where files that are no registries are passed over.
    pub found: bool,
}

/// The files a path stands for: itself, or the JSON files of the folder, in the order of their
/// names. Hidden folders and files are left out, and links are not followed.
pub fn of(path: &Path) -> Result<Vec<Named>, Failure> {
    if input::is_stdin(path) || !path.is_dir() {
        return Ok(vec![Named {
            path: path.to_owned(),
            found: false,
        }]);
    }
    let visible = |entry: &DirEntry| {
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        entry.depth() == 0 || !hidden
    };
    let mut files = Vec::new();
    let walk = WalkDir::new(path).max_depth(MAX_DEPTH).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(visible) {
        let entry = entry.map_err(|error| {
            Failure::input(
                "unreadable",
                format!("cannot read the folder {}: {error}", path.display()),
            )
        })?;
        let is_json = entry
            .path()
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        if !is_json || !entry.file_type().is_file() {
            continue;
        }
        if files.len() == MAX_FILES {
            let message = format!(
                "{} holds more than {MAX_FILES} JSON files; name a folder below it",
                path.display()
            );
            return Err(Failure::input("too_many_files", message));
        }
        files.push(Named {
            path: entry.into_path(),
            found: true,
        });
    }
    Ok(files)
}

/// Files that were passed over, because they are no registries.
#[derive(Debug, Default)]
pub struct Skipped {
    /// Those that were named, with what they are.
    named: Vec<(PathBuf, FileKind)>,
    /// How many lie in folders that were named.
    pub found: usize,
}

impl Skipped {
    /// Passes a file over.
    pub fn add(&mut self, file: &Named, kind: FileKind) {
        if file.found {
            self.found += 1;
        } else {
            self.named.push((file.path.clone(), kind));
        }
    }

    /// Says which named files were passed over; where nothing else was named, refuses the first.
    pub fn report(&self, has_registries: bool) -> Result<(), Failure> {
        match self.named.first() {
            Some((path, kind)) if !has_registries => {
                return Err(input::not_a_registry(&input::name_of(path), *kind));
            }
            _ => {}
        }
        for (path, kind) in &self.named {
            let why = input::why_no_registry(*kind);
            output::note(&format!("{}: {why}; passed over", input::name_of(path)));
        }
        Ok(())
    }
}
