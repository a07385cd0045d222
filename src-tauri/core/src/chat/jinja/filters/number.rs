//! Filters over numbers.

use num_bigint::BigInt;

use super::super::call::{Applicable, Args, integer, required};
use super::super::error::{Result, fail};
use super::super::lexer::is_space;
use super::super::machine::Machine;
use super::super::value::{Number, Operator, Value, binary, negate, truncated};

/// The filter of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "abs" => abs,
        "int" => int,
        "float" => float,
        "round" => round,
        "filesizeformat" => filesizeformat,
        _ => return None,
    })
}

fn abs(_: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    args.none("abs")?;
    match &own {
        Value::Undefined(undefined) => Err(undefined.error()),
        Value::Bool(flag) => Ok(Value::Int(i64::from(*flag))),
        Value::Float(value) => Ok(Value::Float(value.abs())),
        Value::Int(value) if *value < 0 => negate(&own),
        Value::Big(value) if value.sign() == num_bigint::Sign::Minus => negate(&own),
        Value::Int(_) | Value::Big(_) => Ok(own),
        other => fail!(Type, "bad operand type for abs(): '{}'", other.type_name()),
    }
}

/// What Python's `int(text, base)` reads: a sign, a prefix for the base, underscores between digits.
fn parse_integer(text: &str, base: u32) -> Option<BigInt> {
    let text = text.trim_matches(is_space);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let mut radix = base;
    let mut digits = lower.as_str();
    for (prefix, of) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = digits.strip_prefix(prefix)
            && (base == of || base == 0)
        {
            digits = rest.strip_prefix('_').unwrap_or(rest);
            radix = of;
            break;
        }
    }
    if radix == 0 {
        let zeros_only = digits.bytes().all(|byte| matches!(byte, b'0' | b'_'));
        if digits.starts_with('0') && !zeros_only {
            return None;
        }
        radix = 10;
    }
    let bad = digits.is_empty()
        || digits.starts_with('_')
        || digits.ends_with('_')
        || digits.contains("__")
        || digits.len() > 4300;
    if bad {
        return None;
    }
    // Decimal digits of other scripts count as digits too.
    let mut plain = String::with_capacity(digits.len());
    for character in digits.chars().filter(|character| *character != '_') {
        let digit = character
            .to_digit(36)
            .or_else(|| unicode_digit(character))?;
        if digit >= radix {
            return None;
        }
        plain.push(char::from_digit(digit, 36)?);
    }
    let value = BigInt::parse_bytes(plain.as_bytes(), radix)?;
    Some(if negative { -value } else { value })
}

/// The value of a decimal digit outside ASCII: its place in the run of ten it belongs to.
fn unicode_digit(character: char) -> Option<u32> {
    const ZEROS: [u32; 12] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xe50, 0xff10,
    ];
    let code = u32::from(character);
    let zero = ZEROS
        .iter()
        .find(|zero| (**zero..**zero + 10).contains(&code))?;
    Some(code - zero)
}

/// What Python's `float(text)` reads.
fn parse_float(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_space);
    let lower = text.to_ascii_lowercase();
    let unsigned = lower.trim_start_matches(['+', '-']);
    if matches!(unsigned, "nan" | "inf" | "infinity") && lower.len() - unsigned.len() <= 1 {
        return lower.parse().ok();
    }
    let digits_only = lower
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'_'));
    if !digits_only || lower.starts_with('_') || lower.ends_with('_') || lower.contains("__") {
        return None;
    }
    let around = |pattern: &str| lower.contains(pattern);
    if ["_.", "._", "_e", "e_", "_+", "+_", "_-", "-_"]
        .into_iter()
        .any(around)
    {
        return None;
    }
    lower.replace('_', "").parse().ok()
}

fn to_float(value: &Value) -> Result<Option<f64>> {
    match value {
        Value::Undefined(undefined) => Err(undefined.error()),
        Value::Str(text) | Value::Markup(text) => Ok(parse_float(text)),
        other => Number::of(other).map(|number| number.to_f64()).transpose(),
    }
}

fn int(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [default, base] = args.bind("do_int", ["default", "base"])?;
    let default = default.unwrap_or(Value::Int(0));
    let base = base.map_or(Ok(10), |value| integer(&value))?;
    match &own {
        Value::Undefined(undefined) => return Err(undefined.error()),
        Value::Str(text) | Value::Markup(text) => {
            machine.budget.walk(text.len() * 8)?;
            if base != 0 && !(2..=36).contains(&base) {
                return Ok(float_to_int(to_float(&own)?).unwrap_or(default));
            }
            if let Some(value) = parse_integer(text, base as u32) {
                return Ok(Value::integer(value));
            }
        }
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => {
            return super::super::value::positive(&own);
        }
        Value::Float(value) if value.is_infinite() => {
            return fail!(Arithmetic, "cannot convert float infinity to integer");
        }
        _ => {}
    }
    Ok(float_to_int(to_float(&own)?).unwrap_or(default))
}

