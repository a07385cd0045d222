//! Schema version 2, the dialect of promptlibretto 0.7 and 0.8, said in the canonical model.
//!
//! Every step takes one notion of that dialect out of the draft. Tokens stay tokens of the dialect
//! until the last step writes them down, so that each step can still ask what they mean there.

mod defaults;
mod differences;
mod draft;
mod fields;
mod groups;
mod injections;
mod names;
mod pools;
mod prefixes;
mod scale;
mod shape;
mod token;
mod variables;

use serde_json::{Map, Value};

use super::{Dialect, Line};
use crate::registry::ParseError;
use draft::Draft;

/// Says a registry of schema version 2 in the canonical model.
pub(super) fn convert(
    mut registry: Map<String, Value>,
    dialect: Dialect,
) -> Result<(Map<String, Value>, Vec<Line>), ParseError> {
    shape::settle(&mut registry)?;
    let mut draft = Draft::new(registry, dialect);
    names::settle(&mut draft);
    prefixes::bake(&mut draft);
    names::find_items(&mut draft);
    groups::inline(&mut draft);
    scale::hoist(&mut draft);
    injections::place(&mut draft);
    pools::head(&mut draft);
    differences::lone_fragments(&mut draft);
    fields::rename(&mut draft);
    defaults::bake(&mut draft);
    variables::declare(&mut draft);
    differences::tell(&mut draft);
    Ok(draft.finish())
}
