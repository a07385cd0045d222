//! The folder of registries: its list, new files, copies, imports, samples.
//!
//! Only plain names of `.json` files directly in the folder are accepted.

use std::fs;
use std::path::{Component, Path, PathBuf};

use promptdeck_core::import::{self, Report};
use promptdeck_core::registry::{self, Document, RESERVED_KEYS, canonical, check_json_bounds};
use promptdeck_store::files;
use serde_json::{Map, Value, json};

use crate::catalog::{Catalog, Listing};
use crate::wire::{Failure, RegistryEntry};
use crate::{ServiceError, file_version};

/// The folder and the cached details of its files.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    catalog: Catalog<RegistryEntry>,
}

impl Folder {
    /// A folder, which need not exist.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            catalog: Catalog::new(by_name, look),
        }
    }

    /// Path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of a file in the folder.
    ///
    /// # Errors
    /// [`ServiceError::BadFile`] for anything but a plain name ending in `.json`.
    pub fn file(&self, name: &str) -> Result<PathBuf, ServiceError> {
        if is_registry_name(name) {
            Ok(self.path.join(name))
        } else {
            Err(ServiceError::BadFile(name.to_owned()))
        }
    }

    /// The registries by file name, with every file read. Other kinds of JSON files are omitted;
    /// invalid registries are listed with their fault.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list(&self) -> Result<Vec<RegistryEntry>, ServiceError> {
        let listed = self.catalog.list_all(&self.path, is_registry_name);
        listed.map_err(|source| self.unreadable(source))
    }

    /// The same, except that larger files that have not been read are listed by name, whatever
    /// their kind.
    pub(crate) fn list_small(&self) -> Result<Listing<RegistryEntry>, ServiceError> {
        let listed = self.catalog.list(&self.path, is_registry_name);
        listed.map_err(|source| self.unreadable(source))
    }

    /// Reads one of the files that the last list left unread; `false` if there is none.
    pub(crate) fn read_next(&self) -> bool {
        self.catalog.read_next()
    }

    /// Whether a file is small enough to be read for a list and is a valid registry.
    pub(crate) fn is_readable(&self, name: &str) -> bool {
        let entry = self.file(name).map(|path| self.catalog.entry(&path, name));
        matches!(entry, Ok(Some(entry)) if entry.problem.is_none())
    }

    fn unreadable(&self, source: std::io::Error) -> ServiceError {
        ServiceError::Store(promptdeck_store::StoreError::File {
            action: "read the folder",
            path: self.path.clone(),
            source,
        })
    }

    /// Creates a registry with one section and one token, and returns its file name.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new_registry(&self, title: &str) -> Result<String, ServiceError> {
        let title = if title.trim().is_empty() {
            "Untitled"
        } else {
            title.trim()
        };
        let registry = json!({
            "version": registry::SCHEMA_VERSION,
            "title": title,
            "assembly_order": ["base_context"],
            "base_context": {
                "required": true,
                "template_vars": [],
                "items": [{"id": "first", "text": ""}],
            },
        });
        let Value::Object(registry) = registry else {
            return Err(ServiceError::Nothing("make"));
        };
        self.create(title, &canonical_bytes(registry))
    }

    /// Copies a registry beside it with a title that marks the copy, and returns the new file name.
    ///
    /// # Errors
    /// If the file cannot be read or the copy cannot be written.
    pub fn duplicate(&self, name: &str) -> Result<String, ServiceError> {
        let bytes = file_version::bytes(&self.file(name)?)?;
        let mut document = file_version::parse(name, &bytes)?.document;
        let stem = Path::new(name)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("registry");
        if let Some(Value::String(title)) = document.registry.get_mut("title") {
            title.push_str(" copy");
        }
        self.create(
            &format!("{stem} copy"),
            canonical::format(&document).as_bytes(),
        )
    }

    /// Converts a text into a registry, and returns its file name and the conversion report.
    ///
    /// # Errors
    /// If the text cannot be converted or the file cannot be written.
    pub fn import(&self, name: &str, text: &[u8]) -> Result<(String, Report), ServiceError> {
        let imported = import::import(text).map_err(|fault| ServiceError::Parse {
            file: name.to_owned(),
            fault,
        })?;
        let stem = Path::new(name)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("imported");
        let file = self.create(stem, imported.text.as_bytes())?;
        Ok((file, imported.report))
    }

    fn create(&self, title: &str, bytes: &[u8]) -> Result<String, ServiceError> {
        let stem = file_stem(title);
        for copy in 1..1000 {
            let name = match copy {
                1 => format!("{stem}.json"),
                _ => format!("{stem}_{copy}.json"),
            };
            match files::create(&self.file(&name)?, bytes) {
                Ok(()) => return Ok(name),
                Err(fault) if fault.code() == "file_exists" => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        Err(ServiceError::BadFile(format!("{stem}.json")))
    }
}

fn canonical_bytes(registry: Map<String, Value>) -> Vec<u8> {
    canonical::format(&Document {
        registry,
        wrapper: None,
    })
    .into_bytes()
}

/// Converts a title to a file name: lower case, words joined by underscores, no other characters.
fn file_stem(title: &str) -> String {
    let mut stem = String::new();
    for character in title.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            stem.push(character);
        } else if !stem.is_empty() && !stem.ends_with('_') {
            stem.push('_');
        }
        if stem.len() > 60 {
            break;
        }
    }
    let stem = stem.trim_end_matches('_');
    if stem.is_empty() {
        "registry".into()
    } else {
        stem.into()
    }
}

