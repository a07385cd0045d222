//! Values of Python as JSON and back. Refuses what JSON cannot hold, with a pointer to it.

use promptdeck_json::push_step;
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use serde_json::{Map, Number, Value};

use crate::fault::{Fault, Raised};

/// How deep a value may nest, as in the JSON reader.
pub const MAX_DEPTH: usize = 128;

/// The way to a value, for messages; on the stack, as almost none is ever shown.
#[derive(Clone, Copy)]
pub enum Place<'a> {
    /// The whole value.
    Root,
    /// A member of an object.
    Key(&'a Place<'a>, &'a str),
    /// An element of a list.
    Index(&'a Place<'a>, usize),
}

impl Place<'_> {
    /// The JSON pointer.
    pub fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(outer, key) => {
                let mut pointer = outer.pointer();
                push_step(&mut pointer, key);
                pointer
            }
            Self::Index(outer, index) => format!("{}/{index}", outer.pointer()),
        }
    }

    /// How deep the value is nested.
    pub fn depth(&self) -> usize {
        match self {
            Self::Root => 0,
            Self::Key(outer, _) | Self::Index(outer, _) => 1 + outer.depth(),
        }
    }
}

/// The JSON of a value of Python. Tuples are lists, as in Python's `json`.
pub fn json(value: &Bound<'_, PyAny>, place: Place<'_>, raised: Raised) -> PyResult<Value> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::String(text_of(text, place, raised)?.to_owned()));
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    if place.depth() > MAX_DEPTH {
        return Err(too_deep());
    }
    if let Ok(members) = value.cast::<PyDict>() {
        return object(members, place, raised).map(Value::Object);
    }
    if let Ok(items) = value.cast::<PyList>() {
        return list(items.iter(), items.len(), place, raised);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Bool(flag.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return integer(value);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        let number = Number::from_f64(number.value());
        return number
            .map(Value::Number)
            .ok_or_else(|| refused(value, place, raised).into());
    }
    if let Ok(items) = value.cast::<PyTuple>() {
        return list(items.iter(), items.len(), place, raised);
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let members = PyDict::new(value.py());
        members.update(mapping)?;
        return object(&members, place, raised).map(Value::Object);
    }
    Err(refused(value, place, raised).into())
}

/// The members of a dictionary.
pub fn object(
    members: &Bound<'_, PyDict>,
    place: Place<'_>,
    raised: Raised,
) -> PyResult<Map<String, Value>> {
    let mut object = Map::with_capacity(members.len());
    for (key, value) in members {
        let key = key_of(&key, place, raised)?;
        let value = json(&value, Place::Key(&place, key), raised)?;
        object.insert(key.to_owned(), value);
    }
    Ok(object)
}

/// The text of a Python string, which may hold lone surrogates: no text in UTF-8 does.
pub fn text_of<'a>(
    text: &'a Bound<'_, PyString>,
    place: Place<'_>,
    raised: Raised,
) -> PyResult<&'a str> {
    text.to_str().map_err(|_| {
        let message = "a text with a lone surrogate, which UTF-8 cannot hold";
        Fault::new(raised, "lone_surrogate", message)
            .at(place.pointer())
            .into()
    })
}

/// The key of a dictionary, which has to be a text.
pub fn key_of<'a>(
    key: &'a Bound<'_, PyAny>,
    place: Place<'_>,
    raised: Raised,
) -> PyResult<&'a str> {
    match key.cast::<PyString>() {
        Ok(text) => text_of(text, place, raised),
        Err(_) => Err(wrong(raised, place, "keys that are texts", key).into()),
    }
}

/// A value of another type than is expected in a place.
pub fn wrong(raised: Raised, place: Place<'_>, expected: &str, found: &Bound<'_, PyAny>) -> Fault {
    let pointer = place.pointer();
    let shown = match pointer.as_str() {
        "" => String::new(),
        pointer => format!("{}: ", promptdeck_json::abridged(pointer)),
    };
    let message = format!("{shown}expected {expected}, found {}", name_of(found));
    Fault::new(raised, "wrong_type", message).at(pointer)
}

/// What a value is, in words.
pub fn name_of(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() {
        return "None".to_owned();
    }
    let name = value.get_type().name();
    let name = name.map_or_else(|_| "value".to_owned(), |name| name.to_string());
    format!("a value of type {name}")
}

fn refused(value: &Bound<'_, PyAny>, place: Place<'_>, raised: Raised) -> Fault {
    if value.is_instance_of::<PyFloat>() {
        let message = "infinity and NaN are not JSON";
        return Fault::new(raised, "not_json", message).at(place.pointer());
    }
    wrong(raised, place, "a value that JSON can hold", value)
}

fn list<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    count: usize,
    place: Place<'_>,
    raised: Raised,
) -> PyResult<Value> {
    let mut values = Vec::with_capacity(count);
    for (index, item) in items.enumerate() {
        values.push(json(&item, Place::Index(&place, index), raised)?);
    }
    Ok(Value::Array(values))
}

/// An integer of any size; large ones keep all their digits.
fn integer(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(number) = value.extract::<i64>() {
        return Ok(Value::Number(number.into()));
    }
    // `int` itself: subclasses such as enumerations print otherwise.
    let plain = value
        .py()
        .get_type::<PyInt>()
        .call_method1("__repr__", (value,))?;
    let digits: String = plain.extract()?;
    let number = serde_json::from_str(&digits);
    Ok(number.unwrap_or(Value::Null))
}

/// The exception for a value that nests too deep.
pub fn too_deep() -> PyErr {
    PyRecursionError::new_err(format!("nested deeper than {MAX_DEPTH} levels"))
}

/// The value of a JSON text as Python has it.
pub fn python<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}
