//! `check`: lists errors and likely mistakes in registries, each with its position.

mod fix;
pub mod render;

use std::path::PathBuf;

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    lint,
    plural::plural,
    registry::{self, Diagnostic, DiagnosticData, ParseError, Position, Severity},
};
use promptdeck_request::{call, call_prompt, document::FileKind, target, tools::ToolFormat};
use serde::Serialize;

use crate::{
    args::Format,
    content::{Content, OtherContent},
    failure::{ErrorReport, Failure},
    input,
    output::{self, ExitStatus, Output},
    registry_files::{self, InputFile, SkippedFiles},
    report,
};

/// Flags of `check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Registry files, or folders, which are searched recursively.
    #[arg(required = true)]
    registries: Vec<PathBuf>,
    /// Treat warnings as problems: exit status 1.
    #[arg(long)]
    strict: bool,
    /// Add assembly entries for the fields that no entry prints, of sections that some entry prints,
    /// write the registries that this changes in canonical form, and report what is left. Sections
    /// that no entry prints are left to you.
    #[arg(long)]
    fix: bool,
    /// Format of the findings.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// One finding.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    severity: Severity,
    code: String,
    message: String,
    /// JSON pointer to the value.
    pointer: String,
    /// Pointers to further values with the same fault, such as a token in several assembly orders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<String>,
    /// What the message names.
    #[serde(skip_serializing_if = "DiagnosticData::is_empty")]
    data: DiagnosticData,
    #[serde(flatten)]
    place: Option<Position>,
}

/// The findings in one file.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    /// Whether the file is readable and has no error.
    ok: bool,
    /// Why the file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<ErrorReport>,
    diagnostics: Vec<Finding>,
}

impl Report {
    fn unreadable(file: String, failure: &Failure) -> Self {
        Self {
            file,
            ok: false,
            unreadable: Some(failure.report()),
            diagnostics: Vec::new(),
        }
    }
}

/// Prints the findings. Status 1 if one is an error, 2 if a file cannot be read.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    if args.fix && args.registries.iter().any(|path| input::is_stdin(path)) {
        let message = "--fix writes a file, and standard input is none: name a file";
        return Err(Failure::input("wrong_usage", message));
    }
    let mut reports = Vec::new();
    let (named, mut unreadable) = registry_files::of_all(&args.registries);
    let mut skipped = SkippedFiles::default();
    for file in &named {
        let name = input::name_of(&file.path);
        let (source, found) = match examine(file, args.fix) {
            Ok(FileContent::Registry(source, found)) => (source, found),
            Ok(FileContent::Other(content)) => {
                skipped.add(file, content);
                continue;
            }
            Err(failure) => {
                output::error(&failure);
                unreadable = true;
                reports.push(Report::unreadable(name, &failure));
                continue;
            }
        };
        // The findings contain the reasons, so no separate message is printed.
        unreadable |= found.is_err();
        let all = |errors: Vec<ParseError>| errors.into_iter().map(Finding::from).collect();
        let diagnostics = found.unwrap_or_else(all);
        if args.format == Format::Text {
            let lines: Vec<&str> = source.split('\n').collect();
            for finding in &diagnostics {
                let mut drawn = report::Report::default();
                drawn.drawn(&render::report(&name, &lines, finding));
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
            file: name,
            ok,
            unreadable: None,
            diagnostics,
        });
    }
    if let Err(failure) = skipped.report(!reports.is_empty() || unreadable) {
        if args.format == Format::Text {
            return Err(failure);
        }
        output::error(&failure);
        unreadable = true;
        let named = args.registries.first().map(|path| input::name_of(path));
        reports.push(Report::unreadable(named.unwrap_or_default(), &failure));
    }
    if args.format == Format::Json {
        out.json(&reports)?;
    } else {
        // On a terminal, the summary follows the findings.
        out.flush()?;
        output::message(&summary(&reports, skipped.found));
    }
    Ok(match (unreadable, reports.iter().all(|report| report.ok)) {
        (true, _) => ExitStatus::Unreadable,
        (false, true) => ExitStatus::Done,
        (false, false) => ExitStatus::Problems,
    })
}

