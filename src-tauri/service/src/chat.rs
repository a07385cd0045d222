//! The *Chat* tab: a chat template renders the open document's prompt with a small conversation.
//! The settings of the tab are stored per registry.

mod blocks;
mod call_conversation;
mod comparison;
mod export;
mod format;
mod inspection;
pub mod inspector;
mod model_file;
mod model_watch;
pub(crate) mod receiver;
mod rendering;
mod report;
mod request;
mod special_tokens;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use promptdeck_model::tokenizer::Cached;

use crate::open_documents::lock;
use crate::preview::Preview;
use crate::wire::{
    ChatForm, ChatInspection, ChatModel, ChatOpening, ChatProblem, ChatRemark, ChatReport,
    ChatSetup, ChatSlot, ChatTemplate, ChatTrial,
};
use crate::{CancellationToken, ServiceError, Studio, WallClock};
use format::Format;
pub(crate) use format::FormatCache;
use report::Counter;

/// The models selected for a document.
struct SlotModels {
    model: Option<ChatModel>,
    other: Option<ChatModel>,
}

impl ChatSlot {
    pub(crate) const ALL: [Self; 2] = [Self::Model, Self::Other];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Other => "other",
        }
    }
}

impl Studio {
    /// The initial state of the tab for a document. Reads the chosen files, and watches them from
    /// now on.
    ///
    /// # Errors
    /// If the document is not open or the store cannot be read.
    pub fn chat(&self, document: &str) -> Result<ChatOpening, ServiceError> {
        let key = self.key(document)?;
        model_watch::watch(&self.inner);
        model_watch::read_again(&self.inner, &key);
        let SlotModels { model, other } = self.selected_models(&key);
        Ok(ChatOpening {
            setup: self.inner.store_handle.chat(&key),
            model,
            other,
            families: format::families(),
        })
    }

    /// Stores the settings of the tab.
    ///
    /// # Errors
    /// If the document is not open or the store cannot be written.
    pub fn save_chat(&self, document: &str, setup: &ChatSetup) -> Result<(), ServiceError> {
        self.inner
            .store_handle
            .save_chat(&self.key(document)?, setup)
    }

    /// Initial folder of the file dialog: that of the current choice.
    ///
    /// # Errors
    /// If the document is not open or the store cannot be read.
    pub fn chat_model_folder(
        &self,
        document: &str,
        slot: ChatSlot,
    ) -> Result<Option<PathBuf>, ServiceError> {
        let selected = self.inner.selected_model(&self.key(document)?, slot);
        let folder = selected
            .and_then(|selected_model| Some(Path::new(&selected_model.path).parent()?.to_owned()));
        Ok(folder.filter(|folder| folder.is_dir()))
    }

    /// Reads the template, model folder or GGUF file that the author chose, and returns its
    /// metadata. The previous choice is replaced only if this one can be read.
    ///
    /// # Errors
    /// If the document is not open, or the path cannot be read as a model.
    pub fn choose_chat_model(
        &self,
        document: &str,
        slot: ChatSlot,
        path: &Path,
    ) -> Result<ChatModel, ServiceError> {
        let key = self.key(document)?;
        let model = model_file::read(path)?;
        self.inner
            .store_handle
            .save_chat_model(&key, slot.name(), &model)?;
        self.inner.chat.forget_tokenizer(&model.path);
        model_watch::watch(&self.inner);
        Ok(model)
    }

    /// Renders the conversation.
    ///
    /// # Errors
    /// If the document is not open or the prompt cannot be built. A failed rendering is part of the
    /// report.
    pub fn render_chat(
        &self,
        document: &str,
        setup: &ChatSetup,
    ) -> Result<ChatReport, ServiceError> {
        let setup = &*self.conversation(document, setup)?;
        let preview = self.current_preview(document)?;
        let models = self.selected_models(&self.key(document)?);
        let model_counter = self.own_counter(setup, &models);
        let counter = match &model_counter {
            Some(Ok(tokenizer)) => Counter {
                tokens: tokenizer.as_ref(),
                is_model_tokenizer: true,
            },
            _ => Counter {
                tokens: self.inner.counter(),
                is_model_tokenizer: false,
            },
        };
        let now = WallClock::of_the_system().now();
        let mut report = match self.format(&setup.template, setup, &models) {
            Ok(format) => report::report(setup, &preview, &format, now, &counter),
            Err(problem) => report::refused(problem, setup.messages.len(), counter.tokens.name()),
        };
        if let Some(Err(reason)) = model_counter {
            report.remarks.push(ChatRemark {
                code: "tokenizer_unusable".to_owned(),
                message: format!("tokens are not counted with the model's own tokenizer: {reason}"),
            });
        }
        Ok(report)
    }

