//! Filters over texts.

use promptdeck_python::{repr, text::is_space};

use super::super::call::{Applicable, Args, integer, required};
use super::super::error::{Result, fail};
use super::super::interpreter::Interpreter;
use super::super::markup;
use super::super::methods::{
    self, capitalize, charge_replacing, charged_lines, charged_strip, lines, replaced,
};
use super::super::textwrap::wrapped;
use super::super::value::{Value, char_count};

/// The filter of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "upper" => |interpreter, subject, args| through(interpreter, subject, args, "upper"),
        "lower" => |interpreter, subject, args| through(interpreter, subject, args, "lower"),
        "capitalize" => |interpreter, subject, args| change(interpreter, subject, args, capitalize),
        "title" => |interpreter, subject, args| change(interpreter, subject, args, title),
        "trim" => trim,
        "replace" => replace,
        "center" => center,
        "indent" => indent,
        "truncate" => truncate,
        "wordwrap" => wordwrap,
        "wordcount" => wordcount,
        "striptags" => striptags,
        "urlencode" => urlencode,
        "xmlattr" => xmlattr,
        _ => return None,
    })
}

/// The value as a text, marked if it was.
fn soft(interpreter: &mut Interpreter<'_>, subject: Value) -> Result<Value> {
    match subject {
        Value::Str(_) | Value::Markup(_) => Ok(subject),
        other => interpreter.text_of(&other).map(Value::Str),
    }
}

fn through(
    interpreter: &mut Interpreter<'_>,
    subject: Value,
    args: Args,
    method: &str,
) -> Result<Value> {
    let subject = soft(interpreter, subject)?;
    match methods::lookup(&subject, method) {
        Some(method) => method(interpreter, subject, args),
        None => Ok(subject),
    }
}

fn like(subject: &Value, text: String) -> Value {
    match subject {
        Value::Markup(_) => Value::Markup(text.into()),
        _ => Value::str(text),
    }
}

fn change(
    interpreter: &mut Interpreter<'_>,
    subject: Value,
    args: Args,
    change: fn(&str) -> String,
) -> Result<Value> {
    args.none("filter")?;
    let subject = soft(interpreter, subject)?;
    let text = subject.as_str().unwrap_or_default();
    interpreter.budget.walk(text.len())?;
    interpreter.budget.make(text.len() * 3)?;
    Ok(like(&subject, change(text)))
}

/// Upper case after white space, hyphens and opening brackets, lower case elsewhere.
fn title(text: &str) -> String {
    let starts = |character: char| is_space(character) || "-({[<".contains(character);
    let mut out = String::with_capacity(text.len());
    let mut first = true;
    for character in text.chars() {
        if starts(character) {
            out.push(character);
            first = true;
        } else if std::mem::take(&mut first) {
            out.extend(character.to_uppercase());
        } else {
            out.extend(character.to_lowercase());
        }
    }
    out
}

fn trim(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [characters] = args.bind("do_trim", ["chars"])?;
    let subject = soft(interpreter, subject)?;
    let text = subject.as_str().unwrap_or_default();
    let characters = match &characters {
        None | Some(Value::None) => None,
        Some(value) => match value.as_str() {
            Some(characters) => Some(characters),
            None => return fail!(Type, "strip arg must be None or str"),
        },
    };
    let short = charged_strip(interpreter, text, characters, true, true)?;
    if short.len() == text.len() {
        return Ok(subject);
    }
    interpreter.budget.make(short.len())?;
    Ok(like(&subject, short.to_owned()))
}

fn replace(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [old, new, count] = args.bind("do_replace", ["old", "new", "count"])?;
    let text = interpreter.text_of(&subject)?;
    let old = interpreter.text_of(&required(old, "do_replace", "old")?)?;
    let new = interpreter.text_of(&required(new, "do_replace", "new")?)?;
    let count = match count {
        None | Some(Value::None) => -1,
        Some(value) => integer(&value)?,
    };
    charge_replacing(interpreter, &text, &old, &new)?;
    Ok(Value::str(replaced(&text, &old, &new, count)))
}

