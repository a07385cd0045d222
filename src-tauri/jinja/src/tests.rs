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
                $($name => Some(|_, own, args| {
                    args.none("test")?;
                    let holds: fn(&Value) -> bool = $holds;
                    Ok(Value::Bool(holds(&own)))
                }),)*
                _ => None,
            }
        }
    };
}

plain! {
    "defined" => |own| !matches!(own, Value::Undefined(_)),
    "undefined" => |own| matches!(own, Value::Undefined(_)),
    "none" => |own| matches!(own, Value::None),
    "boolean" => |own| matches!(own, Value::Bool(_)),
    "true" => |own| matches!(own, Value::Bool(true)),
    "false" => |own| matches!(own, Value::Bool(false)),
    "integer" => |own| matches!(own, Value::Int(_) | Value::Big(_)),
    "float" => |own| matches!(own, Value::Float(_)),
    "number" => |own| Number::of(own).is_some(),
    "string" => |own| own.as_str().is_some(),
    "mapping" => |own| matches!(own, Value::Dict(_)),
    "sequence" => is_sequence,
    "iterable" => is_iterable,
    "callable" => Value::is_callable,
    "escaped" => |own| matches!(own, Value::Markup(_)),
}

/// The test of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "lower" => |interpreter, own, args| case(interpreter, &own, args, false),
        "upper" => |interpreter, own, args| case(interpreter, &own, args, true),
        "odd" => |interpreter, own, args| remainder(interpreter, &own, args, 1),
        "even" => |interpreter, own, args| remainder(interpreter, &own, args, 0),
        "divisibleby" => divisible,
        "sameas" => |_, own, args| Ok(Value::Bool(same(&own, &other(args)?))),
        "in" => |interpreter, own, args| {
            let haystack = other(args)?;
            interpreter.is_in(&haystack, &own).map(Value::Bool)
        },
        "filter" => |_, own, args| {
            args.none("filter")?;
            known(&own, filters::lookup)
        },
        "test" => |_, own, args| {
            args.none("test")?;
            known(&own, lookup)
        },
        "==" | "eq" | "equalto" => |interpreter, own, args| {
            equal(&own, &other(args)?, &mut interpreter.budget).map(Value::Bool)
        },
        "!=" | "ne" => |interpreter, own, args| {
            equal(&own, &other(args)?, &mut interpreter.budget).map(|same| Value::Bool(!same))
        },
        "<" | "lt" | "lessthan" => {
            |interpreter, own, args| order(interpreter, &own, args, Order::Less)
        }
        "<=" | "le" => |interpreter, own, args| order(interpreter, &own, args, Order::LessEqual),
        ">" | "gt" | "greaterthan" => {
            |interpreter, own, args| order(interpreter, &own, args, Order::Greater)
        }
        ">=" | "ge" => |interpreter, own, args| order(interpreter, &own, args, Order::GreaterEqual),
        _ => return plain_test(name),
    })
}

fn other(args: Args) -> Result<Value> {
    let [other] = args.bind("test", ["other"])?;
    required(other, "test", "other")
}

fn order(
    interpreter: &mut Interpreter<'_>,
    own: &Value,
    args: Args,
    order: Order,
) -> Result<Value> {
    compare(order, own, &other(args)?, &mut interpreter.budget).map(Value::Bool)
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

fn case(interpreter: &mut Interpreter<'_>, own: &Value, args: Args, upper: bool) -> Result<Value> {
    args.none("test")?;
    let text = interpreter.text_of(own)?;
    interpreter.budget.walk(text.len())?;
    Ok(Value::Bool(cased(&text, upper)))
}

fn remainder(
    interpreter: &mut Interpreter<'_>,
    own: &Value,
    args: Args,
    wanted: i64,
) -> Result<Value> {
    args.none("test")?;
    let rest = binary(Operator::Mod, own, &Value::Int(2), &mut interpreter.budget)?;
    equal(&rest, &Value::Int(wanted), &mut interpreter.budget).map(Value::Bool)
}

fn divisible(interpreter: &mut Interpreter<'_>, own: Value, args: Args) -> Result<Value> {
    let [divisor] = args.bind("divisibleby", ["num"])?;
    let divisor = required(divisor, "divisibleby", "num")?;
    let rest = binary(Operator::Mod, &own, &divisor, &mut interpreter.budget)?;
    equal(&rest, &Value::Int(0), &mut interpreter.budget).map(Value::Bool)
}

fn known(own: &Value, lookup: fn(&str) -> Option<Applicable>) -> Result<Value> {
    match own {
        Value::List(_) | Value::Dict(_) => {
            fail!(Type, "unhashable type: '{}'", own.type_name())
        }
        _ => Ok(Value::Bool(own.as_str().and_then(lookup).is_some())),
    }
}
