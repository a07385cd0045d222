//! The reliability promises. Each is one test that prints its number of cases.

mod clock;
#[cfg(target_os = "linux")]
mod files;
mod long_decks;
mod patterns;
mod providers;
mod readers;
mod responsiveness;
mod store;
mod templates;
