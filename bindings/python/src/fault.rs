//! What can go wrong, as data: a code, a message and a place. Becomes an exception of the package
//! where it is raised, or a row of an error column.

use std::any::Any;
use std::io;
use std::path::Path;

use promptdeck_chat::RenderError;
use promptdeck_core::hydrate::{HydrateError, SeedError};
use promptdeck_core::output::{FieldError, PolicyFault, SearchLimit};
use promptdeck_core::registry::{Diagnostic, ParseError, Position};
use promptdeck_json::WrongValue;
use promptdeck_model::model_dir::ModelError;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

/// Which exception of the package a fault is raised as.
#[derive(Clone, Copy, Debug)]
pub enum Raised {
    /// A registry that cannot be read.
    Registry,
    /// A state, a seed or a route that the call cannot have.
    Call,
    /// An output policy, or a text that takes it too long.
    Policy,
    /// A chat template, its messages, or the files of a model.
    Chat,
    /// An Arrow column or a list in the place of one.
    Column,
    /// A pickle that this version does not read.
    Pickle,
    /// An error in this program.
    Internal,
}

impl Raised {
    /// The name of the class in `promptdeck._errors`.
    fn class(self) -> &'static str {
        match self {
            Self::Registry => "RegistryError",
            Self::Call => "CallError",
            Self::Policy => "PolicyError",
            Self::Chat => "ChatError",
            Self::Column => "ColumnError",
            Self::Pickle => "PickleError",
            Self::Internal => "InternalError",
        }
    }
}

/// Something that went wrong: what, where, and how to mend it.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The exception it is raised as.
    pub raised: Raised,
    /// A stable code, in snake case.
    pub code: String,
    /// One line.
    pub message: String,
    /// The line in the JSON or the template, from 1.
    pub line: Option<u32>,
    /// The column in that line, from 1, in characters.
    pub column: Option<u32>,
    /// The JSON pointer to the value at fault.
    pub pointer: Option<String>,
    /// The row of a batch, from 0.
    pub row: Option<usize>,
}

impl Fault {
    /// A fault without a place.
    pub fn new(raised: Raised, code: &str, message: impl Into<String>) -> Self {
        Self {
            raised,
            code: code.to_owned(),
            message: message.into(),
            line: None,
            column: None,
            pointer: None,
            row: None,
        }
    }

    /// The same at a JSON pointer.
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// The same at a position in a JSON text, with which the message begins.
    pub fn placed(mut self, position: Option<Position>) -> Self {
        if let Some(Position { line, column }) = position {
            let message = &self.message;
            self.message = format!("line {line}, column {column}: {message}");
            (self.line, self.column) = (Some(line), Some(column));
        }
        self
    }

    /// The same in a row of a batch.
    pub fn in_row(mut self, row: usize) -> Self {
        self.row = Some(row);
        self
    }

    /// What is found in a call, with its position if it is in the registry.
    pub fn of_call(found: Diagnostic) -> Self {
        Self::new(Raised::Call, found.code.as_str(), found.message)
            .at(found.pointer)
            .placed(found.place)
    }

    /// A panic, which is an error in this program.
    pub fn of_panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        let message = format!("an error in promptdeck: {}", text.unwrap_or("unknown"));
        Self::new(Raised::Internal, "internal", message)
    }

    /// A JSON text that serde does not read.
    pub fn of_json(raised: Raised, what: &str, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let message = text
            .rsplit_once(" at line ")
            .map_or(&*text, |(message, _)| message);
        let mut fault = Self::new(raised, "syntax", format!("{what}: {message}"));
        if error.line() > 0 {
            fault.line = Some(error.line() as u32);
            // At the end of a line serde counts from 0.
            fault.column = Some(error.column().max(1) as u32);
        }
        fault
    }

    /// A JSON value that is not what its document needs there.
    pub fn of_value(raised: Raised, wrong: WrongValue) -> Self {
        let message = wrong.to_string();
        Self::new(raised, "wrong_type", message).at(wrong.pointer)
    }

    fn raise(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py
            .import("promptdeck._errors")?
            .getattr(self.raised.class())?;
        let message = match self.row {
            Some(row) => format!("row {row}: {}", self.message),
            None => self.message,
        };
        let place: Bound<'_, PyDict> = [
            ("line", self.line.into_pyobject(py)?.into_any()),
            ("column", self.column.into_pyobject(py)?.into_any()),
            ("pointer", self.pointer.into_pyobject(py)?.into_any()),
            ("row", self.row.into_pyobject(py)?.into_any()),
        ]
        .into_py_dict(py)?;
        Ok(PyErr::from_value(
            class.call((message, self.code), Some(&place))?,
        ))
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        Python::attach(|py| fault.raise(py).unwrap_or_else(|error| error))
    }
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Self {
        Self {
            line: error.line(),
            column: error.column(),
            pointer: Some(error.pointer.clone()),
            ..Self::new(Raised::Registry, error.code(), error.to_string())
        }
    }
}

impl From<HydrateError> for Fault {
    fn from(error: HydrateError) -> Self {
        Self::new(Raised::Call, error.code(), error.to_string())
    }
}

impl From<SeedError> for Fault {
    fn from(error: SeedError) -> Self {
        Self::new(Raised::Call, error.code(), error.to_string())
    }
}

impl From<FieldError> for Fault {
    fn from(error: FieldError) -> Self {
        let pointer = format!("/{}", error.field());
        Self::new(Raised::Policy, error.code(), error.to_string()).at(pointer)
    }
}

impl From<PolicyFault> for Fault {
    fn from(error: PolicyFault) -> Self {
        let pointer = format!("/{}/{}", error.field, error.index);
        Self::new(Raised::Policy, error.code(), error.to_string()).at(pointer)
    }
}

impl From<SearchLimit> for Fault {
    fn from(error: SearchLimit) -> Self {
        Self::new(Raised::Policy, error.code(), error.to_string())
    }
}

impl From<promptdeck_jinja::Error> for Fault {
    fn from(error: promptdeck_jinja::Error) -> Self {
        let mut fault = Self::new(Raised::Chat, error.code(), error.to_string());
        if let Some(place) = error.place() {
            fault.line = Some(place.line as u32);
            fault.column = Some(place.column as u32);
        }
        fault
    }
}

impl From<RenderError> for Fault {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Template(error) => error.into(),
            RenderError::NotAMessage { index } => {
                Self::new(Raised::Chat, error.code(), error.to_string()).at(format!("/{index}"))
            }
            RenderError::Continue(_) => Self::new(Raised::Chat, error.code(), error.to_string()),
        }
    }
}

impl From<ModelError> for Fault {
    fn from(error: ModelError) -> Self {
        Self::new(Raised::Chat, error.code(), error.to_string())
    }
}

/// The exception of the operating system for a file, such as `FileNotFoundError`.
pub fn unreadable(path: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text
                .split(" (os error")
                .next()
                .unwrap_or_default()
                .to_owned();
            PyOSError::new_err((number, text, path.display().to_string()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}
