//! The folder of registries and its sub-folders: the list, new files, copies, samples.
//!
//! Only names that [`is_registry_path`] accepts are ever touched.

mod names;
mod walk;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use promptdeck_core::registry::{self, Document, canonical};
use promptdeck_request::document::{Content, holds_registry};
use promptdeck_store::{StoreError, files};
use serde_json::{Value, json};

use crate::catalog::{Catalog, ListedFile};
use crate::wire::{Failure, RegistryEntry};
use crate::{ServiceError, file_version};

pub use names::{
    check_folder_name, check_title, file_name, file_stem, is_registry_name, is_registry_path, parts,
};
pub(crate) use names::{join, own_file_name, relative, titled_file_name};
pub(crate) use walk::{call_folders, is_inside};

/// The folder and the cached details of its files.
#[derive(Debug)]
pub struct Folder {
    path: RwLock<PathBuf>,
    catalog: Catalog<RegistryEntry>,
}

/// What a folder holds.
#[derive(Debug)]
pub struct FolderList {
    /// The registries by name; those of a sub-folder have its name in front.
    pub entries: Vec<RegistryEntry>,
    /// The sub-folders, by name, that hold registries or nothing at all.
    pub folders: Vec<String>,
    /// Whether the list ends before the folder does.
    pub cut: bool,
    /// Whether some of the files have not been read yet.
    pub unread: bool,
}

