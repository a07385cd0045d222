//! Converts documents of other programs to the canonical model, with a report of every change.
//!
//! Supported are the registries of promptlibretto, schema version 22 (0.5 and 0.6) and schema
//! version 2 (0.7 and 0.8), and the other kinds of [`SourceKind`]. The report lists what was converted
//! and what is not supported.

#![warn(clippy::missing_errors_doc)]

pub mod character_card;
mod deck;
mod detect;
pub mod dynamic_prompt;
mod fidelity;
mod generation;
pub mod messages;
mod misspelled;
mod naming;
pub mod plain_prompt;
mod pointer;
pub mod prompt_file;
mod report;
mod resemblance;
mod schema_v2;
mod schema_v22;
mod source;
pub mod text_input;
mod yaml;

use promptdeck_json::nearest::nearest;
use serde_json::{Map, Value};

pub use report::{ConversionStatus, Dialect, Report, ReportEntry, SourceFormat};
pub use resemblance::resemblance;
pub use source::{SourceKind, import_as};

use crate::file_kind::FileKind;
use crate::registry::{
    DataKey, DiagnosticData, Document, ParseCode, ParseError, Position, SourceMap, canonical,
    check::FieldPath, parse, read_json_object,
};

/// An imported registry.
#[derive(Clone, Debug)]
pub struct Import {
    /// The registry in canonical form.
    pub text: String,
    /// What was converted and what is not supported.
    pub report: Report,
}

/// Converts a registry file of promptlibretto 0.5 to 0.8 to the canonical model.
///
/// # Errors
///
/// With a position: JSON that [`parse`] rejects, fields with a value that the original program can't
/// use, versions other than 2 and 22, and an object without a section, which any JSON object is.
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
        Dialect::V0_6 if has_canonical_form(&document) && parse(bytes).is_ok() => {
            Dialect::Canonical
        }
        other => other,
    };
    let Document { registry, wrapper } = document;
    let meant = meant_key(&registry);
    let (registry, mut entries) = match dialect {
        Dialect::Canonical => Ok((registry, Vec::new())),
        Dialect::V0_6 => schema_v22::convert(registry),
        Dialect::V0_7 | Dialect::V0_8 => schema_v2::convert(registry, dialect),
    }
    .map_err(located)?;
    for entry in &mut entries {
        entry.place = nearest_position(&source_map, &entry.pointer);
    }
    let text = canonical::format(&Document { registry, wrapper });
    // A conversion that is not valid is rejected here and never written.
    let parsed = parse(text.as_bytes()).map_err(|mut error| {
        let pointer = error.pointer.strip_prefix("/registry");
        let pointer = format!("{}{}", source_map.root(), pointer.unwrap_or_default());
        error.place = source_map.find(&pointer);
        error.pointer = pointer;
        error
    })?;
    if parsed.registry.sections().is_empty() {
        return Err(located(no_section(meant)));
    }
    Ok(Import {
        text,
        report: Report::new(SourceFormat::Registry(dialect), entries),
    })
}

/// Keys that tell of what kind a document is.
const TELLING_KEYS: [&str; 5] = ["registry", "assembly_order", "messages", "spec", "entries"];

/// A key that is probably one of [`TELLING_KEYS`], misspelled.
fn meant_key(members: &Map<String, Value>) -> Option<(String, &'static str)> {
    members.keys().find_map(|key| {
        let meant = nearest(key, TELLING_KEYS)?;
        (key != meant).then(|| (key.clone(), meant))
    })
}

fn no_section(meant: Option<(String, &'static str)>) -> ParseError {
    let reason = FileKind::Other.why_no_registry();
    let data = DiagnosticData::of(DataKey::Field, "items");
    let path = FieldPath::ROOT;
    match meant {
        Some((key, meant)) => path.key(&key).error(
            ParseCode::NotARegistry,
            format!("{reason}; did you mean \"{meant}\"?"),
            data.with(DataKey::Key, key.clone())
                .with(DataKey::Suggestion, meant),
        ),
        None => path.error(ParseCode::NotARegistry, reason, data),
    }
}

/// Whether a document has the keys of the canonical form in its order, as it keeps them when a value
/// is edited by hand, an item is added or the text is laid out anew. Schema version 22 does not name
/// the program that wrote a file; the fixed form does.
fn has_canonical_form(document: &Document) -> bool {
    let authored = Value::Object(document.registry.clone());
    let canonical = serde_json::from_str::<Map<String, Value>>(&canonical::format(document));
    let wrapped = document.wrapper.is_some() && document.registry.contains_key("version");
    wrapped
        && canonical.is_ok_and(|top| top.get("registry").is_some_and(|it| covers(it, &authored)))
}

/// Whether a value has everything that another has, in the same order; it may have more keys.
fn covers(document: &Value, part: &Value) -> bool {
    match (document, part) {
        (Value::Object(document), Value::Object(part)) => {
            let mut keys = document.iter();
            part.iter().all(|(key, value)| {
                let found = keys.find(|(name, _)| *name == key);
                found.is_some_and(|(_, document)| covers(document, value))
            })
        }
        (Value::Array(document), Value::Array(part)) => {
            document.len() == part.len() && document.iter().zip(part).all(|(a, b)| covers(a, b))
        }
        _ => document == part,
    }
}

/// The position of a value, or of the innermost value around it that the original has.
fn nearest_position(source_map: &SourceMap, pointer: &str) -> Option<Position> {
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

/// The position of a value of a document that is no registry, or of the innermost value around it.
fn locate(source_map: &SourceMap, pointer: &str) -> Option<Position> {
    nearest_position(source_map, pointer).or_else(|| source_map.find(""))
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
            data: DiagnosticData::of(DataKey::Key, "registry").with(DataKey::Expected, "an object"),
            place: source_map.find("/registry"),
        }),
        None => Ok((top, None)),
    }
}
