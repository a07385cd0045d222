//! What `check` finds in one file: in a registry, or in a call document and the registry inside it.

use std::path::Path;

use promptdeck_core::{
    hydrate::{self, Engine},
    lint,
    registry::{self, Diagnostic, Document, ParseError, Parsed, Severity},
};
use promptdeck_request::{
    call::{self, Call, CallDocument, RegistryReference},
    call_keys, call_prompt,
    document::{Content, FileKind, OtherContent, kind_of},
    target,
    tools::ToolFormat,
};

use super::{Finding, call_layers, call_settings, call_stages, fix};
use crate::{call_file::NamedRegistry, failure::Failure, input, output, registry_files::InputFile};

/// Kind of an input file.
pub enum FileContent {
    /// A registry, or a file that should be one.
    Registry(Examined),
    /// A call document that is named and holds its registry.
    CallAround(Examined),
    /// A call document that holds no registry: what was found in it, the call, and the registry that it
    /// names, if one.
    Call(Examined, Box<Call>, Option<String>),
    /// A document of another kind.
    Other(OtherContent),
}

/// What becomes of the entries that the findings in a registry name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Nothing.
    None,
    /// They are added to the file.
    Write,
    /// It is said how they are added.
    Name,
}

/// What was found in a file.
pub struct Examined {
    /// The text of the file.
    pub source: String,
    /// The findings.
    pub findings: Vec<Finding>,
    /// Whether the verbs that need the file can read it. If not, the findings say why.
    pub is_readable: bool,
}

impl FileContent {
    /// What is checked of a call document, in words.
    pub fn call_parts(&self) -> Option<String> {
        let of = match self {
            Self::CallAround(..) => "; its registry, messages".to_owned(),
            Self::Call(.., Some(registry)) => format!("; its registry {registry:?}, messages"),
            Self::Call(.., None) => " without a registry; its messages".to_owned(),
            Self::Registry(..) | Self::Other(_) => return None,
        };
        Some(format!(
            "a call document{of}, tools and tool calls are checked"
        ))
    }
}

/// Examines a file. Of a call document, examines the embedded registry, the messages, the tools and the
/// tool calls. One without an embedded registry is examined only if it is named itself: in a folder it may
/// be a document of any program.
///
/// With [`Fix::Write`], first adds the entries that the findings name. Call documents are never written:
/// that they would get entries is said.
///
/// A registry is examined with `call`, with the call document around it, or alone.
pub fn examine(file: &InputFile, fix: Fix, call: Option<&Call>) -> Result<FileContent, Failure> {
    let bytes = input::read(&file.path)?;
    let (parsed, kind) = match file.content(&bytes) {
        Content::Registry(parsed, kind) => (Ok(*parsed), kind),
        Content::NoSection(_, kind) => {
            return Err(Failure::no_section(&input::name_of(&file.path), kind));
        }
        Content::Faulty(_) => (Err(registry::parse_errors(&bytes)), kind_of(&bytes)),
        Content::Other(OtherContent::File(FileKind::Call)) if !file.found => {
            return examine_call(&file.path, bytes);
        }
        Content::Other(content) => return Ok(FileContent::Other(content)),
    };
    let is_call = kind == FileKind::CallWithRegistry;
    let wrapper = call_around(&bytes, kind);
    let mut examined = Examined {
        source: String::new(),
        findings: Vec::new(),
        is_readable: parsed.is_ok(),
    };
    let mut engine = None;
    match parsed {
        Ok(parsed) => {
            let Parsed {
                registry,
                document,
                source_map,
            } = parsed;
            let engine = engine.insert(Engine::new(registry));
            let call = call.or(wrapper.as_ref().map(|(wrapper, _)| &wrapper.call));
            let remarks = registry_remarks(&document, engine, call);
            match fix {
                Fix::None => {}
                Fix::Write if !is_call => {
                    if fix::fix(&file.path, &bytes, document, &remarks)? {
                        return examine(file, fix, call);
                    }
                }
                Fix::Write | Fix::Name => {
                    if fix::adds(document, &remarks) {
                        let name = input::name_of(&file.path);
                        output::note(&match is_call {
                            true => format!(
                                "{name} is not changed: --fix writes no call document; add the \
                                 entries to the registry in it"
                            ),
                            false => format!(
                                "{name} is not changed: it is only named by a call document; fix it \
                                 with `promptdeck check --fix {name}`"
                            ),
                        });
                    }
                }
            }
            let located = remarks.into_iter().map(|found| found.located(&source_map));
            examined.findings.extend(located.map(Finding::from));
            if let Some((wrapper, _)) = &wrapper {
                let settings = call_settings::findings(engine, wrapper);
                examined.findings.extend(settings);
            }
        }
        Err(errors) => examined
            .findings
            .extend(errors.into_iter().map(Finding::from)),
    }
    if let Some((wrapper, errors)) = wrapper {
        examined.add_call(&wrapper, errors, engine.as_ref(), file.found);
    }
    examined.source = text(bytes);
    Ok(match is_call && !file.found {
        true => FileContent::CallAround(examined),
        false => FileContent::Registry(examined),
    })
}

/// The call document around a registry, without its faulty fields.
fn call_around(bytes: &[u8], kind: FileKind) -> Option<(CallDocument, Vec<ParseError>)> {
    match kind {
        FileKind::CallWithRegistry => call::parse_tolerant(bytes).ok(),
        _ => None,
    }
}