    /// Inspects the chosen format. Its variables are tried in this conversation.
    ///
    /// # Errors
    /// If the document is not open, or the request is cancelled.
    pub fn inspect_chat(
        &self,
        document: &str,
        setup: &ChatSetup,
        cancel: &CancellationToken,
    ) -> Result<ChatInspection, ServiceError> {
        let setup = &*self.conversation(document, setup)?;
        let preview = self.current_preview(document)?;
        let models = self.selected_models(&self.key(document)?);
        let format = match self.format(&setup.template, setup, &models) {
            Ok(format) => format,
            Err(problem) => return Ok(inspection::refused(problem)),
        };
        check_not_cancelled(cancel)?;
        let now = WallClock::of_the_system().now();
        let prepared = report::prepare(setup, &preview.text(), &format, now);
        let request = prepared.as_ref().map(|prepared| &prepared.request);
        Ok(inspection::inspection(
            &format,
            request.map_err(Clone::clone),
        ))
    }

    /// Compares the chosen format with another, conversation by conversation.
    ///
    /// # Errors
    /// If the document is not open, or the request is cancelled.
    pub fn compare_chat(
        &self,
        document: &str,
        setup: &ChatSetup,
        with: &ChatTemplate,
        cancel: &CancellationToken,
    ) -> Result<Vec<ChatTrial>, ServiceError> {
        let setup = &*self.conversation(document, setup)?;
        let preview = self.current_preview(document)?;
        let models = self.selected_models(&self.key(document)?);
        let left = self.format(&setup.template, setup, &models);
        check_not_cancelled(cancel)?;
        let right = self.format(with, setup, &models);
        check_not_cancelled(cancel)?;
        let now = WallClock::of_the_system().now();
        let (questions, settings) = comparison::of_setup(setup, &preview.text(), now);
        Ok(comparison::trials(questions, &settings, &left, &right))
    }

    /// The conversation in the format of another program.
    ///
    /// # Errors
    /// If the document is not open or the conversation cannot be rendered.
    pub fn copied_chat(
        &self,
        document: &str,
        setup: &ChatSetup,
        form: ChatForm,
    ) -> Result<String, ServiceError> {
        let setup = &*self.conversation(document, setup)?;
        let preview = self.current_preview(document)?;
        if let Some(fault) = preview.fault() {
            return Err(refused(fault.into()));
        }
        let prompt = preview.text();
        let models = self.selected_models(&self.key(document)?);
        if form == ChatForm::Messages {
            let messages = request::messages(setup, &prompt).map_err(refused)?;
            return Ok(export::messages(
                messages,
                request::tools(setup).map_err(refused)?,
            ));
        }
        let format = self
            .format(&setup.template, setup, &models)
            .map_err(refused)?;
        let now = WallClock::of_the_system().now();
        let prepared = report::prepare(setup, &prompt, &format, now).map_err(refused)?;
        let written = rendering::write(&format, &prepared.request)
            .map_err(|fault| refused(format::failed(&fault)))?;
        Ok(match form {
            ChatForm::Curl => export::curl(&written.text, &format.end_tag()),
            ChatForm::Text | ChatForm::Messages => written.text,
        })
    }

    fn current_preview(&self, document: &str) -> Result<Arc<Preview>, ServiceError> {
        let session = self.inner.session(document)?;
        let preview = Arc::clone(lock(&session).preview().0);
        Ok(preview)
    }

    fn selected_models(&self, key: &str) -> SlotModels {
        SlotModels {
            model: self.inner.selected_model(key, ChatSlot::Model),
            other: self.inner.selected_model(key, ChatSlot::Other),
        }
    }

    fn format(
        &self,
        template: &ChatTemplate,
        setup: &ChatSetup,
        models: &SlotModels,
    ) -> Result<Format, ChatProblem> {
        let (model, other) = (models.model.as_ref(), models.other.as_ref());
        let metadata = format::resolve_template(template, setup, model, other);
        let cache = &self.inner.chat;
        cache
            .format(metadata)
            .map_err(|fault| format::problem_of(&fault))
    }

    /// The tokenizer in the chosen folder or beside the chosen file, cached, or the reason why it
    /// cannot be used; `None` if there is none.
    fn own_counter(
        &self,
        setup: &ChatSetup,
        models: &SlotModels,
    ) -> Option<Result<Arc<Cached>, String>> {
        let of_model = matches!(setup.template, ChatTemplate::Model | ChatTemplate::Own);
        let model = models
            .model
            .as_ref()
            .filter(|model| of_model && model.tokenizer)?;
        let cache = || {
            let tokenizers = self.inner.chat.tokenizers.lock();
            tokenizers.unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(read) = cache().get(&model.path) {
            return Some(read.counter.clone());
        }
        // Reading takes seconds, so no lock is held; concurrent callers read the file too.
        let read = model_file::Tokenizer::read(model)?;
        let counter = read.counter.clone();
        cache().insert(model.path.clone(), read);
        Some(counter)
    }
}

/// An error if the caller has cancelled the request.
fn check_not_cancelled(cancel: &CancellationToken) -> Result<(), ServiceError> {
    if cancel.is_cancelled() {
        return Err(ServiceError::Superseded);
    }
    Ok(())
}

fn refused(problem: ChatProblem) -> ServiceError {
    ServiceError::Chat(match problem.place {
        Some(place) => format!(
            "{} (template line {}, column {})",
            problem.message, place.line, place.column
        ),
        None => problem.message,
    })
}
