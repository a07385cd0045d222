//! Warnings about input that a verb ignores or reinterprets: unknown names and keys, repeated
//! flags. Printed on standard error, or errors with `--strict`.

use std::{
    collections::{HashMap, HashSet},
    mem,
};

use promptdeck_core::{
    hydrate::{Entries, StateEntry, entry_fault},
    plural::plural,
    registry::{DataKey, Diagnostic, DiagnosticData, Registry, Severity},
};
use promptdeck_json::UnknownKey;

use crate::{
    failure::Failure,
    input,
    output::{self, ExitStatus},
};

/// Whether warnings are errors.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct StrictArgs {
    /// Treat warnings as errors: unknown keys, sections, items, fields and variables.
    #[arg(long)]
    pub strict: bool,
}

impl StrictArgs {
    /// Whether a converted document that leaves `omissions` things out is an error. Says so then, as
    /// nothing may be written: to other programs, a file that is there is made.
    pub fn refuses(self, omissions: usize) -> bool {
        let is_refused = self.strict && omissions > 0;
        if is_refused {
            let left_out = plural(omissions, "thing");
            let message = format!("nothing was written: {left_out} would be left out");
            output::error(&Failure::input("left_out", message));
        }
        is_refused
    }

    /// Whether a warning about a result that is printed already is an error; prints it as what it is.
    pub fn refuses_done(self, code: &str, message: String) -> bool {
        if self.strict {
            output::error(&Failure::input(code, message));
        } else {
            output::warning(&message);
        }
        self.strict
    }

    /// An empty list of warnings.
    pub fn warnings(self) -> Warnings {
        Warnings {
            strict: self.strict,
            ..Warnings::default()
        }
    }
}

/// The warnings about one document or line until they are printed.
#[derive(Debug, Default)]
pub struct Warnings {
    strict: bool,
    found: Vec<Warning>,
    /// Those that were printed, for results that list them.
    printed: Vec<Warning>,
    /// All messages so far, including those of diagnostics, without positions. None is printed
    /// twice.
    messages: HashSet<String>,
}

/// One warning, or a note among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Stable code of the warning.
    pub code: String,
    /// One line for people.
    pub message: String,
    /// Whether it is only a note, which `--strict` allows.
    pub is_note: bool,
    /// What the message names.
    pub data: DiagnosticData,
}

impl Warnings {
    /// Adds a warning; an error with `--strict`.
    pub fn add(&mut self, code: &str, message: String) -> Result<(), Failure> {
        self.add_naming(code, message, &DiagnosticData::none())
    }

    /// Adds a note, which `--strict` allows.
    pub fn note(&mut self, code: &str, message: String) {
        self.push(code, message, true, &DiagnosticData::none());
    }

    /// Adds a warning whose message names these things.
    pub fn add_naming(
        &mut self,
        code: &str,
        message: String,
        data: &DiagnosticData,
    ) -> Result<(), Failure> {
        if self.strict {
            return Err(Failure::input(code, message).with_data(data.clone()));
        }
        self.push(code, message, false, data);
        Ok(())
    }

    fn push(&mut self, code: &str, message: String, is_note: bool, data: &DiagnosticData) {
        if self.messages.insert(message.clone()) {
            let code = code.to_owned();
            self.found.push(Warning {
                code,
                message,
                is_note,
                data: data.clone(),
            });
        }
    }

    /// Adds a key that nothing reads; `place` stands before its message.
    pub fn unknown_key(&mut self, place: &str, unknown: &UnknownKey) -> Result<(), Failure> {
        let data = DiagnosticData::of(DataKey::Key, unknown.key.as_str())
            .with_some(DataKey::Suggestion, unknown.nearest.as_deref())
            .with_some(DataKey::Expected, unknown.inner.as_deref());
        self.add_naming("unknown_key", format!("{place}{}", unknown.message), &data)
    }

    /// Adds a diagnostic; `place` stands before its message.
    pub fn diagnostic(&mut self, place: &str, found: &Diagnostic) -> Result<(), Failure> {
        self.diagnostic_in(found, format!("{place}{}", found.message))
    }

    /// Adds the warnings among the diagnostics of an answer; `place` stands before each.
    pub fn diagnostics(&mut self, place: &str, found: &[Diagnostic]) -> Result<(), Failure> {
        self.diagnostics_at(found, |_| place.to_owned())
    }

    /// Adds the warnings among diagnostics that no earlier one covers; `place` stands before a message.
    pub fn diagnostics_at(
        &mut self,
        found: &[Diagnostic],
        place: impl Fn(&Diagnostic) -> String,
    ) -> Result<(), Failure> {
        for found in found {
            if found.severity == Severity::Warning && !self.messages.contains(&found.message) {
                self.diagnostic(&place(found), found)?;
            }
        }
        Ok(())
    }

