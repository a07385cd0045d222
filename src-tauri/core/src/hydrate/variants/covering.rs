//! Covering arrays of strength two: as few rows as possible in which every pair of values of any two
//! slots occurs, without forbidden pairs.
//!
//! Rows are built greedily, as AETG does: each is the best of several candidates, a candidate starts
//! with the value that has most pairs left, and every further slot, in random order, takes the value
//! that covers most new pairs. The best of several attempts is kept and made shorter. Knows numbers only, no registry.

use std::collections::HashSet;

use super::{reduce::reduce, satisfy::Search};
use crate::hydrate::{Seed, pick::Picker};

/// The most values of all slots together: the tables have a bit for every pair.
pub(super) const MAX_VALUES: usize = 4_096;

/// The most rows that the two largest slots may need by themselves.
pub(super) const MAX_ROWS: usize = 100_000;

/// Candidates for one row, at most.
const MAX_CANDIDATES: u64 = 40;

/// Attempts at the whole array, at most.
const MAX_ATTEMPTS: u64 = 40;

/// The estimated steps that all attempts together may take.
const WORK: u64 = 30_000_000;

/// The slots, by the number of their values, and the pairs of values that are forbidden.
pub(super) struct Grid {
    sizes: Vec<usize>,
    /// The number of values in the slots before each slot.
    starts: Vec<usize>,
    forbidden: Option<Pairs>,
    /// The slots that have a forbidden pair.
    constrained: Vec<usize>,
}

/// A set of pairs of values: a row of bits for each value.
#[derive(Clone)]
struct Pairs {
    words: usize,
    bits: Vec<u64>,
}

impl Pairs {
    fn none(values: usize) -> Self {
        let words = values.div_ceil(64);
        Self {
            words,
            bits: vec![0; words * values],
        }
    }

    fn has(&self, one: usize, two: usize) -> bool {
        (self.bits[one * self.words + two / 64] >> (two % 64)) & 1 != 0
    }

    fn insert(&mut self, one: usize, two: usize) {
        self.bits[one * self.words + two / 64] |= 1 << (two % 64);
        self.bits[two * self.words + one / 64] |= 1 << (one % 64);
    }

    /// Removes a pair; returns whether it was there.
    fn remove(&mut self, one: usize, two: usize) -> bool {
        let had = self.has(one, two);
        self.bits[one * self.words + two / 64] &= !(1 << (two % 64));
        self.bits[two * self.words + one / 64] &= !(1 << (one % 64));
        had
    }
}

impl Grid {
    pub fn new(sizes: Vec<usize>) -> Self {
        let starts = sizes.iter().scan(0, |sum, size| {
            let start = *sum;
            *sum += size;
            Some(start)
        });
        Self {
            starts: starts.collect(),
            sizes,
            forbidden: None,
            constrained: Vec::new(),
        }
    }

    /// Whether the tables and the array stay within their limits.
    pub fn is_small(&self) -> bool {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        let rows: usize = sizes.iter().rev().take(2).product();
        self.values() <= MAX_VALUES && rows <= MAX_ROWS
    }

    /// Forbids a pair of values, each given by its slot and its position there.
    pub fn forbid(&mut self, one: (usize, usize), two: (usize, usize)) {
        let values = self.values();
        let (first, second) = (self.starts[one.0] + one.1, self.starts[two.0] + two.1);
        let forbidden = self.forbidden.get_or_insert_with(|| Pairs::none(values));
        forbidden.insert(first, second);
        for slot in [one.0, two.0] {
            if let Err(at) = self.constrained.binary_search(&slot) {
                self.constrained.insert(at, slot);
            }
        }
    }

    /// The slots that have a forbidden pair.
    pub fn constrained(&self) -> &[usize] {
        &self.constrained
    }

    /// How many values a slot has.
    pub fn size(&self, slot: usize) -> usize {
        self.sizes[slot]
    }

    /// Whether a value forms no forbidden pair with those chosen.
    pub fn admits(&self, chosen: &[Option<u32>], slot: usize, value: u32) -> bool {
        let Some(forbidden) = &self.forbidden else {
            return true;
        };
        let value = self.starts[slot] + value as usize;
        let constrained = self.constrained.iter();
        constrained
            .filter_map(|other| chosen[*other].map(|chosen| self.starts[*other] + chosen as usize))
            .all(|chosen| !forbidden.has(value, chosen))
    }

