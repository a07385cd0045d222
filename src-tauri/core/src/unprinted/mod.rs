//! Authored text that a call does not print, and why.
//!
//! What prints is known from the segments of a [`Hydration`]; this module looks at the rest of the
//! items in use: every text, every entry of a list, every fragment and the sentence of a slider.

mod entry_split;
mod insertion;
mod list_runs;
mod reach;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    mem,
};

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use promptdeck_python::text::strip;
use serde_json::Value;

use crate::{
    hydrate::{
        ArrayEvaluation, Call, DropReason, Engine, Hydration, Origin, Part, Segment, Token,
        TokenOutcome, is_slider_set, resolve_section,
    },
    registry::{Item, Registry, Section},
};

pub use entry_split::{EntrySplit, entry_splits};
pub use insertion::{Insertion, section_insertion};
pub use reach::is_printable;
pub(crate) use reach::{Reach, orders};

/// How many texts are listed: a window that shows more is of no use.
pub const MAX_LISTED: usize = 1000;

/// A text of an item in use that the call does not print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unprinted {
    /// The section.
    pub section: String,
    /// The item's position in its section.
    pub item: usize,
    /// The field; `scale` for the sentence of a slider, `fragments` for a fragment.
    pub field: String,
    /// The entry's position in its list; none for a text, or for a list as a whole.
    pub entry: Option<usize>,
    /// The fragment's position in its item; none for all fragments.
    pub fragment: Option<usize>,
    /// Why it is not printed.
    pub reason: UnprintedReason,
}

/// Why a text is not printed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnprintedReason {
    /// No entry of the assembly order prints it.
    NotInAssembly {
        /// The entry that would, unless none can be written.
        insertion: Option<Insertion>,
    },
    /// Another assembly order of the registry prints it, and not the one in use.
    OtherRoute {
        /// The routes whose order prints it; none is the registry's own order.
        routes: Vec<Option<String>>,
        /// The entry that would print it in the order in use, unless none can be written.
        insertion: Option<Insertion>,
    },
    /// Active injections leave the section out.
    Filtered {
        /// The identities of the active injections.
        by: Vec<String>,
    },
    /// The mode of its list rolls entries, and rolled others.
    NotRolled,
    /// The mode of its list leaves it out.
    Mode {
        /// The mode, in its canonical spelling.
        mode: String,
    },
    /// The variable of the fragment's condition has no value.
    Condition {
        /// The variable.
        variable: String,
    },
    /// The entry of the assembly order that prints it printed nothing.
    Dropped {
        /// The position of the entry in the assembly order.
        token: usize,
        /// Why.
        reason: DropReason,
    },
    /// Another text is printed in its place, or nothing of it is left after substitution.
    Replaced,
}

/// Which routes alone print a text, in one phrase; none is the default route.
///
/// # Examples
///
/// ```
/// use promptdeck_core::unprinted::only_routes;
///
/// assert_eq!(only_routes(&[Some("billing".to_owned())]), "only route billing prints it");
/// ```
#[must_use]
pub fn only_routes(routes: &[Option<String>]) -> String {
    let default = routes
        .contains(&None)
        .then(|| "the default route".to_owned());
    let named: Vec<&str> = routes.iter().flatten().map(String::as_str).collect();
    let named = match named.as_slice() {
        [] => None,
        [one] => Some(format!("route {one}")),
        [first @ .., last] => Some(format!("routes {} and {last}", first.join(", "))),
    };
    let names: Vec<String> = default.into_iter().chain(named).collect();
    let verb = if routes.len() == 1 { "prints" } else { "print" };
    format!("only {} {verb} it", names.join(" and "))
}

