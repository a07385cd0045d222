//! What a user does, for the window and the command line alike.

mod conflict;
mod difference;
mod disk;
pub mod edit;
mod error;
mod freeze;
mod history;
mod session;
mod shown;
mod tree;
pub mod wire;

pub use error::ServiceError;
pub use session::Session;
