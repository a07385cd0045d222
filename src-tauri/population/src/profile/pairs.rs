//! How often the values of two slots are printed together, and which combinations the registry
//! forbids.

use promptdeck_core::hydrate::{Engine, Incompatibility, incompatibilities};
use serde::Serialize;

use crate::rows::Rows;

/// The combinations of a pair, at most; a larger pair is left out.
pub(super) const MAX_CELLS: usize = 10_000;

/// Something with several values of which a roll prints some.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Slot {
    /// The items of a section.
    Item {
        /// The section.
        section: String,
    },
    /// The positions of its slider.
    Slider {
        /// The section.
        section: String,
    },
}

impl Slot {
    /// The section.
    #[must_use]
    pub fn section(&self) -> &str {
        match self {
            Self::Item { section } | Self::Slider { section } => section,
        }
    }
}

/// Two slots and their combinations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The slot of the lines.
    pub first: Slot,
    /// The slot of the columns.
    pub second: Slot,
    /// The values of the first slot.
    pub first_values: Vec<String>,
    /// The values of the second slot.
    pub second_values: Vec<String>,
    /// By line and column: the rolls that print both.
    pub rolls: Vec<Vec<u64>>,
    /// The combinations that cannot be rolled.
    pub impossible: Vec<ImpossibleCell>,
}

/// A combination that cannot be rolled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImpossibleCell {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The entries that forbid it.
    pub because: Vec<Incompatibility>,
}

/// A pair by rows.
#[derive(Debug)]
pub(super) struct PairPlan {
    slots: (Slot, Slot),
    lines: Vec<usize>,
    columns: Vec<usize>,
}

impl PairPlan {
    /// The pairs that are not too large.
    pub fn all(engine: &Engine, pairs: &[(Slot, Slot)], rows: &Rows) -> Vec<Self> {
        let of = |slot: &Slot| -> Vec<usize> {
            let sections = engine.registry().sections();
            match (slot, sections.get_index_of(slot.section())) {
                (Slot::Item { .. }, Some(section)) => rows.items(section).collect(),
                (Slot::Slider { .. }, Some(section)) => rows.slider(section).collect(),
                (_, None) => Vec::new(),
            }
        };
        let pairs = pairs.iter().map(|slots| Self {
            lines: of(&slots.0),
            columns: of(&slots.1),
            slots: slots.clone(),
        });
        pairs.filter(|pair| pair.cells() <= MAX_CELLS).collect()
    }

    pub fn cells(&self) -> usize {
        self.lines.len() * self.columns.len()
    }

    pub fn report(&self, counts: &[u64], engine: &Engine, rows: &Rows) -> Pair {
        let label = |row: &usize| {
            rows.all()
                .get(*row)
                .map_or(String::new(), |row| row.label.clone())
        };
        let mut impossible = Vec::new();
        for (line, first) in self.lines.iter().enumerate() {
            for (column, second) in self.columns.iter().enumerate() {
                let because = forbidden(engine, rows, *first, *second);
                if !because.is_empty() {
                    impossible.push(ImpossibleCell {
                        line,
                        column,
                        because,
                    });
                }
            }
        }
        let width = self.columns.len().max(1);
        Pair {
            first: self.slots.0.clone(),
            second: self.slots.1.clone(),
            first_values: self.lines.iter().map(label).collect(),
            second_values: self.columns.iter().map(label).collect(),
            rolls: counts.chunks(width).map(<[u64]>::to_vec).collect(),
            impossible,
        }
    }
}

/// Counts the combinations that a roll prints.
pub(super) fn count(pair: &PairPlan, counts: &mut [u64], is_printed: impl Fn(usize) -> bool) {
    let width = pair.columns.len().max(1);
    for (line, cells) in pair.lines.iter().zip(counts.chunks_mut(width)) {
        if !is_printed(*line) {
            continue;
        }
        for (column, cell) in pair.columns.iter().zip(cells) {
            *cell += u64::from(is_printed(*column));
        }
    }
}

fn forbidden(engine: &Engine, rows: &Rows, one: usize, other: usize) -> Vec<Incompatibility> {
    let place = |row: usize| {
        let row = rows.all().get(row)?;
        Some((row.section, row.item?))
    };
    let (Some(one), Some(other)) = (place(one), place(other)) else {
        return Vec::new();
    };
    if one.0 == other.0 {
        return Vec::new();
    }
    incompatibilities(engine.registry(), one, other.0, &[other.1])
}
