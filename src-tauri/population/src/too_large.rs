//! Rolls whose prompt is too large. Nothing can be counted of them, so that a sample with one has no
//! result but its error.

use promptdeck_core::hydrate::{HydrateError, Roll};

/// The first roll of a sample that is too large, whatever threads roll it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstTooLarge(Option<(u64, HydrateError)>);

impl FirstTooLarge {
    /// Looks at a roll; whether it is too large.
    pub fn add(&mut self, number: u64, roll: Roll<'_, '_>) -> bool {
        let Some(error) = roll.too_large() else {
            return false;
        };
        self.merge(Self(Some((number, error.clone()))));
        true
    }

    /// Adds those of other rolls.
    pub fn merge(&mut self, other: Self) {
        let first = |own: &Self| own.0.as_ref().map_or(u64::MAX, |(number, _)| *number);
        if first(&other) < first(self) {
            *self = other;
        }
    }

    /// The error of the sample, if it has one.
    pub fn into_result(self) -> Result<(), HydrateError> {
        self.0.map_or(Ok(()), |(_, error)| Err(error))
    }
}
