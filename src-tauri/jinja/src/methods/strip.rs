//! Stripping, splitting and partitioning texts.

use std::collections::HashSet;

use promptdeck_python::text::is_space;

use super::super::call::{Applicable, Args, integer, required};
use super::super::error::{Result, fail};
use super::super::interpreter::Interpreter;
use super::super::value::Value;
use super::text::{like, text_of};

/// The method of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "strip" => |interpreter, receiver, args| strip(interpreter, receiver, args, true, true),
        "lstrip" => |interpreter, receiver, args| strip(interpreter, receiver, args, true, false),
        "rstrip" => |interpreter, receiver, args| strip(interpreter, receiver, args, false, true),
        "removeprefix" => |interpreter, receiver, args| remove(interpreter, receiver, args, true),
        "removesuffix" => |interpreter, receiver, args| remove(interpreter, receiver, args, false),
        "split" => |interpreter, receiver, args| split(interpreter, receiver, args, false),
        "rsplit" => |interpreter, receiver, args| split(interpreter, receiver, args, true),
        "splitlines" => splitlines,
        "partition" => |interpreter, receiver, args| partition(interpreter, receiver, args, false),
        "rpartition" => |interpreter, receiver, args| partition(interpreter, receiver, args, true),
        _ => return None,
    })
}

/// `str.strip` and its sides; `characters` as in Python, white space when absent.
pub(crate) fn stripped<'a>(
    text: &'a str,
    characters: Option<&str>,
    left: bool,
    right: bool,
) -> &'a str {
    let drop = |character: char| match characters {
        Some(characters) => characters.contains(character),
        None => is_space(character),
    };
    let text = if left {
        text.trim_start_matches(drop)
    } else {
        text
    };
    if right {
        text.trim_end_matches(drop)
    } else {
        text
    }
}

/// The most characters to strip that are looked for one after the other.
const FEW: usize = 32;

/// As [`stripped`], with its work charged: every character dropped is looked up.
pub(crate) fn charged_strip<'a>(
    interpreter: &mut Interpreter<'_>,
    text: &'a str,
    characters: Option<&str>,
    left: bool,
    right: bool,
) -> Result<&'a str> {
    if let Some(many) = characters.filter(|all| all.len() > FEW) {
        interpreter.budget.walk(text.len() + many.len() * 4)?;
        let set: HashSet<char> = many.chars().collect();
        let text = match left {
            true => text.trim_start_matches(|one: char| set.contains(&one)),
            false => text,
        };
        return Ok(match right {
            true => text.trim_end_matches(|one: char| set.contains(&one)),
            false => text,
        });
    }
    let short = stripped(text, characters, left, right);
    interpreter.budget.walk(text.len() - short.len())?;
    Ok(short)
}

fn strip(
    interpreter: &mut Interpreter<'_>,
    receiver: Value,
    args: Args,
    left: bool,
    right: bool,
) -> Result<Value> {
    let [characters] = args.bind("strip", ["chars"])?;
    let characters = match &characters {
        None | Some(Value::None) => None,
        Some(value) => match value.as_str() {
            Some(text) => Some(text),
            None => return fail!(Type, "strip arg must be None or str"),
        },
    };
    let text = text_of(&receiver);
    let short = charged_strip(interpreter, text, characters, left, right)?;
    if short.len() == text.len() {
        return Ok(receiver);
    }
    interpreter.budget.make(short.len())?;
    Ok(like(&receiver, short))
}

fn text_argument(value: Option<Value>, function: &str) -> Result<Value> {
    let value = required(value, function, "str")?;
    match &value {
        Value::Undefined(_) | Value::None => {}
        _ if value.as_str().is_some() => return Ok(value),
        _ => {}
    }
    fail!(
        Type,
        "{function}() argument must be str, not {}",
        value.type_name()
    )
}

fn remove(
    interpreter: &mut Interpreter<'_>,
    receiver: Value,
    args: Args,
    prefix: bool,
) -> Result<Value> {
    let [affix] = args.bind("removeprefix", ["affix"])?;
    let affix = text_argument(affix, "removeprefix")?;
    let text = text_of(&receiver);
    let short = if prefix {
        text.strip_prefix(text_of(&affix))
    } else {
        text.strip_suffix(text_of(&affix))
    };
    interpreter.budget.compare(text, text_of(&affix))?;
    Ok(match short {
        Some(short) => {
            interpreter.budget.make(short.len())?;
            like(&receiver, short)
        }
        None => receiver.clone(),
    })
}

