//! `variants --sample`: rolls by mode, and parts of them.

use std::{ops::Range, str::FromStr};

use promptdeck_core::{
    hydrate::{
        Call, Engine, Seed, State,
        variants::{self, Coverage, Picks, Sampler, Variant},
    },
    plural::plural,
    registry::Registry,
};
use serde::Serialize;

use crate::{
    args::Format,
    failure::Failure,
    output::{self, Output},
    rendering::Unrendered,
};

use super::progress::Progress;

/// How rolls are sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Each roll by its own seed, equal prompts included.
    Random,
    /// Every item of a section, and every position of a slider, once before any comes again.
    Shuffle,
    /// Every pair of values of any two sections or sliders at least once, in few rolls.
    Pairwise,
    /// Every evaluation once, in order.
    Exhaustive,
}

/// One of several equal parts of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 1.
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().ok().map(u64::from);
        let shard = text.split_once('/').and_then(|(shard, of)| {
            let (number, of) = (number(shard)?, number(of)?);
            (1..=of).contains(&number).then_some(Self { number, of })
        });
        shard.ok_or_else(|| "write K/N with K from 1 to N, such as 3/16".to_owned())
    }
}

impl Shard {
    /// Its part of the indices below `total`.
    pub fn range(self, total: u64) -> Range<u64> {
        let end = |shard: u64| {
            let end = u128::from(total) * u128::from(shard) / u128::from(self.of);
            u64::try_from(end).unwrap_or(total)
        };
        end(self.number - 1)..end(self.number)
    }
}

/// A sample as it is asked for.
pub struct Sample {
    /// The mode.
    pub mode: Mode,
    /// The most rolls of the whole sample.
    pub rolls: Option<u64>,
    /// The part to print.
    pub shard: Option<Shard>,
    /// The format of a roll.
    pub format: Format,
}

/// A roll of a seed.
#[derive(Serialize)]
struct SeedRow {
    index: u64,
    seed: Seed,
    text: String,
}

/// A roll of given values.
#[derive(Serialize)]
struct PickedRow {
    #[serde(flatten)]
    picks: Picks,
    /// The state that gives the prompt with this seed, if a state can.
    state: Option<State>,
    text: String,
}

/// One of all evaluations.
#[derive(Serialize)]
struct VariantRow {
    index: u64,
    #[serde(flatten)]
    variant: Variant,
}

impl Sample {
    /// Prints the rolls, and how many there are.
    pub fn print(&self, engine: &Engine, call: &Call<'_>, out: &mut Output) -> Result<(), Failure> {
        match self.mode {
            Mode::Random => self.print_random(engine, call, out),
            Mode::Shuffle => {
                let total = self.wanted()?;
                self.print_picks(
                    engine.registry(),
                    Sampler::shuffle(engine, call),
                    total,
                    out,
                )
            }
            Mode::Pairwise => {
                let sampler = Sampler::pairwise(engine, call, &|| false)
                    .map_err(|error| Failure::input(error.code(), error.to_string()))?;
                let total = sampler.len().unwrap_or_default();
                let rolls = self.rolls.unwrap_or(total);
                self.print_picks(engine.registry(), sampler, rolls.min(total), out)
            }
            Mode::Exhaustive => self.print_all(engine, call, out),
        }
    }

    /// The number of rolls of a sample that has no end of its own.
    pub fn wanted(&self) -> Result<u64, Failure> {
        self.rolls.ok_or_else(|| {
            let message = "this sample is unlimited; give the number of rolls with --rolls N";
            Failure::input("wrong_usage", message)
        })
    }

    /// The numbers of its rolls, of `total`.
    pub fn range(&self, total: u64) -> Range<u64> {
        self.shard.map_or(0..total, |shard| shard.range(total))
    }

    fn print_random(
        &self,
        engine: &Engine,
        call: &Call<'_>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let registry = engine.registry();
        let total = self.wanted()?;
        let range = self.range(total);
        let mut progress = Progress::of_output(|| Some(range.end - range.start));
        for index in range.clone() {
            let seed = call.seed.after(index);
            let text = engine.hydrate_text(&Call { seed, ..*call })?;
            match self.format {
                Format::Json => {
                    out.json_line(&Unrendered::row(SeedRow { index, seed, text }, registry))?;
                }
                Format::Text => out.verbatim(&format!("seed {seed}\n{text}\n"))?,
            }
            out.flush()?;
            progress.add(1);
        }
        drop(progress);
        self.close(&range, total);
        Ok(())
    }

