//! `check`: what is wrong with registries, or will surprise, each finding with its place.

mod caret;
mod files;

use std::path::{Path, PathBuf};

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry::{self, Diagnostic, ParseError, Place, Severity, lint},
};
use serde::Serialize;

use self::files::Named;
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
    /// The registries, JSON files; of a folder, every registry in it and in the folders below.
    #[arg(required = true)]
    registries: Vec<PathBuf>,
    /// Count warnings as problems: exit status 1 for them too.
    #[arg(long)]
    strict: bool,
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
    /// Pointers to the other values with the same fault, as a token in other assembly orders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<String>,
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
    let mut named = Vec::new();
    let mut fail = |failure| {
        if let Some(earlier) = refusal.replace(failure) {
            output::error(&earlier);
        }
    };
    for path in &args.registries {
        match files::of(path) {
            Ok(found) if found.is_empty() => {
                output::warning(&format!("{}: no JSON file in it", input::name_of(path)));
            }
            Ok(found) => named.extend(found),
            Err(failure) => fail(failure),
        }
    }
    let mut others = 0_usize;
    for Named { path, found } in &named {
        let file = input::name_of(path);
        let (source, found) = match examine(path, *found) {
            Ok(Some(examined)) => examined,
            Ok(None) => {
                others += 1;
                continue;
            }
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
            let lines: Vec<&str> = source.split('\n').collect();
            for finding in &diagnostics {
                let mut drawn = report::Report::default();
                drawn.drawn(&caret::report(&file, &lines, finding));
                drawn.gap();
                out.report(&drawn)?;
            }
        }
        let ok = !diagnostics.iter().any(|finding| match finding.severity {
            Severity::Error => true,
            Severity::Warning => args.strict,
            Severity::Note => false,
        });
        reports.push(Report {
            file,
            ok,
            diagnostics,
        });
    }
    if args.format == Format::Json {
        out.json(&reports)?;
    } else {
        output::message(&summary(&reports, others));
    }
    match refusal {
        Some(failure) => Err(failure),
        None if reports.iter().all(|report| report.ok) => Ok(Outcome::Done),
        None => Ok(Outcome::Problems),
    }
}

/// The text of a file, and its findings or why it is no registry.
type Examined = (String, Result<Vec<Finding>, ParseError>);

/// Looks at a file. One that was found in a folder is passed over when it is of another kind.
fn examine(path: &Path, found: bool) -> Result<Option<Examined>, Failure> {
    let bytes = input::read(path)?;
    let other_kind = || found && files::is_other_kind(&bytes);
    let parsed = match registry::parse(&bytes) {
        Err(_) if other_kind() => return Ok(None),
        Err(error) => return Ok(Some((text(bytes), Err(error)))),
        Ok(parsed) => parsed,
    };
    if let Err(failure) = input::has_sections(&parsed.registry) {
        if found {
            return Ok(None);
        }
        return Err(failure.in_file(path));
    }
    let mut remarks = lint::unknown_keys(&parsed.document);
    let engine = Engine::new(parsed.registry);
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::default(),
    };
    remarks.extend(lint::summary(&engine, &call));
    let remarks = remarks
        .into_iter()
        .map(|remark| remark.located(&parsed.places).into())
        .collect();
    Ok(Some((text(bytes), Ok(remarks))))
}

/// The text of a file for people: what is no UTF-8 in it is replaced.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn summary(reports: &[Report], others: usize) -> String {
    let findings = || reports.iter().flat_map(|report| &report.diagnostics);
    let count = |severity, word: &str| {
        let count = findings()
            .filter(|finding| finding.severity == severity)
            .count();
        format!("{count} {word}{}", if count == 1 { "" } else { "s" })
    };
    let files = if reports.len() == 1 { "file" } else { "files" };
    let others = match others {
        0 => String::new(),
        1 => "; 1 other JSON file".to_owned(),
        others => format!("; {others} other JSON files"),
    };
    format!(
        "{}, {}, {} in {} {files}{others}",
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
            also,
            place,
        } = diagnostic;
        Self {
            severity,
            code: code.to_owned(),
            message,
            pointer,
            also,
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
            also: Vec::new(),
            place: error.place,
        }
    }
}
