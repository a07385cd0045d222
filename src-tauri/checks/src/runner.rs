//! Runs checks: rolls the prompts and compares each with the expectations. Checks with the same
//! state, route and first seed share their rolls. Full provenance is computed for a failing roll
//! only.

use indexmap::IndexMap;
use promptdeck_core::{
    hydrate::{Call, Engine, HydrateError, Roller, Seed, State},
    registry::SourceMap,
};
use promptdeck_pattern::CompileBudget;

use super::{
    answer,
    document::{ChecksDocument, Entry, Subject},
    explain::{Location, sources},
    fault::{Fault, Faults, located, place},
    judge::{Finding, TextTest},
    prepare::{Preparation, Rule, Test},
    roll::{Roll, SeenTexts, StateProblems},
    running::Running,
    tokenizers::Tokenizers,
    verdict::{Failure, Outcome, Verdict},
};

/// Expectations of one batch whose patterns keep their states, up to 128 KiB each.
const MOST_WITH_STATES: usize = 1000;

/// Rolls between two questions whether the caller still waits.
const CANCEL_INTERVAL: u64 = 64;

/// The checks of a document, ready to run on a registry.
pub struct Suite {
    engine: Engine,
    places: SourceMap,
    batches: Vec<Batch>,
}

/// Checks that run together.
enum Batch {
    /// A check that cannot run.
    Invalid(Head, Vec<Fault>),
    /// A check of an answer.
    Answer {
        head: Head,
        text: String,
        route: Option<String>,
        rules: Vec<Rule>,
    },
    /// Checks that share their rolls.
    Rolls(Box<Sample>),
}

/// What a verdict repeats of its check.
#[derive(Clone)]
struct Head {
    index: usize,
    name: String,
    rolls: Option<u64>,
}

/// Rolls, and the checks of them.
struct Sample {
    state: State,
    route: Option<String>,
    first: Seed,
    checks: Vec<PromptCheck>,
}

struct PromptCheck {
    head: Head,
    rolls: u64,
    rules: Vec<Rule>,
}

impl Suite {
    /// Prepares all checks of a document.
    #[must_use]
    pub fn new(document: &ChecksDocument, engine: &Engine, tokenizers: &dyn Tokenizers) -> Self {
        Self::of_names(document, engine, tokenizers, |_| true)
    }

