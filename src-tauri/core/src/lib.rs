//! The engine of Promptdeck: registries, hydration, lint, imports, output policies and runs.
//!
//! The crate accesses no file, clock, random source of the system, network, thread or global state:
//! texts, seeds and times are arguments, results are values.

pub mod control_chars;
pub mod export;
pub mod file_kind;
pub mod hydrate;
pub mod import;
pub mod lint;
pub mod list_marker;
pub mod output;
pub mod plural;
pub mod prompt_edit;
pub mod registry;
pub mod run;
pub mod unprinted;
