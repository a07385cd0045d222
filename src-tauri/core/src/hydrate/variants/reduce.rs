//! Makes a covering array shorter: a row is taken away, and the pairs that went with it are put into
//! the others by tabu search, one cell at a time. Knows numbers only, no registry.

use super::covering::Grid;
use crate::hydrate::pick::Picker;

/// The most values of all slots together: there is a counter for every pair.
const MAX_VALUES: usize = 1_024;

/// How many cells all searches together may look at.
const MAX_WORK: u64 = 25_000_000;

/// How many cells they may look at for each pair of values: longer searches hardly find more.
const WORK_PER_PAIR: u64 = 30_000;

/// For how many steps a changed cell stays as it is.
const TENURE: u64 = 8;

/// The rows, fewer if the search finds how.
pub(super) fn reduce(
    grid: &Grid,
    mut rows: Vec<Vec<u32>>,
    random: &mut Picker,
    is_cancelled: &dyn Fn() -> bool,
) -> Vec<Vec<u32>> {
    if grid.values() > MAX_VALUES {
        return rows;
    }
    let mut work = MAX_WORK.min(grid.pairs() * WORK_PER_PAIR);
    while rows.len() > grid.fewest_rows() && !is_cancelled() {
        let mut search = Search::without_a_row(grid, &rows);
        if !search.run(random, &mut work, is_cancelled) {
            break;
        }
        rows = search.rows;
    }
    rows
}

struct Search<'g> {
    grid: &'g Grid,
    rows: Vec<Vec<u32>>,
    /// In how many rows each pair of values is.
    counts: Vec<u32>,
    /// The pairs that no row has, in no order.
    uncovered: Vec<(usize, usize)>,
    /// The step before which a cell is not changed, by row and slot.
    fixed: Vec<u64>,
}

/// One cell and its new value.
#[derive(Clone, Copy)]
struct Move {
    row: usize,
    slot: usize,
    value: u32,
}

impl<'g> Search<'g> {
    /// Takes away the row that has the fewest pairs of its own.
    fn without_a_row(grid: &'g Grid, rows: &[Vec<u32>]) -> Self {
        let values = grid.values();
        let mut search = Self {
            grid,
            rows: rows.to_vec(),
            counts: vec![0; values * values],
            uncovered: Vec::new(),
            fixed: vec![0; rows.len() * grid.slots().len()],
        };
        for row in rows {
            search.each_pair(row, |counts, pair| counts[pair] += 1);
        }
        let pairs_lost = |row: &Vec<u32>| {
            let mut lost = 0;
            for (slot, value) in row.iter().enumerate() {
                lost += search.lost(row, slot, *value);
            }
            lost
        };
        let least = (0..rows.len()).min_by_key(|row| pairs_lost(&rows[*row]));
        if let Some(least) = least {
            let row = search.rows.swap_remove(least);
            for slot in 0..row.len() {
                search.leave(&row, slot, slot);
            }
        }
        search
    }

    fn each_pair(&mut self, row: &[u32], change: impl Fn(&mut Vec<u32>, usize)) {
        let values = self.grid.values();
        for (slot, value) in row.iter().enumerate() {
            let one = self.grid.at(slot, *value);
            for (other, value) in row.iter().enumerate() {
                if other != slot {
                    change(&mut self.counts, one * values + self.grid.at(other, *value));
                }
            }
        }
    }

    fn count(&self, one: usize, two: usize) -> u32 {
        self.counts[one * self.grid.values() + two]
    }

    /// How many pairs no row would have if this value of a row went.
    fn lost(&self, row: &[u32], slot: usize, value: u32) -> usize {
        self.with_others(row, slot, value, 1)
    }

    /// How many uncovered pairs a value would cover in a row.
    fn gained(&self, row: &[u32], slot: usize, value: u32) -> usize {
        self.with_others(row, slot, value, 0)
    }

    /// How many pairs of a value with the other slots of a row are in so many rows.
    fn with_others(&self, row: &[u32], slot: usize, value: u32, rows: u32) -> usize {
        let value = self.grid.at(slot, value);
        let others = row.iter().enumerate().filter(|(other, _)| *other != slot);
        let found = others.filter(|(other, other_value)| {
            self.count(value, self.grid.at(*other, **other_value)) == rows
        });
        found.count()
    }

