//! Everything that compares: two versions of a document, two texts, two JSON trees.

mod documents;
pub mod text;
pub mod tree;
pub mod versions;
