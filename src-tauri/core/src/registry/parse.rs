//! From the bytes of a file to a checked registry, or to the place of the fault.

use serde_json::{Map, Value};

use super::{
    ParseCode, ParseError, Place, Places, Registry,
    bounds::{self, Root},
    json::{self, Fault},
    place::{line_starts, place_at},
};
use crate::document::is_call_field;

/// A registry file as its author wrote it, nothing lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The registry object.
    pub registry: Map<String, Value>,
    /// The siblings of `registry` when the file wraps it; `None` for a bare registry.
    pub wrapper: Option<Map<String, Value>>,
}

impl Document {
    /// The same without the fields of a call document beside the registry: the state, the messages
    /// and the arguments of one call are no part of a model.
    #[must_use]
    pub fn without_call(&self) -> Self {
        let mut document = self.clone();
        if let Some(wrapper) = &mut document.wrapper {
            wrapper.retain(|key, _| !is_call_field(key));
        }
        document
    }
}

/// A registry file that was accepted.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The author's JSON.
    pub document: Document,
    /// What it means.
    pub registry: Registry,
    /// Where everything stands in the file.
    pub places: Places,
}

/// Reads a whole registry file: strict JSON, one object, bare or under a key `registry`.
///
/// Refused with the place: syntax errors, duplicate keys, lone surrogates, text that is not UTF-8,
/// nesting beyond 128 levels, more than 128 MiB or a million values, known fields of a wrong type,
/// other versions.
pub fn parse(bytes: &[u8]) -> Result<Parsed, ParseError> {
    let (mut top, places) = read_json_object(bytes, "a registry")?;
    let document = match top.shift_remove("registry") {
        Some(Value::Object(registry)) => Document {
            registry,
            wrapper: Some(top),
        },
        Some(_) => {
            return Err(ParseError {
                code: ParseCode::WrongType,
                message: "`registry` must be an object".to_owned(),
                pointer: "/registry".to_owned(),
                place: places.find("/registry"),
            });
        }
        None => Document {
            registry: top,
            wrapper: None,
        },
    };
    let places = places.wrapped(document.wrapper.is_some());
    let registry = Registry::from_map(&document.registry).map_err(|mut error| {
        error.pointer.insert_str(0, places.root());
        error.place = places.find(&error.pointer);
        error
    })?;
    Ok(Parsed {
        document,
        registry,
        places,
    })
}

/// Reads any JSON text as strictly as a registry's, with the places of its values.
pub fn read_json(bytes: &[u8]) -> Result<(Value, Places), ParseError> {
    json::read(bytes, Root::Any).map_err(|fault| located(bytes, fault))
}

/// Reads the JSON text of an object as strictly as a registry's; `what` names what it stands for,
/// such as "a registry". Another kind of value is refused before it is built.
pub fn read_json_object(
    bytes: &[u8],
    what: &str,
) -> Result<(Map<String, Value>, Places), ParseError> {
    let (value, places) =
        json::read(bytes, Root::Object(what)).map_err(|fault| located(bytes, fault))?;
    match value {
        Value::Object(members) => Ok((members, places)),
        _ => Err(ParseError {
            code: ParseCode::WrongType,
            message: format!("{what} is a JSON object"),
            pointer: String::new(),
            place: places.find(""),
        }),
    }
}

/// Refuses a JSON text that is too large or holds too many values, before another reader builds
/// anything from it.
pub fn check_json_bounds(bytes: &[u8]) -> Result<(), ParseError> {
    bounds::check(bytes, Root::Any).map_err(|fault| located(bytes, fault))
}

/// The same with another limit on the number of values, for files that hold more of them.
pub fn check_json_values(bytes: &[u8], limit: usize) -> Result<(), ParseError> {
    bounds::values(bytes, limit).map_err(|fault| located(bytes, fault))
}

fn located(bytes: &[u8], fault: Fault) -> ParseError {
    ParseError {
        code: fault.code,
        pointer: fault.pointer(),
        place: Some(place_in(bytes, fault.offset)),
        message: fault.message,
    }
}

/// The place of an offset in a text that may not be UTF-8 from there on.
fn place_in(bytes: &[u8], offset: usize) -> Place {
    let valid = bytes[..offset.min(bytes.len())].utf8_chunks().next();
    let text = valid.map_or("", |chunk| chunk.valid());
    place_at(text, &line_starts(text), offset)
}
