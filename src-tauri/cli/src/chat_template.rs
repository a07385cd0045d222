//! A chat template that an argument names: a template file, or the model folder or GGUF file that
//! brings one together with the tokens its texts begin and end with.

use std::{fs, path::Path};

use promptdeck_chat::model_metadata::ModelMetadata as Model;
use promptdeck_model::model_dir;
use serde::de::IgnoredAny;

use crate::{failure::Failure, input};

/// A template as it was found.
pub struct ModelMetadata {
    /// The template.
    pub source: String,
    /// The token texts begin with, when it is told.
    pub bos_token: Option<String>,
    /// The token texts end with, when it is told.
    pub eos_token: Option<String>,
}

/// Reads what is at a path; `-`, and whatever else is no file one can seek in, is a template.
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
        .ok_or_else(|| Failure::input("no_template", format!("{name} brings no chat template")))?;
    Ok(ModelMetadata {
        source,
        bos_token: found.bos_token,
        eos_token: found.eos_token,
    })
}

/// What the model at a path brings: a template, a model folder or a GGUF file. What is there but is
/// no model is refused, and so is a path that leads nowhere.
pub fn model(path: &Path) -> Result<Model, Failure> {
    let name = input::name_of(path);
    let is_stream = is_stream(path).map_err(|failure| {
        failure.with_hint("give the name of a model with --name, of a family with --family")
    })?;
    if is_stream {
        return Ok(Model {
            template: Some(read(path)?.source),
            ..Default::default()
        });
    }
    let found =
        model_dir::read(path).map_err(|error| Failure::input(error.code(), error.to_string()))?;
    let nothing = found.template.is_none()
        && found.bos_token.is_none()
        && found.eos_token.is_none()
        && found.family.is_none()
        && found.name == path.display().to_string();
    let no_model = |why: &str| Failure::input("no_model", format!("{name}: not a model: {why}"));
    if nothing {
        return Err(no_model(
            "it has neither a chat template nor a configuration that names a model",
        ));
    }
    match found.template.as_deref().map(str::trim) {
        Some("") if path.is_file() => Err(no_model("the chat template is empty")),
        Some(text) if path.is_file() && is_json(text) => {
            Err(no_model("it is JSON, not a chat template"))
        }
        _ => Ok(found),
    }
}

/// Whether a text is a JSON list or object; templates may begin as one.
fn is_json(text: &str) -> bool {
    text.starts_with(['[', '{']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Refuses a path that leads nowhere: the reader of models takes it for the name of one.
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
