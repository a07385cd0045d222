//! The state of a call: from dictionaries, from JSON, and prepared for many calls.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use promptdeck_core::hydrate::{Seed, Selection, State as CoreState, schema};
use promptdeck_core::registry::read_json_object;
use promptdeck_json::{explain, unknown_keys};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyMapping, PyString, PyTuple};
use serde_json::Value;

use crate::convert::{
    Place, dictionary, digits_of, fault_at, integer_argument, key_of, not_finite, text_of, wrong,
    wrong_argument,
};
use crate::fault::{Fault, Raised};
use crate::pickle::{self, Kind};

/// What a state is made of, as JSON Schema.
static SCHEMA: LazyLock<Value> = LazyLock::new(schema::state);

/// The settings of one call, read once: selections, modes, sliders, randomness, variables.
///
/// A dictionary does as well wherever a state is expected; a `State` is read only once.
#[pyclass(frozen, module = "promptdeck")]
pub struct State {
    core: Arc<CoreState>,
    /// The number of the model that found nothing to warn of in it last; 0 for none.
    clean_for: AtomicU64,
    /// The same of the model whose prompts of it are as they were meant, whatever the seed.
    quiet_for: AtomicU64,
}

impl From<Arc<CoreState>> for State {
    fn from(core: Arc<CoreState>) -> Self {
        Self {
            core,
            clean_for: AtomicU64::default(),
            quiet_for: AtomicU64::default(),
        }
    }
}

impl State {
    /// Whether a model found nothing to warn of. To look again would take longer than to hydrate.
    pub fn is_clean_for(&self, model: u64) -> bool {
        self.clean_for.load(Ordering::Relaxed) == model
    }

    /// Whether there is nothing to warn of in the prompts that a model makes of it.
    pub fn is_quiet_for(&self, model: u64) -> bool {
        self.quiet_for.load(Ordering::Relaxed) == model
    }

    /// Notes that a model found nothing to warn of, and whether its prompts may have something.
    pub fn note_clean_for(&self, model: u64, may_warn: bool) {
        let quiet_for = if may_warn { 0 } else { model };
        self.quiet_for.store(quiet_for, Ordering::Relaxed);
        self.clean_for.store(model, Ordering::Relaxed);
    }
}

#[pymethods]
impl State {
    /// Reads a state from a dictionary; without one, nothing is set.
    #[new]
    #[pyo3(signature = (state=None, /))]
    fn new(state: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(read(state)?.into())
    }

    /// Reads a state from a dictionary.
    #[staticmethod]
    fn from_dict(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::new(Some(state))
    }

    /// Reads a state from JSON text.
    #[staticmethod]
    pub(crate) fn from_json(text: &Bound<'_, PyString>) -> PyResult<Self> {
        let state = from_json(text_of(text, Place::Root, Raised::Call)?)?;
        Ok(Arc::new(state).into())
    }

    /// The state as JSON text.
    pub(crate) fn to_json(&self) -> PyResult<String> {
        let text = serde_json::to_string(&*self.core);
        text.map_err(|error| Fault::of_json(Raised::Call, "the state", &error).into())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("State.from_json({:?})", self.to_json()?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| *other.get().core == *self.core)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduced(py, Kind::State, self.to_json()?)
    }
}

/// The state that a caller gives: a [`State`], a mapping, JSON text, or nothing.
pub fn read(state: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<CoreState>> {
    let Some(state) = state.filter(|state| !state.is_none()) else {
        return Ok(Arc::default());
    };
    if let Ok(state) = state.cast::<State>() {
        return Ok(Arc::clone(&state.get().core));
    }
    if let Ok(parts) = state.cast::<PyDict>() {
        return of_parts(parts).map(Arc::new);
    }
    if let Ok(text) = state.cast::<PyString>() {
        let text = text_of(text, Place::Root, Raised::Call)?;
        return Ok(Arc::new(from_json(text)?));
    }
    if state.cast::<PyMapping>().is_ok() {
        return of_parts(&dictionary("state", state)?).map(Arc::new);
    }
    let expected = "a State, a dictionary or JSON text";
    Err(wrong_argument("state", expected, state))
}

/// The state of a JSON text. Keys that no state has are faults: nothing else would report them.
pub fn from_json(text: &str) -> Result<CoreState, Fault> {
    let read: Result<CoreState, _> = match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text),
        // A derived reader would take a list of the fields as well.
        false => Err(serde::de::Error::custom("expected an object")),
    };
    let (members, places) = read_json_object(text.as_bytes(), "a state").map_err(|error| {
        let fault = Fault::from(error);
        Fault {
            raised: Raised::Call,
            ..fault
        }
    })?;
    let document = Value::Object(members);
    let fault = match read {
        Ok(state) => match unknown_keys(&SCHEMA, &document).into_iter().next() {
            None => return Ok(state),
            Some(unknown) => unknown_key(&unknown.key, unknown.nearest.as_deref(), unknown.pointer),
        },
        Err(error) => Fault::of_value(Raised::Call, explain(&SCHEMA, &document, &error)),
    };
    let place = places.find(fault.pointer.as_deref().unwrap_or_default());
    Err(fault.placed(place))
}

/// The seed that a caller gives, or one from the operating system.
pub fn seed(given: Option<&Bound<'_, PyAny>>) -> PyResult<Seed> {
    match integer_argument("seed", given)? {
        Some(number) => Ok(seed_of(&number)?),
        None => Ok(drawn_seed()?),
    }
}

