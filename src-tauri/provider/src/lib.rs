//! Model providers behind the core's trait. The mock is here; it opens no connection.

mod mock;

pub use mock::{Mock, Turn};
