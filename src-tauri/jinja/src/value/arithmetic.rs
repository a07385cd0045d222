//! The operators `+ - * / // % **` and the signs, with Python's types, errors and rounding.

use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::super::error::{Result, fail};
use super::super::format::percent;
use super::super::limits::Budget;
use super::super::markup;
use super::{Number, Value, to_index};

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `//`
    FloorDiv,
    /// `%`
    Mod,
    /// `**`
    Pow,
}

impl Operator {
    fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::FloorDiv => "//",
            Self::Mod => "%",
            Self::Pow => "** or pow()",
        }
    }
}

/// Integers never grow beyond this many bits; Python prints none of more than 14,300.
const MAX_BITS: u64 = 1 << 14;

/// `left <operator> right`.
pub(crate) fn binary(
    operator: Operator,
    left: &Value,
    right: &Value,
    budget: &mut Budget,
) -> Result<Value> {
    budget.step()?;
    match (operator, left, right) {
        (Operator::Add, Value::Str(a), Value::Str(b)) => {
            budget.make(a.len() + b.len())?;
            let mut text = String::with_capacity(a.len() + b.len());
            text.push_str(a);
            text.push_str(b);
            return Ok(Value::str(text));
        }
        (Operator::Add, Value::Int(a), Value::Int(b)) => {
            if let Some(sum) = a.checked_add(*b) {
                return Ok(Value::Int(sum));
            }
        }
        (Operator::Mod, Value::Str(template), _) => {
            return Ok(Value::str(percent(template, right, budget, None)?));
        }
        (Operator::Mod, Value::Markup(template), _) => {
            let text = percent(template, right, budget, Some(markup::escape))?;
            return Ok(Value::Markup(text.into()));
        }
        (_, Value::Undefined(undefined), _) | (_, _, Value::Undefined(undefined)) => {
            return Err(undefined.error());
        }
        _ => {}
    }
    if let (Some(a), Some(b)) = (Number::of(left), Number::of(right)) {
        return numbers(operator, &a, &b, budget);
    }
    match (operator, left, right) {
        (Operator::Add, Value::Markup(_), _) | (Operator::Add, _, Value::Markup(_)) => {
            markup::add(left, right, budget)
        }
        (Operator::Add, Value::List(a), Value::List(b)) => {
            let (a, b) = (a.items(), b.items());
            budget.make_items(a.len() + b.len())?;
            Value::list(a.iter().chain(b).cloned().collect())
        }
        (Operator::Add, Value::Tuple(a), Value::Tuple(b)) => {
            let (a, b) = (a.items(), b.items());
            budget.make_items(a.len() + b.len())?;
            Value::tuple(a.iter().chain(b).cloned().collect())
        }
        (Operator::Mul, sequence, count) | (Operator::Mul, count, sequence)
            if is_sequence(sequence) && Number::of(count).is_some() =>
        {
            let Some(count) = to_index(count) else {
                return fail!(
                    Type,
                    "can't multiply sequence by non-int of type '{}'",
                    count.type_name()
                );
            };
            repeat(sequence, usize::try_from(count).unwrap_or(0), budget)
        }
        (Operator::Add, Value::Str(_), other) => fail!(
            Type,
            "can only concatenate str (not \"{}\") to str",
            other.type_name()
        ),
        (Operator::Add, Value::List(_), other) => fail!(
            Type,
            "can only concatenate list (not \"{}\") to list",
            other.type_name()
        ),
        _ => fail!(
            Type,
            "unsupported operand type(s) for {}: '{}' and '{}'",
            operator.sign(),
            left.type_name(),
            right.type_name()
        ),
    }
}

fn is_sequence(value: &Value) -> bool {
    matches!(
        value,
        Value::Str(_) | Value::Markup(_) | Value::List(_) | Value::Tuple(_)
    )
}

fn repeat(sequence: &Value, count: usize, budget: &mut Budget) -> Result<Value> {
    match sequence {
        Value::Str(text) | Value::Markup(text) => {
            budget.make(text.len().saturating_mul(count))?;
            let repeated: Arc<str> = text.repeat(count).into();
            Ok(match sequence {
                Value::Markup(_) => Value::Markup(repeated),
                _ => Value::Str(repeated),
            })
        }
        Value::List(seq) | Value::Tuple(seq) => {
            let once = seq.items();
            budget.make_items(once.len().saturating_mul(count))?;
            let mut items = Vec::with_capacity(once.len() * count);
            for _ in 0..count {
                items.extend(once.iter().cloned());
            }
            match sequence {
                Value::Tuple(_) => Value::tuple(items),
                _ => Value::list(items),
            }
        }
        other => fail!(Type, "can't repeat '{}'", other.type_name()),
    }
}

