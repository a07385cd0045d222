//! Chat templates: the exact text a model is given, special tokens included.

pub mod jinja;
pub mod request;

pub use request::{RenderError, Request};
