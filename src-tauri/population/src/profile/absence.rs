//! Why no roll of a sample prints something.

use std::collections::HashMap;

use promptdeck_core::{
    hydrate::{
        DropReason, Incompatibility, SectionSettings, incompatibilities, unknown_requirements,
    },
    unprinted::{Unprinted, UnprintedReason, unprinted},
};
use serde::Serialize;

use super::{ProfilePartial, ProfilePlan};
use crate::rows::{Row, RowKind};

/// How much is hydrated to find reasons: hydrations times rows.
const MAX_WORK: usize = 4_000_000;
const MAX_HYDRATIONS: usize = 2_000;

/// Why something is not printed in any roll of a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Absence {
    /// No entry of the assembly order prints it.
    NotInAssembly {
        /// The entry that would, unless none can be written.
        token: Option<String>,
        /// The position in the order that it would take.
        index: Option<usize>,
    },
    /// The assembly order of other routes prints it, and not the one in use.
    OtherRoute {
        /// The routes; none is the registry's own order.
        routes: Vec<Option<String>>,
    },
    /// Active injections leave the section out.
    Filtered {
        /// The identities of the active injections.
        by: Vec<String>,
    },
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
        why: DropReason,
    },
    /// Another text is printed in its place, or nothing of it is left after substitution.
    Replaced,
    /// Its item is neither selected nor rolled.
    NeverSelected,
    /// An earlier item of the section has the same identity and is chosen in its place.
    SameIdentity {
        /// That item's position.
        item: usize,
    },
    /// Its item cannot be rolled with what is always chosen elsewhere.
    Excluded {
        /// The entries of `requires` and `excludes` that forbid it.
        because: Vec<Incompatibility>,
    },
    /// Its item has the weight 0: it is rolled only where no other item can be.
    Weightless,
    /// It can be rolled, but no roll of the sample did.
    NotRolled,
    /// There are too many to look at each.
    NotExamined,
}

type Key = (usize, usize);

/// What the rows of a section share.
struct Section<'a> {
    settings: Option<SectionSettings>,
    /// The first item of each identity.
    first: HashMap<&'a str, usize>,
    /// Whether an item has a weight above 0.
    weighted: bool,
}

/// The reasons of rows without a roll.
pub(super) struct Absences<'p, 'a> {
    plan: &'p ProfilePlan<'a>,
    partial: &'p ProfilePartial,
    /// By position in the registry.
    sections: Vec<Section<'a>>,
    /// By roll: what it leaves unprinted, by section and item.
    hydrations: HashMap<u64, HashMap<Key, Vec<Unprinted>>>,
    most: usize,
    /// Rows for which none was looked for.
    pub not_examined: u64,
}

impl<'p, 'a> Absences<'p, 'a> {
    pub fn new(plan: &'p ProfilePlan<'a>, partial: &'p ProfilePartial) -> Self {
        Self {
            plan,
            partial,
            sections: sections(plan),
            hydrations: HashMap::new(),
            most: (MAX_WORK / (plan.rows.len() + 1)).clamp(16, MAX_HYDRATIONS),
            not_examined: 0,
        }
    }

    /// Why no roll prints the row.
    pub fn of(&mut self, row: &Row) -> Absence {
        let reason = match row.item {
            Some(item) => self.of_item(row, item),
            None => self.of_slider(row),
        };
        self.not_examined += u64::from(reason == Absence::NotExamined);
        reason
    }

    fn of_item(&mut self, row: &Row, item: usize) -> Absence {
        let section = self.sections.get(row.section);
        let settings = section.and_then(|section| section.settings.as_ref());
        let chosen = self.plan.rows.of_item(row.section, item);
        let tally = chosen.and_then(|row| self.partial.chosen.get(row));
        let always =
            settings.is_some_and(|settings| !settings.rolled && settings.selected.contains(&item));
        let first = tally.and_then(|tally| tally.first());
        if let Some(first) = first.or(always.then_some(0)) {
            return self.of_chosen(row, item, first);
        }
        if settings.is_none_or(|settings| !settings.rolled) {
            return Absence::NeverSelected;
        }
        let items = self.plan.items(row.section);
        let identity = items.get(item).and_then(|item| item.identity());
        let first = section.zip(identity);
        let first = first.and_then(|(section, identity)| section.first.get(identity).copied());
        if let Some(first) = first.filter(|first| *first < item) {
            return Absence::SameIdentity { item: first };
        }
        let because = self.forbidden((row.section, item));
        let weightless = items.get(item).is_some_and(|item| item.weight() <= 0.0);
        if !because.is_empty() {
            Absence::Excluded { because }
        } else if weightless && section.is_some_and(|section| section.weighted) {
            Absence::Weightless
        } else {
            Absence::NotRolled
        }
    }

