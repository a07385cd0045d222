//! `json.dumps` of a whole document.

use serde_json::Value;

use super::{ITEM_SEPARATOR, ITEM_SEPARATOR_OF_LINES, KEY_SEPARATOR, push_text};
use crate::repr;

/// `json.dumps(json.loads(value), ensure_ascii=False, indent=indent)`: on one line, or with that many
/// spaces for each level.
///
/// ```
/// use promptdeck_python::json::dumps;
///
/// let value = serde_json::json!({"a": [1, true]});
/// assert_eq!(dumps(&value, None), r#"{"a": [1, true]}"#);
/// ```
#[must_use]
pub fn dumps(value: &Value, indent: Option<usize>) -> String {
    let mut out = String::new();
    push_value(value, indent, 0, &mut out);
    out
}

fn push_value(value: &Value, indent: Option<usize>, level: usize, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => push_number(&number.to_string(), out),
        Value::String(text) => push_text(text, false, out),
        Value::Array(items) if items.is_empty() => out.push_str("[]"),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                separate(index, indent, level + 1, out);
                push_value(item, indent, level + 1, out);
            }
            push_line(indent, level, out);
            out.push(']');
        }
        Value::Object(entries) if entries.is_empty() => out.push_str("{}"),
        Value::Object(entries) => {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                separate(index, indent, level + 1, out);
                push_text(key, false, out);
                out.push_str(KEY_SEPARATOR);
                push_value(value, indent, level + 1, out);
            }
            push_line(indent, level, out);
            out.push('}');
        }
    }
}

fn push_number(number: &str, out: &mut String) {
    match &*repr::json_number(number) {
        "inf" => out.push_str("Infinity"),
        "-inf" => out.push_str("-Infinity"),
        printed => out.push_str(printed),
    }
}

fn separate(index: usize, indent: Option<usize>, level: usize, out: &mut String) {
    if index > 0 {
        out.push_str(match indent {
            None => ITEM_SEPARATOR,
            Some(_) => ITEM_SEPARATOR_OF_LINES,
        });
    }
    push_line(indent, level, out);
}

fn push_line(indent: Option<usize>, level: usize, out: &mut String) {
    if let Some(width) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', width * level));
    }
}
