//! Tokens that name nothing, tokens that omit part of an item, and sections that no token names.

use std::collections::{BTreeSet, HashMap};

use promptdeck_json::nearest::{hint, nearest};
use promptdeck_python::text::strip;
use serde_json::Value;

use super::{
    DataKey, DiagnosticData, Findings, Order, Pointer, Registry, Section, codes, item_data, named,
    title, unreached::insertion_data,
};
use crate::{
    hydrate::{MAX_DEPTH, State, Token, TokenError, has_slider},
    registry::Item,
    unprinted::Reach,
};

pub(super) fn check(
    registry: &Registry,
    orders: &[Order<'_>],
    state: &State,
    findings: &mut Findings,
) {
    let mut rendered = BTreeSet::new();
    check_orders(registry, orders, Some(state), findings);
    for order in orders {
        let parsed: Vec<(usize, Token)> = order
            .tokens
            .iter()
            .enumerate()
            .filter_map(|(index, text)| Some((index, Token::parse(text).ok()?)))
            .collect();
        let reach = Reach::new(registry, order.tokens);
        let mut named_in_order: HashMap<&str, NamedParts<'_>> = HashMap::new();
        for (_, token) in &parsed {
            if let Some(section) = named(token.section(), registry) {
                named_in_order.entry(section.name()).or_default().add(token);
            }
        }
        for (index, token) in &parsed {
            collect(token, registry, &mut rendered);
            let Some(section) = named(token.section(), registry) else {
                continue;
            };
            let pointer = order.pointer.index(*index);
            let parts = &named_in_order[section.name()];
            check_fragments((token, section), parts, &reach, order, &pointer, findings);
            check_pools((token, section), parts, &reach, order, &pointer, findings);
            check_repeated_lists((token, section), parts, &pointer, findings);
        }
    }
    let used = orders.first();
    let used = used.map(|order| (Reach::new(registry, order.tokens), order));
    for section in registry.sections().values() {
        // Active injections are printed without a token.
        if section.name() != "runtime_injections" && !rendered.contains(section.name()) {
            let message = format!(
                "no assembly order prints {:?}; add an entry for it, or remove the section",
                section.name()
            );
            let data = DiagnosticData::of(DataKey::Section, section.name());
            let data = match &used {
                Some((reach, order)) => {
                    data.and(insertion_data(reach.section_insertion(section), order))
                }
                None => data,
            };
            findings.warning(
                codes::SECTION_NOT_RENDERED,
                &Pointer::to(section.name()),
                message,
                data,
            );
        }
    }
}

/// What the tokens of an order name of one section. Gathered once for all of them: each asks for the
/// others, and looking through the order for each would take the square of its length.
#[derive(Default)]
struct NamedParts<'t> {
    /// How many name whole items.
    whole: usize,
    /// How many name a field or an item after the dot, by that name.
    dotted: HashMap<&'t str, usize>,
}

impl<'t> NamedParts<'t> {
    fn add(&mut self, token: &'t Token) {
        match token {
            Token::Dotted { field, .. } => *self.dotted.entry(field).or_default() += 1,
            Token::Bare { .. } | Token::Bracket { .. } => self.whole += 1,
        }
    }

    /// How many tokens name this after the dot.
    fn count(&self, name: &str) -> usize {
        self.dotted.get(name).copied().unwrap_or_default()
    }
}

/// Checks for invalid tokens and tokens that print nothing: under a state, or under any state.
pub(super) fn check_orders(
    registry: &Registry,
    orders: &[Order<'_>],
    state: Option<&State>,
    findings: &mut Findings,
) {
    for order in orders {
        for (index, text) in order.tokens.iter().enumerate() {
            let pointer = order.pointer.index(index);
            match Token::parse(text) {
                Ok(token) => check_token(&token, registry, state, &pointer, findings),
                Err(error) => findings.error(
                    codes::TOKEN_MALFORMED,
                    &pointer,
                    error.to_string(),
                    match error {
                        TokenError::NoSection(_) => DiagnosticData::of(DataKey::Token, &**text),
                        TokenError::TooDeep(_) => DiagnosticData::of(DataKey::Token, &**text)
                            .with(DataKey::Maximum, MAX_DEPTH),
                    },
                ),
            }
        }
    }
}

fn collect<'r>(token: &Token, registry: &'r Registry, rendered: &mut BTreeSet<&'r str>) {
    rendered.extend(named(token.section(), registry).map(Section::name));
    if let Token::Bracket { inner, .. } = token {
        collect(inner, registry, rendered);
    }
}

/// Whether brackets are unbalanced.
fn unpaired(token: &str) -> bool {
    let depth = token
        .chars()
        .try_fold(0_usize, |depth, character| match character {
            '[' => Some(depth + 1),
            ']' => depth.checked_sub(1),
            _ => Some(depth),
        });
    depth != Some(0)
}

