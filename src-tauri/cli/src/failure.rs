//! What ends a verb early: a stable code and one line for standard error. The exit status is 2
//! for all of them.

use std::io;

use serde::Serialize;

/// Why a verb could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What was asked for cannot be done as asked, or the input cannot be read. Exit status 2.
    #[error("{message}")]
    Input {
        /// Stable name of the kind of failure.
        code: String,
        /// One line: the thing, the place and the way out.
        message: String,
    },
    /// Standard output could not be written. Exit status 2.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

/// The form a failure takes in a line of JSON.
#[derive(Debug, Serialize)]
pub struct Reported<'a> {
    /// The failure's code.
    pub code: &'a str,
    /// The failure's message.
    pub message: String,
}

impl Failure {
    /// Wrong usage or unreadable input.
    pub fn input(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Input {
            code: code.into(),
            message: message.into(),
        }
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        match self {
            Self::Input { code, .. } => code,
            Self::Output(_) => "output_unwritable",
        }
    }

    /// Code and message, ready to be written as JSON.
    pub fn reported(&self) -> Reported<'_> {
        Reported {
            code: self.code(),
            message: self.to_string(),
        }
    }

    /// Whether the reader of standard output went away, which is no fault of anybody's.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
