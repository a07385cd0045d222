//! The clock and the operating system's randomness, which the core must not touch.

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

/// The same for SQLite, which knows signed numbers only.
#[must_use]
pub fn now_signed() -> i64 {
    i64::try_from(now()).unwrap_or(i64::MAX)
}

/// A fresh seed below 2^53.
pub fn draw_seed() -> Result<Seed, ServiceError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|fault| ServiceError::Random(fault.to_string()))?;
    Ok(Seed::from_bits(u64::from_le_bytes(bytes)))
}
