//! A call document in a file: for the request that it makes, or as the arguments with which the prompt
//! of a registry is rendered.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::{
    hydrate::{Hydration, StateEntry},
    registry::{Diagnostic, Parsed, Registry, SourceMap},
};
use promptdeck_request::{
    call::{self, Call, RegistryReference},
    call_keys,
    call_prompt::CallPrompt,
    document::{Content, DocumentKind, FileKind, OtherContent, is_call_field},
    prompt::Prompt,
};
use serde_json::{Map, Value};

use crate::{
    document::{self, Documents},
    failure::Failure,
    input, output,
    warnings::{StrictArgs, Warnings},
};

/// A call document and the positions of its values.
pub struct CallFile {
    /// Its name in messages.
    pub name: String,
    /// Its path; none for standard input.
    path: Option<PathBuf>,
    /// The call.
    pub call: Call,
    /// Its fields as they are written.
    pub members: Map<String, Value>,
    /// The positions.
    pub places: SourceMap,
}

/// The file of a registry that a call document names.
pub struct NamedRegistry<'c> {
    /// The call document.
    call: &'c Path,
    /// The registry as the call document names it.
    written: &'c str,
    /// Its path.
    pub path: PathBuf,
}

impl<'c> NamedRegistry<'c> {
    /// Looks for it from the folder of the call document, or from the current folder for standard
    /// input.
    pub fn of(call: &'c Path, written: &'c str) -> Self {
        let path = folder(call).join(written);
        // As an argument of the program, the name would be standard input.
        let path = match input::is_stdin(&path) {
            true => Path::new(".").join(path),
            false => path,
        };
        Self {
            call,
            written,
            path,
        }
    }

    /// Why it cannot be read: with the call document that names it, if that is what has to be changed.
    pub fn unread(&self, failure: Failure) -> Failure {
        if self.path.exists() {
            let name = input::name_of(&self.path);
            return match input::read(&self.path).map(|bytes| Content::of(&name, &bytes)) {
                Ok(Content::Other(content)) => self.not_a_registry(&content),
                _ => failure,
            };
        }
        let folder = folder(self.call);
        let from = match folder.as_os_str().is_empty() {
            true => "the current folder".to_owned(),
            false => folder.display().to_string(),
        };
        failure.with_hint(&format!(
            "{} names the registry {:?}, which is looked for from {from}",
            input::name_of(self.call),
            self.written
        ))
    }

