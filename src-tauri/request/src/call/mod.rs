//! Call documents: one JSON file beside a registry that says who the assistant is, what was said so
//! far, and what is asked now. Read strictly and with places, like a registry; keys that are not
//! known stay. [`pipeline`](super::pipeline) evaluates it.

mod schema;

pub use schema::json_schema;

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::{
    hydrate::{self, Seed, State},
    registry::{DataKey, DiagnosticData, ParseCode, ParseError, SourceMap, read_json_object},
};
use promptdeck_json::explain;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::history;

/// A call document that was accepted.
#[derive(Debug, Clone)]
pub struct CallDocument {
    /// The author's JSON, nothing lost.
    pub document: Map<String, Value>,
    /// What it means.
    pub call: Call,
    /// The positions of all values in the file.
    pub places: SourceMap,
}

/// Which registry a call is about.
#[derive(Debug, Clone, PartialEq)]
pub enum RegistryReference {
    /// A file, named from the call document's folder.
    File(String),
    /// The registry itself.
    Inline(Map<String, Value>),
}

/// What a call document says. Every part may be missing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Call {
    /// The registry.
    pub registry: Option<RegistryReference>,
    /// The state of the hydration.
    pub state: State,
    /// The route.
    pub route: Option<String>,
    /// The seed.
    pub seed: Option<Seed>,
    /// The moment of the call.
    pub now: Option<Moment>,
    /// Who the assistant is.
    pub assistant: Option<Map<String, Value>>,
    /// The conversation's identity and dates.
    pub conversation: Option<Map<String, Value>>,
    /// How the session is held.
    pub session: Option<Map<String, Value>>,
    /// What the client says of itself.
    pub metadata: Option<Map<String, Value>>,
    /// The runtime arguments.
    pub args: Option<Map<String, Value>>,
    /// The template variables' defaults.
    pub defaults: Option<Map<String, Value>>,
    /// The messages so far, oldest first, in `OpenAI`'s shape.
    pub history: Vec<Value>,
    /// The new user message.
    pub message: Option<Map<String, Value>>,
    /// The tools, in `OpenAI`'s shape.
    pub tools: Vec<Value>,
    /// Whether the model is to think, for chat formats with a switch.
    pub thinking: Option<bool>,
    /// Fields of a session document that have no other home.
    pub layers: Map<String, Value>,
}

/// Parses a call document.
///
/// # Errors
/// [`ParseError`] with its position: for text that a registry's reader would reject as well, and
/// for known fields of the wrong type.
pub fn parse(bytes: &[u8]) -> Result<CallDocument, ParseError> {
    let (document, places) = read_json_object(bytes, "a call document")?;
    let call = Call::from_map(&document).map_err(|mut error| {
        error.place = places.find(&error.pointer);
        error
    })?;
    Ok(CallDocument {
        document,
        call,
        places,
    })
}

/// As [`parse`], whatever the types of the known fields: the call without those that have the wrong
/// one, and the error of each, in the order of the file.
///
/// # Errors
/// [`ParseError`] with its position for text that a registry's reader would reject as well.
pub fn parse_tolerant(bytes: &[u8]) -> Result<(CallDocument, Vec<ParseError>), ParseError> {
    let (document, places) = read_json_object(bytes, "a call document")?;
    let mut fields = document.clone();
    let mut errors = Vec::new();
    let call = loop {
        let mut error = match Call::from_map(&fields) {
            Ok(call) => break call,
            Err(error) => error,
        };
        error.place = places.find(&error.pointer);
        let field = error.pointer.split('/').nth(1).unwrap_or_default();
        if fields.shift_remove(field).is_none() {
            return Err(error);
        }
        errors.push(error);
    };
    errors.sort_by_key(|error| (error.line(), error.column()));
    let document = CallDocument {
        document,
        call,
        places,
    };
    Ok((document, errors))
}

impl Call {
    /// The text of the new message, if it is not blank. A call whose history ends with a tool's
    /// response needs none.
    #[must_use]
    pub fn message_text(&self) -> Option<&Value> {
        let text = self.message.as_ref()?.get("text")?;
        let blank = match text {
            Value::String(text) => text.trim().is_empty(),
            other => other.is_null(),
        };
        (!blank).then_some(text)
    }