    /// The number of values of all slots together.
    pub fn values(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// The slots.
    pub fn slots(&self) -> std::ops::Range<usize> {
        0..self.sizes.len()
    }

    /// The number of a value among those of all slots.
    pub fn at(&self, slot: usize, value: u32) -> usize {
        self.starts[slot] + value as usize
    }

    /// The slot of a value, and its position there.
    pub fn place(&self, value: usize) -> (usize, u32) {
        let after = self.starts.partition_point(|start| *start <= value);
        let slot = after.saturating_sub(1);
        (slot, (value - self.starts[slot]) as u32)
    }

    /// Whether the choice can be completed to a row.
    fn is_possible(&self, chosen: &mut [Option<u32>]) -> bool {
        self.constrained.is_empty() || Search::new(self).complete(chosen)
    }
}

/// A covering array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Covering {
    /// The rows: the position of a value for each slot.
    pub rows: Vec<Vec<u32>>,
    /// How many pairs the rows cover.
    pub covered: u64,
    /// How many pairs no row can have.
    pub impossible: u64,
}

impl Covering {
    /// How many pairs the first so many rows cover.
    pub fn covered_by(&self, rows: u64) -> u64 {
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        let Some(rows) = self.rows.get(..rows) else {
            return self.covered;
        };
        let mut pairs = HashSet::new();
        for row in rows {
            for (slot, value) in row.iter().enumerate() {
                let others = row.iter().enumerate().skip(slot + 1);
                pairs.extend(others.map(|(other, second)| (slot, *value, other, *second)));
            }
        }
        pairs.len() as u64
    }
}

/// The smallest covering array of all attempts. Ends early with an incomplete one once
/// `is_cancelled` returns true.
pub(super) fn cover(grid: &Grid, seed: Seed, is_cancelled: &dyn Fn() -> bool) -> Covering {
    let empty = Covering {
        rows: Vec::new(),
        covered: 0,
        impossible: grid.pairs(),
    };
    if grid.sizes.contains(&0) || !grid.is_possible(&mut vec![None; grid.sizes.len()]) {
        return empty;
    }
    if grid.sizes.len() < 2 {
        let values = grid.sizes.first().copied();
        let rows = values.map_or_else(
            || vec![Vec::new()],
            |values| (0..values as u32).map(|value| vec![value]).collect(),
        );
        return Covering {
            rows,
            covered: 0,
            impossible: 0,
        };
    }
    let possible = grid.possible_pairs(is_cancelled);
    let left = possible
        .bits
        .iter()
        .map(|word| u64::from(word.count_ones()));
    let covered = left.sum::<u64>() / 2;
    let (candidates, attempts) = grid.effort();
    let mut best: Option<Vec<Vec<u32>>> = None;
    for attempt in 0..attempts {
        let limit = best.as_ref().map_or(usize::MAX, Vec::len);
        let rows = Attempt::new(grid, &possible, covered, Picker::of_covering(seed, attempt)).rows(
            candidates,
            limit,
            is_cancelled,
        );
        if let Some(rows) = rows {
            best = Some(rows);
        }
        if is_cancelled() || best.as_ref().map(Vec::len) == Some(grid.fewest_rows()) {
            break;
        }
    }
    let rows = best.unwrap_or_default();
    let mut random = Picker::of_covering(seed, attempts);
    Covering {
        rows: reduce(grid, rows, &mut random, is_cancelled),
        covered,
        impossible: grid.pairs() - covered,
    }
}

impl Grid {
    /// How many pairs of values of different slots there are.
    pub fn pairs(&self) -> u64 {
        let sizes = self.sizes.iter().map(|size| *size as u64);
        let (_, pairs) = sizes.fold((0, 0), |(sum, pairs), size| {
            (sum + size, pairs + sum * size)
        });
        pairs
    }

    /// No array has fewer rows, if nothing is forbidden.
    pub fn fewest_rows(&self) -> usize {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        sizes.iter().rev().take(2).product()
    }

