//! Messages of a conversation, from lists of dictionaries: as JSON, and as values of a template.

use std::sync::Arc;

use promptdeck_chat::Request;
use promptdeck_chat::request::REASONING;
use promptdeck_jinja::Value;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyTuple};
use serde_json::Value as Json;

use crate::convert::{self, MAX_DEPTH, Place, key_of, text_of, too_deep, wrong};
use crate::fault::{Fault, Raised};

/// A list of messages as JSON.
pub fn json(conversation: &Bound<'_, PyAny>) -> PyResult<Vec<Json>> {
    match convert::json(conversation, Place::Root, Raised::Chat)? {
        Json::Array(messages) => Ok(messages),
        _ => {
            let fault = wrong(
                Raised::Chat,
                Place::Root,
                "a list of messages",
                conversation,
            );
            Err(fault.into())
        }
    }
}

/// The most texts that are remembered: a search through them stays cheap.
const MAX_TEXTS: usize = 32;

/// Converts messages to values of a template, without JSON between: keys and roles, which all
/// messages have in common, are made once.
#[derive(Default)]
pub struct Messages {
    texts: Vec<(Arc<str>, Value)>,
}

impl Messages {
    /// The values of a list of messages.
    pub fn values(
        &mut self,
        conversation: &Bound<'_, PyAny>,
        request: &Request,
    ) -> PyResult<Vec<Value>> {
        let copy;
        let messages = if let Ok(messages) = conversation.cast::<PyList>() {
            messages
        } else if let Ok(messages) = conversation.cast::<PyTuple>() {
            copy = messages.to_list();
            &copy
        } else {
            let fault = wrong(
                Raised::Chat,
                Place::Root,
                "a list of messages",
                conversation,
            );
            return Err(fault.into());
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
                let message = format!("message {index} is not an object with a role and a content");
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
        members: &Bound<'_, PyDict>,
        place: Place<'_>,
        is_message: bool,
    ) -> PyResult<Option<Value>> {
        let mut entries = Vec::with_capacity(members.len());
        for (key, value) in members {
            let name = key_of(&key, place, Raised::Chat)?;
            if is_message && REASONING.contains(&name) {
                return Ok(None);
            }
            let value = match value.cast::<PyString>() {
                Ok(text) => {
                    let text = text_of(text, Place::Key(&place, name), Raised::Chat)?;
                    match name {
                        "role" | "type" => self.shared(text).1,
                        _ => text.into(),
                    }
                }
                Err(_) => self.value(&value, Place::Key(&place, name))?,
            };
            entries.push((self.shared(name).0, value));
        }
        let value = Value::dict_of_unique(entries).map_err(Fault::from)?;
        Ok(Some(value))
    }

    fn value(&mut self, value: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<Value> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(text_of(text, place, Raised::Chat)?.into());
        }
        if place.depth() > MAX_DEPTH {
            return Err(too_deep());
        }
        if let Ok(members) = value.cast::<PyDict>() {
            // Only messages have reasoning.
            if let Some(value) = self.dict(members, place, false)? {
                return Ok(value);
            }
        }
        if let Ok(items) = value.cast::<PyList>() {
            let mut values = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                values.push(self.value(&item, Place::Index(&place, index))?);
            }
            return Ok(Value::list(values).map_err(Fault::from)?);
        }
        let json = convert::json(value, place, Raised::Chat)?;
        Ok(Value::from_json(&json).map_err(Fault::from)?)
    }

    /// A text that many messages share, as a key and as a value.
    fn shared(&mut self, text: &str) -> (Arc<str>, Value) {
        if let Some(known) = self.texts.iter().find(|(known, _)| **known == *text) {
            return known.clone();
        }
        let made: (Arc<str>, Value) = (text.into(), text.into());
        if self.texts.len() < MAX_TEXTS {
            self.texts.push(made.clone());
        }
        made
    }
}
