//! Targets of `renders`, `never_renders` and `share`: a section, an item or an entry of the assembly
//! order, and whether a roll prints it.

use promptdeck_core::{
    hydrate::{
        Hydration, Origin, PieceSource, Roll, Segment, Source, TokenOutcome, resolve_section,
    },
    registry::Registry,
};
use promptdeck_json::nearest::did_you_mean;
use promptdeck_population::visible_source;

/// What may print, by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Anything of a section.
    Section(usize),
    /// An item of a section.
    Item(usize, usize),
    /// An entry of the assembly order, at each of its positions.
    Token(Vec<usize>),
}

impl Target {
    /// What a name means: a section, else an item as `section.id`, else an entry of the assembly order
    /// as written.
    ///
    /// The error names the nearest known name.
    pub fn resolve(name: &str, registry: &Registry, route: Option<&str>) -> Result<Self, String> {
        let sections = registry.sections();
        let find = |name: &str| {
            let name = resolve_section(name, |name| sections.contains_key(name))?;
            sections.get_full(name)
        };
        if let Some((section, ..)) = find(name) {
            return Ok(Self::Section(section));
        }
        if let Some((section, id)) = name.split_once('.')
            && let Some((section, _, found)) = find(section)
            && let Some(index) = found
                .items()
                .iter()
                .position(|item| item.identity() == Some(id))
        {
            return Ok(Self::Item(section, index));
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

    /// Whether a roll prints it: something of it that a reader sees.
    pub fn is_printed(&self, roll: Roll<'_, '_>) -> bool {
        let is_own = |source: &PieceSource<'_>| match self {
            Self::Section(section) => source.section == *section,
            Self::Item(section, item) => source.section == *section && source.item == *item,
            Self::Token(at) => source.token.is_some_and(|token| at.contains(&token)),
        };
        roll.pieces()
            .any(|piece| visible_source(&piece).is_some_and(is_own))
    }

    /// The segments that it prints.
    pub fn segments<'h>(
        &self,
        hydration: &'h Hydration,
        registry: &Registry,
    ) -> impl Iterator<Item = &'h Segment> {
        let is_in = |source: &Source, section: usize| {
            registry.sections().get_index_of(&*source.section) == Some(section)
        };
        let is_own = move |source: &Source| match self {
            Self::Section(section) => is_in(source, *section),
            Self::Item(section, item) => source.item == *item && is_in(source, *section),
            Self::Token(at) => source.token.is_some_and(|token| at.contains(&token)),
        };
        let segments = hydration.segments.iter();
        segments.filter(move |segment| segment.source.as_ref().is_some_and(is_own))
    }

    /// Why a roll does not print it.
    pub fn why_not(&self, hydration: &Hydration, registry: &Registry) -> String {
        let section_name = |section: usize| {
            let section = registry.sections().get_index(section);
            section.map_or("", |(name, _)| name.as_str())
        };
        let evaluation = |section| hydration.evaluation.sections.get(section_name(section));
        match self {
            Self::Section(section) => match evaluation(*section) {
                Some(evaluation) if evaluation.filtered => {
                    "active injections leave the section out".to_owned()
                }
                Some(evaluation) if evaluation.items.is_empty() => {
                    "nothing is selected in the section".to_owned()
                }
                _ => "nothing of the section is printed".to_owned(),
            },
            Self::Item(section, item) => match evaluation(*section) {
                Some(evaluation) if evaluation.filtered => {
                    "active injections leave the section out".to_owned()
                }
                Some(evaluation) if evaluation.items.iter().any(|chosen| chosen.index == *item) => {
                    "the item is used, but nothing of it is printed".to_owned()
                }
                Some(evaluation) if evaluation.items.is_empty() => {
                    "nothing is selected in the section".to_owned()
                }
                Some(evaluation) => {
                    let names = evaluation.items.iter().map(|chosen| match &chosen.id {
                        Some(id) => id.clone(),
                        None => format!("item {}", chosen.index + 1),
                    });
                    let names: Vec<String> = names.collect();
                    let reason = match evaluation.origin {
                        Origin::Selection => "selected by the state",
                        Origin::Baked => "selected by the registry",
                        Origin::Default => "selected by default",
                        Origin::Random => "rolled",
                    };
                    let section = section_name(*section);
                    format!("{section} uses {} ({reason})", names.join(", "))
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
        let suggestion = did_you_mean(id, known);
        return format!(
            "section {section:?} has no item {id:?}, and no assembly entry is {name:?}{suggestion}"
        );
    }
    let sections = registry.sections().keys().map(String::as_str);
    let suggestion = did_you_mean(name, sections.chain(order.iter().map(String::as_str)));
    format!("no section, item or assembly entry is called {name:?}{suggestion}")
}
