//! Reads JSON documents of a known kind from files and from batch lines, within bounds. Duplicate
//! keys are errors, unknown keys are warnings.

use std::path::Path;

use promptdeck_core::registry::{ParseCode, ParseError, SourceMap, read_json_object};
use promptdeck_json::{WrongValue, explain, unknown_keys};
use promptdeck_request::document::{DocumentKind, FileKind, kind_of, recognize};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{failure::Failure, input, warnings::Warnings};

/// Reads documents of one kind and caches the kind's schema.
#[derive(Debug, Clone)]
pub struct Documents {
    kind: DocumentKind,
    schema: Value,
}

/// A parsed document and its source bytes.
pub struct Document<'a> {
    members: Map<String, Value>,
    bytes: &'a [u8],
    /// Positions of the values in a file; `None` for a line.
    places: Option<SourceMap>,
    kind: DocumentKind,
    is_line: bool,
}

impl Documents {
    /// A reader for documents of that kind.
    pub fn new(kind: DocumentKind) -> Self {
        Self {
            kind,
            schema: kind.schema(),
        }
    }

    /// Reads a document from one line of a batch.
    pub fn open_line<'a>(
        &self,
        line: &'a [u8],
        warnings: &mut Warnings,
    ) -> Result<Document<'a>, Failure> {
        let (members, _) = read_json_object(line, self.kind.title())
            .map_err(|error| with_outline(self.kind, line, unreadable_line(&error)))?;
        let document = Value::Object(members);
        for unknown in unknown_keys(&self.schema, &document) {
            warnings.unknown_key("", &unknown)?;
        }
        Ok(Document {
            members: members_of(document),
            bytes: line,
            places: None,
            kind: self.kind,
            is_line: true,
        })
    }

    /// Reads a document from the bytes of a file.
    pub fn open_file<'a>(
        &self,
        path: &Path,
        bytes: &'a [u8],
        warnings: &mut Warnings,
    ) -> Result<Document<'a>, Failure> {
        let name = input::name_of(path);
        let (members, places) = read_json_object(bytes, self.kind.title())
            .map_err(|error| with_outline(self.kind, bytes, Failure::registry(&name, &error)))?;
        let document = Value::Object(members);
        self.warn_of(&document, &name, Some(&places), warnings)?;
        Ok(Document {
            members: members_of(document),
            bytes,
            places: Some(places),
            kind: self.kind,
            is_line: false,
        })
    }

    /// Warns about unknown keys in a file that was parsed elsewhere.
    pub fn warn_of(
        &self,
        document: &Value,
        name: &str,
        places: Option<&SourceMap>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        for unknown in unknown_keys(&self.schema, document) {
            let place = places.and_then(|places| places.find_key(&unknown.pointer));
            let place = input::at(name, place);
            warnings.unknown_key(&place, &unknown)?;
        }
        Ok(())
    }
}

fn members_of(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

impl Document<'_> {
    /// Deserializes the document.
    pub fn into_shape<T: DeserializeOwned>(self) -> Result<T, Failure> {
        T::deserialize(Value::Object(self.members)).map_err(|error| match self.is_line {
            true => wrong_line(self.kind, self.bytes, &error),
            false => wrong_file(self.kind, self.bytes, &error),
        })
    }

    /// Deserializes the document without consuming it.
    pub fn shape<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        let copy = Document {
            members: self.members.clone(),
            places: None,
            ..*self
        };
        copy.into_shape()
    }

    /// Positions of the values in a file.
    pub fn places(&self) -> Option<&SourceMap> {
        self.places.as_ref()
    }

    /// Whether the document has that member with a value other than `null`.
    pub fn has(&self, key: &str) -> bool {
        self.members.get(key).is_some_and(|value| !value.is_null())
    }
}