/// The work of an operation on two integers: they are multiplied and divided limb by limb.
fn work(operator: Operator, a: &BigInt, b: &BigInt) -> u64 {
    let limbs = |value: &BigInt| value.bits() / 64 + 1;
    match operator {
        Operator::Add | Operator::Sub => 4 + (limbs(a) + limbs(b)) / 16,
        Operator::Pow => 4 + (MAX_BITS / 64).pow(2) / 32,
        _ => 4 + limbs(a) * limbs(b) / 16,
    }
}

fn numbers(
    operator: Operator,
    a: &Number<'_>,
    b: &Number<'_>,
    budget: &mut Budget,
) -> Result<Value> {
    if let (Number::Int(a), Number::Int(b)) = (a, b)
        && let Some(value) = small(operator, *a, *b)
    {
        return Ok(Value::Int(value));
    }
    match (a.to_big(), b.to_big()) {
        (Some(left), Some(right)) => {
            budget.steps(work(operator, &left, &right))?;
            integers(operator, &left, &right)
        }
        // The way to a float is through decimal digits.
        (Some(large), None) | (None, Some(large)) => {
            budget.steps(4 + large.bits() / 8)?;
            floats(operator, a.to_f64()?, b.to_f64()?).map(Value::Float)
        }
        (None, None) => floats(operator, a.to_f64()?, b.to_f64()?).map(Value::Float),
    }
}

/// The quick way for integers that stay small; `None` sends the rest the long way.
fn small(operator: Operator, a: i64, b: i64) -> Option<i64> {
    match operator {
        Operator::Add => a.checked_add(b),
        Operator::Sub => a.checked_sub(b),
        Operator::Mul => a.checked_mul(b),
        Operator::FloorDiv if b > 0 => a.checked_div_euclid(b),
        Operator::Mod if b > 0 => a.checked_rem_euclid(b),
        _ => None,
    }
}

fn integers(operator: Operator, a: &BigInt, b: &BigInt) -> Result<Value> {
    let zero = b.sign() == Sign::NoSign;
    if zero && matches!(operator, Operator::FloorDiv | Operator::Mod) {
        return fail!(Arithmetic, "integer division or modulo by zero");
    }
    Ok(match operator {
        Operator::Add => size_checked(a + b)?,
        Operator::Sub => size_checked(a - b)?,
        Operator::Mul => {
            if a.bits() + b.bits() > MAX_BITS {
                return fail!(Limit, "the template computes with integers too large");
            }
            Value::integer(a * b)
        }
        Operator::Div => {
            if zero {
                return fail!(Arithmetic, "division by zero");
            }
            Value::Float(true_division(a, b)?)
        }
        Operator::FloorDiv => Value::integer(floor_division(a, b).0),
        Operator::Mod => Value::integer(floor_division(a, b).1),
        Operator::Pow => return power(a, b),
    })
}

/// The integer, unless it has too many bits.
fn size_checked(value: BigInt) -> Result<Value> {
    if value.bits() > MAX_BITS {
        return fail!(Limit, "the template computes with integers too large");
    }
    Ok(Value::integer(value))
}

/// Quotient rounded down, and the remainder with the sign of the divisor.
fn floor_division(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let (quotient, remainder) = (a / b, a % b);
    if remainder.sign() != Sign::NoSign && remainder.sign() != b.sign() {
        (quotient - 1, remainder + b)
    } else {
        (quotient, remainder)
    }
}

/// The correctly rounded quotient of two integers, as Python gives it.
fn true_division(a: &BigInt, b: &BigInt) -> Result<f64> {
    const EXACT: u64 = 53;
    if a.bits() <= EXACT && b.bits() <= EXACT {
        let float = |value: &BigInt| Number::Big(std::borrow::Cow::Borrowed(value)).to_f64();
        return Ok(float(a)? / float(b)?);
    }
    // Scale to a quotient of 66 bits and more, keep a sticky bit for what is cut off, and round
    // once, on the way to a float.
    let negative = (a.sign() == Sign::Minus) != (b.sign() == Sign::Minus);
    let (a, b) = (
        BigInt::from(a.magnitude().clone()),
        BigInt::from(b.magnitude().clone()),
    );
    let shift = 66 + b.bits() as i64 - a.bits() as i64;
    let (numerator, denominator) = if shift >= 0 {
        (a << shift as u64, b)
    } else {
        (a, b << shift.unsigned_abs())
    };
    let mut quotient = &numerator / &denominator;
    if (&numerator % &denominator).sign() != Sign::NoSign {
        quotient |= BigInt::from(1);
    }
    let scaled = Number::Big(std::borrow::Cow::Owned(quotient)).to_f64()?;
    let result = scale(scaled, -shift);
    if result.is_infinite() {
        return fail!(Arithmetic, "integer division result too large for a float");
    }
    Ok(if negative { -result } else { result })
}

