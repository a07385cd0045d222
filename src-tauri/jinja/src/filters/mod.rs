//! The filters a template may use, by name.

mod number;
mod select;
mod sequence;
mod text;

use super::call::{Applicable, Args, required};
use super::error::{Result, fail};
use super::format::percent;
use super::interpreter::Interpreter;
use super::markup;
use super::tojson::tojson;
use super::value::Value;

/// The filter of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "tojson" => tojson,
        "default" | "d" => default,
        "length" | "count" => length,
        "string" => string,
        "safe" => safe,
        "escape" | "e" => escape,
        "forceescape" => forceescape,
        "format" => format,
        "attr" => attr,
        "pprint" => pprint,
        "random" => |_, _, _| fail!(Unsupported, "{RANDOM}"),
        "urlize" => |_, _, _| fail!(Unsupported, "{URLIZE}"),
        _ => {
            return text::lookup(name)
                .or_else(|| sequence::lookup(name))
                .or_else(|| select::lookup(name))
                .or_else(|| number::lookup(name));
        }
    })
}

fn default(_: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [value, boolean] = args.bind("do_default", ["default_value", "boolean"])?;
    let boolean = boolean.is_some_and(|flag| flag.truth());
    if matches!(subject, Value::Undefined(_)) || boolean && !subject.truth() {
        return Ok(value.unwrap_or_else(|| Value::str("")));
    }
    Ok(subject)
}

fn length(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("len")?;
    let length = match &subject {
        Value::Loop(state) => {
            return Ok(interpreter
                .loop_property(state, "length")?
                .unwrap_or(Value::Int(0)));
        }
        other => {
            if let Some(text) = other.as_str() {
                interpreter.budget.charge(text.len())?;
            }
            other.len()?
        }
    };
    Ok(Value::Int(length as i64))
}

fn string(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("soft_str")?;
    match subject {
        Value::Str(_) | Value::Markup(_) => Ok(subject),
        other => interpreter.text_of(&other).map(Value::Str),
    }
}

fn safe(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_mark_safe")?;
    interpreter.text_of(&subject).map(Value::Markup)
}

fn escaped(interpreter: &mut Interpreter<'_>, subject: &Value) -> Result<Value> {
    let text = interpreter.text_of(subject)?;
    Ok(Value::Markup(
        markup::escape(&text, &mut interpreter.budget)?.into(),
    ))
}

fn escape(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("escape")?;
    match subject {
        Value::Markup(_) => Ok(subject),
        other => escaped(interpreter, &other),
    }
}

fn forceescape(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_forceescape")?;
    escaped(interpreter, &subject)
}

fn format(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    if !args.positional.is_empty() && !args.named.is_empty() {
        return fail!(
            Runtime,
            "can't handle positional and keyword arguments at the same time"
        );
    }
    let values = if args.named.is_empty() {
        Value::tuple(args.positional)?
    } else {
        interpreter.budget.make_entries(args.named.len())?;
        Value::dict(
            args.named
                .into_iter()
                .map(|(name, value)| (Value::Str(name), value)),
        )?
    };
    let template = interpreter.text_of(&subject)?;
    Ok(match subject {
        Value::Markup(_) => {
            let text = percent(
                &template,
                &values,
                &mut interpreter.budget,
                Some(markup::escape),
            )?;
            Value::Markup(text.into())
        }
        _ => Value::str(percent(&template, &values, &mut interpreter.budget, None)?),
    })
}

fn attr(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [name] = args.bind("do_attr", ["name"])?;
    match required(name, "do_attr", "name")? {
        Value::Str(name) | Value::Markup(name) => interpreter.only_attribute(&subject, &name),
        other => fail!(
            Type,
            "attribute name must be string, not '{}'",
            other.type_name()
        ),
    }
}

/// Python's `pformat` where it fits one line of 80; longer ones are not laid out here.
fn pprint(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_pprint")?;
    let subject = match subject {
        Value::Dict(dict) => sequence::sorted_by_key(interpreter, &dict)?,
        other => other,
    };
    let mut out = String::new();
    super::value::repr(&subject, &mut out, &mut interpreter.budget)?;
    if super::value::char_count(&out) > 80 {
        return fail!(Unsupported, "pprint of more than one line is not supported");
    }
    Ok(Value::str(out))
}

const RANDOM: &str = "random gives another prompt every time; choose in the registry instead";
const URLIZE: &str = "urlize makes HTML and is not supported";

/// Why a filter of Jinja is refused; none for the others.
pub(super) fn refused(name: &str) -> Option<&'static str> {
    match name {
        "random" => Some(RANDOM),
        "urlize" => Some(URLIZE),
        _ => None,
    }
}