fn float_to_int(value: Option<f64>) -> Option<Value> {
    let value = value.filter(|value| value.is_finite())?;
    Some(Value::integer(truncated(value)))
}

fn float(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [default] = args.bind("do_float", ["default"])?;
    let default = default.unwrap_or(Value::Float(0.0));
    machine.budget.walk(own.as_str().map_or(64, str::len) * 8)?;
    Ok(to_float(&own)?.map_or(default, Value::Float))
}

fn round(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [precision, method] = args.bind("do_round", ["precision", "method"])?;
    let precision = precision.map_or(Ok(0), |value| integer(&value))?;
    machine.budget.steps(precision.unsigned_abs().min(5000))?;
    let method = method.unwrap_or_else(|| Value::str("common"));
    match method.as_str() {
        Some("common") => round_half_even(&own, precision),
        Some(method @ ("ceil" | "floor")) => {
            let factor = binary(
                Operator::Pow,
                &Value::Int(10),
                &Value::Int(precision),
                &mut machine.budget,
            )?;
            let scaled = binary(Operator::Mul, &own, &factor, &mut machine.budget)?;
            let whole = match Number::of(&scaled) {
                Some(Number::Float(value)) if value.is_finite() => {
                    let value = if method == "ceil" {
                        value.ceil()
                    } else {
                        value.floor()
                    };
                    Value::integer(truncated(value))
                }
                Some(Number::Float(_)) => {
                    return fail!(Arithmetic, "cannot convert float to integer");
                }
                _ => scaled,
            };
            binary(Operator::Div, &whole, &factor, &mut machine.budget)
        }
        _ => fail!(Runtime, "method must be common, ceil or floor"),
    }
}

fn round_half_even(own: &Value, precision: i64) -> Result<Value> {
    match Number::of(own) {
        Some(Number::Float(value)) => {
            if !value.is_finite() || precision > 308 {
                return Ok(Value::Float(value));
            }
            if precision >= 0 {
                // Formatting rounds the exact value, halves to even, as Python's round does.
                let text = format!("{value:.*}", precision as usize);
                return Ok(Value::Float(text.parse().unwrap_or(value)));
            }
            if precision < -308 {
                return Ok(Value::Float(0f64.copysign(value)));
            }
            let whole = round_integer(&truncated(value.round_ties_even()), precision);
            Ok(Value::Float(whole.to_string().parse().unwrap_or(value)))
        }
        Some(number) => {
            let whole = number.to_big().unwrap_or_default();
            if precision >= 0 {
                return Ok(Value::integer(whole));
            }
            Ok(Value::integer(round_integer(&whole, precision)))
        }
        None => match own {
            Value::Undefined(undefined) => Err(undefined.error()),
            other => fail!(
                Type,
                "type {} doesn't define __round__ method",
                other.type_name()
            ),
        },
    }
}

/// An integer rounded to a power of ten, halves to even.
fn round_integer(value: &BigInt, precision: i64) -> BigInt {
    let zero = BigInt::from(0);
    let digits = precision.unsigned_abs().min(5000) as u32;
    let unit = BigInt::from(10).pow(digits);
    let mut quotient = value / &unit;
    let mut rest = value % &unit;
    if rest < zero {
        rest += &unit;
        quotient -= 1;
    }
    let twice = &rest * 2;
    if twice > unit || twice == unit && (&quotient % 2) != zero {
        quotient += 1;
    }
    quotient * unit
}

fn filesizeformat(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [binary] = args.bind("do_filesizeformat", ["binary"])?;
    let binary = binary.is_some_and(|flag| flag.truth());
    machine.budget.walk(own.as_str().map_or(64, str::len) * 8)?;
    let Some(bytes) = to_float(&own)? else {
        return fail!(Value, "could not convert string to float");
    };
    let base: f64 = if binary { 1024.0 } else { 1000.0 };
    let units = ["k", "M", "G", "T", "P", "E", "Z", "Y"];
    if bytes == 1.0 {
        return Ok(Value::str("1 Byte"));
    }
    if bytes < base {
        return Ok(Value::str(format!("{} Bytes", truncated(bytes))));
    }
    for (power, (index, unit)) in (2..).zip(units.iter().enumerate()) {
        let limit = base.powi(power);
        if bytes < limit || index + 1 == units.len() {
            let unit = if binary {
                format!("{}iB", unit.to_uppercase())
            } else {
                format!("{unit}B")
            };
            return Ok(Value::str(format!("{:.1} {unit}", base * bytes / limit)));
        }
    }
    required(None, "do_filesizeformat", "value")
}
