//! A registry and its file of checks: found beside each other, read, linted and prepared.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use promptdeck_checks::{ChecksDocument, Suite, Verdict, checks_name, registry_name};
use promptdeck_core::{
    hydrate::Engine,
    registry::{self, Diagnostic, Parsed, Severity},
};
use promptdeck_request::document::{Content, FileKind, OtherContent};
use promptdeck_service::checks::BuiltInTokenizers;
use serde::Serialize;

use super::Report;
use crate::{
    failure::{ErrorReport, Failure},
    input,
    registry_files::{self, InputFile, Listing, is_checks},
    verbs::check::{self, Finding, render},
};

/// A registry, and where its checks are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deck {
    /// The registry.
    pub registry: InputFile,
    /// The file of checks beside it, if it exists.
    pub checks: Option<PathBuf>,
}

/// A problem that lint found.
#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    #[serde(flatten)]
    finding: Finding,
    /// The finding as drawn on a terminal.
    #[serde(skip)]
    pub drawn: String,
    /// The finding in one line.
    #[serde(skip)]
    pub line: String,
}

impl Problem {
    /// Its severity: a warning is one with `--strict`.
    pub fn severity(&self) -> Severity {
        self.finding.severity
    }
}

/// Why a registry was not read.
enum Unread {
    /// It cannot be read, or has these faults.
    Failed(Vec<Failure>),
    /// The file holds something else.
    Other(OtherContent),
}

/// A registry with its checks, read.
pub struct Loaded {
    name: String,
    checks_file: Option<String>,
    unreadable: Vec<ErrorReport>,
    unreadable_files: usize,
    lint: Vec<Problem>,
    linted: bool,
    /// The document and the bytes of the file of checks.
    pub checks: Option<(ChecksDocument, Vec<u8>)>,
    suite: Option<Suite>,
}

/// The registries that the paths name or contain, each once; and the rest of the listing, in which no
/// file is left.
pub fn find(paths: &[PathBuf]) -> (Vec<Deck>, Listing) {
    let mut decks: Vec<Deck> = Vec::new();
    let mut known = BTreeSet::new();
    let mut listing = registry_files::with_checks(paths);
    for file in std::mem::take(&mut listing.files) {
        let path = match is_checks(&file.path) {
            true => sibling(&file.path, registry_name).unwrap_or_else(|| file.path.clone()),
            false => file.path,
        };
        if known.insert(path.clone()) {
            let checks = sibling(&path, checks_name).filter(|checks| checks.is_file());
            let found = file.found;
            let registry = InputFile { path, found };
            decks.push(Deck { registry, checks });
        }
    }
    (decks, listing)
}

/// The file beside another whose name a rule gives.
fn sibling(path: &Path, name: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let name = name(path.file_name()?.to_str()?)?;
    Some(path.with_file_name(name))
}

impl Deck {
    /// Reads and lints the registry and prepares its checks. With a filter, only the checks whose names
    /// contain it, and no lint. With `strict`, warnings of lint are problems.
    ///
    /// # Errors
    ///
    /// What the file holds, if that is no registry and no checks are beside it.
    pub fn load(
        &self,
        filter: Option<&str>,
        strict: bool,
        tokenizers: &BuiltInTokenizers,
    ) -> Result<Loaded, OtherContent> {
        let mut loaded = Loaded {
            name: input::name_of(&self.registry.path),
            checks_file: self.checks.as_deref().map(input::name_of),
            unreadable: Vec::new(),
            unreadable_files: 0,
            lint: Vec::new(),
            linted: false,
            checks: None,
            suite: None,
        };
        let registry = self.read_registry();
        let checks = self.read_checks();
        if let Err(failure) = &checks {
            loaded.unreadable.push(failure.report());
            loaded.unreadable_files += 1;
        }
        let (bytes, parsed, kind) = match registry {
            Ok(read) => read,
            Err(Unread::Other(content)) => return Err(content),
            Err(Unread::Failed(failures)) => {
                let reports = failures.iter().map(Failure::report);
                loaded.unreadable.splice(..0, reports);
                loaded.unreadable_files += 1;
                return Ok(loaded);
            }
        };
        let engine = Engine::new(parsed.registry.clone());
        if filter.is_none() {
            loaded.linted = true;
            let found = check::lint(&bytes, kind, &parsed.document, &engine);
            let is_problem = |found: &Diagnostic| match found.severity {
                Severity::Error => true,
                Severity::Warning => strict,
                Severity::Note => false,
            };
            let problems = found.into_iter().filter(is_problem);
            loaded.lint = drawn(&loaded.name, &bytes, problems, &parsed);
        }
        if let Ok(Some((document, _))) = &checks {
            let is_wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
            loaded.suite = Some(Suite::of_names(document, &engine, tokenizers, is_wanted));
        }
        loaded.checks = checks.ok().flatten();
        Ok(loaded)
    }

