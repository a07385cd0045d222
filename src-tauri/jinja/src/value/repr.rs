//! `str(x)` and `repr(x)` as Python prints them: floats, quotes, escapes, containers.

use std::fmt::Write;

use promptdeck_python::repr;

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
        Value::Float(number) => out.push_str(&repr::float(*number)),
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

/// Appends a text in Python's quotes.
fn quoted(text: &str, out: &mut String, budget: &mut Budget) -> Result<()> {
    budget.walk(text.len())?;
    budget.make(text.len() + 2)?;
    repr::try_push_text(text, out, || {
        budget.steps(4)?;
        budget.make(10)
    })
}

/// The type name for messages that say what is not iterable.
pub(crate) fn plain_type(value: &Value) -> &'static str {
    value.type_name()
}
