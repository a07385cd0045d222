//! Chat templates: the exact text a model is given, special tokens included.
//!
//! A [`Request`] is a conversation and what goes with it; a [`ChatFormat`] writes it down, either
//! one of the `builtin` formats or a template of the model's own, run by `jinja`. `detect` finds
//! out which family a model is of, `factory` picks the format, `probe` finds out what a template
//! can do by rendering with it, `polyfill` makes up for what it cannot, `incremental` gives what one
//! more message adds, and `extract` reads what the model answered.

pub mod answer;
pub mod brought;
pub mod builtin;
pub mod capability;
pub mod detect;
pub mod extract;
pub mod factory;
pub mod family;
pub mod format;
pub mod incremental;
pub mod inspect;
pub mod message;
pub mod polyfill;
pub mod probe;
pub mod request;
pub mod templated;

pub use promptdeck_jinja as jinja;

pub use capability::Capabilities;
pub use family::Family;
pub use format::ChatFormat;
pub use message::{Message, Tool};
pub use request::{RenderError, Request};
