//! The folder of call documents, `calls` beside the registries: lists it and creates files. Only
//! plain names of `.json` files directly in it are accepted.

use std::fs;
use std::path::{Path, PathBuf};

use promptdeck_core::file_kind::CALL_FIELDS;
use promptdeck_core::registry::check_json_bounds;
use promptdeck_request::call::{Call, RegistryReference};
use promptdeck_store::drafts::DraftCheckpoint;
use promptdeck_store::files::{self as atomic_files, Expected};
use promptdeck_store::{Hash, Store, StoreError};
use serde_json::{Map, Value, json};

use super::document::{self, CallDocument};
use crate::catalog::{Catalog, ListedFile, Listing, regular_files};
use crate::file_version::{self, FileVersion};
use crate::open_documents::FileDocument as _;
use crate::wire::CallEntry;
use crate::workspace::{Folder, is_registry_name, is_registry_path, with_extension};
use crate::{ServiceError, draft_writer, snapshots};

/// The folder's name, and the first step of every call document's name.
pub const CALLS: &str = "calls";

/// Keys that distinguish a call document from other JSON.
const CALL_KEYS: [&str; 6] = [
    "registry",
    "history",
    "message",
    "args",
    "assistant",
    "layers",
];

/// What a call sets for its prompt, which the open registry does itself where both are in one file.
const OF_PROMPT: [&str; 4] = ["state", "route", "seed", "now"];

/// The call around a registry, by its fields. It is empty if there is no message, tool or value of a
/// variable.
#[must_use]
pub fn call_around(wrapper: &Map<String, Value>) -> Map<String, Value> {
    let is_filled = |key: &str| match wrapper.get(key) {
        Some(Value::Array(entries)) => !entries.is_empty(),
        Some(Value::Object(members)) => !members.is_empty(),
        _ => false,
    };
    if !["history", "message", "tools", "defaults", "args"]
        .into_iter()
        .any(is_filled)
    {
        return Map::new();
    }
    let fields = CALL_FIELDS
        .iter()
        .filter(|key| !OF_PROMPT.contains(key))
        .filter_map(|key| Some(((*key).to_owned(), wrapper.get(*key)?.clone())));
    fields.collect()
}

/// How many messages, the new one included, and how many tools the fields of a call have.
#[must_use]
pub fn call_counts(call: &Map<String, Value>) -> (usize, usize) {
    let in_list = |key: &str| {
        let list = call.get(key).and_then(Value::as_array);
        list.map_or(0, Vec::len)
    };
    let messages = in_list("history") + usize::from(call.contains_key("message"));
    (messages, in_list("tools"))
}

/// Takes the call out of what stands around a registry, unless a call document cannot have it.
#[must_use]
pub fn take_call(wrapper: &mut Map<String, Value>) -> Map<String, Value> {
    let call = call_around(wrapper);
    if Call::from_map(&call).is_err() {
        return Map::new();
    }
    for key in call.keys() {
        wrapper.shift_remove(key);
    }
    call
}

/// Whether a document's name belongs to a call document.
#[must_use]
pub fn is_call(document: &str) -> bool {
    document.starts_with("calls/")
}

/// The folder of a workspace's call documents; it may not exist.
#[must_use]
pub fn path(workspace: &Folder) -> PathBuf {
    workspace.path().join(CALLS)
}

/// The file of a call document named as `calls/quiz.json`.
pub fn file(workspace: &Folder, document: &str) -> Result<PathBuf, ServiceError> {
    let name = document
        .strip_prefix("calls/")
        .ok_or_else(|| ServiceError::BadFile(document.to_owned()))?;
    if is_registry_name(name) {
        Ok(path(workspace).join(name))
    } else {
        Err(ServiceError::BadFile(document.to_owned()))
    }
}

