//! The exact chance of each row to be printed, where picks are independent of each other.
//!
//! What a section prints then depends on its own picks alone. So a few assemblies tell what each
//! choice prints: in the n-th of them every rolled section takes its n-th item, and arrays print all
//! their entries. Each row adds up the chances of the choices that print it.

use std::collections::HashMap;

use promptdeck_core::hydrate::{
    Chances, Engine, PinnedEntries, RolledArray, Roller, Seed, State, variants,
};

use crate::rows::{RowKind, Rows};

/// The items of a section that are tried; the chances in a larger section remain unknown.
const MAX_ITEMS: usize = 10_000;

/// What decides what a section prints.
enum Pick {
    /// Its choice is the same in every roll.
    Fixed,
    /// Its items have these chances.
    Rolled(Vec<f64>),
    /// Other picks decide too.
    Dependent,
}

impl Pick {
    /// The chance that the n-th assembly has the section's choice.
    fn weight(&self, number: usize) -> f64 {
        match self {
            Self::Fixed if number == 0 => 1.0,
            Self::Rolled(chances) => chances.get(number).copied().unwrap_or_default(),
            Self::Fixed | Self::Dependent => 0.0,
        }
    }
}

/// The chance of each row; `None` where it depends on several picks. The seed does not matter.
pub(super) fn chances(
    engine: &Engine,
    state: &State,
    route: Option<&str>,
    rows: &Rows,
    roller: &mut Roller<'_>,
) -> Vec<Option<f64>> {
    let chances = Chances::new(engine, state);
    let bracketed = variants::bracketed_sections(engine, route);
    let names = engine.registry().sections().keys().enumerate();
    let picks: Vec<Pick> = names
        .map(|(section, name)| match engine.settings(name, state) {
            _ if bracketed.contains(name) => Pick::Dependent,
            Some(settings) if !settings.rolled => Pick::Fixed,
            _ => match chances.items(section) {
                Some(items) if items.len() <= MAX_ITEMS => Pick::Rolled(items),
                _ => Pick::Dependent,
            },
        })
        .collect();
    let assemblies = picks.iter().map(|pick| match pick {
        Pick::Rolled(chances) => chances.len(),
        Pick::Fixed | Pick::Dependent => 1,
    });
    let mut survey = Exact {
        rows,
        picks: &picks,
        chances: &chances,
        engine,
        sums: vec![0.0; rows.len()],
        unknown: vec![false; rows.len()],
    };
    for number in 0..assemblies.max().unwrap_or_default() {
        survey.assembly(number, roller);
    }
    let known = |(sum, row): (f64, usize)| {
        let section = rows.all().get(row)?.section;
        let dependent = matches!(picks.get(section), Some(Pick::Dependent) | None);
        // Rounding may leave a certain row a little above one.
        (!dependent && !survey.unknown[row]).then_some(sum.min(1.0))
    };
    survey.sums.iter().copied().zip(0..).map(known).collect()
}

struct Exact<'a> {
    rows: &'a Rows,
    picks: &'a [Pick],
    chances: &'a Chances<'a>,
    engine: &'a Engine,
    sums: Vec<f64>,
    unknown: Vec<bool>,
}

impl Exact<'_> {
    fn assembly(&mut self, number: usize, roller: &mut Roller<'_>) {
        let choice = |section: usize| match self.picks.get(section) {
            Some(Pick::Rolled(chances)) if number < chances.len() => Some(number),
            _ => None,
        };
        let seed = Seed::from_bits(0);
        let roll = roller.roll_choosing(seed, choice, &PinnedEntries::new());
        let mut arrays: HashMap<(usize, usize, &str), RolledArray<'_>> = HashMap::new();
        let mut entries = PinnedEntries::new();
        for (array, _) in roll.arrays() {
            let sections = self.engine.registry().sections();
            let section = sections.get_index_of(array.section).unwrap_or(usize::MAX);
            arrays.insert((section, array.item as usize, array.field), array);
            let key = (
                array.section.to_owned(),
                array.item as usize,
                array.field.to_owned(),
            );
            entries.insert(key, (0..array.total).collect());
        }
        let roll = roller.roll_choosing(seed, choice, &entries);
        // Row by row: the chance that it is printed if this is the choice of its section.
        let mut printed: HashMap<usize, f64> = HashMap::new();
        for piece in roll.pieces() {
            let (Some(found), Some(source)) = (self.rows.of_piece(&piece), piece.source) else {
                continue;
            };
            let array = source.entry.and_then(|_| {
                arrays
                    .get(&(source.section, source.item, source.field))
                    .copied()
            });
            let chance = array.map_or(1.0, |array| Chances::entry(array.rolled, array.total));
            // Any entry shows the item.
            let shows = array.is_none_or(|array| array.rolled > 0);
            let item = printed.entry(found.item).or_default();
            *item = item.max(f64::from(u8::from(shows)));
            let Some(detail) = found.detail else {
                continue;
            };
            let slider = self.rows.slider(source.section);
            match self.chances.slider(source.section) {
                Some(position) if slider.contains(&detail) => {
                    printed.extend(slider.map(|row| (row, position)));
                }
                _ => {
                    let detail = printed.entry(detail).or_default();
                    *detail = detail.max(chance);
                }
            }
        }
        for ((section, item, field), array) in &arrays {
            let row = |entry| self.rows.of_entry(*section, *item, field, entry as usize);
            // An item of which some entries print nothing is printed or not by what is rolled.
            let some_blank = (0..array.total)
                .any(|entry| row(entry).is_none_or(|row| !printed.contains_key(&row)));
            if some_blank && let Some(row) = self.rows.of_item(*section, *item) {
                self.unknown[row] = true;
            }
        }
        for (row, chance) in printed {
            let Some(known) = self.rows.all().get(row) else {
                continue;
            };
            let weight = self
                .picks
                .get(known.section)
                .map_or(0.0, |pick| pick.weight(number));
            self.sums[row] += weight * chance;
            // A heading is left out where its list is merged into another section's.
            if matches!(&known.kind, RowKind::Text { field } if field.starts_with("pre_context")) {
                self.unknown[row] = true;
            }
        }
    }
}