    /// Takes a value of a row out of the counts of its pairs with the slots from `from` on.
    fn leave(&mut self, row: &[u32], slot: usize, from: usize) {
        let one = self.grid.at(slot, row[slot]);
        for (other, value) in row.iter().enumerate().skip(from) {
            if other == slot {
                continue;
            }
            let two = self.grid.at(other, *value);
            for pair in self.cells(one, two) {
                self.counts[pair] -= 1;
            }
            if self.count(one, two) == 0 {
                self.uncovered.push((one, two));
            }
        }
    }

    /// Adds a value of a row to the counts of its pairs.
    fn join(&mut self, row: &[u32], slot: usize) {
        let one = self.grid.at(slot, row[slot]);
        for (other, value) in row.iter().enumerate() {
            if other == slot {
                continue;
            }
            let two = self.grid.at(other, *value);
            for pair in self.cells(one, two) {
                self.counts[pair] += 1;
            }
            if self.count(one, two) == 1 {
                let same = |pair: &(usize, usize)| *pair == (one, two) || *pair == (two, one);
                if let Some(at) = self.uncovered.iter().position(same) {
                    self.uncovered.swap_remove(at);
                }
            }
        }
    }

    fn cells(&self, one: usize, two: usize) -> [usize; 2] {
        let values = self.grid.values();
        [one * values + two, two * values + one]
    }

    /// Searches until every pair is covered, or no work is left.
    fn run(
        &mut self,
        random: &mut Picker,
        work: &mut u64,
        is_cancelled: &dyn Fn() -> bool,
    ) -> bool {
        let mut best = self.uncovered.len();
        let mut step = 0;
        while !self.uncovered.is_empty() {
            step += 1;
            if *work == 0 || (step % 1_024 == 0 && is_cancelled()) {
                return false;
            }
            let wanted = random.below(self.uncovered.len() as u64) as usize;
            let (one, two) = self.uncovered[wanted];
            let found = self.best_move(
                self.grid.place(one),
                self.grid.place(two),
                step,
                best,
                random,
                work,
            );
            if let Some(found) = found {
                self.apply(found);
                let slots = self.grid.slots().len();
                self.fixed[found.row * slots + found.slot] = step + TENURE + random.below(TENURE);
                best = best.min(self.uncovered.len());
            }
        }
        true
    }

    /// The change of one cell that covers a pair and leaves the fewest uncovered; a random one of
    /// several.
    fn best_move(
        &self,
        one: (usize, u32),
        two: (usize, u32),
        step: u64,
        best: usize,
        random: &mut Picker,
        work: &mut u64,
    ) -> Option<Move> {
        let slots = self.grid.slots().len();
        let (mut found, mut least, mut ties) = (None, usize::MAX, 0);
        for (number, row) in self.rows.iter().enumerate() {
            *work = work.saturating_sub(1);
            let (slot, value) = match (row[one.0] == one.1, row[two.0] == two.1) {
                (true, false) => two,
                (false, true) => one,
                _ => continue,
            };
            if !self.admits(row, slot, value) {
                continue;
            }
            *work = work.saturating_sub(slots as u64);
            let after = self.uncovered.len() + self.lost(row, slot, row[slot])
                - self.gained(row, slot, value);
            let fixed = self.fixed[number * slots + slot] > step && after >= best;
            if fixed || after > least {
                continue;
            }
            if after < least {
                (least, ties) = (after, 0);
            }
            ties += 1;
            if random.below(ties) == 0 {
                found = Some(Move {
                    row: number,
                    slot,
                    value,
                });
            }
        }
        found
    }

    fn admits(&self, row: &[u32], slot: usize, value: u32) -> bool {
        if self.grid.constrained().binary_search(&slot).is_err() {
            return true;
        }
        let others = row.iter().enumerate();
        let others: Vec<Option<u32>> = others
            .map(|(other, value)| (other != slot).then_some(*value))
            .collect();
        self.grid.admits(&others, slot, value)
    }

    fn apply(&mut self, change: Move) {
        let mut row = std::mem::take(&mut self.rows[change.row]);
        self.leave(&row, change.slot, 0);
        row[change.slot] = change.value;
        self.join(&row, change.slot);
        self.rows[change.row] = row;
    }
}