/// Reports a token that prints nothing under any selection as an error.
fn check_token(
    token: &Token,
    registry: &Registry,
    state: Option<&State>,
    pointer: &Pointer,
    findings: &mut Findings,
) {
    let data = DiagnosticData::of(DataKey::Token, token.to_string());
    let Some(section) = named(token.section(), registry) else {
        if unpaired(&token.to_string()) {
            let message =
                format!("entry \"{token}\" has a bracket without its pair; write section[entry]");
            return findings.error(codes::BRACKET_NOT_PAIRED, pointer, message, data);
        }
        let suggestion = nearest(
            token.section(),
            registry.sections().keys().map(String::as_str),
        );
        let message = format!(
            "entry \"{token}\" names the section {:?}, which is not in this registry{}",
            token.section(),
            hint(suggestion)
        );
        let data = data
            .with(DataKey::Section, token.section())
            .with_some(DataKey::Suggestion, suggestion);
        return findings.error(codes::UNKNOWN_SECTION, pointer, message, data);
    };
    match token {
        Token::Dotted { field, .. } if !has_field(section, field, state) => {
            let first = || nearest(field.split_once('.')?.0, fields(section));
            let suggestion = nearest(field, fields(section)).or_else(first);
            let data = data
                .with(DataKey::Section, section.name())
                .with(DataKey::Field, field.as_str())
                .with_some(DataKey::Suggestion, suggestion);
            let message = format!(
                "entry \"{token}\": no item of {:?} has a field {field:?} or that name",
                section.name(),
            );
            let mut items = section.items().iter();
            if !items.any(|item| has_list(item)) {
                let message = format!("{message}{}", hint(suggestion));
                return findings.error(codes::UNKNOWN_FIELD, pointer, message, data);
            }
            let list = format!("{}.items", token.section());
            let way_out = match suggestion {
                None => format!("; write \"{list}\" if it is meant"),
                suggestion => hint(suggestion),
            };
            let message = format!("{message}, so the list in \"items\" is printed{way_out}");
            let data = data
                .with(DataKey::PrintedField, "items")
                .with(DataKey::Replacement, list);
            findings.warning(codes::UNKNOWN_FIELD, pointer, message, data);
        }
        Token::Bare { .. } if !section.required() && only_pools(section) => {
            let message = format!(
                "entry \"{token}\" prints no pool, as {:?} is optional; write \"{token}.items\"",
                section.name()
            );
            let data = data
                .with(DataKey::Section, section.name())
                .with(DataKey::Replacement, format!("{token}.items"));
            findings.error(codes::POOL_NEEDS_FIELD, pointer, message, data);
        }
        Token::Bracket { inner, .. } => check_token(inner, registry, state, pointer, findings),
        _ => {}
    }
}

/// Reports fragments that no token of the order prints, because the tokens print another field of
/// their item.
fn check_fragments(
    (token, section): (&Token, &Section),
    parts: &NamedParts<'_>,
    reach: &Reach<'_>,
    order: &Order<'_>,
    pointer: &Pointer,
    findings: &mut Findings,
) {
    if parts.count("text") > 0 {
        return;
    }
    let printed = |item: &Item| printed_field(token, section, item);
    let mut unprinted = section
        .items()
        .iter()
        .enumerate()
        .filter(|(_, item)| item.fragments().next().is_some())
        .filter(|(_, item)| prints_item(token, item) && printed(item) != "text");
    let Some((first, item)) = unprinted.next() else {
        return;
    };
    let others = Some(unprinted.count()).filter(|count| *count > 0);
    let and_others = others.map_or_else(String::new, |count| format!(" and {count} more"));
    let message = format!(
        "entry \"{token}\" prints the field {:?} of {}{and_others} and leaves the fragments out; add an \
         entry \"{}.text\", or move them to an item whose text is printed",
        printed(item),
        title(section, first),
        section.name()
    );
    let data = item_data(section, first)
        .with(DataKey::Token, token.to_string())
        .with(DataKey::Field, "fragments")
        .with(DataKey::PrintedField, printed(item))
        .with(DataKey::Replacement, format!("{}.text", section.name()))
        .with_some(DataKey::Count, others)
        .and(insertion_data(
            reach.insertion(section, item, "fragments"),
            order,
        ));
    findings.warning(codes::FRAGMENTS_NOT_PRINTED, pointer, message, data);
}

