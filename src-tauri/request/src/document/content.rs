//! What a file holds: a registry, a registry with faults, or something else, with the verb that reads it.
//! All verbs that read registries and the window's list of them decide it here.

use std::fmt;

use promptdeck_core::{
    import::SourceKind,
    registry::{
        ParseCode, ParseError, Parsed, Position, RESERVED_KEYS, check_json_bounds, read_json,
        read_json_object,
    },
};
use promptdeck_json::{abridged, push_step};
use serde_json::{Map, Value};

use super::{DocumentKind, FileKind, holds_registry, misspelled_registry, recognize};

/// What a file holds.
#[derive(Debug)]
pub enum Content {
    /// A registry, and whether the file is a call document around it.
    Registry(Box<Parsed>, FileKind),
    /// A registry without a section. The window can edit it; it has no prompt before it has a section.
    NoSection(Box<Parsed>, FileKind),
    /// What should be a registry, and the first of its faults.
    Faulty(ParseError),
    /// Something else.
    Other(OtherContent),
}

/// What a file holds that is no registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OtherContent {
    /// A file of a kind that is often beside registries.
    File(FileKind),
    /// A registry that no verb reads, as its key is misspelled.
    Misspelled {
        /// The key, as it is written.
        key: String,
        /// Its position.
        place: Option<Position>,
    },
    /// The document of a verb.
    Document(DocumentKind),
    /// A document of another program or a text, which can be imported.
    Source(SourceKind),
    /// A JSON value that is no object.
    Value(&'static str),
}

/// The documents with required keys of their own, by which they are recognized, and the state.
const DOCUMENTS: [DocumentKind; 5] = [
    DocumentKind::Policy,
    DocumentKind::Arguments,
    DocumentKind::Layers,
    DocumentKind::ChatExtract,
    DocumentKind::State,
];

impl Content {
    /// What a file of that name holds.
    #[must_use]
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        let (members, source_map) = match read_json_object(bytes, "a registry") {
            Ok(read) => read,
            Err(error) => return without_object(name, bytes, error),
        };
        let kind = recognize(&members);
        if let FileKind::Call | FileKind::Other = kind
            && let Some(key) = misspelled_registry(&members)
        {
            let mut pointer = String::new();
            push_step(&mut pointer, key);
            return Self::Other(OtherContent::Misspelled {
                key: key.to_owned(),
                place: source_map.find_key(&pointer),
            });
        }
        if let FileKind::Call | FileKind::Checks | FileKind::Schema = kind {
            return Self::Other(OtherContent::File(kind));
        }
        let other = match kind {
            FileKind::Other => of_members(name, bytes, &members),
            _ => None,
        };
        let intended_as_registry = meant_as_registry(&members);
        match Parsed::from_object(members, source_map) {
            Ok(parsed) if !parsed.registry.sections().is_empty() => {
                Self::Registry(Box::new(parsed), kind)
            }
            Ok(parsed) if kind != FileKind::Other => Self::NoSection(Box::new(parsed), kind),
            Err(error) if kind != FileKind::Other || intended_as_registry => Self::Faulty(error),
            _ => Self::Other(other.unwrap_or(OtherContent::File(kind))),
        }
    }

    /// As [`Content::of`] for a file that a folder contained: JSON in which nothing is a registry is not
    /// meant as one, and a broken file may be.
    #[must_use]
    pub fn of_found(name: &str, bytes: &[u8]) -> Self {
        match Self::of(name, bytes) {
            Self::Faulty(_) if is_other_json(bytes) => {
                Self::Other(OtherContent::File(FileKind::Other))
            }
            content => content,
        }
    }
}

/// Whether a text is a JSON object, though perhaps with a key twice, and no registry.
fn is_other_json(bytes: &[u8]) -> bool {
    check_json_bounds(bytes).is_ok()
        && serde_json::from_slice::<Map<String, Value>>(bytes)
            .is_ok_and(|members| !holds_registry(&members))
}

/// What a file holds that is no JSON object.
fn without_object(name: &str, bytes: &[u8], error: ParseError) -> Content {
    let other = match error.code {
        ParseCode::WrongType if is_messages(bytes) => OtherContent::Source(SourceKind::Messages),
        ParseCode::WrongType => OtherContent::Value(value_name(bytes)),
        // The error says that the text is empty.
        ParseCode::Syntax if bytes.trim_ascii().is_empty() => return Content::Faulty(error),
        ParseCode::Syntax => match SourceKind::detect(name, bytes) {
            SourceKind::Registry | SourceKind::Messages => return Content::Faulty(error),
            source => OtherContent::Source(source),
        },
        _ => return Content::Faulty(error),
    };
    Content::Other(other)
}

/// Whether a text is a list of messages.
fn is_messages(bytes: &[u8]) -> bool {
    let is_message = |value: &Value| value.get("role").is_some_and(Value::is_string);
    matches!(read_json(bytes), Ok((Value::Array(list), _))
        if !list.is_empty() && list.iter().all(is_message))
}