fn split(
    interpreter: &mut Interpreter<'_>,
    receiver: Value,
    args: Args,
    from_right: bool,
) -> Result<Value> {
    let [separator, limit] = args.bind("split", ["sep", "maxsplit"])?;
    let limit = limit.map_or(Ok(-1), |value| integer(&value))?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let text = text_of(&receiver);
    interpreter.budget.walk(text.len() * 2)?;
    let count = match separator.as_ref().and_then(Value::as_str) {
        Some("") => 0,
        Some(separator) => text.matches(separator).count() + 1,
        None => text.split(is_space).filter(|one| !one.is_empty()).count(),
    };
    let count = count.min(limit.saturating_add(1));
    interpreter.budget.make_texts(count * 2, text.len())?;
    let pieces: Vec<&str> = match &separator {
        None | Some(Value::None) => by_space(text, limit, from_right),
        Some(value) => match value.as_str() {
            Some("") => return fail!(Value, "empty separator"),
            Some(separator) => {
                let count = limit.saturating_add(1);
                if from_right {
                    let mut pieces: Vec<&str> = text.rsplitn(count, separator).collect();
                    pieces.reverse();
                    pieces
                } else {
                    text.splitn(count, separator).collect()
                }
            }
            None => {
                return match value {
                    Value::Undefined(undefined) => Err(undefined.error()),
                    _ => fail!(Type, "must be str or None, not {}", value.type_name()),
                };
            }
        },
    };
    Value::list(
        pieces
            .into_iter()
            .map(|piece| like(&receiver, piece))
            .collect(),
    )
}

/// Splits at runs of white space; the rest after `limit` splits keeps its inner space.
fn by_space(text: &str, limit: usize, from_right: bool) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        rest = if from_right {
            rest.trim_end_matches(is_space)
        } else {
            rest.trim_start_matches(is_space)
        };
        if rest.is_empty() {
            break;
        }
        if pieces.len() == limit {
            let piece = if from_right {
                rest.trim_end_matches(is_space)
            } else {
                rest
            };
            pieces.push(piece);
            break;
        }
        let cut = if from_right {
            rest.rfind(is_space)
        } else {
            rest.find(is_space)
        };
        let Some(cut) = cut else {
            pieces.push(rest);
            break;
        };
        if from_right {
            let after = cut + rest[cut..].chars().next().map_or(1, char::len_utf8);
            pieces.push(&rest[after..]);
            rest = &rest[..cut];
        } else {
            pieces.push(&rest[..cut]);
            rest = &rest[cut..];
        }
    }
    if from_right {
        pieces.reverse();
    }
    pieces
}

/// `str.splitlines`: all the line ends Python knows; with `keep`, they stay.
pub(crate) fn lines(text: &str, keep: bool) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut begin = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if !breaks_line(character) {
            continue;
        }
        let mut end = at + character.len_utf8();
        if character == '\r'
            && let Some((_, '\n')) = characters.peek()
        {
            characters.next();
            end += 1;
        }
        lines.push(&text[begin..if keep { end } else { at }]);
        begin = end;
    }
    if begin < text.len() {
        lines.push(&text[begin..]);
    }
    lines
}

/// As [`lines`], with the work and the room charged before they are cut.
pub(crate) fn charged_lines<'a>(
    interpreter: &mut Interpreter<'_>,
    text: &'a str,
    keep: bool,
) -> Result<Vec<&'a str>> {
    interpreter.budget.walk(text.len() * 2)?;
    let most = text.chars().filter(|one| breaks_line(*one)).count() + 1;
    interpreter.budget.make_texts(most, text.len())?;
    Ok(lines(text, keep))
}

/// The line ends Python knows.
fn breaks_line(character: char) -> bool {
    matches!(
        character,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

fn splitlines(interpreter: &mut Interpreter<'_>, receiver: Value, args: Args) -> Result<Value> {
    let [keep] = args.bind("splitlines", ["keepends"])?;
    let text = text_of(&receiver);
    let lines = charged_lines(interpreter, text, keep.is_some_and(|keep| keep.truth()))?;
    Value::list(
        lines
            .into_iter()
            .map(|line| like(&receiver, line))
            .collect(),
    )
}

fn partition(
    interpreter: &mut Interpreter<'_>,
    receiver: Value,
    args: Args,
    from_right: bool,
) -> Result<Value> {
    let [separator] = args.bind("partition", ["sep"])?;
    let separator = text_argument(separator, "partition")?;
    let (text, separator) = (text_of(&receiver), text_of(&separator));
    if separator.is_empty() {
        return fail!(Value, "empty separator");
    }
    interpreter.budget.walk(text.len())?;
    interpreter
        .budget
        .make_texts(3, text.len() + separator.len())?;
    let halves = if from_right {
        text.rsplit_once(separator)
    } else {
        text.split_once(separator)
    };
    let parts = match (halves, from_right) {
        (Some((before, after)), _) => [before, separator, after],
        (None, true) => ["", "", text],
        (None, false) => [text, "", ""],
    };
    Value::tuple(parts.map(|part| like(&receiver, part)).to_vec())
}