/// The new name of a registry, if it has one.
pub type NewName<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Has the file of a call document, and its draft with unsaved edits, name the registry by its new
/// name; nothing is written for a registry that has none. Returns what the file holds if it was
/// written.
///
/// The draft comes first, based on what the file is about to hold: if the program is killed in
/// between, the same move finishes the file to just that.
pub fn retarget(
    store: &Store,
    path: &Path,
    new_name: &NewName<'_>,
) -> Result<Option<FileVersion>, ServiceError> {
    let bytes = file_version::bytes(path)?;
    let name = path.to_string_lossy();
    let mut content = CallDocument::parse(&name, &bytes)?.content;
    let text = match follow(&mut content, new_name)? {
        true => Some(document::text(&Value::Object(content))?),
        false => None,
    };
    let [before, after] =
        [&bytes[..], text.as_ref().map_or(&bytes, String::as_bytes)].map(Hash::of);
    retarget_draft(store, path, new_name, |base| {
        if base == before { after } else { base }
    })?;
    let Some(text) = text else {
        return Ok(None);
    };
    let expected = Expected::Content(before);
    atomic_files::replace(path, text.as_bytes(), expected)?.or_changed_outside(path)?;
    CallDocument::parse(&name, text.as_bytes()).map(Some)
}

fn retarget_draft(
    store: &Store,
    path: &Path,
    new_name: &NewName<'_>,
    new_base: impl Fn(Hash) -> Hash,
) -> Result<(), ServiceError> {
    let key = snapshots::key(path);
    loop {
        let version = store.draft_version(&key)?;
        let Some(version) = version.filter(|version| version.modified) else {
            return Ok(());
        };
        let Some(mut draft) = draft_writer::find(store, &key)? else {
            return Ok(());
        };
        let base = new_base(draft.base);
        let follows = match draft.tree.as_object_mut() {
            Some(content) => follow(content, new_name)?,
            None => false,
        };
        if !follows && base == draft.base {
            return Ok(());
        }
        let tree = serde_json::to_vec(&draft.tree)?;
        let checkpoint = DraftCheckpoint {
            owner: version.owner,
            replaces: Some(version),
            base,
            tree: &tree,
            modified: true,
            saved_at: version.saved_at,
        };
        // Unless another window has written to it meanwhile.
        if store.checkpoint_draft(&key, &checkpoint)? {
            return Ok(());
        }
    }
}

/// Has a call name its registry by its new name; `false` if that has none.
fn follow(call: &mut Map<String, Value>, new_name: &NewName<'_>) -> Result<bool, ServiceError> {
    let parsed = Call::from_map(call).map_err(ServiceError::Refused)?;
    let to = registry_of(&parsed).and_then(|name| new_name(&name));
    if let Some(to) = &to {
        call.insert("registry".to_owned(), reference(to));
    }
    Ok(to.is_some())
}

/// The name of the call document of a file.
#[must_use]
pub fn document_of(file: &Path) -> Option<String> {
    Some(format!("{CALLS}/{}", file.file_name()?.to_str()?))
}

/// Whether a call document follows when its registry, or a name in it, gets another one: a copy that
/// is kept beside a file stays what it was.
#[must_use]
pub fn follows(document: &str) -> bool {
    !atomic_files::is_copy_name(document)
}

/// The files of the call documents that follow a folder's registries; none if they cannot be listed.
#[must_use]
pub fn files(workspace: &Path) -> Vec<PathBuf> {
    files_named(workspace, follows)
}

/// The files of a folder's call documents with such names; none if they cannot be listed.
#[must_use]
pub fn files_named(workspace: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let is_listed = |name: &str| is_registry_name(name) && is_wanted(name);
    let listed = regular_files(&workspace.join(CALLS), is_listed);
    let files = listed.unwrap_or_default().into_iter();
    files.map(|file| file.path).collect()
}

/// How a call document names a registry of the folder.
#[must_use]
pub fn reference(registry: &str) -> Value {
    format!("../{registry}").into()
}

/// A catalog of call documents.
#[must_use]
pub fn catalog() -> Catalog<CallEntry> {
    Catalog::new(by_name, look)
}

