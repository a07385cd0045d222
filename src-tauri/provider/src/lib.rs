//! Model providers for the core's trait: requests, responses and faults of each kind of server. The
//! crate stores nothing except keys in the system's keyring.

pub mod base_url;
pub mod fault;
mod http;
mod http_provider;
pub mod keyring;
mod mock;
mod protocol;
mod scrub;
pub mod secret;
pub mod server;
pub mod transport_retry;

pub use self::{
    http::{CallLimits, Limits},
    http_provider::{HttpProvider, Jitter, MAX_REQUESTS, Template, Write},
    mock::{Mock, Turn},
    protocol::Arrived,
};
