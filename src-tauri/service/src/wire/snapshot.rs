//! Snapshots as the page lists them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Who took a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotKind {
    /// The author.
    Manual,
    /// Promptdeck, before something destructive.
    Auto,
}

/// One snapshot, without its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotSummary {
    /// Number in the store.
    pub id: u32,
    /// Name.
    pub name: String,
    /// Note; empty when there is none.
    pub note: String,
    /// The registry's file, relative to the workspace folder.
    pub file: String,
    /// When it was taken, in milliseconds since 1970.
    pub taken_at: u64,
    /// Who took it.
    pub kind: SnapshotKind,
    /// Key 1 to 9 it is pinned to.
    pub pinned: Option<u8>,
    /// Route, absent for the default order.
    pub route: Option<String>,
    /// Seed.
    pub seed: u64,
    /// Provider and model it was made for, when one was set.
    pub target: Option<String>,
    /// What is chosen, in a few words.
    pub glance: String,
}

/// Which snapshots to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotQuery {
    /// Only of this registry file.
    #[serde(default)]
    #[ts(optional)]
    pub file: Option<String>,
    /// Words that name or note contain, case-insensitive.
    #[serde(default)]
    #[ts(optional)]
    pub text: Option<String>,
    /// How many to leave out at the beginning.
    #[serde(default)]
    pub offset: u32,
    /// How many at most, 200 at the most.
    pub limit: u32,
}

/// A stretch of the list: pinned ones by key first, then the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotPage {
    /// The snapshots.
    pub snapshots: Vec<SnapshotSummary>,
    /// How many match in all.
    pub total: u32,
    /// How many of this stretch are damaged; they are left out.
    pub damaged: u32,
}
