//! What a user does, for the window and the command line alike.

pub mod wire;
