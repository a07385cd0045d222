//! `'%s and %d' % values`.

use num_bigint::{BigInt, Sign};

use super::super::error::{Result, fail};
use super::super::limits::Budget;
use super::super::value::{Number, Value, char_count, repr, text, truncated};
use super::number::{float_digits, integer_digits, prefix};
use super::width_of;

/// Escapes what is put into a text marked safe.
type Escape = fn(&str, &mut Budget) -> Result<String>;

/// One conversion of a format.
#[derive(Default)]
struct Conversion {
    left: bool,
    sign: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Formats `template` with a value, a tuple of values or a mapping.
pub(crate) fn percent(
    template: &str,
    values: &Value,
    budget: &mut Budget,
    escape: Option<Escape>,
) -> Result<String> {
    let single = std::slice::from_ref(values);
    let (all, is_tuple) = match values {
        Value::Tuple(seq) => (seq.items(), true),
        _ => (single, false),
    };
    let mut used = 0;
    let mut used_mapping = false;
    let mut out = String::new();
    let mut rest = template;
    budget.make(template.len())?;
    while let Some(at) = rest.find('%') {
        budget.steps(4)?;
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut named = None;
        if let Some(inner) = rest.strip_prefix('(') {
            let Some(end) = closing(inner) else {
                return fail!(Value, "incomplete format key");
            };
            let Value::Dict(dict) = values else {
                return fail!(Type, "format requires a mapping");
            };
            let Some(value) = dict.get_str(&inner[..end]) else {
                return fail!(Lookup, "'{}'", &inner[..end]);
            };
            named = Some(value.clone());
            used_mapping = true;
            rest = &inner[end + 1..];
        }
        let mut next = |name: Option<Value>| -> Result<Value> {
            if let Some(value) = name {
                return Ok(value);
            }
            let Some(value) = all.get(used) else {
                return fail!(Type, "not enough arguments for format string");
            };
            used += 1;
            Ok(value.clone())
        };
        let mut conversion = Conversion::default();
        rest = conversion.flags(rest);
        rest = conversion.widths(rest, &mut next)?;
        let rest_after_length = rest.trim_start_matches(['h', 'l', 'L']);
        rest = rest_after_length;
        let Some(kind) = rest.chars().next() else {
            return fail!(Value, "incomplete format");
        };
        rest = &rest[kind.len_utf8()..];
        if kind == '%' {
            out.push('%');
            continue;
        }
        let value = next(named)?;
        budget.walk(conversion.precision.unwrap_or(0))?;
        budget.make(conversion.width + conversion.precision.unwrap_or(0) + 32)?;
        let written = conversion.convert(kind, &value, budget, escape)?;
        out.push_str(&written);
    }
    out.push_str(rest);
    let leftover = if is_tuple {
        used < all.len()
    } else {
        used == 0 && !used_mapping && !matches!(values, Value::Dict(_) | Value::List(_))
    };
    if leftover {
        return fail!(Type, "not all arguments converted during string formatting");
    }
    Ok(out)
}

/// The closing parenthesis of a key, which may hold balanced ones.
fn closing(text: &str) -> Option<usize> {
    let mut open = 1;
    for (at, character) in text.char_indices() {
        match character {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

impl Conversion {
    fn flags<'a>(&mut self, rest: &'a str) -> &'a str {
        let end = rest
            .find(|c: char| !"-+ #0".contains(c))
            .unwrap_or(rest.len());
        for flag in rest[..end].chars() {
            match flag {
                '-' => self.left = true,
                '+' => self.sign = true,
                ' ' => self.space = true,
                '#' => self.alternate = true,
                _ => self.zero = true,
            }
        }
        &rest[end..]
    }

    fn widths<'a>(
        &mut self,
        rest: &'a str,
        next: &mut impl FnMut(Option<Value>) -> Result<Value>,
    ) -> Result<&'a str> {
        let mut number = |rest: &'a str| -> Result<(i64, &'a str)> {
            if let Some(rest) = rest.strip_prefix('*') {
                return match next(None)? {
                    Value::Int(value) => {
                        width_of(&value.unsigned_abs().to_string())?;
                        Ok((value, rest))
                    }
                    _ => fail!(Type, "* wants int"),
                };
            }
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let width = if end == 0 { 0 } else { width_of(&rest[..end])? };
            Ok((width as i64, &rest[end..]))
        };
        let (width, mut rest) = number(rest)?;
        self.left |= width < 0;
        self.width = width.unsigned_abs() as usize;
        if let Some(after) = rest.strip_prefix('.') {
            let (precision, after) = number(after)?;
            self.precision = Some(precision.max(0) as usize);
            rest = after;
        }
        Ok(rest)
    }

    fn convert(
        &self,
        kind: char,
        value: &Value,
        budget: &mut Budget,
        escape: Option<Escape>,
    ) -> Result<String> {
        match kind {
            's' | 'r' | 'a' => {
                let mut written = String::new();
                if kind == 's' {
                    text(value, &mut written, budget)?;
                } else {
                    repr(value, &mut written, budget)?;
                }
                if kind == 'a' {
                    written = ascii(&written, budget)?;
                }
                if let (Some(escape), false) = (escape, matches!(value, Value::Markup(_))) {
                    written = escape(&written, budget)?;
                }
                // Cut and padded, it is copied twice more.
                budget.make(written.len() * 2)?;
                if let Some(precision) = self.precision {
                    written = written.chars().take(precision).collect();
                }
                Ok(self.padded("", &written, false))
            }
            'c' => match value {
                Value::Int(code) => {
                    let code = u32::try_from(*code).ok().and_then(char::from_u32);
                    match code {
                        Some(character) => Ok(self.padded("", &character.to_string(), false)),
                        None => fail!(Arithmetic, "%c arg not in range(0x110000)"),
                    }
                }
                _ => match value.as_str() {
                    Some(one) if char_count(one) == 1 => Ok(self.padded("", one, false)),
                    _ => fail!(Type, "%c requires int or char"),
                },
            },
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
                let integer = integer_operand(kind, value)?;
                budget.steps(integer.bits() / 16)?;
                let mut digits = integer_digits(&integer, kind);
                let wanted = self.precision.unwrap_or(0);
                if digits.len() < wanted {
                    digits = "0".repeat(wanted - digits.len()) + &digits;
                }
                let sign = self.signed(integer.sign() == Sign::Minus);
                let prefix = if self.alternate { prefix(kind) } else { "" };
                Ok(self.padded(&format!("{sign}{prefix}"), &digits, true))
            }
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let float = match Number::of(value) {
                    Some(number) => number.to_f64()?,
                    None => match value {
                        Value::Undefined(undefined) => return Err(undefined.error()),
                        _ => {
                            return fail!(Type, "must be real number, not {}", value.type_name());
                        }
                    },
                };
                let digits = float_digits(float, kind, self.precision, self.alternate);
                let sign = self.signed(float.is_sign_negative() && !float.is_nan());
                Ok(self.padded(sign, &digits, float.is_finite() || self.zero))
            }
            other => fail!(
                Value,
                "unsupported format character '{other}' (0x{:x})",
                other as u32
            ),
        }
    }

    fn signed(&self, negative: bool) -> &'static str {
        match (negative, self.sign, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn padded(&self, sign: &str, body: &str, number: bool) -> String {
        let missing = self
            .width
            .saturating_sub(char_count(sign) + char_count(body));
        if self.left {
            format!("{sign}{body}{}", " ".repeat(missing))
        } else if self.zero && number {
            format!("{sign}{}{body}", "0".repeat(missing))
        } else {
            format!("{}{sign}{body}", " ".repeat(missing))
        }
    }
}

