//! The methods a template may call on a value, by the type of the value. What would change a value
//! is refused by the sandbox.

mod search;
mod strip;
mod text;

pub(super) use search::{charge_replacing, replaced};
pub(super) use strip::{charged_lines, charged_strip, lines};
pub(super) use text::{capitalize, cased};

use promptdeck_python::repr;

use super::call::{Applicable, Args, required};
use super::error::{Result, fail};
use super::interpreter::Interpreter;
use super::object::Builtin;
use super::value::{Number, Value, View, ViewKind, equal};

/// The method of that name, if the value has one the sandbox allows.
pub(super) fn lookup(value: &Value, name: &str) -> Option<Applicable> {
    match value {
        Value::Str(_) | Value::Markup(_) => text::lookup(name),
        Value::Dict(_) => of_mapping(name),
        Value::List(_) => Some(match name {
            "index" => index,
            "count" => count,
            "copy" => copy,
            _ => return None,
        }),
        Value::Tuple(_) | Value::Range(_) => Some(match name {
            "index" => index,
            "count" => count,
            _ => return None,
        }),
        Value::Loop(_) => Some(match name {
            "cycle" => |_, receiver, args| match receiver {
                Value::Loop(state) => Interpreter::cycle(&state, args),
                _ => Ok(Value::None),
            },
            "changed" => |interpreter, receiver, args| match receiver {
                Value::Loop(state) => interpreter.changed(&state, args),
                _ => Ok(Value::None),
            },
            _ => return None,
        }),
        Value::Cycler(_) => Some(match name {
            "next" => |_, receiver, _| match receiver {
                Value::Cycler(cycler) => Ok(cycler.next()),
                _ => Ok(Value::None),
            },
            "reset" => |_, receiver, _| {
                if let Value::Cycler(cycler) = receiver {
                    cycler.reset();
                }
                Ok(Value::None)
            },
            _ => return None,
        }),
        Value::Float(_) => match name {
            "is_integer" => Some(is_integer),
            _ => None,
        },
        Value::Int(_) | Value::Big(_) | Value::Bool(_) => match name {
            "bit_length" => Some(bit_length),
            "is_integer" => None,
            _ => None,
        },
        Value::View(_) | Value::Generator(_) => None,
        _ => None,
    }
}

/// The method of a mapping.
fn of_mapping(name: &str) -> Option<Applicable> {
    Some(match name {
        "get" => get,
        "keys" => |_, receiver, args| view(receiver, args, ViewKind::Keys),
        "values" => |_, receiver, args| view(receiver, args, ViewKind::Values),
        "items" => |_, receiver, args| view(receiver, args, ViewKind::Items),
        "copy" => copy,
        "fromkeys" => {
            |interpreter, _, args| interpreter.call(&Value::Builtin(Builtin::DictFromKeys), args)
        }
        _ => return None,
    })
}

/// Methods that exist in Python and that the sandbox keeps out of reach.
const MUTATING_DICT: [&str; 5] = ["clear", "pop", "popitem", "setdefault", "update"];
const MUTATING_LIST: [&str; 8] = [
    "append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove",
];

/// Attributes every Python object has; all of them are refused.
fn is_internal(name: &str) -> bool {
    matches!(
        name,
        "__class__"
            | "__doc__"
            | "__dir__"
            | "__eq__"
            | "__ne__"
            | "__hash__"
            | "__init__"
            | "__repr__"
            | "__str__"
            | "__new__"
            | "__format__"
            | "__getattribute__"
            | "__reduce__"
            | "__reduce_ex__"
            | "__sizeof__"
            | "__subclasshook__"
            | "__init_subclass__"
            | "__setattr__"
            | "__delattr__"
            | "__lt__"
            | "__le__"
            | "__gt__"
            | "__ge__"
            | "__getstate__"
            | "__len__"
            | "__getitem__"
            | "__iter__"
            | "__contains__"
            | "__add__"
            | "__mul__"
            | "__rmul__"
            | "__mod__"
            | "__rmod__"
            | "__call__"
            | "__globals__"
            | "__code__"
            | "__self__"
            | "__func__"
            | "__name__"
    )
}