    /// Candidates for each row, and attempts at the array: fewer for larger ones.
    fn effort(&self) -> (u64, u64) {
        let slots = self.sizes.len() as u64;
        let search = if self.constrained.is_empty() { 1 } else { 16 };
        let candidate = (self.values() as u64 * slots * search).max(1);
        let logarithm = u64::from(64 - slots.leading_zeros());
        let attempt = candidate * self.fewest_rows() as u64 * logarithm;
        let runs = (WORK / attempt.max(1)).max(1);
        let candidates = runs.min(MAX_CANDIDATES);
        (candidates, (runs / candidates).clamp(1, MAX_ATTEMPTS))
    }

    /// The pairs that some row can have.
    fn possible_pairs(&self, is_cancelled: &dyn Fn() -> bool) -> Pairs {
        let mut possible = Pairs::none(self.values());
        let mut choosable = vec![true; self.values()];
        for slot in &self.constrained {
            for value in 0..self.sizes[*slot] as u32 {
                let mut chosen = vec![None; self.sizes.len()];
                chosen[*slot] = Some(value);
                choosable[self.at(*slot, value)] = self.is_possible(&mut chosen);
            }
        }
        let is_constrained = |slot: usize| self.constrained.binary_search(&slot).is_ok();
        for one in self.slots() {
            for two in one + 1..self.sizes.len() {
                let both = is_constrained(one) && is_constrained(two);
                for first in 0..self.sizes[one] as u32 {
                    if is_cancelled() {
                        return possible;
                    }
                    for second in 0..self.sizes[two] as u32 {
                        let pair = (self.at(one, first), self.at(two, second));
                        if !choosable[pair.0] || !choosable[pair.1] {
                            continue;
                        }
                        if !both {
                            possible.insert(pair.0, pair.1);
                        } else if !possible.has(pair.0, pair.1) {
                            self.add_witness((one, first), (two, second), &mut possible);
                        }
                    }
                }
            }
        }
        possible
    }

    /// Looks for a row with two values, and adds all pairs of its constrained slots.
    fn add_witness(&self, one: (usize, u32), two: (usize, u32), possible: &mut Pairs) {
        let mut chosen = vec![None; self.sizes.len()];
        chosen[one.0] = Some(one.1);
        if !self.admits(&chosen, two.0, two.1) {
            return;
        }
        chosen[two.0] = Some(two.1);
        if !self.is_possible(&mut chosen) {
            return;
        }
        let values = chosen.iter().enumerate();
        let values: Vec<usize> = values
            .filter_map(|(slot, value)| value.map(|value| self.at(slot, value)))
            .collect();
        for (at, first) in values.iter().enumerate() {
            for second in &values[at + 1..] {
                possible.insert(*first, *second);
            }
        }
    }
}

/// One attempt: what is not covered yet.
struct Attempt<'g> {
    grid: &'g Grid,
    uncovered: Pairs,
    left: u64,
    /// How many uncovered pairs each value is in.
    open: Vec<u32>,
    random: Picker,
}

impl<'g> Attempt<'g> {
    fn new(grid: &'g Grid, possible: &Pairs, left: u64, random: Picker) -> Self {
        let rows = possible.bits.chunks(possible.words.max(1));
        Self {
            open: rows
                .map(|row| row.iter().map(|word| word.count_ones()).sum())
                .collect(),
            uncovered: possible.clone(),
            grid,
            left,
            random,
        }
    }