/// The seed that an integer is.
pub fn seed_of(number: &Bound<'_, PyInt>) -> Result<Seed, Fault> {
    let seed = match number.extract::<u64>() {
        Ok(number) => Seed::new(number),
        // The reader of texts refuses it, with its digits.
        Err(_) => digits_of(number).parse(),
    };
    Ok(seed?)
}

/// A seed from the operating system's random numbers.
pub fn drawn_seed() -> Result<Seed, Fault> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| Fault::new(Raised::Call, "no_random_numbers", error.to_string()))?;
    Ok(Seed::from_bits(u64::from_le_bytes(bytes)))
}

fn unknown_key(key: &str, nearest: Option<&str>, pointer: String) -> Fault {
    let hint = nearest.map_or_else(String::new, |name| format!("; did you mean {name:?}?"));
    let message = format!(
        "unknown key {:?} in the state{hint}",
        promptdeck_json::abridged(key)
    );
    Fault::new(Raised::Call, "unknown_key", message).at(pointer)
}

fn of_parts(parts: &Bound<'_, PyDict>) -> PyResult<CoreState> {
    let mut state = CoreState::default();
    for (name, part) in parts {
        let name = key_of(&name, Place::Root, Raised::Call)?;
        let root = Place::Root;
        let place = Place::Key(&root, name);
        match name {
            "selections" => table(&part, place, &mut state.selections, selection)?,
            "array_modes" => table(&part, place, &mut state.array_modes, |modes, place| {
                let mut table = Table::default();
                each(modes, place, &mut |name, mode, place| {
                    if !mode.is_none() {
                        insert(&mut table, name, text(mode, place)?);
                    }
                    Ok(())
                })?;
                Ok(table)
            })?,
            "section_random" => table(&part, place, &mut state.section_random, flag)?,
            "sliders" => table(&part, place, &mut state.sliders, number)?,
            "slider_random" => table(&part, place, &mut state.slider_random, flag)?,
            "template_vars" => table(&part, place, &mut state.template_vars, text)?,
            _ => {
                let known = SCHEMA["properties"].as_object();
                let known = known.into_iter().flat_map(|known| known.keys());
                let nearest = promptdeck_json::nearest::nearest(name, known.map(String::as_str));
                return Err(unknown_key(name, nearest, place.pointer()).into());
            }
        }
    }
    Ok(state)
}

/// Reads a member of a mapping: its name, its value and its place.
type ReadMember<'a> = &'a mut dyn FnMut(&str, &Bound<'_, PyAny>, Place<'_>) -> PyResult<()>;

type Table<V> = promptdeck_core::hydrate::Table<V>;

fn insert<V>(table: &mut Table<V>, name: &str, value: V) {
    table.insert(name.to_owned(), value);
}

/// Reads one part of a state: a dictionary by name. None means missing, as null does in JSON.
fn table<V>(
    part: &Bound<'_, PyAny>,
    place: Place<'_>,
    table: &mut Table<V>,
    read: impl Fn(&Bound<'_, PyAny>, Place<'_>) -> PyResult<V>,
) -> PyResult<()> {
    each(part, place, &mut |name, value, place| {
        if !value.is_none() {
            insert(table, name, read(value, place)?);
        }
        Ok(())
    })
}

/// Calls a function with the members of a mapping; None has none.
fn each(part: &Bound<'_, PyAny>, place: Place<'_>, read: ReadMember<'_>) -> PyResult<()> {
    if part.is_none() {
        return Ok(());
    }
    let copy;
    let members = if let Ok(members) = part.cast::<PyDict>() {
        members
    } else if let Ok(mapping) = part.cast::<PyMapping>() {
        copy = PyDict::new(part.py());
        copy.update(mapping)?;
        &copy
    } else {
        return Err(wrong(Raised::Call, place, "a dictionary", part).into());
    };
    for (name, value) in members {
        let name = key_of(&name, place, Raised::Call)?;
        read(name, &value, Place::Key(&place, name))?;
    }
    Ok(())
}

fn selection(value: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<Selection> {
    if let Ok(id) = value.cast::<PyString>() {
        return Ok(Selection::One(text_of(id, place, Raised::Call)?.to_owned()));
    }
    let ids: Vec<Bound<'_, PyAny>> = if let Ok(ids) = value.cast::<PyList>() {
        ids.iter().collect()
    } else if let Ok(ids) = value.cast::<PyTuple>() {
        ids.iter().collect()
    } else {
        return Err(wrong(Raised::Call, place, "a text or a list of texts", value).into());
    };
    let ids = ids.iter().enumerate();
    let ids = ids.map(|(index, id)| text(id, Place::Index(&place, index)));
    Ok(Selection::Many(ids.collect::<PyResult<_>>()?))
}

fn text(value: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text_of(text, place, Raised::Call)?.to_owned()),
        Err(_) => Err(wrong(Raised::Call, place, "a text", value).into()),
    }
}

fn flag(value: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<bool> {
    match value.cast::<PyBool>() {
        Ok(flag) => Ok(flag.is_true()),
        Err(_) => Err(wrong(Raised::Call, place, "True or False", value).into()),
    }
}

fn number(value: &Bound<'_, PyAny>, place: Place<'_>) -> PyResult<f64> {
    if value.is_instance_of::<PyBool>() {
        return Err(wrong(Raised::Call, place, "a number", value).into());
    }
    match value.extract::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(not_finite(place, Raised::Call).into()),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            let message = "expected a number, found a number too large for a double";
            Err(fault_at(place, Raised::Call, "wrong_type", message).into())
        }
        Err(_) => Err(wrong(Raised::Call, place, "a number", value).into()),
    }
}
