//! Numbers as Python prints them: what `str(json.loads(text))` gives for a JSON number.

use std::borrow::Cow;

/// A JSON number's spelling, printed by Python: integers exactly, all others as the shortest
/// decimal that reads back to the same double.
pub(super) fn python(spelling: &str) -> String {
    if !spelling.contains(['.', 'e', 'E']) {
        return if spelling == "-0" { "0" } else { spelling }.to_owned();
    }
    // JSON numbers are a subset of what Rust reads; one too large reads as infinity, as in Python.
    spelling.parse().map_or_else(|_| spelling.to_owned(), float)
}

/// A double, printed by Python's `repr`.
fn float(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let plain = value.to_string();
    if plain.contains('.') {
        plain
    } else {
        plain + ".0"
    }
}

/// The positions a slider has, printed beforehand.
const POSITIONS: [&str; 11] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// A slider's position truncated toward zero, as Python's `int` prints it.
pub(super) fn truncated(value: f64) -> Cow<'static, str> {
    let whole = value.trunc();
    // Whole numbers up to here are exact in both; printing an integer is many times faster.
    if whole.abs() < 9e15 {
        let whole = whole as i64;
        let position = usize::try_from(whole).ok();
        return match position.and_then(|position| POSITIONS.get(position)) {
            Some(printed) => Cow::Borrowed(printed),
            None => Cow::Owned(whole.to_string()),
        };
    }
    // With a precision every digit is printed, not only as many as tell doubles apart.
    Cow::Owned(format!("{whole:.0}"))
}

/// A text that Python's `int` accepts, as far as it fits: blanks around, a sign, single underscores
/// between digits. Too large a number stands at the end of the range.
pub(super) fn integer(text: &str) -> Option<i64> {
    let text = super::blank::trim(text);
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let mut value = 0_i64;
    let mut after_digit = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                value = value
                    .saturating_mul(10)
                    .saturating_add(i64::from(byte - b'0'));
                after_digit = true;
            }
            b'_' if after_digit => after_digit = false,
            _ => return None,
        }
    }
    after_digit.then_some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::{integer, python, truncated};

    #[test]
    fn numbers_print_as_in_python() {
        for (spelling, printed) in [
            ("1", "1"),
            ("-0", "0"),
            ("12345678901234567890123", "12345678901234567890123"),
            ("1.0", "1.0"),
            ("-0.0", "-0.0"),
            ("1E5", "100000.0"),
            ("1e16", "1e+16"),
            ("1e15", "1000000000000000.0"),
            ("123456789012345680.0", "1.2345678901234568e+17"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1.5e-7", "1.5e-07"),
            ("1e22", "1e+22"),
            ("1e100", "1e+100"),
            ("1e400", "inf"),
            ("-1e400", "-inf"),
            ("5e-324", "5e-324"),
            ("0.1", "0.1"),
            ("2.50", "2.5"),
        ] {
            assert_eq!(python(spelling), printed, "{spelling}");
        }
    }

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

    #[test]
    fn integers_are_read_as_in_python() {
        for (text, value) in [
            ("1", Some(1)),
            (" 1\u{1f}", Some(1)),
            ("+1", Some(1)),
            ("-1", Some(-1)),
            ("01", Some(1)),
            ("1_0", Some(10)),
            ("99999999999999999999", Some(i64::MAX)),
            ("", None),
            ("-", None),
            ("1.5", None),
            ("1__0", None),
            ("_1", None),
            ("1_", None),
            ("x", None),
        ] {
            assert_eq!(integer(text), value, "{text:?}");
        }
    }
}
