//! What holds whatever goes wrong: each test makes it go wrong many times and prints how many.

#[cfg(target_os = "linux")]
mod files;