    /// The rows, unless they are no fewer than `limit`.
    fn rows(
        mut self,
        candidates: u64,
        limit: usize,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Vec<Vec<u32>>> {
        let mut rows = Vec::new();
        while self.left > 0 && !is_cancelled() {
            if rows.len() + 1 >= limit {
                return None;
            }
            let mut best = (0, Vec::new());
            for _ in 0..candidates {
                let start = self.start();
                if let Some((gain, row)) = self.candidate(&start)
                    && gain > best.0
                {
                    best = (gain, row);
                }
            }
            if best.0 == 0 {
                // No candidate came to an uncovered pair: begin with one.
                let start = self.uncovered_pair()?;
                best = self.candidate(&start)?;
            }
            self.take(&best.1);
            rows.push(best.1);
        }
        Some(rows)
    }

    /// A value with the most uncovered pairs.
    fn start(&mut self) -> Vec<(usize, u32)> {
        let most = self.open.iter().max().copied().unwrap_or_default();
        let ties = self.open.iter().filter(|open| **open == most).count();
        let wanted = self.random.below(ties.max(1) as u64) as usize;
        let values = self.open.iter().enumerate();
        let mut tied = values.filter(|(_, open)| **open == most);
        let found = tied.nth(wanted).map(|(value, _)| self.grid.place(value));
        found.into_iter().collect()
    }

    fn uncovered_pair(&self) -> Option<Vec<(usize, u32)>> {
        let word = self.uncovered.bits.iter().position(|word| *word != 0)?;
        let first = word / self.uncovered.words;
        let bit = self.uncovered.bits[word].trailing_zeros() as usize;
        let second = (word % self.uncovered.words) * 64 + bit;
        Some(vec![self.grid.place(first), self.grid.place(second)])
    }

    /// A row that begins with the given values, and how many uncovered pairs it has.
    fn candidate(&mut self, start: &[(usize, u32)]) -> Option<(u64, Vec<u32>)> {
        let slots = self.grid.sizes.len();
        let mut chosen = vec![None; slots];
        let mut values = Vec::with_capacity(slots);
        let mut gain = 0;
        for (slot, value) in start {
            chosen[*slot] = Some(*value);
            let value = self.grid.at(*slot, *value);
            gain += self.gain(value, &values);
            values.push(value);
        }
        let mut order: Vec<usize> = self
            .grid
            .slots()
            .filter(|slot| chosen[*slot].is_none())
            .collect();
        for at in (1..order.len()).rev() {
            order.swap(at, self.random.below(at as u64 + 1) as usize);
        }
        for slot in order {
            let (value, newly_covered) = self.best_value(slot, &mut chosen, &values)?;
            chosen[slot] = Some(value);
            values.push(self.grid.at(slot, value));
            gain += newly_covered;
        }
        Some((gain, chosen.into_iter().flatten().collect()))
    }

    /// How many uncovered pairs a value has with those chosen.
    fn gain(&self, value: usize, chosen: &[usize]) -> u64 {
        let uncovered = chosen
            .iter()
            .filter(|other| self.uncovered.has(value, **other));
        uncovered.count() as u64
    }

    /// The value of a slot that adds most uncovered pairs, a random one of several; only values with
    /// which the row can be completed.
    fn best_value(
        &mut self,
        slot: usize,
        chosen: &mut [Option<u32>],
        values: &[usize],
    ) -> Option<(u32, u64)> {
        let gains = (0..self.grid.sizes[slot] as u32)
            .map(|value| (self.gain(self.grid.at(slot, value), values), value));
        let mut gains: Vec<(u64, u32)> = gains.collect();
        loop {
            let most = gains.iter().map(|(gain, _)| *gain).max()?;
            let ties = gains.iter().filter(|(gain, _)| *gain == most).count();
            let wanted = self.random.below(ties as u64) as usize;
            let at = gains
                .iter()
                .enumerate()
                .filter(|(_, (gain, _))| *gain == most)
                .nth(wanted)
                .map(|(at, _)| at)?;
            let (gain, value) = gains.swap_remove(at);
            if self.fits(slot, value, chosen) {
                return Some((value, gain));
            }
        }
    }

    /// Whether a row with this value can be completed.
    fn fits(&self, slot: usize, value: u32, chosen: &[Option<u32>]) -> bool {
        if self.grid.constrained.binary_search(&slot).is_err() {
            return true;
        }
        if !self.grid.admits(chosen, slot, value) {
            return false;
        }
        let mut chosen = chosen.to_vec();
        chosen[slot] = Some(value);
        self.grid.is_possible(&mut chosen)
    }

    /// Marks the pairs of a row as covered.
    fn take(&mut self, row: &[u32]) {
        let values: Vec<usize> = (0..)
            .zip(row)
            .map(|(slot, value)| self.grid.at(slot, *value))
            .collect();
        for (at, one) in values.iter().enumerate() {
            for two in &values[at + 1..] {
                if self.uncovered.remove(*one, *two) {
                    self.left -= 1;
                    self.open[*one] -= 1;
                    self.open[*two] -= 1;
                }
            }
        }
    }
}
