//! Prepares checks for a registry: resolves routes, sections, items, patterns and tokenizers. A check
//! that names what does not exist gets a fault with its place.

use promptdeck_core::{
    hydrate::{Engine, Entries as _, State, entry_fault},
    output::{CompiledPolicy, OutputPolicy},
    registry::{Registry, codes},
};
use promptdeck_json::nearest::did_you_mean;
use promptdeck_pattern::{CompileBudget, Pattern};
use serde_json::Value;

use super::{
    document::Subject,
    expectation::{Expectation, TokenLimit},
    fault::{Fault, Faults},
    judge::TextTest,
    printed::Target,
    reader::MAX_STATE_FAULTS,
    share::ShareRange,
    tokenizers::{Counter, Tokenizers},
};

/// An expectation ready to be tested.
pub(crate) struct Rule {
    /// JSON pointer to the expectation.
    pub pointer: String,
    /// The expectation.
    pub expectation: Expectation,
    /// How it is tested.
    pub test: Test,
}

/// How an expectation is tested.
pub(crate) enum Test {
    /// On the text of each roll, or on a cleaned answer.
    Text(TextTest),
    /// On what each roll prints.
    Prints {
        /// What may print.
        target: Target,
        /// Whether it has to.
        wanted: bool,
    },
    /// On how many rolls print something.
    Share {
        /// What may print.
        target: Target,
        /// How often it has to.
        range: ShareRange,
    },
    /// On what all rolls start with.
    StablePrefix {
        /// The least number of tokens.
        limit: u64,
        /// The tokenizer.
        counter: Counter,
    },
    /// On the problems of the registry and of each roll.
    NoProblems {
        /// The codes of problems that may occur.
        allow: Vec<String>,
    },
    /// On the verdict of the output policy.
    Accepted,
    /// On the verdict of the output policy, and its reason.
    Rejected(Option<String>),
    /// On the cleaned answer.
    Cleaned(TextTest),
}

/// What all checks of a document share while they are prepared.
pub(crate) struct Preparation<'a> {
    /// The JSON of the document.
    pub members: &'a Value,
    pub engine: &'a Engine,
    pub tokenizers: &'a dyn Tokenizers,
    /// One budget for the patterns of all checks.
    pub patterns: CompileBudget,
}

