//! `check`: lists errors and likely mistakes in registries, each with its position.

mod call_layers;
mod call_settings;
mod call_stages;
mod examine;
mod fix;
pub mod render;

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use promptdeck_core::{
    plural::plural,
    registry::{Diagnostic, DiagnosticData, ParseError, Position, Severity},
};
use promptdeck_request::{
    call::Call,
    document::{FileKind, OtherContent},
};
use serde::Serialize;

pub use self::examine::lint;
use self::examine::{Examined, FileContent, Fix, examine};
use crate::{
    args::Format,
    call_file::NamedRegistry,
    failure::{ErrorReport, Failure},
    input,
    output::{self, ExitStatus, Output},
    registry_files::{self, InputFile, Listing, NO_REGISTRY, SkippedFiles, Unread},
    report,
};

/// Flags of `check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Registry files, or folders, which are searched recursively. Of a call document that is named,
    /// its registry, if it has one, messages, tools and tool calls are checked; the registry with the
    /// call's state, route and seed. The summary counts as other JSON files what a folder holds besides:
    /// schemas, call documents that hold no registry, and documents of other programs. Files of checks
    /// are read by `test`.
    #[arg(required = true)]
    registries: Vec<PathBuf>,
    /// Treat warnings as problems: exit status 1.
    #[arg(long)]
    strict: bool,
    /// Add assembly entries for the fields that no entry prints, of sections that some entry prints,
    /// write the registries that this changes in canonical form, and report what is left. Sections
    /// that no entry prints are left to you. Call documents are not changed, nor the registries that
    /// only they name.
    #[arg(long)]
    fix: bool,
    /// Format of the findings.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The severity; a problem is an error, or with `--strict` a warning.
    pub severity: Severity,
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

/// The findings in one file, or about a folder.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    /// Whether the file is readable and has no error.
    ok: bool,
    /// Why the file could not be read at all. What is wrong inside a file is among the diagnostics.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<ErrorReport>,
    /// Whether the verbs that need the file can read it.
    #[serde(skip)]
    is_readable: bool,
    /// Whether it is about a folder.
    #[serde(skip)]
    is_folder: bool,
    diagnostics: Vec<Finding>,
}

impl Report {
    /// Whether it is about a folder in which there was nothing to read.
    fn is_empty_folder(&self) -> bool {
        self.unreadable
            .iter()
            .any(|reason| reason.code == NO_REGISTRY)
    }

    fn unreadable(file: String, failure: &Failure) -> Self {
        Self {
            file,
            ok: false,
            unreadable: vec![failure.report()],
            is_readable: false,
            is_folder: false,
            diagnostics: Vec::new(),
        }
    }
}

/// Prints the findings. Status 1 if one is an error, 2 if a file cannot be read or nothing was checked.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    out.ignore_closed_pipe();
    if args.fix && args.registries.iter().any(|path| input::is_stdin(path)) {
        let message = "--fix writes a file, and standard input is none: name a file";
        return Err(Failure::input("wrong_usage", message));
    }
    let Listing {
        files: named,
        unread,
        empty,
    } = registry_files::of(&args.registries);
    let mut checking = Checking {
        args,
        out,
        reports: Vec::new(),
        skipped: SkippedFiles::of_empty(empty),
        unreadable: false,
        named: named.iter().map(|file| resolved(&file.path)).collect(),
        of_calls: HashMap::new(),
    };
    for unread in &unread {
        checking.unread(unread.name(), &unread.failure);
    }
    for file in &named {
        checking.file(file)?;
    }
    checking.finish()
}

/// The check of several files.
struct Checking<'a> {
    args: &'a Args,
    out: &'a mut Output,
    reports: Vec<Report>,
    skipped: SkippedFiles,
    /// Whether a file could not be read.
    unreadable: bool,
    /// The files that are named, or in a folder that is.
    named: Vec<PathBuf>,
    /// The findings in registries that call documents name, so that another call document adds only
    /// others.
    of_calls: HashMap<PathBuf, Vec<Finding>>,
}

