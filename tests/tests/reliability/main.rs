//! What holds whatever goes wrong: each promise is one test that prints how often it was tried.

mod clock;
#[cfg(target_os = "linux")]
mod files;
mod patterns;
mod providers;
mod readers;
mod responsiveness;
mod store;
mod templates;
