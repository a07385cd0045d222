//! Messages of a conversation, from lists of dictionaries: as JSON, and as values of a template.

use std::sync::Arc;

use promptdeck_chat::Request;
use promptdeck_chat::request::REASONING;
use promptdeck_core::registry::read_json;
use promptdeck_jinja::{UniqueEntries, Value};
use promptdeck_json::WrongValue;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyTuple};
use serde_json::Value as Json;

use crate::convert::{self, MAX_DEPTH, Place, key_of, not_finite, text_of, wrong_argument};
use crate::fault::{Fault, Raised};

/// A list of messages as JSON.
pub fn json(conversation: &Bound<'_, PyAny>) -> PyResult<Vec<Json>> {
    match convert::json(conversation, Place::Root, Raised::Chat)? {
        Json::Array(messages) => Ok(messages),
        _ => Err(wrong_conversation(conversation)),
    }
}

fn wrong_conversation(found: &Bound<'_, PyAny>) -> PyErr {
    wrong_argument("conversation", "a list of messages", found)
}

/// The messages of a JSON text.
pub fn of_json(text: &str) -> Result<Vec<Json>, Fault> {
    let (document, places) = read_json(text.as_bytes()).map_err(|error| Fault {
        raised: Raised::Chat,
        ..error.into()
    })?;
    let messages = match document {
        Json::Array(messages) => messages,
        other => {
            let wrong = WrongValue::new("", "a list of messages", Some(&other));
            return Err(Fault::of_value(Raised::Chat, wrong).placed(places.find("")));
        }
    };
    for (index, message) in messages.iter().enumerate() {
        check_numbers(message, Place::Index(&Place::Root, index)).map_err(|fault| {
            let place = places.find(fault.pointer.as_deref().unwrap_or_default());
            fault.placed(place)
        })?;
    }
    Ok(messages)
}

/// Refuses numbers that no double holds, such as 1e400: they would be printed as infinity.
fn check_numbers(value: &Json, place: Place<'_>) -> Result<(), Fault> {
    match value {
        Json::Number(number) => {
            let is_float = number.as_str().contains(['.', 'e', 'E']);
            match is_float && number.as_f64().is_none_or(f64::is_infinite) {
                true => Err(not_finite(place, Raised::Chat)),
                false => Ok(()),
            }
        }
        Json::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| check_numbers(item, Place::Index(&place, index))),
        Json::Object(members) => members
            .iter()
            .try_for_each(|(name, member)| check_numbers(member, Place::Key(&place, name))),
        _ => Ok(()),
    }
}

/// The most texts that are remembered: a search through them stays cheap.
const MAX_TEXTS: usize = 32;

/// Converts messages to values of a template, without JSON between: keys and roles, which all
/// messages have in common, are made once. An atomic count takes as long as reading a short text:
/// nothing is cloned that is not stored.
#[derive(Default)]
pub struct Messages<'py> {
    keys: Vec<Key<'py>>,
    roles: Vec<(Arc<str>, Value)>,
}

/// A key that was met.
struct Key<'py> {
    /// The text of Python, held so that no other has its address.
    object: Bound<'py, PyAny>,
    name: Arc<str>,
    is_reasoning: bool,
    /// Whether its values are few texts.
    has_roles: bool,
}

impl<'py> Messages<'py> {
    /// The values of a list of messages.
    pub fn values(
        &mut self,
        conversation: &Bound<'py, PyAny>,
        request: &Request,
    ) -> PyResult<Vec<Value>> {
        let copy;
        let messages = if let Ok(messages) = conversation.cast::<PyList>() {
            messages
        } else if let Ok(messages) = conversation.cast::<PyTuple>() {
            copy = messages.to_list();
            &copy
        } else {
            return Err(wrong_conversation(conversation));
        };
        let mut values = Vec::with_capacity(messages.len());
        for (index, message) in messages.iter().enumerate() {
            let place = Place::Index(&Place::Root, index);
            let copy;
            let fields = if let Ok(fields) = message.cast::<PyDict>() {
                fields
            } else if let Ok(mapping) = message.cast::<PyMapping>() {
                copy = PyDict::new(message.py());
                copy.update(mapping)?;
                &copy
            } else {
                let message = format!(
                    "message {} is not an object with a role and a content",
                    index + 1
                );
                let fault = Fault::new(Raised::Chat, "not_a_message", message);
                return Err(fault.at(place.pointer()).into());
            };
            values.push(match self.dict(fields, place, true)? {
                Some(value) => value,
                None => {
                    let fields = convert::object(fields, place, Raised::Chat)?;
                    request.value_of(&fields).map_err(Fault::from)?
                }
            });
        }
        Ok(values)
    }

