//! Errors that end a verb: a stable code, one line for standard error, a position if there is one,
//! and the exit status.

use std::{io, path::Path};

use promptdeck_chat::answer::AskError;
use promptdeck_core::{
    hydrate::HydrateError,
    registry::{DiagnosticData, ParseError, Position},
};
use promptdeck_jinja as jinja;
use promptdeck_request::document::{FileKind, OtherContent};
use promptdeck_service::{ServiceError, store::StoreError};
use serde::Serialize;

use crate::input;

/// Why a verb failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong usage or unreadable input.
    #[error("{}", .0.message)]
    Input(Box<ErrorReport>),
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
    /// The work is done, but its result could not be written to standard output.
    #[error("{done}, but standard output cannot be written to: {source}")]
    AfterWork {
        /// What was done, as a clause.
        done: String,
        /// The system's error.
        source: io::Error,
    },
}

/// A failure as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorReport {
    /// Stable code of the failure.
    pub code: String,
    /// One line: what, where, way out.
    pub message: String,
    /// JSON pointer to the faulty value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What the message names.
    #[serde(skip_serializing_if = "DiagnosticData::is_empty")]
    pub data: DiagnosticData,
    /// Line and column, both counted from 1.
    #[serde(flatten)]
    pub place: Option<Position>,
    /// The faulty line of the chat template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
    /// Line of the batch, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_line: Option<u64>,
    /// Whether a template raised the message, which is then printed verbatim.
    #[serde(skip)]
    pub raised: bool,
}

impl Failure {
    /// A failure of usage or input.
    pub fn input(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Input(Box::new(ErrorReport {
            code: code.into(),
            message: message.into(),
            pointer: None,
            data: DiagnosticData::none(),
            place: None,
            source_line: None,
            input_line: None,
            raised: false,
        }))
    }

    /// The failure of a rejected registry; `name` is its file in messages.
    pub fn registry(name: &str, error: &ParseError) -> Self {
        Self::Input(Box::new(ErrorReport {
            code: error.code().to_owned(),
            message: format!("{name}: {error}"),
            pointer: Some(error.pointer.clone()),
            data: error.data.clone(),
            place: error.place,
            source_line: None,
            input_line: None,
            raised: false,
        }))
    }

    /// The failure of a verb that needs a registry and is given something else.
    pub fn not_a_registry(name: &str, content: &OtherContent) -> Self {
        let place = match content {
            OtherContent::Misspelled { place, .. } => *place,
            _ => None,
        };
        let (at, reason, way_out) = (input::at(name, place), content.why(), content.way_out());
        let mut failure = Self::input("not_a_registry", format!("{at}{reason}; {way_out}"));
        if let Self::Input(report) = &mut failure {
            report.place = place;
        }
        failure
    }

    /// The failure of a verb that needs a registry with a section and is given one without.
    pub fn no_section(name: &str, kind: FileKind) -> Self {
        match kind {
            // The file is a call document, and what it holds is at fault.
            FileKind::CallWithRegistry => {
                let inside = format!("{name}: /registry");
                Self::not_a_registry(&inside, &OtherContent::File(FileKind::Registry))
            }
            _ => Self::not_a_registry(name, &OtherContent::File(kind)),
        }
    }

    /// Sets the JSON pointer.
    #[must_use]
    pub fn at(mut self, pointer: String) -> Self {
        if let Self::Input(report) = &mut self {
            report.pointer = Some(pointer).filter(|pointer| !pointer.is_empty());
        }
        self
    }

    /// The same failure with what its message names.
    #[must_use]
    pub fn with_data(mut self, data: DiagnosticData) -> Self {
        if let Self::Input(reported) = &mut self {
            reported.data = data;
        }
        self
    }

    /// The same failure with the name of its file before the message.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        self.of_input(&input::name_of(path))
    }

    /// Adds the name of the input to the message.
    #[must_use]
    pub fn of_input(mut self, name: &str) -> Self {
        if let Self::Input(report) = &mut self {
            report.message = format!("{name}: {}", report.message);
        }
        self
    }

    /// Adds the way out to the message.
    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        if let Self::Input(report) = &mut self {
            report.message.push_str("; ");
            report.message.push_str(hint);
        }
        self
    }

    /// The failure as the answer to a line of a batch.
    pub fn on_line(&self, line: u64) -> ErrorReport {
        let mut report = self.report();
        report.input_line = Some(line);
        if !report.raised {
            report.message = format!("line {line}: {}", report.message);
        }
        report
    }

    /// The failure of a chat template, for people: the message contains the position, and the whole
    /// line follows. `name` is the template in messages, `source` its text.
    pub fn template(name: &str, source: &str, error: &jinja::Error) -> Self {
        let mut report = Self::of_template(error);
        if let Some(Position { line, column }) = report.place {
            report.message = format!("{name}: line {line}, column {column}: {}", report.message);
            let lines = source.replace("\r\n", "\n").replace('\r', "\n");
            let source_line = lines.split('\n').nth((line as usize).saturating_sub(1));
            report.source_line = source_line.map(str::to_owned);
        } else {
            report.message = format!("{name}: {}", report.message);
        }
        Self::Input(Box::new(report))
    }

    /// The failure of a query about a chat template, reported as in [`Failure::template`];
    /// `question` is the query's file in messages.
    pub fn query(name: &str, question: &str, source: &str, error: AskError) -> Self {
        match error.template_error() {
            Some(template_error) => Self::template(name, source, template_error),
            None => Self::from(error).of_input(question),
        }
    }

    /// The message is exactly what the template raised, so that programs can match it.
    fn of_template(error: &jinja::Error) -> ErrorReport {
        let number = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
        ErrorReport {
            code: error.code().to_owned(),
            message: error.message().to_owned(),
            pointer: None,
            data: DiagnosticData::none(),
            place: error.place().map(|place| Position {
                line: number(place.line),
                column: number(place.column),
            }),
            source_line: error.line().map(str::to_owned),
            input_line: None,
            raised: true,
        }
    }

    /// Code, message and position for JSON output.
    pub fn report(&self) -> ErrorReport {
        match self {
            Self::Input(report) => ErrorReport::clone(report),
            Self::Output(_) | Self::AfterWork { .. } => ErrorReport {
                code: "output_unwritable".to_owned(),
                message: self.to_string(),
                pointer: None,
                data: DiagnosticData::none(),
                place: None,
                source_line: None,
                input_line: None,
                raised: false,
            },
        }
    }

    /// Whether the reader of standard output closed it, which is not reported.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(source) | Self::AfterWork { source, .. }
            if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The exit status: 2 if nothing was done, 1 if the work was done and has problems.
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
            Some(template_error) => Self::Input(Box::new(Self::of_template(template_error))),
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
