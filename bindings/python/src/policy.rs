//! Output policies: cleaning and judging what a model answered.

use promptdeck_core::output::{CompiledPolicy, OutputPolicy, Verdict as CoreVerdict};
use promptdeck_core::registry::read_json_object;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::{Map, Value};

use crate::convert::{self, Place};
use crate::fault::{Fault, Raised};
use crate::pickle::{self, Kind};
use crate::work;

/// The rules for an answer: what is stripped, what is refused, how long it may be.
#[pyclass(frozen, module = "promptdeck")]
pub struct Policy {
    policy: CompiledPolicy,
}

/// What a policy says about an answer.
#[pyclass(frozen, eq, module = "promptdeck", get_all)]
#[derive(PartialEq)]
pub struct Verdict {
    /// The cleaned text.
    text: String,
    /// Whether the cleaned text passes.
    accepted: bool,
    /// The first rule that it breaks, when it does not pass.
    reason: Option<String>,
}

#[pymethods]
impl Policy {
    /// Compiles a policy from a dictionary with the fields of a registry's `output_policy`.
    #[new]
    #[pyo3(signature = (policy=None, /))]
    fn new(py: Python<'_>, policy: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let fields = match policy {
            Some(policy) => convert::object(policy, Place::Root, Raised::Policy)?,
            None => Map::new(),
        };
        work::detached(py, || Self::of(&fields, &Map::new()))
    }

    /// Compiles a policy from JSON text.
    #[staticmethod]
    pub(crate) fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        work::detached(py, || {
            let (fields, _) =
                read_json_object(text.as_bytes(), "an output policy").map_err(|error| Fault {
                    raised: Raised::Policy,
                    ..error.into()
                })?;
            Self::of(&fields, &Map::new())
        })
    }

    /// Cleans an answer and judges the result.
    fn apply(&self, py: Python<'_>, answer: &str) -> PyResult<Verdict> {
        let verdict = work::detached(py, || Ok(self.policy.apply(answer)?))?;
        let CoreVerdict {
            text,
            accepted,
            reason,
        } = verdict;
        Ok(Verdict {
            text,
            accepted,
            reason,
        })
    }

    /// The policy as JSON text.
    fn to_json(&self) -> PyResult<String> {
        let text = serde_json::to_string(self.policy.policy());
        text.map_err(|error| Fault::of_json(Raised::Policy, "the policy", &error).into())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("Policy.from_json({:?})", self.to_json()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduced(py, Kind::Policy, self.to_json()?)
    }
}

impl Policy {
    /// The policy of a registry with each field of a route in its place.
    pub fn of(base: &Map<String, Value>, route: &Map<String, Value>) -> Result<Self, Fault> {
        let policy = OutputPolicy::layered(base, route)?;
        Ok(Self {
            policy: CompiledPolicy::new(policy)?,
        })
    }
}

#[pymethods]
impl Verdict {
    fn __repr__(&self) -> String {
        let Self {
            text,
            accepted,
            reason,
        } = self;
        let reason = reason
            .as_ref()
            .map_or("None".to_owned(), |reason| format!("{reason:?}"));
        let accepted = if *accepted { "True" } else { "False" };
        format!("Verdict(text={text:?}, accepted={accepted}, reason={reason})")
    }
}
