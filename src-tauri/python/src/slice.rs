//! Positions in a sequence: an index and `start:stop:step`.

use std::iter::FusedIterator;

/// The position that `sequence[index]` takes of `len` items; negative counts from the end. `None`
/// beyond either end.
#[inline]
#[must_use]
pub fn position(index: i64, len: usize) -> Option<usize> {
    let index = match index {
        0.. => index,
        _ => index.checked_add(i64::try_from(len).ok()?)?,
    };
    usize::try_from(index).ok().filter(|index| *index < len)
}

/// The positions that a slice takes, in its order.
///
/// ```
/// use promptdeck_python::slice::Indices;
///
/// let all: Vec<usize> = Indices::new(5, None, None, -2).collect();
/// assert_eq!(all, [4, 2, 0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indices {
    first: i64,
    stop: i64,
    step: i64,
    count: usize,
}

impl Indices {
    /// `range(*slice(start, stop, step).indices(len))`. A `step` of 0, for which Python raises, takes
    /// nothing.
    #[must_use]
    pub fn new(len: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Self {
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
        let clamp = |bound: i64| {
            let bound = match bound {
                0.. => bound,
                _ => bound.saturating_add(len),
            };
            bound.clamp(low, high)
        };
        let first = start.map_or(if step > 0 { low } else { high }, clamp);
        let stop = stop.map_or(if step > 0 { high } else { low }, clamp);
        let distance = if step > 0 { stop - first } else { first - stop };
        let count = match u64::try_from(distance) {
            Ok(distance) if step != 0 => distance.div_ceil(step.unsigned_abs()),
            _ => 0,
        };
        Self {
            first,
            stop,
            step,
            count: usize::try_from(count).unwrap_or(usize::MAX),
        }
    }

    /// Where the slice begins: the first of `slice.indices`.
    #[must_use]
    pub fn first(&self) -> i64 {
        self.first
    }

    /// Where the slice ends: the second of `slice.indices`.
    #[must_use]
    pub fn stop(&self) -> i64 {
        self.stop
    }
}

impl Iterator for Indices {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.count = self.count.checked_sub(1)?;
        let at = usize::try_from(self.first).ok();
        self.first = self.first.saturating_add(self.step);
        at
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl ExactSizeIterator for Indices {}
impl FusedIterator for Indices {}
