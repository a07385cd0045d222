//! The interval in which a share lies, as far as a sample tells.

/// The 99.5th percentile of the normal distribution: 99 % lie between it and its negative.
const Z: f64 = 2.575_829_303_548_900_4;

/// The 99 % interval of a share of which `part` of `whole` rolls were seen, after Wilson (1927). It
/// stays within 0 and 1 and has a width also where nothing or everything was seen.
///
/// ```
/// use promptdeck_population::wilson;
///
/// let (low, high) = wilson(50, 100);
/// assert!((low - 0.375_280).abs() < 1e-6 && (high - 0.624_720).abs() < 1e-6);
/// assert_eq!(wilson(0, 0), (0.0, 1.0));
/// ```
#[must_use]
pub fn wilson(part: u64, whole: u64) -> (f64, f64) {
    if whole == 0 {
        return (0.0, 1.0);
    }
    let number = whole as f64;
    let share = part as f64 / number;
    let square = Z * Z;
    let middle = share + square / (2.0 * number);
    let half = Z * (share * (1.0 - share) / number + square / (4.0 * number * number)).sqrt();
    let scale = 1.0 + square / number;
    let low = if part == 0 {
        0.0
    } else {
        (middle - half) / scale
    };
    let high = if part == whole {
        1.0
    } else {
        (middle + half) / scale
    };
    (low.max(0.0), high.min(1.0))
}
