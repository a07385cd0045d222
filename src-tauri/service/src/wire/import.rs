//! What an import answers: the file it made and what became of the original.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The program an imported registry was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ImportDialect {
    /// The form in which Promptdeck saves and exports.
    Canonical,
    /// Version 22 of promptlibretto 0.5 and 0.6.
    Classic,
    /// Version 2 of promptlibretto 0.7.
    Seven,
    /// Version 2 of promptlibretto 0.8.
    Eight,
}

/// What became of one thing of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ImportFate {
    /// It can't be said here.
    Differs,
    /// Releases of the original program disagree about it.
    Disputed,
    /// It is said in other words.
    Rewritten,
    /// It is kept, and nothing here reads it.
    Kept,
}

/// One line of an import's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportLine {
    /// What became of it.
    pub fate: ImportFate,
    /// JSON pointer into the original, from its registry object.
    pub pointer: String,
    /// Line in the original, from 1; none for what was not written there.
    pub line: Option<u32>,
    /// One line for the author.
    pub message: String,
}

/// An imported registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Imported {
    /// Its file in the folder.
    pub file: String,
    /// What it was read as.
    pub dialect: ImportDialect,
    /// What was changed and what could not be said, the gravest first.
    pub lines: Vec<ImportLine>,
}
