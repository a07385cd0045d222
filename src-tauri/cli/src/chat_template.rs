//! Loads the chat template that an argument names: from a template file, or from a model folder or
//! GGUF file together with its BOS and EOS tokens.

use std::{fs, path::Path};

use promptdeck_chat::model_metadata::ModelMetadata as Model;
use promptdeck_model::model_dir;
use serde::de::IgnoredAny;

use crate::{failure::Failure, input};

/// A chat template and its tokens.
#[derive(Debug, Clone)]
pub struct ModelMetadata {
    /// Source of the template.
    pub source: String,
    /// The model's BOS token, if known.
    pub bos_token: Option<String>,
    /// The model's EOS token, if known.
    pub eos_token: Option<String>,
}

/// Loads a template from a path. Standard input (`-`) and files without random access are read as
/// template source.
pub fn read(path: &Path) -> Result<ModelMetadata, Failure> {
    let name = input::name_of(path);
    if is_stream(path)? {
        let source = String::from_utf8(input::read(path)?)
            .map_err(|error| Failure::input("not_utf8", format!("{name}: not UTF-8: {error}")))?;
        return Ok(ModelMetadata {
            source,
            bos_token: None,
            eos_token: None,
        });
    }
    let found =
        model_dir::read(path).map_err(|error| Failure::input(error.code(), error.to_string()))?;
    let source = found
        .template
        .ok_or_else(|| Failure::input("no_template", format!("{name} has no chat template")))?;
    if path.is_file() && is_json(source.trim()) {
        let message = format!("{name} is JSON, not a chat template");
        return Err(Failure::input("no_template", message));
    }
    Ok(ModelMetadata {
        source,
        bos_token: found.bos_token,
        eos_token: found.eos_token,
    })
}

/// Loads the model at a path: a template, a model folder or a GGUF file. An error if the path does
/// not exist or is not a model.
pub fn model(path: &Path) -> Result<Model, Failure> {
    let is_stream = is_stream(path).map_err(|failure| {
        failure.with_hint("give the name of a model with --name, of a family with --family")
    })?;
    if is_stream {
        let source = read(path)?.source;
        if source.trim().is_empty() {
            return Err(no_model(&input::name_of(path), EMPTY));
        }
        return Ok(Model {
            template: Some(source),
            ..Default::default()
        });
    }
    model_file(path)
}

/// Loads the model at a path that a document names: a template, a model folder or a GGUF file. An error
/// if it is not a model.
pub fn model_file(path: &Path) -> Result<Model, Failure> {
    let name = path.display().to_string();
    let found =
        model_dir::read(path).map_err(|error| Failure::input(error.code(), error.to_string()))?;
    let nothing = found.template.is_none()
        && found.bos_token.is_none()
        && found.eos_token.is_none()
        && found.family.is_none()
        && found.name == name;
    if nothing {
        return Err(no_model(
            &name,
            "it has neither a chat template nor a configuration that names a model",
        ));
    }
    match found.template.as_deref().map(str::trim) {
        Some("") if path.is_file() => Err(no_model(&name, EMPTY)),
        Some(text) if path.is_file() && is_json(text) => {
            Err(no_model(&name, "it is JSON, not a chat template"))
        }
        _ => Ok(found),
    }
}

/// Why a template without text is no model.
const EMPTY: &str = "the chat template is empty";

fn no_model(name: &str, reason: &str) -> Failure {
    Failure::input("no_model", format!("{name}: not a model: {reason}"))
}

/// Whether a text is a JSON array or object. A template may start like one, so the whole text is
/// parsed.
fn is_json(text: &str) -> bool {
    text.starts_with(['[', '{']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Whether the path is a stream. A missing path is an error here, since the model reader would
/// treat it as a model name.
fn is_stream(path: &Path) -> Result<bool, Failure> {
    if input::is_stdin(path) {
        return Ok(true);
    }
    let metadata = fs::metadata(path).map_err(|error| {
        let name = input::name_of(path);
        Failure::input("unreadable", format!("cannot read {name}: {error}"))
    })?;
    Ok(!metadata.is_dir() && !metadata.is_file())
}
