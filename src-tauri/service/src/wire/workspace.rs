//! The folder of registries, settings of the window, health of the store.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Slot;

/// What the window shows before a document is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Workspace {
    /// The folder.
    pub folder: String,
    /// Its registries, by file name.
    pub registries: Vec<RegistryEntry>,
    /// The file to open first: the last one open, else the welcoming sample, else the first one
    /// that can be read.
    pub first: Option<String>,
    /// Settings of the window.
    pub settings: Settings,
    /// How the store is.
    pub store: StoreHealth,
    /// Why the folder can't be read, when it can't.
    pub problem: Option<super::Failure>,
}

/// What the window begins with, in one answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct StartupState {
    /// The folder.
    pub workspace: Workspace,
    /// The first document, opened.
    pub first: Option<First>,
    /// Why the first document could not be opened.
    pub failure: Option<super::Failure>,
}

/// A document as the window begins with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct First {
    /// The document.
    pub opened: super::OpenDocument,
    /// How it was looked at last.
    pub view: View,
}

/// A registry file of the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RegistryEntry {
    /// File, relative to the folder.
    pub file: String,
    /// Title, or the file's name without its ending.
    pub title: String,
    /// Description; empty when there is none.
    pub description: String,
    /// It has unsaved edits.
    pub modified: bool,
    /// Why it can't be opened.
    pub problem: Option<super::Failure>,
}

/// How the window looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system.
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
    /// Assembly.
    pub assembly: u32,
    /// Preview.
    pub preview: u32,
}

/// Settings that are kept between starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Theme.
    pub theme: Theme,
    /// Column widths, absent until the author moves one.
    pub columns: Option<Columns>,
    /// Long lines of the prompt are wrapped.
    pub wrap: bool,
    /// Spelling is checked while prose is typed.
    pub spell_check: bool,
    /// Selected vs evaluated shows differences only; absent: as the window's height suggests.
    pub differences_only: Option<bool>,
    /// Tint number per section name that is not well-known.
    #[ts(type = "Record<string, number>")]
    pub tints: BTreeMap<String, u32>,
    /// The connection that runs go through; absent for the mock.
    pub connection: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            columns: None,
            wrap: true,
            spell_check: true,
            differences_only: None,
            tints: BTreeMap::new(),
            connection: None,
        }
    }
}

/// How one registry is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct View {
    /// Sections whose card is closed.
    pub collapsed: Vec<String>,
    /// Sections in the order the author arranged; empty for canonical order.
    pub order: Vec<String>,
    /// The preview's tab.
    pub tab: Option<String>,
    /// How far the deck is scrolled, in CSS pixels.
    pub scroll: u32,
    /// The seed is locked.
    pub seed_locked: bool,
    /// Rolled values that were locked into the selection.
    pub locks: Vec<LockedSlot>,
}

/// A rolled value that was locked, and what rolls it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LockedSlot {
    /// The slot.
    pub slot: Slot,
    /// The mode by which a list was rolled; absent for a slot that is switched on and off.
    pub roll: Option<String>,
}

/// Condition of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StoreStatus {
    /// Not checked yet.
    Checking,
    /// The check found nothing.
    Healthy,
    /// It was damaged; what was intact is in a new store, the damaged file is kept aside.
    Salvaged,
    /// It can't be used; work goes on, but drafts and snapshots are not kept.
    Unavailable,
}

/// Condition of the store and what to say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StoreHealth {
    /// Condition.
    pub status: StoreStatus,
    /// One line for all but healthy.
    pub message: Option<String>,
    /// When it was checked, in milliseconds since 1970.
    pub checked_at: Option<u64>,
    /// Where it is.
    pub path: String,
}
