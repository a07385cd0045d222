//! What a model brings along: its folder, its GGUF header, and how its tokenizer cuts text.
//! Every reader is bounded; what a file claims is never trusted. Runs no model.

pub mod gguf;
pub mod model_dir;
pub mod tokenizer;
