//! Bracket look-ups whose inner token can never give the name of an item.

use promptdeck_python::text::strip;
use serde_json::Value;

use super::{Findings, Order, Pointer, Registry, Section, named};
use crate::hydrate::Token;

pub(super) fn check(registry: &Registry, orders: &[Order<'_>], findings: &mut Findings) {
    for order in orders {
        for (index, text) in order.tokens.iter().enumerate() {
            if let Ok(token) = Token::parse(text) {
                check_token(&token, registry, &order.pointer.index(index), findings);
            }
        }
    }
}

fn check_token(token: &Token, registry: &Registry, pointer: &Pointer, findings: &mut Findings) {
    let Token::Bracket { section, inner } = token else {
        return;
    };
    check_token(inner, registry, pointer, findings);
    let (Some(target), Some(texts)) = (named(section, registry), texts_of(inner, registry)) else {
        return;
    };
    let matches = |text: &&str| {
        target
            .items()
            .iter()
            .any(|item| item.name() == Some(text) || item.id() == Some(text))
    };
    if !texts.iter().any(|text| matches(&text.as_str())) {
        let samples: Vec<String> = texts
            .iter()
            .take(3)
            .map(|text| format!("{text:?}"))
            .collect();
        let found = if samples.is_empty() {
            "it gives no text".to_owned()
        } else {
            format!("it gives {}", samples.join(", "))
        };
        let message = format!(
            "entry \"{token}\" can match no item of {:?}: {found}",
            target.name()
        );
        findings.error("bracket_without_match", pointer, message);
    }
}

/// The texts that a token can give, one for each item; `None` when they cannot be told beforehand.
fn texts_of(token: &Token, registry: &Registry) -> Option<Vec<String>> {
    let section = named(token.section(), registry)?;
    let field = match token {
        Token::Dotted { field, .. } => field.as_str(),
        Token::Bare { .. } | Token::Bracket { .. } => section.primary_field(),
    };
    let mut texts = Vec::new();
    for item in section.items() {
        let listed = item.pool().is_some() || item.fragments().next().is_some();
        match item.fields().get(field) {
            Some(Value::String(text)) if !listed && !substitutes(section, text) => {
                texts.push(strip(text).to_owned());
            }
            None | Some(Value::Null) if !listed => {}
            _ => return None,
        }
    }
    // A dotted token may also mean the item of that name.
    let by_name = |name: &str| {
        section
            .items()
            .iter()
            .any(|item| item.identity() == Some(name))
    };
    (!by_name(field)).then_some(texts)
}

fn substitutes(section: &Section, text: &str) -> bool {
    section
        .template_vars()
        .iter()
        .any(|variable| text.contains(&format!("{{{variable}}}")))
}