    /// That it is no registry. Of another document, the call document is what has to be changed.
    pub fn not_a_registry(&self, content: &OtherContent) -> Failure {
        if !content.is_document() {
            return Failure::not_a_registry(&input::name_of(&self.path), content);
        }
        let call = self.call.canonicalize().ok();
        let is_itself = call.is_some() && call == self.path.canonicalize().ok();
        let named = match is_itself {
            true => "the call document itself".to_owned(),
            false => format!("{:?}, which is not a registry but {content}", self.written),
        };
        let message = format!(
            "{}: /registry names {named}; write the path of a registry there, or the registry",
            input::name_of(self.call)
        );
        Failure::input("not_a_registry", message).at("/registry".to_owned())
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

impl CallFile {
    /// The one that a flag gives, if it does; its warnings are printed.
    pub fn given(path: Option<&Path>, strict: StrictArgs) -> Result<Option<Self>, Failure> {
        let Some(path) = path else {
            return Ok(None);
        };
        let mut warnings = strict.warnings();
        let file = Self::read(path, &mut warnings)?;
        warnings.print();
        Ok(Some(file))
    }

    /// Reads it, and warns about ignored parts.
    pub fn read(path: &Path, warnings: &mut Warnings) -> Result<Self, Failure> {
        Self::of(&input::read(path)?, path, warnings)
    }

    /// Whether a file is this document.
    pub fn is_in(&self, file: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        self.path
            .as_deref()
            .and_then(real)
            .is_some_and(|call_registry| real(file) == Some(call_registry))
    }

    /// As [`Self::read`], of bytes that were read.
    pub fn of(bytes: &[u8], path: &Path, warnings: &mut Warnings) -> Result<Self, Failure> {
        let name = input::name_of(path);
        let document = call::parse(bytes).map_err(|error| {
            let failure = Failure::registry(&name, &error);
            document::with_outline(DocumentKind::Call, bytes, failure)
        })?;
        document::refuse_other(DocumentKind::Call, &document.document)
            .map_err(|failure| failure.in_file(path))?;
        let places = document.places;
        let value = Value::Object(document.document.clone());
        Documents::new(DocumentKind::Call).warn_of(&value, &name, Some(&places), warnings)?;
        Ok(Self {
            name,
            path: Some(path.to_owned()).filter(|path| !input::is_stdin(path)),
            call: document.call,
            members: document.document,
            places,
        })
    }

    /// Reads the registry that it holds or names; with the file of the registry.
    pub fn open_registry(&self, warnings: &mut Warnings) -> Result<(Parsed, PathBuf), Failure> {
        match &self.call.registry {
            None => {
                let message = format!("{}: it names no registry; give one", self.name);
                Err(Failure::input("no_registry", message))
            }
            Some(RegistryReference::Inline(_)) => {
                let parsed = Parsed::from_object(self.members.clone(), self.places.clone())
                    .map_err(|error| Failure::registry(&self.name, &error))?;
                if parsed.registry.sections().is_empty() {
                    return Err(Failure::no_section(&self.name, FileKind::CallWithRegistry));
                }
                input::warn_of_ignored(&parsed, &self.name, warnings)?;
                Ok((parsed, PathBuf::from(&self.name)))
            }
            Some(RegistryReference::File(written)) => {
                let named = self.named(written);
                let parsed = input::registry(&named.path, warnings);
                let parsed = parsed.map_err(|failure| named.unread(failure))?;
                Ok((parsed, named.path))
            }
        }
    }

    /// Warns if the registry of these bytes is another than the one that it holds or names: their prompts
    /// differ, and only one of them is meant.
    pub fn warn_of_other_registry(
        &self,
        registry: &Path,
        bytes: &[u8],
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let description = match &self.call.registry {
            None => return Ok(()),
            Some(RegistryReference::Inline(_)) if self.is_in(registry) => return Ok(()),
            Some(RegistryReference::Inline(_)) => "holds another registry".to_owned(),
            Some(RegistryReference::File(written)) => {
                let path = self.named(written).path;
                let is_file =
                    |path: PathBuf| registry.canonicalize().is_ok_and(|file| file == path);
                let is_size = |size: u64| size == bytes.len() as u64;
                let is_same = path.canonicalize().is_ok_and(is_file)
                    || (fs::metadata(&path).is_ok_and(|metadata| is_size(metadata.len()))
                        && fs::read(&path).is_ok_and(|content| content == bytes));
                if is_same {
                    return Ok(());
                }
                format!("names another registry, {written:?}")
            }
        };
        let message = format!(
            "{}: the call document {description}, and `promptdeck request` uses that one: here {} counts",
            self.name,
            input::name_of(registry)
        );
        warnings.add("other_registry", message)
    }

    fn named<'c>(&'c self, written: &'c str) -> NamedRegistry<'c> {
        let path = self.path.as_deref();
        NamedRegistry::of(path.unwrap_or(Path::new("-")), written)
    }

    /// Gives a diagnostic about a value of the call document its position.
    pub fn locate(&self, found: &mut Diagnostic) {
        let field = found.pointer.split('/').nth(1);
        if found.place.is_none() && field.is_some_and(is_call_field) {
            found.place = call_keys::position(found, &self.places);
        }
    }

    /// The source of an entry of its state.
    pub fn state_place(&self, entry: &StateEntry<'_>) -> String {
        let pointer = format!("/state{}", entry.pointer());
        input::at(&self.name, self.places.find_key(&pointer))
    }

    /// The prompt of a hydration as a request sends it: rendered with the arguments of this call if the
    /// registry sets an engine. `None` if it does not render, which is reported.
    pub fn prompt(
        &self,
        registry: &Registry,
        hydration: &Hydration,
    ) -> Result<Option<Prompt>, Failure> {
        if !Prompt::is_template(registry) {
            return Ok(Some(Prompt::plain(&hydration.segments)));
        }
        let prompt = self.prompts()?.of(&hydration.segments);
        if let Some(error) = &prompt.error {
            self.report_template(error);
            return Ok(None);
        }
        Ok(Some(prompt))
    }

    /// What renders prompts with the arguments of this call; `None` if the registry sets no engine.
    pub fn renderer(&self, registry: &Registry) -> Result<Option<CallPrompt>, Failure> {
        let is_template = Prompt::is_template(registry);
        is_template.then(|| self.prompts()).transpose()
    }

    fn prompts(&self) -> Result<CallPrompt, Failure> {
        CallPrompt::new(&self.call, now()?)
            .map_err(|error| Failure::input(error.code(), format!("{}: {error}", self.name)))
    }

    /// Prints why the prompt is not rendered.
    pub fn report_template(&self, error: &promptdeck_request::template::TemplateError) {
        output::message(&format!("{}: {error}", self.name));
    }
}

/// The moment of a call that has none.
pub fn now() -> Result<Moment, Failure> {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|passed| i64::try_from(passed.as_millis()).ok())
        .and_then(Moment::from_unix_ms)
        .ok_or_else(|| {
            Failure::input(
                "no_clock",
                "the system's clock is outside the calendar; give the call document a \"now\"",
            )
        })
}