impl Folder {
    /// A folder, which need not exist.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self {
            path: RwLock::new(path),
            catalog: Catalog::new(by_name, look),
        }
    }

    /// Path of the folder.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.path
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Goes to another folder.
    pub(crate) fn go_to(&self, path: PathBuf) {
        *self.path.write().unwrap_or_else(PoisonError::into_inner) = path;
    }

    /// Path of a file in the folder.
    ///
    /// # Errors
    /// [`ServiceError::BadFile`] for anything but the name of a `.json` file in the folder or in a
    /// sub-folder.
    pub fn file(&self, name: &str) -> Result<PathBuf, ServiceError> {
        if is_registry_path(name) {
            Ok(self.path().join(name))
        } else {
            Err(ServiceError::BadFile(name.to_owned()))
        }
    }

    /// The path of a sub-folder; of the folder itself if the name is empty.
    ///
    /// # Errors
    /// [`ServiceError::BadFolder`] for a name that leads elsewhere.
    pub fn sub_folder(&self, name: &str) -> Result<PathBuf, ServiceError> {
        if name.is_empty() || names::is_folder_path(name) {
            Ok(self.path().join(name))
        } else {
            Err(ServiceError::BadFolder(name.to_owned()))
        }
    }

    /// The registries by file name. Other kinds of JSON files are omitted; invalid registries are listed with
    /// their fault, and larger files that have not been read by name, whatever their kind.
    pub(crate) fn list(&self) -> Result<FolderList, ServiceError> {
        let tree = self.walk()?;
        let listing = self.catalog.list(tree.files);
        let contains = |folder: &walk::SubFolder| {
            let inside = |entry: &RegistryEntry| is_inside(&entry.file, &folder.name);
            folder.is_empty || listing.entries.iter().any(inside)
        };
        let mut folders: Vec<String> = tree
            .folders
            .into_iter()
            .filter(|folder| contains(folder))
            .map(|folder| folder.name)
            .collect();
        folders.sort();
        Ok(FolderList {
            entries: listing.entries,
            folders,
            cut: tree.cut,
            unread: listing.unread,
        })
    }

    /// The title of a registry as its file is now, if the list has read it.
    pub(crate) fn read_title(&self, name: &str) -> Option<String> {
        let entry = self.catalog.read_entry(&self.file(name).ok()?, name)?;
        entry.problem.is_none().then_some(entry.title)
    }

    fn walk(&self) -> Result<walk::Tree, ServiceError> {
        let path = self.path();
        walk::walk(&path).map_err(|source| {
            ServiceError::Store(StoreError::File {
                action: "read the folder",
                path,
                source,
            })
        })
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

    /// Whether the file is JSON of another kind, which would open as a registry without sections.
    pub(crate) fn is_other_kind(&self, name: &str) -> bool {
        let path = self.path().join(name);
        let parsed = file_version::bytes(&path).and_then(|bytes| file_version::parse(name, &bytes));
        parsed.is_ok_and(|parsed| !holds_registry(&parsed.document.registry))
    }

    /// The file that a typed name makes in a sub-folder, or in the folder itself if that name is empty:
    /// its name, and its path. The sub-folder may be one to be created.
    ///
    /// # Errors
    /// If the name is not that of a registry file, or it is taken.
    pub(crate) fn new_file(
        &self,
        folder: &str,
        name: &str,
        is_free: &IsFree<'_>,
    ) -> Result<(String, PathBuf), ServiceError> {
        let name = titled_file_name(name)?;
        let folder_path = self.sub_folder(folder)?;
        let name = names::join(folder, &name);
        let path = self.file(&name)?;
        if fs::symlink_metadata(&path).is_ok() {
            return Err(ServiceError::NameTaken(name));
        }
        if !is_free(&path) {
            return Err(ServiceError::NameKept(name));
        }
        if !folder.is_empty() && !folder_path.is_dir() {
            let (parent, last) = parts(folder);
            let fits = check_folder_name(last)? == last && self.sub_folder(parent)?.is_dir();
            if !fits {
                return Err(ServiceError::BadFolder(folder.to_owned()));
            }
        }
        Ok((name, path))
    }

    /// Creates the file that the typed name makes, in a sub-folder or in the folder itself if that
    /// name is empty, and returns its name. A sub-folder that does not exist is created.
    ///
    /// # Errors
    /// If the name is not that of a registry file, it is taken, or the file cannot be written.
    pub(crate) fn create_named(
        &self,
        folder: &str,
        name: &str,
        bytes: &[u8],
        is_free: &IsFree<'_>,
    ) -> Result<String, ServiceError> {
        let (name, path) = self.new_file(folder, name, is_free)?;
        let folder_path = self.sub_folder(folder)?;
        // The open folder itself may have been deleted, which the author is told of.
        if !folder.is_empty() && !folder_path.is_dir() {
            fs::create_dir(&folder_path).map_err(|source| {
                ServiceError::Store(StoreError::File {
                    action: "create the folder",
                    path: folder_path,
                    source,
                })
            })?;
        }
        match files::create(&path, bytes) {
            Ok(()) => Ok(name),
            Err(fault) if fault.code() == "file_exists" => Err(ServiceError::NameTaken(name)),
            Err(fault) => Err(fault.into()),
        }
    }

    /// A file name made of a title that no file of the folder has.
    pub(crate) fn free_name(&self, title: &str, is_free: &IsFree<'_>) -> String {
        let stem = file_stem(title);
        file_names("", &stem)
            .find(|name| {
                let path = self.path().join(name);
                is_free(&path) && fs::symlink_metadata(path).is_err()
            })
            .unwrap_or_else(|| format!("{stem}.json"))
    }

    /// Copies a registry beside it with a title that marks the copy, and returns the new file name.
    ///
    /// # Errors
    /// If the file cannot be read or the copy cannot be written.
    pub(crate) fn duplicate(
        &self,
        name: &str,
        is_free: &IsFree<'_>,
    ) -> Result<String, ServiceError> {
        let bytes = file_version::bytes(&self.file(name)?)?;
        let mut document = file_version::parse(name, &bytes)?.document;
        let (folder, file) = parts(name);
        let stem = stem_of(file, "registry");
        if let Some(Value::String(title)) = document.registry.get_mut("title") {
            title.push_str(" copy");
        }
        self.create(
            folder,
            &format!("{stem} copy"),
            canonical::format(&document).as_bytes(),
            is_free,
        )
    }

    fn create(
        &self,
        folder: &str,
        title: &str,
        bytes: &[u8],
        is_free: &IsFree<'_>,
    ) -> Result<String, ServiceError> {
        self.sub_folder(folder)?;
        let stem = file_stem(title);
        for name in file_names(folder, &stem) {
            let path = self.file(&name)?;
            if !is_free(&path) {
                continue;
            }
            match files::create(&path, bytes) {
                Ok(()) => return Ok(name),
                Err(fault) if fault.code() == "file_exists" => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        Err(ServiceError::BadFile(format!("{stem}.json")))
    }
}

/// Whether a new file of that path would inherit nothing from one that had it before.
pub(crate) type IsFree<'a> = dyn Fn(&Path) -> bool + 'a;

/// The name of a file without its ending.
fn stem_of<'a>(file: &'a str, otherwise: &'a str) -> &'a str {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or(otherwise)
}

/// A registry with one section and one token, called as its file is named by the author.
pub(crate) fn blank(name: &str) -> String {
    let registry = json!({
        "version": registry::SCHEMA_VERSION,
        "title": names::without_extension(name),
        "assembly_order": ["base_context"],
        "base_context": {
            "required": true,
            "template_vars": [],
            "items": [{"id": "first", "text": ""}],
        },
    });
    canonical::format(&Document {
        registry: registry.as_object().cloned().unwrap_or_default(),
        wrapper: None,
    })
}

/// The names for a new file, in the order in which they are tried.
fn file_names<'a>(folder: &'a str, stem: &'a str) -> impl Iterator<Item = String> + 'a {
    (1..1000).map(move |copy| match copy {
        1 => names::join(folder, &format!("{stem}.json")),
        _ => names::join(folder, &format!("{stem}_{copy}.json")),
    })
}

/// The entry of a file by its name alone.
pub(crate) fn unread_entry(file: &str) -> RegistryEntry {
    let (folder, name) = parts(file);
    RegistryEntry {
        file: file.to_owned(),
        folder: folder.to_owned(),
        title: stem_of(name, name).to_owned(),
        description: String::new(),
        modified: false,
        changed_at: None,
        backup: files::is_copy_name(name),
        missing: false,
        problem: None,
    }
}

fn by_name(file: &ListedFile) -> RegistryEntry {
    RegistryEntry {
        changed_at: file.changed_at(),
        ..unread_entry(&file.name)
    }
}

fn look(file: &ListedFile) -> Option<RegistryEntry> {
    let entry = |title: Option<&str>, description: Option<&str>, problem: Option<Failure>| {
        let mut entry = by_name(file);
        if let Some(title) = title.filter(|title| !title.is_empty()) {
            title.clone_into(&mut entry.title);
        }
        description
            .unwrap_or_default()
            .clone_into(&mut entry.description);
        entry.problem = problem;
        entry
    };
    let bytes = match file_version::bytes(&file.path) {
        Ok(bytes) => bytes,
        Err(fault) => return Some(entry(None, None, Some(fault.into()))),
    };
    match Content::of_found(&file.name, &bytes) {
        Content::Registry(parsed, _) | Content::NoSection(parsed, _) => {
            let map = &parsed.document.registry;
            let text = |key: &str| map.get(key).and_then(Value::as_str);
            Some(entry(text("title"), text("description"), None))
        }
        Content::Faulty(fault) => {
            let fault = ServiceError::Parse {
                file: file.name.clone(),
                fault,
            };
            let text = String::from_utf8_lossy(&bytes);
            Some(entry(
                None,
                None,
                Some(Failure::from(fault).with_excerpt(&text)),
            ))
        }
        Content::Other(_) => None,
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
    fs::create_dir_all(folder).map_err(fail("create the folder", folder))?;
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
    fn only_json_names_below_the_folder_are_its_files() {
        let folder = Folder::new("/registries".into());
        let check =
            |name: &str, good: bool| assert_eq!(folder.file(name).is_ok(), good, "{name:?}");
        check("a.json", true);
        check("A b.JSON", true);
        check("a.txt", false);
        check("../a.json", false);
        check("/a.json", false);
        check("sub/a.json", true);
        check("a/b/c/d/e.json", true);
        check("a/b/c/d/e/f.json", false);
        check("sub/../a.json", false);
        check("sub//a.json", false);
        check("sub/./a.json", false);
        check(".sub/a.json", false);
        check("calls/a.json", false);
        check("sub/calls/a.json", false);
        check("..\\a.json", false);
        check("", false);
        check(".json", false);
    }
}
