//! Searching, counting, replacing and translating in texts. Positions are in characters.

use super::super::call::{Applicable, Args, integer, required};
use super::super::error::{Result, fail};
use super::super::interpreter::Interpreter;
use super::super::markup;
use super::super::value::{Value, char_count};
use super::text::{like, text_of};

/// The method of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "find" => |interpreter, receiver, args| find(interpreter, &receiver, args, false, false),
        "rfind" => |interpreter, receiver, args| find(interpreter, &receiver, args, true, false),
        "index" => |interpreter, receiver, args| find(interpreter, &receiver, args, false, true),
        "rindex" => |interpreter, receiver, args| find(interpreter, &receiver, args, true, true),
        "count" => count,
        "startswith" => |interpreter, receiver, args| affix(interpreter, &receiver, args, true),
        "endswith" => |interpreter, receiver, args| affix(interpreter, &receiver, args, false),
        "replace" => replace,
        "encode" => |_, _, _| {
            fail!(
                Unsupported,
                "texts cannot be encoded to bytes in a chat template here"
            )
        },
        "translate" => translate,
        "maketrans" => |_, _, _| fail!(Unsupported, "str.maketrans is not supported"),
        _ => return None,
    })
}

/// The part of a text between two bounds in characters, and how many characters come before it.
/// `None` when the first bound lies behind the text or the bounds cross.
fn window<'a>(
    text: &'a str,
    start: Option<&Value>,
    stop: Option<&Value>,
) -> Result<Option<(&'a str, usize)>> {
    if start.is_none() && stop.is_none() {
        return Ok(Some((text, 0)));
    }
    let len = char_count(text) as i64;
    let bound = |value: Option<&Value>, default: i64| -> Result<i64> {
        match value {
            None | Some(Value::None) => Ok(default),
            Some(value) => {
                let bound = integer(value)?;
                Ok(if bound < 0 {
                    bound.saturating_add(len).max(0)
                } else {
                    bound
                })
            }
        }
    };
    let (start, stop) = (bound(start, 0)?, bound(stop, len)?.min(len));
    if start > stop {
        return Ok(None);
    }
    let byte = |at: i64| {
        let mut indices = text.char_indices().map(|(byte, _)| byte);
        indices.nth(at as usize).unwrap_or(text.len())
    };
    Ok(Some((&text[byte(start)..byte(stop)], start as usize)))
}

fn needle(value: Option<Value>, function: &str) -> Result<Value> {
    let value = required(value, function, "sub")?;
    match &value {
        Value::Undefined(_) => fail!(Type, "must be str, not Undefined"),
        _ if value.as_str().is_some() => Ok(value),
        _ => fail!(Type, "must be str, not {}", value.type_name()),
    }
}

fn find(
    interpreter: &mut Interpreter<'_>,
    receiver: &Value,
    args: Args,
    last: bool,
    must: bool,
) -> Result<Value> {
    let [sub, start, stop] = args.bind("find", ["sub", "start", "end"])?;
    let sub = needle(sub, "find")?;
    let text = text_of(receiver);
    interpreter.budget.walk(text.len())?;
    let found = window(text, start.as_ref(), stop.as_ref())?.and_then(|(part, before)| {
        let byte = if last {
            part.rfind(text_of(&sub))
        } else {
            part.find(text_of(&sub))
        };
        byte.map(|byte| before + char_count(&part[..byte]))
    });
    match found {
        Some(at) => Ok(Value::Int(at as i64)),
        None if must => fail!(Value, "substring not found"),
        None => Ok(Value::Int(-1)),
    }
}

fn count(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [sub, start, stop] = args.bind("count", ["sub", "start", "end"])?;
    let sub = needle(sub, "count")?;
    let text = text_of(&receiver);
    interpreter.budget.walk(text.len())?;
    let count = match (window(text, start.as_ref(), stop.as_ref())?, text_of(&sub)) {
        (None, _) => 0,
        (Some((part, _)), "") => char_count(part) + 1,
        (Some((part, _)), sub) => part.matches(sub).count(),
    };
    Ok(Value::Int(count as i64))
}

