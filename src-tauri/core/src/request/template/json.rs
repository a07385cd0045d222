//! The filter `tojson`: JSON as Python's `json.dumps` spaces it, for prompts and not for web pages:
//! nothing is escaped that JSON itself doesn't ask for.

use std::io;

use minijinja::{Error, ErrorKind, Value, value::Kwargs};
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

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
    if value.is_undefined() {
        return Ok(Value::from("null"));
    }
    let value = super::value::to_json(value);
    let mut out = Vec::new();
    let written = match indent {
        Some(indent) => {
            let blanks = vec![b' '; indent];
            let formatter = PrettyFormatter::with_indent(&blanks);
            value.serialize(&mut Serializer::with_formatter(&mut out, formatter))
        }
        None => value.serialize(&mut Serializer::with_formatter(&mut out, Spaced)),
    };
    let refused = |reason: String| Error::new(ErrorKind::BadSerialization, reason);
    written.map_err(|error| refused(error.to_string()))?;
    String::from_utf8(out)
        .map(Value::from_safe_string)
        .map_err(|error| refused(error.to_string()))
}

/// One line, a blank after each comma and colon.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
