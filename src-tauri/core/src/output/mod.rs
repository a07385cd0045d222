//! Generation settings, and the output policy that cleans and validates a generated text.
//!
//! Nothing here calls a model (that is [`crate::run`]) or knows more of a registry than these two
//! JSON objects.

#![warn(clippy::missing_errors_doc)]

mod compiled_policy;
mod generation;
mod object_reader;
mod policy;
mod whitespace;

pub use compiled_policy::{CompiledPolicy, PolicyFault, Verdict};
pub use generation::GenerationConfig;
pub use object_reader::FieldError;
pub use policy::OutputPolicy;
pub use promptdeck_pattern::{Pattern, PatternError, SearchLimit};