fn affix(
    interpreter: &mut Interpreter<'_>,
    receiver: &Value,
    args: Args,
    prefix: bool,
) -> Result<Value> {
    let name = if prefix { "startswith" } else { "endswith" };
    let [affix, start, stop] = args.bind(name, ["prefix", "start", "end"])?;
    let affix = required(affix, name, "prefix")?;
    if start.is_some() || stop.is_some() {
        interpreter.budget.walk(text_of(receiver).len())?;
    }
    let Some((part, _)) = window(text_of(receiver), start.as_ref(), stop.as_ref())? else {
        return Ok(Value::Bool(false));
    };
    let mut check = |affix: &Value| -> Result<bool> {
        match affix.as_str() {
            Some(affix) => {
                interpreter.budget.compare(part, affix)?;
                Ok(match prefix {
                    true => part.starts_with(affix),
                    false => part.ends_with(affix),
                })
            }
            None => fail!(
                Type,
                "{name} first arg must be str or a tuple of str, not {}",
                affix.type_name()
            ),
        }
    };
    let found = match &affix {
        Value::Tuple(seq) => {
            let mut found = false;
            for one in seq.items() {
                found |= check(one)?;
            }
            found
        }
        one => check(one)?,
    };
    Ok(Value::Bool(found))
}

/// `str.replace` with Python's rules: an empty `old` matches between all characters, a negative
/// `count` means all.
pub(crate) fn replaced(text: &str, old: &str, new: &str, count: i64) -> String {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if old.is_empty() {
        let mut out = String::with_capacity(text.len() * 2);
        let mut left = count;
        for character in text.chars() {
            if left > 0 {
                out.push_str(new);
                left -= 1;
            }
            out.push(character);
        }
        if left > 0 {
            out.push_str(new);
        }
        return out;
    }
    if count == usize::MAX {
        text.replace(old, new)
    } else {
        text.replacen(old, new, count)
    }
}

/// The work and the room of replacing everywhere.
pub(crate) fn charge_replacing(
    interpreter: &mut Interpreter<'_>,
    text: &str,
    old: &str,
    new: &str,
) -> Result<()> {
    interpreter.budget.walk(text.len())?;
    let found = match old {
        "" => char_count(text) + 1,
        old => text.matches(old).count(),
    };
    interpreter.budget.steps(found as u64 / 4)?;
    interpreter
        .budget
        .make(text.len() + found.saturating_mul(new.len()))
}

fn replace(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [old, new, count] = args.bind("replace", ["old", "new", "count"])?;
    let old = needle(old, "replace")?;
    let new = needle(new, "replace")?;
    let count = count.map_or(Ok(-1), |value| integer(&value))?;
    let text = text_of(&receiver);
    let new = match (&receiver, &new) {
        (Value::Markup(_), Value::Str(plain)) => markup::escape(plain, &mut interpreter.budget)?,
        _ => text_of(&new).to_owned(),
    };
    charge_replacing(interpreter, text, text_of(&old), &new)?;
    Ok(like(&receiver, replaced(text, text_of(&old), &new, count)))
}

fn translate(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [table] = args.bind("translate", ["table"])?;
    let table = required(table, "translate", "table")?;
    let mut out = String::new();
    for character in text_of(&receiver).chars() {
        interpreter.budget.steps(2)?;
        let key = Value::Int(i64::from(u32::from(character)));
        match interpreter.item(&table, &key)? {
            Value::Undefined(_) => out.push(character),
            Value::None => {}
            Value::Int(code) => {
                let code = u32::try_from(code).ok().and_then(char::from_u32);
                out.extend(code);
            }
            other => out.push_str(&interpreter.text_of(&other)?),
        }
        interpreter.budget.make(4)?;
    }
    Ok(like(&receiver, out))
}