    fn print_picks(
        &self,
        registry: &Registry,
        mut sampler: Sampler<'_>,
        total: u64,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let range = self.range(total);
        let mut progress = Progress::of_output(|| Some(range.end - range.start));
        for index in range.clone() {
            let Some(picks) = sampler.picks(index) else {
                break;
            };
            let text = sampler.text(&picks)?;
            match self.format {
                Format::Json => {
                    let state = sampler.state(&picks)?;
                    out.json_line(&Unrendered::row(PickedRow { picks, state, text }, registry))?;
                }
                Format::Text => out.verbatim(&format!("roll {}\n{text}\n", index + 1))?,
            }
            out.flush()?;
            progress.add(1);
        }
        drop(progress);
        let covered = sampler.covered_by(total);
        self.close_with(&range, total, sampler.coverage().zip(covered));
        Ok(())
    }

    fn print_all(&self, engine: &Engine, call: &Call<'_>, out: &mut Output) -> Result<(), Failure> {
        let registry = engine.registry();
        let limit = self.rolls.unwrap_or(u64::MAX);
        let total = match self.shard {
            None => limit,
            Some(_) => limit.min(number_of_all(engine, call, self.rolls.is_some())?),
        };
        let range = self.range(total);
        let end = usize::try_from(range.end).unwrap_or(usize::MAX);
        let variants = variants::enumerate(engine, call, end);
        let mut printed = range.start;
        let mut progress = Progress::of_output(|| {
            let count = variants::count(engine, call).ok()?;
            let end = u64::try_from(&count.ordered)
                .unwrap_or(u64::MAX)
                .min(range.end);
            (end < u64::MAX).then(|| end.saturating_sub(range.start))
        });
        for (index, variant) in (0_u64..).zip(variants) {
            let variant = variant?;
            if index < range.start {
                continue;
            }
            printed = index + 1;
            match self.format {
                Format::Json => {
                    out.json_line(&Unrendered::row(VariantRow { index, variant }, registry))?;
                }
                Format::Text => {
                    out.verbatim(&format!("variant {}\n{}\n", index + 1, variant.text))?;
                }
            }
            out.flush()?;
            progress.add(1);
        }
        drop(progress);
        let total = if self.shard.is_some() { total } else { printed };
        self.close(&(range.start..printed), total);
        Ok(())
    }

    /// Says how many rolls were printed.
    pub fn close(&self, printed: &Range<u64>, total: u64) {
        self.close_with(printed, total, None);
    }

    /// As [`Self::close`], and what the whole sample covers: the pairs that all its rolls would
    /// cover without a limit, and those that its `total` rolls do.
    fn close_with(&self, printed: &Range<u64>, total: u64, coverage: Option<(Coverage, u64)>) {
        let count = |number: u64, noun| plural(usize::try_from(number).unwrap_or(usize::MAX), noun);
        let rolls = printed.end.saturating_sub(printed.start);
        let mut message = count(rolls, "roll");
        if let Some(shard) = self.shard {
            message += &format!(" of {total}, part {} of {}", shard.number, shard.of);
            message += &match rolls {
                // There may be fewer rolls than parts.
                0 => String::new(),
                1 => format!(": number {}", printed.end),
                _ => format!(": numbers {} to {}", printed.start + 1, printed.end),
            };
        }
        if let Some((coverage, covered)) = coverage {
            let pairs = count(coverage.covered, "pair");
            let is_whole = covered == coverage.covered;
            let covered = match is_whole {
                true => format!("all {pairs} of values"),
                false => format!("{covered} of the {pairs} of values"),
            };
            message += &match rolls == total {
                true => format!(" with {covered}"),
                false => format!("; all {total} have {covered}"),
            };
            if !is_whole {
                message += &format!(", and {} have all of them", count(coverage.rolls, "roll"));
            }
            message += &match coverage.impossible {
                0 => String::new(),
                impossible => format!(
                    "; {} impossible under requires and excludes",
                    match impossible {
                        1 => "1 more is".to_owned(),
                        several => format!("{several} more are"),
                    }
                ),
            };
        }
        output::note(&message);
    }
}

/// How many evaluations there are. A bound does if the rolls are limited.
fn number_of_all(engine: &Engine, call: &Call<'_>, limited: bool) -> Result<u64, Failure> {
    let count = variants::count(engine, call)?;
    let number = u64::try_from(&count.ordered).ok();
    match number {
        Some(number) if count.exact => Ok(number),
        _ if limited => Ok(u64::MAX),
        _ => Err(Failure::input(
            "wrong_usage",
            "there are too many evaluations to divide; limit them with --rolls N",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn shards_divide_the_whole() {
        for total in [0, 1, 5, 16, 17, 1_000_003, u64::MAX] {
            for of in [1, 2, 3, 16, 1_000] {
                let mut next = 0;
                for number in 1..=of {
                    let range = Shard { number, of }.range(total);
                    assert_eq!(range.start, next);
                    next = range.end;
                }
                assert_eq!(next, total);
            }
        }
        for wrong in [
            "",
            "3",
            "0/2",
            "3/2",
            "1/0",
            "-1/2",
            "1/2/3",
            "a/b",
            "1/99999999999",
        ] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