    /// The value of a dictionary; none for a message with reasoning, which is given under several
    /// names.
    fn dict(
        &mut self,
        members: &Bound<'py, PyDict>,
        place: Place<'_>,
        is_message: bool,
    ) -> PyResult<Option<Value>> {
        let mut entries = UniqueEntries::with_capacity(members.len());
        for (object, value) in members {
            let key = self.key(&object, place)?;
            let Key {
                name,
                is_reasoning,
                has_roles,
                ..
            } = match key {
                Ok(index) => &self.keys[index],
                Err(ref key) => key,
            };
            if is_message && *is_reasoning {
                return Ok(None);
            }
            let (name, has_roles) = (Arc::clone(name), *has_roles);
            let inner = Place::Key(&place, &name);
            let value = match value.cast::<PyString>() {
                Ok(text) if has_roles => self.role(text_of(text, inner, Raised::Chat)?),
                Ok(text) => text_of(text, inner, Raised::Chat)?.into(),
                Err(_) => self.value(&value, inner)?,
            };
            entries.push(name, value);
        }
        Ok(Some(Value::dict_of_unique(entries).map_err(Fault::from)?))
    }

    /// The index of a known key, or a key that is not remembered.
    fn key(
        &mut self,
        object: &Bound<'py, PyAny>,
        place: Place<'_>,
    ) -> PyResult<Result<usize, Key<'py>>> {
        if let Some(index) = self.keys.iter().position(|key| key.object.is(object)) {
            return Ok(Ok(index));
        }
        let name = key_of(object, place, Raised::Chat)?;
        if let Some(index) = self.keys.iter().position(|key| *key.name == *name) {
            return Ok(Ok(index));
        }
        let key = Key {
            object: object.clone(),
            name: name.into(),
            is_reasoning: REASONING.contains(&name),
            has_roles: matches!(name, "role" | "type"),
        };
        if self.keys.len() == MAX_TEXTS {
            return Ok(Err(key));
        }
        self.keys.push(key);
        Ok(Ok(self.keys.len() - 1))
    }

    /// A text that many messages share.
    fn role(&mut self, text: &str) -> Value {
        if let Some((_, value)) = self.roles.iter().find(|(known, _)| **known == *text) {
            return value.clone();
        }
        let value: Value = text.into();
        if self.roles.len() < MAX_TEXTS {
            self.roles.push((text.into(), value.clone()));
        }
        value
    }

    fn value(&mut self, value: &Bound<'py, PyAny>, place: Place<'_>) -> PyResult<Value> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(text_of(text, place, Raised::Chat)?.into());
        }
        // At the last level the conversion to JSON below takes scalars and refuses the others.
        let is_last = place.depth() >= MAX_DEPTH;
        if let Ok(members) = value.cast::<PyDict>()
            && !is_last
            // Only messages have reasoning.
            && let Some(value) = self.dict(members, place, false)?
        {
            return Ok(value);
        }
        if let Ok(items) = value.cast::<PyList>()
            && !is_last
        {
            let mut values = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                values.push(self.value(&item, Place::Index(&place, index))?);
            }
            return Ok(Value::list(values).map_err(Fault::from)?);
        }
        let json = convert::json(value, place, Raised::Chat)?;
        Ok(Value::from_json(&json).map_err(Fault::from)?)
    }
}
