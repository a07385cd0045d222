//! Reads the model file or folder that the author chose, and selects the metadata that is stored.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use promptdeck_jinja::MAX_SOURCE;
use promptdeck_model::model_dir;
use promptdeck_model::tokenizer::{Cached, TokenizerError, TokenizerFile};

use crate::ServiceError;
use crate::wire::ChatModel;

/// Files that contain the template of a model folder; the first existing one counts.
const SOURCES: [&str; 3] = [
    "chat_template.jinja",
    "tokenizer_config.json",
    "chat_template.json",
];

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Reads the model at a path.
pub fn read(path: &Path) -> Result<ChatModel, ServiceError> {
    let refused = |code, reason: String| ServiceError::Template { code, why: reason };
    // The model reader would treat a missing path as a model name.
    if let Err(fault) = fs::metadata(path) {
        let reason = format!("{} cannot be read: {fault}", path.display());
        return Err(refused("model_unreadable", reason));
    }
    let metadata =
        model_dir::read(path).map_err(|fault| refused(fault.code(), fault.to_string()))?;
    let size = metadata.template.as_ref().map_or(0, String::len);
    if size > MAX_SOURCE {
        return Err(refused(
            "template_limit",
            format!("it has {size} bytes, more than the {MAX_SOURCE} that are read"),
        ));
    }
    let name = name_of(path);
    let inside = SOURCES.iter().find(|file| path.join(file).is_file());
    let source = match (&metadata.template, inside) {
        (Some(_), Some(file)) if path.is_dir() => (*file).to_owned(),
        _ => name.clone(),
    };
    Ok(ChatModel {
        family: metadata.config().family.name().to_owned(),
        template: metadata.template,
        bos_token: metadata.bos_token,
        eos_token: metadata.eos_token,
        tokenizer: model_dir::tokenizer(path).is_some(),
        path: path.display().to_string(),
        name,
        source,
        problem: None,
    })
}

/// Modification time and length of a file; `None` if it is missing.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// The tokenizer in a chosen folder or beside a chosen file, at one point in time.
pub struct Tokenizer {
    path: PathBuf,
    stamp: Stamp,
    /// The tokenizer, or why it cannot be used.
    pub counter: Result<Arc<Cached>, String>,
}

impl Tokenizer {
    /// Reads the tokenizer of a folder or file; `None` if there is none.
    pub fn read(model: &ChatModel) -> Option<Self> {
        let path = model_dir::tokenizer(Path::new(&model.path))?;
        Some(Self {
            stamp: stamp(&path),
            counter: counter(&path, &model.name),
            path,
        })
    }

    /// Whether the file has changed since.
    pub fn changed(&self) -> bool {
        stamp(&self.path) != self.stamp
    }
}

fn counter(path: &Path, model: &str) -> Result<Arc<Cached>, String> {
    let name = format!("{model} {}", name_of(path));
    let tokenizer_file = TokenizerFile::open(&name, path).map_err(|fault| match fault {
        fault @ TokenizerError::Unopened { .. } => fault.to_string(),
        fault => format!("{}: {fault}", path.display()),
    })?;
    Ok(Arc::new(Cached::new(Box::new(tokenizer_file))))
}
