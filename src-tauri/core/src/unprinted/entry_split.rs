//! The entries that keep a text in the prompt when its item gets a list that prints in its place.

use promptdeck_python::text::strip;
use serde_json::Value;

use super::reach::{Reach, orders, whole_field};
use crate::{
    hydrate::Token,
    registry::{Item, Registry},
};

/// An entry of an assembly order that a new list would turn from the text of its item to the list, and
/// the entries that print both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntrySplit {
    /// The route whose order it is in; none for the registry's own.
    pub route: Option<String>,
    /// The position of the entry.
    pub index: usize,
    /// The entries that take its place.
    pub tokens: Vec<String>,
}

/// The entries to split when an item of a section changes from `before` to `after`: those that print
/// the item as a whole, which is the text without a list and the list with one. Each becomes an entry
/// for the text and one for the list, unless another entry of its order prints that already.
///
/// # Examples
///
/// ```
/// use promptdeck_core::{registry, unprinted::entry_splits};
/// use serde_json::json;
///
/// let before = registry::parse(br#"{
///     "assembly_order": ["rules"],
///     "rules": {"items": [{"id": "first", "text": "Be kind."}]}
/// }"#)?.registry;
/// let value = json!({"items": [{"id": "first", "text": "Be kind.", "items": [""]}]});
/// let after = before.with_section("rules", &value)?;
/// let splits = entry_splits(&before, &after, "rules", 0);
/// assert_eq!(splits[0].tokens, ["rules.text", "rules.items"]);
/// # Ok::<(), registry::ParseError>(())
/// ```
#[must_use]
pub fn entry_splits(
    before: &Registry,
    after: &Registry,
    section: &str,
    item: usize,
) -> Vec<EntrySplit> {
    let (Some(old), Some(new)) = (before.section(section), after.section(section)) else {
        return Vec::new();
    };
    let (Some(old_item), Some(new_item)) = (old.items().get(item), new.items().get(item)) else {
        return Vec::new();
    };
    let text = whole_field(old, old_item);
    let list = whole_field(new, new_item);
    if text == list || !has_text(old_item, text) {
        return Vec::new();
    }
    let split = |(route, order): (Option<&str>, &[String])| -> Option<EntrySplit> {
        let reach = Reach::new(after, order);
        if reach.prints(new, new_item, text, true) {
            return None;
        }
        let bare = |entry: &String| {
            matches!(Token::parse(entry), Ok(token @ Token::Bare { .. })
                if reach.section(&token).is_some_and(|found| found.name() == new.name()))
        };
        let index = order.iter().position(bare)?;
        let named = |field: &str| reach.fields(new).iter().any(|named| named == field);
        let fields = [text, list].into_iter().filter(|field| !named(field));
        let tokens: Option<Vec<_>> = fields
            .map(|field| Some(reach.written(new, Some(field))?.to_string()))
            .collect();
        Some(EntrySplit {
            route: route.map(str::to_owned),
            index,
            tokens: tokens?,
        })
    };
    orders(before).filter_map(split).collect()
}

/// Whether the item has something to print in a field.
fn has_text(item: &Item, field: &str) -> bool {
    let value = item.fields().get(field);
    value
        .and_then(Value::as_str)
        .is_some_and(|text| !strip(text).is_empty())
        || (field == "text" && item.fragments().next().is_some())
}
