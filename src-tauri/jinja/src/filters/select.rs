//! `map`, `select`, `reject` and similar filters: generators over other filters and tests.

use std::sync::Arc;

use super::super::call::{Applicable, Args};
use super::super::error::{Result, fail};
use super::super::interpreter::Interpreter;
use super::super::iterate::{Generator, Iter, Work};
use super::super::tests;
use super::super::value::Value;

/// The filter of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "map" => map,
        "select" => |interpreter, subject, args| select(interpreter, &subject, args, true, false),
        "reject" => |interpreter, subject, args| select(interpreter, &subject, args, false, false),
        "selectattr" => {
            |interpreter, subject, args| select(interpreter, &subject, args, true, true)
        }
        "rejectattr" => {
            |interpreter, subject, args| select(interpreter, &subject, args, false, true)
        }
        _ => return None,
    })
}

/// The parts of an attribute such as `function.name` or `0.text`.
pub(super) fn parts_of(interpreter: &mut Interpreter<'_>, attribute: &Value) -> Result<Vec<Value>> {
    Ok(match attribute {
        Value::Str(text) | Value::Markup(text) => {
            interpreter.budget.walk(text.len())?;
            let count = text.matches('.').count() + 1;
            interpreter.budget.make_texts(count, text.len())?;
            text.split('.')
                .map(|part| match part.parse::<i64>() {
                    Ok(index) if part.bytes().all(|byte| byte.is_ascii_digit()) => {
                        Value::Int(index)
                    }
                    _ => Value::str(part),
                })
                .collect()
        }
        Value::None => Vec::new(),
        other => vec![other.clone()],
    })
}

/// What the items are taken from: nothing when the value is empty, whatever it is.
fn source(subject: &Value) -> Result<Iter> {
    if subject.truth() {
        Iter::of(subject)
    } else {
        Ok(Iter::Empty)
    }
}

fn map(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let mut args = args;
    let items = source(&subject)?;
    if args.positional.is_empty() && args.named.iter().any(|(name, _)| &**name == "attribute") {
        let mut take = |wanted: &str| {
            let at = args.named.iter().position(|(name, _)| &**name == wanted)?;
            Some(args.named.remove(at).1)
        };
        let attribute = take("attribute").unwrap_or(Value::None);
        let default = take("default").filter(|value| !matches!(value, Value::None));
        if let Some((name, _)) = args.named.first() {
            return fail!(Runtime, "Unexpected keyword argument '{name}'");
        }
        let work = Work::Attribute(parts_of(interpreter, &attribute)?, default);
        return Generator::make("sync_do_map", items, work);
    }
    if args.positional.is_empty() {
        return match items {
            Iter::Empty => Generator::over("sync_do_map", Vec::new()),
            _ => fail!(Runtime, "map requires a filter argument"),
        };
    }
    let name = args.positional.remove(0);
    let Some(filter) = name.as_str().and_then(super::lookup) else {
        return match items {
            Iter::Empty => Generator::over("sync_do_map", Vec::new()),
            _ => fail!(
                Runtime,
                "No filter named '{}'.",
                name.as_str().unwrap_or(name.type_name())
            ),
        };
    };
    Generator::make("sync_do_map", items, Work::Filter(filter, args))
}

fn select(
    interpreter: &mut Interpreter<'_>,
    subject: &Value,
    args: Args,
    keep: bool,
    by_attribute: bool,
) -> Result<Value> {
    let mut args = args;
    let items = source(subject)?;
    let empty = matches!(items, Iter::Empty);
    let attribute = match (by_attribute, args.positional.is_empty()) {
        (false, _) => Vec::new(),
        (true, false) => parts_of(interpreter, &args.positional.remove(0))?,
        (true, true) if empty => Vec::new(),
        (true, true) => return fail!(Runtime, "Missing parameter for attribute name"),
    };
    let test = if args.positional.is_empty() {
        None
    } else {
        let name = args.positional.remove(0);
        match name.as_str().and_then(tests::lookup) {
            Some(test) => Some((test, args)),
            None if empty => None,
            None => {
                let name: Arc<str> = name.as_str().unwrap_or(name.type_name()).into();
                return fail!(Runtime, "No test named '{name}'.");
            }
        }
    };
    let work = Work::Select {
        attribute,
        test,
        keep,
    };
    Generator::make("select_or_reject", items, work)
}
