//! `check`: what is wrong with registries, or will surprise, each finding with its place.

mod caret;

use std::path::{Path, PathBuf};

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry::{self, Diagnostic, ParseError, Place, Severity, lint},
};
use serde::Serialize;

use crate::{
    args::Format,
    failure::Failure,
    input,
    output::{self, Outcome, Output},
    report,
};

/// Flags of `check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registries, JSON files.
    #[arg(required = true)]
    registries: Vec<PathBuf>,
    /// How findings are printed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// One finding.
#[derive(Debug, Serialize)]
pub struct Finding {
    severity: Severity,
    code: String,
    message: String,
    /// JSON pointer into the file.
    pointer: String,
    #[serde(flatten)]
    place: Option<Place>,
}

/// What was found in one file.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    /// Whether the file could be read and has no finding that is an error.
    ok: bool,
    diagnostics: Vec<Finding>,
}

/// Prints the findings: 1 when there is an error among them, 2 when a file is no registry.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut reports = Vec::new();
    let mut refusal = None;
    for path in &args.registries {
        let file = input::name_of(path);
        let (source, found) = match examine(path) {
            Ok(examined) => examined,
            Err(failure) => {
                if let Some(earlier) = refusal.replace(failure) {
                    output::error(&earlier);
                }
                continue;
            }
        };
        if let Err(error) = &found {
            refusal.get_or_insert_with(|| Failure::registry(&file, error));
        }
        let diagnostics = found.unwrap_or_else(|error| vec![error.into()]);
        if args.format == Format::Text {
            for finding in &diagnostics {
                let mut drawn = report::Report::default();
                drawn.drawn(&caret::report(&file, &source, finding));
                drawn.gap();
                out.report(&drawn)?;
            }
        }
        let ok = !diagnostics
            .iter()
            .any(|finding| finding.severity == Severity::Error);
        reports.push(Report {
            file,
            ok,
            diagnostics,
        });
    }
    if args.format == Format::Json {
        out.json(&reports)?;
    } else {
        output::message(&summary(&reports));
    }
    match refusal {
        Some(failure) => Err(failure),
        None if reports.iter().all(|report| report.ok) => Ok(Outcome::Done),
        None => Ok(Outcome::Problems),
    }
}

/// The text of a file and its findings, or why it is no registry.
fn examine(path: &Path) -> Result<(String, Result<Vec<Finding>, ParseError>), Failure> {
    let bytes = input::read(path)?;
    let found = registry::parse(&bytes).map(|parsed| {
        let engine = Engine::new(parsed.registry);
        let call = Call {
            state: &State::default(),
            route: None,
            seed: Seed::default(),
        };
        let remarks = lint::lint(&engine, &call).into_iter();
        remarks
            .map(|remark| remark.located(&parsed.places).into())
            .collect()
    });
    Ok((String::from_utf8_lossy(&bytes).into_owned(), found))
}

fn summary(reports: &[Report]) -> String {
    let findings = || reports.iter().flat_map(|report| &report.diagnostics);
    let count = |severity, word: &str| {
        let count = findings()
            .filter(|finding| finding.severity == severity)
            .count();
        format!("{count} {word}{}", if count == 1 { "" } else { "s" })
    };
    let files = if reports.len() == 1 { "file" } else { "files" };
    format!(
        "{}, {}, {} in {} {files}",
        count(Severity::Error, "error"),
        count(Severity::Warning, "warning"),
        count(Severity::Note, "note"),
        reports.len(),
    )
}

impl From<Diagnostic> for Finding {
    fn from(diagnostic: Diagnostic) -> Self {
        let Diagnostic {
            code,
            severity,
            message,
            pointer,
            place,
        } = diagnostic;
        Self {
            severity,
            code: code.to_owned(),
            message,
            pointer,
            place,
        }
    }
}

impl From<ParseError> for Finding {
    fn from(error: ParseError) -> Self {
        Self {
            severity: Severity::Error,
            code: error.code().to_owned(),
            message: error.message,
            pointer: error.pointer,
            place: error.place,
        }
    }
}