/// What is wrong with the registry of a file, whatever else a call document around it holds.
pub fn lint(bytes: &[u8], kind: FileKind, document: &Document, engine: &Engine) -> Vec<Diagnostic> {
    let wrapper = call_around(bytes, kind);
    let call = wrapper.as_ref().map(|(wrapper, _)| &wrapper.call);
    registry_remarks(document, engine, call)
}

/// What is wrong with a registry alone, or in the prompt of a call.
fn registry_remarks(document: &Document, engine: &Engine, call: Option<&Call>) -> Vec<Diagnostic> {
    let empty = Call::default();
    let given = call.unwrap_or(&empty);
    let hydrated = hydrate::Call {
        state: &given.state,
        route: given.route.as_deref(),
        seed: given.seed.unwrap_or_default(),
    };
    let mut remarks = lint::unknown_keys(document);
    remarks.extend(lint::summary(engine, &hydrated));
    remarks.extend(call_prompt::lint(engine, call));
    if call.is_some() {
        remarks.extend(lint::gaps(engine, &hydrated));
    }
    remarks
}

/// Examines a call document without a registry in it.
fn examine_call(path: &Path, bytes: Vec<u8>) -> Result<FileContent, Failure> {
    let mut examined = Examined {
        source: String::new(),
        findings: Vec::new(),
        is_readable: true,
    };
    let (document, errors) = match call::parse_tolerant(&bytes) {
        Ok(read) => read,
        Err(error) => {
            examined.is_readable = false;
            examined.findings.push(error.into());
            examined.source = text(bytes);
            return Ok(FileContent::Registry(examined));
        }
    };
    let reference = document.call.registry.clone();
    let engine = match &reference {
        Some(RegistryReference::File(registry)) => {
            // Why a registry cannot be read is reported where it is checked.
            let bytes = input::read(&NamedRegistry::of(path, registry).path).ok();
            let parsed = bytes.and_then(|bytes| registry::parse(&bytes).ok());
            parsed.map(|parsed| Engine::new(parsed.registry))
        }
        Some(RegistryReference::Inline(_)) if errors.is_empty() => {
            let name = input::name_of(path);
            return Err(Failure::no_section(&name, FileKind::CallWithRegistry));
        }
        Some(RegistryReference::Inline(_)) | None => None,
    };
    if let Some(engine) = &engine {
        let settings = call_settings::findings(engine, &document);
        examined.findings.extend(settings);
    }
    let has_faulty_registry = errors.iter().any(|error| error.pointer == "/registry");
    examined.add_call(&document, errors, engine.as_ref(), false);
    examined.source = text(bytes);
    let call = Box::new(document.call);
    Ok(match reference {
        Some(RegistryReference::File(registry)) => {
            FileContent::Call(examined, call, Some(registry))
        }
        None if !has_faulty_registry => FileContent::Call(examined, call, None),
        _ => FileContent::Registry(examined),
    })
}

impl Examined {
    /// Adds what is wrong with a call, whatever its target, or with what only one target reads, and the
    /// errors of the fields that it was read without. It is called with the engine of its registry,
    /// if that can be read. In a folder a file may be the wrapper of another program, which only looks like
    /// a call document: those errors are warnings then, and its unknown keys are its own.
    fn add_call(
        &mut self,
        file: &CallDocument,
        errors: Vec<ParseError>,
        engine: Option<&Engine>,
        was_found: bool,
    ) {
        let unread = errors.into_iter().map(Finding::from);
        for mut finding in unread.chain(call_stages::unread(file)) {
            if was_found {
                finding.severity = Severity::Warning;
                let refused = "; `promptdeck request` refuses this call document";
                finding.message.push_str(refused);
            } else {
                self.is_readable = false;
            }
            self.findings.push(finding);
        }
        self.findings.extend(call_stages::broken_rules(file));
        if !was_found {
            let unknown = call_keys::of_document(&file.document);
            self.findings.extend(placed(unknown, file));
        }
        let mut found = messages_and_tools(file);
        let (of_layers, refused) = call_layers::findings(file, engine);
        for of_layers in of_layers {
            if !found.iter().any(|other| is_same(other, &of_layers)) {
                found.push(of_layers);
            }
        }
        self.findings.extend(placed(found, file));
        self.findings.extend(refused.map(|mut refused| {
            if was_found {
                refused.severity = Severity::Warning;
            }
            refused
        }));
    }
}

/// What is wrong with the messages, the tools and the tool calls of a call document, whatever its
/// target.
fn messages_and_tools(file: &CallDocument) -> Vec<Diagnostic> {
    let of_gemini = target::lint(&file.call, ToolFormat::Gemini);
    let is_of_gemini = |found: &Diagnostic| of_gemini.iter().any(|other| is_same(other, found));
    let mut found = target::lint(&file.call, ToolFormat::OpenAi);
    found.retain(is_of_gemini);
    found
}

fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    (one.code, &one.pointer) == (other.code, &other.pointer)
}

fn placed(found: Vec<Diagnostic>, file: &CallDocument) -> impl Iterator<Item = Finding> {
    found.into_iter().map(|mut found| {
        found.place = call_keys::position(&found, &file.places);
        Finding::from(found)
    })
}

/// The text of a file for display, with invalid UTF-8 replaced.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
