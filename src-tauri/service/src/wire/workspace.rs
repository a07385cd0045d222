//! The registries folder, the settings of the window, and the health of the store.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Slot;

/// The window's content before a document is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Workspace {
    /// Path of the folder.
    pub folder: String,
    /// Last step of the path.
    pub name: String,
    /// Its registries, by file name.
    pub registries: Vec<RegistryEntry>,
    /// Its sub-folders, by name.
    pub folders: Vec<String>,
    /// Whether the folder holds more than is listed.
    pub cut: bool,
    /// The file to open first: the last one open, the welcome sample, or the first readable one.
    pub first: Option<String>,
    /// Settings of the window.
    pub settings: Settings,
    /// Health of the store.
    pub store: StoreHealth,
    /// Why the folder cannot be read.
    pub problem: Option<super::Failure>,
}

/// The window's initial state in one reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct StartupState {
    /// The workspace.
    pub workspace: Workspace,
    /// The first document, opened.
    pub first: Option<First>,
    /// Why the first document could not be opened.
    pub failure: Option<super::Failure>,
}

/// A document in the window's initial state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct First {
    /// The document.
    pub opened: super::OpenDocument,
    /// Its view settings.
    pub view: View,
}

/// A registry file in the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RegistryEntry {
    /// File name, relative to the folder.
    pub file: String,
    /// Its sub-folder; empty for the folder itself.
    pub folder: String,
    /// Title, or the file name without its extension.
    pub title: String,
    /// Description; may be empty.
    pub description: String,
    /// Whether it, its checks or its call documents have unsaved edits.
    pub modified: bool,
    /// Time of the file's last change, in milliseconds since 1970.
    pub changed_at: Option<u64>,
    /// Whether its name is that of a copy kept beside another file.
    pub backup: bool,
    /// Whether the file is gone: it opens from its unsaved edits, which are kept.
    pub missing: bool,
    /// Why it cannot be opened.
    pub problem: Option<super::Failure>,
}

/// Colour theme of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Follows the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Column widths in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Columns {
    /// Width of the assembly column.
    pub assembly: u32,
    /// Width of the preview column.
    pub preview: u32,
}

/// Settings that persist between starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Theme.
    pub theme: Theme,
    /// Column widths; absent until the author moves one.
    pub columns: Option<Columns>,
    /// Whether long lines of the prompt wrap.
    pub wrap: bool,
    /// Whether edits are saved to the file without being asked to.
    pub autosave: bool,
    /// Whether spelling is checked while prose is typed.
    pub spell_check: bool,
    /// Size of everything in the window in percent, from 50 to 300.
    pub zoom: u32,
    /// Whether the evaluation table shows differences only; absent to decide by the window's
    /// height.
    pub differences_only: Option<bool>,
    /// Whether the evaluation table shows its rows.
    pub evaluation_open: bool,
    /// Tint number of each section that is not well-known.
    #[ts(type = "Record<string, number>")]
    pub tints: BTreeMap<String, u32>,
    /// Connection used for runs; absent for the mock provider.
    pub connection: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            columns: None,
            wrap: true,
            autosave: false,
            spell_check: true,
            zoom: 100,
            differences_only: None,
            evaluation_open: true,
            tints: BTreeMap::new(),
            connection: None,
        }
    }
}

/// View settings of one registry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct View {
    /// Sections whose card is collapsed.
    pub collapsed: Vec<String>,
    /// Sections in the author's order; empty for canonical order.
    pub order: Vec<String>,
    /// Selected tab of the preview.
    pub tab: Option<String>,
    /// Call document in use: empty for none, absent until the author chooses.
    pub call: Option<String>,
    /// Target of requests; absent until the author chooses. A name that a newer version wrote is kept.
    pub target: Option<String>,
    /// Chat format of the target `chat_template`.
    pub family: Option<String>,
    /// Scroll position of the deck in CSS pixels.
    pub scroll: u32,
    /// Whether the seed is locked.
    pub seed_locked: bool,
    /// The seed before the last roll, below 2^53.
    pub last_seed: Option<u64>,
    /// Rolled values that were locked.
    pub locks: Vec<LockedSlot>,
    /// The sentences that cards show about their sections, by section: `starter.section` for those of
    /// a starter.
    #[ts(type = "Record<string, string>")]
    pub notes: BTreeMap<String, String>,
    /// What was typed and is in no document yet, by where it was written, as the page names it.
    #[ts(type = "Record<string, string>")]
    pub unsent: BTreeMap<String, String>,
    /// The last turn of the branch that is shown of a conversation, none for an empty one, by its call
    /// document, which is empty for the conversation without one.
    #[ts(type = "Record<string, number | null>")]
    pub branches: BTreeMap<String, Option<u32>>,
}

/// A locked roll, with the setting that unlocks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LockedSlot {
    /// The slot.
    pub slot: Slot,
    /// The mode that rolled the list; absent for items and sliders, whose roll is a switch.
    pub roll: Option<String>,
}

/// Status of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StoreStatus {
    /// Not checked yet.
    Checking,
    /// The check found no problems.
    Healthy,
    /// It was damaged; the intact part is in a new store, and the damaged file is preserved.
    Salvaged,
    /// Its disk is full: what is in it can be read, drafts and snapshots are not stored.
    Full,
    /// Writes are denied: what is in it can be read, drafts and snapshots are not stored.
    NotWritable,
    /// It cannot be used; work continues, but drafts and snapshots are not stored.
    Unavailable,
}

/// Health of the store with its message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StoreHealth {
    /// Status of the store.
    pub status: StoreStatus,
    /// One line for every status except healthy.
    pub message: Option<String>,
    /// Time of the check, in milliseconds since 1970.
    pub checked_at: Option<u64>,
    /// Path of the store.
    pub path: String,
}
