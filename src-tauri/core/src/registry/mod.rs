//! Registries as documents: parsing with source positions, the typed model, the canonical form.
//!
//! Hydration lives in [`crate::hydrate`]; this folder never renders a prompt.

#![warn(clippy::missing_errors_doc)]

mod bounds;
pub mod canonical;
pub(crate) mod check;
pub mod codes;
mod diagnostic;
mod diagnostic_code;
mod diagnostic_data;
mod entry_label;
mod error;
mod item;
mod json;
mod model;
mod name;
mod parse;
mod position;
pub mod schema;
mod section;
mod weight;

pub use bounds::{MAX_BYTES, MAX_DEPTH, MAX_VALUES};
pub use diagnostic::{Diagnostic, Severity};
pub use diagnostic_code::DiagnosticCode;
pub use diagnostic_data::{DataKey, DataKind, DataValue, DiagnosticData};
pub use entry_label::entry_label;
pub use error::{ParseCode, ParseError};
pub use item::{Fragment, ITEM_KEYS, Item, LABEL_FIELDS, NAME_LISTS, bare_name, is_substituted};
pub use model::{Registry, Route, is_section};
pub use name::{NameFault, name_fault, name_from, variable_name_from};
pub use parse::{
    Document, Parsed, check_json_bounds, check_json_values, parse, parse_errors, read_json,
    read_json_object,
};
pub(crate) use position::TextPositions;
pub use position::{Position, SourceMap};
pub use section::{Defaults, Section, Selection, primary_field};
pub use weight::{DEFAULT_WEIGHT, MAX_WEIGHT, MIN_WEIGHT, WeightFault};

/// The one registry dialect this program reads and writes.
pub const SCHEMA_VERSION: u64 = 22;

/// The name under which a call without a route is listed beside the routes; no route should have it.
pub const BUILT_IN_ROUTE: &str = "default";

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