/// Kind of an input file.
enum FileContent {
    /// A registry, or a file that should be one: its text, and its findings or the parse errors.
    Registry(String, Result<Vec<Finding>, Vec<ParseError>>),
    /// A document of another kind.
    Other(OtherContent),
}

/// Examines a file. Of a call document, examines the embedded registry, the tools and the tool calls.
///
/// With `fix`, first adds the entries that the findings name. Call documents are never written.
fn examine(file: &InputFile, fix: bool) -> Result<FileContent, Failure> {
    let bytes = input::read(&file.path)?;
    let (parsed, kind) = match file.content(&bytes) {
        Content::Registry(parsed, kind) => (*parsed, kind),
        Content::Faulty(_) => {
            let errors = registry::parse_errors(&bytes);
            return Ok(FileContent::Registry(text(bytes), Err(errors)));
        }
        Content::Other(content) => return Ok(FileContent::Other(content)),
    };
    if kind == FileKind::CallWithRegistry && !file.found {
        let name = input::name_of(&file.path);
        output::note(&format!(
            "{name}: a call document; its registry, tools and tool calls are checked"
        ));
    }
    let mut remarks = lint::unknown_keys(&parsed.document);
    let engine = Engine::new(parsed.registry);
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::default(),
    };
    remarks.extend(lint::summary(&engine, &call));
    remarks.extend(call_prompt::lint(&engine));
    if fix
        && kind != FileKind::CallWithRegistry
        && fix::fix(&file.path, &bytes, parsed.document, &remarks)?
    {
        return examine(file, fix);
    }
    let mut findings: Vec<Finding> = remarks
        .into_iter()
        .map(|remark| remark.located(&parsed.source_map).into())
        .collect();
    if kind == FileKind::CallWithRegistry {
        findings.extend(call_findings(&bytes));
    }
    Ok(FileContent::Registry(text(bytes), Ok(findings)))
}

/// What is wrong with the tools and the tool calls of a call document, whatever its target. A wrapper
/// of another program can look like one and not be readable as a call.
fn call_findings(bytes: &[u8]) -> Vec<Finding> {
    let Ok(file) = call::parse(bytes) else {
        return Vec::new();
    };
    let of_gemini = target::lint(&file.call, ToolFormat::Gemini);
    let is_of_gemini = |found: &Diagnostic| {
        let mut same = of_gemini.iter();
        same.any(|other| (other.code, &other.pointer) == (found.code, &found.pointer))
    };
    let found = target::lint(&file.call, ToolFormat::OpenAi);
    let found = found.into_iter().filter(is_of_gemini);
    found
        .map(|mut found| {
            found.place = file.places.find(&found.pointer);
            found.into()
        })
        .collect()
}

/// The text of a file for display, with invalid UTF-8 replaced.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn summary(reports: &[Report], others: usize) -> String {
    let findings = || reports.iter().flat_map(|report| &report.diagnostics);
    let count = |severity, word| {
        let found = findings().filter(|finding| finding.severity == severity);
        plural(found.count(), word)
    };
    let others = match others {
        0 => String::new(),
        others => format!("; {}", plural(others, "other JSON file")),
    };
    format!(
        "{}, {}, {} in {}{others}",
        count(Severity::Error, "error"),
        count(Severity::Warning, "warning"),
        count(Severity::Note, "note"),
        plural(
            reports
                .iter()
                .filter(|report| report.unreadable.is_none())
                .count(),
            "file"
        ),
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
            data,
            place,
            ..
        } = diagnostic;
        Self {
            severity,
            code: code.to_string(),
            message,
            pointer,
            also,
            data,
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
            data: error.data,
            place: error.place,
        }
    }
}
