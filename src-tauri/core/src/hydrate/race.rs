//! Weighted picks: an exponential race between the items of a section.
//!
//! Each item arrives after -log2(1 - draw) / weight, and the first one is picked. Its probability is
//! its weight divided by the sum of all weights. An item's time depends on its own draw and weight,
//! so a change of one item moves a pick only to or from that item. With equal weights the order of
//! arrival is the order of the draws.
//!
//! The logarithm is computed in integers, and the division is that of IEEE 754, which rounds the
//! same everywhere: the order is the same on every machine.

use std::cmp::Ordering;

/// The number of binary digits after the point of a logarithm.
const FRACTION_BITS: u32 = 62;

/// When an item arrives, and its draw and position for items that arrive together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arrival {
    time: f64,
    draw: u64,
    index: u32,
}

impl Arrival {
    /// An item without weight arrives after all others.
    pub fn new(draw: u64, weight: f64, index: u32) -> Self {
        let time = if weight > 0.0 {
            waiting_time(draw) as f64 / weight
        } else {
            f64::INFINITY
        };
        Self { time, draw, index }
    }

    /// The position of the item in its section.
    pub fn index(self) -> u32 {
        self.index
    }
}

/// A race of which only the winner counts. Almost every comparison is decided by floating-point
/// numbers, whose error is known; the rest by [`Arrival`].
#[derive(Debug, Default)]
pub(super) struct Race {
    leader: Option<Entrant>,
}

#[derive(Clone, Copy, Debug)]
struct Entrant {
    draw: u64,
    weight: f64,
    index: u32,
    /// Bounds of the time of its arrival.
    earliest: f64,
    latest: f64,
}

/// The most by which a floating-point logarithm may be wrong, and much more than it is.
const LOGARITHM_ERROR: f64 = 1e-9;

impl Race {
    /// Enters an item; the items enter in the order of their positions.
    pub fn enter(&mut self, draw: u64, weight: f64, index: u32) {
        let entrant = Entrant::new(draw, weight, index);
        if self.leader.is_none_or(|leader| entrant.beats(&leader)) {
            self.leader = Some(entrant);
        }
    }

    /// The position of the item that arrives first.
    pub fn winner(&self) -> Option<u32> {
        self.leader.map(|leader| leader.index)
    }
}

impl Entrant {
    fn new(draw: u64, weight: f64, index: u32) -> Self {
        let remaining = ((1_u128 << 64) - u128::from(draw)) as f64;
        // An item without weight arrives at infinity.
        let logarithm = 64.0 - remaining.log2();
        Self {
            draw,
            weight,
            index,
            earliest: (logarithm - LOGARITHM_ERROR) / weight,
            latest: (logarithm + LOGARITHM_ERROR) / weight,
        }
    }

    fn beats(&self, other: &Self) -> bool {
        let weightless = [self.weight, other.weight].map(|weight| weight <= 0.0);
        if weightless != [false; 2] {
            return match weightless {
                [true, true] => (self.draw, self.index) < (other.draw, other.index),
                [is_last, _] => !is_last,
            };
        }
        if self.latest < other.earliest {
            return true;
        }
        if self.earliest > other.latest {
            return false;
        }
        self.arrival() < other.arrival()
    }

    fn arrival(&self) -> Arrival {
        Arrival::new(self.draw, self.weight, self.index)
    }
}

impl Eq for Arrival {}

impl PartialOrd for Arrival {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Arrival {
    fn cmp(&self, other: &Self) -> Ordering {
        let times = self.time.total_cmp(&other.time);
        let rest = || (self.draw, self.index).cmp(&(other.draw, other.index));
        times.then_with(rest)
    }
}

/// -log2(1 - draw / 2^64) in units of 2^-62. A greater draw never gives a smaller number.
fn waiting_time(draw: u64) -> u128 {
    let remaining = (1_u128 << 64) - u128::from(draw);
    let whole = remaining.ilog2();
    // From 1 up to 2, with 63 digits after the point.
    let mut mantissa = if whole > 63 {
        remaining >> (whole - 63)
    } else {
        remaining << (63 - whole)
    };
    // Squaring doubles the logarithm: each digit says whether the square reached 2.
    let mut logarithm = u128::from(whole);
    for _ in 0..FRACTION_BITS {
        mantissa = (mantissa * mantissa) >> 63;
        logarithm <<= 1;
        if mantissa >> 64 != 0 {
            logarithm |= 1;
            mantissa >>= 1;
        }
    }
    (64_u128 << FRACTION_BITS) - logarithm
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Arrival, FRACTION_BITS, Race, waiting_time};

    /// Draws of which some are close together.
    fn draw() -> impl Strategy<Value = u64> {
        let near = |centre: u64| (0..200_u64).prop_map(move |by| centre.wrapping_add(by));
        prop_oneof![any::<u64>(), near(u64::MAX - 100), near(1 << 63)]
    }

    /// Weights of which some are equal, and some extreme.
    fn weight() -> impl Strategy<Value = f64> {
        prop_oneof![
            prop::sample::select(vec![0.0, 1.0, 2.0, 1e-9, 1e9]),
            1e-9..1e9_f64
        ]
    }

    #[test]
    fn the_logarithm_is_that_of_the_standard_library() {
        let unit = (1_u64 << FRACTION_BITS) as f64;
        for (draw, expected) in [(0, 0.0), (1 << 63, 1.0), (3 << 62, 2.0), (u64::MAX, 64.0)] {
            assert_eq!(waiting_time(draw) as f64 / unit, expected, "{draw}");
        }
        for step in 1..10_000_u64 {
            let draw = step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let found = waiting_time(draw) as f64 / unit;
            let expected = -(-(draw as f64 / 2_f64.powi(64))).ln_1p() / std::f64::consts::LN_2;
            assert!(
                (found - expected).abs() <= expected * 1e-13,
                "{draw}: {found} {expected}"
            );
        }
    }

    proptest! {
        #[test]
        fn equal_weights_arrive_in_the_order_of_their_draws(
            draw in any::<u64>(), far in any::<u64>(), near in 0..200_u64, weight in 1e-9..1e9_f64,
        ) {
            for other in [far, draw.wrapping_add(near)] {
                for weight in [weight, 1.0, 0.0] {
                    let (one, two) = (Arrival::new(draw, weight, 1), Arrival::new(other, weight, 0));
                    prop_assert_eq!(one < two, draw < other);
                }
            }
        }

        #[test]
        fn a_race_is_won_by_the_first_arrival(
            entrants in prop::collection::vec((draw(), weight()), 0..9),
        ) {
            let mut race = Race::default();
            let mut arrivals = Vec::new();
            for ((draw, weight), index) in entrants.into_iter().zip(0..) {
                race.enter(draw, weight, index);
                arrivals.push(Arrival::new(draw, weight, index));
            }
            prop_assert_eq!(race.winner(), arrivals.into_iter().min().map(Arrival::index));
        }

        #[test]
        fn more_weight_never_arrives_later(
            draw in any::<u64>(), one in 1e-9..1e9_f64, two in 1e-9..1e9_f64,
        ) {
            let (less, more) = (one.min(two), one.max(two));
            prop_assert!(Arrival::new(draw, more, 0) <= Arrival::new(draw, less, 0));
            prop_assert!(Arrival::new(draw, less, 0) < Arrival::new(draw, 0.0, 0));
        }
    }
}
