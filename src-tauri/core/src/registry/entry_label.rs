//! The label of a list entry: the beginning of its text on one line.

use serde_json::Value;

/// The longest label, in characters.
const MAX_CHARS: usize = 120;

/// The beginning of an entry's text on one line, at most 120 characters long: of a text itself, of
/// an object's `text`, of the JSON of anything else.
#[must_use]
pub fn entry_label(entry: &Value) -> String {
    let json;
    let text = match entry {
        Value::String(text) => text,
        other => match other.get("text").and_then(Value::as_str) {
            Some(text) => text,
            None => {
                json = other.to_string();
                &json
            }
        },
    };
    let mut label = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        if !label.is_empty() {
            label.push(' ');
            length += 1;
        }
        label.push_str(word);
        length += word.chars().count();
        if length > MAX_CHARS {
            let end = label.char_indices().nth(MAX_CHARS - 1);
            label.truncate(end.map_or(label.len(), |(at, _)| at));
            label.truncate(label.trim_end().len());
            label.push('…');
            break;
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn labels() {
        for (entry, label) in [
            (
                json!("Let one team\n  name amuse you. "),
                "Let one team name amuse you.",
            ),
            (json!({"text": "Praise it.", "weight": 2}), "Praise it."),
            (json!({"weight": 2}), r#"{"weight":2}"#),
            (json!(7), "7"),
            (json!(""), ""),
        ] {
            assert_eq!(entry_label(&entry), label, "{entry}");
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let exact = "é".repeat(120);
        assert_eq!(entry_label(&json!(exact)), exact);
        let cut = entry_label(&json!("é".repeat(121)));
        assert_eq!(cut, format!("{}…", "é".repeat(119)));
        let words = entry_label(&json!("sixths ".repeat(20)));
        assert_eq!(words, format!("{}sixths…", "sixths ".repeat(16)));
    }
}
