//! Flags that have no effect in combination with others are errors.

use crate::failure::Failure;

/// The name of the first flag given.
pub fn first(flags: &[(bool, &'static str)]) -> Option<&'static str> {
    let mut flags = flags.iter();
    flags.find_map(|(given, flag)| given.then_some(*flag))
}

/// Rejects a flag if it was given; `why` follows its name in the message.
pub fn refuse(given: Option<&str>, reason: &str) -> Result<(), Failure> {
    match given {
        None => Ok(()),
        Some(flag) => Err(Failure::input("wrong_usage", format!("{flag} {reason}"))),
    }
}
