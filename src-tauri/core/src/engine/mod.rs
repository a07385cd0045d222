//! From a call to an accepted text: hydrate once, ask a provider, clean and judge, try again.
//!
//! Providers are a trait; nothing here opens a connection or reads a clock. A run spreads over one
//! provider only and never chains into another run: callers compose.

mod error;
mod provider;
mod run;

pub use error::RunError;
pub use provider::{
    Control, Deltas, Input, Message, Overcome, Provider, ProviderError, Request, Response, Role,
    Timing, Unheard, Usage,
};
pub use run::{Attempt, Plan, RunResult};
