//! The initial view of an imported registry: the order of its cards, the target of requests.

use std::path::Path;

use promptdeck_core::hydrate::Token;
use promptdeck_core::import::SourceKind;
use promptdeck_core::registry::{self, Registry};
use promptdeck_store::{Store, StoreError};
use serde_json::Value;

use crate::store_handle::view_setting;
use crate::wire::View;
use crate::{ServiceError, snapshots};

/// Stores the initial view of the registry file that a document of this kind was imported into, unless it
/// is the default. The store is opened only then.
///
/// # Errors
/// If the store cannot be opened or written. The registry then opens with its cards in canonical order.
pub fn save_first_view(
    open: impl FnOnce() -> Result<Store, StoreError>,
    file: &Path,
    kind: SourceKind,
    registry: &str,
) -> Result<(), ServiceError> {
    let Some(view) = first_view(kind, registry) else {
        return Ok(());
    };
    let setting = view_setting(&snapshots::key(file));
    Ok(open()?.set_setting(&setting, &serde_json::to_string(&view)?)?)
}

/// The initial view of an imported registry, unless it is the default: the target of requests that the
/// document is for, and the cards in the order in which they print.
pub(super) fn first_view(kind: SourceKind, registry: &str) -> Option<View> {
    let parsed = registry::parse(registry.as_bytes()).ok()?;
    // The author of a registry laid its cards out in canonical order.
    let order = match kind {
        SourceKind::Registry => Vec::new(),
        _ => printed_order(&parsed.registry),
    };
    let view = View {
        order,
        target: target_of(kind, &parsed.registry).map(str::to_owned),
        ..View::default()
    };
    (view != View::default()).then_some(view)
}

/// The sections as the assembly order prints them first, then those it does not name; nothing if that is
/// their canonical order.
fn printed_order(registry: &Registry) -> Vec<String> {
    let canonical: Vec<&str> = registry
        .canonical_sections()
        .map(|section| section.name())
        .collect();
    let tokens = registry.assembly_order();
    let printed = tokens.iter().filter_map(|token| Token::parse(token).ok());
    let printed: Vec<Token> = printed.collect();
    let printed = printed.iter().map(Token::section);
    let mut order: Vec<&str> = Vec::new();
    for name in printed.chain(canonical.iter().copied()) {
        if canonical.contains(&name) && !order.contains(&name) {
            order.push(name);
        }
    }
    match order == canonical {
        true => Vec::new(),
        false => order.into_iter().map(str::to_owned).collect(),
    }
}

/// The target of requests, as a view names it, that a document of a program with messages is for.
fn target_of(kind: SourceKind, registry: &Registry) -> Option<&'static str> {
    let is_of_messages = matches!(
        kind,
        SourceKind::Messages | SourceKind::Dotprompt | SourceKind::Prompty
    );
    let model = is_of_messages.then(|| registry.generation().get("model"))?;
    match model.and_then(Value::as_str) {
        Some(model) if model.to_lowercase().contains("gemini") => Some("gemini"),
        None if kind == SourceKind::Dotprompt => None,
        _ => Some("openai"),
    }
}
