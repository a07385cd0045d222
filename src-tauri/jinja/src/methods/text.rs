//! The methods of a text: case, tests, joining and formatting. Searching and stripping are in
//! files of their own.

use std::sync::Arc;

use promptdeck_python::text::{is_decimal, is_identifier, is_printable, is_space};

use super::super::call::{Applicable, Args, integer, required};
use super::super::error::{Result, fail};
use super::super::format::formatted;
use super::super::interpreter::Interpreter;
use super::super::markup;
use super::super::value::{Value, char_count};
use super::{search, strip};

/// The method of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "upper" => {
            |interpreter, receiver, args| map(interpreter, receiver, args, str::to_uppercase)
        }
        "lower" => {
            |interpreter, receiver, args| map(interpreter, receiver, args, str::to_lowercase)
        }
        "casefold" => |interpreter, receiver, args| map(interpreter, receiver, args, casefold),
        "title" => |interpreter, receiver, args| map(interpreter, receiver, args, title),
        "capitalize" => |interpreter, receiver, args| map(interpreter, receiver, args, capitalize),
        "swapcase" => |interpreter, receiver, args| map(interpreter, receiver, args, swapcase),
        "isalpha" => {
            |interpreter, receiver, args| test(interpreter, &receiver, args, char::is_alphabetic)
        }
        "isalnum" => {
            |interpreter, receiver, args| test(interpreter, &receiver, args, char::is_alphanumeric)
        }
        "isdigit" => |interpreter, receiver, args| test(interpreter, &receiver, args, is_digit),
        "isdecimal" => |interpreter, receiver, args| test(interpreter, &receiver, args, is_decimal),
        "isnumeric" => {
            |interpreter, receiver, args| test(interpreter, &receiver, args, char::is_numeric)
        }
        "isspace" => |interpreter, receiver, args| test(interpreter, &receiver, args, is_space),
        "isupper" => {
            |interpreter, receiver, args| predicate(interpreter, &receiver, args, is_upper)
        }
        "islower" => {
            |interpreter, receiver, args| predicate(interpreter, &receiver, args, is_lower)
        }
        "istitle" => {
            |interpreter, receiver, args| predicate(interpreter, &receiver, args, is_title)
        }
        "isascii" => {
            |interpreter, receiver, args| predicate(interpreter, &receiver, args, str::is_ascii)
        }
        "isidentifier" => {
            |interpreter, receiver, args| predicate(interpreter, &receiver, args, is_identifier)
        }
        "isprintable" => {
            |interpreter, receiver, args| predicate(interpreter, &receiver, args, is_all_printable)
        }
        "join" => join,
        "format" => format,
        "format_map" => format_map,
        "center" => |interpreter, receiver, args| pad(interpreter, receiver, args, Side::Both),
        "ljust" => |interpreter, receiver, args| pad(interpreter, receiver, args, Side::Right),
        "rjust" => |interpreter, receiver, args| pad(interpreter, receiver, args, Side::Left),
        "zfill" => zfill,
        "expandtabs" => expandtabs,
        "striptags" => |interpreter, receiver, args| {
            marked_only(interpreter, receiver, args, markup::striptags)
        },
        "unescape" => {
            |interpreter, receiver, args| marked_only(interpreter, receiver, args, markup::unescape)
        }
        _ => return strip::lookup(name).or_else(|| search::lookup(name)),
    })
}

/// A text like the one a method was called on: marked when that was.
pub(super) fn like(receiver: &Value, text: impl Into<Arc<str>>) -> Value {
    match receiver {
        Value::Markup(_) => Value::Markup(text.into()),
        _ => Value::Str(text.into()),
    }
}

/// The text of a receiver.
pub(super) fn text_of(receiver: &Value) -> &str {
    receiver.as_str().unwrap_or_default()
}

fn map(
    interpreter: &mut Interpreter<'_>,
    receiver: Value,
    args: Args,
    change: impl Fn(&str) -> String,
) -> Result<Value> {
    args.none("str method")?;
    let text = text_of(&receiver);
    interpreter.budget.walk(text.len())?;
    // The longest there is: a character of two bytes becomes three of two.
    interpreter.budget.make(text.len() * 3)?;
    Ok(like(&receiver, change(text)))
}

