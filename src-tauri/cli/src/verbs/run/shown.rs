//! How a run is printed: its text, as it comes or at the end, or JSON.

use std::io::{self, Write};

use promptdeck_core::{
    engine::{Control, Deltas, RunResult},
    hydrate::Seed,
};
use serde::Serialize;

use crate::{args::Format, failure::Failure, output::Output};

/// Prints a run, and stops it when nobody reads any more.
pub struct Shown<'a> {
    out: &'a mut Output,
    format: Format,
    by_lines: bool,
    failed: Option<io::Error>,
}

/// A piece of a streamed text.
#[derive(Serialize)]
struct Piece<'a> {
    delta: &'a str,
}

impl<'a> Shown<'a> {
    /// Prints to `out`; JSON `by_lines` when there will be more than one document.
    pub fn new(out: &'a mut Output, format: Format, by_lines: bool) -> Self {
        Self {
            out,
            format,
            by_lines,
            failed: None,
        }
    }

    /// Says which of several runs begins.
    pub fn heading(&mut self, seed: Seed) -> Result<(), Failure> {
        match self.format {
            Format::Json => Ok(()),
            Format::Text => self.out.text(&format!("--- seed {seed}")),
        }
    }

    /// Prints the end of a run; a streamed text has been printed already.
    pub fn result(&mut self, result: &RunResult, streamed: bool) -> Result<(), Failure> {
        match self.format {
            Format::Json if self.by_lines => Ok(self.line(result)?),
            Format::Json => self.out.json(result),
            Format::Text if streamed => self.out.text(""),
            Format::Text => self.out.text(&result.text),
        }
    }

    /// Why a piece could not be printed, if one could not.
    pub fn failure(&mut self) -> Result<(), Failure> {
        self.failed.take().map_or(Ok(()), |error| Err(error.into()))
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut *self.out, value)?;
        self.out.write_all(b"\n")?;
        Write::flush(self.out)
    }
}

impl Deltas for Shown<'_> {
    fn delta(&mut self, text: &str) -> Control {
        let written = match self.format {
            Format::Json => self.line(&Piece { delta: text }),
            Format::Text => self
                .out
                .write_all(text.as_bytes())
                .and_then(|()| Write::flush(self.out)),
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
