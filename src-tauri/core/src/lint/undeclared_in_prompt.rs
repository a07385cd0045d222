//! Undeclared and unclosed variables as they appear in the prompt, which prints them verbatim.

use std::{collections::HashSet, ops::Range};

use serde_json::Value;

use super::{Pointer, variables};
use crate::hydrate::{Part, Source};
use crate::registry::{Item, Registry, is_substituted};

/// Maximum number of names reported per segment; a hostile text has one every three bytes and each is
/// drawn separately.
const MOST: usize = 1000;

/// A name in braces that a prompt prints verbatim, because its section does not declare it or its
/// brace is not closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndeclaredName {
    /// Its bytes in the piece of the prompt, including braces.
    pub range: Range<usize>,
    /// Whether its brace is closed.
    pub closed: bool,
    /// JSON pointer of the finding, relative to the registry object.
    pub pointer: String,
}

/// The undeclared and unclosed names in a piece of a prompt that comes from there, the first
/// thousand of them.
///
/// Reports only names that lint finds in authored text, not in variable values, slider sentences or
/// printed JSON.
#[must_use]
pub fn undeclared_in(registry: &Registry, source: &Source, text: &str) -> Vec<UndeclaredName> {
    // The common case.
    if !text.contains('{') || source.variable.is_some() {
        return Vec::new();
    }
    let Some(section) = registry.section(&source.section) else {
        return Vec::new();
    };
    let item = section.items().get(source.item);
    let Some((steps, authored)) = item.and_then(|item| authored(item, source)) else {
        return Vec::new();
    };
    let pointer = || {
        let item = Pointer::item(section, source.item);
        steps.iter().fold(item, |at, step| at.key(step)).0
    };
    let jinja = variables::has_jinja(registry);
    let placeholders = variables::placeholders(authored, jinja);
    let mut undeclared: HashSet<&str> = placeholders.map(|name| &authored[name.range]).collect();
    for declared in section.template_vars() {
        undeclared.remove(declared.as_str());
    }
    let open: HashSet<&str> = variables::unclosed(authored, jinja)
        .map(|range| &authored[range])
        .collect();
    let closed = variables::placeholders(text, jinja)
        .filter(|name| undeclared.contains(&text[name.range.clone()]))
        .map(|name| (name.braced(), true));
    // A brace left open by a piece may be closed in the next one, so the authored text decides.
    let open = variables::unclosed(text, jinja)
        .filter(|range| open.contains(&text[range.clone()]))
        .map(|range| (range.start - 1..range.end, false));
    let mut found: Vec<(Range<usize>, bool)> = closed.chain(open).collect();
    found.sort_unstable_by_key(|(range, _)| range.start);
    found
        .into_iter()
        .take(MOST)
        .map(|(range, closed)| UndeclaredName {
            range,
            closed,
            pointer: pointer(),
        })
        .collect()
}

/// The authored text of a piece, with its path from the item.
fn authored<'i>(item: &'i Item, source: &Source) -> Option<(Vec<String>, &'i str)> {
    let field = match source.part {
        Part::Scale => return None,
        Part::Heading => item.heading_field()?,
        Part::Fragment => "fragments",
        Part::Text | Part::Entry | Part::Injection => &*source.field,
    };
    if !is_substituted(field) {
        return None;
    }
    let mut steps = vec![field.to_owned()];
    let mut value = item.fields().get(field)?;
    // The index of a list entry or fragment.
    if let (Value::Array(entries), Some(index)) = (value, source.fragment.or(source.entry)) {
        steps.push(index.to_string());
        value = entries.get(index)?;
    }
    if source.part == Part::Fragment {
        steps.push("text".to_owned());
        value = value.get("text")?;
    }
    value.as_str().map(|text| (steps, text))
}
