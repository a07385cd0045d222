//! Filters over numbers.

use num_bigint::{BigInt, Sign};
use promptdeck_python::number;

use super::super::call::{Applicable, Args, integer, required};
use super::super::error::{Result, fail};
use super::super::interpreter::Interpreter;
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

fn abs(_: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("abs")?;
    match &subject {
        Value::Undefined(undefined) => Err(undefined.error()),
        Value::Bool(flag) => Ok(Value::Int(i64::from(*flag))),
        Value::Float(value) => Ok(Value::Float(value.abs())),
        Value::Int(value) if *value < 0 => negate(&subject),
        Value::Big(value) if value.sign() == Sign::Minus => negate(&subject),
        Value::Int(_) | Value::Big(_) => Ok(subject),
        other => fail!(Type, "bad operand type for abs(): '{}'", other.type_name()),
    }
}

/// What Python's `int(text, base)` reads.
fn parse_integer(text: &str, base: u32) -> Option<BigInt> {
    let mut digits = Vec::new();
    let mut radix = base;
    let negative = number::int(text, base, |of, digit| {
        radix = of;
        digits.push(digit as u8);
    })?;
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_radix_be(sign, &digits, radix)
}

fn to_float(value: &Value) -> Result<Option<f64>> {
    match value {
        Value::Undefined(undefined) => Err(undefined.error()),
        Value::Str(text) | Value::Markup(text) => Ok(number::float(text)),
        other => Number::of(other).map(|number| number.to_f64()).transpose(),
    }
}

fn int(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [default, base] = args.bind("do_int", ["default", "base"])?;
    let default = default.unwrap_or(Value::Int(0));
    let base = base.map_or(Ok(10), |value| integer(&value))?;
    match &subject {
        Value::Undefined(undefined) => return Err(undefined.error()),
        Value::Str(text) | Value::Markup(text) => {
            interpreter.budget.walk(text.len() * 8)?;
            if base != 0 && !(2..=36).contains(&base) {
                return Ok(float_to_int(to_float(&subject)?).unwrap_or(default));
            }
            if let Some(value) = parse_integer(text, base as u32) {
                return Ok(Value::integer(value));
            }
        }
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => {
            return super::super::value::positive(&subject);
        }
        Value::Float(value) if value.is_infinite() => {
            return fail!(Arithmetic, "cannot convert float infinity to integer");
        }
        _ => {}
    }
    Ok(float_to_int(to_float(&subject)?).unwrap_or(default))
}

fn float_to_int(value: Option<f64>) -> Option<Value> {
    let value = value.filter(|value| value.is_finite())?;
    Some(Value::integer(truncated(value)))
}

fn float(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [default] = args.bind("do_float", ["default"])?;
    let default = default.unwrap_or(Value::Float(0.0));
    interpreter
        .budget
        .walk(subject.as_str().map_or(64, str::len) * 8)?;
    Ok(to_float(&subject)?.map_or(default, Value::Float))
}

fn round(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [precision, method] = args.bind("do_round", ["precision", "method"])?;
    let precision = precision.map_or(Ok(0), |value| integer(&value))?;
    interpreter
        .budget
        .steps(precision.unsigned_abs().min(5000))?;
    let method = method.unwrap_or_else(|| Value::str("common"));
    match method.as_str() {
        Some("common") => round_half_even(&subject, precision),
        Some(method @ ("ceil" | "floor")) => {
            let factor = binary(
                Operator::Pow,
                &Value::Int(10),
                &Value::Int(precision),
                &mut interpreter.budget,
            )?;
            let scaled = binary(Operator::Mul, &subject, &factor, &mut interpreter.budget)?;
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
            binary(Operator::Div, &whole, &factor, &mut interpreter.budget)
        }
        _ => fail!(Runtime, "method must be common, ceil or floor"),
    }
}

fn round_half_even(subject: &Value, precision: i64) -> Result<Value> {
    match Number::of(subject) {
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
        None => match subject {
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

fn filesizeformat(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [binary] = args.bind("do_filesizeformat", ["binary"])?;
    let binary = binary.is_some_and(|flag| flag.truth());
    interpreter
        .budget
        .walk(subject.as_str().map_or(64, str::len) * 8)?;
    let Some(bytes) = to_float(&subject)? else {
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
