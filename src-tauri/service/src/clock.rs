//! The clock and the operating system's randomness, neither of which the core may use.

use std::time::{SystemTime, UNIX_EPOCH};

use promptdeck_core::hydrate::Seed;

use crate::ServiceError;

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The same as a signed number for SQLite.
#[must_use]
pub fn now_signed() -> i64 {
    i64::try_from(now()).unwrap_or(i64::MAX)
}

/// Draws a random seed below 2^53.
///
/// # Errors
/// [`ServiceError::Random`] if the operating system provides no random numbers.
pub fn draw_seed() -> Result<Seed, ServiceError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|fault| ServiceError::Random(fault.to_string()))?;
    Ok(Seed::from_bits(u64::from_le_bytes(bytes)))
}
