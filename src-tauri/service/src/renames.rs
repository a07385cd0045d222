//! Names that edits of a registry change, and the documents beside it that follow: its file of checks
//! and its call documents.
//!
//! A document follows by a step of its own, so that nothing is written before the registry is saved.
//! Undoing the rename takes exactly that step back.

mod documents;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use promptdeck_core::registry::{Registry, bare_name};
use serde_json::Value;

use crate::calls::{document::CallDocument, folder};
use crate::checks::{self, ChecksFile};
use crate::open_documents::{FileDocument, OpenDocuments, lock};
use crate::studio::Inner;
use crate::wire::{Change, Edit, Event, Step};
use crate::{ServiceError, Studio, snapshots};

/// A name that edits of a registry changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rename {
    Section {
        from: String,
        to: String,
    },
    Item {
        section: String,
        from: String,
        to: String,
    },
    /// A field of the only item of its section that has it.
    Field {
        section: String,
        from: String,
        to: String,
    },
    Variable {
        section: String,
        from: String,
        to: String,
    },
    Route {
        from: String,
        to: String,
    },
}

impl Rename {
    /// The rename that takes this one back.
    fn inverse(&self) -> Self {
        let mut inverse = self.clone();
        let (Self::Section { from, to }
        | Self::Item { from, to, .. }
        | Self::Field { from, to, .. }
        | Self::Variable { from, to, .. }
        | Self::Route { from, to }) = &mut inverse;
        std::mem::swap(from, to);
        inverse
    }
}

/// The renames that take these back.
pub(crate) fn inverse(renames: &[Rename]) -> Vec<Rename> {
    renames.iter().rev().map(Rename::inverse).collect()
}

/// The names that these edits change in a session; `before` is its registry without them.
fn renames(before: &Registry, edits: &[Edit]) -> Vec<Rename> {
    let found = edits.iter().filter_map(|edit| rename(before, edit));
    found.collect()
}

fn rename(before: &Registry, edit: &Edit) -> Option<Rename> {
    match edit {
        Edit::RenameKey { path, from, to } => key_rename(before, path, from, to),
        Edit::Set {
            path,
            value: Value::String(to),
        } => match path.as_slice() {
            [root, section, list, Step::Index(index), field] if is_list(root, list, "items") => {
                let section = key(section)?;
                let item = before.section(section)?.items().get(*index as usize)?;
                let from = item.identity()?;
                let identity = if item.id().is_some() { "id" } else { "name" };
                (key(field) == Some(identity) && from != to).then(|| Rename::Item {
                    section: section.to_owned(),
                    from: from.to_owned(),
                    to: to.clone(),
                })
            }
            [root, section, list, Step::Index(index)] if is_list(root, list, "template_vars") => {
                let section = key(section)?;
                let declared = before.section(section)?.template_vars();
                let from = declared.get(*index as usize)?;
                let to = bare_name(to);
                (from != to).then(|| Rename::Variable {
                    section: section.to_owned(),
                    from: from.clone(),
                    to: to.to_owned(),
                })
            }
            _ => None,
        },
        _ => None,
    }
}

fn key_rename(before: &Registry, path: &[Step], from: &str, to: &str) -> Option<Rename> {
    let (from, to) = (from.to_owned(), to.to_owned());
    match path {
        [root] if key(root) == Some("registry") => {
            before.section(&from)?;
            Some(Rename::Section { from, to })
        }
        [root, routes] if (key(root), key(routes)) == (Some("registry"), Some("routes")) => {
            Some(Rename::Route { from, to })
        }
        [root, section, list, Step::Index(_)] if is_list(root, list, "items") => {
            let section = key(section)?;
            let items = before.section(section)?.items();
            let with_field = items
                .iter()
                .filter(|item| item.fields().contains_key(&from));
            (with_field.count() == 1).then(|| Rename::Field {
                section: section.to_owned(),
                from,
                to,
            })
        }
        _ => None,
    }
}

/// Whether a path leads through a list of a section of the registry.
fn is_list(root: &Step, list: &Step, name: &str) -> bool {
    (key(root), key(list)) == (Some("registry"), Some(name))
}

fn key(step: &Step) -> Option<&str> {
    match step {
        Step::Key(key) => Some(key),
        Step::Index(_) => None,
    }
}

/// A kind of document that names parts of a registry.
trait FollowsRegistry: FileDocument {
    /// The edits with which its tree follows a rename; `before` is the registry without it.
    fn follow(tree: &Value, before: &Registry, rename: &Rename) -> Vec<Edit>;

    /// The event for the page.
    fn followed(change: Self::Change) -> Event;
}

impl FollowsRegistry for ChecksFile {
    fn follow(tree: &Value, before: &Registry, rename: &Rename) -> Vec<Edit> {
        documents::in_checks(tree, before, rename)
    }

    fn followed(change: Self::Change) -> Event {
        Event::ChecksFollowed { change }
    }
}

impl FollowsRegistry for CallDocument {
    fn follow(tree: &Value, before: &Registry, rename: &Rename) -> Vec<Edit> {
        documents::in_call(tree, before, rename)
    }

