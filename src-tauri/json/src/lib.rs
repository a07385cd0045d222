#![doc = include_str!("../README.md")]

pub mod nearest;
mod pointer;
pub mod schema;
mod unknown;
mod wrong;

pub use pointer::{abridged, push_step};
pub use unknown::{UnknownKey, unknown_keys, unlisted_keys};
pub use wrong::{WrongValue, explain, explain_all};
