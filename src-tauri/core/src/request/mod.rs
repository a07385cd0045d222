//! From a prompt to a request: the arguments a template may read, the rules a history must keep,
//! the stages in between, and the bodies that are sent. Everything here is pure; the moment of a
//! call is part of its input.

pub mod answer;
pub mod arguments;
pub mod assemble;
pub mod block;
pub mod cache_view;
pub mod call;
pub mod gemini;
pub mod history;
pub mod language;
pub mod layers;
pub mod pipeline;
pub mod prompt;
pub mod span;
pub mod target;
pub mod template;
pub mod tokens;
pub mod volatile;