    /// The messages of the call: the history, and the new message if it has a text.
    #[must_use]
    pub fn messages(&self) -> Vec<Value> {
        let message = self
            .message_text()
            .map(|text| json!({"role": "user", "content": text}));
        self.history.iter().cloned().chain(message).collect()
    }

    /// Reads the object of a call document.
    ///
    /// # Errors
    /// [`ParseError`] with a pointer and without a position if a known field has the wrong type.
    pub fn from_map(map: &Map<String, Value>) -> Result<Self, ParseError> {
        let fields = Fields(map);
        let history = fields.list("history")?;
        if let Err(error) = history::validate(&history, true) {
            return Err(refused(
                format!("/history/{}", error.index()),
                error.to_string(),
                DiagnosticData::of(DataKey::Reason, error.to_string()),
            ));
        }
        Ok(Self {
            registry: match fields.get("registry") {
                None => None,
                Some(Value::String(file)) => Some(RegistryReference::File(file.clone())),
                Some(Value::Object(inline)) => Some(RegistryReference::Inline(inline.clone())),
                Some(_) => return Err(wrong("registry", "a file name or a registry")),
            },
            state: match fields.object("state")? {
                Some(state) => typed("state", &Value::Object(state), hydrate::schema::state)?,
                None => State::default(),
            },
            route: match fields.get("route") {
                None => None,
                Some(Value::String(route)) => Some(route.clone()),
                Some(_) => return Err(wrong("route", "the name of a route")),
            },
            seed: match fields.get("seed") {
                None => None,
                Some(seed) => Some(typed("seed", seed, hydrate::schema::seed)?),
            },
            now: match fields.get("now") {
                None => None,
                Some(Value::String(text)) => Some(Moment::parse(text).map_err(|error| {
                    let data = DiagnosticData::of(DataKey::Found, text.as_str())
                        .with(DataKey::Expected, "a date and time");
                    refused("/now".to_owned(), error.to_string(), data)
                })?),
                Some(_) => return Err(wrong("now", "a date and time")),
            },
            assistant: fields.object("assistant")?,
            conversation: fields.object("conversation")?,
            session: fields.object("session")?,
            metadata: fields.object("metadata")?,
            args: fields.object("args")?,
            defaults: fields.object("defaults")?,
            history,
            message: fields.object("message")?,
            tools: fields.list("tools")?,
            thinking: match fields.get("thinking") {
                None => None,
                Some(Value::Bool(thinking)) => Some(*thinking),
                Some(_) => return Err(wrong("thinking", "true or false")),
            },
            layers: fields.object("layers")?.unwrap_or_default(),
        })
    }
}

fn refused(pointer: String, message: String, data: DiagnosticData) -> ParseError {
    ParseError {
        code: ParseCode::WrongType,
        message,
        pointer,
        data,
        place: None,
    }
}

fn wrong(name: &str, wanted: &str) -> ParseError {
    let data = DiagnosticData::of(DataKey::Key, name).with(DataKey::Expected, wanted);
    refused(
        format!("/{name}"),
        format!("`{name}` must be {wanted}"),
        data,
    )
}

fn typed<T: DeserializeOwned>(
    name: &str,
    value: &Value,
    schema: impl Fn() -> Value,
) -> Result<T, ParseError> {
    T::deserialize(value).map_err(|error| {
        let part = json!({"properties": {name: schema()}});
        let wrong = explain(&part, &json!({name: value}), &error);
        let data = DiagnosticData::none()
            .with_some(DataKey::Expected, wrong.expected)
            .with_some(DataKey::Found, wrong.found);
        match wrong.pointer.is_empty() {
            true => refused(format!("/{name}"), wrong.message, data),
            false => refused(wrong.pointer, wrong.message, data),
        }
    })
}

/// The known fields; null means absent.
struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn object(&self, name: &str) -> Result<Option<Map<String, Value>>, ParseError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map.clone())),
            Some(_) => Err(wrong(name, "an object")),
        }
    }

    fn list(&self, name: &str) -> Result<Vec<Value>, ParseError> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => Ok(list.clone()),
            Some(_) => Err(wrong(name, "a list")),
        }
    }
}

#[cfg(test)]
mod tests;