/// Reads a document from a file; `-` is standard input.
pub fn read<T: DeserializeOwned>(
    path: &Path,
    kind: DocumentKind,
    warnings: &mut Warnings,
) -> Result<T, Failure> {
    let bytes = input::read(path)?;
    let document = Documents::new(kind).open_file(path, &bytes, warnings)?;
    document.into_shape().map_err(|failure| {
        // The key of a missing value may be misspelled.
        warnings.print();
        failure.in_file(path)
    })
}

/// Refuses a file of another kind in which a document of `kind` would have nothing to read. For kinds
/// without required keys: of the others, one is missing.
pub fn refuse_other(kind: DocumentKind, members: &Map<String, Value>) -> Result<(), Failure> {
    let found = recognize(members);
    let schema = kind.schema();
    let is_read = |key: &String| {
        !["$schema", "metadata"].contains(&key.as_str()) && !schema["properties"][key].is_null()
    };
    if found == FileKind::Other || members.keys().any(is_read) {
        return Ok(());
    }
    let failure = Failure::input(
        "wrong_document",
        format!("not {} but {found}", kind.title()),
    );
    Err(match (kind, found) {
        (DocumentKind::Call, FileKind::Registry) => failure.with_hint(
            "`promptdeck hydrate` prints its prompt, and a call document names it as \"registry\"",
        ),
        _ => failure,
    })
}

/// The failure of an input, with the outline of a document if the input does not even begin as one: it
/// is a plain text or a list that belongs in it.
pub fn with_outline(kind: DocumentKind, bytes: &[u8], failure: Failure) -> Failure {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    if bytes.trim_ascii_start().starts_with(b"{") {
        return failure;
    }
    failure.with_hint(&format!("write {}", kind.outline()))
}

/// A line that is not JSON has its own stable code; other errors have the parser's.
fn unreadable_line(error: &ParseError) -> Failure {
    let code = match error.code {
        ParseCode::DuplicateKey | ParseCode::TooDeep | ParseCode::TooLarge => error.code(),
        _ => "invalid_line",
    };
    let mut message = String::new();
    if let Some(place) = error.place {
        message = format!("column {}: ", place.column);
    }
    Failure::input(code, format!("unreadable line: {message}{}", error.message))
}

/// The error for a file with a missing or mistyped value.
fn wrong_file(kind: DocumentKind, bytes: &[u8], error: &serde_json::Error) -> Failure {
    let (wrong, places) = explained(kind, bytes, error);
    let place = places.and_then(|places| {
        let parent = wrong.pointer.rsplit_once('/').map(|(parent, _)| parent);
        // A missing value has no position; use its parent's.
        places.find(&wrong.pointer).or_else(|| places.find(parent?))
    });
    let place = place.map_or_else(String::new, |place| {
        format!("line {}, column {}: ", place.line, place.column)
    });
    let other = match kind_of(bytes) {
        FileKind::Other => String::new(),
        other => format!(" but {other}"),
    };
    let message = format!("{place}not {}{other}: {wrong}", kind.title());
    Failure::input("invalid_json", message).at(wrong.pointer)
}

/// The error for a line with a missing or mistyped value.
pub fn wrong_line(kind: DocumentKind, line: &[u8], error: &serde_json::Error) -> Failure {
    let (wrong, places) = explained(kind, line, error);
    let places = places.filter(|_| !wrong.pointer.is_empty());
    let place = places.and_then(|places| places.find(&wrong.pointer));
    let place = place.map_or_else(String::new, |place| format!("column {}: ", place.column));
    let message = format!("unreadable line: {place}{wrong}");
    Failure::input("invalid_line", message).at(wrong.pointer)
}

/// Finds the cause of a rejection by a second, slower reading.
fn explained(
    kind: DocumentKind,
    bytes: &[u8],
    error: &serde_json::Error,
) -> (WrongValue, Option<SourceMap>) {
    let read = read_json_object(bytes, kind.title()).ok();
    let (members, places) = read.unzip();
    let document = Value::Object(members.unwrap_or_default());
    (explain(&kind.schema(), &document, error), places)
}
