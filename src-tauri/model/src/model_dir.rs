//! Reads model metadata from a folder with configuration files, a GGUF file, a template file, or
//! only a model name. Every file is read within bounds.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use promptdeck_chat::model_metadata::ModelMetadata;
use promptdeck_core::registry::check_json_bounds;
use serde::de::Error as _;
use serde_json::Value as Json;

use crate::gguf::{self, GgufError};

/// Maximum size of a configuration file, in bytes.
const MAX_CONFIG: u64 = 32 << 20;
/// Maximum size of a template file, in bytes.
const MAX_TEMPLATE: u64 = 1 << 20;

/// Why model metadata cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file could not be read.
    #[error("{path} cannot be read: {error}")]
    Unreadable {
        /// Path of the file.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// A file exceeds its size limit.
    #[error("{path} is larger than the limit of {limit} bytes")]
    TooLarge {
        /// Path of the file.
        path: String,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A template is not UTF-8.
    #[error("{path} is not UTF-8 text")]
    NotText {
        /// Path of the file.
        path: String,
    },
    /// A configuration file is not JSON.
    #[error("{path} is not JSON: {error}")]
    NotJson {
        /// Path of the file.
        path: String,
        /// The cause.
        error: serde_json::Error,
    },
    /// A GGUF file cannot be read.
    #[error("{path}: {error}")]
    Gguf {
        /// Path of the file.
        path: String,
        /// The cause.
        error: GgufError,
    },
}

impl ModelError {
    /// Stable code of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "model_unreadable",
            Self::TooLarge { .. } => "model_too_large",
            Self::NotText { .. } => "model_not_text",
            Self::NotJson { .. } => "model_not_json",
            Self::Gguf { error, .. } => error.code(),
        }
    }
}

fn bounded(path: &Path, limit: u64) -> Result<Vec<u8>, ModelError> {
    let named = || path.display().to_string();
    let unreadable = |error| ModelError::Unreadable {
        path: named(),
        error,
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(ModelError::TooLarge {
            path: named(),
            limit,
        });
    }
    Ok(bytes)
}

fn config(path: &Path) -> Result<Option<ModelMetadata>, ModelError> {
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = bounded(path, MAX_CONFIG)?;
    let refused = |error| ModelError::NotJson {
        path: path.display().to_string(),
        error,
    };
    check_json_bounds(&bytes).map_err(|error| refused(serde_json::Error::custom(error)))?;
    let json: Json = serde_json::from_slice(&bytes).map_err(refused)?;
    Ok(Some(ModelMetadata::from_config(&json)))
}

fn template(path: &Path) -> Result<ModelMetadata, ModelError> {
    let bytes = bounded(path, MAX_TEMPLATE)?;
    // A lossy conversion would silently change the prompt.
    let source = String::from_utf8(bytes).map_err(|_| ModelError::NotText {
        path: path.display().to_string(),
    })?;
    Ok(ModelMetadata {
        template: Some(source),
        ..ModelMetadata::default()
    })
}

/// Reads the metadata of a GGUF file.
///
/// # Errors
/// [`ModelError`] if it cannot be read, is none or is damaged.
pub fn read_gguf(path: &Path) -> Result<ModelMetadata, ModelError> {
    let named = || path.display().to_string();
    let file = File::open(path).map_err(|error| ModelError::Unreadable {
        path: named(),
        error,
    })?;
    let header = gguf::read(BufReader::new(file)).map_err(|error| ModelError::Gguf {
        path: named(),
        error,
    })?;
    Ok(header.metadata())
}

