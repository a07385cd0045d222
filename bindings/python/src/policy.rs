//! Output policies: cleaning and judging what a model answered.

use std::hash::{Hash, Hasher};

use promptdeck_core::output::{CompiledPolicy, OutputPolicy, Verdict as CoreVerdict};
use promptdeck_core::registry::read_json_object;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use serde_json::{Map, Value, json};

use crate::convert::{self, Place, text_of};
use crate::fault::{Fault, Raised};
use crate::pickle::{self, Kind};
use crate::work;

/// The rules for an answer: what is stripped, what is refused, how long it may be.
#[pyclass(frozen, eq, hash, module = "promptdeck")]
pub struct Policy {
    policy: CompiledPolicy,
}

impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        self.policy.policy() == other.policy.policy()
    }
}

impl Hash for Policy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        json!(self.policy.policy()).to_string().hash(state);
    }
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
    fn new(py: Python<'_>, policy: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let fields = match policy.filter(|policy| !policy.is_none()) {
            Some(policy) => {
                let policy = convert::dictionary("policy", policy)?;
                convert::object(&policy, Place::Root, Raised::Policy)?
            }
            None => Map::new(),
        };
        work::detached(py, || Self::of(&fields, &Map::new()))
    }

    /// Compiles a policy from JSON text.
    #[staticmethod]
    pub(crate) fn from_json(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Self> {
        let text = text_of(text, Place::Root, Raised::Policy)?;
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
    fn apply(&self, py: Python<'_>, answer: &Bound<'_, PyString>) -> PyResult<Verdict> {
        let answer = text_of(answer, Place::Root, Raised::Policy)?;
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

impl Verdict {
    /// Restores a verdict from a pickle.
    pub fn restored(json: &str) -> Result<Self, Fault> {
        let read = serde_json::from_str(json);
        let (text, accepted, reason) =
            read.map_err(|error| Fault::of_json(Raised::Pickle, "a verdict", &error))?;
        Ok(Self {
            text,
            accepted,
            reason,
        })
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
    /// Whether the cleaned text passes, as `accepted`.
    fn __bool__(&self) -> bool {
        self.accepted
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let parts = json!((&self.text, self.accepted, &self.reason));
        pickle::reduced(py, Kind::Verdict, parts.to_string())
    }

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