    /// Adds and prints all diagnostics of the answer to a document; `place` stands before each. An error
    /// among them is a problem.
    pub fn report(&mut self, place: &str, found: &[Diagnostic]) -> Result<ExitStatus, Failure> {
        self.diagnostics(place, found)?;
        self.print();
        Ok(self.remarks(found, |_| place.to_owned()))
    }

    /// Adds a diagnostic; `hint` follows its message.
    pub fn diagnostic_with(&mut self, found: &Diagnostic, hint: &str) -> Result<(), Failure> {
        self.diagnostic_in(found, format!("{}; {hint}", found.message))
    }

    fn diagnostic_in(&mut self, found: &Diagnostic, message: String) -> Result<(), Failure> {
        if found.severity == Severity::Note {
            self.push(found.code.as_str(), message, true, &found.data);
        } else {
            self.add_naming(found.code.as_str(), message, &found.data)?;
        }
        self.messages.insert(found.message.clone());
        Ok(())
    }

    /// Adds warnings about entries of a state that the registry ignores or reinterprets; `place`
    /// returns the source of an entry.
    pub fn state(
        &mut self,
        registry: &Registry,
        state: &impl Entries,
        place: impl Fn(&StateEntry<'_>) -> String,
    ) -> Result<(), Failure> {
        for entry in state.entries() {
            if let Some(found) = entry_fault(registry, entry) {
                self.diagnostic(&place(&entry), &found)?;
            }
        }
        Ok(())
    }

    /// Prints the diagnostics that no warning covers; `place` stands before a message. An error among
    /// all of them is a problem.
    #[must_use]
    pub fn remarks(
        &self,
        diagnostics: &[Diagnostic],
        place: impl Fn(&Diagnostic) -> String,
    ) -> ExitStatus {
        let others = |found: &&Diagnostic| !self.messages.contains(&found.message);
        for found in diagnostics.iter().filter(others) {
            let mut located = found.clone();
            located.message.insert_str(0, &place(found));
            output::remark(&located);
        }
        ExitStatus::of(diagnostics)
    }

    /// As [`Self::remarks`], each with its position in the file of that name if it has one.
    #[must_use]
    pub fn remarks_in(&self, name: &str, diagnostics: &[Diagnostic]) -> ExitStatus {
        self.remarks(diagnostics, |found| match found.place {
            Some(_) => input::at(name, found.place),
            None => String::new(),
        })
    }

    /// As [`Self::print`], but for the warning that an error repeats.
    pub fn print_beside(&mut self, error: &str) {
        self.found
            .retain(|warning| !warning.message.ends_with(error));
        self.print();
    }

    /// Prints the warnings of a verb that reads single documents.
    pub fn print(&mut self) {
        for warning in mem::take(&mut self.found) {
            print(&warning.message, warning.is_note);
            self.printed.push(warning);
        }
    }

    /// All warnings about the document or the line so far, printed or not.
    pub fn all(&self) -> impl Iterator<Item = &Warning> {
        self.printed.iter().chain(&self.found)
    }

    /// Removes the warnings about a line, so that the next line can have the same ones.
    pub fn take(&mut self) -> Vec<Warning> {
        self.messages.clear();
        mem::take(&mut self.found)
    }
}

fn print(message: &str, is_note: bool) {
    if is_note {
        output::note(message);
    } else {
        output::warning(message);
    }
}

/// Maximum number of different warnings printed for a batch; further ones are counted.
const MAX_DIFFERENT: usize = 100;

/// Prints each message of a batch once, and its number of occurrences at the end.
#[derive(Debug, Default)]
pub struct BatchWarnings {
    repeats: HashMap<String, usize>,
    /// The messages in order of their first occurrence, and whether they are notes.
    order: Vec<(String, bool)>,
    others: usize,
}

impl BatchWarnings {
    /// Prints a warning about a line unless it was printed before.
    pub fn add(&mut self, line: u64, warning: Warning) {
        let Warning {
            message, is_note, ..
        } = warning;
        if let Some(repeats) = self.repeats.get_mut(&message) {
            *repeats += 1;
        } else if self.order.len() < MAX_DIFFERENT {
            print(&format!("line {line}: {message}"), is_note);
            self.order.push((message.clone(), is_note));
            self.repeats.insert(message, 0);
        } else {
            self.others += 1;
        }
    }

    /// Prints the number of repetitions.
    pub fn finish(&self) {
        for (message, is_note) in &self.order {
            match self.repeats.get(message) {
                None | Some(0) => {}
                Some(repeats) => {
                    let lines = plural(*repeats, "more line");
                    print(&format!("{lines}: {message}"), *is_note);
                }
            }
        }
        if self.others > 0 {
            let others = plural(self.others, "more warning");
            let are = if self.others == 1 { "is" } else { "are" };
            output::warning(&format!("{others} {are} not listed"));
        }
    }
}
