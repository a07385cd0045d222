//! The entry to add to an assembly order, so that a text is printed, and its place there.

use super::{
    list_runs::ListRuns,
    reach::{Reach, UNDER_HEADING, prints_pool_only, section_of, whole_field},
};
use crate::{
    hydrate::Token,
    registry::{Item, Registry, Section},
};

/// The section that an order ends with, whose lists merge with no others.
pub(super) const ENDINGS: &str = "prompt_endings";

/// An entry to add to an assembly order, so that a text is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The entry, such as `personas.base_directives`.
    pub token: String,
    /// The position in the order that it takes.
    pub index: usize,
}

/// The entry that prints a section which the registry's own order does not print yet, and where it
/// belongs there: after the entries of the sections before it in canonical order, not after the
/// endings, and not between lists that print as one. `None` if there is no such section, an entry
/// prints the main text of one of its items already, or no entry can be written for it.
///
/// # Examples
///
/// ```
/// use promptdeck_core::{registry, unprinted::section_insertion};
/// use serde_json::json;
///
/// let parsed = registry::parse(br#"{
///     "assembly_order": ["base_context", "prompt_endings"],
///     "base_context": {"items": [{"id": "inn", "text": "An inn."}]},
///     "prompt_endings": {"items": [{"id": "end", "items": ["Answer now."]}]}
/// }"#)?;
/// let rules = json!({"items": [{"id": "first", "text": ""}]});
/// let registry = parsed.registry.with_section("rules", &rules)?;
/// let insertion = section_insertion(&registry, "rules").expect("an entry");
/// assert_eq!((insertion.token.as_str(), insertion.index), ("rules", 1));
/// # Ok::<(), registry::ParseError>(())
/// ```
#[must_use]
pub fn section_insertion(registry: &Registry, section: &str) -> Option<Insertion> {
    let section = registry.section(section)?;
    let reach = Reach::new(registry, registry.assembly_order());
    let is_printed = section.items().iter().any(|item| {
        reach.entry_prints(
            section,
            item,
            whole_field(section, item),
            section.required(),
        )
    });
    if is_printed {
        return None;
    }
    reach.section_insertion(section)
}

impl Reach<'_> {
    /// The entry that prints the field, and where it belongs: before the first entry that prints a
    /// field below it in the item, else after the last entry of the section, else after those of the
    /// sections before it in canonical order; not after the endings, and not between lists that print
    /// as one. `None` if no entry can be written for it.
    pub fn insertion(&self, section: &Section, item: &Item, field: &str) -> Option<Insertion> {
        let list = UNDER_HEADING
            .into_iter()
            .find(|list| item.fields().contains_key(*list));
        let printed = match list {
            Some(list) if item.heading_field() == Some(field) => list,
            _ if field == "fragments" => "text",
            _ => field,
        };
        let is_whole_field =
            whole_field(section, item) == printed && !prints_pool_only(section, item);
        let bare = is_whole_field && !self.names(section);
        let token = self.written(section, (!bare).then_some(printed))?;
        let token_field = match field {
            "fragments" if !item.fields().contains_key("text") => field,
            _ => printed,
        };
        let position = self
            .position_above(section, item, token_field)
            .unwrap_or_else(|| self.position_after(section));
        Some(self.placed(section, &token, position))
    }

    /// The entry that prints a section that none names, and where it belongs. `None` if no entry can
    /// be written for it.
    pub fn section_insertion(&self, section: &Section) -> Option<Insertion> {
        let mut items = section.items().iter();
        let pools =
            !section.items().is_empty() && items.all(|item| prints_pool_only(section, item));
        let token = self.written(section, pools.then_some("items"))?;
        Some(self.placed(section, &token, self.position_after(section)))
    }

    /// The entry for a field of a section, or for the section as a whole.
    pub(super) fn written(&self, section: &Section, field: Option<&str>) -> Option<Token> {
        let name = section.name();
        let text = match field {
            Some(field) => format!("{name}.{field}"),
            None => name.to_owned(),
        };
        let token = Token::parse(&text).ok()?;
        // A section whose own name holds a dot or a bracket can't be followed by a field.
        let reads_back = section_of(&token, self.registry)?.name() == name
            && match &token {
                Token::Bare { .. } => field.is_none(),
                Token::Dotted { field: read, .. } => Some(read.as_str()) == field,
                Token::Bracket { .. } => false,
            };
        reads_back.then_some(token)
    }

    /// The position of the first entry that prints a field below this one in the item.
    fn position_above(&self, section: &Section, item: &Item, field: &str) -> Option<usize> {
        let reach = self.sections.get(section.name())?;
        let place = |field: &str| item.fields().keys().position(|name| name == field);
        let field_position = place(field)?;
        let entries = reach.fields.iter().zip(&reach.field_positions);
        let fields = entries.map(|(named, position)| (named.as_str(), *position));
        let whole = (whole_field(section, item), reach.bare_position);
        let below = fields
            .chain([whole])
            .filter(|(named, _)| place(named).is_some_and(|place| place > field_position));
        below.filter_map(|(_, position)| position).min()
    }

    /// The position after the last entry of the section, else after those of the sections before it.
    fn position_after(&self, section: &Section) -> usize {
        let last = |section: &Section| self.sections.get(section.name())?.last;
        if let Some(last) = last(section) {
            return last + 1;
        }
        let known = self.registry.canonical_sections();
        known
            .take_while(|known| known.name() != section.name())
            .filter_map(|known| last(known))
            .max()
            .map_or(0, |last| last + 1)
    }

    /// The entry at the position, or at the nearest one before it where an author would put it.
    fn placed(&self, section: &Section, token: &Token, position: usize) -> Insertion {
        let runs = self
            .list_runs
            .get_or_init(|| ListRuns::new(self.registry, self.order));
        let is_list = runs.is_list(token);
        let mut index = position.min(self.order.len());
        while index > 0 {
            let before = self.section_at(index - 1);
            let follows_ending = before == Some(ENDINGS) && section.name() != ENDINGS;
            // A list of the section may be added at the same place.
            let parts_own_list = !is_list
                && before == Some(section.name())
                && self.section_at(index) != before
                && runs.continues(section, index);
            if !follows_ending && !parts_own_list && !runs.are_parted_by(token, index) {
                break;
            }
            index -= 1;
        }
        Insertion {
            token: token.to_string(),
            index,
        }
    }

    /// The section that the entry at a position leads to.
    fn section_at(&self, position: usize) -> Option<&str> {
        let token = Token::parse(self.order.get(position)?).ok()?;
        Some(section_of(&token, self.registry)?.name())
    }
}