/// Whether a JSON object has any key of a registry.
fn looks_like_registry(map: &Map<String, Value>) -> bool {
    let map = match map.get("registry") {
        Some(Value::Object(inner)) => inner,
        _ => map,
    };
    map.contains_key("assembly_order")
        || map.iter().any(|(key, value)| {
            !RESERVED_KEYS.contains(&key.as_str())
                && value.get("items").is_some_and(Value::is_array)
        })
}

/// Whether a name is that of a `.json` file directly in the folder.
fn is_registry_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let plain = matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    );
    let json = Path::new(name)
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    plain && json && !name.contains(['\0', '\\'])
}

fn by_name(name: &str) -> RegistryEntry {
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str());
    RegistryEntry {
        file: name.to_owned(),
        title: stem.unwrap_or(name).to_owned(),
        description: String::new(),
        modified: false,
        problem: None,
    }
}

fn look(path: &Path, name: &str) -> Option<RegistryEntry> {
    let entry = |title: Option<&str>, description: Option<&str>, problem: Option<Failure>| {
        let mut entry = by_name(name);
        if let Some(title) = title.filter(|title| !title.is_empty()) {
            title.clone_into(&mut entry.title);
        }
        description
            .unwrap_or_default()
            .clone_into(&mut entry.description);
        entry.problem = problem;
        entry
    };
    let bytes = match file_version::bytes(path) {
        Ok(bytes) => bytes,
        Err(fault) => return Some(entry(None, None, Some(fault.into()))),
    };
    match file_version::parse(name, &bytes) {
        Ok(parsed) => {
            let map = &parsed.document.registry;
            let text = |key: &str| map.get(key).and_then(Value::as_str);
            looks_like_registry(map).then(|| entry(text("title"), text("description"), None))
        }
        Err(fault) => {
            let other_kind = check_json_bounds(&bytes).is_ok()
                && serde_json::from_slice::<Map<String, Value>>(&bytes)
                    .is_ok_and(|map| !looks_like_registry(&map));
            (!other_kind).then(|| entry(None, None, Some(fault.into())))
        }
    }
}

/// Creates the folder with copies of the sample registries, unless it exists.
///
/// # Errors
/// If the folder or a file cannot be written.
pub fn seed(folder: &Path, samples: &Path) -> Result<(), ServiceError> {
    if folder.exists() {
        return Ok(());
    }
    let fail = |action: &'static str, path: &Path| {
        let path = path.to_owned();
        move |source| {
            ServiceError::Store(promptdeck_store::StoreError::File {
                action,
                path,
                source,
            })
        }
    };
    fs::create_dir_all(folder).map_err(fail("make the folder", folder))?;
    for sample in fs::read_dir(samples).map_err(fail("read the samples", samples))? {
        let sample = sample.map_err(fail("read the samples", samples))?.path();
        let json = sample.extension().is_some_and(|ending| ending == "json");
        if let (true, Some(name)) = (json, sample.file_name()) {
            files::create(&folder.join(name), &file_version::bytes(&sample)?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_file_names() {
        let check = |title: &str, stem: &str| assert_eq!(file_stem(title), stem, "{title:?}");
        check("Trivia Host", "trivia_host");
        check("  ../../etc/passwd ", "etc_passwd");
        check("Zwölf & mehr!", "zwölf_mehr");
        check("***", "registry");
    }

    #[test]
    fn only_plain_json_names_are_files_of_the_folder() {
        let folder = Folder::new("/registries".into());
        let check =
            |name: &str, good: bool| assert_eq!(folder.file(name).is_ok(), good, "{name:?}");
        check("a.json", true);
        check("A b.JSON", true);
        check("a.txt", false);
        check("../a.json", false);
        check("/a.json", false);
        check("sub/a.json", false);
        check("..\\a.json", false);
        check("", false);
        check(".json", false);
    }
}
