//! What a verb would ignore in its input: names and keys that mean nothing. Told on standard error,
//! or, with `--strict`, refused.

use std::{collections::HashMap, mem};

use promptdeck_core::registry::Severity;
use promptdeck_core::{hydrate, registry::Diagnostic};

use crate::{failure::Failure, output};

/// Whether warnings are errors.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct StrictArgs {
    /// Refuse unknown keys, sections, items, fields and variables instead of warning of them.
    #[arg(long)]
    pub strict: bool,
}

impl StrictArgs {
    /// Where the warnings of a verb go.
    pub fn warnings(self) -> Warnings {
        Warnings {
            strict: self.strict,
            found: Vec::new(),
        }
    }
}

/// The warnings about one document or line, until they are printed.
#[derive(Debug, Default)]
pub struct Warnings {
    strict: bool,
    found: Vec<String>,
}

impl Warnings {
    /// Adds a warning; where warnings are errors, that is the error.
    pub fn add(&mut self, code: &str, message: String) -> Result<(), Failure> {
        if self.strict {
            return Err(Failure::input(code, message));
        }
        self.found.push(message);
        Ok(())
    }

    /// Adds a warning about a state.
    pub fn diagnostic(&mut self, found: &Diagnostic) -> Result<(), Failure> {
        self.add(found.code, found.message.clone())
    }

    /// Adds what is odd about a state, once its file's names are known to be unknown.
    pub fn state(
        &mut self,
        registry: &promptdeck_core::registry::Registry,
        state: &impl hydrate::Entries,
    ) -> Result<(), Failure> {
        for name in state.entries() {
            if let Some(found) = hydrate::entry_fault(registry, name) {
                self.diagnostic(&found)?;
            }
        }
        Ok(())
    }

    /// Refuses a call because of what a hydration found odd about it, where warnings are errors.
    pub fn refuse_odd(&self, diagnostics: &[Diagnostic]) -> Result<(), Failure> {
        let odd = |found: &&Diagnostic| found.severity != Severity::Note;
        match diagnostics.iter().find(odd) {
            Some(found) if self.strict => Err(Failure::input(found.code, found.message.clone())),
            _ => Ok(()),
        }
    }

    /// Prints the warnings of a verb that reads single documents.
    pub fn print(&mut self) {
        for message in mem::take(&mut self.found) {
            output::warning(&message);
        }
    }

    /// Takes the warnings about a line.
    pub fn take(&mut self) -> Vec<String> {
        mem::take(&mut self.found)
    }
}

/// So many different warnings of a batch are printed; further ones are counted.
const MAX_DIFFERENT: usize = 100;

/// Prints the warnings of a batch: each message where it first comes up, and at the end how often it
/// did.
#[derive(Debug, Default)]
pub struct BatchWarnings {
    repeats: HashMap<String, u64>,
    /// The messages in the order in which they came up.
    order: Vec<String>,
    others: u64,
}

impl BatchWarnings {
    /// Prints a warning about a line unless it was printed before.
    pub fn add(&mut self, line: u64, message: String) {
        if let Some(repeats) = self.repeats.get_mut(&message) {
            *repeats += 1;
        } else if self.order.len() < MAX_DIFFERENT {
            output::warning(&format!("line {line}: {message}"));
            self.order.push(message.clone());
            self.repeats.insert(message, 0);
        } else {
            self.others += 1;
        }
    }

    /// Prints how often the warnings came up again.
    pub fn finish(&self) {
        for message in &self.order {
            match self.repeats.get(message) {
                None | Some(0) => {}
                Some(1) => output::warning(&format!("1 more line: {message}")),
                Some(repeats) => output::warning(&format!("{repeats} more lines: {message}")),
            }
        }
        if self.others > 0 {
            output::warning(&format!("{} more warnings are not listed", self.others));
        }
    }
}
