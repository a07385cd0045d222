//! Texts marked safe: what `safe`, `escape` and the methods of a marked text do.

use std::sync::Arc;

use super::error::{Result, fail};
use super::limits::Budget;
use super::value::Value;

/// Escapes the five characters HTML gives a meaning.
pub(super) fn escape(text: &str) -> String {
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

/// Undoes [`escape`], for the entities of HTML that matter here.
pub(super) fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#39;", "'")
        .replace("&#34;", "\"")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

/// `left + right` where one of them is marked: the other is escaped.
pub(super) fn add(left: &Value, right: &Value, budget: &mut Budget) -> Result<Value> {
    let part = |value: &Value| -> Option<Arc<str>> {
        match value {
            Value::Markup(text) => Some(Arc::clone(text)),
            Value::Str(text) => Some(escape(text).into()),
            _ => None,
        }
    };
    let (Some(a), Some(b)) = (part(left), part(right)) else {
        return fail!(
            Type,
            "unsupported operand type(s) for +: '{}' and '{}'",
            left.type_name(),
            right.type_name()
        );
    };
    budget.make(a.len() + b.len())?;
    Ok(Value::Markup(format!("{a}{b}").into()))
}

/// Drops tags and comments and makes one space of every run of white space.
pub(super) fn striptags(text: &str) -> String {
    let mut without = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("<!--") {
        let Some(end) = rest[at..].find("-->") else {
            break;
        };
        without.push_str(&rest[..at]);
        rest = &rest[at + end + 3..];
    }
    without.push_str(rest);
    let mut plain = String::with_capacity(without.len());
    let mut rest = without.as_str();
    while let Some(at) = rest.find('<') {
        let Some(end) = rest[at..].find('>') else {
            break;
        };
        plain.push_str(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    plain.push_str(rest);
    let words: Vec<&str> = plain.split_whitespace().collect();
    unescape(&words.join(" "))
}