fn center(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [width] = args.bind("do_center", ["width"])?;
    let args = Args {
        positional: vec![width.unwrap_or(Value::Int(80))],
        named: Vec::new(),
    };
    through(interpreter, subject, args, "center")
}

fn indent(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [width, first, blank] = args.bind("do_indent", ["width", "first", "blank"])?;
    let (first, blank) = (
        first.is_some_and(|flag| flag.truth()),
        blank.is_some_and(|flag| flag.truth()),
    );
    let prefix = match width {
        None => "    ".to_owned(),
        Some(Value::Str(text) | Value::Markup(text)) => text.to_string(),
        Some(other) => {
            let width = usize::try_from(integer(&other)?).unwrap_or(0);
            interpreter.budget.make(width)?;
            " ".repeat(width)
        }
    };
    let Some(text) = subject.as_str() else {
        return match &subject {
            Value::Undefined(undefined) => Err(undefined.error()),
            other => fail!(
                Type,
                "unsupported operand type(s) for +=: '{}' and 'str'",
                other.type_name()
            ),
        };
    };
    interpreter.budget.make(text.len())?;
    let whole = format!("{text}\n");
    let all = charged_lines(interpreter, &whole, false)?;
    interpreter
        .budget
        .make(text.len() + all.len().saturating_mul(prefix.len() + 1))?;
    let mut out = String::new();
    if first {
        out.push_str(&prefix);
    }
    for (index, line) in all.iter().enumerate() {
        if index > 0 {
            out.push('\n');
            if blank || !line.is_empty() {
                out.push_str(&prefix);
            }
        }
        out.push_str(line);
    }
    Ok(like(&subject, out))
}

fn truncate(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [length, killwords, end, leeway] =
        args.bind("do_truncate", ["length", "killwords", "end", "leeway"])?;
    let length = length.map_or(Ok(255), |value| integer(&value))?;
    let leeway = match leeway {
        None | Some(Value::None) => 5,
        Some(value) => integer(&value)?,
    };
    let end = match end {
        None => "...".into(),
        Some(value) => interpreter.text_of(&value)?,
    };
    let end_length = char_count(&end) as i64;
    if length < end_length {
        return fail!(Runtime, "expected length >= {end_length}, got {length}");
    }
    if leeway < 0 {
        return fail!(Runtime, "expected leeway >= 0, got {leeway}");
    }
    let text = match &subject {
        Value::Undefined(_) => return Ok(subject),
        other => match other.as_str() {
            Some(text) => text,
            None => return fail!(Type, "object of type '{}' has no len()", other.type_name()),
        },
    };
    interpreter.budget.make(text.len())?;
    if char_count(text) as i64 <= length.saturating_add(leeway) {
        return Ok(subject);
    }
    let head: String = text.chars().take((length - end_length) as usize).collect();
    let truncated = match killwords.is_some_and(|flag| flag.truth()) {
        true => head.as_str(),
        false => head
            .rsplit_once(' ')
            .map_or(head.as_str(), |(before, _)| before),
    };
    Ok(like(&subject, format!("{truncated}{end}")))
}

fn wordwrap(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [width, long, between, hyphens] = args.bind(
        "do_wordwrap",
        [
            "width",
            "break_long_words",
            "wrapstring",
            "break_on_hyphens",
        ],
    )?;
    let width = width.map_or(Ok(79), |value| integer(&value))?;
    let long = long.is_none_or(|flag| flag.truth());
    let hyphens = hyphens.is_none_or(|flag| flag.truth());
    let between = match between {
        None | Some(Value::None) => "\n".into(),
        Some(value) => interpreter.text_of(&value)?,
    };
    let Some(text) = subject.as_str() else {
        return fail!(
            Undefined,
            "'{}' object has no attribute 'splitlines'",
            subject.type_name()
        );
    };
    if width <= 0 {
        return fail!(Value, "invalid width {width} (must be > 0)");
    }
    interpreter
        .budget
        .make(text.len().saturating_mul(1 + between.len()))?;
    interpreter.budget.make_texts(text.len() / 2, text.len())?;
    let paragraphs: Vec<String> = lines(text, false)
        .into_iter()
        .map(|line| wrapped(line, width as usize, long, hyphens).join(&between))
        .collect();
    Ok(Value::str(paragraphs.join(&between)))
}

