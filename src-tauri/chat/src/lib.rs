#![doc = include_str!("../README.md")]
//!
//! # How a format is found
//!
//! `detect` finds out which family a model is of, `factory` picks the format, `probe` finds out what
//! a template can do by rendering with it, `polyfill` makes up for what it cannot, `incremental`
//! gives what one more message adds, and `extract` reads what the model answered.

pub mod answer;
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
pub mod message_keys;
pub mod misspelled;
pub mod model_metadata;
pub mod polyfill;
pub mod probe;
pub mod request;
pub mod schema;
pub mod template_format;
pub mod timestamp;
pub mod unread;

pub use capability::Capabilities;
pub use family::Family;
pub use format::ChatFormat;
pub use message::{Message, Tool};
pub use request::{RenderError, Request};
