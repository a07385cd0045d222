//! Whether a choice of values can be completed without a forbidden pair.

use super::covering::Grid;

/// How many partial choices are tried before a choice counts as one that cannot be completed.
const MAX_STEPS: usize = 10_000;

/// A search for values of the constrained slots.
pub(super) struct Search<'g> {
    grid: &'g Grid,
    steps: usize,
}

impl<'g> Search<'g> {
    pub fn new(grid: &'g Grid) -> Self {
        Self { grid, steps: 0 }
    }

    /// Completes `chosen`, one value or none for each slot, in the slots that have forbidden pairs.
    /// Leaves it as it was, and returns false, if there is no completion.
    pub fn complete(&mut self, chosen: &mut [Option<u32>]) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return false;
        }
        // The slot with the fewest values left fails first.
        let mut next: Option<(usize, Vec<u32>)> = None;
        for slot in self.grid.constrained() {
            if chosen[*slot].is_some() {
                continue;
            }
            let left = self.values(*slot, chosen);
            if next
                .as_ref()
                .is_none_or(|(_, least)| left.len() < least.len())
            {
                next = Some((*slot, left));
            }
        }
        let Some((slot, values)) = next else {
            return true;
        };
        for value in values {
            chosen[slot] = Some(value);
            if self.complete(chosen) {
                return true;
            }
        }
        chosen[slot] = None;
        false
    }

    fn values(&self, slot: usize, chosen: &[Option<u32>]) -> Vec<u32> {
        let values = 0..self.grid.size(slot) as u32;
        values
            .filter(|value| self.grid.admits(chosen, slot, *value))
            .collect()
    }
}
