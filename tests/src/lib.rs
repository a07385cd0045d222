//! Tests across crates: conformance with other programs, faults, and the tools that both share.

pub mod chat_conversations;
pub mod chat_expressions;
pub mod chat_sources;
pub mod hostile_patterns;
pub mod hostile_templates;
pub mod hydrate_cases;
pub mod oracle;
pub mod policy_cases;
pub mod provider_fixture;
pub mod servers;
pub mod version_two_cases;