    /// What keeps a rolled item from being rolled, whatever the dice say.
    fn forbidden(&self, place: (usize, usize)) -> Vec<Incompatibility> {
        let registry = self.plan.engine.registry();
        let mut because = unknown_requirements(registry, place);
        for (other, section) in self.sections.iter().enumerate() {
            let settings = section.settings.as_ref();
            if let Some(settings) = settings.filter(|settings| !settings.rolled && other != place.0)
            {
                because.extend(incompatibilities(
                    registry,
                    place,
                    other,
                    &settings.selected,
                ));
            }
        }
        because
    }

    /// Of an item that the roll `first` chooses.
    fn of_chosen(&mut self, row: &Row, item: usize, first: u64) -> Absence {
        if !self.hydrations.contains_key(&first) && self.hydrations.len() >= self.most {
            return Absence::NotExamined;
        }
        let found = self.hydration(first).get(&(row.section, item));
        let same_field = |candidate: &&Unprinted| match &row.kind {
            RowKind::Item => true,
            RowKind::Text { field } => candidate.field == *field,
            RowKind::Entry { field, entry } => {
                candidate.field == *field
                    && candidate
                        .entry
                        .is_none_or(|unprinted_entry| unprinted_entry == *entry)
            }
            RowKind::Fragment { fragment } => {
                candidate.field == "fragments"
                    && candidate
                        .fragment
                        .is_none_or(|unprinted_fragment| unprinted_fragment == *fragment)
            }
            RowKind::Slider { .. } => candidate.field == "scale",
        };
        let found = found.and_then(|all| all.iter().find(same_field));
        found.map_or(Absence::Replaced, |unprinted| absence(&unprinted.reason))
    }

    fn of_slider(&mut self, row: &Row) -> Absence {
        let slider = self.plan.rows.slider(row.section);
        let printed = self.partial.printed.get(slider).unwrap_or_default();
        if printed.iter().any(|rolls| *rolls > 0) {
            return Absence::NotRolled;
        }
        let items = self.plan.rows.items(row.section).enumerate();
        let chosen =
            items.filter_map(|(item, row)| Some((item, self.partial.chosen.get(row)?.first()?)));
        match chosen.min_by_key(|(_, first)| *first) {
            Some((item, first)) => self.of_chosen(row, item, first),
            None => {
                let settings = self.sections.get(row.section);
                let settings = settings.and_then(|section| section.settings.as_ref());
                let selected = settings.and_then(|settings| settings.selected.first().copied());
                match selected {
                    Some(item) => self.of_chosen(row, item, 0),
                    None => Absence::NeverSelected,
                }
            }
        }
    }

    fn hydration(&mut self, roll: u64) -> &HashMap<Key, Vec<Unprinted>> {
        let plan = self.plan;
        self.hydrations.entry(roll).or_insert_with(|| {
            let call = plan.call(plan.seed.after(roll));
            let mut found: HashMap<Key, Vec<Unprinted>> = HashMap::new();
            // The plan has been made with this route.
            if let Ok(hydration) = plan.engine.hydrate(&call) {
                let sections = plan.engine.registry().sections();
                for field in unprinted(plan.engine, &call, &hydration) {
                    let section = sections.get_index_of(&field.section).unwrap_or(usize::MAX);
                    found.entry((section, field.item)).or_default().push(field);
                }
            }
            found
        })
    }
}

fn sections<'a>(plan: &ProfilePlan<'a>) -> Vec<Section<'a>> {
    let sections = plan.engine.registry().sections().iter();
    sections
        .map(|(name, section)| {
            let mut first = HashMap::new();
            for (position, item) in section.items().iter().enumerate() {
                if let Some(identity) = item.identity() {
                    first.entry(identity).or_insert(position);
                }
            }
            Section {
                settings: plan.engine.settings(name, plan.state),
                first,
                weighted: section.items().iter().any(|item| item.weight() > 0.0),
            }
        })
        .collect()
}

fn absence(reason: &UnprintedReason) -> Absence {
    match reason {
        UnprintedReason::NotInAssembly { insertion } => Absence::NotInAssembly {
            token: insertion.as_ref().map(|insertion| insertion.token.clone()),
            index: insertion.as_ref().map(|insertion| insertion.index),
        },
        UnprintedReason::OtherRoute { routes, .. } => Absence::OtherRoute {
            routes: routes.clone(),
        },
        UnprintedReason::Filtered { by } => Absence::Filtered { by: by.clone() },
        UnprintedReason::NotRolled => Absence::NotRolled,
        UnprintedReason::Mode { mode } => Absence::Mode { mode: mode.clone() },
        UnprintedReason::Condition { variable } => Absence::Condition {
            variable: variable.clone(),
        },
        UnprintedReason::Dropped { token, reason } => Absence::Dropped {
            token: *token,
            why: *reason,
        },
        _ => Absence::Replaced,
    }
}