    fn followed(change: Self::Change) -> Event {
        Event::CallFollowed { change }
    }
}

/// Has an open document follow; `None` if it names nothing that was renamed.
fn follow<T: FollowsRegistry>(
    document: &mut T,
    before: &Registry,
    renames: &[Rename],
) -> Result<Option<T::Change>, ServiceError> {
    let base = document.copy().revision();
    let change = document.change(|copy| {
        copy.follow_renames(renames, |tree, rename| T::follow(tree, before, rename))
    })?;
    Ok((document.copy().revision() != base).then_some(change))
}

impl Studio {
    /// Changes a registry; the documents that name what the edits rename follow. `edits` are those
    /// that `work` applies, unless its answer holds them.
    ///
    /// # Errors
    /// As for `work`.
    pub(crate) fn renaming(
        &self,
        registry: &str,
        edits: Option<&[Edit]>,
        work: impl FnOnce() -> Result<Change, ServiceError>,
    ) -> Result<Change, ServiceError> {
        let before = lock(&*self.inner.session(registry)?).engine().clone();
        let change = work()?;
        let before = before.registry();
        let found = renames(before, edits.unwrap_or(&change.edits));
        if !found.is_empty() {
            self.follow_renames(registry, before, &found);
        }
        Ok(change)
    }

    /// A document that cannot be read names nothing, and one that cannot be changed stays as it is.
    fn follow_renames(&self, registry: &str, before: &Registry, renames: &[Rename]) {
        let inner = &self.inner;
        if let Ok((document, path)) = checks::file(&inner.folder, registry)
            && (inner.checks.get(&document).is_ok() || path.exists())
        {
            let _ = self.follow_in(&inner.checks, &document, &path, || {
                self.with_checks(&document, |checks| follow(checks, before, renames))
            });
        }
        let mut calls_followed = false;
        for (document, path) in inner.call_files() {
            let followed = self.follow_in(&inner.calls, &document, &path, || {
                self.with_call(&document, |call| {
                    if is_call_of(call, registry) {
                        follow(call, before, renames)
                    } else {
                        Ok(None)
                    }
                })
            });
            calls_followed |= followed.unwrap_or_default();
        }
        if calls_followed {
            inner.emit(Event::WorkspaceChanged);
        }
    }

    /// Opens a document to follow renames; whether it did.
    fn follow_in<T: FollowsRegistry>(
        &self,
        documents: &OpenDocuments<T>,
        document: &str,
        path: &Path,
        work: impl FnOnce() -> Result<Option<T::Change>, ServiceError>,
    ) -> Result<bool, ServiceError> {
        let was_open = documents.get(document).is_ok();
        documents.open(document, path)?;
        let followed = work();
        if let Ok(Some(change)) = followed {
            self.inner.emit(T::followed(change));
            return Ok(true);
        }
        if !was_open {
            documents.close(document);
        }
        followed.map(|_| false)
    }
}

impl Inner {
    /// The call documents of the folder, open ones and files.
    fn call_files(&self) -> BTreeMap<String, PathBuf> {
        let open = self.calls.all().into_iter();
        let open = open.filter(|(document, _)| folder::follows(document));
        let open = open.map(|(document, call)| {
            let path = lock(&call).copy().path().to_owned();
            (document, path)
        });
        let workspace = self.folder.path();
        let files = folder::files(&workspace).into_iter();
        let files = files.filter_map(|path| Some((folder::document_of(&workspace, &path)?, path)));
        open.chain(files).collect()
    }

    /// Opens the documents beside a registry that have unsaved edits of an earlier start.
    fn open_drafts(&self, registry: &str) {
        let store = self.store_handle.store();
        let drafts = store.and_then(|store| Ok(store.modified_files()?));
        let drafts = drafts.unwrap_or_default();
        if drafts.is_empty() {
            return;
        }
        let has_draft = |path: &Path| drafts.contains(&snapshots::key(path));
        if let Ok((document, path)) = checks::file(&self.folder, registry)
            && has_draft(&path)
        {
            let _ = self.checks.open(&document, &path);
        }
        for (document, path) in self.call_files() {
            if has_draft(&path) {
                let _ = self.calls.open(&document, &path);
            }
        }
    }

    /// Saves the documents that differ from their files only by what they followed in a registry,
    /// which was just saved.
    pub(crate) fn save_followers(&self, registry: &str) {
        self.open_drafts(registry);
        let checks = self.checks.all().into_iter().filter(|(document, checks)| {
            checks::file(&self.folder, registry).is_ok_and(|(name, _)| name == *document)
                && lock(checks).copy().only_follows()
        });
        let calls = self.calls.all().into_iter().filter(|(_, call)| {
            let call = lock(call);
            call.copy().only_follows() && is_call_of(&call, registry)
        });
        let documents = checks.map(|(document, _)| document);
        let documents: Vec<String> = documents
            .chain(calls.map(|(document, _)| document))
            .collect();
        for document in documents {
            self.autosave(&document);
        }
    }
}

fn is_call_of(call: &CallDocument, registry: &str) -> bool {
    folder::registry_of(call.copy().document(), call.call()).as_deref() == Some(registry)
}
