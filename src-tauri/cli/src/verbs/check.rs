//! `check`: lists errors and likely mistakes in registries, each with its position.

mod call_settings;
mod fix;
pub mod render;

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use promptdeck_core::{
    hydrate::{self, Engine},
    lint,
    plural::plural,
    registry::{self, Diagnostic, DiagnosticData, ParseError, Position, Severity},
};
use promptdeck_request::{
    call::{self, Call, CallDocument, RegistryReference},
    call_keys, call_prompt,
    document::{Content, FileKind, OtherContent},
    target,
    tools::ToolFormat,
};
use serde::Serialize;

use crate::{
    args::Format,
    call_file::NamedRegistry,
    failure::{ErrorReport, Failure},
    input,
    output::{self, ExitStatus, Output},
    registry_files::{self, InputFile, Listing, NO_REGISTRY, SkippedFiles},
    report,
};

/// Flags of `check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Registry files, or folders, which are searched recursively. Of a call document that is named,
    /// its registry, messages, tools and tool calls are checked; the registry with the call's state,
    /// route and seed.
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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

/// The findings in one file, or about a folder.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    /// Whether the file is readable and has no error.
    ok: bool,
    /// Why the file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<ErrorReport>,
    /// Whether it is about a folder.
    #[serde(skip)]
    is_folder: bool,
    diagnostics: Vec<Finding>,
}

