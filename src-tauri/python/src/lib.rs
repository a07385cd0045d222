#![doc = include_str!("../README.md")]
//!
//! Everything here is a pure function. Where a caller counts the work of its input, the function has
//! a `try_` form that reports each piece of extra output before writing it.

pub mod json;
pub mod number;
pub mod repr;
pub mod slice;
pub mod text;
mod unicode;
