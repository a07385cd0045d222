//! Why items of two sections cannot be rolled together: their `requires` and `excludes`.

use serde::Serialize;

use super::constraints::Reference;
use crate::registry::{Item, Registry};

/// What an item says of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The item requires something else.
    Requires,
    /// The item excludes it.
    Excludes,
}

/// An entry of `requires` or `excludes` that keeps two items apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incompatibility {
    /// The section of the item that has the entry.
    pub section: String,
    /// That item's position in its section.
    pub item: usize,
    /// That item's identity, when it has one.
    pub id: Option<String>,
    /// The list that holds the entry.
    pub relation: Relation,
    /// The entry, as written.
    pub reference: String,
}

/// The entries that forbid the item `candidate` of a section while the items `chosen` are used from
/// another section. Sections and items are positions.
#[must_use]
pub fn incompatibilities(
    registry: &Registry,
    candidate: (usize, usize),
    section: usize,
    chosen: &[usize],
) -> Vec<Incompatibility> {
    let item = |(section, item): (usize, usize)| {
        let (_, section) = registry.sections().get_index(section)?;
        section.items().get(item).map(AsRef::as_ref)
    };
    let Some(candidate_item) = item(candidate) else {
        return Vec::new();
    };
    let others: Vec<(usize, &Item)> = chosen
        .iter()
        .filter_map(|position| Some((*position, item((section, *position))?)))
        .collect();
    let used = |reference: &Reference<'_>| others.iter().any(|(_, other)| names(reference, other));
    let mut found = Vec::new();
    let mut of_candidate = |relation, text: &str, forbids: bool| {
        if forbids {
            found.extend(incompatibility(registry, candidate, relation, text));
        }
    };
    for text in candidate_item.requires() {
        let about = about(text, section, registry);
        of_candidate(
            Relation::Requires,
            text,
            about.is_some_and(|reference| !used(&reference)),
        );
    }
    for text in candidate_item.excludes() {
        let about = about(text, section, registry);
        of_candidate(
            Relation::Excludes,
            text,
            about.is_some_and(|reference| used(&reference)),
        );
    }
    for (position, other) in &others {
        let place = (section, *position);
        let names_candidate =
            |text| about(text, candidate.0, registry).map(|other| names(&other, candidate_item));
        for text in other.requires() {
            if names_candidate(text) == Some(false) {
                found.extend(incompatibility(registry, place, Relation::Requires, text));
            }
        }
        for text in other.excludes() {
            if names_candidate(text) == Some(true) {
                found.extend(incompatibility(registry, place, Relation::Excludes, text));
            }
        }
    }
    found
}

/// The entries of an item's `requires` that no section of the registry has.
#[must_use]
pub fn unknown_requirements(registry: &Registry, place: (usize, usize)) -> Vec<Incompatibility> {
    let section = registry.sections().get_index(place.0);
    let item = section.and_then(|(_, section)| section.items().get(place.1));
    let texts = item.into_iter().flat_map(|item| item.requires());
    let unknown = texts.filter(|text| Reference::find(text, registry).is_none());
    unknown
        .filter_map(|text| incompatibility(registry, place, Relation::Requires, text))
        .collect()
}

fn about<'t>(text: &'t str, section: usize, registry: &Registry) -> Option<Reference<'t>> {
    Reference::find(text, registry).filter(|reference| reference.section as usize == section)
}

fn names(reference: &Reference<'_>, item: &Item) -> bool {
    let identity = reference.identity;
    identity.is_none_or(|identity| item.identity() == Some(identity))
}

fn incompatibility(
    registry: &Registry,
    (section, item): (usize, usize),
    relation: Relation,
    reference: &str,
) -> Option<Incompatibility> {
    let (name, section) = registry.sections().get_index(section)?;
    Some(Incompatibility {
        section: name.clone(),
        item,
        id: section.items().get(item)?.identity().map(str::to_owned),
        relation,
        reference: reference.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::parse;

    #[test]
    fn entries_of_either_item_are_found() {
        let text = br#"{"assembly_order": [],
            "a": {"items": [{"id": "x", "excludes": ["b.y"]}, {"id": "z", "requires": ["b.y", "none.such"]}]},
            "b": {"items": [{"id": "y"}, {"id": "w", "excludes": ["a.x"]}]}}"#;
        let registry = parse(text).expect("a registry").registry;
        let found = |candidate, section, chosen: &[usize]| -> Vec<String> {
            let found = incompatibilities(&registry, candidate, section, chosen).into_iter();
            found
                .map(|incompatibility| {
                    format!(
                        "{}.{} {:?} {}",
                        incompatibility.section,
                        incompatibility.item,
                        incompatibility.relation,
                        incompatibility.reference
                    )
                })
                .collect()
        };
        assert_eq!(found((0, 0), 1, &[0]), ["a.0 Excludes b.y"]);
        assert_eq!(found((1, 0), 0, &[0]), ["a.0 Excludes b.y"]);
        assert_eq!(found((0, 0), 1, &[1]), ["b.1 Excludes a.x"]);
        assert_eq!(found((0, 1), 1, &[1]), ["a.1 Requires b.y"]);
        assert_eq!(found((0, 1), 1, &[]), ["a.1 Requires b.y"]);
        assert_eq!(found((0, 1), 1, &[0]), [""; 0]);
        let unknown = unknown_requirements(&registry, (0, 1));
        assert_eq!(unknown[0].reference, "none.such");
    }
}
