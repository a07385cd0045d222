//! What ends a verb early: a stable code, one line for standard error, and the place where there
//! is one, and the exit status.

use std::{io, path::Path};

use promptdeck_chat::answer::AskError;
use promptdeck_core::{
    hydrate::HydrateError,
    registry::{ParseError, Position},
};
use promptdeck_jinja as jinja;
use promptdeck_service::{ServiceError, store::StoreError};
use serde::Serialize;

use crate::input;

/// Why a verb could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What was asked for cannot be done as asked, or the input cannot be read.
    #[error("{}", .0.message)]
    Input(Box<Reported>),
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// The work is done, but what it gives back could not be written to standard output.
    #[error("{done}, but standard output can't be written: {source}")]
    AfterWork {
        /// What was done.
        done: String,
        /// What the system said.
        source: io::Error,
    },
}

/// The form a failure takes in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reported {
    /// Stable name of the kind of failure.
    pub code: String,
    /// One line: the thing, the place and the way out.
    pub message: String,
    /// JSON pointer to the value at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Line and column, both counted from 1.
    #[serde(flatten)]
    pub place: Option<Position>,
    /// The line of the chat template that the place is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
    /// The line of a batch, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_line: Option<u64>,
    /// The message is what a template raised, word for word.
    #[serde(skip)]
    pub raised: bool,
}

impl Failure {
    /// Wrong usage or unreadable input.
    pub fn input(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Input(Box::new(Reported {
            code: code.into(),
            message: message.into(),
            pointer: None,
            place: None,
            source_line: None,
            input_line: None,
            raised: false,
        }))
    }

    /// A refused registry; `name` is what a message calls the file.
    pub fn registry(name: &str, error: &ParseError) -> Self {
        Self::Input(Box::new(Reported {
            code: error.code().to_owned(),
            message: format!("{name}: {error}"),
            pointer: Some(error.pointer.clone()),
            place: error.place,
            source_line: None,
            input_line: None,
            raised: false,
        }))
    }

    /// The same failure about the value at a JSON pointer.
    #[must_use]
    pub fn at(mut self, pointer: String) -> Self {
        if let Self::Input(reported) = &mut self {
            reported.pointer = Some(pointer).filter(|own| !own.is_empty());
        }
        self
    }

    /// The same failure with the name of its file before the message.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        self.of_input(&input::name_of(path))
    }

    /// The same failure with the name of its input before the message.
    #[must_use]
    pub fn of_input(mut self, name: &str) -> Self {
        if let Self::Input(reported) = &mut self {
            reported.message = format!("{name}: {}", reported.message);
        }
        self
    }

    /// The same failure with the way out behind its message.
    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        if let Self::Input(reported) = &mut self {
            reported.message.push_str("; ");
            reported.message.push_str(hint);
        }
        self
    }

    /// The failure as the answer to a line of a batch.
    pub fn on_line(&self, line: u64) -> Reported {
        let mut reported = self.reported();
        reported.input_line = Some(line);
        if !reported.raised {
            reported.message = format!("line {line}: {}", reported.message);
        }
        reported
    }

    /// A chat template that failed, for people: the place stands in the message, and the whole line
    /// goes with it. `name` is what a message calls the template, `source` is its text.
    pub fn template(name: &str, source: &str, error: &jinja::Error) -> Self {
        let mut reported = Self::of_template(error);
        if let Some(Position { line, column }) = reported.place {
            reported.message =
                format!("{name}: line {line}, column {column}: {}", reported.message);
            let lines = source.replace("\r\n", "\n").replace('\r', "\n");
            let own = lines.split('\n').nth((line as usize).saturating_sub(1));
            reported.source_line = own.map(str::to_owned);
        } else {
            reported.message = format!("{name}: {}", reported.message);
        }
        Self::Input(Box::new(reported))
    }

    /// A question about a chat template that has no answer, told as [`Failure::template`] does;
    /// `question` is what a message calls the file of the question.
    pub fn asked(name: &str, question: &str, source: &str, error: AskError) -> Self {
        match error.template_error() {
            Some(own) => Self::template(name, source, own),
            None => Self::from(error).of_input(question),
        }
    }

    /// The message is exactly what the template raised, so that a program can tell it from our own
    /// words.
    fn of_template(error: &jinja::Error) -> Reported {
        let number = |own: usize| u32::try_from(own).unwrap_or(u32::MAX);
        Reported {
            code: error.code().to_owned(),
            message: error.message().to_owned(),
            pointer: None,
            place: error.place().map(|place| Position {
                line: number(place.line),
                column: number(place.column),
            }),
            source_line: error.line().map(str::to_owned),
            input_line: None,
            raised: true,
        }
    }

    /// Code, message and place, ready to be written as JSON.
    pub fn reported(&self) -> Reported {
        match self {
            Self::Input(reported) => Reported::clone(reported),
            Self::Output(_) | Self::AfterWork { .. } => Reported {
                code: "output_unwritable".to_owned(),
                message: self.to_string(),
                pointer: None,
                place: None,
                source_line: None,
                input_line: None,
                raised: false,
            },
        }
    }

    /// Whether the reader of standard output went away, which is no fault of anybody's.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(source) | Self::AfterWork { source, .. }
            if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The exit status: 2 where nothing was done, 1 where the work is done and has a problem.
    pub fn status(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Output(_) => 2,
            Self::AfterWork { .. } => 1,
        }
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        match error.template_error() {
            Some(own) => Self::Input(Box::new(Self::of_template(own))),
            None => Self::input(error.code(), error.to_string()),
        }
    }
}

impl From<HydrateError> for Failure {
    fn from(error: HydrateError) -> Self {
        Self::input(error.code(), error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::input(error.code(), error.to_string())
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        Self::input(error.code(), error.to_string())
    }
}