/// The texts of the items in use that a call does not print, in canonical order of the sections;
/// at most [`MAX_LISTED`]. A list or the fragments of an item are one entry when the reason is the
/// same for all of them.
///
/// # Examples
///
/// ```
/// use promptdeck_core::hydrate::{Call, Engine, Seed, State};
/// use promptdeck_core::registry;
/// use promptdeck_core::unprinted::{UnprintedReason, unprinted};
///
/// let parsed = registry::parse(br#"{
///     "assembly_order": ["personas"],
///     "personas": {"items": [{"id": "cook", "context": "You cook.", "base_directives": ["Be brief."]}]}
/// }"#)?;
/// let engine = Engine::new(parsed.registry);
/// let call = Call { state: &State::default(), route: None, seed: Seed::default() };
/// let found = unprinted(&engine, &call, &engine.hydrate(&call)?);
/// assert_eq!(found[0].field, "base_directives");
/// let UnprintedReason::NotInAssembly { insertion: Some(insertion) } = &found[0].reason else {
///     panic!("no entry prints it");
/// };
/// assert_eq!((insertion.token.as_str(), insertion.index), ("personas.base_directives", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn unprinted(engine: &Engine, call: &Call<'_>, hydration: &Hydration) -> Vec<Unprinted> {
    let registry = engine.registry();
    let order = registry.assembly_order_of(call.route);
    let mut survey = Survey {
        registry,
        order,
        reach: OnceCell::new(),
        others: OnceCell::new(),
        printed: printed(&hydration.segments),
        arrays: arrays(&hydration.evaluation.arrays),
        drops: drops(registry, hydration),
        found: Vec::new(),
    };
    for (name, used) in &hydration.evaluation.sections {
        let Some(section) = registry.section(name) else {
            continue;
        };
        let Some(settings) = engine.settings(name, call.state) else {
            continue;
        };
        let filtered_by = used
            .filtered
            .then_some(hydration.evaluation.injections.as_slice());
        let single = section.required() || settings.rolled;
        for chosen in &used.items {
            if let Some(item) = section.items().get(chosen.index) {
                let place = Place {
                    section,
                    item,
                    index: chosen.index,
                    single,
                    filtered_by,
                };
                survey.item(&place, is_slider_set(section, call.state));
            }
            if survey.found.len() >= MAX_LISTED {
                survey.found.truncate(MAX_LISTED);
                return survey.found;
            }
        }
    }
    survey.found
}

/// An item in use.
struct Place<'r> {
    section: &'r Section,
    item: &'r Item,
    index: usize,
    single: bool,
    filtered_by: Option<&'r [String]>,
}

/// What is printed of an item.
#[derive(Default)]
struct Printed<'h> {
    /// Fields that print something other than entries.
    fields: BTreeSet<&'h str>,
    entries: BTreeSet<(&'h str, usize)>,
    fragments: BTreeSet<usize>,
    scale: bool,
}

type ItemKey<'h> = (&'h str, usize);

type ByItem<'h> = IndexMap<ItemKey<'h>, Printed<'h>, RandomState>;

struct Survey<'h> {
    registry: &'h Registry,
    order: &'h [String],
    /// What the order in use prints; read when a text is found that it does not.
    reach: OnceCell<Reach<'h>>,
    /// What the orders of all routes print; read when the one in use does not print a text.
    others: OnceCell<Vec<(Option<&'h str>, Reach<'h>)>>,
    printed: ByItem<'h>,
    arrays: BTreeMap<ItemKey<'h>, Vec<&'h ArrayEvaluation>>,
    /// By section: the entries that printed nothing.
    drops: BTreeMap<&'h str, Vec<(usize, Token, DropReason)>>,
    found: Vec<Unprinted>,
}

fn printed(segments: &[Segment]) -> ByItem<'_> {
    let mut all: ByItem<'_> = ByItem::default();
    let mut last = None;
    for source in segments
        .iter()
        .filter_map(|segment| segment.source.as_ref())
    {
        // Most segments are of the same item as the one before: it is looked up once for all of them.
        let key = (&*source.section, source.item);
        let at = match last {
            Some((known, at)) if known == key => at,
            _ => {
                let entry = all.entry(key);
                let at = entry.index();
                entry.or_default();
                at
            }
        };
        last = Some((key, at));
        let printed = &mut all[at];
        match source.part {
            Part::Fragment => printed.fragments.extend(source.fragment),
            Part::Scale => printed.scale = true,
            Part::Entry => {
                printed
                    .entries
                    .extend(source.entry.map(|entry| (&*source.field, entry)));
            }
            Part::Heading => {
                printed.fields.extend(["pre_context", "pre_context:"]);
            }
            Part::Text | Part::Injection => {
                printed.fields.insert(&*source.field);
            }
        }
    }
    all
}