/// What a JSON text is that begins as no object.
fn value_name(bytes: &[u8]) -> &'static str {
    match bytes.trim_ascii_start().first() {
        Some(b'[') => "a JSON list",
        Some(b'"') => "a JSON text",
        Some(b'n') => "the JSON value null",
        Some(b't') => "the JSON value true",
        Some(b'f') => "the JSON value false",
        _ => "a JSON number",
    }
}

/// What an object is that is neither a registry nor a file of a kind often beside one.
fn of_members(name: &str, bytes: &[u8], members: &Map<String, Value>) -> Option<OtherContent> {
    let source = SourceKind::detect(name, bytes);
    if let SourceKind::Messages | SourceKind::Card | SourceKind::Lorebook = source {
        return Some(OtherContent::Source(source));
    }
    let is = |kind: &DocumentKind| {
        let schema = kind.schema();
        let known = |key: &String| schema["properties"].get(key).is_some();
        let required = schema["required"].as_array().into_iter().flatten();
        let mut required = required.filter_map(Value::as_str);
        required.all(|key| members.contains_key(key)) && members.keys().all(known)
    };
    let mut documents = DOCUMENTS.into_iter();
    let document = documents.find(is).filter(|_| !members.is_empty());
    document.map(OtherContent::Document)
}

/// Whether an object that is no registry was meant as one: it has a numbered version, a key of its
/// own that only registries have, or a section whose items are none.
fn meant_as_registry(members: &Map<String, Value>) -> bool {
    const NOT_DISTINCTIVE: [&str; 3] = ["version", "title", "description"];
    let members = match members.get("registry") {
        Some(Value::Object(inner)) => inner,
        Some(_) => return true,
        None => members,
    };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    members
        .get("version")
        .is_some_and(|version| version.is_number() || version.as_str().is_some_and(is_number))
        || RESERVED_KEYS
            .iter()
            .any(|key| !NOT_DISTINCTIVE.contains(key) && members.contains_key(*key))
        || members.values().any(|value| value.get("items").is_some())
}

/// What a text is by its keys; one that can't be read is of no known kind.
#[must_use]
pub fn kind_of(bytes: &[u8]) -> FileKind {
    match read_json_object(bytes, "a registry") {
        Ok((members, _)) => recognize(&members),
        Err(_) => FileKind::Other,
    }
}

impl OtherContent {
    /// Whether it is a document of Promptdeck, or messages, which stand in its documents: such files are
    /// beside registries on purpose.
    #[must_use]
    pub fn is_document(&self) -> bool {
        match self {
            Self::File(kind) => !matches!(kind, FileKind::Registry | FileKind::Other),
            Self::Document(_) => true,
            Self::Source(kind) => *kind == SourceKind::Messages,
            Self::Misspelled { .. } | Self::Value(_) => false,
        }
    }

    /// Why the file is not a registry.
    #[must_use]
    pub fn why(&self) -> String {
        match self {
            Self::File(kind) => kind.why_no_registry(),
            Self::Misspelled { key, .. } => {
                let key = abridged(key);
                format!("unknown key {key:?}, so its registry is not read")
            }
            other => format!("not a registry but {other}"),
        }
    }

    /// What can be done with the file.
    #[must_use]
    pub fn way_out(&self) -> String {
        match self {
            Self::Misspelled { .. } => "did you mean \"registry\"?".to_owned(),
            Self::File(FileKind::Call) => "`promptdeck request` builds its request".to_owned(),
            Self::File(FileKind::CallWithRegistry) => "`promptdeck request` builds its request, \
                 `promptdeck export` writes the registry with the state of the call"
                .to_owned(),
            Self::File(FileKind::Checks) => {
                "`promptdeck test` runs them, as NAME.checks.json beside NAME.json".to_owned()
            }
            Self::File(FileKind::Schema) => "name a file that it describes".to_owned(),
            Self::Document(DocumentKind::State) => {
                "`promptdeck hydrate REGISTRY --state FILE` reads it".to_owned()
            }
            Self::Document(kind) => {
                format!("`promptdeck {}` reads it", kind.name().replace('-', " "))
            }
            Self::Source(SourceKind::Messages) => "`promptdeck import` makes a registry of them, \
                 `promptdeck history` checks them, as an object with \"messages\""
                .to_owned(),
            Self::Source(_) => "`promptdeck import` makes a registry of it".to_owned(),
            Self::Value(_) => "a registry is a JSON object with sections".to_owned(),
            Self::File(_) => {
                "`promptdeck import` converts prompts and documents of other programs".to_owned()
            }
        }
    }
}

impl fmt::Display for OtherContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(kind) => kind.fmt(f),
            Self::Misspelled { .. } => f.write_str("a registry whose key is misspelled"),
            Self::Document(kind) => f.write_str(kind.title()),
            Self::Source(SourceKind::Plain) => f.write_str("a text"),
            Self::Source(kind) => f.write_str(kind.description()),
            Self::Value(name) => f.write_str(name),
        }
    }
}