fn predicate(
    interpreter: &mut Interpreter<'_>,
    receiver: &Value,
    args: Args,
    holds: impl Fn(&str) -> bool,
) -> Result<Value> {
    args.none("str method")?;
    let text = text_of(receiver);
    interpreter.budget.walk(text.len())?;
    Ok(Value::Bool(holds(text)))
}

fn test(
    interpreter: &mut Interpreter<'_>,
    receiver: &Value,
    args: Args,
    holds: fn(char) -> bool,
) -> Result<Value> {
    // The classes of characters outside ASCII are looked up one by one.
    if let Some(text) = receiver.as_str().filter(|text| !text.is_ascii()) {
        interpreter.budget.walk(text.len() * 8)?;
    }
    predicate(interpreter, receiver, args, |text| {
        !text.is_empty() && text.chars().all(holds)
    })
}

fn marked_only(
    interpreter: &mut Interpreter<'_>,
    receiver: Value,
    args: Args,
    change: fn(&str) -> String,
) -> Result<Value> {
    args.none("Markup method")?;
    match &receiver {
        Value::Markup(text) => {
            interpreter.budget.walk(text.len() * 4)?;
            interpreter.budget.make(text.len() * 2)?;
            Ok(Value::str(change(text)))
        }
        _ => fail!(Undefined, "'str object' has no attribute of that name"),
    }
}

fn is_digit(character: char) -> bool {
    is_decimal(character)
        || matches!(character, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉' | '①'..='⑨')
}

fn is_all_printable(text: &str) -> bool {
    text.chars().all(is_printable)
}

fn is_upper(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}

fn is_lower(text: &str) -> bool {
    text.chars().any(char::is_lowercase) && !text.chars().any(char::is_uppercase)
}

fn is_title(text: &str) -> bool {
    let (mut cased, mut any) = (false, false);
    for character in text.chars() {
        if character.is_uppercase() {
            if cased {
                return false;
            }
            (cased, any) = (true, true);
        } else if character.is_lowercase() {
            if !cased {
                return false;
            }
            any = true;
        } else {
            cased = false;
        }
    }
    any
}

fn casefold(text: &str) -> String {
    text.to_lowercase().replace('ß', "ss").replace('ς', "σ")
}

/// `str.capitalize`: the first character in title case, the rest in lower case.
pub(crate) fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => titled(first) + &characters.as_str().to_lowercase(),
        None => String::new(),
    }
}

/// A character in title case, which differs from upper case for digraphs and ligatures.
fn titled(character: char) -> String {
    match character {
        'Ǆ'..='ǆ' => return "ǅ".into(),
        'Ǉ'..='ǉ' => return "ǈ".into(),
        'Ǌ'..='ǌ' => return "ǋ".into(),
        'Ǳ'..='ǳ' => return "ǲ".into(),
        _ => {}
    }
    let upper: Vec<char> = character.to_uppercase().collect();
    match upper.as_slice() {
        [first, rest @ ..] if !rest.is_empty() => {
            let rest: String = rest.iter().flat_map(|one| one.to_lowercase()).collect();
            format!("{first}{rest}")
        }
        _ => upper.into_iter().collect(),
    }
}

fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut cased = false;
    for character in text.chars() {
        if cased {
            out.extend(character.to_lowercase());
        } else {
            out.push_str(&titled(character));
        }
        cased = character.is_uppercase() || character.is_lowercase();
    }
    out
}

fn swapcase(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_uppercase() {
            out.extend(character.to_lowercase());
        } else {
            out.extend(character.to_uppercase());
        }
    }
    out
}