/// Reads the metadata of the model at `path`. A path that does not exist is treated as a model
/// name.
///
/// # Errors
/// [`ModelError`] if an existing file cannot be read or is damaged.
pub fn read(path: &Path) -> Result<ModelMetadata, ModelError> {
    let named = ModelMetadata {
        name: path.display().to_string(),
        ..ModelMetadata::default()
    };
    if path.is_dir() {
        let mut found = ModelMetadata::default();
        let template_file = path.join("chat_template.jinja");
        if template_file.is_file() {
            found = found.or(template(&template_file)?);
        }
        for name in ["tokenizer_config.json", "chat_template.json", "config.json"] {
            if let Some(more) = config(&path.join(name))? {
                found = found.or(more);
            }
        }
        return Ok(found.or(named));
    }
    if !path.is_file() {
        return Ok(named);
    }
    let extension = path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();
    let found = match extension.to_ascii_lowercase().as_str() {
        "gguf" => read_gguf(path)?,
        "json" => config(path)?.unwrap_or_default(),
        "jinja" | "j2" | "jinja2" | "txt" => template(path)?,
        _ => match read_gguf(path) {
            Ok(found) => found,
            Err(ModelError::Gguf {
                error: GgufError::NotGguf,
                ..
            }) => template(path)?,
            Err(error) => return Err(error),
        },
    };
    Ok(found.or(named))
}

/// Path of the `tokenizer.json` in the model's folder, or beside the model's file.
#[must_use]
pub fn tokenizer(path: &Path) -> Option<PathBuf> {
    let folder = match path.is_dir() {
        true => path,
        false => path.parent().filter(|_| path.is_file())?,
    };
    Some(folder.join("tokenizer.json")).filter(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, content) in files {
            std::fs::write(folder.path().join(name), content).expect("a written file");
        }
        folder
    }

    #[test]
    fn a_folder_gives_its_template_tokens_and_family() {
        let model_dir = folder(&[
            (
                "tokenizer_config.json",
                r#"{"bos_token": {"content": "<s>"}, "chat_template": "old"}"#,
            ),
            ("chat_template.jinja", "<|im_start|>"),
            ("config.json", r#"{"model_type": "qwen3"}"#),
        ]);
        let metadata = read(model_dir.path()).expect("a model folder");
        assert_eq!(metadata.template.as_deref(), Some("<|im_start|>"));
        assert_eq!(metadata.bos_token.as_deref(), Some("<s>"));
        assert_eq!(metadata.config().family.name(), "QWEN_3_X");
    }

    #[test]
    fn single_files_and_mere_names_are_models_too() {
        let model_files = folder(&[
            ("t.jinja", "[INST]"),
            ("c.json", r#"{"chat_template": "<start_of_turn>"}"#),
        ]);
        let family = |path: &Path| read(path).map(|metadata| metadata.config().family.name());
        assert_eq!(
            family(&model_files.path().join("t.jinja")).ok(),
            Some("LLAMA_2_X")
        );
        assert_eq!(
            family(&model_files.path().join("c.json")).ok(),
            Some("GEMMA")
        );
        assert_eq!(
            family(Path::new("no/such/Llama-3.1-8B")).ok(),
            Some("LLAMA_3_X")
        );
    }

    #[test]
    fn a_tokenizer_lies_in_the_folder_or_beside_the_file() {
        let model_dir = folder(&[("t.jinja", ""), ("tokenizer.json", "{}")]);
        let expected = Some(model_dir.path().join("tokenizer.json"));
        assert_eq!(tokenizer(model_dir.path()), expected);
        assert_eq!(tokenizer(&model_dir.path().join("t.jinja")), expected);
        // A missing path is a model name, so there is no folder to look in.
        assert_eq!(tokenizer(&model_dir.path().join("absent.gguf")), None);
        assert_eq!(
            tokenizer(&folder(&[("t.jinja", "")]).path().join("t.jinja")),
            None
        );
    }

    #[test]
    fn damaged_files_are_refused_with_a_code() {
        let model_dir = folder(&[("m.gguf", "GGUF"), ("config.json", "{")]);
        let code = |path: &Path| read(path).map_err(|error| error.code()).err();
        assert_eq!(code(&model_dir.path().join("m.gguf")), Some("gguf_damaged"));
        assert_eq!(code(model_dir.path()), Some("model_not_json"));
    }
}
