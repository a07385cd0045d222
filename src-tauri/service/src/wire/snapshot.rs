//! Snapshots for the page's lists.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Origin of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotKind {
    /// Taken by the author.
    Manual,
    /// Taken by Promptdeck before a destructive action.
    Auto,
}

/// A snapshot without its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotSummary {
    /// Id in the store.
    pub id: u32,
    /// Name chosen by the user.
    pub name: String,
    /// Note of the user; may be empty.
    pub note: String,
    /// File of the registry, relative to the workspace folder.
    pub file: String,
    /// Time of the snapshot, in milliseconds since 1970.
    pub taken_at: u64,
    /// Time of its deletion, in milliseconds since 1970, if it is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub deleted_at: Option<u64>,
    /// Origin of the snapshot.
    pub kind: SnapshotKind,
    /// Digit key from 1 to 9 that it is pinned to.
    pub pinned: Option<u8>,
    /// Route; absent for the default order.
    pub route: Option<String>,
    /// Seed.
    pub seed: u64,
    /// Intended provider and model, if set.
    pub target: Option<String>,
    /// Short summary of the selections.
    pub glance: String,
}

/// Filter for a list of snapshots.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotQuery {
    /// Restricts the list to one registry file.
    #[serde(default)]
    #[ts(optional)]
    pub file: Option<String>,
    /// Words that must occur in name or note, ignoring case.
    #[serde(default)]
    #[ts(optional)]
    pub text: Option<String>,
    /// Whether to list the deleted ones instead, the last deleted first.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub deleted: bool,
    /// Number of entries to skip.
    #[serde(default)]
    pub offset: u32,
    /// Maximum number of entries, at most 200.
    pub limit: u32,
    /// Whether to compare each with the snapshot before it.
    #[serde(default)]
    pub changes: bool,
}

/// Which setting differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SettingPlace {
    /// Section, absent for the seed and the route.
    pub section: Option<String>,
    /// As in [`Setting`](super::Setting).
    pub name: String,
}

/// What the author changed from the snapshot before to this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotChanges {
    /// Id of the snapshot.
    pub id: u32,
    /// Name of the snapshot before.
    pub since: String,
    /// The settings that differ, as they are set, whatever was rolled.
    pub settings: Vec<SettingPlace>,
    /// The keys of the registry that differ; absent if they differ and were not compared.
    pub edited: Option<Vec<String>>,
}

/// One page of the list: pinned ones by key, then the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotPage {
    /// The snapshots.
    pub snapshots: Vec<SnapshotSummary>,
    /// What changed in them, for those with an intact snapshot before them; empty unless asked for.
    pub changes: Vec<SnapshotChanges>,
    /// Number of matches.
    pub total: u32,
    /// Number of damaged rows in this page, which are omitted.
    pub damaged: u32,
}
