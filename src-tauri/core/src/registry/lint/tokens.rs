//! Tokens that name nothing, and sections that no token names.

use std::collections::BTreeSet;

use super::{Findings, Order, Pointer, Registry, Section, named};
use crate::{
    hydrate::{State, Token},
    nearest::did_you_mean,
};

pub(super) fn check(
    registry: &Registry,
    orders: &[Order<'_>],
    state: &State,
    findings: &mut Findings,
) {
    let mut rendered = BTreeSet::new();
    for order in orders {
        for (index, text) in order.tokens.iter().enumerate() {
            let pointer = order.pointer.index(index);
            match Token::parse(text) {
                Ok(token) => {
                    check_token(&token, registry, state, &pointer, findings);
                    collect(&token, registry, &mut rendered);
                }
                Err(error) => findings.error("token_malformed", &pointer, error.to_string()),
            }
        }
    }
    for section in registry.sections().values() {
        // Active injections print themselves.
        if section.name() != "runtime_injections" && !rendered.contains(section.name()) {
            let message = format!(
                "no assembly order renders {:?}; add a token for it, or remove the section",
                section.name()
            );
            findings.warning(
                "section_not_rendered",
                &Pointer::to(section.name()),
                message,
            );
        }
    }
}

fn collect<'r>(token: &Token, registry: &'r Registry, rendered: &mut BTreeSet<&'r str>) {
    rendered.extend(named(token.section(), registry).map(Section::name));
    if let Token::Bracket { inner, .. } = token {
        collect(inner, registry, rendered);
    }
}

fn check_token(
    token: &Token,
    registry: &Registry,
    state: &State,
    pointer: &Pointer,
    findings: &mut Findings,
) {
    let Some(section) = named(token.section(), registry) else {
        let message = format!(
            "token \"{token}\" names the section {:?}, which is not in this registry{}",
            token.section(),
            did_you_mean(
                token.section(),
                registry.sections().keys().map(String::as_str)
            )
        );
        return findings.error("unknown_section", pointer, message);
    };
    match token {
        Token::Dotted { field, .. } if !has_field(section, field, state) => {
            let message = format!(
                "token \"{token}\": no item of {:?} has a field {field:?}, a pool, or that name{}",
                section.name(),
                did_you_mean(field, fields(section))
            );
            findings.warning("unknown_field", pointer, message);
        }
        Token::Bare { .. } if !section.required() && only_pools(section) => {
            let message = format!(
                "token \"{token}\" prints no pool, as {:?} is optional; write \"{token}.items\"",
                section.name()
            );
            findings.warning("pool_needs_field", pointer, message);
        }
        Token::Bracket { inner, .. } => check_token(inner, registry, state, pointer, findings),
        _ => {}
    }
}

/// Whether a dotted token with this field can print anything, whatever is selected. A slider that
/// the call sets makes a scale as well as one that is baked.
fn has_field(section: &Section, field: &str, state: &State) -> bool {
    let scale = field == "scale"
        && (section.name() == "sentiment"
            || section.defaults().slider.is_some()
            || section.defaults().slider_random.is_some()
            || section.defaults().scale_template.is_some()
            || state.sliders.contains_key(section.name())
            || state.slider_random.contains_key(section.name()));
    scale
        || section.items().iter().any(|item| {
            item.fields().contains_key(field)
                || item.name() == Some(field)
                || item.id() == Some(field)
                || item.pool().is_some()
                || (field == "text" && item.fragments().next().is_some())
        })
}

/// The fields of the items, and their names.
fn fields(section: &Section) -> impl Iterator<Item = &str> {
    let items = section.items().iter();
    items.flat_map(|item| {
        let fields = item.fields().keys().map(String::as_str);
        fields.chain(item.name()).chain(item.id())
    })
}

/// Whether the items hold pools where a bare token looks for texts.
fn only_pools(section: &Section) -> bool {
    let mut items = section.items().iter();
    items.any(|item| item.pool().is_some())
        && section.items().iter().all(|item| {
            item.pool().is_some() && !item.fields().contains_key(section.primary_field())
        })
}
