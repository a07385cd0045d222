//! `int` and `float` of a text.

use std::borrow::Cow;

use crate::unicode::DECIMAL;

/// White space of C, which is all that surrounds a number after [`ascii`]: not U+001C to U+001F, which
/// `str.strip` removes.
const SPACES: [char; 6] = [' ', '\t', '\n', '\u{b}', '\u{c}', '\r'];

/// The most digits `int` reads.
const MAX_DIGITS: usize = 4300;

/// Reads a text as `int(text, base)` does: white space around, a sign, a prefix for the base, single
/// underscores between digits, digits of any script. Calls `digit` with the radix and each digit,
/// the first one first; returns whether there is a minus sign, or `None` where Python raises.
///
/// `base` is 0 (as in a Python source, by the prefix) or 2 to 36.
///
/// ```
/// let mut value = 0;
/// let negative = promptdeck_python::number::int("-0x_ff", 16, |radix, digit| {
///     value = value * radix + digit;
/// });
/// assert_eq!((negative, value), (Some(true), 255));
/// ```
#[inline]
pub fn int(text: &str, base: u32, mut digit: impl FnMut(u32, u32)) -> Option<bool> {
    let text = ascii(text);
    let text = text.trim_matches(SPACES).as_bytes();
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        text => (false, text),
    };
    let (prefixed, mut digits) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', b'o' | b'O', rest @ ..] => (8, rest),
        [b'0', b'b' | b'B', rest @ ..] => (2, rest),
        text => (0, text),
    };
    let radix = match base {
        _ if prefixed != 0 && (base == prefixed || base == 0) => {
            if let [b'_', rest @ ..] = digits {
                digits = rest;
            }
            prefixed
        }
        base => {
            digits = text;
            // Without a prefix, a leading zero would be an octal number of Python 2.
            let zeros = digits.iter().all(|byte| matches!(byte, b'0' | b'_'));
            if base == 0 && digits.starts_with(b"0") && !zeros {
                return None;
            }
            if base == 0 { 10 } else { base }
        }
    };
    let (mut after_digit, mut count) = (false, 0);
    for byte in digits {
        if *byte == b'_' && after_digit {
            after_digit = false;
            continue;
        }
        count += 1;
        if count > MAX_DIGITS {
            return None;
        }
        digit(radix, char::from(*byte).to_digit(radix)?);
        after_digit = true;
    }
    after_digit.then_some(negative)
}

/// `int(text)` clamped to 64 bits.
#[must_use]
pub fn saturating_int(text: &str) -> Option<i64> {
    let mut value = 0_i64;
    let negative = int(text, 10, |_, digit| {
        value = value.saturating_mul(10).saturating_add(i64::from(digit));
    })?;
    Some(if negative { -value } else { value })
}

/// `float(text)`.
///
/// ```
/// use promptdeck_python::number::float;
///
/// assert_eq!(float(" 1_0.5 "), Some(10.5));
/// assert_eq!(float("1_.5"), None);
/// ```
#[must_use]
pub fn float(text: &str) -> Option<f64> {
    let text = ascii(text);
    let lower = text.trim_matches(SPACES).to_ascii_lowercase();
    let unsigned = lower.trim_start_matches(['+', '-']);
    if matches!(unsigned, "nan" | "inf" | "infinity") && lower.len() - unsigned.len() <= 1 {
        return lower.parse().ok();
    }
    let digits_only = lower
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'_'));
    if !digits_only {
        return None;
    }
    if !lower.contains('_') {
        return lower.parse().ok();
    }
    let bytes = lower.as_bytes();
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let mut underscores = lower.match_indices('_');
    if !underscores.all(|(at, _)| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1))) {
        return None;
    }
    lower.replace('_', "").parse().ok()
}

/// The text with decimal digits of all scripts in ASCII and other white space as spaces, which is
/// what both conversions begin with. What has no place in a number becomes a question mark.
fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let in_ascii = |character: char| {
        if character.is_ascii() {
            return character;
        }
        if character.is_whitespace() {
            return ' ';
        }
        // Runs of ten digits begin with their zero; neighbouring runs are one range.
        let place = DECIMAL
            .range_of(character)
            .map(|(zero, _)| (u32::from(character) - u32::from(zero)) % 10);
        place
            .and_then(|value| char::from_digit(value, 10))
            .unwrap_or('?')
    };
    Cow::Owned(text.chars().map(in_ascii).collect())
}
