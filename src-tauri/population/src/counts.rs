//! How often each number occurs, in bounded memory: exact below 65,536, beyond it in steps of at most
//! a 32,768th of the number. The steps are fixed, so counts can be added in any order.

/// Numbers below are counted each for itself.
const EXACT: u64 = 1 << EXACT_BITS;
const EXACT_BITS: u32 = 16;
/// Steps between a power of two and the next.
const STEPS: u64 = EXACT / 2;
/// Larger numbers count as this one.
const MAX: u64 = u32::MAX as u64;

/// Numbers with their counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// By step, grown on demand.
    steps: Vec<u64>,
    total: u64,
}

impl Counts {
    #[inline]
    pub fn add(&mut self, number: u64) {
        let step = step(number);
        if step >= self.steps.len() {
            self.steps.resize(step + 1, 0);
        }
        self.steps[step] += 1;
        self.total += 1;
    }

    pub fn merge(&mut self, other: &Self) {
        if other.steps.len() > self.steps.len() {
            self.steps.resize(other.steps.len(), 0);
        }
        for (step, other) in self.steps.iter_mut().zip(&other.steps) {
            *step += other;
        }
        self.total += other.total;
    }

    /// How many numbers were counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The numbers that occur, in order, with their counts.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> {
        let steps = self.steps.iter().enumerate();
        let occurring = steps.filter(|(_, count)| **count > 0);
        occurring.map(|(step, count)| (number(step as u64), *count))
    }
}

#[inline]
fn step(number: u64) -> usize {
    if number < EXACT {
        return number as usize;
    }
    let number = number.min(MAX);
    let power = number.ilog2() - EXACT_BITS;
    let within = (number >> (power + 1)) - STEPS;
    (EXACT + u64::from(power) * STEPS + within) as usize
}

/// The smallest number of a step.
fn number(step: u64) -> u64 {
    if step < EXACT {
        return step;
    }
    let beyond = step - EXACT;
    (beyond % STEPS + STEPS) << (beyond / STEPS + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_step_begins_at_or_shortly_before_its_numbers(number_in in 0..=MAX) {
            let start = number(step(number_in) as u64);
            prop_assert!(start <= number_in);
            prop_assert!(number_in - start <= number_in / STEPS);
            prop_assert_eq!(step(start), step(number_in));
        }

        #[test]
        fn adding_in_parts_is_adding_at_once(numbers in prop::collection::vec(0_u64..200_000, 0..60), at in 0_usize..60) {
            let counts = |numbers: &[u64]| {
                let mut counts = Counts::default();
                for number in numbers {
                    counts.add(*number);
                }
                counts
            };
            let (one, two) = numbers.split_at(at.min(numbers.len()));
            let mut merged = counts(two);
            merged.merge(&counts(one));
            prop_assert_eq!(merged, counts(&numbers));
        }
    }
}