impl Checking<'_> {
    fn file(&mut self, file: &InputFile) -> Result<(), Failure> {
        let name = input::name_of(&file.path);
        let fix = match self.args.fix {
            true => Fix::Write,
            false => Fix::None,
        };
        let examined = examine(file, fix, None);
        if let Some(parts) = examined.as_ref().ok().and_then(FileContent::call_parts) {
            output::note(&format!("{name}: {parts}"));
        }
        match examined {
            Ok(FileContent::Registry(examined) | FileContent::CallAround(examined)) => {
                self.found(name, examined)
            }
            Ok(FileContent::Call(examined, call, registry)) => {
                self.found(name, examined)?;
                registry.map_or(Ok(()), |registry| {
                    self.registry_of_call(&NamedRegistry::of(&file.path, &registry), &call)
                })
            }
            Ok(FileContent::Other(content)) => {
                self.skipped.add(file, content);
                Ok(())
            }
            Err(failure) => {
                self.unread(name, &failure);
                Ok(())
            }
        }
    }

    /// Checks the registry that a call document names, with that call. Of one that is checked by
    /// itself or for another call, only further findings are reported.
    fn registry_of_call(&mut self, named: &NamedRegistry<'_>, call: &Call) -> Result<(), Failure> {
        let file = InputFile {
            path: named.path.clone(),
            found: false,
        };
        let name = input::name_of(&file.path);
        let path = resolved(&file.path);
        // One that is named itself is written, and one of several calls is named once.
        let is_known = self.named.contains(&path) || self.of_calls.contains_key(&path);
        let fix = match self.args.fix && !is_known {
            true => Fix::Name,
            false => Fix::None,
        };
        let failure = match examine(&file, fix, Some(call)) {
            Ok(FileContent::Registry(examined) | FileContent::CallAround(examined)) => {
                return self.further_findings(&file, name, examined);
            }
            Ok(FileContent::Call(..)) => named.not_a_registry(&OtherContent::File(FileKind::Call)),
            Ok(FileContent::Other(content)) => named.not_a_registry(&content),
            Err(failure) => named.unread(failure),
        };
        self.unread(name, &failure);
        Ok(())
    }

    fn further_findings(
        &mut self,
        file: &InputFile,
        name: String,
        mut examined: Examined,
    ) -> Result<(), Failure> {
        let path = resolved(&file.path);
        let is_named = self.named.contains(&path);
        let is_first = !is_named && !self.of_calls.contains_key(&path);
        if !self.of_calls.contains_key(&path) {
            let by_itself = match is_named.then(|| examine(file, Fix::None, None)) {
                Some(Ok(FileContent::Registry(by_itself) | FileContent::CallAround(by_itself))) => {
                    by_itself.findings
                }
                _ => Vec::new(),
            };
            self.of_calls.insert(path.clone(), by_itself);
        }
        if let Some(known) = self.of_calls.get_mut(&path) {
            examined.findings.retain(|each| !known.contains(each));
            known.extend(examined.findings.iter().cloned());
        }
        match is_first || !examined.findings.is_empty() {
            true => self.found(name, examined),
            false => Ok(()),
        }
    }

    fn unread(&mut self, name: String, failure: &Failure) {
        output::error(failure);
        self.unreadable = true;
        self.reports.push(Report::unreadable(name, failure));
    }

    /// Adds the findings in a file. They contain the reasons for which it is not read, so no separate
    /// message is printed.
    fn found(&mut self, name: String, examined: Examined) -> Result<(), Failure> {
        let Examined {
            source,
            findings: diagnostics,
            is_readable,
        } = examined;
        self.unreadable |= !is_readable;
        if self.args.format == Format::Text {
            let lines: Vec<&str> = source.split('\n').collect();
            for finding in &diagnostics {
                let mut drawn = report::Report::default();
                drawn.drawn(&render::report(&name, &lines, finding));
                drawn.gap();
                self.out.report(&drawn)?;
            }
        }
        let report = self.report(name, diagnostics);
        self.reports.push(Report {
            is_readable,
            ..report
        });
        Ok(())
    }

    fn report(&self, file: String, diagnostics: Vec<Finding>) -> Report {
        let ok = !diagnostics.iter().any(|finding| match finding.severity {
            Severity::Error => true,
            Severity::Warning => self.args.strict,
            Severity::Note => false,
        });
        Report {
            file,
            ok,
            unreadable: Vec::new(),
            is_readable: true,
            is_folder: false,
            diagnostics,
        }
    }

    /// Warns about a file or a folder in which nothing was checked.
    fn warn(&mut self, place: &Unread) {
        let ErrorReport {
            code,
            message,
            place: position,
            ..
        } = place.failure.report();
        output::warning(&message);
        let finding = Finding {
            severity: Severity::Warning,
            code,
            message,
            pointer: String::new(),
            also: Vec::new(),
            data: DiagnosticData::none(),
            place: position,
        };
        let report = self.report(place.name(), vec![finding]);
        self.reports.push(Report {
            is_folder: !place.is_file,
            ..report
        });
    }

    fn finish(mut self) -> Result<ExitStatus, Failure> {
        let was_read = !self.reports.is_empty() || self.unreadable;
        let left_out = self.skipped.left_out(&self.args.registries, was_read);
        for refused in &left_out.refused {
            self.unread(refused.name(), &refused.failure);
        }
        for warned in &left_out.warned {
            self.warn(warned);
        }
        if self.args.format == Format::Json {
            self.out.json(&self.reports)?;
        } else {
            // On a terminal, the summary follows the findings.
            self.out.flush()?;
            output::message(&summary(&self.reports, self.skipped.found));
        }
        let all_ok = self.reports.iter().all(|report| report.ok);
        Ok(match (self.unreadable, all_ok) {
            (true, _) => ExitStatus::Unreadable,
            (false, true) => ExitStatus::Done,
            (false, false) => ExitStatus::Problems,
        })
    }
}

/// A path by which a file is recognized under another one.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// How many unreadable files the summary names.
const MOST_NAMED: usize = 5;

fn summary(reports: &[Report], others: usize) -> String {
    let findings = || reports.iter().flat_map(|report| &report.diagnostics);
    let count = |severity, word| {
        let found = findings().filter(|finding| finding.severity == severity);
        plural(found.count(), word)
    };
    let checked = reports
        .iter()
        .filter(|report| report.unreadable.is_empty() && !report.is_folder);
    let mut summary = format!(
        "{}, {}, {} in {}",
        count(Severity::Error, "error"),
        count(Severity::Warning, "warning"),
        count(Severity::Note, "note"),
        plural(checked.count(), "file"),
    );
    let unreadable = reports
        .iter()
        .filter(|report| !report.is_readable && !report.is_empty_folder());
    let names: Vec<&str> = unreadable.map(|report| report.file.as_str()).collect();
    if !names.is_empty() {
        let count = names.len();
        let named = names.iter().take(MOST_NAMED).copied();
        let named = named.collect::<Vec<&str>>().join(", ");
        let more = match names.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        summary.push_str(&format!("; {count} unreadable: {named}{more}"));
    }
    if others > 0 {
        let files = plural(others, "other JSON file");
        summary.push_str(&format!("; {files} not checked"));
    }
    summary
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