fn integer_operand(kind: char, value: &Value) -> Result<BigInt> {
    match Number::of(value) {
        Some(Number::Float(float)) if matches!(kind, 'd' | 'i' | 'u') => {
            if !float.is_finite() {
                return fail!(Value, "cannot convert float {float} to integer");
            }
            Ok(truncated(float))
        }
        Some(number) if number.to_big().is_some() => Ok(number.to_big().unwrap_or_default()),
        _ if matches!(kind, 'd' | 'i' | 'u') => fail!(
            Type,
            "%{kind} format: a real number is required, not {}",
            value.type_name()
        ),
        _ => fail!(
            Type,
            "%{kind} format: an integer is required, not {}",
            value.type_name()
        ),
    }
}

/// Escapes what is not ASCII, as `%a` and `!a` do.
pub(super) fn ascii(text: &str, budget: &mut Budget) -> Result<String> {
    budget.walk(text.len() * 4)?;
    budget.make(text.len() * 3)?;
    let mut out = String::new();
    for character in text.chars() {
        match character as u32 {
            0..=0x7f => out.push(character),
            code @ 0x80..=0xff => out.push_str(&format!("\\x{code:02x}")),
            code @ 0x100..=0xffff => out.push_str(&format!("\\u{code:04x}")),
            code => out.push_str(&format!("\\U{code:08x}")),
        }
    }
    Ok(out)
}