    /// The registry, its bytes and whether they are a call document around it.
    fn read_registry(&self) -> Result<(Vec<u8>, Parsed, FileKind), Unread> {
        let path = &self.registry.path;
        let bytes = match (input::read(path), &self.checks) {
            (Ok(bytes), _) => bytes,
            (Err(failure), Some(checks)) => {
                let hint = format!("its checks are in {}", input::name_of(checks));
                return Err(Unread::Failed(vec![failure.with_hint(&hint)]));
            }
            (Err(failure), None) => return Err(Unread::Failed(vec![failure])),
        };
        let name = input::name_of(path);
        match self.registry.content(&bytes) {
            Content::Registry(parsed, kind) => Ok((bytes, *parsed, kind)),
            Content::Faulty(_) => {
                let faults = registry::parse_errors(&bytes);
                let failures = faults.iter().map(|fault| Failure::registry(&name, fault));
                Err(Unread::Failed(failures.collect()))
            }
            Content::NoSection(_, kind) => {
                Err(Unread::Failed(vec![Failure::no_section(&name, kind)]))
            }
            Content::Other(content) if self.checks.is_some() => {
                Err(Unread::Failed(vec![Failure::not_a_registry(
                    &name, &content,
                )]))
            }
            Content::Other(content) => Err(Unread::Other(content)),
        }
    }

    /// The file of checks and its bytes, if there is one.
    fn read_checks(&self) -> Result<Option<(ChecksDocument, Vec<u8>)>, Failure> {
        let Some(path) = &self.checks else {
            return Ok(None);
        };
        let bytes = input::read(path)?;
        let name = input::name_of(path);
        let document =
            ChecksDocument::parse(&bytes).map_err(|error| Failure::registry(&name, &error))?;
        Ok(Some((document, bytes)))
    }
}

/// The problems of a registry, as they are printed.
fn drawn(
    name: &str,
    bytes: &[u8],
    found: impl Iterator<Item = Diagnostic>,
    parsed: &Parsed,
) -> Vec<Problem> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.split('\n').collect();
    let problems = found.map(|found| {
        let found = found.located(&parsed.source_map);
        let line = format!(
            "{}{}: {}",
            input::at(name, found.place),
            found.code,
            found.message
        );
        let finding = Finding::from(found);
        Problem {
            drawn: render::report(name, &lines, &finding),
            finding,
            line,
        }
    });
    problems.collect()
}

impl Loaded {
    /// The number of batches of checks.
    pub fn batches(&self) -> usize {
        self.suite.as_ref().map_or(0, Suite::batches)
    }

    /// Runs a batch of checks.
    pub fn run(&self, batch: usize) -> Vec<Verdict> {
        let suite = self.suite.as_ref();
        let verdicts = suite.and_then(|suite| suite.run(batch, &|| false));
        verdicts.unwrap_or_default()
    }

    /// What is probably a mistake in the file of checks.
    fn warnings(&self) -> Vec<String> {
        let (Some((document, _)), Some(name)) = (&self.checks, &self.checks_file) else {
            return Vec::new();
        };
        let warnings = document.warnings().into_iter();
        let lines = warnings
            .map(|warning| format!("{}{}", input::at(name, warning.place), warning.message));
        lines.collect()
    }

    /// The report with these verdicts; `strict` makes warnings problems.
    pub fn report(&self, checks: Vec<Verdict>, strict: bool) -> Report {
        let warnings = self.warnings();
        Report {
            file: self.name.clone(),
            checks_file: self.checks_file.clone(),
            ok: self.unreadable.is_empty()
                && self.lint.is_empty()
                && (!strict || warnings.is_empty())
                && checks.iter().all(Verdict::holds),
            unreadable: self.unreadable.clone(),
            unreadable_files: self.unreadable_files,
            warnings,
            strict,
            lint: self.lint.clone(),
            linted: self.linted,
            checks,
        }
    }
}
