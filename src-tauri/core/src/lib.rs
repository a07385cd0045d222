//! The pure heart of Promptdeck: registries, hydration, output policy, requests and chat templates.
//!
//! Nothing in here touches a file, a clock, the operating system's randomness, the network, a
//! thread or a global: texts, seeds and times come in as arguments, values come out.

pub mod chat;
pub mod control_chars;
pub mod document;
pub mod hydrate;
pub mod import;
pub mod nearest;
pub mod output;
pub mod plural;
pub mod registry;
pub mod request;
pub mod run;
