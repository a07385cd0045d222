//! From a prompt to a request.

pub mod template;
