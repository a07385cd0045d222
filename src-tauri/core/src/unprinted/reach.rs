//! What the entries of an assembly order can print of a section, whatever is selected and rolled.

use std::{cell::OnceCell, collections::BTreeMap};

use super::list_runs::ListRuns;
use crate::{
    hydrate::{Token, resolve_section},
    registry::{Item, LABEL_FIELDS, NAME_LISTS, Registry, Section},
};

/// The fields whose lists are printed under the item's heading.
pub(super) const UNDER_HEADING: [&str; 2] = ["items", "examples"];

/// Whether the field can hold text that an entry of the assembly order prints.
#[must_use]
pub fn is_printable(field: &str) -> bool {
    !LABEL_FIELDS.contains(&field)
        && !NAME_LISTS.contains(&field)
        && !["fragments", "weight"].contains(&field)
}

/// The assembly orders of a registry, each with its route: the registry's own, then those of the
/// routes that have one.
pub(crate) fn orders(registry: &Registry) -> impl Iterator<Item = (Option<&str>, &[String])> {
    let registry_order = std::iter::once((None, registry.assembly_order()));
    registry_order.chain(registry.routes().iter().filter_map(|(name, route)| {
        let order = route.assembly_order.as_deref()?;
        Some((Some(name.as_str()), order))
    }))
}

/// The entries of one assembly order, by the section each leads to.
pub(crate) struct Reach<'r> {
    pub(super) registry: &'r Registry,
    pub(super) order: &'r [String],
    pub(super) sections: BTreeMap<&'r str, SectionReach>,
    /// Read when a place for an entry is first looked for.
    pub(super) list_runs: OnceCell<ListRuns<'r>>,
}

/// The entries that lead to one section.
#[derive(Default)]
pub(super) struct SectionReach {
    /// `section`
    bare: bool,
    /// The position of the first such entry; none in the brackets of another entry.
    pub(super) bare_position: Option<usize>,
    /// `section[entry]`
    bracket: bool,
    /// The fields of `section.field`, as written.
    pub(super) fields: Vec<String>,
    /// The position of each of those entries; none in the brackets of another entry.
    pub(super) field_positions: Vec<Option<usize>>,
    /// The position of the last entry that begins with the section.
    pub(super) last: Option<usize>,
}

impl<'r> Reach<'r> {
    /// Reads an order. Entries that can't be parsed, or lead to no section, reach nothing.
    pub fn new(registry: &'r Registry, order: &'r [String]) -> Self {
        let mut reach = Self {
            registry,
            order,
            sections: BTreeMap::new(),
            list_runs: OnceCell::new(),
        };
        for (index, text) in order.iter().enumerate() {
            if let Ok(token) = Token::parse(text) {
                reach.add(&token, Some(index));
            }
        }
        reach
    }

    fn add(&mut self, token: &Token, index: Option<usize>) {
        if let Token::Bracket { inner, .. } = token {
            self.add(inner, None);
        }
        let Some(section) = section_of(token, self.registry) else {
            return;
        };
        let reach = self.sections.entry(section.name()).or_default();
        reach.last = index.or(reach.last);
        match token {
            Token::Bare { .. } => {
                reach.bare = true;
                reach.bare_position = reach.bare_position.or(index);
            }
            Token::Bracket { .. } => reach.bracket = true,
            Token::Dotted { field, .. } => {
                reach.fields.push(field.clone());
                reach.field_positions.push(index);
            }
        }
    }

    /// The section that an entry leads to.
    pub fn section(&self, token: &Token) -> Option<&'r Section> {
        section_of(token, self.registry)
    }

    /// Whether any entry leads to the section.
    pub fn names(&self, section: &Section) -> bool {
        self.sections.contains_key(section.name())
    }

    /// The fields that entries name of the section, as written.
    pub fn fields(&self, section: &Section) -> &[String] {
        let reach = self.sections.get(section.name());
        reach.map_or(&[], |reach| &reach.fields)
    }

    /// Whether the field of the item is printed, by an entry or without one. `single` says whether one
    /// item of the section is used at most, which is then printed as a whole.
    pub fn prints(&self, section: &Section, item: &Item, field: &str, single: bool) -> bool {
        prints_itself(section, field) || self.entry_prints(section, item, field, single)
    }

    /// Whether some entry prints the field of the item.
    pub fn entry_prints(&self, section: &Section, item: &Item, field: &str, single: bool) -> bool {
        let Some(reach) = self.sections.get(section.name()) else {
            return false;
        };
        reach.prints(section, item, field, single)
            || (item.heading_field() == Some(field)
                && UNDER_HEADING.iter().any(|list| {
                    item.fields().contains_key(*list) && reach.prints(section, item, list, single)
                }))
    }

    /// Whether an entry for the item as a whole prints another field in place of this one: the pool
    /// instead of the primary field, or the primary field without the fragments of `text`.
    pub fn passes_over(&self, section: &Section, item: &Item, field: &str) -> bool {
        let reach = self.sections.get(section.name());
        let is_whole_field = reach.is_some_and(|reach| {
            let mut fields = reach.fields.iter();
            reach.bare || reach.bracket || fields.any(|named| item.label() == Some(named))
        });
        is_whole_field
            && match field {
                "fragments" => whole_field(section, item) != "text",
                _ => field == section.primary_field() && item.pool().is_some(),
            }
    }

    /// Whether some entry prints the sentence of the section's slider.
    pub fn prints_scale(&self, section: &Section) -> bool {
        let reach = self.sections.get(section.name());
        reach.is_some_and(|reach| reach.fields.iter().any(|field| field == "scale"))
    }
}

impl SectionReach {
    fn prints(&self, section: &Section, item: &Item, field: &str, single: bool) -> bool {
        let is_whole_field = whole_field(section, item) == field;
        (self.bracket && is_whole_field)
            || (self.bare
                && if single {
                    is_whole_field
                } else {
                    section.primary_field() == field
                })
            || self.fields.iter().any(|named| {
                if has_field(item, named) {
                    return named == field;
                }
                // An item without the field prints its pool instead.
                (item.label() == Some(named.as_str()) && is_whole_field)
                    || (field == "items" && named != "scale" && item.pool().is_some())
            })
    }
}

/// Whether the item has the field: fragments make a `text`.
pub(super) fn has_field(item: &Item, field: &str) -> bool {
    item.fields().contains_key(field) || (field == "text" && item.fragments().next().is_some())
}

/// The field that stands for the item as a whole: its pool, else the primary field.
pub(super) fn whole_field(section: &Section, item: &Item) -> &'static str {
    match item.pool() {
        Some(_) => "items",
        None => section.primary_field(),
    }
}

/// Whether a bare entry passes over what the item holds: several items print their primary field.
pub(super) fn prints_pool_only(section: &Section, item: &Item) -> bool {
    item.pool().is_some() && !section.required()
}

/// Whether the field is printed without an entry: the text of active runtime injections.
fn prints_itself(section: &Section, field: &str) -> bool {
    section.name() == "runtime_injections"
        && !section.required()
        && field == section.primary_field()
}

/// The section that an entry leads to.
pub(super) fn section_of<'r>(token: &Token, registry: &'r Registry) -> Option<&'r Section> {
    let name = resolve_section(token.section(), |name| registry.section(name).is_some())?;
    registry.section(name).map(AsRef::as_ref)
}