fn join(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [items] = args.bind("join", ["iterable"])?;
    let items = interpreter.collect(&required(items, "join", "iterable")?)?;
    let separator = text_of(&receiver);
    let escapes = matches!(receiver, Value::Markup(_));
    let mut out = String::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        let Some(text) = item.as_str() else {
            return fail!(
                Type,
                "sequence item {index}: expected str instance, {} found",
                item.type_name()
            );
        };
        interpreter.budget.make(text.len() + separator.len())?;
        match (escapes, item) {
            (true, Value::Str(text)) => {
                out.push_str(&markup::escape(text, &mut interpreter.budget)?);
            }
            _ => out.push_str(text),
        }
    }
    Ok(like(&receiver, out))
}

fn format(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let text = formatted(
        interpreter,
        text_of(&receiver),
        &args,
        matches!(receiver, Value::Markup(_)),
    )?;
    Ok(like(&receiver, text))
}

fn format_map(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [mapping] = args.bind("format_map", ["mapping"])?;
    let mut args = Args::default();
    if let Value::Dict(dict) = required(mapping, "format_map", "mapping")? {
        interpreter.budget.make_items(dict.len())?;
        for (key, value) in dict.iter() {
            if let Value::Str(key) = key {
                args.named.push((Arc::clone(key), value.clone()));
            }
        }
    }
    format(interpreter, receiver, args)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    Both,
}

fn pad(
    interpreter: &mut Interpreter<'_>,
    receiver: Value,
    args: Args,
    side: Side,
) -> Result<Value> {
    let [width, fill] = args.bind("pad", ["width", "fillchar"])?;
    let width = integer(&required(width, "pad", "width")?)?;
    let fill = match fill.as_ref() {
        None => ' ',
        Some(value) => match value
            .as_str()
            .map(|text| (text.chars().next(), char_count(text)))
        {
            Some((Some(character), 1)) => character,
            _ => {
                return fail!(
                    Type,
                    "The fill character must be exactly one character long"
                );
            }
        },
    };
    let text = text_of(&receiver);
    let (width, have) = (usize::try_from(width).unwrap_or(0), char_count(text));
    let missing = width.saturating_sub(have);
    interpreter
        .budget
        .make(text.len() + missing.saturating_mul(4))?;
    interpreter
        .budget
        .walk(text.len().saturating_add(missing))?;
    let left = match side {
        Side::Left => missing,
        Side::Right => 0,
        // Python puts the odd one out on the left when the width is odd.
        Side::Both => missing / 2 + (missing & width & 1),
    };
    let fills = |count: usize| std::iter::repeat_n(fill, count);
    let padded: String = fills(left)
        .chain(text.chars())
        .chain(fills(missing - left))
        .collect();
    Ok(like(&receiver, padded))
}

fn zfill(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [width] = args.bind("zfill", ["width"])?;
    let width = usize::try_from(integer(&required(width, "zfill", "width")?)?).unwrap_or(0);
    let text = text_of(&receiver);
    let missing = width.saturating_sub(char_count(text));
    interpreter.budget.make(text.len() + missing)?;
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => text.split_at(text.len() - digits.len()),
        None => ("", text),
    };
    Ok(like(
        &receiver,
        format!("{sign}{}{digits}", "0".repeat(missing)),
    ))
}

fn expandtabs(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [size] = args.bind("expandtabs", ["tabsize"])?;
    let size = size.map_or(Ok(8), |value| integer(&value))?;
    let size = usize::try_from(size).unwrap_or(0);
    let text = text_of(&receiver);
    interpreter
        .budget
        .make(text.len().saturating_mul(size.max(1)))?;
    interpreter.budget.walk(text.len())?;
    let (mut out, mut column) = (String::new(), 0);
    for character in text.chars() {
        match character {
            '\t' if size > 0 => {
                let spaces = size - column % size;
                out.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
            }
            '\t' => {}
            '\n' | '\r' => {
                out.push(character);
                column = 0;
            }
            _ => {
                out.push(character);
                column += 1;
            }
        }
    }
    Ok(like(&receiver, out))
}

/// `str.islower` and `str.isupper`, for the tests of the same names.
pub(crate) fn cased(text: &str, upper: bool) -> bool {
    if upper {
        is_upper(text)
    } else {
        is_lower(text)
    }
}
