#![doc = include_str!("../README.md")]
//!
//! `document`, `fields` and `reader` read the file, `kind` lists the kinds of expectations, `schema`
//! the keys. `prepare` resolves names, patterns and tokenizers against a registry, `runner` rolls,
//! `running` follows one expectation through the rolls, `judge` compares it with one text, `explain`
//! finds the sources of what it found, `golden` replaces recorded texts, `layout` writes an edited
//! list of checks.

#![warn(clippy::missing_errors_doc)]

mod answer;
mod document;
mod excerpt;
mod expectation;
mod explain;
mod fault;
mod fields;
mod file_name;
mod golden;
mod judge;
mod kind;
mod layout;
mod prefix;
mod prepare;
mod printed;
mod reader;
mod roll;
mod runner;
mod running;
pub mod schema;
mod share;
mod tokenizers;
mod verdict;

pub use document::{Check, ChecksDocument, Entry, Given, MAX_CHECKS, MAX_ROLLS, Subject};
pub use expectation::{Expectation, TokenLimit};
pub use explain::source_label;
pub use fault::Fault;
pub use file_name::{SUFFIX, checks_name, is_checks_name, registry_name};
pub use golden::GoldenUpdate;
pub use kind::{ExpectationKind, KINDS, SubjectKind, ValueForm};
pub use runner::Suite;
pub use share::ShareRange;
pub use tokenizers::{Counter, Tokenizers, no_tokenizers};
pub use verdict::{Failure, Outcome, Verdict};
