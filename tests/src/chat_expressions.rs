//! One-line templates for every kind of expression: operators, printing, methods, filters, tests,
//! functions, statements, and errors. A line with several expressions between bars yields one case
//! per expression.

use serde_json::{Map, Value, json};

/// Cases with known differences, each explained in COMPATIBILITY.md of `promptdeck-jinja`.
pub const KNOWN_DIFFERENT: &[&str] = &[
    "{{ none[1:] }}",
    "{{ d.items }}|x",
    "{{ 'x'.format }}",
    "{{ l | map }}|x",
    "{{ none | items }}|x",
    "{{ caller }}|{{ varargs }}|{{ self }}x",
];

/// Variables of all cases.
#[must_use]
pub fn variables() -> Map<String, Value> {
    let variables = json!({
        "s": "Hello",
        "u": "aé漢🦀",
        "l": [3, 1, 2],
        "d": {"a": 1, "b": "two", "nested": {"x": true, "y": [1, 2.5, null]}},
        "e": {"items": {"type": "string"}, "keys": [1], "z": 0},
        "users": [
            {"name": "Ann", "age": 41, "group": "b", "admin": true, "tags": ["x", "y"]},
            {"name": "Bob", "age": 30, "group": "a", "admin": false, "tags": ["z"]},
            {"name": "Cid", "age": 25, "group": "B", "admin": true, "tags": ["x"]}
        ],
        "tree": [{"v": "a", "c": [{"v": "b", "c": []}, {"v": "c", "c": [{"v": "d", "c": []}]}]}, {"v": "e", "c": []}]
    });
    variables.as_object().cloned().unwrap_or_default()
}

/// All cases.
#[must_use]
pub fn all() -> Vec<String> {
    let lines = include_str!("../conformance/expressions.txt").lines();
    lines.flat_map(split).collect()
}

/// Splits a line that consists of expressions between bars; returns any other line whole.
fn split(line: &str) -> Vec<String> {
    let parts: Vec<&str> = line.split("}}|{{").collect();
    let plain = line.starts_with("{{") && line.ends_with("}}") && !line.contains("{%");
    if !plain || parts.len() == 1 {
        return vec![line.to_owned()];
    }
    let last = parts.len() - 1;
    let whole = parts.iter().enumerate().map(|(index, part)| {
        let open = if index == 0 { "" } else { "{{" };
        let close = if index == last { "" } else { "}}" };
        format!("{open}{part}{close}")
    });
    whole.collect()
}
