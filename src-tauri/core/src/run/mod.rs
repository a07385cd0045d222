//! From a call to an accepted text: hydrate once, ask a provider, clean and judge, try again.
//!
//! Providers are a trait; nothing here opens a connection or reads a clock. A run spreads over one
//! provider only and never chains into another run: callers compose.

mod attempts;
mod error;
mod provider;

pub use attempts::{Attempt, Plan, RunResult};
pub use error::RunError;
pub use provider::{
    Control, Input, Message, NoListener, Provider, ProviderError, Request, Response, RetriedError,
    Role, StreamListener, Timing, Usage,
};
