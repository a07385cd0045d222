//! The document: the JSON of a file of checks with its positions, and the checks read from it. A
//! check that cannot be read does not keep the others from running.

use std::collections::{HashMap, HashSet};

use promptdeck_core::{
    hydrate::{Seed, State},
    registry::{DiagnosticData, ParseCode, ParseError, SourceMap, read_json_object},
};
use promptdeck_json::{
    WrongValue,
    nearest::{hint, nearest},
    push_step, unknown_keys,
};
use serde_json::{Map, Value};

use super::{
    expectation::Expectation,
    fault::{Fault, located, place},
    reader::{self, ReadCheck},
    schema,
};

/// The most rolls of one check.
pub const MAX_ROLLS: u64 = 1_000_000;

/// The most checks of one file.
pub const MAX_CHECKS: usize = 10_000;

/// The version of the format.
const VERSION: u64 = 1;

/// One check.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What the expectations are about.
    pub subject: Subject,
    /// The expectations.
    pub expect: Vec<Expectation>,
}

/// What the expectations of a check are about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// The prompts of some rolls.
    Prompt(Box<Given>),
    /// A model's answer, judged by the output policy.
    Answer {
        /// The answer.
        text: String,
        /// The route whose policy judges it.
        route: Option<String>,
    },
}

/// The rolls of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// The state, the variables of the check included.
    pub state: State,
    /// The route.
    pub route: Option<String>,
    /// The first seed.
    pub seed: Seed,
    /// The number of rolls, whose seeds follow one another.
    pub rolls: u64,
}

/// An entry of the list of checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name of the check, or its number if it has none.
    pub name: String,
    /// The check, or its faults.
    pub check: Result<Check, Vec<Fault>>,
    /// What could be read of a check with faults: more of them may show in a registry.
    pub(crate) partial: Option<Box<ReadCheck>>,
}

impl Entry {
    fn read(index: usize, value: &Value, places: &SourceMap) -> Self {
        let name = reader::name(index, value);
        let (check, partial) = match reader::check(index, value) {
            Err(fault) => (Err(vec![fault]), None),
            Ok(read) if read.faults.is_empty() => {
                let expect = read
                    .expect
                    .into_iter()
                    .map(|(_, expectation)| expectation)
                    .collect();
                let subject = read.subject;
                (Ok(Check { subject, expect }), None)
            }
            Ok(read) => (Err(read.faults.clone()), Some(Box::new(read))),
        };
        Self {
            name,
            check: check.map_err(|faults| located(faults, places)),
            partial,
        }
    }
}

/// A file of checks.
#[derive(Clone, Debug)]
pub struct ChecksDocument {
    members: Value,
    text: String,
    places: SourceMap,
    entries: Vec<Entry>,
}

impl ChecksDocument {
    /// Reads a file of checks.
    ///
    /// # Errors
    ///
    /// [`ParseError`] if it is not JSON, has another version or no list of checks. A fault in one
    /// check is reported as its [`Entry`].
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        let (members, places) = read_json_object(bytes, "a file of checks")?;
        // The reader accepts UTF-8 only.
        let text = String::from_utf8_lossy(bytes).into_owned();
        Self::new(members, text, places)
    }

    /// Reads a document whose JSON was read already. Without its text, golden texts can only be
    /// replaced as values.
    ///
    /// # Errors
    ///
    /// As [`ChecksDocument::parse`].
    pub fn from_members(members: Map<String, Value>) -> Result<Self, ParseError> {
        Self::new(members, String::new(), SourceMap::default())
    }

    fn new(
        members: Map<String, Value>,
        text: String,
        places: SourceMap,
    ) -> Result<Self, ParseError> {
        let refused = |code, pointer: &str, message: String| ParseError {
            code,
            message,
            pointer: pointer.to_owned(),
            data: DiagnosticData::none(),
            place: place(&places, pointer),
        };
        match members.get("version") {
            None | Some(Value::Null) => {}
            Some(version) if version.as_u64() == Some(VERSION) => {}
            Some(version) => {
                let message =
                    format!("version {version} of checks is not supported; this program reads 1");
                return Err(refused(ParseCode::UnsupportedVersion, "/version", message));
            }
        }
        let entries = match members.get("checks") {
            Some(Value::Array(checks)) if checks.len() > MAX_CHECKS => {
                let message = format!(
                    "{} checks in one file; a file holds at most {MAX_CHECKS}",
                    checks.len()
                );
                return Err(refused(ParseCode::TooLarge, "/checks", message));
            }
            Some(Value::Array(checks)) => {
                let checks = checks.iter().enumerate();
                checks.map(|(index, value)| Entry::read(index, value, &places))
            }
            other => {
                let wrong = WrongValue::new("/checks", "a list", other);
                let mut keys = members.keys();
                let misspelled =
                    keys.find(|key| other.is_none() && nearest(key, ["checks"]).is_some());
                let Some(key) = misspelled else {
                    return Err(refused(ParseCode::WrongType, "/checks", wrong.message));
                };
                let mut pointer = String::new();
                push_step(&mut pointer, key);
                let message = format!("unknown key {key:?}{}", hint(Some("checks")));
                return Err(refused(ParseCode::WrongType, &pointer, message));
            }
        };
        Ok(Self {
            entries: entries.collect(),
            members: Value::Object(members),
            text,
            places,
        })
    }

    /// The same checks with the positions of the file they were read from.
    #[must_use]
    pub fn positioned(mut self, places: SourceMap) -> Self {
        for entry in &mut self.entries {
            if let Err(faults) = &mut entry.check {
                *faults = located(std::mem::take(faults), &places);
            }
        }
        places.text().clone_into(&mut self.text);
        self.places = places;
        self
    }

    /// The positions of the values in the file; empty without its text.
    #[must_use]
    pub fn source_map(&self) -> &SourceMap {
        &self.places
    }

    /// The checks, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The JSON, with the order of its keys and everything that nothing reads.
    #[must_use]
    pub fn members(&self) -> &Value {
        &self.members
    }

    /// What is probably a mistake, with its position: keys that nothing reads, and names that several
    /// checks have.
    #[must_use]
    pub fn warnings(&self) -> Vec<Fault> {
        // A key in the place of an expectation is not ignored: its check cannot run.
        let faults = self
            .entries
            .iter()
            .filter_map(|entry| entry.check.as_ref().err());
        let faulty: HashSet<&str> = faults
            .flatten()
            .map(|fault| fault.pointer.as_str())
            .collect();
        let unknown = unknown_keys(&schema::json_schema(), &self.members).into_iter();
        let unknown = unknown.filter(|key| !faulty.contains(key.pointer.as_str()));
        let unknown = unknown.map(|key| Fault {
            place: self.places.find_key(&key.pointer),
            pointer: key.pointer,
            message: key.message,
        });
        let mut names = HashMap::new();
        let repeated = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(index, entry)| {
                let name = entry.name.as_str();
                let first = *names.entry(name).or_insert(index);
                (first != index).then(|| {
                    let message = format!(
                        "checks {} and {} are both named {name:?}; reports cannot tell them apart",
                        first + 1,
                        index + 1
                    );
                    Fault::new(format!("/checks/{index}/name"), message).located(&self.places)
                })
            });
        unknown.chain(repeated).collect()
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The positions of the values in the file.
    pub(crate) fn places(&self) -> &SourceMap {
        &self.places
    }
}
