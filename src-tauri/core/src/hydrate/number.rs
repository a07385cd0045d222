//! A slider's position as Python's `int` prints it.

use std::borrow::Cow;

/// The positions of a slider, preformatted.
const POSITIONS: [&str; 11] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// A slider's position truncated toward zero, as Python's `int` prints it.
pub(super) fn truncated(value: f64) -> Cow<'static, str> {
    let integer = value.trunc();
    // Whole numbers up to here are exact in both; printing an integer is many times faster.
    if integer.abs() < 9e15 {
        let integer = integer as i64;
        let position = usize::try_from(integer).ok();
        return match position.and_then(|position| POSITIONS.get(position)) {
            Some(printed) => Cow::Borrowed(printed),
            None => Cow::Owned(integer.to_string()),
        };
    }
    // With a precision every digit is printed, not only as many as tell doubles apart.
    Cow::Owned(format!("{integer:.0}"))
}

#[cfg(test)]
mod tests {
    use super::truncated;

    #[test]
    fn sliders_truncate_toward_zero() {
        for (value, printed) in [
            (7.9, "7"),
            (-7.9, "-7"),
            (-0.5, "0"),
            (0.0, "0"),
            (5.0, "5"),
        ] {
            assert_eq!(truncated(value), printed);
        }
        assert_eq!(truncated(1e30), "1000000000000000019884624838656");
    }
}
