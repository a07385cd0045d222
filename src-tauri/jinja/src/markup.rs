//! Texts marked safe: what `safe`, `escape` and the methods of a marked text do.

use std::sync::Arc;

use super::error::{Result, fail};
use super::limits::Budget;
use super::value::Value;

/// The HTML entity of one of the five special characters.
fn entity(character: char) -> Option<&'static str> {
    Some(match character {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '\'' => "&#39;",
        '"' => "&#34;",
        _ => return None,
    })
}

/// Escapes the five characters HTML gives a meaning.
pub(super) fn escape(text: &str, budget: &mut Budget) -> Result<String> {
    budget.walk(text.len() * 2)?;
    let longer: usize = text
        .chars()
        .filter_map(entity)
        .map(|entity| entity.len() - 1)
        .sum();
    budget.make(text.len() + longer)?;
    let mut out = String::with_capacity(text.len() + longer);
    for character in text.chars() {
        match entity(character) {
            Some(entity) => out.push_str(entity),
            None => out.push(character),
        }
    }
    Ok(out)
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
    let mut part = |value: &Value| -> Result<Option<Arc<str>>> {
        Ok(match value {
            Value::Markup(text) => Some(Arc::clone(text)),
            Value::Str(text) => Some(escape(text, budget)?.into()),
            _ => None,
        })
    };
    let (Some(a), Some(b)) = (part(left)?, part(right)?) else {
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
