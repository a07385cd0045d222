//! The impact of an edit: what changes between two versions of a deck in the same rolls.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{DiagnosticNote, DistinctCount, Part, ProfileBar, Side, VariantPick};

/// What an edit changes in the rolls, against the file as last saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EditImpact {
    /// The route that was rolled; absent if neither version has another.
    pub route: Option<String>,
    /// How many rolls were compared.
    pub rolls: u32,
    /// How many of them change.
    pub changed: u32,
    /// Their share, from 0 to 1.
    pub share: f64,
    /// The median change of the changed prompts in tokens; absent if none changes.
    pub tokens: Option<i32>,
}

/// Two versions to compare in the same rolls of the open document's state and route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImpactParams {
    /// The old version.
    pub before: Side,
    /// The new version.
    pub after: Side,
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many rolls; at most a million.
    pub rolls: u32,
    /// A limit in tokens.
    pub budget: Option<u32>,
}

/// What changes between two versions in the same rolls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Impact {
    /// The route that was rolled; absent if neither version has another.
    pub route: Option<String>,
    /// The first seed.
    pub seed: u64,
    /// How many rolls were compared.
    pub rolls: u32,
    /// Whether these are all that were ordered.
    pub complete: bool,
    /// Milliseconds that the comparison took.
    pub elapsed: u32,
    /// Name of the tokenizer.
    pub tokenizer: String,
    /// Whether its counts are exact.
    pub exact: bool,
    /// Rolls with the same text in both.
    pub identical: u32,
    /// Rolls whose text changes.
    pub changed: u32,
    /// Their share, from 0 to 1.
    pub share: f64,
    /// The sections whose text changes, by falling share.
    pub sections: Vec<ImpactSection>,
    /// Rolls in which no text of a section changes, but the order or the white space.
    pub order_only: u32,
    /// How the length of the changed prompts changes in tokens; absent if none changes.
    pub tokens: Option<LengthChange>,
    /// The rolls that cross the budget, if there is one.
    pub budget: Option<BudgetCrossing>,
    /// Problems of the new version alone.
    pub added: Vec<DiagnosticNote>,
    /// Problems of the old version alone.
    pub removed: Vec<DiagnosticNote>,
    /// The old version.
    pub before: ImpactVersion,
    /// The new version.
    pub after: ImpactVersion,
    /// How many different changes there are.
    pub different_changes: DistinctCount,
    /// The largest changes, most different first.
    pub changes: Vec<ImpactChange>,
}

/// A section whose text changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ImpactSection {
    /// The section.
    pub section: String,
    /// In how many rolls.
    pub rolls: u32,
    /// Their share, from 0 to 1.
    pub share: f64,
    /// Its fields whose text changes, by falling share.
    pub fields: Vec<ImpactField>,
}

/// A field whose text changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ImpactField {
    /// The field; `fragments`, `scale` and `pre_context` for fragments, sliders and headings.
    pub field: String,
    /// In how many rolls.
    pub rolls: u32,
    /// Their share, from 0 to 1.
    pub share: f64,
}

/// How the length of the changed prompts changes, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LengthChange {
    /// The lowest change.
    pub min: i32,
    /// The change that 5 % do not exceed.
    pub p5: i32,
    /// The change that half of them do not exceed.
    pub median: i32,
    /// The change that 95 % do not exceed.
    pub p95: i32,
    /// The highest change.
    pub max: i32,
    /// The histogram, in order without gaps.
    pub bars: Vec<ProfileBar>,
}

/// Rolls that are over a budget in one version only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BudgetCrossing {
    /// The budget.
    pub budget: u32,
    /// Over it in the new version only.
    pub above: u32,
    /// The first seed of those.
    pub above_seed: Option<u64>,
    /// Over it in the old version only.
    pub below: u32,
    /// The first seed of those.
    pub below_seed: Option<u64>,
}

/// One of the versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImpactVersion {
    /// Name for display.
    pub name: String,
    /// Tokens that all rolls share from the start; absent without a roll.
    pub prefix: Option<u32>,
    /// Rolls that print nothing.
    pub empty: u32,
    /// Rolls in which a section has no item that satisfies `requires` and `excludes`.
    pub conflicts: u32,
}

/// The rolls whose texts change in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImpactChange {
    /// The first seed with it.
    pub seed: u64,
    /// How many rolls change in this way.
    pub rolls: u32,
    /// How many bytes change.
    pub size: u32,
    /// Where, as section and field; empty if only the order or the white space changes.
    pub places: Vec<ImpactPlace>,
    /// What that seed rolls in the new version.
    pub picks: Vec<VariantPick>,
    /// Tokens of its prompt before.
    pub before: u32,
    /// Tokens of its prompt after.
    pub after: u32,
}

/// A place whose text changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImpactPlace {
    /// The section.
    pub section: String,
    /// The field.
    pub field: String,
}

/// The snapshots of a file under the edited registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotImpact {
    /// How many were rendered with both registries.
    pub snapshots: u32,
    /// How many print the same.
    pub same: u32,
    /// How many print another prompt.
    pub changed: u32,
    /// How many no longer load.
    pub broken: u32,
    /// How many could not be read.
    pub damaged: u32,
    /// Those that changed or no longer load, newest first; not all if there are many.
    pub listed: Vec<SnapshotChange>,
}

/// A snapshot that changed or no longer loads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SnapshotChange {
    /// Id of the snapshot.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Why it no longer loads; absent if its prompt changed.
    pub problem: Option<String>,
    /// Tokens of its prompt with its own registry.
    pub before: u32,
    /// Tokens of its prompt with the edited one; absent if it no longer loads.
    pub after: Option<u32>,
    /// The word diff of both prompts; empty if it no longer loads.
    pub parts: Vec<Part>,
}
