//! Runs a call: hydrates once, then generates, cleans and validates until a text is accepted.
//!
//! Providers are a trait; nothing here opens a connection or reads a clock. A run uses one provider
//! and never starts another run: callers compose.

#![warn(clippy::missing_errors_doc)]

mod attempts;
mod error;
mod provider;
mod render;

pub(crate) use attempts::retries_capped;
pub use attempts::{Attempt, Plan, RunResult};
pub use error::RunError;
pub use provider::{
    Control, Input, Message, NoListener, PlannedRetry, Provider, ProviderError, Request, Response,
    RetriedError, Role, StreamListener, Timing, ToolCall, Usage,
};
pub use render::RenderPrompt;
