//! `assembly_prefixes`: a line above the output of a token. It is written into the text itself if
//! no other token prints that text, and reported as not supported otherwise.

use promptdeck_python::text::strip;
use serde_json::{Value, json};

use super::draft::{Draft, filled};
use super::scale;
use super::token::Token;

/// Writes the supported prefixes into the texts that they precede.
pub(super) fn bake(draft: &mut Draft) {
    let Some(Value::Object(prefixes)) = draft.reserved.shift_remove("assembly_prefixes") else {
        return;
    };
    if !prefixes.is_empty() {
        let message = "0.7 knows no prefixes; read as 0.8 does".to_owned();
        draft.ambiguous(&["assembly_prefixes"], message);
    }
    // What a token of its own name has takes the place of what its section has.
    let tokens: Vec<Token> = prefixes.keys().map(|key| Token::read(key)).collect();
    for (key, value) in &prefixes {
        let prefix = strip(value.as_str().unwrap_or_default());
        let at = ["assembly_prefixes", key.as_str()];
        let read = draft.orders.iter().flat_map(|order| &order.tokens);
        let read: Vec<&Token> = read
            .map(|(_, token)| token)
            .filter(|token| token.section() == key || **token == Token::read(key))
            .collect();
        if prefix.is_empty() || read.is_empty() {
            let message = "it stands above nothing; left out".to_owned();
            draft.converted(&at, message);
            continue;
        }
        match target_token(draft, key, &tokens).filter(|_| !prefix.contains('{')) {
            Some(token) => {
                write_prefix(draft, &token, prefix);
                let message = format!("written into what {} prints", token.canonical());
                draft.converted(&at, message);
            }
            None => draft.not_supported(
                &at,
                format!("nothing in Promptdeck stands above an entry; left out: {prefix:?}"),
            ),
        }
    }
}

/// The one token that always prints with the prefix of that key, what it prints being a text of its
/// own in every item.
fn target_token(draft: &Draft, key: &str, prefixed: &[Token]) -> Option<Token> {
    let key_token = Token::read(key);
    let of_section = draft.tokens_of(key_token.section());
    let token = if of_section.contains(&key_token) && !matches!(key_token, Token::Whole { .. }) {
        key_token
    } else {
        // A section's prefix is printed once, above whatever token of it comes first.
        let first = of_section.first()?.clone();
        let once = draft.orders.iter().all(|order| {
            let mut tokens = order.tokens.iter().map(|(_, token)| token);
            let mut tokens = tokens.by_ref().filter(|token| token.section() == key);
            tokens.next().is_none_or(|token| *token == first) && tokens.all(|token| *token != first)
        });
        let alone = of_section.len() == 1 || !of_section.contains(&key_token);
        if !once || !alone || (prefixed.contains(&first) && first != key_token) {
            return None;
        }
        first
    };
    let section = token.section();
    let field = printed_field(&token)?;
    let shared = of_section
        .iter()
        .filter(|other| **other != token)
        .any(|other| printed_field(other).is_none_or(|other| other == field));
    let fills = |item: &serde_json::Map<String, Value>| {
        let pool = item.get("items").is_some_and(Value::is_array);
        let fragments = field == "text" && item.get("fragments").is_some_and(Value::is_array);
        field == "scale" || (filled(item, field).is_some() && !pool && !fragments)
    };
    let always = draft.required(section) && draft.items(section).next().is_some();
    (always && !shared && draft.items(section).all(fills)).then_some(token)
}

/// The field of the chosen item that a token prints, when that is all it may print.
fn printed_field(token: &Token) -> Option<&str> {
    match token {
        Token::Whole { .. } => Some("text"),
        Token::Field { field, .. } => Some(field),
        Token::Scale { .. } => Some("scale"),
        Token::Injections | Token::Item { .. } | Token::Groups { .. } => None,
    }
}

fn write_prefix(draft: &mut Draft, token: &Token, prefix: &str) {
    let Some(field) = printed_field(token).map(str::to_owned) else {
        return;
    };
    for item in draft.items_mut(token.section()) {
        if field == "scale" {
            let scale = item.entry("scale").or_insert_with(|| json!({}));
            let template = filled_or(scale, "template", scale::TEMPLATE);
            scale["template"] = json!(format!("{prefix}\n{template}"));
        } else if let Some(Value::String(text)) = item.get_mut(&field) {
            *text = format!("{prefix}\n{text}");
        }
    }
}

fn filled_or(value: &Value, key: &str, default: &str) -> String {
    let text = value.get(key).and_then(Value::as_str);
    text.filter(|text| !text.is_empty())
        .unwrap_or(default)
        .to_owned()
}
