//! Watches the model file or folder of a chat: reads it again when it changes and notifies the page.
//! If it can no longer be read, the last version stays in use, with the reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use promptdeck_store::watch::Watch;

use super::model_file;
use crate::panics::READING_CHANGES;
use crate::studio::Inner;
use crate::wire::{ChatModel, ChatSlot, Event};
use crate::{ServiceError, snapshots};

/// The watched folders.
#[derive(Default)]
pub struct ModelWatches(Mutex<Vec<Watch>>);

impl Inner {
    /// The model selected for a slot.
    pub(super) fn selected_model(&self, key: &str, slot: ChatSlot) -> Option<ChatModel> {
        self.store_handle.chat_model(key, slot.name())
    }

    /// The open documents, each with the key under which its selections are stored.
    fn keys(&self) -> Vec<(String, String)> {
        let documents = self
            .sessions
            .all()
            .into_iter()
            .map(|(document, _)| document);
        documents
            .filter_map(|document| {
                let path = self.folder.file(&document).ok()?;
                Some((document, snapshots::key(&path)))
            })
            .collect()
    }
}

/// The folders to watch for changes of a selected file or folder: itself, and its nearest existing
/// ancestor.
fn watched_folders(path: &Path) -> impl Iterator<Item = PathBuf> {
    let model_folder = path.is_dir().then(|| path.to_owned());
    let outer = path.ancestors().skip(1).find(|outer| outer.is_dir());
    model_folder.into_iter().chain(outer.map(Path::to_owned))
}

/// Watches the models selected for open documents. Recreates all watches each time, since a folder that
/// was deleted and created again needs a new one.
pub fn watch(inner: &Arc<Inner>) {
    let mut folders = BTreeSet::new();
    for (_, key) in inner.keys() {
        for slot in ChatSlot::ALL {
            if let Some(model) = inner.selected_model(&key, slot) {
                folders.extend(watched_folders(Path::new(&model.path)));
            }
        }
    }
    let watches = folders.iter().filter_map(|folder| {
        let watcher: Weak<Inner> = Arc::downgrade(inner);
        let look = move || {
            if let Some(inner) = watcher.upgrade() {
                inner.catch(READING_CHANGES, || look(&inner));
            }
        };
        Watch::folder(folder, look).ok()
    });
    let watches = watches.collect();
    let mut current = inner
        .chat
        .watches
        .0
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    *current = watches;
}

/// Called after a change near a selected model file. A change during the read triggers another call.
fn look(inner: &Arc<Inner>) {
    watch(inner);
    for (document, key) in inner.keys() {
        for (slot, model) in read_again(inner, &key) {
            inner.emit(Event::ChatModel {
                document: document.clone(),
                slot,
                model,
            });
        }
    }
}

/// Reads the models selected for a document again; returns those that changed.
pub fn read_again(inner: &Inner, key: &str) -> Vec<(ChatSlot, ChatModel)> {
    let slots = ChatSlot::ALL.into_iter();
    slots
        .filter_map(|slot| {
            let before = inner.selected_model(key, slot)?;
            let now = match model_file::read(Path::new(&before.path)) {
                Ok(now) => now,
                Err(fault) => ChatModel {
                    problem: Some(match fault {
                        ServiceError::Template { why: reason, .. } => reason,
                        other => other.to_string(),
                    }),
                    ..before.clone()
                },
            };
            let counted = recounted(inner, &now);
            if now == before && !counted {
                return None;
            }
            // If it cannot be stored, it is read again at the next start.
            let _ = inner.store_handle.save_chat_model(key, slot.name(), &now);
            Some((slot, now))
        })
        .collect()
}

/// Forgets the tokenizer of a folder when its file changed.
fn recounted(inner: &Inner, model: &ChatModel) -> bool {
    let mut tokenizers = inner
        .chat
        .tokenizers
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let changed = tokenizers
        .get(&model.path)
        .is_some_and(model_file::Tokenizer::changed);
    changed && tokenizers.remove(&model.path).is_some()
}
