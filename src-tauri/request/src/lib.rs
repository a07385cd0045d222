#![doc = include_str!("../README.md")]
//!
//! # From a prompt to a request
//!
//! `arguments` builds what a template may read, `template` renders it, `history` holds the messages
//! to a provider's rules, `pipeline` runs the stages in between, and `target` and `layers` build the
//! bodies that are sent. Everything is pure: the moment of a call is part of its input.

pub mod answer;
pub mod arguments;
mod base64_text;
pub mod block;
pub mod body_keys;
pub mod build;
pub mod cache_view;
pub mod call;
mod call_arguments;
pub mod call_keys;
pub mod call_layers;
pub mod call_prompt;
pub mod codes;
pub mod content_parts;
pub mod document;
mod function_rules;
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
mod tool_calls;
mod tool_keys;
pub mod tools;
pub mod volatile;
