//! `schema`: the JSON Schema of a registry, for editors and other programs.

use promptdeck_core::registry::schema;

use crate::{
    failure::Failure,
    output::{Outcome, Output},
};

/// Prints the schema.
pub fn run(out: &mut Output) -> Result<Outcome, Failure> {
    out.json(&schema::json_schema())?;
    Ok(Outcome::Done)
}
