//! One expectation while its sample rolls: what it has seen so far, and what is wrong.

use promptdeck_core::{
    hydrate::Seed,
    registry::{Diagnostic, Severity},
};

use super::{
    excerpt,
    explain::Location,
    judge::{Finding, Searches},
    prefix::Prefix,
    prepare::{Rule, Test},
    printed::Target,
    roll::Roll,
    share::percent,
    verdict::Failure,
};

/// An expectation while a sample rolls.
pub(crate) struct Running<'s> {
    pub rule: &'s Rule,
    /// The failure found so far.
    pub failure: Option<Failure>,
    searches: Searches<'s>,
    prefix: Prefix,
    printed: u64,
    first_printed: Option<Seed>,
    first_missing: Option<Seed>,
}

impl<'s> Running<'s> {
    /// An expectation before the first roll. The states of its pattern are kept in memory from roll to
    /// roll if `keeps_states` says so.
    pub fn new(rule: &'s Rule, keeps_states: bool) -> Self {
        let searches = match &rule.test {
            Test::Text(test) if keeps_states => Searches::of_many(test),
            _ => Searches::default(),
        };
        Self {
            rule,
            failure: None,
            searches,
            prefix: Prefix::default(),
            printed: 0,
            first_printed: None,
            first_missing: None,
        }
    }

    /// Adds a roll; `is_new` says whether no roll before had its text.
    pub fn roll(&mut self, roll: &Roll<'_, '_>, is_new: bool) -> Option<Finding> {
        let seed = roll.call.seed;
        match &self.rule.test {
            Test::Text(test) if is_new => test.judge(&roll.text, &mut self.searches),
            Test::Text(_) => None,
            Test::Prints { target, wanted } => {
                if target.is_printed(roll.rolled) == *wanted {
                    return None;
                }
                let registry = roll.engine.registry();
                let hydration = roll.hydration().ok()?;
                if *wanted {
                    let found = target.why_not(hydration, registry);
                    return Some(Finding::new(found, Location::Nowhere));
                }
                let segments: Vec<_> = target.segments(hydration, registry).collect();
                let found: String = segments
                    .iter()
                    .map(|segment| segment.text.as_str())
                    .collect();
                let sources = segments.iter().filter_map(|segment| segment.source.clone());
                let location = Location::Sources(sources.collect());
                Some(Finding::new(excerpt::beginning(&found), location))
            }
            Test::Share { target, .. } => {
                if target.is_printed(roll.rolled) {
                    self.printed += 1;
                    self.first_printed.get_or_insert(seed);
                } else {
                    self.first_missing.get_or_insert(seed);
                }
                None
            }
            Test::StablePrefix { .. } => {
                if is_new {
                    self.prefix.add(seed, roll.text.text);
                }
                None
            }
            Test::NoProblems { allow } => {
                let is_problem = |found: &Diagnostic| {
                    let allowed = allow.iter().any(|code| code == found.code.as_str());
                    found.severity != Severity::Note && !allowed
                };
                let found = roll.problems().find(is_problem)?;
                let message = format!("{}: {} ({})", found.code, found.message, found.pointer);
                Some(Finding::new(message, Location::Nowhere))
            }
            // Those are about answers.
            Test::Accepted | Test::Rejected(_) | Test::Cleaned(_) => None,
        }
    }

    /// What is wrong with the sample as a whole, and the lowest seed that shows it.
    pub fn whole_sample(&self, rolls: u64) -> Option<(Seed, WholeFinding<'s>)> {
        match &self.rule.test {
            Test::Share { target, range } => {
                let found = format!(
                    "printed in {} of {rolls} rolls ({})",
                    self.printed,
                    percent(self.printed, rolls)
                );
                if range.is_below(self.printed, rolls) {
                    Some((self.first_missing?, WholeFinding::Missing(target, found)))
                } else if range.is_above(self.printed, rolls) {
                    Some((self.first_printed?, WholeFinding::Printed(target, found)))
                } else {
                    None
                }
            }
            Test::StablePrefix { limit, counter } => {
                let short = self.prefix.shorter_than(*limit, counter)?;
                let finding = WholeFinding::Short(short.tokens, short.length);
                Some((short.seed, finding))
            }
            _ => None,
        }
    }
}

/// A finding about a whole sample, before a roll explains it.
pub(crate) enum WholeFinding<'s> {
    /// A target that prints too rarely.
    Missing(&'s Target, String),
    /// A target that prints too often.
    Printed(&'s Target, String),
    /// The tokens that all rolls share, and the bytes as of the roll that made them too few.
    Short(u64, usize),
}

impl WholeFinding<'_> {
    /// The finding, explained by the roll with that seed.
    pub fn explained(self, roll: &Roll<'_, '_>) -> Finding {
        let registry = roll.engine.registry();
        match self {
            Self::Missing(target, found) => {
                let reason = roll.hydration();
                let reason = reason.map(|hydration| target.why_not(hydration, registry));
                let reason = reason.unwrap_or_default();
                let found = format!("{found}; not with this seed: {reason}");
                Finding::new(found, Location::Nowhere)
            }
            Self::Printed(target, found) => {
                let segments = roll.hydration().map(|hydration| {
                    let sources = target.segments(hydration, registry);
                    sources
                        .filter_map(|segment| segment.source.clone())
                        .collect()
                });
                Finding::new(found, Location::Sources(segments.unwrap_or_default()))
            }
            Self::Short(tokens, length) => {
                let text = roll.text.text;
                let place = length..text.ceil_char_boundary(length + 1);
                let differs = excerpt::around(text, &place);
                let found =
                    format!("{tokens} tokens; this seed ends the common start at {differs}");
                Finding::new(found, Location::Bytes(place))
            }
        }
    }
}