impl Report {
    fn unreadable(file: String, failure: &Failure) -> Self {
        Self {
            file,
            ok: false,
            unreadable: Some(failure.report()),
            is_folder: false,
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
        let examined = examine(file, self.args.fix, None);
        if let Some(of) = examined.as_ref().ok().and_then(FileContent::call_parts) {
            output::note(&format!(
                "{name}: a call document; {of}, messages, tools and tool calls are checked"
            ));
        }
        match examined {
            Ok(FileContent::Registry(source, found) | FileContent::CallAround(source, found)) => {
                self.found(name, &source, found)
            }
            Ok(FileContent::Call(source, found, call, registry)) => {
                self.found(name, &source, Ok(found))?;
                self.registry_of_call(&NamedRegistry::of(&file.path, &registry), &call)
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
        let failure = match examine(&file, false, Some(call)) {
            Ok(FileContent::Registry(source, found) | FileContent::CallAround(source, found)) => {
                return self.further_findings(&file, name, &source, found);
            }
            Ok(FileContent::Call(..)) => {
                Failure::not_a_registry(&name, OtherContent::File(FileKind::Call))
            }
            Ok(FileContent::Other(content)) => Failure::not_a_registry(&name, content),
            Err(failure) => named.unread(failure),
        };
        self.unread(name, &failure);
        Ok(())
    }

    fn further_findings(
        &mut self,
        file: &InputFile,
        name: String,
        source: &str,
        mut found: Result<Vec<Finding>, Vec<ParseError>>,
    ) -> Result<(), Failure> {
        let path = resolved(&file.path);
        let is_named = self.named.contains(&path);
        let is_first = !is_named && !self.of_calls.contains_key(&path);
        if !self.of_calls.contains_key(&path) {
            let alone = match is_named.then(|| examine(file, false, None)) {
                Some(Ok(
                    FileContent::Registry(_, Ok(alone)) | FileContent::CallAround(_, Ok(alone)),
                )) => alone,
                _ => Vec::new(),
            };
            self.of_calls.insert(path.clone(), alone);
        }
        if let (Ok(found), Some(known)) = (&mut found, self.of_calls.get_mut(&path)) {
            found.retain(|each| !known.contains(each));
            known.extend(found.iter().cloned());
        }
        match found {
            Ok(found) if is_first || !found.is_empty() => self.found(name, source, Ok(found)),
            Err(errors) if is_first => self.found(name, source, Err(errors)),
            _ => Ok(()),
        }
    }

    fn unread(&mut self, name: String, failure: &Failure) {
        output::error(failure);
        self.unreadable = true;
        self.reports.push(Report::unreadable(name, failure));
    }

    /// Adds the findings in a file, or the errors for which it is not read.
    fn found(
        &mut self,
        name: String,
        source: &str,
        found: Result<Vec<Finding>, Vec<ParseError>>,
    ) -> Result<(), Failure> {
        // The findings contain the reasons, so no separate message is printed.
        self.unreadable |= found.is_err();
        let all = |errors: Vec<ParseError>| errors.into_iter().map(Finding::from).collect();
        let diagnostics = found.unwrap_or_else(all);
        if self.args.format == Format::Text {
            let lines: Vec<&str> = source.split('\n').collect();
            for finding in &diagnostics {
                let mut drawn = report::Report::default();
                drawn.drawn(&render::report(&name, &lines, finding));
                drawn.gap();
                self.out.report(&drawn)?;
            }
        }
        self.reports.push(self.report(name, diagnostics));
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
            unreadable: None,
            is_folder: false,
            diagnostics,
        }
    }

    /// Warns about the folders in which nothing was checked.
    fn folders(&mut self, has_registries: bool) {
        let paths = &self.args.registries;
        for nothing in self.skipped.without_registry(paths, has_registries) {
            output::warning(&nothing.message);
            let finding = Finding {
                severity: Severity::Warning,
                code: NO_REGISTRY.to_owned(),
                message: nothing.message,
                pointer: String::new(),
                also: Vec::new(),
                data: DiagnosticData::none(),
                place: None,
            };
            let report = self.report(input::name_of(&nothing.folder), vec![finding]);
            self.reports.push(Report {
                is_folder: true,
                ..report
            });
        }
    }

    fn finish(mut self) -> Result<ExitStatus, Failure> {
        let has_registries = !self.reports.is_empty() || self.unreadable;
        for refused in self.skipped.refused(has_registries) {
            self.unread(refused.name(), &refused.failure);
        }
        self.folders(has_registries);
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

/// Kind of an input file.
enum FileContent {
    /// A registry, or a file that should be one: its text, and its findings or the parse errors.
    Registry(String, Result<Vec<Finding>, Vec<ParseError>>),
    /// A call document that is named and holds its registry, as above.
    CallAround(String, Result<Vec<Finding>, Vec<ParseError>>),
    /// A call document that names its registry: its text, its findings, the call, and that name.
    Call(String, Vec<Finding>, Box<Call>, String),
    /// A document of another kind.
    Other(OtherContent),
}

impl FileContent {
    /// The registry of a call document, in words.
    fn call_parts(&self) -> Option<String> {
        match self {
            Self::CallAround(..) => Some("its registry".to_owned()),
            Self::Call(.., registry) => Some(format!("its registry {registry:?}")),
            Self::Registry(..) | Self::Other(_) => None,
        }
    }
}

/// Examines a file. Of a call document, examines the embedded registry, the tools and the tool calls.
/// One that names its registry is examined only if it is named itself: in a folder it may be a
/// document of any program.
///
/// With `fix`, first adds the entries that the findings name. Call documents are never written.
///
/// A registry is examined with `call`, with the call document around it, or alone.
fn examine(file: &InputFile, fix: bool, call: Option<&Call>) -> Result<FileContent, Failure> {
    let bytes = input::read(&file.path)?;
    let (parsed, kind) = match file.content(&bytes) {
        Content::Registry(parsed, kind) => (*parsed, kind),
        Content::NoSection(_, kind) => {
            return Err(Failure::no_section(&input::name_of(&file.path), kind));
        }
        Content::Faulty(_) => {
            let errors = registry::parse_errors(&bytes);
            return Ok(FileContent::Registry(text(bytes), Err(errors)));
        }
        Content::Other(OtherContent::File(FileKind::Call)) if !file.found => {
            return Ok(examine_call(file, bytes));
        }
        Content::Other(content) => return Ok(FileContent::Other(content)),
    };
    // A wrapper of another program can look like a call document and not be readable as one.
    let around = match kind {
        FileKind::CallWithRegistry => call::parse(&bytes).ok(),
        _ => None,
    };
    let mut remarks = lint::unknown_keys(&parsed.document);
    let engine = Engine::new(parsed.registry);
    let call = call.or(around.as_ref().map(|around| &around.call));
    remarks.extend(registry_remarks(&engine, call));
    if fix
        && kind != FileKind::CallWithRegistry
        && fix::fix(&file.path, &bytes, parsed.document, &remarks)?
    {
        return examine(file, fix, call);
    }
    let mut findings: Vec<Finding> = remarks
        .into_iter()
        .map(|remark| remark.located(&parsed.source_map).into())
        .collect();
    if let Some(around) = &around {
        findings.extend(call_settings::findings(&engine, around));
        findings.extend(call_findings(around, !file.found));
    }
    Ok(match kind {
        FileKind::CallWithRegistry if !file.found => {
            FileContent::CallAround(text(bytes), Ok(findings))
        }
        _ => FileContent::Registry(text(bytes), Ok(findings)),
    })
}

/// What is wrong with a registry alone, or in the prompt of a call.
fn registry_remarks(engine: &Engine, call: Option<&Call>) -> Vec<Diagnostic> {
    let empty = Call::default();
    let given = call.unwrap_or(&empty);
    let hydrated = hydrate::Call {
        state: &given.state,
        route: given.route.as_deref(),
        seed: given.seed.unwrap_or_default(),
    };
    let mut remarks = lint::summary(engine, &hydrated);
    remarks.extend(call_prompt::lint(engine, call));
    if call.is_some() {
        remarks.extend(lint::gaps(engine, &hydrated));
    }
    remarks
}

/// Examines a call document without a registry in it.
fn examine_call(file: &InputFile, bytes: Vec<u8>) -> FileContent {
    let call = match call::parse(&bytes) {
        Ok(call) => call,
        Err(error) => return FileContent::Registry(text(bytes), Err(vec![error])),
    };
    let Some(RegistryReference::File(registry)) = &call.call.registry else {
        return FileContent::Other(OtherContent::File(FileKind::Call));
    };
    let mut found = Vec::new();
    // Why a registry cannot be read is reported where it is checked.
    let named = NamedRegistry::of(&file.path, registry);
    let parsed = input::read(&named.path).ok();
    if let Some(parsed) = parsed.and_then(|bytes| registry::parse(&bytes).ok()) {
        found.extend(call_settings::findings(
            &Engine::new(parsed.registry),
            &call,
        ));
    }
    found.extend(call_findings(&call, true));
    let registry = registry.clone();
    FileContent::Call(text(bytes), found, Box::new(call.call), registry)
}

/// What is wrong with the messages, the tools and the tool calls of a call document, whatever its
/// target; of one that is named also the keys that nothing reads.
fn call_findings(file: &CallDocument, is_named: bool) -> Vec<Finding> {
    let of_gemini = target::lint(&file.call, ToolFormat::Gemini);
    let is_of_gemini = |found: &Diagnostic| {
        let mut same = of_gemini.iter();
        same.any(|other| (other.code, &other.pointer) == (found.code, &found.pointer))
    };
    let found = target::lint(&file.call, ToolFormat::OpenAi);
    let found = found.into_iter().filter(is_of_gemini);
    let unknown = is_named.then(|| call_keys::of_document(&file.document));
    unknown
        .into_iter()
        .flatten()
        .chain(found)
        .map(|mut found| {
            found.place = call_keys::position(&found, &file.places);
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
                .filter(|report| report.unreadable.is_none() && !report.is_folder)
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
