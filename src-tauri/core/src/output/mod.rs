//! What happens to a model's answer: generation settings, and the output policy that cleans and
//! judges the text.
//!
//! Nothing here calls a model (that is [`crate::run`]) and nothing knows a registry beyond the
//! two JSON objects it holds.

mod compiled;
mod fields;
mod generation;
mod policy;

pub use compiled::{CompiledPolicy, PolicyFault, Verdict};
pub use fields::FieldError;
pub use generation::GenerationConfig;
pub use policy::OutputPolicy;
pub use promptdeck_pattern::{Pattern, PatternError, SearchLimit};
