//! Equality, order, identity and membership as Python has them.

use std::cmp::Ordering;
use std::sync::Arc;

use super::super::error::{Result, fail};
use super::super::limits::Budget;
use super::{Number, Seq, Value, ViewKind, repr};

/// The four orderings a template can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Order {
    fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }

    fn holds(self, ordering: Ordering) -> bool {
        match self {
            Self::Less => ordering.is_lt(),
            Self::LessEqual => ordering.is_le(),
            Self::Greater => ordering.is_gt(),
            Self::GreaterEqual => ordering.is_ge(),
        }
    }
}

fn numbers(left: &Number<'_>, right: &Number<'_>) -> Option<Ordering> {
    match (left, right) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
        (Number::Float(a), b) => float_with_integer(*a, b),
        (a, Number::Float(b)) => float_with_integer(*b, a).map(Ordering::reverse),
        (a, b) => a.to_big()?.partial_cmp(&b.to_big()?),
    }
}

/// Exact, as Python compares: the integer is never rounded.
fn float_with_integer(float: f64, integer: &Number<'_>) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return float.partial_cmp(&0.0);
    }
    let whole = super::number::truncated(float);
    match whole.cmp(&integer.to_big()?) {
        Ordering::Equal => float.fract().partial_cmp(&0.0),
        other => Some(other),
    }
}

/// `==`. Work is charged to `budget`.
pub(crate) fn equal(left: &Value, right: &Value, budget: &mut Budget) -> Result<bool> {
    budget.step()?;
    Ok(match (left, right) {
        (Value::Str(a) | Value::Markup(a), Value::Str(b) | Value::Markup(b)) => {
            if a.len() != b.len() {
                return Ok(false);
            }
            budget.compare(a, b)?;
            a == b
        }
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            Arc::ptr_eq(a, b) || sequences_equal(a, b, budget)?
        }
        (Value::Dict(a), Value::Dict(b)) => {
            if Arc::ptr_eq(a, b) {
                return Ok(true);
            }
            if a.len() != b.len() {
                return Ok(false);
            }
            for (key, value) in a.iter() {
                super::dict::charge_key(key, budget)?;
                let same = match b.get(key) {
                    Some(other) => equal(value, other, budget)?,
                    None => false,
                };
                if !same {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Undefined(_), Value::Undefined(_)) | (Value::None, Value::None) => true,
        (Value::Range(a), Value::Range(b)) => {
            a.len == b.len && (a.len == 0 || a.start == b.start && (a.len == 1 || a.step == b.step))
        }
        (Value::View(a), Value::View(b)) if a.kind == b.kind && a.kind != ViewKind::Values => {
            if a.dict.len() != b.dict.len() {
                return Ok(false);
            }
            for (key, value) in a.dict.iter() {
                budget.step()?;
                super::dict::charge_key(key, budget)?;
                let found = match b.dict.get(key) {
                    Some(other) => a.kind == ViewKind::Keys || equal(value, other, budget)?,
                    None => false,
                };
                if !found {
                    return Ok(false);
                }
            }
            true
        }
        _ => match (Number::of(left), Number::of(right)) {
            (Some(a), Some(b)) => numbers(&a, &b) == Some(Ordering::Equal),
            _ => same(left, right),
        },
    })
}

fn sequences_equal(a: &Seq, b: &Seq, budget: &mut Budget) -> Result<bool> {
    let (a, b) = (a.items(), b.items());
    if a.len() != b.len() {
        return Ok(false);
    }
    for (left, right) in a.iter().zip(b) {
        if !identical_or_equal(left, right, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn identical_or_equal(left: &Value, right: &Value, budget: &mut Budget) -> Result<bool> {
    // Containers treat an object as equal to itself; only NaN can tell the difference.
    Ok(equal(left, right, budget)? || same(left, right))
}

/// Equality of keys, which are hashable and shallow.
pub(crate) fn key_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Str(a) | Value::Markup(a), Value::Str(b) | Value::Markup(b)) => a == b,
        (Value::Tuple(a), Value::Tuple(b)) => {
            let (a, b) = (a.items(), b.items());
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| key_equal(a, b))
        }
        (Value::Undefined(_), Value::Undefined(_)) => true,
        _ => match (Number::of(left), Number::of(right)) {
            (Some(a), Some(b)) => numbers(&a, &b) == Some(Ordering::Equal),
            _ => same(left, right),
        },
    }
}

