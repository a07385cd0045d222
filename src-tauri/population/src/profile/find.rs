//! Finds rolls of a sample by their length or by what they print.

use promptdeck_core::hydrate::{HydrateError, Roller, Seed};

use super::{ProfilePlan, rendering::Rendering};
use crate::{rows::RowKind, survey::BATCH, tokens::TokenMemo};

/// A row of a coverage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowKey {
    /// The section.
    pub section: String,
    /// The item's position in its section; sliders have none.
    pub item: Option<usize>,
    /// What it is.
    pub kind: RowKind,
}

/// Which rolls to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RollFilter {
    /// Those with a length from one to another, both included: in tokens, or in characters without
    /// a tokenizer.
    Length {
        /// The lowest length.
        from: u64,
        /// The highest length.
        to: u64,
    },
    /// Those that print each of these rows; every roll if there are none.
    Prints(Vec<RowKey>),
}

/// Rolls found in a sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundRolls {
    /// Their seeds, in order.
    pub seeds: Vec<Seed>,
    /// The roll to continue from, counted from 0; none if the whole sample was searched.
    pub next: Option<u64>,
}

impl ProfilePlan<'_> {
    /// Finds at most `most` rolls, starting at the roll `from`. Every few rolls it calls `proceed`,
    /// and stops if that returns false.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route.
    pub fn find(
        &self,
        filter: &RollFilter,
        from: u64,
        most: usize,
        proceed: &dyn Fn() -> bool,
    ) -> Result<FoundRolls, HydrateError> {
        let mut roller = Roller::new(self.engine, self.state, self.route)?;
        let mut memo = self.options.tokenizer.map(TokenMemo::new);
        let wanted = match filter {
            RollFilter::Length { .. } => Some(Vec::new()),
            RollFilter::Prints(rows) => rows.iter().map(|row| self.row(row)).collect(),
        };
        let mut found = FoundRolls::default();
        // A row that does not exist is not printed.
        let Some(wanted): Option<Vec<usize>> = wanted else {
            return Ok(found);
        };
        for number in from..self.options.rolls {
            if found.seeds.len() >= most || (number % BATCH == 0 && !proceed()) {
                found.next = Some(number);
                break;
            }
            let seed = self.seed.after(number);
            let roll = roller.roll(seed);
            let matches = match filter {
                RollFilter::Length { from, to } => {
                    let rendered = Rendering::of(self).and_then(|rendering| rendering.text(seed));
                    let prompt = rendered.as_deref().unwrap_or(roll.text);
                    let length = match &mut memo {
                        Some(memo) => memo.count(prompt),
                        None => prompt.chars().count() as u64,
                    };
                    (*from..=*to).contains(&length)
                }
                RollFilter::Prints(_) => {
                    let mut missing = wanted.clone();
                    for piece in roll.pieces() {
                        if missing.is_empty() {
                            break;
                        }
                        if let Some(rows) = self.rows.of_piece(&piece) {
                            missing.retain(|row| *row != rows.item && Some(*row) != rows.detail);
                        }
                    }
                    missing.is_empty()
                }
            };
            if matches {
                found.seeds.push(seed);
            }
        }
        Ok(found)
    }

    fn row(&self, key: &RowKey) -> Option<usize> {
        let section = self
            .engine
            .registry()
            .sections()
            .get_index_of(key.section.as_str())?;
        self.rows
            .all()
            .iter()
            .position(|row| row.section == section && row.item == key.item && row.kind == key.kind)
    }
}

#[cfg(test)]
mod tests {
    use promptdeck_core::hydrate::{Call, Engine, State};
    use promptdeck_core::registry;

    use super::*;
    use crate::measure;
    use crate::profile::ProfileOptions;

    const ROLLS: u64 = 500;

    /// Calls `check` with a plan for a sample without a tokenizer.
    fn with_plan(check: impl Fn(&ProfilePlan<'_>)) {
        let text = include_str!("../../../../registries/trivia_host.json");
        let engine = Engine::new(
            registry::parse(text.as_bytes())
                .expect("a registry")
                .registry,
        );
        let state = State::default();
        let seed = Seed::new(7).expect("a seed");
        let call = Call {
            state: &state,
            route: None,
            seed,
        };
        let options = ProfileOptions {
            rolls: ROLLS,
            ..ProfileOptions::default()
        };
        check(&ProfilePlan::new(&engine, &call, options).expect("a plan"));
    }

    fn count(plan: &ProfilePlan<'_>, filter: &RollFilter) -> u64 {
        let found = plan.find(filter, 0, usize::MAX, &|| true).expect("found");
        assert_eq!(found.next, None);
        found.seeds.len() as u64
    }

    #[test]
    fn as_many_rolls_are_found_as_the_profile_counts() {
        with_plan(|plan| {
            let profile = plan.profile(measure(plan).expect("measured"), &|| false);
            let profile = profile.expect("a profile");
            let bars = profile.characters.expect("lengths").distribution.bars;
            assert!(bars.len() > 1, "the lengths differ");
            for bar in bars {
                let (from, to) = (bar.from.cast_unsigned(), bar.to.cast_unsigned());
                assert_eq!(count(plan, &RollFilter::Length { from, to }), bar.rolls);
            }
            let some = profile.coverage.iter().flat_map(|section| &section.rows);
            assert!(some.clone().any(|row| 0 < row.rolls && row.rolls < ROLLS));
            for section in &profile.coverage {
                for row in &section.rows {
                    let key = RowKey {
                        section: section.section.clone(),
                        item: row.item,
                        kind: row.kind.clone(),
                    };
                    let printed = count(plan, &RollFilter::Prints(vec![key]));
                    assert_eq!(printed, row.rolls, "{row:?}");
                }
            }
        });
    }

    #[test]
    fn a_search_continues_where_it_stopped() {
        with_plan(|plan| {
            let all = RollFilter::Prints(Vec::new());
            let first = plan.find(&all, 0, 30, &|| true).expect("found");
            assert_eq!((first.seeds.len(), first.next), (30, Some(30)));
            let rest = plan.find(&all, 30, usize::MAX, &|| true).expect("found");
            assert_eq!((rest.seeds.len(), rest.next), (470, None));
            assert_eq!(rest.seeds.first(), Some(&Seed::from_bits(37)));
            let stopped = plan.find(&all, 0, usize::MAX, &|| false).expect("stopped");
            assert_eq!((stopped.seeds.len(), stopped.next), (0, Some(0)));
        });
    }
}
