//! Registries of other programs, said in the canonical model, with a report of every change.
//!
//! Read are the registries of promptlibretto: schema version 22 (0.5 and 0.6) and schema version 2
//! (0.7 and 0.8), a dialect of its own. What the canonical model can say is said; a line tells of
//! each thing that had to be said in other words, and of each that can't be said.

mod classic;
mod detect;
mod pointer;
mod report;
mod version_two;

use serde_json::{Map, Value};

pub use report::{Dialect, Fate, Line, Report};

use crate::registry::{
    Document, ParseCode, ParseError, Position, SourceMap, canonical, parse, read_json_object,
};

/// An imported registry.
#[derive(Clone, Debug)]
pub struct Import {
    /// The registry in canonical form.
    pub text: String,
    /// What was changed and what could not be said.
    pub report: Report,
}

/// Reads a registry file of promptlibretto 0.5 to 0.8 and says it in the canonical model.
///
/// Refused with the place: what [`parse`] refuses as JSON, fields that hold a value their program
/// would stumble over, and versions other than 2 and 22.
pub fn import(bytes: &[u8]) -> Result<Import, ParseError> {
    let (top, source_map) = read_json_object(bytes, "a registry")?;
    let (registry, wrapper) = unwrap(top, &source_map)?;
    let source_map = source_map.wrapped(wrapper.is_some());
    let located = |mut error: ParseError| {
        error.pointer.insert_str(0, source_map.root());
        error.place = source_map.find(&error.pointer);
        error
    };
    let dialect = detect::dialect(&registry).map_err(located)?;
    let document = Document { registry, wrapper };
    let dialect = match dialect {
        Dialect::Classic if is_canonical(bytes, &document) => Dialect::Canonical,
        other => other,
    };
    let Document { registry, wrapper } = document;
    let (registry, mut lines) = match dialect {
        Dialect::Canonical => Ok((registry, Vec::new())),
        Dialect::Classic => classic::convert(registry),
        Dialect::Seven | Dialect::Eight => version_two::convert(registry, dialect),
    }
    .map_err(located)?;
    for line in &mut lines {
        line.place = nearest(&source_map, &line.pointer);
    }
    let text = canonical::format(&Document { registry, wrapper });
    // Whatever this could not foresee is refused here, and never written.
    parse(text.as_bytes()).map_err(|mut error| {
        let pointer = error.pointer.strip_prefix("/registry");
        let pointer = format!("{}{}", source_map.root(), pointer.unwrap_or_default());
        error.place = source_map.find(&pointer);
        error.pointer = pointer;
        error
    })?;
    Ok(Import {
        text,
        report: Report::new(dialect, lines),
    })
}

/// Whether a text is in the canonical form already. Schema version 22 does not name the program that
/// wrote a file; the fixed form does.
fn is_canonical(bytes: &[u8], document: &Document) -> bool {
    bytes.trim_ascii() == canonical::format(document).trim().as_bytes()
}

/// The place of a value, or of the innermost one around it that the original has.
fn nearest(source_map: &SourceMap, pointer: &str) -> Option<Position> {
    let mut pointer = pointer;
    while !pointer.is_empty() {
        let place = source_map.find(&format!("{}{pointer}", source_map.root()));
        if place.is_some() {
            return place;
        }
        pointer = pointer.rsplit_once('/').map_or("", |(outer, _)| outer);
    }
    None
}

/// A registry object and, when its file wraps it, its siblings.
type Unwrapped = (Map<String, Value>, Option<Map<String, Value>>);

fn unwrap(mut top: Map<String, Value>, source_map: &SourceMap) -> Result<Unwrapped, ParseError> {
    match top.shift_remove("registry") {
        Some(Value::Object(registry)) => Ok((registry, Some(top))),
        Some(_) => Err(ParseError {
            code: ParseCode::WrongType,
            message: "`registry` must be an object".to_owned(),
            pointer: "/registry".to_owned(),
            place: source_map.find("/registry"),
        }),
        None => Ok((top, None)),
    }
}
