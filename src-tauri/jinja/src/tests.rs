//! The tests a template may ask with `is`.

use super::call::{Applicable, Args, required};
use super::error::{Result, fail};
use super::filters;
use super::interpreter::Interpreter;
use super::iterate::Iter;
use super::methods::cased;
use super::value::{Number, Operator, Order, Value, binary, compare, equal, same};

/// Tests that take no argument and cannot fail, as predicates and as any other test.
macro_rules! plain {
    ($($name:literal => $holds:expr,)*) => {
        /// The predicate of the test of that name, if it is one of these.
        pub(super) fn plain(name: &str) -> Option<fn(&Value) -> bool> {
            match name {
                $($name => Some($holds),)*
                _ => None,
            }
        }

        fn plain_test(name: &str) -> Option<Applicable> {
            match name {
                $($name => Some(|_, subject, args| {
                    args.none("test")?;
                    let holds: fn(&Value) -> bool = $holds;
                    Ok(Value::Bool(holds(&subject)))
                }),)*
                _ => None,
            }
        }
    };
}

plain! {
    "defined" => |subject| !matches!(subject, Value::Undefined(_)),
    "undefined" => |subject| matches!(subject, Value::Undefined(_)),
    "none" => |subject| matches!(subject, Value::None),
    "boolean" => |subject| matches!(subject, Value::Bool(_)),
    "true" => |subject| matches!(subject, Value::Bool(true)),
    "false" => |subject| matches!(subject, Value::Bool(false)),
    "integer" => |subject| matches!(subject, Value::Int(_) | Value::Big(_)),
    "float" => |subject| matches!(subject, Value::Float(_)),
    "number" => |subject| Number::of(subject).is_some(),
    "string" => |subject| subject.as_str().is_some(),
    "mapping" => |subject| matches!(subject, Value::Dict(_)),
    "sequence" => is_sequence,
    "iterable" => is_iterable,
    "callable" => Value::is_callable,
    "escaped" => |subject| matches!(subject, Value::Markup(_)),
}

/// The test of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "lower" => |interpreter, subject, args| case(interpreter, &subject, args, false),
        "upper" => |interpreter, subject, args| case(interpreter, &subject, args, true),
        "odd" => |interpreter, subject, args| remainder(interpreter, &subject, args, 1),
        "even" => |interpreter, subject, args| remainder(interpreter, &subject, args, 0),
        "divisibleby" => divisible,
        "sameas" => |_, subject, args| Ok(Value::Bool(same(&subject, &other(args)?))),
        "in" => |interpreter, subject, args| {
            let haystack = other(args)?;
            interpreter.is_in(&haystack, &subject).map(Value::Bool)
        },
        "filter" => |_, subject, args| {
            args.none("filter")?;
            known(&subject, filters::lookup)
        },
        "test" => |_, subject, args| {
            args.none("test")?;
            known(&subject, lookup)
        },
        "==" | "eq" | "equalto" => |interpreter, subject, args| {
            equal(&subject, &other(args)?, &mut interpreter.budget).map(Value::Bool)
        },
        "!=" | "ne" => |interpreter, subject, args| {
            equal(&subject, &other(args)?, &mut interpreter.budget).map(|same| Value::Bool(!same))
        },
        "<" | "lt" | "lessthan" => {
            |interpreter, subject, args| order(interpreter, &subject, args, Order::Less)
        }
        "<=" | "le" => {
            |interpreter, subject, args| order(interpreter, &subject, args, Order::LessEqual)
        }
        ">" | "gt" | "greaterthan" => {
            |interpreter, subject, args| order(interpreter, &subject, args, Order::Greater)
        }
        ">=" | "ge" => {
            |interpreter, subject, args| order(interpreter, &subject, args, Order::GreaterEqual)
        }
        _ => return plain_test(name),
    })
}

fn other(args: Args) -> Result<Value> {
    let [other] = args.bind("test", ["other"])?;
    required(other, "test", "other")
}

fn order(
    interpreter: &mut Interpreter<'_>,
    subject: &Value,
    args: Args,
    order: Order,
) -> Result<Value> {
    compare(order, subject, &other(args)?, &mut interpreter.budget).map(Value::Bool)
}

fn is_sequence(value: &Value) -> bool {
    match value {
        // Undefined has a length, and a way of looking into it that always refuses.
        Value::Undefined(_)
        | Value::Str(_)
        | Value::Markup(_)
        | Value::List(_)
        | Value::Tuple(_)
        | Value::Dict(_)
        | Value::Range(_) => true,
        _ => false,
    }
}

fn is_iterable(value: &Value) -> bool {
    matches!(value, Value::Loop(_)) || Iter::of(value).is_ok()
}

fn case(
    interpreter: &mut Interpreter<'_>,
    subject: &Value,
    args: Args,
    upper: bool,
) -> Result<Value> {
    args.none("test")?;
    let text = interpreter.text_of(subject)?;
    interpreter.budget.walk(text.len())?;
    Ok(Value::Bool(cased(&text, upper)))
}

fn remainder(
    interpreter: &mut Interpreter<'_>,
    subject: &Value,
    args: Args,
    wanted: i64,
) -> Result<Value> {
    args.none("test")?;
    let rest = binary(
        Operator::Mod,
        subject,
        &Value::Int(2),
        &mut interpreter.budget,
    )?;
    equal(&rest, &Value::Int(wanted), &mut interpreter.budget).map(Value::Bool)
}

fn divisible(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [divisor] = args.bind("divisibleby", ["num"])?;
    let divisor = required(divisor, "divisibleby", "num")?;
    let rest = binary(Operator::Mod, &subject, &divisor, &mut interpreter.budget)?;
    equal(&rest, &Value::Int(0), &mut interpreter.budget).map(Value::Bool)
}

fn known(subject: &Value, lookup: fn(&str) -> Option<Applicable>) -> Result<Value> {
    match subject {
        Value::List(_) | Value::Dict(_) => {
            fail!(Type, "unhashable type: '{}'", subject.type_name())
        }
        _ => Ok(Value::Bool(subject.as_str().and_then(lookup).is_some())),
    }
}
