//! Pickles: what an object is, the format of the pickle, and its JSON.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::chat::ChatTemplate;
use crate::convert::{Place, text_of};
use crate::fault::{Fault, Raised};
use crate::model::Model;
use crate::policy::{Policy, Verdict};
use crate::result_columns::{ResultBatch, TextColumn};
use crate::state::State;

/// The format that this version writes, and the newest that it reads.
const FORMAT: u32 = 1;

/// What was pickled.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A [`Model`].
    Model,
    /// A [`State`].
    State,
    /// A [`Policy`].
    Policy,
    /// A [`ChatTemplate`].
    ChatTemplate,
    /// A [`Verdict`].
    Verdict,
    /// A [`TextColumn`].
    TextColumn,
    /// A [`ResultBatch`].
    ResultBatch,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::State => "state",
            Self::Policy => "policy",
            Self::ChatTemplate => "chat_template",
            Self::Verdict => "verdict",
            Self::TextColumn => "text_column",
            Self::ResultBatch => "result_batch",
        }
    }
}

/// What `__reduce__` answers: how to restore the object.
pub fn reduced(py: Python<'_>, kind: Kind, json: String) -> PyResult<Bound<'_, PyTuple>> {
    let restore = py.import("promptdeck._native")?.getattr("_restore")?;
    let arguments = (kind.name(), FORMAT, env!("CARGO_PKG_VERSION"), json);
    (restore, arguments).into_pyobject(py)
}

/// Restores a pickled object. Called by `pickle`.
#[pyfunction]
#[pyo3(name = "_restore")]
pub fn restore<'py>(
    py: Python<'py>,
    kind: &str,
    format: u32,
    version: &str,
    json: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let text = text_of(json, Place::Root, Raised::Pickle)?;
    let restored = match (kind, format) {
        (_, newer) if newer > FORMAT => None,
        ("model", _) => Some(Model::restored(py, json)?.into_pyobject(py)?.into_any()),
        ("state", _) => Some(State::from_json(json)?.into_pyobject(py)?.into_any()),
        ("policy", _) => Some(Policy::from_json(py, json)?.into_pyobject(py)?.into_any()),
        ("chat_template", _) => Some(
            ChatTemplate::from_json(py, json)?
                .into_pyobject(py)?
                .into_any(),
        ),
        ("verdict", _) => Some(Verdict::restored(text)?.into_pyobject(py)?.into_any()),
        ("text_column", _) => Some(TextColumn::restored(text)?.into_pyobject(py)?.into_any()),
        ("result_batch", _) => Some(ResultBatch::restored(text)?.into_pyobject(py)?.into_any()),
        _ => None,
    };
    restored.ok_or_else(|| {
        let message = format!(
            "pickled by promptdeck {version} in format {format}, and {} reads format {FORMAT}: \
             install promptdeck {version} or later",
            env!("CARGO_PKG_VERSION"),
        );
        Fault::new(Raised::Pickle, "newer_pickle", message).into()
    })
}
