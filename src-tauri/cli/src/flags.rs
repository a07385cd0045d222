//! Flags that another choice makes meaningless: they are refused, never ignored.

use crate::failure::Failure;

/// The first of these flags that was given.
pub fn first(flags: &[(bool, &'static str)]) -> Option<&'static str> {
    let mut flags = flags.iter();
    flags.find_map(|(given, flag)| given.then_some(*flag))
}

/// Refuses a flag, if one was given; `why` says after its name what it needs.
pub fn refuse(given: Option<&str>, why: &str) -> Result<(), Failure> {
    match given {
        None => Ok(()),
        Some(flag) => Err(Failure::input("wrong_usage", format!("{flag} {why}"))),
    }
}