fn arrays(arrays: &[ArrayEvaluation]) -> BTreeMap<ItemKey<'_>, Vec<&ArrayEvaluation>> {
    let mut all: BTreeMap<ItemKey<'_>, Vec<&ArrayEvaluation>> = BTreeMap::new();
    for array in arrays {
        all.entry((&array.section, array.item))
            .or_default()
            .push(array);
    }
    all
}

fn drops<'h>(
    registry: &'h Registry,
    hydration: &Hydration,
) -> BTreeMap<&'h str, Vec<(usize, Token, DropReason)>> {
    let mut all: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (index, report) in hydration.tokens.iter().enumerate() {
        let TokenOutcome::Dropped { reason } = report.outcome else {
            continue;
        };
        let Ok(token) = Token::parse(&report.token) else {
            continue;
        };
        let name = resolve_section(token.section(), |name| registry.section(name).is_some());
        if let Some(section) = name.and_then(|name| registry.section(name)) {
            all.entry(section.name())
                .or_default()
                .push((index, token, reason));
        }
    }
    all
}

impl<'h> Survey<'h> {
    fn reach(&self) -> &Reach<'h> {
        let read = || Reach::new(self.registry, self.order);
        self.reach.get_or_init(read)
    }

    fn item(&mut self, place: &Place<'h>, slider_is_set: bool) {
        let key = (place.section.name(), place.index);
        let printed = self.printed.get_mut(&key).map(mem::take);
        let printed = printed.unwrap_or_default();
        let arrays = self.arrays.remove(&key).unwrap_or_default();
        for (field, value) in place.item.fields() {
            if !is_printable(field) {
                continue;
            }
            match value {
                Value::String(text)
                    if !strip(text).is_empty() && !printed.fields.contains(field.as_str()) =>
                {
                    let reason = self.reason(place, field, field);
                    self.push(place, field, None, None, reason);
                }
                Value::Array(entries) => self.list(place, field, entries, &printed, &arrays),
                _ => {}
            }
        }
        self.fragments(place, &printed);
        if slider_is_set
            && !printed.scale
            && place.single
            && !place.item.fields().contains_key("scale")
        {
            let reason = if let Some(by) = place.filtered_by {
                UnprintedReason::Filtered { by: by.to_vec() }
            } else if self.reach().prints_scale(place.section) {
                self.dropped(place.section, "scale")
            } else {
                self.unreached(place, "scale", |reach| reach.prints_scale(place.section))
            };
            self.push(place, "scale", None, None, reason);
        }
    }

    fn list(
        &mut self,
        place: &Place<'_>,
        field: &str,
        entries: &[Value],
        printed: &Printed<'_>,
        arrays: &[&ArrayEvaluation],
    ) {
        let filled = |(_, entry): &(usize, &Value)| {
            entry.as_str().is_none_or(|text| !strip(text).is_empty())
        };
        let filled: Vec<usize> = entries
            .iter()
            .enumerate()
            .filter(filled)
            .map(|(index, _)| index)
            .collect();
        let missing: Vec<usize> = filled
            .iter()
            .copied()
            .filter(|entry| !printed.entries.contains(&(field, *entry)))
            .collect();
        if missing.is_empty() {
            return;
        }
        let array = arrays.iter().find(|array| array.field == field);
        let reason = match array {
            Some(array) if place.filtered_by.is_none() && array.origin == Origin::Random => {
                UnprintedReason::NotRolled
            }
            Some(array) if place.filtered_by.is_none() && array.selected.len() < array.total => {
                UnprintedReason::Mode {
                    mode: array.mode.clone(),
                }
            }
            _ => self.reason(place, field, field),
        };
        // One row says it of a list that does not print at all.
        if missing.len() == filled.len() && reason != UnprintedReason::NotRolled {
            return self.push(place, field, None, None, reason);
        }
        for entry in missing {
            let selected = array.is_some_and(|array| array.selected.contains(&entry));
            let reason = if selected {
                UnprintedReason::Replaced
            } else {
                reason.clone()
            };
            self.push(place, field, Some(entry), None, reason);
        }
    }

    fn fragments(&mut self, place: &Place<'_>, printed: &Printed<'_>) {
        let all: Vec<_> = place.item.fragments().enumerate().collect();
        let filled = || {
            all.iter()
                .filter(|(_, fragment)| !strip(fragment.text).is_empty())
        };
        if filled().next().is_none() {
            return;
        }
        let whole_field_reason = self.reason(place, "text", "fragments");
        if matches!(
            whole_field_reason,
            UnprintedReason::NotInAssembly { .. }
                | UnprintedReason::OtherRoute { .. }
                | UnprintedReason::Filtered { .. }
        ) {
            return self.push(place, "fragments", None, None, whole_field_reason);
        }
        for (index, fragment) in filled() {
            if printed.fragments.contains(index) {
                continue;
            }
            let reason = match fragment.if_var {
                Some(variable) => UnprintedReason::Condition {
                    variable: variable.to_owned(),
                },
                None => UnprintedReason::Replaced,
            };
            self.push(place, "fragments", None, Some(*index), reason);
        }
    }

    /// Why no entry printed the field; `shown` is the field to add an entry for.
    fn reason(&self, place: &Place<'_>, field: &str, entry_field: &str) -> UnprintedReason {
        if let Some(by) = place.filtered_by {
            return UnprintedReason::Filtered { by: by.to_vec() };
        }
        let prints =
            |reach: &Reach<'_>| reach.prints(place.section, place.item, field, place.single);
        if !prints(self.reach()) {
            return self.unreached(place, entry_field, prints);
        }
        self.dropped(place.section, field)
    }

    /// The reason of a field that no entry of the order in use prints.
    fn unreached(
        &self,
        place: &Place<'_>,
        field: &str,
        prints: impl Fn(&Reach<'_>) -> bool,
    ) -> UnprintedReason {
        let insertion = self.reach().insertion(place.section, place.item, field);
        let registry = self.registry;
        let others = self.others.get_or_init(|| {
            let orders = orders(registry);
            orders
                .map(|(route, order)| (route, Reach::new(registry, order)))
                .collect()
        });
        let printing = others.iter().filter(|(_, reach)| prints(reach));
        let routes: Vec<_> = printing
            .map(|(route, _)| route.map(str::to_owned))
            .collect();
        if routes.is_empty() {
            return UnprintedReason::NotInAssembly { insertion };
        }
        UnprintedReason::OtherRoute { routes, insertion }
    }

    fn dropped(&self, section: &Section, field: &str) -> UnprintedReason {
        let drops = self.drops.get(section.name());
        let mut drops = drops.into_iter().flatten();
        let of_field = |token: &Token| match token {
            Token::Dotted { field: named, .. } => named == field,
            Token::Bare { .. } | Token::Bracket { .. } => true,
        };
        let drop = drops.find(|(_, token, _)| of_field(token));
        drop.map_or(UnprintedReason::Replaced, |(token, _, reason)| {
            UnprintedReason::Dropped {
                token: *token,
                reason: *reason,
            }
        })
    }

    fn push(
        &mut self,
        place: &Place<'_>,
        field: &str,
        entry: Option<usize>,
        fragment: Option<usize>,
        reason: UnprintedReason,
    ) {
        self.found.push(Unprinted {
            section: place.section.name().to_owned(),
            item: place.index,
            field: field.to_owned(),
            entry,
            fragment,
            reason,
        });
    }
}
