//! Where results and messages go: buffered data on standard output, one-line messages on standard
//! error, coloured only on a terminal and never under `NO_COLOR`.

use std::{
    io::{self, BufWriter, StdoutLock, Write},
    process::ExitCode,
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anstyle::{AnsiColor, Style};
use promptdeck_core::registry::{Diagnostic, Severity};
use serde::Serialize;

use crate::{
    caret,
    failure::{Failure, Reported},
};

/// How a verb that ran to its end leaves the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Exit status 0.
    Done,
    /// Exit status 1: the work found problems.
    Problems,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => ExitCode::SUCCESS,
            Outcome::Problems => ExitCode::from(1),
        }
    }
}

/// Standard output, buffered; the data a verb gives.
#[derive(Debug)]
pub struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    /// The process's standard output, locked for as long as this lives.
    pub fn stdout() -> Self {
        Self(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    /// Writes a text and ends its line if it has not ended it itself.
    pub fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.0.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            self.0.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes a text with its colours, or without them where they are not wanted.
    pub fn styled(&mut self, text: &str) -> Result<(), Failure> {
        match AutoStream::choice(&io::stdout()) {
            ColorChoice::Never => self.text(&strip_str(text).to_string()),
            _ => self.text(text),
        }
    }

    /// Writes a value as indented JSON.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.0, value).map_err(io::Error::from)?;
        self.0.write_all(b"\n")?;
        Ok(())
    }

    /// Writes a value as one line of JSON.
    pub fn json_line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer(&mut self.0, value).map_err(io::Error::from)?;
        self.0.write_all(b"\n")?;
        Ok(())
    }

    /// Hands everything written so far to the reader.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.0.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes a line on standard error. That nobody can read it, because it is closed or on a full disk,
/// changes nothing about the work.
macro_rules! say {
    ($($message:tt)*) => {
        let _ = writeln!(anstream::stderr(), $($message)*);
    };
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Says on standard error why the verb ends, and shows the line of a chat template that ended it.
pub fn error(failure: &Failure) {
    say!("{ERROR}error{ERROR:#}: {failure}");
    if let Failure::Input(Reported {
        place: Some(place),
        source_line: Some(line),
        ..
    }) = failure
    {
        say!("{}", caret::beneath(line, *place));
    }
}

/// Says something on standard error that is no data, as it stands.
pub fn message(text: &str) {
    say!("{}", text.trim_end_matches('\n'));
}

/// Says on standard error what is odd about a call.
pub fn remark(diagnostic: &Diagnostic) {
    let (style, word) = match diagnostic.severity {
        Severity::Error => (ERROR, "error"),
        Severity::Warning => (WARNING, "warning"),
        Severity::Note => (NOTE, "note"),
    };
    say!("{style}{word}{style:#}: {}", diagnostic.message);
}

/// Says on standard error what deserves attention but ends nothing.
pub fn warning(message: &str) {
    say!("{WARNING}warning{WARNING:#}: {message}");
}
