//! The session document: what a request to Gemini is made of, read from JSON. Only `turns` must be
//! there; keys that are not known are left alone.

use promptdeck_chat::timestamp::{Moment, MomentError};
use promptdeck_json::nearest::did_you_mean;
use serde_json::{Map, Value};

use super::cache_plan::Usage;

/// A session document, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Session {
    /// The model called.
    pub model: Option<String>,
    /// The moment of the call.
    pub now: Option<Moment>,
    /// Roles, procedure, constraints and goal: what seldom changes.
    pub fixed: Map<String, Value>,
    /// File references, artifacts and todos: what changes with every call.
    pub volatile: Map<String, Value>,
    /// The turns so far, oldest first.
    pub turns: Vec<Turn>,
    /// How many of the oldest turns belong to the static layer.
    pub cached_turn_count: usize,
    /// A cache the provider holds.
    pub cache: Option<Cache>,
    /// What the user wants now; never empty.
    pub instruction: Option<String>,
    /// Its parts, if it is more than a text.
    pub instruction_parts: Vec<Value>,
    /// The tools, as the author wrote them.
    pub tools: Vec<Value>,
    /// Generation settings, as the author wrote them.
    pub generation: Map<String, Value>,
    /// Whether the static layer is sent as `systemInstruction`.
    pub system_instruction: bool,
    /// The author's own `static.j2`.
    pub static_template: Option<String>,
    /// The author's own `dynamic.j2`.
    pub dynamic_template: Option<String>,
    /// What the last response cost.
    pub usage: Option<Usage>,
    /// Buffered tokens above which the cache should be rebuilt.
    pub cache_threshold: Option<usize>,
}

/// One turn of a session.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// The user asked for something.
    UserTask {
        /// What was asked.
        instruction: String,
        /// Its parts, if it is more than a text.
        parts: Vec<Value>,
    },
    /// The model answered.
    ModelResponse {
        /// The answer's text.
        content: String,
        /// The response as it came.
        raw: Option<Value>,
    },
    /// The model called functions.
    FunctionCalling {
        /// The call in words.
        response: String,
        /// The response as it came.
        raw: Option<Value>,
    },
    /// A tool answered.
    ToolResponse {
        /// The function that was called.
        name: String,
        /// What it gave.
        response: Value,
    },
    /// A summary of older turns.
    CompressedHistory {
        /// The summary.
        content: String,
    },
}

/// The types of turns.
const TURN_TYPES: [&str; 5] = [
    "user_task",
    "model_response",
    "function_calling",
    "tool_response",
    "compressed_history",
];

impl Turn {
    /// Whether there is nothing in it to send: a text that is blank.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::UserTask {
                instruction: text,
                parts,
            } => parts.is_empty() && text.trim().is_empty(),
            Self::CompressedHistory { content: text } => text.trim().is_empty(),
            Self::ModelResponse { content: text, raw } => raw.is_none() && text.trim().is_empty(),
            // A call without a word is still known by its responses.
            Self::FunctionCalling { .. } | Self::ToolResponse { .. } => false,
        }
    }
}

/// A cache the provider holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Cache {
    /// Its resource name.
    pub name: String,
    /// The model it was made for.
    pub model: String,
    /// What it was made of.
    pub content_hash: String,
    /// When it ends.
    pub expires: Option<Moment>,
}

/// A session document that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {fault}")]
pub struct SessionError {
    /// JSON pointer to the value.
    pub pointer: String,
    /// What is wrong with it.
    pub fault: SessionFault,
}

/// What is wrong with a value of a session document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionFault {
    /// A known field holds a value of another type.
    #[error("expected {0}")]
    WrongType(&'static str),
    /// A turn of a type that is not known.
    #[error(
        "there is no turn of type {0:?}; known are {known}{hint}",
        known = TURN_TYPES.join(", "),
        hint = did_you_mean(.0, TURN_TYPES)
    )]
    UnknownTurn(String),
    /// `now` names no moment.
    #[error(transparent)]
    Now(MomentError),
}

impl SessionError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &self.fault {
            SessionFault::WrongType(_) => "wrong_type",
            SessionFault::UnknownTurn(_) => "unknown_turn",
            SessionFault::Now(error) => error.code(),
        }
    }
}

impl Session {
    /// How many of the oldest turns the caller keeps in the static layer. A call and its responses
    /// are not parted: where the count would, the whole exchange stays in the buffer.
    #[must_use]
    pub fn cached_turns(&self) -> usize {
        let cached_count = self.cached_turn_count.min(self.turns.len());
        let answers = |turn: Option<&Turn>| matches!(turn, Some(Turn::ToolResponse { .. }));
        if !answers(self.turns.get(cached_count)) {
            return cached_count;
        }
        let mut before = self.turns[..cached_count].iter();
        match before.rposition(|turn| !answers(Some(turn))) {
            Some(call) if matches!(self.turns[call], Turn::FunctionCalling { .. }) => call,
            _ => cached_count,
        }
    }

