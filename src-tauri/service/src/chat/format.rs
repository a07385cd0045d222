//! The format that a setup selects: a template with its probed capabilities, or a built-in format.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use promptdeck_chat::builtin::Builtin;
use promptdeck_chat::factory::{self, ModelFormat};
use promptdeck_chat::family::Family;
use promptdeck_chat::format::ChatFormat;
use promptdeck_chat::model_metadata::ModelMetadata;
use promptdeck_chat::request::THINKING_SWITCHES;
use promptdeck_chat::template_format::TemplateFormat;
use promptdeck_chat::{RenderError, Request};
use promptdeck_jinja as jinja;

use super::model_file::Tokenizer;
use super::model_watch::ModelWatches;
use crate::saturating::saturating_u32;
use crate::wire::{ChatFamily, ChatModel, ChatPlace, ChatProblem, ChatSetup, ChatTemplate};

/// Formats that are kept for the next question. Each holds a compiled template.
const MOST_FORMATS: usize = 8;

/// Text that built-in formats produce, to distinguish special tokens from an author's text.
const BUILTIN_WORDS: &str = "<tool_call> </tool_call> <tools> </tools> <tool_response> \
    </tool_response> <think> </think> [INST] [/INST] <<SYS>> <</SYS>> <s> </s>";

/// The families with a built-in format, and their labels.
const FAMILIES: [(Family, &str); 6] = [
    (Family::Qwen3, "Qwen 3, ChatML"),
    (Family::Qwen2, "Qwen 2, ChatML"),
    (Family::Llama3, "Llama 3"),
    (Family::Llama2, "Llama 2"),
    (Family::Glm4, "GLM-4"),
    (Family::Generic, "Plain, role: content"),
];

/// Caches of the tab: compiled templates, tokenizers, and the folders watched for changes.
#[derive(Default)]
pub struct FormatCache {
    formats: Mutex<HashMap<String, Arc<TemplateFormat>>>,
    pub(super) tokenizers: Mutex<HashMap<String, Tokenizer>>,
    pub(super) watches: ModelWatches,
}

/// A format ready to render.
pub enum Format {
    /// A template.
    Template {
        /// The compiled template and its capabilities.
        format: Arc<TemplateFormat>,
        /// Metadata of the model.
        metadata: ModelMetadata,
    },
    /// A built-in format.
    Builtin(Builtin),
}

/// The built-in formats.
pub fn families() -> Vec<ChatFamily> {
    let all = FAMILIES.iter();
    all.map(|(family, title)| ChatFamily {
        family: family.name().to_owned(),
        title: (*title).to_owned(),
    })
    .collect()
}

/// Converts a stored model to the core's metadata.
pub fn metadata(model: &ChatModel) -> ModelMetadata {
    ModelMetadata {
        template: model.template.clone(),
        bos_token: model.bos_token.clone(),
        eos_token: model.eos_token.clone(),
        name: model.path.clone(),
        family: Family::named(&model.family),
        thinking: None,
    }
}

/// Resolves a template choice to a template with its tokens, or a family.
pub fn resolve_template(
    template: &ChatTemplate,
    setup: &ChatSetup,
    model: Option<&ChatModel>,
    other: Option<&ChatModel>,
) -> ModelMetadata {
    let mut metadata = match template {
        ChatTemplate::Family { family } => ModelMetadata {
            family: Family::named(family),
            ..ModelMetadata::default()
        },
        ChatTemplate::Model => model.map(metadata).unwrap_or_default(),
        ChatTemplate::Other => other.map(metadata).unwrap_or_default(),
        ChatTemplate::Own => ModelMetadata {
            template: Some(setup.text.clone()),
            // An edited template may belong to another family than its original.
            family: None,
            ..model.map(metadata).unwrap_or_default()
        },
    };
    metadata.thinking = Some(super::request::thinking(setup));
    metadata
}

impl FormatCache {
    /// Forgets the tokenizer of a chosen folder.
    pub fn forget_tokenizer(&self, path: &str) {
        let mut tokenizers = self
            .tokenizers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        tokenizers.remove(path);
    }