impl Preparation<'_> {
    /// The rules of a check; its faults in the registry are added to `faults`, in the order of route,
    /// state and expectations. The expectations have their places in the list.
    pub fn rules<'c>(
        &mut self,
        index: usize,
        subject: &Subject,
        expect: impl Iterator<Item = (usize, &'c Expectation)>,
        faults: &mut Faults,
    ) -> Vec<Rule> {
        let pointer = format!("/checks/{index}");
        let registry = self.engine.registry();
        let mut route = match subject {
            Subject::Prompt(given) => given.route.as_deref(),
            Subject::Answer { route, .. } => route.as_deref(),
        };
        if let Some(name) = route {
            let known = check_route(registry, name, &format!("{pointer}/given/route"));
            // What it would print is unknown; the default route is used instead.
            route = faults.note(known).and(route);
        }
        if let Subject::Prompt(given) = subject {
            self.check_state(&given.state, &format!("{pointer}/given"), faults);
        }
        let mut rules = Vec::new();
        for (number, expectation) in expect {
            let pointer = format!("{pointer}/expect/{number}");
            let key = expectation.key();
            let test = self.test(expectation, route, &pointer);
            let test = test.map_err(|error| match error {
                ExpectationError::Fault(fault) => fault,
                ExpectationError::Value(message) => Fault::new(format!("{pointer}/{key}"), message),
            });
            rules.extend(faults.note(test).map(|test| Rule {
                pointer,
                expectation: expectation.clone(),
                test,
            }));
        }
        rules
    }

    /// Finds the entries of a state that name nothing of the registry.
    fn check_state(&self, state: &State, pointer: &str, faults: &mut Faults) {
        let registry = self.engine.registry();
        let names_nothing = [
            codes::STATE_UNKNOWN_FIELD,
            codes::STATE_UNKNOWN_ITEM,
            codes::STATE_UNKNOWN_SECTION,
            codes::STATE_UNKNOWN_SLIDER,
            codes::STATE_UNKNOWN_VARIABLE,
        ];
        let entries = state.entries();
        let found = entries.filter_map(|entry| {
            let found = entry_fault(registry, entry)?;
            names_nothing.contains(&found.code).then(|| {
                let within = entry.pointer();
                // A variable may be set beside the state.
                let beside = within.strip_prefix("/template_vars");
                let beside = beside.map(|key| format!("{pointer}/variables{key}"));
                let pointer = beside
                    .filter(|pointer| self.members.pointer(pointer).is_some())
                    .unwrap_or_else(|| format!("{pointer}/state{within}"));
                Fault::new(pointer, found.message)
            })
        });
        for fault in found.take(MAX_STATE_FAULTS) {
            faults.add(fault);
        }
    }

    fn test(
        &mut self,
        expectation: &Expectation,
        route: Option<&str>,
        pointer: &str,
    ) -> Result<Test, ExpectationError> {
        let target = |name: &str| {
            Target::resolve(name, self.engine.registry(), route).map_err(ExpectationError::Value)
        };
        Ok(match expectation {
            Expectation::Contains(text) => contains(text, true),
            Expectation::NotContains(text) => contains(text, false),
            Expectation::Matches(pattern) => self.pattern(pattern, true)?,
            Expectation::NotMatches(pattern) => self.pattern(pattern, false)?,
            Expectation::StartsWith(text) => Test::Text(TextTest::Starts(text.clone())),
            Expectation::EndsWith(text) => Test::Text(TextTest::Ends(text.clone())),
            Expectation::MaxTokens(limit) => self.tokens(limit, true, pointer)?,
            Expectation::MinTokens(limit) => self.tokens(limit, false, pointer)?,
            Expectation::MaxCharacters(limit) => Test::Text(TextTest::Characters(*limit)),
            Expectation::Text(golden) => Test::Text(TextTest::Golden(golden.clone())),
            Expectation::Renders(name) => Test::Prints {
                target: target(name)?,
                wanted: true,
            },
            Expectation::NeverRenders(name) => Test::Prints {
                target: target(name)?,
                wanted: false,
            },
            Expectation::Share(name, range) => Test::Share {
                target: target(name)?,
                range: *range,
            },
            Expectation::StablePrefixTokens(limit) => Test::StablePrefix {
                limit: limit.tokens,
                counter: self.counter(limit, pointer)?,
            },
            Expectation::NoProblems { allow } => Test::NoProblems {
                allow: allow.clone(),
            },
            Expectation::Accepted => Test::Accepted,
            Expectation::Rejected(reason) => Test::Rejected(reason.clone()),
            Expectation::Cleaned(golden) => Test::Cleaned(TextTest::Golden(golden.clone())),
        })
    }

    fn pattern(&mut self, source: &str, wanted: bool) -> Result<Test, ExpectationError> {
        let pattern = Pattern::for_search_within(source, &mut self.patterns).map_err(|error| {
            ExpectationError::Value(format!("the pattern does not compile: {error}"))
        })?;
        Ok(Test::Text(TextTest::Pattern {
            pattern: Box::new(pattern),
            wanted,
        }))
    }

    fn tokens(
        &self,
        limit: &TokenLimit,
        is_most: bool,
        pointer: &str,
    ) -> Result<Test, ExpectationError> {
        Ok(Test::Text(TextTest::Tokens {
            limit: limit.tokens,
            tokenizer: limit.tokenizer.clone(),
            counter: self.counter(limit, pointer)?,
            is_most,
        }))
    }

    fn counter(&self, limit: &TokenLimit, pointer: &str) -> Result<Counter, ExpectationError> {
        let name = &limit.tokenizer;
        self.tokenizers.counter(name).ok_or_else(|| {
            let known = self.tokenizers.names();
            let suggestion = did_you_mean(name, known.iter().map(String::as_str));
            let known = match known.as_slice() {
                [] => "none is known".to_owned(),
                known => format!("known are {}", known.join(", ")),
            };
            let message = format!("there is no tokenizer {name:?}; {known}{suggestion}");
            ExpectationError::Fault(Fault::new(format!("{pointer}/tokenizer"), message))
        })
    }
}

/// The output policy that judges an answer.
pub(crate) fn policy(
    registry: &Registry,
    route: Option<&str>,
    pointer: &str,
) -> Result<CompiledPolicy, Fault> {
    let route = route.and_then(|route| registry.routes().get(route));
    let none = serde_json::Map::new();
    let overrides = route.map_or(&none, |route| &route.output_policy);
    let refused = |error: String| {
        Fault::new(
            pointer,
            format!("the registry's output_policy cannot be used: {error}"),
        )
    };
    let policy = OutputPolicy::layered(registry.output_policy(), overrides)
        .map_err(|error| refused(error.to_string()))?;
    CompiledPolicy::new(policy).map_err(|error| refused(error.to_string()))
}

/// Why an expectation cannot be tested.
enum ExpectationError {
    /// The value of its key is unusable.
    Value(String),
    /// Another value is unusable.
    Fault(Fault),
}

fn contains(text: &str, wanted: bool) -> Test {
    Test::Text(TextTest::Contains {
        text: text.to_owned(),
        wanted,
    })
}

fn check_route(registry: &Registry, route: &str, pointer: &str) -> Result<(), Fault> {
    let routes = registry.routes();
    if routes.contains_key(route) {
        return Ok(());
    }
    let names: Vec<&str> = routes.keys().map(String::as_str).collect();
    let known = match names.as_slice() {
        [] => "it has none".to_owned(),
        names => format!("it has {}", names.join(", ")),
    };
    let suggestion = did_you_mean(route, names);
    let message = format!("no route {route:?} in this registry; {known}{suggestion}");
    Err(Fault::new(pointer, message))
}
