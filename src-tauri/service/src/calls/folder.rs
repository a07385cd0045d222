//! The folder of call documents, `calls` beside the registries: what is in it, and new files. Only
//! plain names of `.json` files directly in it are ever touched.

use std::fs;
use std::path::{Component, Path, PathBuf};

use promptdeck_core::registry::check_json_bounds;
use promptdeck_request::call::{Call, RegistryReference};
use promptdeck_store::{StoreError, files};
use serde_json::{Map, Value, json};

use super::document::CallDocument;
use crate::catalog::{Catalog, Listing};
use crate::open_documents::FileDocument as _;
use crate::wire::CallEntry;
use crate::workspace::Folder;
use crate::{ServiceError, file_version};

/// The folder's name, and the first step of every call document's name.
pub const CALLS: &str = "calls";

/// Keys by which a call document is told from other JSON.
const CALL_KEYS: [&str; 6] = [
    "registry",
    "history",
    "message",
    "args",
    "assistant",
    "layers",
];

/// Whether a document's name is one of a call document.
#[must_use]
pub fn is_call(document: &str) -> bool {
    document.starts_with("calls/")
}

/// The folder of a workspace's call documents; it need not exist.
#[must_use]
pub fn path(workspace: &Folder) -> PathBuf {
    workspace.path().join(CALLS)
}

/// The file of a call document named as `calls/quiz.json`.
pub fn file(workspace: &Folder, document: &str) -> Result<PathBuf, ServiceError> {
    let name = document
        .strip_prefix("calls/")
        .ok_or_else(|| ServiceError::BadFile(document.to_owned()))?;
    Folder::new(path(workspace)).file(name)
}

/// A catalog of call documents.
#[must_use]
pub fn catalog() -> Catalog<CallEntry> {
    Catalog::new(by_name, look)
}

/// The call documents, by name. JSON files of another kind are left out; broken ones are listed
/// with their fault, larger ones that were not read yet by their name.
pub fn list(
    workspace: &Folder,
    catalog: &Catalog<CallEntry>,
) -> Result<Listing<CallEntry>, ServiceError> {
    let folder = path(workspace);
    let is_listed = |name: &str| file(workspace, &format!("{CALLS}/{name}")).is_ok();
    match catalog.list(&folder, is_listed) {
        Ok(listing) => Ok(listing),
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(Listing {
            entries: Vec::new(),
            unread: false,
        }),
        Err(source) => Err(ServiceError::Store(StoreError::File {
            action: "read the folder",
            path: folder,
            source,
        })),
    }
}

fn by_name(name: &str) -> CallEntry {
    CallEntry {
        title: title(name),
        document: format!("{CALLS}/{name}"),
        registry: None,
        modified: false,
        problem: None,
    }
}

fn look(path: &Path, name: &str) -> Option<CallEntry> {
    let entry = by_name(name);
    let bytes = match file_version::bytes(path) {
        Ok(bytes) => bytes,
        Err(fault) => {
            return Some(CallEntry {
                problem: Some(fault.into()),
                ..entry
            });
        }
    };
    match CallDocument::parse(&entry.document, &bytes) {
        Ok(read) => has_call_key(&read.content).then(|| CallEntry {
            registry: Call::from_map(&read.content)
                .ok()
                .and_then(|call| named(&call)),
            ..entry
        }),
        Err(fault) => {
            let other_kind = check_json_bounds(&bytes).is_ok()
                && serde_json::from_slice::<Map<String, Value>>(&bytes)
                    .is_ok_and(|map| !has_call_key(&map));
            (!other_kind).then(|| CallEntry {
                problem: Some(fault.into()),
                ..entry
            })
        }
    }
}

fn has_call_key(map: &Map<String, Value>) -> bool {
    CALL_KEYS.iter().any(|&key| map.contains_key(key))
}

/// A file's name as a title.
fn title(name: &str) -> String {
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or(name).replace('_', " ")
}

/// The registry of the workspace folder that a call names, by file name.
#[must_use]
pub fn named(call: &Call) -> Option<String> {
    let Some(RegistryReference::File(file)) = &call.registry else {
        return None;
    };
    let mut steps = Path::new(file).components();
    match (steps.next(), steps.next(), steps.next()) {
        (Some(Component::ParentDir), Some(Component::Normal(name)), None) => {
            name.to_str().map(str::to_owned)
        }
        _ => None,
    }
}

/// Makes a call document about a registry of the folder, and gives its name.
pub fn create(workspace: &Folder, registry: &str) -> Result<String, ServiceError> {
    workspace.file(registry)?;
    let folder = path(workspace);
    fs::create_dir_all(&folder).map_err(|source| {
        ServiceError::Store(StoreError::File {
            action: "make the folder",
            path: folder.clone(),
            source,
        })
    })?;
    let fresh = json!({
        "registry": format!("../{registry}"),
        "assistant": {},
        "args": {},
        "history": [],
        "message": {"text": ""},
        "tools": [],
    });
    let text = serde_json::to_string_pretty(&fresh)? + "\n";
    let stem = title(registry).replace(' ', "_");
    for copy in 1..1000 {
        let name = match copy {
            1 => format!("{CALLS}/{stem}.json"),
            _ => format!("{CALLS}/{stem}_{copy}.json"),
        };
        match files::create(&file(workspace, &name)?, text.as_bytes()) {
            Ok(()) => return Ok(name),
            Err(fault) if fault.code() == "file_exists" => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    Err(ServiceError::BadFile(format!("{CALLS}/{stem}.json")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_json_names_below_calls_are_call_documents() {
        let folder = Folder::new("/registries".into());
        let check =
            |name: &str, good: bool| assert_eq!(file(&folder, name).is_ok(), good, "{name:?}");
        check("calls/a.json", true);
        check("a.json", false);
        check("calls/../a.json", false);
        check("calls/b/a.json", false);
        check("calls/a.txt", false);
        check("calls//etc/a.json", false);
    }

    #[test]
    fn a_call_names_a_registry_beside_its_folder() {
        let check = |file: &str, expected: Option<&str>| {
            let map = Map::from_iter([("registry".to_owned(), Value::from(file))]);
            let call = Call::from_map(&map).expect("a call");
            assert_eq!(named(&call).as_deref(), expected, "{file}");
        };
        check("../trivia.json", Some("trivia.json"));
        check("trivia.json", None);
        check("../../trivia.json", None);
        check("../sub/trivia.json", None);
    }
}
