//! `str(x)` and `repr(x)` as Python prints them: floats, quotes, escapes, containers.

use std::fmt::Write;
use std::sync::LazyLock;

use super::super::error::Result;
use super::super::limits::Budget;
use super::{Value, ViewKind, integer_text};

/// Appends `str(value)`.
pub(crate) fn text(value: &Value, out: &mut String, budget: &mut Budget) -> Result<()> {
    match value {
        Value::Str(text) | Value::Markup(text) => {
            budget.make(text.len())?;
            out.push_str(text);
        }
        Value::Undefined(_) => {}
        Value::Int(number) => {
            budget.make(20)?;
            let _ = write!(out, "{number}");
        }
        other => repr(other, out, budget)?,
    }
    Ok(())
}

/// Appends `repr(value)`.
pub(crate) fn repr(value: &Value, out: &mut String, budget: &mut Budget) -> Result<()> {
    budget.make(8)?;
    match value {
        Value::Undefined(_) => out.push_str("Undefined"),
        Value::None => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Int(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Big(number) => {
            budget.steps(number.bits() / 16)?;
            budget.make(number.bits() as usize / 3)?;
            out.push_str(&integer_text(number)?);
        }
        Value::Float(number) => out.push_str(&float_text(*number)),
        Value::Str(text) => {
            quoted(text, out, budget)?;
        }
        Value::Markup(text) => {
            out.push_str("Markup(");
            quoted(text, out, budget)?;
            out.push(')');
        }
        Value::List(seq) => {
            out.push('[');
            separated(seq.items().iter(), out, budget)?;
            out.push(']');
        }
        Value::Tuple(seq) => {
            // A group of `groupby` prints as the plain tuple it also is.
            out.push('(');
            separated(seq.items().iter(), out, budget)?;
            out.push_str(if seq.items().len() == 1 { ",)" } else { ")" });
        }
        Value::Dict(dict) => {
            out.push('{');
            for (index, (key, value)) in dict.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                repr(key, out, budget)?;
                out.push_str(": ");
                repr(value, out, budget)?;
            }
            out.push('}');
        }
        Value::Range(range) if range.step == 1 => {
            let _ = write!(out, "range({}, {})", range.start, range.stop);
        }
        Value::Range(range) => {
            let _ = write!(
                out,
                "range({}, {}, {})",
                range.start, range.stop, range.step
            );
        }
        Value::View(view) => {
            out.push_str(value.type_name());
            out.push_str("([");
            for index in 0..view.dict.len() {
                if index > 0 {
                    out.push_str(", ");
                }
                let (key, value) = view.dict.entry(index);
                match view.kind {
                    ViewKind::Keys => repr(key, out, budget)?,
                    ViewKind::Values => repr(value, out, budget)?,
                    ViewKind::Items => {
                        out.push('(');
                        separated([key, value].into_iter(), out, budget)?;
                        out.push(')');
                    }
                }
            }
            out.push_str("])");
        }
        Value::Generator(generator) => out.push_str(generator.printed()),
        Value::Builtin(builtin) => out.push_str(builtin.printed()),
        Value::Bound(bound) => {
            let receiver = bound.receiver.type_name();
            let _ = write!(out, "<built-in method {} of {receiver} object>", bound.name);
        }
        Value::Macro(callable) => match &callable.name {
            Some(name) => {
                out.push_str("<Macro ");
                quoted(name, out, budget)?;
                out.push('>');
            }
            None => out.push_str("<Macro anonymous>"),
        },
        Value::Loop(state) => out.push_str(&state.printed()),
        Value::Namespace(namespace) => {
            budget.make_entries(namespace.len())?;
            let attributes = namespace.to_value()?;
            out.push_str("<Namespace ");
            // A namespace may hold itself; the depth of the budget ends that.
            budget.descend()?;
            let done = repr(&attributes, out, budget);
            budget.rise();
            done?;
            out.push('>');
        }
        Value::Cycler(_) => out.push_str("<jinja2.utils.Cycler object>"),
        Value::Joiner(_) => out.push_str("<jinja2.utils.Joiner object>"),
    }
    Ok(())
}

fn separated<'a>(
    items: impl Iterator<Item = &'a Value>,
    out: &mut String,
    budget: &mut Budget,
) -> Result<()> {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        repr(item, out, budget)?;
    }
    Ok(())
}

/// `repr` of a float: the shortest digits that read back the same, with an exponent below 1e-4
/// and from 1e16 on.
pub(crate) fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.into();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{value}");
    if plain.contains('.') {
        plain
    } else {
        format!("{plain}.0")
    }
}

/// Appends a text in Python's quotes.
fn quoted(text: &str, out: &mut String, budget: &mut Budget) -> Result<()> {
    budget.walk(text.len())?;
    budget.make(text.len() + 2)?;
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(quote);
    let hidden = hidden_parts(text);
    let mut hidden = hidden
        .into_iter()
        .flat_map(|all| all.find_iter(text))
        .peekable();
    for (at, character) in text.char_indices() {
        let is_hidden = hidden.next_if(|found| found.start() == at).is_some();
        if is_hidden {
            budget.steps(4)?;
            budget.make(10)?;
        }
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            _ if !is_hidden => out.push(character),
            _ => {
                let code = character as u32;
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push(quote);
    Ok(())
}

/// What finds the characters Python does not print as they are: control, format, surrogate,
/// private and unassigned ones, and all separators but the space. `None` for a text without any.
fn hidden_parts(text: &str) -> Option<&'static regex::Regex> {
    static HIDDEN: LazyLock<Option<regex::Regex>> =
        LazyLock::new(|| regex::Regex::new(r"[[\p{C}\p{Z}]--[ ]]").ok());
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return None;
    }
    HIDDEN.as_ref()
}

/// Python's `str.isprintable`.
pub(crate) fn all_printable(text: &str) -> bool {
    hidden_parts(text).is_none_or(|hidden| !hidden.is_match(text))
}

/// The type name for messages that say what is not iterable.
pub(crate) fn plain_type(value: &Value) -> &'static str {
    value.type_name()
}
