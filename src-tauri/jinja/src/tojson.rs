//! The `tojson` filter as transformers defines it: Python's `json.dumps` with `ensure_ascii`,
//! `indent`, `separators` and `sort_keys`, and its errors.

use std::fmt::Write;
use std::sync::Arc;

use promptdeck_python::json::{self, ITEM_SEPARATOR, ITEM_SEPARATOR_OF_LINES, KEY_SEPARATOR};

use super::call::Args;
use super::error::{Result, fail};
use super::fallible_sort::sorted;
use super::interpreter::Interpreter;
use super::value::{Order, Value, compare, integer_text};

struct Writer<'a, 'p> {
    interpreter: &'a mut Interpreter<'p>,
    out: String,
    ascii: bool,
    indent: Option<Arc<str>>,
    item: Arc<str>,
    key: Arc<str>,
    sorted: bool,
}

/// `value|tojson(ensure_ascii, indent, separators, sort_keys)`
pub(super) fn tojson(interpreter: &mut Interpreter<'_>, value: Value, args: Args) -> Result<Value> {
    let [ascii, indent, separators, sorted] = args.bind(
        "tojson",
        ["ensure_ascii", "indent", "separators", "sort_keys"],
    )?;
    let indent = match indent {
        None | Some(Value::None) => None,
        Some(Value::Str(text)) => Some(text),
        Some(other) => match super::value::to_index(&other) {
            Some(width) => {
                let width = usize::try_from(width).unwrap_or(0);
                interpreter.budget.make(width)?;
                Some(Arc::from(" ".repeat(width)))
            }
            None => return fail!(Type, "can't multiply sequence by non-int"),
        },
    };
    let mut item: Arc<str> = Arc::from(match indent {
        None => ITEM_SEPARATOR,
        Some(_) => ITEM_SEPARATOR_OF_LINES,
    });
    let mut key: Arc<str> = Arc::from(KEY_SEPARATOR);
    if let Some(separators) = separators.filter(|value| !matches!(value, Value::None)) {
        let parts = interpreter.collect(&separators)?;
        let [first, second] = parts.as_slice() else {
            return fail!(
                Value,
                "not enough values to unpack (expected 2, got {})",
                parts.len()
            );
        };
        let (Some(first), Some(second)) = (first.as_str(), second.as_str()) else {
            return fail!(Type, "separators must be texts");
        };
        (item, key) = (first.into(), second.into());
    }
    let mut writer = Writer {
        interpreter,
        out: String::new(),
        ascii: ascii.is_some_and(|flag| flag.truth()),
        indent,
        item,
        key,
        sorted: sorted.is_some_and(|flag| flag.truth()),
    };
    writer.value(&value, 0)?;
    Ok(Value::str(writer.out))
}

impl Writer<'_, '_> {
    fn value(&mut self, value: &Value, level: usize) -> Result<()> {
        self.interpreter.budget.make(4)?;
        match value {
            Value::None => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            Value::Int(number) => {
                let _ = write!(self.out, "{number}");
            }
            Value::Big(number) => {
                self.interpreter.budget.steps(number.bits() / 16)?;
                self.interpreter.budget.make(number.bits() as usize / 3)?;
                self.out.push_str(&integer_text(number)?);
            }
            Value::Float(number) => self.out.push_str(&json::float(*number)),
            Value::Str(text) | Value::Markup(text) => self.text(text)?,
            Value::List(seq) | Value::Tuple(seq) => {
                if seq.is_empty() {
                    self.out.push_str("[]");
                    return Ok(());
                }
                self.out.push('[');
                for (index, item) in seq.items().iter().enumerate() {
                    self.separate(index, level + 1)?;
                    self.value(item, level + 1)?;
                }
                self.line(level)?;
                self.out.push(']');
            }
            Value::Dict(dict) => {
                if dict.is_empty() {
                    self.out.push_str("{}");
                    return Ok(());
                }
                self.out.push('{');
                if self.sorted {
                    self.interpreter.budget.make_items(dict.len() * 2)?;
                    let budget = &mut self.interpreter.budget;
                    let sorted = sorted(dict.iter().collect(), &mut |(a, _), (b, _)| {
                        compare(Order::Less, a, b, budget)
                    })?;
                    for (index, (key, value)) in sorted.into_iter().enumerate() {
                        self.entry(index, key, value, level)?;
                    }
                } else {
                    for (index, (key, value)) in dict.iter().enumerate() {
                        self.entry(index, key, value, level)?;
                    }
                }
                self.line(level)?;
                self.out.push('}');
            }
            other => {
                return fail!(
                    Type,
                    "Object of type {} is not JSON serializable",
                    other.type_name()
                );
            }
        }
        Ok(())
    }

    fn entry(&mut self, index: usize, key: &Value, value: &Value, level: usize) -> Result<()> {
        self.separate(index, level + 1)?;
        self.key(key)?;
        self.out.push_str(&self.key);
        self.value(value, level + 1)
    }

    fn key(&mut self, key: &Value) -> Result<()> {
        let text = match key {
            Value::Str(text) | Value::Markup(text) => return self.text(text),
            Value::None => "null".to_owned(),
            Value::Bool(flag) => flag.to_string(),
            Value::Int(number) => number.to_string(),
            Value::Big(number) => integer_text(number)?,
            Value::Float(number) => json::float(*number),
            other => {
                return fail!(
                    Type,
                    "keys must be str, int, float, bool or None, not {}",
                    other.type_name()
                );
            }
        };
        self.text(&text)
    }

    fn separate(&mut self, index: usize, level: usize) -> Result<()> {
        if index > 0 {
            self.interpreter.budget.make(self.item.len())?;
            self.out.push_str(&self.item);
        }
        self.line(level)
    }

    fn line(&mut self, level: usize) -> Result<()> {
        if let Some(indent) = &self.indent {
            self.interpreter.budget.make(1 + indent.len() * level)?;
            self.out.push('\n');
            for _ in 0..level {
                self.out.push_str(indent);
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        self.interpreter.budget.walk(text.len())?;
        self.interpreter.budget.make(text.len() + 2)?;
        let budget = &mut self.interpreter.budget;
        json::try_push_text(text, self.ascii, &mut self.out, || {
            budget.steps(4)?;
            budget.make(12)
        })
    }
}
