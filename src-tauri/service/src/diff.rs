//! Comparisons of document versions, texts and JSON trees.

mod documents;
mod settings;
pub(crate) mod snapshot_changes;
pub mod text;
pub mod tree;
pub mod versions;
