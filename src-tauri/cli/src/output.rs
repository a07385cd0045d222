//! Standard output for data, buffered, and standard error for one-line messages. Both are coloured
//! only on a terminal and never under `NO_COLOR`.

use std::{
    fmt::Display,
    io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write},
    process::ExitCode,
};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anstyle::{AnsiColor, Style};
use promptdeck_core::{
    control_chars,
    registry::{Diagnostic, Severity},
};
use serde::Serialize;

use crate::{
    failure::{ErrorReport, Failure},
    report::{Line, Report},
    snippet,
};

/// Exit status of a verb that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Status 0.
    Done,
    /// Status 1: the work found problems.
    Problems,
    /// Status 2: an input could not be read, which was reported.
    Unreadable,
}

impl ExitStatus {
    /// Status for these diagnostics: an error among them is a problem.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let mut all = diagnostics.iter();
        match all.any(|diagnostic| diagnostic.severity == Severity::Error) {
            true => Self::Problems,
            false => Self::Done,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(outcome: ExitStatus) -> Self {
        match outcome {
            ExitStatus::Done => ExitCode::SUCCESS,
            ExitStatus::Problems => ExitCode::from(1),
            ExitStatus::Unreadable => ExitCode::from(2),
        }
    }
}

/// Buffered standard output.
#[derive(Debug)]
pub struct Output(BufWriter<Stdout>);

/// Standard output, which its reader may close.
#[derive(Debug)]
struct Stdout {
    lock: StdoutLock<'static>,
    ignores_closed_pipe: bool,
    /// Whether it can be written to, once that is known.
    is_writable: bool,
}

/// An error if standard output is open for reading alone, which the standard library takes for
/// closed: it reports no error then, and all output would be lost.
#[cfg(unix)]
fn check_writable() -> io::Result<()> {
    use std::{fs::File, os::fd::AsFd};

    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    File::from(stdout).write(&[]).map(drop)
}

#[cfg(not(unix))]
fn check_writable() -> io::Result<()> {
    Ok(())
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_writable {
            check_writable()?;
            self.is_writable = true;
        }
        match self.lock.write(bytes) {
            Err(error) if self.ignores_closed_pipe && error.kind() == ErrorKind::BrokenPipe => {
                Ok(bytes.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.lock.flush() {
            Err(error) if self.ignores_closed_pipe && error.kind() == ErrorKind::BrokenPipe => {
                Ok(())
            }
            flushed => flushed,
        }
    }
}

impl Output {
    /// Locks the process's standard output.
    pub fn stdout() -> Self {
        let stdout = Stdout {
            lock: io::stdout().lock(),
            ignores_closed_pipe: false,
            is_writable: false,
        };
        Self(BufWriter::with_capacity(1 << 16, stdout))
    }

    /// Goes on without a reader: the exit status of the verb is a verdict, and whoever closes the pipe,
    /// as `head` does, must not turn a failure into success.
    pub fn ignore_closed_pipe(&mut self) {
        self.0.get_mut().ignores_closed_pipe = true;
    }

    /// Writes a prompt or a file byte for byte, and adds a final line end if it has none.
    pub fn verbatim(&mut self, text: &str) -> Result<(), Failure> {
        self.0.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            self.0.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes a model's answer: byte for byte to a program, escaped except for line breaks on a
    /// terminal, which the model must not control.
    pub fn answer(&mut self, text: &str) -> Result<(), Failure> {
        self.answer_piece(text)?;
        if !text.ends_with('\n') {
            self.0.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes a piece of a model's answer.
    pub fn answer_piece(&mut self, text: &str) -> io::Result<()> {
        if io::stdout().is_terminal() {
            let text = control_chars::escape_lines(text);
            return self.0.write_all(text.as_bytes());
        }
        self.0.write_all(text.as_bytes())
    }

    /// Writes our own styled text, with colours if enabled.
    pub fn styled(&mut self, text: &str) -> Result<(), Failure> {
        match AutoStream::choice(&io::stdout()) {
            ColorChoice::Never => write!(self.0, "{}", strip_str(text))?,
            _ => self.0.write_all(text.as_bytes())?,
        }
        Ok(())
    }

    /// Writes an escaped row.
    pub fn row(&mut self, row: impl Display) -> Result<(), Failure> {
        self.report(&[row].into_iter().collect())
    }

    /// Writes a report, with colours if enabled.
    pub fn report(&mut self, report: &Report) -> Result<(), Failure> {
        self.styled(report.as_str())
    }

    /// Writes a value as indented JSON.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.document(&serde_json::to_string_pretty(value).map_err(io::Error::from)?)
    }

    /// Writes a value as one line of JSON.
    pub fn json_line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.document(&serde_json::to_string(value).map_err(io::Error::from)?)
    }

    /// JSON leaves control characters beyond ASCII unescaped; escapes them, which preserves the
    /// meaning.
    fn document(&mut self, document: &str) -> Result<(), Failure> {
        self.0
            .write_all(control_chars::escape_json(document).as_bytes())?;
        self.0.write_all(b"\n")?;
        Ok(())
    }

    /// Writes the result of irreversible work. If that fails, the error says what was done.
    pub fn after_work(
        &mut self,
        done: &str,
        write: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let written = write(self).and_then(|()| self.flush());
        written.map_err(|failure| match failure {
            Failure::Output(source) => Failure::AfterWork {
                done: done.to_owned(),
                source,
            },
            other => other,
        })
    }

    /// Flushes the buffer.
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

/// Writes a line on standard error. A closed standard error or a full disk does not affect the
/// work.
macro_rules! say {
    ($($message:tt)*) => {
        let _ = writeln!(anstream::stderr(), $($message)*);
    };
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Prints a failure, with the faulty line of a chat template if there is one.
pub fn error(failure: &Failure) {
    say!("{ERROR}error{ERROR:#}: {}", Line(&failure.to_string()));
    if let Failure::Input(reported) = failure
        && let ErrorReport {
            place: Some(place),
            source_line: Some(line),
            ..
        } = &**reported
    {
        say!("{}", snippet::beneath(line, *place));
    }
}

/// Prints one line on standard error.
pub fn message(text: &str) {
    say!("{}", Line(text));
}

/// Prints a note on standard error.
pub fn note(text: &str) {
    say!("{NOTE}note{NOTE:#}: {}", Line(text));
}

/// Prints a report on standard error.
pub fn messages(report: &Report) {
    let _ = write!(anstream::stderr(), "{}", report.as_str());
}

/// Prints a diagnostic on standard error.
pub fn remark(diagnostic: &Diagnostic) {
    let (style, word) = match diagnostic.severity {
        Severity::Error => (ERROR, "error"),
        Severity::Warning => (WARNING, "warning"),
        Severity::Note => (NOTE, "note"),
    };
    say!("{style}{word}{style:#}: {}", Line(&diagnostic.message));
}

/// Prints a warning on standard error.
pub fn warning(message: &str) {
    say!("{WARNING}warning{WARNING:#}: {}", Line(message));
}
