//! Values of Python as JSON and back. Refuses what JSON cannot hold, with a pointer to it.

use promptdeck_json::push_step;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use serde_json::{Map, Number, Value};

use crate::fault::{Fault, Raised};

/// How many objects and lists may be inside each other, as in the JSON reader.
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
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Bool(flag.is_true()));
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return Ok(integer(number, place, raised)?);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        let number = Number::from_f64(number.value());
        return number
            .map(Value::Number)
            .ok_or_else(|| not_finite(place, raised).into());
    }
    if place.depth() >= MAX_DEPTH {
        return Err(too_deep(place, raised).into());
    }
    if let Ok(members) = value.cast::<PyDict>() {
        return object(members, place, raised).map(Value::Object);
    }
    if let Ok(items) = value.cast::<PyList>() {
        return list(items.iter(), items.len(), place, raised);
    }
    if let Ok(items) = value.cast::<PyTuple>() {
        return list(items.iter(), items.len(), place, raised);
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let members = PyDict::new(value.py());
        members.update(mapping)?;
        return object(&members, place, raised).map(Value::Object);
    }
    Err(wrong(raised, place, "a value that JSON can hold", value).into())
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
    text.to_str()
        .map_err(|_| lone_surrogate(place, raised).into())
}

/// The fault of a text that is no Unicode.
pub fn lone_surrogate(place: Place<'_>, raised: Raised) -> Fault {
    let message = "a text with a lone surrogate, which UTF-8 cannot hold";
    fault_at(place, raised, "lone_surrogate", message)
}

/// The text of an argument that may be missing.
pub fn text_of_argument<'a>(
    name: &str,
    text: Option<&'a Bound<'_, PyString>>,
    raised: Raised,
) -> PyResult<Option<&'a str>> {
    let place = Place::Key(&Place::Root, name);
    text.map(|text| text_of(text, place, raised)).transpose()
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

/// A fault of a value; the message begins with its place.
pub fn fault_at(place: Place<'_>, raised: Raised, code: &str, message: &str) -> Fault {
    let pointer = place.pointer();
    let message = match pointer.as_str() {
        "" => message.to_owned(),
        pointer => format!("{}: {message}", promptdeck_json::abridged(pointer)),
    };
    Fault::new(raised, code, message).at(pointer)
}

/// A value of another type than is expected in a place.
pub fn wrong(raised: Raised, place: Place<'_>, expected: &str, found: &Bound<'_, PyAny>) -> Fault {
    let message = format!("expected {expected}, found {}", name_of(found));
    fault_at(place, raised, "wrong_type", &message)
}

/// The exception of an argument of a type that it never has; what is wrong inside one is a [`wrong`]
/// value.
pub fn wrong_argument(name: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "{name}: expected {expected}, found {}",
        name_of(found)
    ))
}

/// The dictionary that an argument is, or that a mapping makes.
pub fn dictionary<'py>(name: &str, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    if let Ok(members) = given.cast::<PyDict>() {
        return Ok(members.clone());
    }
    let Ok(mapping) = given.cast::<PyMapping>() else {
        return Err(wrong_argument(name, "a dictionary", given));
    };
    let members = PyDict::new(given.py());
    members.update(mapping)?;
    Ok(members)
}

/// The integer of an argument that may be missing.
pub fn integer_argument<'py>(
    name: &str,
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyInt>>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(None);
    };
    let number = integer_of(given);
    number.map_or_else(
        || Err(wrong_argument(name, "an integer", given)),
        |number| Ok(Some(number)),
    )
}

/// A number that JSON does not have.
pub fn not_finite(place: Place<'_>, raised: Raised) -> Fault {
    fault_at(place, raised, "not_json", "infinity and NaN are not JSON")
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

/// An integer; large ones keep all their digits.
fn integer(number: &Bound<'_, PyInt>, place: Place<'_>, raised: Raised) -> Result<Value, Fault> {
    if let Ok(number) = number.extract::<i64>() {
        return Ok(Value::Number(number.into()));
    }
    let digits = digits_of(number);
    serde_json::from_str(&digits).map_err(|_| {
        let message = "an integer of more digits than Python writes";
        fault_at(place, raised, "too_large", message)
    })
}

/// The integer that a value is: one of Python, or what stands for one, such as an integer of numpy. A
/// truth value is none.
pub fn integer_of<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyInt>> {
    if value.is_instance_of::<PyBool>() {
        return None;
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return Some(number.clone());
    }
    // Those of numpy stand for integers in some of its versions.
    let name = value.get_type().name().ok()?;
    if name == "bool" || name == "bool_" {
        return None;
    }
    let operator = value.py().import("operator").ok()?;
    let number = operator.call_method1("index", (value,)).ok()?;
    number.cast_into().ok()
}

/// The digits of an integer of any size: to the base of 16, as 0x..., if there are more than Python
/// writes.
pub fn digits_of(number: &Bound<'_, PyInt>) -> String {
    // `int` itself: subclasses such as enumerations print otherwise.
    let plain = number.py().get_type::<PyInt>();
    let digits = plain.call_method1("__repr__", (number,));
    let digits = digits.or_else(|_| plain.call_method1("__format__", (number, "#x")));
    let digits = digits.and_then(|digits| digits.extract());
    digits.unwrap_or_default()
}

/// The fault of a value that nests too deep.
pub fn too_deep(place: Place<'_>, raised: Raised) -> Fault {
    let message = format!("nested deeper than {MAX_DEPTH} levels");
    fault_at(place, raised, "too_deep", &message)
}

/// The value of a JSON text as Python has it.
pub fn python<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}
