//! Targets of `renders`, `never_renders` and `share`: a section, an item or an entry of the assembly
//! order, and whether a roll prints it.

use promptdeck_core::{
    hydrate::{Hydration, Origin, Segment, TokenOutcome, resolve_section},
    registry::Registry,
};
use promptdeck_json::nearest::did_you_mean;

/// What may print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Anything of a section.
    Section(String),
    /// An item of a section, by position.
    Item(String, usize),
    /// An entry of the assembly order, at each of its positions.
    Token(Vec<usize>),
}

impl Target {
    /// What a name means: a section, else an item as `section.id`, else an entry of the assembly order
    /// as written.
    ///
    /// The error names the nearest known name.
    pub fn resolve(name: &str, registry: &Registry, route: Option<&str>) -> Result<Self, String> {
        let exists = |section: &str| registry.section(section).is_some();
        if let Some(section) = resolve_section(name, exists) {
            return Ok(Self::Section(section.to_owned()));
        }
        if let Some((section, id)) = name.split_once('.')
            && let Some(section) = resolve_section(section, exists)
            && let Some(found) = registry.section(section)
            && let Some(index) = found
                .items()
                .iter()
                .position(|item| item.identity() == Some(id))
        {
            return Ok(Self::Item(section.to_owned(), index));
        }
        let order = registry.assembly_order_of(route);
        let at: Vec<usize> = (0..order.len())
            .filter(|index| order.get(*index).is_some_and(|token| token == name))
            .collect();
        if at.is_empty() {
            Err(unknown(name, registry, order))
        } else {
            Ok(Self::Token(at))
        }
    }

    /// Whether a roll prints it.
    pub fn is_printed(&self, hydration: &Hydration) -> bool {
        match self {
            Self::Token(at) => at.iter().any(|index| {
                let outcome = hydration.tokens.get(*index).map(|report| &report.outcome);
                matches!(
                    outcome,
                    Some(TokenOutcome::Rendered | TokenOutcome::Merged { .. })
                )
            }),
            _ => self.segments(hydration).next().is_some(),
        }
    }

    /// The segments that it prints.
    pub fn segments<'h>(&self, hydration: &'h Hydration) -> impl Iterator<Item = &'h Segment> {
        hydration.segments.iter().filter(move |segment| {
            segment.source.as_ref().is_some_and(|source| match self {
                Self::Section(section) => source.section == *section,
                Self::Item(section, item) => source.section == *section && source.item == *item,
                Self::Token(at) => source.token.is_some_and(|token| at.contains(&token)),
            })
        })
    }

    /// Why a roll does not print it.
    pub fn why_not(&self, hydration: &Hydration) -> String {
        match self {
            Self::Section(section) => match hydration.evaluation.sections.get(section) {
                Some(own) if own.filtered => "active injections leave the section out".to_owned(),
                Some(own) if own.items.is_empty() => {
                    "nothing is selected in the section".to_owned()
                }
                _ => "nothing of the section is printed".to_owned(),
            },
            Self::Item(section, item) => match hydration.evaluation.sections.get(section) {
                Some(own) if own.filtered => "active injections leave the section out".to_owned(),
                Some(own) if own.items.iter().any(|chosen| chosen.index == *item) => {
                    "the item is used, but nothing of it is printed".to_owned()
                }
                Some(own) if own.items.is_empty() => {
                    "nothing is selected in the section".to_owned()
                }
                Some(own) => {
                    let names = own.items.iter().map(|chosen| match &chosen.id {
                        Some(id) => id.clone(),
                        None => format!("item {}", chosen.index),
                    });
                    let names: Vec<String> = names.collect();
                    let why = match own.origin {
                        Origin::Selection => "selected by the state",
                        Origin::Baked => "selected by the registry",
                        Origin::Default => "selected by default",
                        Origin::Random => "rolled",
                    };
                    format!("{section} uses {} ({why})", names.join(", "))
                }
                None => "the section is not used".to_owned(),
            },
            Self::Token(at) => {
                let report = at.first().and_then(|index| hydration.tokens.get(*index));
                match report.map(|report| &report.outcome) {
                    Some(TokenOutcome::Dropped { reason }) => {
                        let reason = serde_json::to_value(reason).unwrap_or_default();
                        let reason = reason.as_str().unwrap_or("nothing").replace('_', " ");
                        format!("the entry prints nothing: {reason}")
                    }
                    Some(TokenOutcome::Filtered { by }) => {
                        format!("the entry is left out by {}", by.join(", "))
                    }
                    _ => "the entry prints nothing".to_owned(),
                }
            }
        }
    }
}

fn unknown(name: &str, registry: &Registry, order: &[String]) -> String {
    let section = name.split_once('.').and_then(|(section, id)| {
        let found = registry.section(section)?;
        Some((section, id, found))
    });
    if let Some((section, id, found)) = section {
        let known = found.items().iter().filter_map(|item| item.identity());
        let near = did_you_mean(id, known);
        return format!(
            "section {section:?} has no item {id:?}, and no assembly entry is {name:?}{near}"
        );
    }
    let sections = registry.sections().keys().map(String::as_str);
    let near = did_you_mean(name, sections.chain(order.iter().map(String::as_str)));
    format!("no section, item or assembly entry is called {name:?}{near}")
}
