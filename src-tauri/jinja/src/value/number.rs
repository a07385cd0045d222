//! Python's numbers: integers of any size (within the limits), floats, and the ways between them.

use std::borrow::Cow;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::super::error::{Result, fail};
use super::Value;

/// A value seen as a number; `True` and `False` are 1 and 0.
#[derive(Clone)]
pub enum Number<'a> {
    /// Fits 64 bits.
    Int(i64),
    /// Does not.
    Big(Cow<'a, BigInt>),
    /// A float.
    Float(f64),
}

impl<'a> Number<'a> {
    /// The number a value is, if it is one.
    pub fn of(value: &'a Value) -> Option<Self> {
        match value {
            Value::Bool(value) => Some(Self::Int(i64::from(*value))),
            Value::Int(value) => Some(Self::Int(*value)),
            Value::Big(value) => Some(Self::Big(Cow::Borrowed(value))),
            Value::Float(value) => Some(Self::Float(*value)),
            _ => None,
        }
    }

    /// The integer a float is exactly, if it is one.
    pub fn exact(value: f64) -> Option<BigInt> {
        if value.is_finite() && value.fract() == 0.0 {
            Some(truncated(value))
        } else {
            None
        }
    }

    /// The nearest float; errors beyond the range of floats.
    pub fn to_f64(&self) -> Result<f64> {
        match self {
            Self::Int(value) => Ok(*value as f64),
            Self::Float(value) => Ok(*value),
            Self::Big(value) => match big_to_f64(value) {
                float if float.is_finite() => Ok(float),
                _ => fail!(Arithmetic, "int too large to convert to float"),
            },
        }
    }

    /// As an integer of any size; `None` for a float.
    pub fn to_big(&self) -> Option<BigInt> {
        match self {
            Self::Int(value) => Some(BigInt::from(*value)),
            Self::Big(value) => Some(value.clone().into_owned()),
            Self::Float(_) => None,
        }
    }
}

/// The nearest float of a large integer, through its decimal digits: correctly rounded.
fn big_to_f64(value: &BigInt) -> f64 {
    value.to_string().parse().unwrap_or(f64::INFINITY)
}

/// A finite float without its fraction.
pub(crate) fn truncated(value: f64) -> BigInt {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    let magnitude = if exponent >= 0 {
        BigInt::from(mantissa) << exponent as u64
    } else if exponent > -64 {
        BigInt::from(mantissa >> -exponent)
    } else {
        BigInt::from(0)
    };
    if value < 0.0 { -magnitude } else { magnitude }
}

impl Value {
    /// An integer in its smallest form.
    pub(crate) fn integer(value: BigInt) -> Self {
        match i64::try_from(&value) {
            Ok(small) => Self::Int(small),
            Err(_) => Self::Big(Arc::new(value)),
        }
    }
}

/// The decimal digits of an integer. Python refuses more than 4300 of them; so does this.
pub(crate) fn integer_text(value: &BigInt) -> Result<String> {
    if value.bits() > 14_300 {
        return fail!(
            Value,
            "Exceeds the limit (4300 digits) for integer string conversion"
        );
    }
    Ok(value.to_string())
}

/// An integer argument as a position, clamped to 64 bits; `None` when the value is no integer.
pub(crate) fn to_index(value: &Value) -> Option<i64> {
    match Number::of(value)? {
        Number::Int(value) => Some(value),
        Number::Big(value) if value.sign() == Sign::Minus => Some(i64::MIN),
        Number::Big(_) => Some(i64::MAX),
        Number::Float(_) => None,
    }
}
