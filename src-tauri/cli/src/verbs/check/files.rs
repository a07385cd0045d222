//! The files that `check` is given: those it names, and the registries in the folders it names.

use std::path::{Path, PathBuf};

use promptdeck_core::registry::{RESERVED_KEYS, read_json_object};
use serde_json::{Map, Value};
use walkdir::{DirEntry, WalkDir};

use crate::{failure::Failure, input};

/// How deep folders are walked.
const MAX_DEPTH: usize = 32;

/// How many files are checked in one folder.
const MAX_FILES: usize = 10_000;

/// A file to check.
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

/// Whether the text is a JSON object that has nothing of a registry: a call document, a schema.
/// What is not JSON at all is not passed over.
pub fn is_other_kind(bytes: &[u8]) -> bool {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if matches!(first, Some(b'[')) {
        return true;
    }
    read_json_object(bytes, "a registry").is_ok_and(|(members, _)| !looks_like_registry(&members))
}

fn looks_like_registry(members: &Map<String, Value>) -> bool {
    let members = match members.get("registry") {
        Some(Value::Object(inner)) => inner,
        _ => members,
    };
    members.contains_key("assembly_order")
        || members.iter().any(|(key, value)| {
            !RESERVED_KEYS.contains(&key.as_str())
                && value.get("items").is_some_and(Value::is_array)
        })
}