    /// Reads a session document.
    ///
    /// # Errors
    /// [`SessionError`] if a field is missing or has the wrong type.
    pub fn read(document: &Map<String, Value>) -> Result<Self, SessionError> {
        let fields = Fields {
            map: document,
            at: "",
        };
        let turns = fields
            .list("turns")?
            .ok_or_else(|| fields.wrong("turns", "a list of turns"))?;
        let templates = fields.object("templates")?;
        let template = |name: &str| match templates.and_then(|all| all.get(name)) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(fields.wrong(&format!("templates/{name}"), "the text of a template")),
        };
        let (mut instruction, mut instruction_parts) = (None, Vec::new());
        if let Some(task) = fields.object("current_task")? {
            let task = Fields {
                map: task,
                at: "/current_task",
            };
            instruction = task.text("instruction")?;
            instruction_parts = task.list("parts")?.cloned().unwrap_or_default();
        }
        Ok(Self {
            model: fields.text("model")?,
            now: fields
                .text("now")?
                .map(|text| {
                    Moment::parse(&text).map_err(|error| SessionError {
                        pointer: "/now".to_owned(),
                        fault: SessionFault::Now(error),
                    })
                })
                .transpose()?,
            fixed: picked(
                document,
                &["roles", "procedure", "constraints", "session_goal"],
            ),
            volatile: picked(document, &["file_references", "artifacts", "todos"]),
            turns: turns
                .iter()
                .enumerate()
                .map(|(index, turn)| read_turn(index, turn))
                .collect::<Result<_, _>>()?,
            cached_turn_count: fields.count("cached_turn_count")?.unwrap_or_default(),
            cache: fields.object("cache")?.map(read_cache).transpose()?,
            instruction: instruction.filter(|text| !text.trim().is_empty()),
            instruction_parts,
            tools: fields.list("tools")?.cloned().unwrap_or_default(),
            generation: fields.object("generation")?.cloned().unwrap_or_default(),
            system_instruction: match document.get("system_instruction") {
                None | Some(Value::Null) => false,
                Some(Value::Bool(flag)) => *flag,
                Some(_) => return Err(fields.wrong("system_instruction", "true or false")),
            },
            static_template: template("static.j2")?,
            dynamic_template: template("dynamic.j2")?,
            usage: match fields.object("usage")? {
                Some(usage) => {
                    let usage = Fields {
                        map: usage,
                        at: "/usage",
                    };
                    Some(Usage {
                        cached_tokens: usage.count("cached_tokens")?.unwrap_or_default(),
                        prompt_tokens: usage.count("prompt_tokens")?.unwrap_or_default(),
                    })
                }
                None => None,
            },
            cache_threshold: fields.count("cache_threshold")?,
        })
    }
}

fn picked(document: &Map<String, Value>, keys: &[&str]) -> Map<String, Value> {
    keys.iter()
        .filter_map(|&key| Some((key.to_owned(), document.get(key)?.clone())))
        .filter(|(_, value)| !value.is_null())
        .collect()
}

fn read_turn(index: usize, turn: &Value) -> Result<Turn, SessionError> {
    let at = format!("/turns/{index}");
    let Some(map) = turn.as_object() else {
        return Err(SessionError {
            pointer: at,
            fault: SessionFault::WrongType("a turn with a type"),
        });
    };
    let fields = Fields { map, at: &at };
    let text = |name: &str| Ok(fields.text(name)?.unwrap_or_default());
    let raw = || {
        map.get("raw_response")
            .filter(|raw| !raw.is_null())
            .cloned()
    };
    let kind = fields
        .text("type")?
        .ok_or_else(|| fields.wrong("type", "the type of the turn"))?;
    Ok(match kind.as_str() {
        "user_task" => Turn::UserTask {
            instruction: text("instruction")?,
            parts: fields.list("parts")?.cloned().unwrap_or_default(),
        },
        "model_response" => Turn::ModelResponse {
            content: text("content")?,
            raw: raw(),
        },
        "function_calling" => Turn::FunctionCalling {
            response: text("response")?,
            raw: raw(),
        },
        "tool_response" => Turn::ToolResponse {
            name: text("name")?,
            response: map.get("response").cloned().unwrap_or_default(),
        },
        "compressed_history" => Turn::CompressedHistory {
            content: text("content")?,
        },
        _ => {
            return Err(SessionError {
                pointer: format!("{at}/type"),
                fault: SessionFault::UnknownTurn(kind),
            });
        }
    })
}

fn read_cache(map: &Map<String, Value>) -> Result<Cache, SessionError> {
    let fields = Fields { map, at: "/cache" };
    let text = |name: &str| Ok(fields.text(name)?.unwrap_or_default());
    Ok(Cache {
        name: text("name")?,
        model: text("model")?,
        content_hash: text("content_hash")?,
        // A date that can't be read is a cache that can't be trusted, not a session that can't.
        expires: fields
            .text("expires")?
            .and_then(|text| Moment::parse(&text).ok()),
    })
}

/// An object's fields, read by type.
struct Fields<'a> {
    map: &'a Map<String, Value>,
    at: &'a str,
}

impl<'a> Fields<'a> {
    fn wrong(&self, name: &str, expected: &'static str) -> SessionError {
        SessionError {
            pointer: format!("{}/{name}", self.at),
            fault: SessionFault::WrongType(expected),
        }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> Result<Option<String>, SessionError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(name, "text")),
        }
    }

    fn list(&self, name: &str) -> Result<Option<&'a Vec<Value>>, SessionError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(_) => Err(self.wrong(name, "a list")),
        }
    }

    fn object(&self, name: &str) -> Result<Option<&'a Map<String, Value>>, SessionError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map)),
            Some(_) => Err(self.wrong(name, "an object")),
        }
    }

    fn count(&self, name: &str) -> Result<Option<usize>, SessionError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => value
                .as_u64()
                .and_then(|count| usize::try_from(count).ok())
                .map(Some)
                .ok_or_else(|| self.wrong(name, "a whole number, 0 or more")),
        }
    }
}