    /// The format for a model's metadata.
    pub fn format(&self, metadata: ModelMetadata) -> Result<Format, jinja::Error> {
        let config = metadata.config();
        let template = metadata.own_template();
        let formats = || self.formats.lock().unwrap_or_else(PoisonError::into_inner);
        let (bos, eos) = (metadata.bos_token.as_deref(), metadata.eos_token.as_deref());
        let key = format!("{bos:?} {eos:?} {}", template.unwrap_or_default());
        let known = formats().get(&key).map(Arc::clone);
        if let Some(format) = known {
            return Ok(Format::Template { format, metadata });
        }
        // Compiling and probing take seconds for a hostile template: no lock is held meanwhile.
        let format = match factory::create(template, &config, eos, bos)? {
            ModelFormat::Template(format) => Arc::from(format),
            ModelFormat::Builtin(format) => return Ok(Format::Builtin(format)),
        };
        let mut formats = formats();
        if formats.len() >= MOST_FORMATS {
            formats.clear();
        }
        formats.insert(key, Arc::clone(&format));
        drop(formats);
        Ok(Format::Template { format, metadata })
    }
}

impl Format {
    /// Adds the model's special tokens to a request that has none.
    pub fn with_tokens(&self, request: Request) -> Request {
        let Self::Template { metadata, .. } = self else {
            return request;
        };
        Request {
            bos_token: request.bos_token.or_else(|| metadata.bos_token.clone()),
            eos_token: request.eos_token.or_else(|| metadata.eos_token.clone()),
            ..request
        }
    }

    /// Adds the format's values to a request: special tokens, and the thinking switch under the
    /// name that the template reads.
    pub fn complete(&self, request: Request, thinking: bool) -> Request {
        let mut request = self.with_tokens(request);
        let Self::Template { format, .. } = self else {
            return request;
        };
        for name in switches(format) {
            let extra = &mut request.extra;
            extra.entry(name).or_insert_with(|| thinking.into());
        }
        request
    }

    /// Whether the format reads a thinking switch.
    pub fn thinks(&self) -> bool {
        match self {
            Self::Template { format, .. } => !switches(format).is_empty(),
            Self::Builtin(format) => format.capabilities().supports_thinking,
        }
    }

    /// All text that the format can produce without a message.
    pub fn words(&self) -> &str {
        match self {
            Self::Template { format, .. } => format.template().source(),
            Self::Builtin(_) => BUILTIN_WORDS,
        }
    }

    /// The model's special tokens.
    pub fn special_tokens(&self) -> Vec<&str> {
        match self {
            Self::Template { metadata, .. } => [&metadata.bos_token, &metadata.eos_token]
                .into_iter()
                .filter_map(|token| token.as_deref())
                .collect(),
            Self::Builtin(_) => Vec::new(),
        }
    }

    /// The text that ends an assistant's message.
    pub fn end_tag(&self) -> String {
        match self {
            Self::Template { format, .. } => format.assistant_end_tag(),
            Self::Builtin(format) => format.assistant_end_tag(),
        }
    }
}

/// The variables by which a template reads whether the model thinks.
fn switches(format: &TemplateFormat) -> Vec<String> {
    let mut names = format.template().reads();
    names.retain(|name| THINKING_SWITCHES.contains(&name.as_str()));
    names
}

/// Converts a template error for the page.
pub fn problem_of(error: &jinja::Error) -> ChatProblem {
    ChatProblem {
        code: error.code().to_owned(),
        message: error.message().to_owned(),
        place: error.place().map(|place| ChatPlace {
            line: saturating_u32(place.line),
            column: saturating_u32(place.column),
        }),
        line: error.line().map(str::to_owned),
    }
}

/// Converts a failed rendering for the page.
pub fn failed(error: &RenderError) -> ChatProblem {
    match error {
        RenderError::Template(error) => problem_of(error),
        other => ChatProblem {
            code: other.code().to_owned(),
            message: other.to_string(),
            place: None,
            line: None,
        },
    }
}
