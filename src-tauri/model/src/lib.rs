//! What a model brings along: how its tokenizer cuts text, and later its folder and GGUF header.
//! Every reader is bounded; what a file claims is never trusted. Runs no model.

pub mod tokens;
