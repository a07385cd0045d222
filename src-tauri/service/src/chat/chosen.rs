//! A file or folder the author chose in a dialog: what it brings, and what of that is kept.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use promptdeck_core::chat::jinja::MAX_SOURCE;
use promptdeck_model::folder;
use promptdeck_model::tokens::{Cached, MAX_FILE_BYTES, TokenizerFile};

use crate::ServiceError;
use crate::wire::ChatModel;

/// The tokenizer of a model folder.
const TOKENIZER: &str = "tokenizer.json";

/// Files of a model folder that bring its template, the first that is there.
const SOURCES: [&str; 3] = [
    "chat_template.jinja",
    "tokenizer_config.json",
    "chat_template.json",
];

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// What is at a path.
pub fn read(path: &Path) -> Result<ChatModel, ServiceError> {
    let refused = |code, why: String| ServiceError::Template { code, why };
    let brought = folder::read(path).map_err(|fault| refused(fault.code(), fault.to_string()))?;
    let size = brought.template.as_ref().map_or(0, String::len);
    if size > MAX_SOURCE {
        return Err(refused(
            "template_limit",
            format!("it has {size} bytes, more than the {MAX_SOURCE} that are read"),
        ));
    }
    let name = name_of(path);
    let inside = SOURCES.iter().find(|file| path.join(file).is_file());
    let source = match (&brought.template, inside) {
        (Some(_), Some(file)) if path.is_dir() => (*file).to_owned(),
        _ => name.clone(),
    };
    Ok(ChatModel {
        family: brought.config().family.name().to_owned(),
        template: brought.template,
        bos_token: brought.bos_token,
        eos_token: brought.eos_token,
        tokenizer: path.join(TOKENIZER).is_file(),
        path: path.display().to_string(),
        name,
        source,
    })
}

/// The tokenizer of a chosen folder, when it has one that can be used.
pub fn tokenizer(model: &ChatModel) -> Option<Arc<Cached>> {
    if !model.tokenizer {
        return None;
    }
    let mut bytes = Vec::new();
    let file = File::open(Path::new(&model.path).join(TOKENIZER)).ok()?;
    let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX);
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .ok()?;
    let name = format!("{} {TOKENIZER}", model.name);
    let own = TokenizerFile::from_bytes(&name, &bytes).ok()?;
    Some(Arc::new(Cached::new(Box::new(own))))
}