/// The call documents, by name. JSON files of another kind are left out. Files that cannot be read
/// are listed with the error, large ones that were not read yet by their name.
pub fn list(
    workspace: &Folder,
    catalog: &Catalog<CallEntry>,
) -> Result<Listing<CallEntry>, ServiceError> {
    let folder = path(workspace);
    let is_listed = |name: &str| file(workspace, &format!("{CALLS}/{name}")).is_ok();
    match regular_files(&folder, is_listed) {
        Ok(files) => Ok(catalog.list(files)),
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

fn by_name(file: &ListedFile) -> CallEntry {
    CallEntry {
        title: title(&file.name),
        document: format!("{CALLS}/{}", file.name),
        registry: None,
        modified: false,
        backup: atomic_files::is_copy_name(&file.name),
        problem: None,
    }
}

fn look(file: &ListedFile) -> Option<CallEntry> {
    let entry = by_name(file);
    let bytes = match file_version::bytes(&file.path) {
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
                .and_then(|call| registry_of(&call)),
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

/// The registry of the workspace folder that a call names, by its name in the folder.
#[must_use]
pub fn registry_of(call: &Call) -> Option<String> {
    let Some(RegistryReference::File(file)) = &call.registry else {
        return None;
    };
    referred(file)
}

/// The registry of the workspace folder that a reference names, by its name in the folder.
#[must_use]
pub fn referred(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("../")?;
    is_registry_path(name).then(|| name.to_owned())
}

/// Creates a call document for a registry of the folder, and returns its name: the typed one, or
/// a free one after the registry. It has the fields of `content`, the others are empty.
pub fn create(
    workspace: &Folder,
    registry: &str,
    typed: Option<&str>,
    content: Map<String, Value>,
) -> Result<String, ServiceError> {
    workspace.file(registry)?;
    let typed = typed.map(|name| format!("{CALLS}/{}", with_extension(name.trim())));
    if let Some(name) = &typed {
        file(workspace, name)?;
    }
    let folder = path(workspace);
    fs::create_dir_all(&folder).map_err(|source| {
        ServiceError::Store(StoreError::File {
            action: "create the folder",
            path: folder.clone(),
            source,
        })
    })?;
    let mut fresh = json!({
        "registry": reference(registry),
        "assistant": {},
        "args": {},
        "history": [],
        "message": {"text": ""},
        "tools": [],
    });
    for (key, value) in content {
        fresh[key] = value;
    }
    let text = serde_json::to_string_pretty(&fresh)? + "\n";
    if let Some(name) = typed {
        let created = atomic_files::create(&file(workspace, &name)?, text.as_bytes());
        return match created {
            Ok(()) => Ok(name),
            Err(fault) if fault.code() == "file_exists" => Err(ServiceError::NameTaken(name)),
            Err(fault) => Err(fault.into()),
        };
    }
    let stem = title(registry).replace(' ', "_");
    for copy in 1..1000 {
        let name = match copy {
            1 => format!("{CALLS}/{stem}.json"),
            _ => format!("{CALLS}/{stem}_{copy}.json"),
        };
        match atomic_files::create(&file(workspace, &name)?, text.as_bytes()) {
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
        let refused = file(&folder, r"calls/hotel/a\b.json").expect_err("refused");
        assert_eq!(
            refused.to_string(),
            r#""calls/hotel/a\b.json" is not the name of a file of this folder; name a .json file in it"#
        );
    }

    #[test]
    fn a_call_names_a_registry_beside_its_folder() {
        let check = |file: &str, expected: Option<&str>| {
            let map = Map::from_iter([("registry".to_owned(), Value::from(file))]);
            let call = Call::from_map(&map).expect("a call");
            assert_eq!(registry_of(&call).as_deref(), expected, "{file}");
        };
        check("../trivia.json", Some("trivia.json"));
        check("trivia.json", None);
        check("../../trivia.json", None);
        check("../sub/trivia.json", Some("sub/trivia.json"));
        check("../calls/trivia.json", None);
        check("..//trivia.json", None);
    }
}
