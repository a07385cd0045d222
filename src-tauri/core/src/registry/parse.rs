//! Parses the bytes of a file into a checked registry, or into an error with its position.

use serde_json::{Map, Value};

use super::{
    DataKey, DiagnosticData, ParseCode, ParseError, Position, Registry, SourceMap,
    bounds::{self, Root},
    json::{self, JsonFault},
    position::{line_starts, position_at},
};

/// A registry file as its author wrote it, nothing lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The registry object.
    pub registry: Map<String, Value>,
    /// The siblings of `registry` when the file wraps it; `None` for a bare registry.
    pub wrapper: Option<Map<String, Value>>,
}

/// A registry file that was accepted.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The author's JSON.
    pub document: Document,
    /// The typed registry.
    pub registry: Registry,
    /// The positions of all values in the file.
    pub source_map: SourceMap,
}

/// Parses a registry file: strict JSON, one object, bare or under a key `registry`.
///
/// Rejected with the position: syntax errors, duplicate keys, lone surrogates, text that is not UTF-8,
/// nesting beyond 128 levels, more than 128 MiB or a million values, known fields of a wrong type,
/// other versions.
///
/// # Errors
///
/// [`ParseError`] with the position.
pub fn parse(bytes: &[u8]) -> Result<Parsed, ParseError> {
    let (top, source_map) = read_json_object(bytes, "a registry")?;
    Parsed::from_object(top, source_map)
}

/// All errors of a registry file that [`parse`] rejects, in the order of the file: the fault that
/// ended the reading of its JSON, or every field of a wrong type, up to a thousand.
///
/// ```
/// use promptdeck_core::registry::parse_errors;
///
/// let errors = parse_errors(br#"{"title": 1, "a": {"items": {}, "required": "yes"}}"#);
/// let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
/// assert_eq!(pointers, ["/title", "/a/items", "/a/required"]);
/// ```
#[must_use]
pub fn parse_errors(bytes: &[u8]) -> Vec<ParseError> {
    let read = read_json_object(bytes, "a registry");
    let (document, source_map) = match read.and_then(|(top, map)| Document::of(top, map)) {
        Ok(read) => read,
        Err(error) => return vec![error],
    };
    let errors = Registry::errors(&document.registry).into_iter();
    let mut errors: Vec<ParseError> = errors.map(|error| located(error, &source_map)).collect();
    errors.sort_by_key(|error| (error.line(), error.column()));
    errors
}

impl Parsed {
    /// The registry of a file whose JSON was read already, by [`read_json_object`].
    ///
    /// # Errors
    ///
    /// [`ParseError`] with the position.
    pub fn from_object(top: Map<String, Value>, source_map: SourceMap) -> Result<Self, ParseError> {
        let (document, source_map) = Document::of(top, source_map)?;
        let registry =
            Registry::from_map(&document.registry).map_err(|error| located(error, &source_map))?;
        Ok(Self {
            document,
            registry,
            source_map,
        })
    }
}

impl Document {
    /// The document of a file, and its positions, which are those below the registry from here on.
    fn of(
        mut top: Map<String, Value>,
        source_map: SourceMap,
    ) -> Result<(Self, SourceMap), ParseError> {
        let document = match top.shift_remove("registry") {
            Some(Value::Object(registry)) => Self {
                registry,
                wrapper: Some(top),
            },
            Some(_) => {
                return Err(ParseError {
                    code: ParseCode::WrongType,
                    message: "`registry` must be an object".to_owned(),
                    pointer: "/registry".to_owned(),
                    data: DiagnosticData::of(DataKey::Key, "registry")
                        .with(DataKey::Expected, "an object"),
                    place: source_map.find("/registry"),
                });
            }
            None => Self {
                registry: top,
                wrapper: None,
            },
        };
        let source_map = source_map.wrapped(document.wrapper.is_some());
        Ok((document, source_map))
    }
}

/// An error of a registry object as one of its file.
fn located(mut error: ParseError, source_map: &SourceMap) -> ParseError {
    error.pointer.insert_str(0, source_map.root());
    error.place = source_map.find(&error.pointer);
    error
}

/// Parses any JSON text as strictly as a registry, with the positions of its values.
///
/// # Errors
///
/// [`ParseError`] with the position.
pub fn read_json(bytes: &[u8]) -> Result<(Value, SourceMap), ParseError> {
    json::read(bytes, Root::Any).map_err(|fault| parse_error(bytes, fault))
}

/// Parses the JSON text of an object as strictly as a registry; `what` names the document,
/// such as "a registry". Another kind of value is rejected before it is built.
///
/// # Errors
///
/// [`ParseError`] with the position.
pub fn read_json_object(
    bytes: &[u8],
    what: &str,
) -> Result<(Map<String, Value>, SourceMap), ParseError> {
    let (value, source_map) =
        json::read(bytes, Root::Object(what)).map_err(|fault| parse_error(bytes, fault))?;
    match value {
        Value::Object(members) => Ok((members, source_map)),
        _ => Err(ParseError {
            code: ParseCode::WrongType,
            message: format!("{what} is a JSON object"),
            pointer: String::new(),
            data: DiagnosticData::none(),
            place: source_map.find(""),
        }),
    }
}

/// Checks the size of a JSON text and the number of its values, before a parser builds anything from
/// it.
///
/// # Errors
///
/// [`ParseError`] if either is too large.
pub fn check_json_bounds(bytes: &[u8]) -> Result<(), ParseError> {
    bounds::check(bytes, Root::Any).map_err(|fault| parse_error(bytes, fault))
}

/// Checks the number of values of a JSON text against another limit.
///
/// # Errors
///
/// [`ParseError`] if there are more.
pub fn check_json_values(bytes: &[u8], limit: usize) -> Result<(), ParseError> {
    bounds::values(bytes, limit).map_err(|fault| parse_error(bytes, fault))
}

fn parse_error(bytes: &[u8], fault: JsonFault) -> ParseError {
    ParseError {
        code: fault.code,
        pointer: fault.pointer(),
        data: fault.data,
        place: Some(position_in(bytes, fault.offset)),
        message: fault.message,
    }
}

/// The place of an offset in a text that may not be UTF-8 from there on.
fn position_in(bytes: &[u8], offset: usize) -> Position {
    let valid = bytes[..offset.min(bytes.len())].utf8_chunks().next();
    let text = valid.map_or("", |chunk| chunk.valid());
    position_at(text, &line_starts(text), offset)
}
