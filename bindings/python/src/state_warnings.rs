//! What a registry ignores or reinterprets in a state, such as a name that is misspelled, and what a
//! call prints otherwise than was meant, such as a variable without a value: warnings of Python, or
//! errors with `strict=True`.

use std::sync::{Arc, Mutex, PoisonError};

use promptdeck_core::hydrate::{
    CallWarnings, Entries, KnownEntries, StateEntry, UnsetVariable, entry_fault,
};
use promptdeck_core::lint::unset_variable;
use promptdeck_core::plural::plural;
use promptdeck_core::registry::{Diagnostic, Registry};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::fault::{Fault, Raised};

/// The most different warnings of a batch or a registry; further ones are counted.
const MAX_DIFFERENT: usize = 100;

/// Whether the warnings about states are errors, and the registry that the states are for.
#[derive(Clone, Copy)]
pub struct StateLint<'a> {
    registry: &'a Registry,
    strict: bool,
}

impl<'a> StateLint<'a> {
    pub fn new(registry: &'a Registry, strict: bool) -> Self {
        Self { registry, strict }
    }

    /// Calls a function with each warning that is found about a state. The first one is an error if it is strict.
    fn each(
        self,
        state: &impl Entries,
        mut find: impl FnMut(StateEntry<'_>) -> Option<Arc<Diagnostic>>,
        mut warning: impl FnMut(Fault),
    ) -> Result<(), Fault> {
        for entry in state.entries() {
            if let Some(found) = find(entry) {
                let fault = Fault::new(Raised::Call, found.code.as_str(), found.message.as_str());
                let fault = fault.at(entry.pointer());
                if self.strict {
                    return Err(fault);
                }
                warning(fault);
            }
        }
        Ok(())
    }

    /// Refuses the state of a call for what it would warn of, if it is strict.
    pub fn refuse(self, state: &impl Entries) -> Result<(), Fault> {
        let find = |entry: StateEntry<'_>| entry_fault(self.registry, entry).map(Arc::new);
        self.each(state, find, |_| ())
    }

    /// Warns the caller about the state of a call. Whether there is nothing to warn of.
    pub fn of_call(self, py: Python<'_>, state: &impl Entries) -> PyResult<bool> {
        let mut found = Vec::new();
        let find = |entry: StateEntry<'_>| entry_fault(self.registry, entry).map(Arc::new);
        self.each(state, find, |fault| found.push(fault))?;
        let is_clean = found.is_empty();
        warn_of(py, found)?;
        Ok(is_clean)
    }

    /// Calls a function with each warning about the prompt of a state. The first one is an error if it
    /// is strict.
    pub fn of_prompt(
        self,
        found: &CallWarnings<'_>,
        state: &impl Entries,
        mut warning: impl FnMut(Fault),
    ) -> Result<(), Fault> {
        let unset = found.unset.iter().filter_map(|one| gap(one, state));
        let others = found
            .others
            .iter()
            .map(|found| Fault::new(Raised::Call, found.code.as_str(), found.message.as_str()));
        for fault in unset.chain(others) {
            if self.strict {
                return Err(fault);
            }
            warning(fault);
        }
        Ok(())
    }

    /// Adds the warnings about the state of a row; `known` is kept from row to row.
    pub fn of_row(
        self,
        row: usize,
        state: &impl Entries,
        known: &mut KnownEntries,
        warnings: &BatchWarnings,
    ) -> Result<(), Fault> {
        let find = |entry: StateEntry<'_>| known.fault(self.registry, entry);
        self.each(state, find, |fault| warnings.add(row, fault))
    }
}

/// The warnings of a batch, each of them once, with its rows.
#[derive(Default)]
pub struct BatchWarnings(Mutex<Found>);

#[derive(Default)]
struct Found {
    different: Vec<Repeated>,
    others: usize,
}

struct Repeated {
    fault: Fault,
    first_row: usize,
    rows: usize,
}

/// The fault of a variable that leaves a gap; none if the state sets it to an empty text, which is on
/// purpose, and none for a note.
fn gap(variable: &UnsetVariable<'_>, state: &impl Entries) -> Option<Fault> {
    if variable.is_placeholder {
        return None;
    }
    let key = format!("{}::{}", variable.section.name(), variable.name());
    let entry = StateEntry::Variable { key: &key };
    if state.entries().any(|set| set == entry) {
        return None;
    }
    let found = unset_variable(variable);
    let message = format!(
        "{}; set {key:?} in template_vars of the state",
        found.message
    );
    Some(Fault::new(Raised::Call, found.code.as_str(), message).at(entry.pointer()))
}

impl BatchWarnings {
    pub fn add(&self, row: usize, fault: Fault) {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut different = found.different.iter_mut();
        if let Some(known) = different.find(|known| known.fault.message == fault.message) {
            known.first_row = known.first_row.min(row);
            known.rows += 1;
        } else if found.different.len() < MAX_DIFFERENT {
            found.different.push(Repeated {
                fault,
                first_row: row,
                rows: 1,
            });
        } else {
            found.others += 1;
        }
    }

    /// Warns the caller, in the order of the rows.
    pub fn warn(self, py: Python<'_>) -> PyResult<()> {
        let found = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Found {
            mut different,
            others,
        } = found;
        different.sort_by_key(|repeated| repeated.first_row);
        for Repeated {
            fault,
            first_row,
            rows,
        } in different
        {
            let rows = match rows {
                1 => format!("row {first_row}"),
                _ => format!("row {first_row} and {} more", rows - 1),
            };
            let message = format!("{rows}: {}", fault.message);
            let fault = fault.in_row(first_row);
            warn(py, Fault { message, ..fault })?;
        }
        warn_of_others(py, others)
    }
}

/// Issues warnings at the place of the call, up to a number of them.
pub fn warn_of(py: Python<'_>, faults: Vec<Fault>) -> PyResult<()> {
    let others = faults.len().saturating_sub(MAX_DIFFERENT);
    let mut faults = faults.into_iter().take(MAX_DIFFERENT);
    faults.try_for_each(|fault| warn(py, fault))?;
    warn_of_others(py, others)
}

fn warn_of_others(py: Python<'_>, others: usize) -> PyResult<()> {
    if others == 0 {
        return Ok(());
    }
    let message = format!("{} not listed", plural(others, "more warning"));
    warn(py, Fault::new(Raised::Call, "more_warnings", message))
}

/// Issues a warning of the package at the place of the call.
fn warn(py: Python<'_>, fault: Fault) -> PyResult<()> {
    let class = py
        .import("promptdeck._errors")?
        .getattr("PromptdeckWarning")?;
    let place: Bound<'_, PyDict> = [
        ("line", fault.line.into_pyobject(py)?.into_any()),
        ("column", fault.column.into_pyobject(py)?.into_any()),
        ("pointer", fault.pointer.into_pyobject(py)?.into_any()),
        ("row", fault.row.into_pyobject(py)?.into_any()),
    ]
    .into_py_dict(py)?;
    let warning = class.call((fault.message, fault.code), Some(&place))?;
    py.import("warnings")?.call_method1("warn", (warning,))?;
    Ok(())
}
