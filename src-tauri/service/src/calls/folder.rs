//! The folders of call documents, `calls` beside the registries of the open folder and of each of its
//! sub-folders: lists them and creates files. Only plain names of `.json` files directly in one are
//! accepted.

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
use crate::workspace::{
    Folder, call_folders, is_registry_name, is_registry_path, join, own_file_name, parts, relative,
};
use crate::{ServiceError, draft_writer, snapshots};

/// The folder's name, and the last step before the file in every call document's name.
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
    beside(document).is_some()
}

/// The sub-folder beside whose registries a call document is; `None` for other documents.
fn beside(document: &str) -> Option<&str> {
    let (folder, last) = parts(parts(document).0);
    (last == CALLS).then_some(folder)
}

/// The folder of the call documents beside a workspace's own registries; it may not exist.
#[must_use]
pub fn path(workspace: &Folder) -> PathBuf {
    workspace.path().join(CALLS)
}

/// The file of a call document named as `calls/quiz.json` or `finals/calls/quiz.json`.
pub fn file(workspace: &Folder, document: &str) -> Result<PathBuf, ServiceError> {
    let name = parts(document).1;
    let folder = beside(document).filter(|_| is_registry_name(name));
    match folder.map(|folder| workspace.sub_folder(folder)) {
        Some(Ok(folder)) => Ok(folder.join(CALLS).join(name)),
        _ => Err(ServiceError::BadFile(document.to_owned())),
    }
}

/// The name under which the store has what belongs to a registry and a call document: relative to the
/// registry's folder, so that it is the same whichever folder is open. One that is not beside the
/// registry has its own name, unless that is the name of one beside it.
#[must_use]
pub fn stored_name(workspace: &Folder, registry: &str, call: &str) -> String {
    let folder = parts(registry).0;
    if let Some(name) = call
        .strip_prefix(folder)
        .and_then(|rest| rest.strip_prefix('/'))
    {
        return name.to_owned();
    }
    let is_other = !folder.is_empty() && workspace.path().join(folder).join(call).is_file();
    match is_other {
        true => format!("{}{call}", "../".repeat(folder.split('/').count())),
        false => call.to_owned(),
    }
}

