//! Model providers behind the core's trait: what is sent to which server, how its answer is read,
//! and what can go wrong on the way. Keeps nothing, but for keys in the system's keyring.

pub mod base_url;
mod caller;
pub mod fault;
pub mod keys;
mod mock;
mod protocol;
pub mod retry;
mod scrub;
pub mod secret;
pub mod server;
mod wire;

pub use self::{
    caller::{Caller, Jitter, MAX_REQUESTS, Template, Write},
    mock::{Mock, Turn},
    wire::{Limits, Watch},
};
