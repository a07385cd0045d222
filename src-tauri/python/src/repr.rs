//! `repr` of texts and floats.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt::Write as _;

use crate::text::is_printable;

/// `repr` of a float: the shortest digits that read back the same, with an exponent below 1e-4
/// and from 1e16 on.
///
/// ```
/// use promptdeck_python::repr::float;
///
/// assert_eq!(float(2.0), "2.0");
/// assert_eq!(float(1.5e-7), "1.5e-07");
/// ```
#[must_use]
pub fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = shortest(value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let digits = mantissa.replace('.', "");
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    }
    let whole = exponent.unsigned_abs() as usize + 1;
    match digits.split_at_checked(whole) {
        Some((whole, "")) => format!("{sign}{whole}.0"),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{digits}{}.0", "0".repeat(whole - digits.len())),
    }
}

/// The shortest digits that read back the same, in the form `1.5e-7`. Of two that are equally near,
/// which only 16 digits and more can be, Python takes the even one.
fn shortest(value: f64) -> String {
    let shortest = format!("{value:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e');
    let digits = digits.filter(u8::is_ascii_digit).count();
    if digits < 16 {
        return shortest;
    }
    // With a precision, halves are rounded to even.
    let rounded = format!("{value:.*e}", digits - 1);
    match rounded.parse::<f64>() {
        Ok(read) if value == read => rounded,
        _ => shortest,
    }
}

/// `repr(json.loads(number))` of a JSON number: integers keep their digits, all others are printed
/// as [`float`] prints them.
///
/// ```
/// use promptdeck_python::repr::json_number;
///
/// assert_eq!(json_number("1E5"), "100000.0");
/// assert_eq!(json_number("12345678901234567890"), "12345678901234567890");
/// ```
#[must_use]
pub fn json_number(number: &str) -> Cow<'_, str> {
    if !number.contains(['.', 'e', 'E']) {
        return Cow::Borrowed(if number == "-0" { "0" } else { number });
    }
    // JSON numbers are a subset of what Rust reads; one too large reads as infinity, as in Python.
    match number.parse() {
        Ok(value) => Cow::Owned(float(value)),
        Err(_) => Cow::Borrowed(number),
    }
}

/// `repr` of a text: in quotes, with escapes for what can't be seen.
#[must_use]
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_text(text, &mut out);
    out
}

/// Appends `repr` of a text.
pub fn push_text(text: &str, out: &mut String) {
    match try_push_text(text, out, || Ok::<(), Infallible>(())) {
        Ok(()) => {}
    }
}

/// Appends `repr` of a text, calling `escape` before every character that is written by its code,
/// which takes up to ten bytes.
///
/// # Errors
/// The error of `escape`, with `out` written up to that character.
pub fn try_push_text<E>(
    text: &str,
    out: &mut String,
    mut escape: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            _ if is_printable(character) => out.push(character),
            _ => {
                escape()?;
                let code = u32::from(character);
                // Writing to a text can't fail.
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push(quote);
    Ok(())
}
