//! Model servers nobody here wrote, started for a test and gone with it, and a listener that says
//! what it is told for shapes no such server has.

mod aimock;
mod canned;
mod llama;
mod process;
mod tls;

pub use self::{aimock::aimock, canned::Canned, llama::Llama, tls::Untrusted};