fn wordcount(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_wordcount")?;
    let text = interpreter.text_of(&subject)?;
    interpreter.budget.walk(text.len())?;
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let words = text
        .split(|character| !is_word(character))
        .filter(|word| !word.is_empty());
    Ok(Value::Int(words.count() as i64))
}

fn striptags(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_striptags")?;
    let text = interpreter.text_of(&subject)?;
    interpreter.budget.walk(text.len() * 4)?;
    interpreter.budget.make(text.len() * 3)?;
    Ok(Value::str(markup::striptags(&text)))
}

/// Percent-encodes what is not safe in a URL; in a query a space becomes a plus.
fn quoted(text: &str, query: bool) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'-' | b'~' => {
                out.push(char::from(byte));
            }
            b'/' if !query => out.push('/'),
            b' ' if query => out.push('+'),
            _ => {
                out.push('%');
                out.push(char::from(DIGITS[usize::from(byte >> 4)]));
                out.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
        }
    }
    out
}

fn urlencode(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_urlencode")?;
    let pairs = match &subject {
        Value::Dict(dict) => {
            interpreter.budget.make_entries(dict.len())?;
            dict.iter()
                .map(|(key, value)| vec![key.clone(), value.clone()])
                .collect()
        }
        Value::List(_) | Value::Tuple(_) | Value::View(_) | Value::Generator(_) => {
            let mut pairs = Vec::new();
            for item in interpreter.collect(&subject)? {
                pairs.push(interpreter.collect(&item)?);
            }
            pairs
        }
        other => {
            let text = interpreter.text_of(other)?;
            interpreter.budget.walk(text.len())?;
            interpreter.budget.make(text.len() * 3)?;
            return Ok(Value::str(quoted(&text, false)));
        }
    };
    let mut parts = Vec::new();
    for pair in pairs {
        let [key, value] = pair.as_slice() else {
            return fail!(Value, "not enough values to unpack (expected 2)");
        };
        let (key, value) = (interpreter.text_of(key)?, interpreter.text_of(value)?);
        interpreter.budget.walk(key.len() + value.len())?;
        interpreter.budget.make((key.len() + value.len()) * 6)?;
        parts.push(format!("{}={}", quoted(&key, true), quoted(&value, true)));
    }
    Ok(Value::str(parts.join("&")))
}

fn xmlattr(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [autospace] = args.bind("do_xmlattr", ["autospace"])?;
    let Value::Dict(dict) = &subject else {
        return fail!(
            Type,
            "'{}' object has no attribute 'items'",
            subject.type_name()
        );
    };
    let mut parts = Vec::new();
    for (key, value) in dict.iter() {
        if matches!(value, Value::None | Value::Undefined(_)) {
            continue;
        }
        let key = interpreter.text_of(key)?;
        if key.contains([' ', '\t', '\n', '\r', '\u{b}', '\u{c}', '/', '>', '=']) {
            return fail!(Value, "Invalid character in attribute name: '{key}'");
        }
        let text = match value {
            Value::Float(number) => repr::float(*number).into(),
            other => interpreter.text_of(other)?,
        };
        interpreter.budget.make((key.len() + text.len()) * 2)?;
        let text = match value {
            Value::Markup(_) => text.to_string(),
            _ => markup::escape(&text, &mut interpreter.budget)?,
        };
        let key = markup::escape(&key, &mut interpreter.budget)?;
        parts.push(format!("{key}=\"{text}\""));
    }
    let joined = parts.join(" ");
    let space = autospace.is_none_or(|flag| flag.truth()) && !joined.is_empty();
    Ok(Value::str(if space {
        format!(" {joined}")
    } else {
        joined
    }))
}