/// Whether Python has the attribute and the sandbox refuses it.
pub(super) fn is_forbidden(value: &Value, name: &str) -> bool {
    match value {
        Value::Dict(_) if MUTATING_DICT.contains(&name) => true,
        Value::List(_) if MUTATING_LIST.contains(&name) => true,
        Value::Undefined(_) => false,
        _ => is_internal(name),
    }
}

/// Whether a mapping has a Python attribute of that name, which goes before its keys.
pub(super) fn names_attribute(name: &str) -> bool {
    of_mapping(name).is_some() || MUTATING_DICT.contains(&name) || is_internal(name)
}

/// Names and keys of up to this many bytes are found without being charged by their length.
pub(super) const LONGEST_PLAIN: usize = 31;

/// Whether a name is short and never anything but a key of a mapping.
pub(super) fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST_PLAIN && !names_attribute(name)
}

fn get(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    if !args.named.is_empty() {
        return fail!(Type, "dict.get() takes no keyword arguments");
    }
    let [key, default] = args.bind("get", ["key", "default"])?;
    let key = required(key, "get", "key")?;
    let Value::Dict(dict) = receiver else {
        return Ok(Value::None);
    };
    super::value::charge_key(&key, &mut interpreter.budget)?;
    super::value::hashable(&key)?;
    let found = dict.get(&key).cloned();
    Ok(found.unwrap_or_else(|| default.unwrap_or(Value::None)))
}

fn view(receiver: Value, args: Args, kind: ViewKind) -> Result<Value> {
    args.none("dict view")?;
    let Value::Dict(dict) = receiver else {
        return Ok(Value::None);
    };
    Ok(Value::View(std::sync::Arc::new(View { kind, dict })))
}

/// A copy with its own identity, which only `sameas` can distinguish.
fn copy(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    args.none("copy")?;
    match &receiver {
        Value::Dict(dict) => {
            interpreter.budget.make_entries(dict.len())?;
            Value::dict(dict.iter().map(|(key, value)| (key.clone(), value.clone())))
        }
        other => Value::list(interpreter.collect(other)?),
    }
}

fn index(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [wanted, start, stop] = args.bind("index", ["value", "start", "stop"])?;
    let wanted = required(wanted, "index", "value")?;
    let items = interpreter.collect(&receiver)?;
    let len = items.len() as i64;
    let clamp = |bound: Option<Value>, default: i64| -> Result<usize> {
        let bound = bound.map_or(Ok(default), |value| super::call::integer(&value))?;
        let bound = if bound < 0 {
            bound.saturating_add(len)
        } else {
            bound
        };
        Ok(bound.clamp(0, len) as usize)
    };
    let (start, stop) = (clamp(start, 0)?, clamp(stop, len)?);
    for (at, item) in items.iter().enumerate().take(stop).skip(start) {
        if equal(item, &wanted, &mut interpreter.budget)? {
            return Ok(Value::Int(at as i64));
        }
    }
    let mut printed = String::new();
    super::value::repr(&wanted, &mut printed, &mut interpreter.budget)?;
    fail!(Value, "{printed} is not in list")
}

fn count(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [wanted] = args.bind("count", ["value"])?;
    let wanted = required(wanted, "count", "value")?;
    let mut found = 0;
    for item in interpreter.collect(&receiver)? {
        found += i64::from(equal(&item, &wanted, &mut interpreter.budget)?);
    }
    Ok(Value::Int(found))
}

fn is_integer(_: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    args.none("is_integer")?;
    match receiver {
        Value::Float(value) => Ok(Value::Bool(value.is_finite() && value.fract() == 0.0)),
        other => fail!(
            Type,
            "is_integer of {}",
            repr::float(f64::from(other.truth()))
        ),
    }
}

fn bit_length(_: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    args.none("bit_length")?;
    let bits = Number::of(&receiver)
        .and_then(|number| number.to_big())
        .map_or(0, |big| big.bits());
    Ok(Value::Int(bits as i64))
}