/// Python's `is`, for what can be distinguished here. Small integers and equal short texts are one
/// object in Python most of the time; texts are compared by pointer and content alike.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::None, Value::None) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Markup(a), Value::Markup(b)) => Arc::ptr_eq(a, b),
        (Value::Big(a), Value::Big(b)) => Arc::ptr_eq(a, b),
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => Arc::ptr_eq(a, b),
        (Value::Dict(a), Value::Dict(b)) => Arc::ptr_eq(a, b),
        (Value::Range(a), Value::Range(b)) => Arc::ptr_eq(a, b),
        (Value::View(a), Value::View(b)) => Arc::ptr_eq(a, b),
        (Value::Generator(a), Value::Generator(b)) => Arc::ptr_eq(a, b),
        (Value::Builtin(a), Value::Builtin(b)) => a == b,
        (Value::Bound(a), Value::Bound(b)) => a.name == b.name && same(&a.receiver, &b.receiver),
        (Value::Macro(a), Value::Macro(b)) => Arc::ptr_eq(a, b),
        (Value::Loop(a), Value::Loop(b)) => Arc::ptr_eq(a, b),
        (Value::Namespace(a), Value::Namespace(b)) => Arc::ptr_eq(a, b),
        (Value::Cycler(a), Value::Cycler(b)) => Arc::ptr_eq(a, b),
        (Value::Joiner(a), Value::Joiner(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// Whether `left <order> right` holds; an error where Python raises one.
pub(crate) fn compare(
    order: Order,
    left: &Value,
    right: &Value,
    budget: &mut Budget,
) -> Result<bool> {
    budget.step()?;
    match (left, right) {
        (Value::Str(a) | Value::Markup(a), Value::Str(b) | Value::Markup(b)) => {
            budget.compare(a, b)?;
            Ok(order.holds(a.cmp(b)))
        }
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            let (a, b) = (a.items(), b.items());
            for (left, right) in a.iter().zip(b) {
                if !identical_or_equal(left, right, budget)? {
                    return compare(order, left, right, budget);
                }
            }
            Ok(order.holds(a.len().cmp(&b.len())))
        }
        (Value::Undefined(undefined), _) | (_, Value::Undefined(undefined)) => {
            Err(undefined.error())
        }
        _ => match (Number::of(left), Number::of(right)) {
            (Some(a), Some(b)) => Ok(numbers(&a, &b).is_some_and(|found| order.holds(found))),
            _ => fail!(
                Type,
                "'{}' not supported between instances of '{}' and '{}'",
                order.sign(),
                left.type_name(),
                right.type_name()
            ),
        },
    }
}

/// `needle in haystack`. A generator is consumed up to the item found, as in Python, by the
/// caller: here only what has a length.
pub(crate) fn contains(haystack: &Value, needle: &Value, budget: &mut Budget) -> Result<bool> {
    match haystack {
        Value::Str(text) | Value::Markup(text) => match needle.as_str() {
            Some(part) => {
                budget.walk(text.len())?;
                Ok(text.contains(part))
            }
            None => fail!(
                Type,
                "'in <string>' requires string as left operand, not {}",
                needle.type_name()
            ),
        },
        Value::List(seq) | Value::Tuple(seq) => {
            for item in seq.items() {
                if identical_or_equal(item, needle, budget)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Dict(dict) => {
            super::dict::charge_key(needle, budget)?;
            super::dict::hash(needle)?;
            Ok(dict.get(needle).is_some())
        }
        Value::View(view) => {
            for index in 0..view.dict.len() {
                if identical_or_equal(&view.get(index), needle, budget)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Range(range) => Ok(match Number::of(needle) {
            Some(Number::Int(value)) => range.position(value).is_some(),
            Some(Number::Float(value)) if value.fract() == 0.0 => {
                range.position(value as i64).is_some()
            }
            _ => false,
        }),
        Value::Undefined(_) => Ok(false),
        other => fail!(
            Type,
            "argument of type '{}' is not iterable",
            repr::plain_type(other)
        ),
    }
}

impl super::Range {
    /// The index of a number, if the range holds it.
    pub(crate) fn position(&self, value: i64) -> Option<usize> {
        let index = value.checked_sub(self.start)?.checked_div(self.step)?;
        let index = usize::try_from(index).ok()?;
        (index < self.len && self.start + self.step * index as i64 == value).then_some(index)
    }
}
