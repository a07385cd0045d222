//! How values print: as in Jinja2, that is in Python's words (`True`, `None`, `1.0`, `['a']`).
//! Texts print as they are; what is undefined prints as nothing, and as `Undefined` in a list.

use std::fmt::Write;

use minijinja::{
    Value,
    value::{ObjectRepr, ValueKind},
};
use promptdeck_python::repr;

/// The text a value prints as.
pub fn text(value: &Value) -> String {
    let mut out = String::new();
    write_text(value, &mut out);
    out
}

/// Text with the characters that mean something in HTML replaced, as Jinja2 does.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&#34;"),
            other => out.push(other),
        }
    }
    out
}

fn write_text(value: &Value, out: &mut String) {
    match value.as_str() {
        Some(text) => out.push_str(text),
        None if value.is_undefined() => {}
        None => write_repr(value, out),
    }
}

fn write_repr(value: &Value, out: &mut String) {
    match value.kind() {
        ValueKind::Undefined => out.push_str("Undefined"),
        ValueKind::None => out.push_str("None"),
        ValueKind::Bool => out.push_str(if value.is_true() { "True" } else { "False" }),
        ValueKind::Number if !value.is_integer() => {
            let number = f64::try_from(value.clone()).unwrap_or(f64::NAN);
            out.push_str(&repr::float(number));
        }
        ValueKind::String => repr::push_text(value.as_str().unwrap_or_default(), out),
        ValueKind::Seq | ValueKind::Iterable => {
            let (open, close) = if value.is_tuple() {
                ('(', ')')
            } else {
                ('[', ']')
            };
            out.push(open);
            let mut count = 0;
            for entry in value.try_iter().into_iter().flatten() {
                if count > 0 {
                    out.push_str(", ");
                }
                write_repr(&entry, out);
                count += 1;
            }
            if count == 1 && value.is_tuple() {
                out.push(',');
            }
            out.push(close);
        }
        ValueKind::Map
            if value
                .as_object()
                .is_some_and(|o| o.repr() == ObjectRepr::Map) =>
        {
            out.push('{');
            for (index, key) in value.try_iter().into_iter().flatten().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_repr(&key, out);
                out.push_str(": ");
                write_repr(&value.get_item(&key).unwrap_or_default(), out);
            }
            out.push('}');
        }
        _ => {
            // Writing into a text can't fail.
            let _ = write!(out, "{value}");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::template::value::from_json;

    fn check(value: &serde_json::Value, expected: &str) {
        assert_eq!(text(&from_json(value)), expected, "{value}");
    }

    #[test]
    fn values_print_as_python_prints_them() {
        check(&json!("a'b"), "a'b");
        check(&json!(null), "None");
        check(&json!(true), "True");
        check(&json!(3), "3");
        check(&json!(3.0), "3.0");
        check(&json!(1e20), "1e+20");
        check(&json!(1.5e-7), "1.5e-07");
        check(&json!(0.0001), "0.0001");
        check(&json!(1e15), "1000000000000000.0");
        check(&json!(["a", "b'c", 1, null]), r#"['a', "b'c", 1, None]"#);
        check(
            &json!({"a": [true], "b": "\n"}),
            r"{'a': [True], 'b': '\n'}",
        );
    }

    #[test]
    fn an_integer_of_any_length_keeps_its_digits() {
        let digits = "1234567890123456789012345678901234567890123";
        let number: serde_json::Value = serde_json::from_str(digits).expect("a number");
        assert!(text(&from_json(&number)).starts_with('1'));
        check(&json!(u64::MAX), "18446744073709551615");
    }
}
