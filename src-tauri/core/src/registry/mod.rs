//! Registries as documents: reading with places, the typed model, the canonical form.
//!
//! Hydration lives in [`crate::hydrate`]; this folder never renders a prompt.

pub mod canonical;
pub(crate) mod check;
mod diagnostic;
mod error;
mod item;
mod json;
pub mod lint;
mod model;
mod parse;
mod place;
pub mod schema;
mod section;

pub use diagnostic::{Diagnostic, Severity};
pub use error::{ParseCode, ParseError};
pub use item::{Fragment, Item, bare_name};
pub(crate) use json::push_step;
pub use model::{Registry, Route, is_section};
pub use parse::{Document, Parsed, parse, read_json};
pub use place::{Place, Places};
pub use section::{Defaults, Section, Selection};

/// The one registry dialect this program reads and writes.
pub const SCHEMA_VERSION: u64 = 22;

/// Top-level keys that are never sections.
pub const RESERVED_KEYS: [&str; 8] = [
    "version",
    "title",
    "description",
    "template_engine",
    "assembly_order",
    "routes",
    "generation",
    "output_policy",
];

/// The well-known sections in canonical order; all others follow in file order.
pub const WELL_KNOWN_SECTIONS: [&str; 8] = [
    "base_context",
    "personas",
    "sentiment",
    "static_injections",
    "runtime_injections",
    "output_prompt_directions",
    "examples",
    "prompt_endings",
];
