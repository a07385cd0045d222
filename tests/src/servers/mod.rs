//! Third-party model servers, started for a test and stopped with it, and a listener with canned
//! answers for responses that no such server sends.

mod aimock;
mod canned;
mod llama;
mod process;
mod tls;

pub use self::{aimock::aimock, canned::Canned, llama::Llama, tls::Untrusted};
