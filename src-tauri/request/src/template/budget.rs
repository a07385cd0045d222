//! What a rendering has used so far, and how much a value weighs. Counting only: where it is
//! counted is decided in [`program`](super::program) and [`filters`](super::filters).

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::AddAssign,
};

use minijinja::{
    Error, ErrorKind, State, Value,
    value::{ObjectRepr, ValueKind},
};

use super::Limits;

/// Nesting of lists and maps beyond which a value is refused; deeper ones would exhaust the stack
/// when they are compared, printed or dropped.
const MAX_DEPTH: usize = 24;
/// What one entry of a list takes besides its text, in bytes.
const ENTRY: usize = 32;

/// The start of every message about a limit, by which it is recognised.
const LIMIT: &str = "the template was stopped: ";

/// What was used, kept in the state of a rendering.
#[derive(Debug, Default)]
pub struct Spent {
    output: usize,
    produced: usize,
    work: usize,
}

/// Which mark printed how many bytes, in the order of the output.
#[derive(Debug, Default)]
pub struct Trail(Vec<(usize, usize)>);

impl Trail {
    /// What was noted.
    pub fn steps(&self) -> &[(usize, usize)] {
        &self.0
    }

    /// Notes that a mark printed this many bytes.
    pub fn note(&mut self, mark: usize, length: usize) {
        self.0.push((mark, length));
    }
}

/// The expressions that had no value, by their index among those of the program, and how much of the
/// [`Trail`] was noted each time.
#[derive(Debug, Default)]
pub struct Reached(pub BTreeMap<usize, Vec<usize>>);

/// The looped expressions that were texts, by their index among those of the program.
#[derive(Debug, Default)]
pub struct LoopedTexts(pub BTreeSet<usize>);

/// How large a value is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Weight {
    /// Bytes it would take written out, roughly.
    pub bytes: usize,
    /// Steps to walk through it.
    pub steps: usize,
}

impl AddAssign for Weight {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.steps += other.steps;
    }
}

/// An error that says which limit was reached.
pub fn limit(resource: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("{LIMIT}{resource}"))
}

/// Whether an error is about a limit.
pub fn is_limit(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::OutOfFuel)
        || error
            .detail()
            .is_some_and(|detail| detail.starts_with(LIMIT) || detail.contains("recursion limit"))
}

/// Counts steps.
pub fn work(state: &mut State, steps: usize, limits: &Limits) -> Result<(), Error> {
    let spent = state.get_or_insert_extension_with(Spent::default);
    spent.work = spent.work.saturating_add(steps);
    if spent.work > limits.work {
        return Err(limit("too much work"));
    }
    Ok(())
}

/// Counts bytes made.
pub fn produce(state: &mut State, bytes: usize, limits: &Limits) -> Result<(), Error> {
    let spent = state.get_or_insert_extension_with(Spent::default);
    spent.produced = spent.produced.saturating_add(bytes);
    if spent.produced > limits.produced {
        return Err(limit("its texts and lists grew too large"));
    }
    Ok(())
}

/// Counts bytes printed.
pub fn print(state: &mut State, bytes: usize, limits: &Limits) -> Result<(), Error> {
    let spent = state.get_or_insert_extension_with(Spent::default);
    spent.output = spent.output.saturating_add(bytes);
    if spent.output > limits.output {
        return Err(limit(&format!(
            "its output is longer than {} KiB",
            limits.output >> 10
        )));
    }
    Ok(())
}

/// Weighs a value, giving up as soon as it is heavier than a rendering may handle.
pub fn weigh(value: &Value, limits: &Limits) -> Result<Weight, Error> {
    let mut weight = Weight::default();
    add(value, 0, &mut weight, limits)?;
    Ok(weight)
}

/// Weighs a value and counts the steps it takes to walk through it.
pub fn handle(state: &mut State, value: &Value, limits: &Limits) -> Result<Weight, Error> {
    let weight = weigh(value, limits)?;
    work(state, weight.steps, limits)?;
    Ok(weight)
}

fn add(value: &Value, depth: usize, weight: &mut Weight, limits: &Limits) -> Result<(), Error> {
    weight.steps += 1;
    if let Some(text) = value.as_str() {
        weight.bytes += text.len();
        weight.steps += text.len() / 16;
    } else if let Some(object) = value.as_object() {
        if depth > MAX_DEPTH {
            return Err(limit("a value is nested too deep"));
        }
        match object.repr() {
            ObjectRepr::Seq => {
                for entry in value.try_iter()? {
                    weight.bytes += ENTRY;
                    add(&entry, depth + 1, weight, limits)?;
                }
            }
            ObjectRepr::Map => {
                for key in value.try_iter()? {
                    weight.bytes += ENTRY * 2;
                    let entry = value.get_item(&key)?;
                    add(&key, depth + 1, weight, limits)?;
                    add(&entry, depth + 1, weight, limits)?;
                }
            }
            _ => weight.bytes += ENTRY,
        }
    } else {
        weight.bytes += 16;
    }
    if weight.steps > limits.work || weight.bytes > limits.produced {
        return Err(limit("a value is too large"));
    }
    Ok(())
}

/// Turns what is computed entry by entry into a list, whose size is then known, and counts it.
pub fn keep(state: &mut State, value: Value, limits: &Limits) -> Result<Value, Error> {
    let value = if value.kind() == ValueKind::Iterable {
        let mut entries = Vec::new();
        for entry in value.try_iter()?.checked() {
            let entry = entry?;
            work(state, 1, limits)?;
            produce(state, ENTRY, limits)?;
            entries.push(entry);
        }
        Value::from(entries)
    } else {
        value
    };
    let weight = handle(state, &value, limits)?;
    produce(state, weight.bytes, limits)?;
    Ok(value)
}
