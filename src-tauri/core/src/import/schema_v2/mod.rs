//! Converts schema version 2, the dialect of promptlibretto 0.7 and 0.8.
//!
//! Each step removes one concept of that dialect from the draft. Tokens stay in the dialect until the
//! last step serialises them, so that every step can resolve them.

mod defaults;
mod draft;
mod fields;
mod groups;
mod injections;
mod names;
mod pool_text;
mod prefixes;
mod scale;
mod token;
mod type_check;
mod unsupported;
mod variables;

use serde_json::{Map, Value};

use super::{Dialect, ReportEntry};
use crate::registry::ParseError;
use draft::Draft;

/// Converts a registry of schema version 2 to the canonical model.
pub(super) fn convert(
    mut registry: Map<String, Value>,
    dialect: Dialect,
) -> Result<(Map<String, Value>, Vec<ReportEntry>), ParseError> {
    type_check::check(&mut registry)?;
    let mut draft = Draft::new(registry, dialect);
    names::normalize(&mut draft);
    prefixes::bake(&mut draft);
    names::find_items(&mut draft);
    groups::inline(&mut draft);
    scale::hoist(&mut draft);
    injections::place(&mut draft);
    pool_text::to_heading(&mut draft);
    unsupported::lone_fragments(&mut draft);
    fields::rename(&mut draft);
    defaults::bake(&mut draft);
    variables::declare(&mut draft);
    unsupported::report(&mut draft);
    Ok(draft.finish())
}
