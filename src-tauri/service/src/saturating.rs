//! Conversion of counts, positions and ids to the page's 32-bit numbers.

/// The number, or `u32::MAX` if it does not fit.
pub(crate) fn saturating_u32(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}
