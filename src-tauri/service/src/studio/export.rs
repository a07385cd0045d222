//! Exports of model JSON and of prompt files, to a file that the author chose.

use std::path::Path;

use promptdeck_core::export::prompt_file;
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::{Document, Registry};
use promptdeck_store::files::{self, Expected};
use serde_json::{Map, Value};

use crate::open_documents::{FileDocument as _, lock};
use crate::studio::Studio;
use crate::wire::{Exported, PromptFile, PromptFileFormat, PromptFileSource};
use crate::{ServiceError, snapshots};

/// What a prompt file is made of, copied so that the work on it holds no lock.
struct Subject {
    engine: Engine,
    state: State,
    route: Option<String>,
    seed: Seed,
    /// The fields of the call.
    call: Map<String, Value>,
}

impl From<PromptFileFormat> for prompt_file::PromptFileFormat {
    fn from(format: PromptFileFormat) -> Self {
        match format {
            PromptFileFormat::Dotprompt => Self::Dotprompt,
            PromptFileFormat::Prompty => Self::Prompty,
        }
    }
}

/// Replaces a file unless it has changed since the author chose it; what it held is kept beside it.
fn export(path: &Path, text: &str, expected: Expected) -> Result<Exported, ServiceError> {
    let (replaced, copy) = files::replace_with_copy(path, text.as_bytes(), expected)?;
    replaced.or_changed_outside(path)?;
    let name = copy.as_deref().and_then(Path::file_name);
    Ok(Exported {
        path: path.display().to_string(),
        kept: name.map(|name| name.to_string_lossy().into_owned()),
    })
}

impl Studio {
    /// Writes the document's model JSON to a path that the author chose.
    ///
    /// # Errors
    /// If the document is not open or the file cannot be written.
    pub fn export_to(&self, document: &str, path: &Path) -> Result<Exported, ServiceError> {
        let current_version = files::current(path)?;
        export(path, &self.model_json(document)?.text, current_version)
    }

    /// A file name for a snapshot's model JSON, and the JSON itself.
    ///
    /// # Errors
    /// If the snapshot is missing or damaged.
    pub fn snapshot_json(&self, id: u32) -> Result<(String, String), ServiceError> {
        let contents = snapshots::contents(&*self.inner.store_handle.store()?, id.into())?;
        let document = Document {
            registry: contents.registry,
            wrapper: None,
        };
        Ok((
            contents.summary.name,
            promptdeck_core::export::export(&document, &contents.state),
        ))
    }

    /// Writes a snapshot's model JSON to a path that the author chose.
    ///
    /// # Errors
    /// If the snapshot is missing or damaged, or the file cannot be written.
    pub fn export_snapshot_to(&self, id: u32, path: &Path) -> Result<Exported, ServiceError> {
        let current_version = files::current(path)?;
        export(path, &self.snapshot_json(id)?.1, current_version)
    }

    /// The prompt file of a document as the window has it, or of a snapshot, and what it does not say.
    ///
    /// # Errors
    /// If a document is not open, the snapshot is missing or damaged, or the route is unknown.
    pub fn prompt_file(
        &self,
        source: &PromptFileSource,
        format: PromptFileFormat,
    ) -> Result<PromptFile, ServiceError> {
        let subject = match source {
            PromptFileSource::Document { document, call } => {
                self.open_subject(document, call.as_deref())?
            }
            PromptFileSource::Snapshot { id } => self.snapshot_subject(*id)?,
        };
        let call = Call {
            state: &subject.state,
            route: subject.route.as_deref(),
            seed: subject.seed,
        };
        let file = prompt_file::prompt_file(&subject.engine, &call, &subject.call, format.into())?;
        Ok(PromptFile {
            text: file.text,
            omissions: file.omissions,
        })
    }

    /// Writes that prompt file to a path that the author chose.
    ///
    /// # Errors
    /// As for [`Self::prompt_file`], or if the file cannot be written.
    pub fn export_prompt_file_to(
        &self,
        source: &PromptFileSource,
        format: PromptFileFormat,
        path: &Path,
    ) -> Result<Exported, ServiceError> {
        let current_version = files::current(path)?;
        export(
            path,
            &self.prompt_file(source, format)?.text,
            current_version,
        )
    }

    /// State, route and seed are the window's, as in its requests. Without a call document, the call
    /// is what stands around the registry in its file.
    fn open_subject(&self, document: &str, call: Option<&str>) -> Result<Subject, ServiceError> {
        let call = match call {
            Some(name) => {
                let open = self.inner.calls.get(name)?;
                Some(lock(&open).copy().content().clone())
            }
            None => None,
        };
        let session = self.inner.session(document)?;
        let session = lock(&session);
        let wrapper = || session.copy().disk().wrapper.clone().unwrap_or_default();
        Ok(Subject {
            engine: session.engine().clone(),
            state: session.state().clone(),
            route: session.route().map(str::to_owned),
            seed: session.seed(),
            call: call.unwrap_or_else(wrapper),
        })
    }

    fn snapshot_subject(&self, id: u32) -> Result<Subject, ServiceError> {
        let contents = snapshots::contents(&*self.inner.store_handle.store()?, id.into())?;
        let registry = Registry::from_map(&contents.registry).map_err(ServiceError::Refused)?;
        Ok(Subject {
            engine: Engine::new(registry),
            state: contents.state,
            route: contents.route,
            seed: contents.seed,
            call: Map::new(),
        })
    }
}
