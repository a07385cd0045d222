//! Writes numbers as the format types `d x o b e f g` ask. Texts and fill are the callers'.

use num_bigint::BigInt;

use promptdeck_python::repr;

/// The digits of a float without its sign, in one of `e f g %` or the plain form.
pub(super) fn float_digits(
    value: f64,
    kind: char,
    precision: Option<usize>,
    alternate: bool,
) -> String {
    let upper = kind.is_ascii_uppercase();
    let value = value.abs();
    if !value.is_finite() {
        let text = if value.is_nan() { "nan" } else { "inf" };
        return if upper {
            text.to_uppercase()
        } else {
            text.to_owned()
        };
    }
    let digits = match kind.to_ascii_lowercase() {
        'f' => {
            let precision = precision.unwrap_or(6);
            let mut text = fixed(value, precision);
            if alternate && precision == 0 {
                text.push('.');
            }
            text
        }
        '%' => fixed(value * 100.0, precision.unwrap_or(6)) + "%",
        'e' => exponential(value, precision.unwrap_or(6), alternate),
        'g' => general(value, precision.unwrap_or(6).max(1), alternate),
        // No type: like `g`, but shortest when no precision is given, and always with a point.
        _ => match precision {
            None => repr::float(value),
            Some(precision) => {
                let text = general(value, precision.max(1), alternate);
                if text.contains(['.', 'e']) {
                    text
                } else {
                    text + ".0"
                }
            }
        },
    };
    if upper { digits.to_uppercase() } else { digits }
}

/// More digits than any float has behind its point; all further ones are zeros, and the standard
/// library writes no more than 65,535.
const ALL_DIGITS: usize = 1100;

/// A float with that many digits behind the point.
fn fixed(value: f64, precision: usize) -> String {
    let exact = precision.min(ALL_DIGITS);
    format!("{value:.exact$}") + &"0".repeat(precision - exact)
}

fn exponential(value: f64, precision: usize, alternate: bool) -> String {
    let exact = precision.min(ALL_DIGITS);
    let text = format!("{value:.exact$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let zeros = "0".repeat(precision - exact);
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    let point = if alternate && precision == 0 { "." } else { "" };
    format!("{mantissa}{zeros}{point}e{sign}{:02}", exponent.abs())
}

fn general(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.*e}", (precision - 1).min(ALL_DIGITS));
    let exponent: i32 = text
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    if exponent < -4 || exponent >= precision as i32 {
        let text = exponential(value, precision - 1, alternate);
        if alternate {
            return text;
        }
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    let text = fixed(value, decimals);
    if alternate {
        text
    } else {
        without_zeros(&text).to_owned()
    }
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// The digits of an integer without its sign in the base of `d x X o b`.
pub(super) fn integer_digits(value: &BigInt, kind: char) -> String {
    let magnitude = value.magnitude();
    match kind {
        'x' => magnitude.to_str_radix(16),
        'X' => magnitude.to_str_radix(16).to_uppercase(),
        'o' => magnitude.to_str_radix(8),
        'b' => magnitude.to_str_radix(2),
        _ => magnitude.to_string(),
    }
}

/// The prefix of the alternate form.
pub(super) fn prefix(kind: char) -> &'static str {
    match kind {
        'x' => "0x",
        'X' => "0X",
        'o' => "0o",
        'b' => "0b",
        _ => "",
    }
}

/// Puts a separator between groups of the whole part of `digits`.
pub(super) fn grouped(digits: &str, separator: char, every: usize) -> String {
    let end = digits
        .find(|c: char| !c.is_ascii_hexdigit())
        .unwrap_or(digits.len());
    let (whole, rest) = digits.split_at(end);
    let mut out = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % every == 0 {
            out.push(separator);
        }
        out.push(digit);
    }
    out + rest
}