/// The call document that has such a name in the store.
#[must_use]
pub fn from_stored(workspace: &Folder, registry: &str, stored: &str) -> String {
    let folder = parts(registry).0;
    let beside = join(folder, stored);
    if let Some(name) = resolve(registry, stored).filter(|_| stored.starts_with("../")) {
        return name;
    }
    match is_call(stored) && file(workspace, &beside).is_ok_and(|path| path.is_file()) {
        true => beside,
        false => stored.to_owned(),
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
    (document, path): (&str, &Path),
    new_name: &NewName<'_>,
) -> Result<Option<FileVersion>, ServiceError> {
    let bytes = file_version::bytes(path)?;
    let name = path.to_string_lossy();
    let mut content = CallDocument::parse(&name, &bytes)?.content;
    let text = match follow(document, &mut content, new_name)? {
        true => Some(document::text(&Value::Object(content))?),
        false => None,
    };
    let [before, after] =
        [&bytes[..], text.as_ref().map_or(&bytes, String::as_bytes)].map(Hash::of);
    retarget_draft(store, (document, path), new_name, |base| {
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
    (document, path): (&str, &Path),
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
            Some(content) => follow(document, content, new_name)?,
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
fn follow(
    document: &str,
    call: &mut Map<String, Value>,
    new_name: &NewName<'_>,
) -> Result<bool, ServiceError> {
    let parsed = Call::from_map(call).map_err(ServiceError::Refused)?;
    let to = registry_of(document, &parsed).and_then(|name| new_name(&name));
    if let Some(to) = &to {
        call.insert("registry".to_owned(), reference(document, to));
    }
    Ok(to.is_some())
}

/// The name of the call document of a file in a folder of registries.
#[must_use]
pub fn document_of(workspace: &Path, file: &Path) -> Option<String> {
    let document = relative(workspace, file)?;
    (is_call(&document) && is_registry_name(parts(&document).1)).then_some(document)
}

/// Whether a call document follows when its registry, or a name in it, gets another one: a copy that
/// is kept beside a file stays what it was.
#[must_use]
pub fn follows(document: &str) -> bool {
    !atomic_files::is_copy_name(parts(document).1)
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
    let folders = call_folders(workspace).into_iter();
    let listed =
        folders.filter_map(|folder| regular_files(&workspace.join(folder), is_listed).ok());
    listed.flatten().map(|file| file.path).collect()
}

/// How a call document names a registry of the folder: by its path from where the document is.
#[must_use]
pub fn reference(document: &str, registry: &str) -> Value {
    let from: Vec<&str> = parts(document).0.split('/').collect();
    let to: Vec<&str> = registry.split('/').collect();
    let steps = from.iter().zip(&to);
    let shared = steps.take_while(|(one, other)| one == other).count();
    let up = "../".repeat(from.len() - shared);
    format!("{up}{}", to[shared..].join("/")).into()
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
    let mut files = Vec::new();
    for folder in call_folders(&workspace.path()) {
        let path = workspace.path().join(&folder);
        match regular_files(&path, is_registry_name) {
            Ok(listed) => files.extend(listed.into_iter().map(|mut file| {
                file.name = join(&folder, &file.name);
                file
            })),
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {}
            // A sub-folder that cannot be read does not hide the call documents of the others.
            Err(_) if folder != CALLS => {}
            Err(source) => {
                return Err(ServiceError::Store(StoreError::File {
                    action: "read the folder",
                    path,
                    source,
                }));
            }
        }
    }
    Ok(catalog.list(files))
}

fn by_name(file: &ListedFile) -> CallEntry {
    CallEntry {
        title: title(&file.name),
        document: file.name.clone(),
        registry: None,
        modified: false,
        backup: atomic_files::is_copy_name(parts(&file.name).1),
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
                .and_then(|call| registry_of(&file.name, &call)),
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

/// The registry of the workspace folder that a call document names, by its name in the folder.
#[must_use]
pub fn registry_of(document: &str, call: &Call) -> Option<String> {
    let Some(RegistryReference::File(file)) = &call.registry else {
        return None;
    };
    referred(document, file)
}

/// The registry of the workspace folder that a call document refers to, by its name in the folder.
#[must_use]
pub fn referred(document: &str, reference: &str) -> Option<String> {
    resolve(document, reference).filter(|name| is_registry_path(name))
}

/// The name in the folder that a reference in a document leads to; `None` if it leads out of the folder.
fn resolve(document: &str, reference: &str) -> Option<String> {
    let mut steps: Vec<&str> = parts(document).0.split('/').collect();
    steps.retain(|step| !step.is_empty());
    for step in reference.split('/') {
        match step {
            ".." => {
                steps.pop()?;
            }
            "" | "." => return None,
            _ => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

/// The folder for a new call document of a registry: that beside the registry, if there is one, else
/// that of the open folder.
fn folder_for(workspace: &Folder, registry: &str) -> String {
    let beside = join(parts(registry).0, CALLS);
    match workspace.path().join(&beside).is_dir() {
        true => beside,
        false => CALLS.to_owned(),
    }
}

/// The call document of a registry that a typed name makes.
///
/// # Errors
/// If no file can have the name, or one has it.
pub fn named(workspace: &Folder, registry: &str, typed: &str) -> Result<String, ServiceError> {
    let name = join(&folder_for(workspace, registry), &own_file_name(typed)?);
    match file(workspace, &name)?.symlink_metadata() {
        Ok(_) => Err(ServiceError::NameTaken(name)),
        Err(_) => Ok(name),
    }
}

/// Creates a call document for a registry of the folder, and returns its name: the typed one, or
/// a free one after the registry. It is in the folder of call documents beside the registry, if there
/// is one, else in that of the open folder. It has the fields of `content`, the others are empty.
pub fn create(
    workspace: &Folder,
    registry: &str,
    typed: Option<&str>,
    content: Map<String, Value>,
) -> Result<String, ServiceError> {
    workspace.file(registry)?;
    let typed = typed
        .map(|typed| named(workspace, registry, typed))
        .transpose()?;
    let name = folder_for(workspace, registry);
    let named = |file: &str| join(&name, file);
    let folder = workspace.path().join(&name);
    fs::create_dir_all(&folder).map_err(|source| {
        ServiceError::Store(StoreError::File {
            action: "create the folder",
            path: folder.clone(),
            source,
        })
    })?;
    let mut fresh = json!({
        "registry": reference(&named(""), registry),
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
            1 => named(&format!("{stem}.json")),
            _ => named(&format!("{stem}_{copy}.json")),
        };
        match atomic_files::create(&file(workspace, &name)?, text.as_bytes()) {
            Ok(()) => return Ok(name),
            Err(fault) if fault.code() == "file_exists" => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    Err(ServiceError::BadFile(named(&format!("{stem}.json"))))
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
        check("finals/calls/a.json", true);
        check("finals/../calls/a.json", false);
        check("calls/calls/a.json", false);
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
        let check_in = |document: &str, file: &str, expected: Option<&str>| {
            let map = Map::from_iter([("registry".to_owned(), Value::from(file))]);
            let call = Call::from_map(&map).expect("a call");
            assert_eq!(registry_of(document, &call).as_deref(), expected, "{file}");
        };
        let check = |file: &str, expected| check_in("calls/quiz.json", file, expected);
        check("../trivia.json", Some("trivia.json"));
        check("trivia.json", None);
        check("../../trivia.json", None);
        check("../sub/trivia.json", Some("sub/trivia.json"));
        check("../calls/trivia.json", None);
        check("..//trivia.json", None);
        let nested = "finals/calls/quiz.json";
        check_in(nested, "../trivia.json", Some("finals/trivia.json"));
        check_in(nested, "../../trivia.json", Some("trivia.json"));
        check_in(nested, "../../../trivia.json", None);
        assert_eq!(reference(nested, "finals/trivia.json"), "../trivia.json");
        assert_eq!(reference(nested, "trivia.json"), "../../trivia.json");
        assert_eq!(
            reference("calls/quiz.json", "finals/trivia.json"),
            "../finals/trivia.json"
        );
    }
}