fn scale(value: f64, exponent: i64) -> f64 {
    let mut value = value;
    let mut left = exponent.clamp(-4000, 4000) as i32;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= 2f64.powi(step);
        left -= step;
    }
    value
}

fn power(a: &BigInt, b: &BigInt) -> Result<Value> {
    if b.sign() == Sign::Minus {
        if a.sign() == Sign::NoSign {
            return fail!(Arithmetic, "0.0 cannot be raised to a negative power");
        }
        let float = |value: &BigInt| Number::Big(std::borrow::Cow::Borrowed(value)).to_f64();
        return Ok(Value::Float(float(a)?.powf(float(b)?)));
    }
    let exponent = u32::try_from(b).unwrap_or(u32::MAX);
    if a.bits() > 1 && a.bits().saturating_mul(u64::from(exponent)) > MAX_BITS {
        return fail!(Limit, "the template computes with integers too large");
    }
    if a.bits() <= 1 {
        // 0, 1 and -1 stay small whatever the exponent.
        let even = (b % BigInt::from(2)).sign() == Sign::NoSign;
        let value = match a.sign() {
            Sign::NoSign => i64::from(b.sign() == Sign::NoSign),
            Sign::Minus if !even => -1,
            _ => 1,
        };
        return Ok(Value::Int(value));
    }
    Ok(Value::integer(a.pow(exponent)))
}

fn floats(operator: Operator, a: f64, b: f64) -> Result<f64> {
    let zero = b == 0.0;
    match operator {
        Operator::Add => Ok(a + b),
        Operator::Sub => Ok(a - b),
        Operator::Mul => Ok(a * b),
        Operator::Div if zero => fail!(Arithmetic, "float division by zero"),
        Operator::Div => Ok(a / b),
        Operator::FloorDiv if zero => fail!(Arithmetic, "float floor division by zero"),
        Operator::Mod if zero => fail!(Arithmetic, "float modulo"),
        Operator::FloorDiv => Ok(float_divmod(a, b).0),
        Operator::Mod => Ok(float_divmod(a, b).1),
        Operator::Pow if a == 0.0 && b < 0.0 => {
            fail!(Arithmetic, "0.0 cannot be raised to a negative power")
        }
        Operator::Pow if a < 0.0 && b.is_finite() && b.fract() != 0.0 => fail!(
            Unsupported,
            "a negative number to a fractional power is a complex number, which is not supported"
        ),
        Operator::Pow => {
            let result = a.powf(b);
            if result.is_infinite() && a.is_finite() && b.is_finite() {
                return fail!(Arithmetic, "(34, 'Numerical result out of range')");
            }
            Ok(result)
        }
    }
}

fn float_divmod(a: f64, b: f64) -> (f64, f64) {
    let mut remainder = a % b;
    let mut quotient = (a - remainder) / b;
    if remainder == 0.0 {
        remainder = 0f64.copysign(b);
    } else if (b < 0.0) != (remainder < 0.0) {
        remainder += b;
        quotient -= 1.0;
    }
    let quotient = if quotient == 0.0 {
        0f64.copysign(a / b)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        }
    };
    (quotient, remainder)
}

/// `-value`.
pub(crate) fn negate(value: &Value) -> Result<Value> {
    match value {
        Value::Undefined(undefined) => Err(undefined.error()),
        _ => match Number::of(value) {
            Some(Number::Float(float)) => Ok(Value::Float(-float)),
            Some(Number::Int(small)) if small != i64::MIN => Ok(Value::Int(-small)),
            Some(integer) => Ok(Value::integer(-integer.to_big().unwrap_or_default())),
            None => fail!(
                Type,
                "bad operand type for unary -: '{}'",
                value.type_name()
            ),
        },
    }
}

/// `+value`.
pub(crate) fn positive(value: &Value) -> Result<Value> {
    match value {
        Value::Undefined(undefined) => Err(undefined.error()),
        Value::Bool(flag) => Ok(Value::Int(i64::from(*flag))),
        _ if Number::of(value).is_some() => Ok(value.clone()),
        _ => fail!(
            Type,
            "bad operand type for unary +: '{}'",
            value.type_name()
        ),
    }
}