    /// Prepares the checks whose names are wanted.
    #[must_use]
    pub fn of_names(
        document: &ChecksDocument,
        engine: &Engine,
        tokenizers: &dyn Tokenizers,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Self {
        let mut preparation = Preparation {
            members: document.members(),
            engine,
            tokenizers,
            patterns: CompileBudget::default(),
        };
        let mut batches = Vec::new();
        let mut samples: IndexMap<String, Sample> = IndexMap::new();
        for (index, entry) in document.entries().iter().enumerate() {
            let Entry {
                name,
                check,
                partial,
            } = entry;
            if !is_wanted(name) {
                continue;
            }
            let mut head = Head {
                index,
                name: name.clone(),
                rolls: None,
            };
            let mut found = Faults::default();
            let check = match check {
                Ok(check) => check,
                Err(faults) => {
                    // What could be read of it may have faults in the registry too.
                    if let Some(partial) = partial {
                        let expect = partial
                            .expect
                            .iter()
                            .map(|(number, expectation)| (*number, expectation));
                        preparation.rules(index, &partial.subject, expect, &mut found);
                    }
                    let found = located(found.into_list(), document.places());
                    let faults = faults.iter().cloned().chain(found).collect();
                    batches.push(Batch::Invalid(head, faults));
                    continue;
                }
            };
            let expect = check.expect.iter().enumerate();
            let rules = preparation.rules(index, &check.subject, expect, &mut found);
            let found = found.into_list();
            let rules = match found.is_empty() {
                true => Ok(rules),
                false => Err(found),
            };
            match (rules, &check.subject) {
                (Err(faults), subject) => {
                    if let Subject::Prompt(given) = subject {
                        head.rolls = Some(given.rolls);
                    }
                    let faults = located(faults, document.places());
                    batches.push(Batch::Invalid(head, faults));
                }
                (Ok(rules), Subject::Answer { text, route }) => batches.push(Batch::Answer {
                    head,
                    text: text.clone(),
                    route: route.clone(),
                    rules,
                }),
                (Ok(rules), Subject::Prompt(given)) => {
                    head.rolls = Some(given.rolls);
                    let state = serde_json::to_string(&given.state).unwrap_or_default();
                    let key = format!("{} {:?} {state}", given.seed, given.route);
                    let sample = samples.entry(key).or_insert_with(|| Sample {
                        state: given.state.clone(),
                        route: given.route.clone(),
                        first: given.seed,
                        checks: Vec::new(),
                    });
                    sample.checks.push(PromptCheck {
                        head,
                        rolls: given.rolls,
                        rules,
                    });
                }
            }
        }
        let samples = samples.into_values();
        batches.extend(samples.map(|sample| Batch::Rolls(Box::new(sample))));
        Self {
            engine: engine.clone(),
            places: document.places().clone(),
            batches,
        }
    }

    /// The number of batches, which may run on different threads.
    #[must_use]
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Runs a batch and gives the verdicts on its checks; `None` once `is_cancelled` returns true.
    #[must_use]
    pub fn run(&self, batch: usize, is_cancelled: &dyn Fn() -> bool) -> Option<Vec<Verdict>> {
        let verdicts = match self.batches.get(batch) {
            None => Vec::new(),
            Some(Batch::Invalid(head, faults)) => vec![self.invalid(head, faults.clone())],
            Some(Batch::Answer {
                head,
                text,
                route,
                rules,
            }) => vec![self.answer(head, text, route.as_deref(), rules)],
            Some(Batch::Rolls(sample)) => self.sample(sample, is_cancelled)?,
        };
        Some(verdicts)
    }

    /// Runs all batches and gives the verdicts in the order of the document.
    #[must_use]
    pub fn run_all(&self) -> Vec<Verdict> {
        let batches = (0..self.batches()).filter_map(|batch| self.run(batch, &|| false));
        let mut verdicts: Vec<Verdict> = batches.flatten().collect();
        verdicts.sort_by_key(|verdict| verdict.index);
        verdicts
    }

    fn verdict(&self, head: &Head, outcome: Outcome) -> Verdict {
        let pointer = format!("/checks/{}", head.index);
        Verdict {
            index: head.index,
            name: head.name.clone(),
            place: place(&self.places, &pointer),
            pointer,
            rolls: head.rolls,
            outcome,
        }
    }

    fn invalid(&self, head: &Head, faults: Vec<Fault>) -> Verdict {
        self.verdict(head, Outcome::Invalid { faults })
    }

    fn judged(&self, head: &Head, failures: Vec<Failure>) -> Verdict {
        let outcome = match failures.is_empty() {
            true => Outcome::Passed,
            false => Outcome::Failed { failures },
        };
        self.verdict(head, outcome)
    }

    fn answer(&self, head: &Head, text: &str, route: Option<&str>, rules: &[Rule]) -> Verdict {
        let pointer = format!("/checks/{}", head.index);
        let judged = answer::judge(self.engine.registry(), text, route, rules, &pointer);
        match judged {
            Err(fault) => self.invalid(head, vec![fault.located(&self.places)]),
            Ok(findings) => {
                let failures = findings.into_iter();
                let failures = failures.map(|(rule, finding)| self.failure(rule, finding, None));
                self.judged(head, failures.collect())
            }
        }
    }

    fn failure(&self, rule: &Rule, finding: Finding, roll: Option<&Roll<'_, '_>>) -> Failure {
        let Finding {
            found,
            location,
            actual,
        } = finding;
        let sources = match (location, roll) {
            (Location::Nowhere, _) | (_, None) => Vec::new(),
            (location, Some(roll)) => match roll.hydration() {
                Ok(hydration) => sources(location, hydration),
                Err(_) => Vec::new(),
            },
        };
        let key = rule.expectation.key();
        let golden = match &rule.test {
            Test::Text(TextTest::Golden(golden)) | Test::Cleaned(TextTest::Golden(golden)) => {
                Some(golden.clone())
            }
            _ => None,
        };
        Failure {
            expectation: key,
            place: place(&self.places, &rule.pointer),
            pointer: rule.pointer.clone(),
            seed: roll.map(|roll| roll.call.seed),
            expected: rule.expectation.label(),
            found,
            sources,
            actual,
            golden,
        }
    }

    /// Rolls a sample; stops early when every expectation has failed.
    fn sample(&self, sample: &Sample, is_cancelled: &dyn Fn() -> bool) -> Option<Vec<Verdict>> {
        let mut with_states = 0;
        let mut running: Vec<Vec<Running<'_>>> = sample
            .checks
            .iter()
            .map(|check| {
                let rules = check.rules.iter();
                rules
                    .map(|rule| {
                        with_states += 1;
                        Running::new(rule, with_states <= MOST_WITH_STATES)
                    })
                    .collect()
            })
            .collect();
        let state_problems = StateProblems::new();
        let route = sample.route.as_deref();
        let mut roller = match Roller::new(&self.engine, &sample.state, route) {
            Ok(roller) => roller,
            Err(error) => return Some(self.unrollable(sample, &error)),
        };
        let most = sample.checks.iter().map(|check| check.rolls).max();
        let mut seen = SeenTexts::default();
        for offset in 0..most.unwrap_or(0) {
            if offset % CANCEL_INTERVAL == 0 && is_cancelled() {
                return None;
            }
            let live = sample.checks.iter().zip(&running);
            let mut live = live.filter(|(check, _)| offset < check.rolls);
            if !live.any(|(_, rules)| rules.iter().any(|rule| rule.failure.is_none())) {
                break;
            }
            let seed = sample.first.after(offset);
            let rolled = roller.roll(seed);
            if let Some(error) = rolled.too_large() {
                return Some(self.unrollable(sample, error));
            }
            let roll = Roll::new(&self.engine, sample.call(seed), rolled, &state_problems);
            let is_new = seen.insert(roll.text.text);
            for (check, rules) in sample.checks.iter().zip(&mut running) {
                if offset >= check.rolls {
                    continue;
                }
                for rule in rules.iter_mut().filter(|rule| rule.failure.is_none()) {
                    if let Some(finding) = rule.roll(&roll, is_new) {
                        rule.failure = Some(self.failure(rule.rule, finding, Some(&roll)));
                    }
                }
            }
        }
        let checks = sample.checks.iter().zip(running);
        let verdicts = checks.map(|(check, rules)| {
            let failures = rules.into_iter().filter_map(|rule| {
                if rule.failure.is_some() {
                    return rule.failure;
                }
                let (seed, finding) = rule.whole_sample(check.rolls)?;
                let rolled = roller.roll(seed);
                let roll = Roll::new(&self.engine, sample.call(seed), rolled, &state_problems);
                let finding = finding.explained(&roll);
                Some(self.failure(rule.rule, finding, Some(&roll)))
            });
            self.judged(&check.head, failures.collect())
        });
        Some(verdicts.collect())
    }

    /// The verdicts on checks whose prompts cannot be rolled.
    fn unrollable(&self, sample: &Sample, error: &HydrateError) -> Vec<Verdict> {
        let checks = sample.checks.iter();
        let verdicts = checks.map(|check| {
            let pointer = format!("/checks/{}", check.head.index);
            let fault = Fault::new(pointer, error.to_string());
            self.invalid(&check.head, vec![fault.located(&self.places)])
        });
        verdicts.collect()
    }
}

impl Sample {
    fn call(&self, seed: Seed) -> Call<'_> {
        Call {
            state: &self.state,
            route: self.route.as_deref(),
            seed,
        }
    }
}
