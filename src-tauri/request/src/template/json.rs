//! The filter `tojson`: JSON as Python's `json.dumps` spaces it, for prompts and not for web pages:
//! nothing is escaped that JSON itself doesn't ask for.

use minijinja::{Error, Value, value::Kwargs};
use promptdeck_python::json::dumps;

/// Writes a value as JSON, on one line or indented by that many blanks.
#[allow(
    clippy::needless_pass_by_value,
    reason = "the engine hands arguments over"
)]
pub fn tojson(value: &Value, indent: Option<usize>, kwargs: Kwargs) -> Result<Value, Error> {
    let indent = match indent {
        Some(indent) => Some(indent),
        None => kwargs.get::<Option<usize>>("indent")?,
    };
    kwargs.assert_all_used()?;
    let json = super::value::to_json(value);
    Ok(Value::from_safe_string(dumps(&json, indent)))
}
