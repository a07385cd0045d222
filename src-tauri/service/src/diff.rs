//! Comparisons of document versions, texts and JSON trees.

mod documents;
pub mod text;
pub mod tree;
pub mod versions;
