//! Bracket look-ups: the tokens that can be inside a bracket, and brackets that can never match an
//! item.

use std::collections::BTreeSet;

use promptdeck_python::text::strip;
use serde_json::Value;

use super::{
    DataKey, DiagnosticData, Findings, Order, Pointer, Registry, Section, codes, named,
    tokens::may_have_scale, variables::has_jinja,
};
use crate::{
    hydrate::{State, TemplateNames, Token, variables_in},
    registry::NAME_LISTS,
};

pub(super) fn check(registry: &Registry, orders: &[Order<'_>], findings: &mut Findings) {
    for order in orders {
        for (index, text) in order.tokens.iter().enumerate() {
            if let Ok(token) = Token::parse(text) {
                check_token(&token, registry, &order.pointer.index(index), findings);
            }
        }
    }
}

/// The tokens that complete a bracket left open at the end of `typed`, as in `section[` or
/// `section[other[`, without those that can match no item. Text after the last open bracket is
/// ignored.
#[must_use]
pub fn look_ups(registry: &Registry, typed: &str) -> Vec<String> {
    let Some((outer, _)) = typed.trim_end_matches(']').rsplit_once('[') else {
        return Vec::new();
    };
    let close = "]".repeat(outer.matches('[').count() + 1);
    let fits = |inner: &String| {
        let token = format!("{outer}[{inner}{close}");
        Token::parse(&token).is_ok_and(|token| can_match(&token, registry))
    };
    let sections = registry.sections().values();
    let inner = sections
        .flat_map(|section| candidates(section))
        .filter(fits);
    inner
        .map(|inner| format!("{outer}[{inner}{close}"))
        .collect()
}

/// The tokens that print part of a section: the section, its fields, its items.
fn candidates(section: &Section) -> Vec<String> {
    let items = section.items().iter();
    let scale = may_have_scale(section, Some(&State::default())).then_some("scale");
    let names: BTreeSet<&str> = items
        .flat_map(|item| {
            let fields = item.fields().keys().map(String::as_str);
            fields.chain(item.label())
        })
        .filter(|name| !NAME_LISTS.contains(name) && *name != "fragments")
        .chain(scale)
        .collect();
    let dotted = names
        .iter()
        .map(|name| format!("{}.{name}", section.name()));
    std::iter::once(section.name().to_owned())
        .chain(dotted)
        .collect()
}

/// Whether every section named by a token exists and every bracket can match.
fn can_match(token: &Token, registry: &Registry) -> bool {
    let inner = match token {
        Token::Bracket { inner, .. } => can_match(inner, registry),
        Token::Bare { .. } | Token::Dotted { .. } => true,
    };
    inner && named(token.section(), registry).is_some() && mismatch(token, registry).is_none()
}

fn check_token(token: &Token, registry: &Registry, pointer: &Pointer, findings: &mut Findings) {
    let Token::Bracket { inner, .. } = token else {
        return;
    };
    check_token(inner, registry, pointer, findings);
    let Some(Mismatch { target, texts }) = mismatch(token, registry) else {
        return;
    };
    let samples: Vec<String> = texts.into_iter().take(3).collect();
    let found = if samples.is_empty() {
        "it gives no text".to_owned()
    } else {
        let quoted: Vec<String> = samples.iter().map(|text| format!("{text:?}")).collect();
        format!("it gives {}", quoted.join(", "))
    };
    let message = format!("entry \"{token}\" can match no item of {target:?}: {found}");
    let data = DiagnosticData::of(DataKey::Token, token.to_string())
        .with(DataKey::Section, target)
        .with(DataKey::Texts, samples);
    findings.error(codes::BRACKET_WITHOUT_MATCH, pointer, message, data);
}

/// Why a bracket can match no item.
struct Mismatch<'r> {
    /// Name of the section whose items the bracket looks up.
    target: &'r str,
    /// Texts that the inner token can print.
    texts: Vec<String>,
}

/// The reason why the outermost bracket of a token matches no item under any selection.
fn mismatch<'r>(token: &Token, registry: &'r Registry) -> Option<Mismatch<'r>> {
    let Token::Bracket { section, inner } = token else {
        return None;
    };
    let target = named(section, registry)?;
    let texts = texts_of(inner, registry)?;
    let mut names = target
        .items()
        .iter()
        .flat_map(|item| item.name().into_iter().chain(item.id()));
    // Several entries or items print several lines, which no item name can match.
    let matched = names.any(|name| name.contains('\n') || texts.iter().any(|text| text == name));
    (!matched).then(|| Mismatch {
        target: target.name(),
        texts,
    })
}

/// The one-line texts that a token can print; `None` if they are not known statically.
fn texts_of(token: &Token, registry: &Registry) -> Option<Vec<String>> {
    let section = named(token.section(), registry)?;
    let mut texts = Vec::new();
    for item in section.items() {
        let mut add = |field: &str| {
            let fragments = field == "text" && item.fragments().next().is_some();
            let found = item.fields().get(field).unwrap_or(&Value::Null);
            add_texts(registry, section, found, &mut texts).filter(|()| !fragments)
        };
        let mut add_whole = || {
            if item.pool().is_some() {
                add("items")?;
            }
            add(section.primary_field())
        };
        match token {
            Token::Bare { .. } | Token::Bracket { .. } => add_whole()?,
            // A slider's sentence depends on its value.
            Token::Dotted { field, .. } if field == "scale" && may_have_scale(section, None) => {
                return None;
            }
            Token::Dotted { field, .. } => {
                if item.label() == Some(field) {
                    add_whole()?;
                }
                if item.fields().contains_key(field) {
                    add(field)?;
                } else if item.pool().is_some() {
                    add("items")?;
                }
            }
        }
    }
    Some(texts)
}

/// Adds the texts that a value can print as; `None` if they are not known statically.
fn add_texts(
    registry: &Registry,
    section: &Section,
    value: &Value,
    texts: &mut Vec<String>,
) -> Option<()> {
    match value {
        Value::Null => {}
        Value::String(text) if !substitutes(registry, section, text) => {
            texts.push(strip(text).to_owned());
        }
        Value::Array(entries) => {
            for entry in entries {
                add_texts(registry, section, entry, texts).filter(|()| entry.is_string())?;
            }
        }
        _ => return None,
    }
    Some(())
}

fn substitutes(registry: &Registry, section: &Section, text: &str) -> bool {
    let names = TemplateNames::new(section.template_vars());
    !variables_in(text, &names, has_jinja(registry)).is_empty()
}
