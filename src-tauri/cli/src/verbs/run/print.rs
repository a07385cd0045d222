//! Prints a run: its text, piece by piece or at the end, or JSON.

use promptdeck_core::{
    hydrate::Seed,
    run::{Control, RunResult, StreamListener},
};
use serde::Serialize;

use crate::{
    args::Format,
    failure::{ErrorReport, Failure},
    output::Output,
};

/// Prints a run, and stops it once the reader of the output is gone.
pub struct Printer<'a> {
    out: &'a mut Output,
    format: Format,
    failed: Option<Failure>,
    /// Whether a piece of text was printed that does not end its line.
    in_line: bool,
}

/// A piece of a streamed text.
#[derive(Serialize)]
struct Piece<'a> {
    delta: &'a str,
}

/// A run without an answer.
#[derive(Serialize)]
struct FailedRun {
    seed: Option<Seed>,
    error: ErrorReport,
}

impl<'a> Printer<'a> {
    /// Prints to `out`, each JSON document on one line.
    pub fn new(out: &'a mut Output, format: Format) -> Self {
        Self {
            out,
            format,
            failed: None,
            in_line: false,
        }
    }

    /// Announces one of several runs.
    pub fn heading(&mut self, name: &str) -> Result<(), Failure> {
        match self.format {
            Format::Json => Ok(()),
            Format::Text => self.out.row(format_args!("--- {name}")),
        }
    }

    /// Prints the end of a run; a streamed text has been printed already.
    pub fn result(&mut self, result: &RunResult, streamed: bool) -> Result<(), Failure> {
        match self.format {
            Format::Json => self.line(result),
            Format::Text if streamed => self.out.answer(""),
            Format::Text => self.out.answer(&result.text),
        }
    }

    /// Prints a run without an answer; in text, the error is on standard error alone.
    pub fn failed_run(&mut self, seed: Option<Seed>, failure: &Failure) -> Result<(), Failure> {
        match self.format {
            Format::Text => self.out.flush(),
            Format::Json => self.line(&FailedRun {
                seed,
                error: failure.report(),
            }),
        }
    }

    /// Ends the line of a text that broke off, before its error.
    pub fn end_of_line(&mut self) -> Result<(), Failure> {
        if self.in_line {
            self.out.answer("")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// The error if a piece could not be printed.
    pub fn failure(&mut self) -> Result<(), Failure> {
        self.failed.take().map_or(Ok(()), Err)
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.out.json_line(value)?;
        self.out.flush()
    }
}

impl StreamListener for Printer<'_> {
    fn delta(&mut self, text: &str) -> Control {
        let written = match self.format {
            Format::Json => self.line(&Piece { delta: text }),
            Format::Text => {
                self.in_line = !text.ends_with('\n');
                self.out
                    .answer_piece(text)
                    .map_err(Failure::from)
                    .and_then(|()| self.out.flush())
            }
        };
        match written {
            Ok(()) => Control::Continue,
            Err(error) => {
                self.failed = Some(error);
                Control::Stop
            }
        }
    }
}