/// Warns about a text that its item's pool replaces, unless another token of the order prints it.
fn check_pools(
    (token, section): (&Token, &Section),
    parts: &NamedParts<'_>,
    reach: &Reach<'_>,
    order: &Order<'_>,
    pointer: &Pointer,
    findings: &mut Findings,
) {
    let field = section.primary_field();
    if parts.count(field) > 0 {
        return;
    }
    let replaced = section.items().iter().enumerate().find(|(_, item)| {
        let text = item.fields().get(field).and_then(Value::as_str);
        prints_item(token, item)
            && printed_field(token, section, item) == "items"
            && text.is_some_and(|text| !strip(text).is_empty())
    });
    if let Some((index, item)) = replaced {
        let message = format!(
            "entry \"{token}\" prints the field \"items\" of {}, so its {field:?} is not printed; \
             add an entry \"{}.{field}\", or remove one of the two fields",
            title(section, index),
            section.name()
        );
        let data = item_data(section, index)
            .with(DataKey::Token, token.to_string())
            .with(DataKey::Field, field)
            .with(DataKey::PrintedField, "items")
            .with(DataKey::Replacement, format!("{}.{field}", section.name()))
            .and(insertion_data(reach.insertion(section, item, field), order));
        findings.warning(codes::TEXT_NOT_PRINTED, pointer, message, data);
    }
}

/// Warns about an item without the field that a token names, if the token prints the item's list in its
/// place and another token prints that list too.
fn check_repeated_lists(
    (token, section): (&Token, &Section),
    parts: &NamedParts<'_>,
    pointer: &Pointer,
    findings: &mut Findings,
) {
    let Token::Dotted { field, .. } = token else {
        return;
    };
    let single = section.required() || section.defaults().section_random == Some(true);
    let items = section.items();
    // A field that no item has is reported already.
    if !single
        || field == "scale"
        || !items.iter().any(|item| item_has_field(item, field))
        || items.iter().any(|item| item.label() == Some(field))
    {
        return;
    }
    let named_by_another = |name: &str| parts.count(name) > usize::from(name == field);
    let prints_whole = parts.whole > 0 || named_by_another("items");
    let prints_list = |item: &Item| prints_whole || item.label().is_some_and(named_by_another);
    let mut repeated = items.iter().enumerate();
    let repeated = repeated
        .find(|(_, item)| has_list(item) && !item_has_field(item, field) && prints_list(item));
    if let Some((item, _)) = repeated {
        let message = format!(
            "entry \"{token}\": {} has no field {field:?}, so its list in \"items\" is printed a \
             second time",
            title(section, item)
        );
        let data = item_data(section, item)
            .with(DataKey::Token, token.to_string())
            .with(DataKey::Field, field.as_str())
            .with(DataKey::PrintedField, "items");
        findings.warning(codes::UNKNOWN_FIELD, pointer, message, data);
    }
}

/// Whether a token prints an item as a whole rather than one of its fields.
fn prints_item(token: &Token, item: &Item) -> bool {
    match token {
        Token::Dotted { field, .. } => item.label() == Some(field.as_str()),
        Token::Bare { .. } | Token::Bracket { .. } => true,
    }
}

/// The field that a token prints of an item. A whole item prints its pool, if it has one, instead
/// of its primary field.
fn printed_field<'s>(token: &Token, section: &'s Section, item: &Item) -> &'s str {
    let single = section.required()
        || section.defaults().section_random == Some(true)
        || !matches!(token, Token::Bare { .. });
    match item.pool() {
        Some(_) if single => "items",
        _ => section.primary_field(),
    }
}

/// Whether a dotted token with this field can print what it names under some selection. A slider counts
/// if it is built in or set by the call; without a state, any slider counts.
fn has_field(section: &Section, field: &str, state: Option<&State>) -> bool {
    (field == "scale" && may_have_scale(section, state))
        || section
            .items()
            .iter()
            .any(|item| item_has_field(item, field) || item.label() == Some(field))
}

/// Whether an item has the field; fragments make a `text`.
fn item_has_field(item: &Item, field: &str) -> bool {
    item.fields().contains_key(field) || (field == "text" && item.fragments().next().is_some())
}

/// Whether an item has a list to print for a field that nothing has.
fn has_list(item: &Item) -> bool {
    item.pool().is_some_and(|pool| !pool.is_empty())
}

/// Whether the section has a slider under a state; without one, any slider counts.
pub(super) fn may_have_scale(section: &Section, state: Option<&State>) -> bool {
    state.is_none_or(|state| has_slider(section, state))
}

/// The names of the items and the fields they have.
fn fields(section: &Section) -> impl Iterator<Item = &str> {
    let items = section.items().iter();
    items.flat_map(|item| {
        let fields = item.fields().keys().map(String::as_str);
        fields.chain(item.label())
    })
}

/// Whether the items have only pools where a bare token expects texts.
fn only_pools(section: &Section) -> bool {
    let mut items = section.items().iter();
    items.any(|item| item.pool().is_some())
        && section.items().iter().all(|item| {
            item.pool().is_some() && !item.fields().contains_key(section.primary_field())
        })
}
