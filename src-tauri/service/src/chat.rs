//! The *Chat* tab: the open document's prompt in front of a small conversation, written down by a
//! chat template. What the tab is set to is kept per registry.

mod blocks;
mod comparison;
mod export;
mod format;
mod inspection;
pub mod inspector;
mod model_file;
mod model_watch;
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

/// What is chosen for a document.
struct SlotModels {
    model: Option<ChatModel>,
    other: Option<ChatModel>,
}

impl ChatSlot {
    const ALL: [Self; 2] = [Self::Model, Self::Other];

    fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Other => "other",
        }
    }
}

impl Studio {
    /// What the tab begins with for a document. What was chosen is read again, and from now on
    /// whenever it changes.
    pub fn chat(&self, document: &str) -> Result<ChatOpening, ServiceError> {
        let key = self.key(document)?;
        model_watch::watch(&self.inner);
        model_watch::read_again(&self.inner, &key);
        let SlotModels { model, other } = self.chosen(&key);
        Ok(ChatOpening {
            setup: self.inner.store_handle.chat(&key),
            model,
            other,
            families: format::families(),
        })
    }

    /// Keeps what the tab is set to.
    pub fn save_chat(&self, document: &str, setup: &ChatSetup) -> Result<(), ServiceError> {
        self.inner
            .store_handle
            .save_chat(&self.key(document)?, setup)
    }

    /// The folder a dialog begins in: where the file or folder chosen before is.
    pub fn chat_model_folder(
        &self,
        document: &str,
        slot: ChatSlot,
    ) -> Result<Option<PathBuf>, ServiceError> {
        let chosen = self.inner.chosen(&self.key(document)?, slot);
        let folder = chosen.and_then(|own| Some(Path::new(&own.path).parent()?.to_owned()));
        Ok(folder.filter(|folder| folder.is_dir()))
    }

    /// Takes over the template, model folder or GGUF file at a path the author chose, and says
    /// what it brings. What was chosen before is forgotten only when this one can be read.
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

    /// Writes the conversation down.
    pub fn render_chat(
        &self,
        document: &str,
        setup: &ChatSetup,
    ) -> Result<ChatReport, ServiceError> {
        let preview = self.current_preview(document)?;
        let chosen = self.chosen(&self.key(document)?);
        let own = self.own_counter(setup, &chosen);
        let counter = match &own {
            Some(Ok(own)) => Counter {
                tokens: own.as_ref(),
                own: true,
            },
            _ => Counter {
                tokens: self.inner.counter(),
                own: false,
            },
        };
        let now = WallClock::of_the_system().now();
        let mut report = match self.format(&setup.template, setup, &chosen) {
            Ok(format) => report::report(setup, &preview, &format, now, &counter),
            Err(problem) => report::refused(problem, setup.messages.len(), counter.tokens.name()),
        };
        if let Some(Err(why)) = own {
            report.remarks.push(ChatRemark {
                code: "tokenizer_unusable".to_owned(),
                message: format!("tokens are not counted with the model's own tokenizer: {why}"),
            });
        }
        Ok(report)
    }

    /// What the chosen format can do. Its variables are tried in this conversation.
    pub fn inspect_chat(
        &self,
        document: &str,
        setup: &ChatSetup,
        cancel: &CancellationToken,
    ) -> Result<ChatInspection, ServiceError> {
        let preview = self.current_preview(document)?;
        let chosen = self.chosen(&self.key(document)?);
        let format = match self.format(&setup.template, setup, &chosen) {
            Ok(format) => format,
            Err(problem) => return Ok(inspection::refused(problem)),
        };
        still_asked(cancel)?;
        let now = WallClock::of_the_system().now();
        let prepared = report::prepare(setup, &preview.text(), &format, now);
        let request = prepared.as_ref().map(|own| &own.request);
        Ok(inspection::inspection(
            &format,
            request.map_err(Clone::clone),
        ))
    }

    /// Compares the chosen format with another, conversation by conversation.
    pub fn compare_chat(
        &self,
        document: &str,
        setup: &ChatSetup,
        with: &ChatTemplate,
        cancel: &CancellationToken,
    ) -> Result<Vec<ChatTrial>, ServiceError> {
        let preview = self.current_preview(document)?;
        let chosen = self.chosen(&self.key(document)?);
        let left = self.format(&setup.template, setup, &chosen);
        still_asked(cancel)?;
        let right = self.format(with, setup, &chosen);
        still_asked(cancel)?;
        let now = WallClock::of_the_system().now();
        let (questions, way) = comparison::of_setup(setup, &preview.text(), now);
        Ok(comparison::trials(questions, &way, &left, &right))
    }

    /// The conversation in a form other programs take.
    pub fn copied_chat(
        &self,
        document: &str,
        setup: &ChatSetup,
        form: ChatForm,
    ) -> Result<String, ServiceError> {
        let prompt = self.current_preview(document)?.text();
        let chosen = self.chosen(&self.key(document)?);
        if form == ChatForm::Messages {
            let messages = request::messages(setup, &prompt).map_err(refused)?;
            return Ok(export::messages(
                messages,
                request::tools(setup).map_err(refused)?,
            ));
        }
        let format = self
            .format(&setup.template, setup, &chosen)
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

    fn chosen(&self, key: &str) -> SlotModels {
        SlotModels {
            model: self.inner.chosen(key, ChatSlot::Model),
            other: self.inner.chosen(key, ChatSlot::Other),
        }
    }

    fn format(
        &self,
        template: &ChatTemplate,
        setup: &ChatSetup,
        chosen: &SlotModels,
    ) -> Result<Format, ChatProblem> {
        let (model, other) = (chosen.model.as_ref(), chosen.other.as_ref());
        let brought = format::chosen(template, setup, model, other);
        let cache = &self.inner.chat;
        cache
            .format(brought)
            .map_err(|fault| format::problem_of(&fault))
    }

    /// The tokenizer of the chosen folder or beside the chosen file, read once, or why it can't be
    /// used; none when there is none.
    fn own_counter(
        &self,
        setup: &ChatSetup,
        chosen: &SlotModels,
    ) -> Option<Result<Arc<Cached>, String>> {
        let of_model = matches!(setup.template, ChatTemplate::Model | ChatTemplate::Own);
        let model = chosen
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
        // Reading takes seconds: no lock is held meanwhile, and whoever asks too reads it too.
        let read = model_file::Tokenizer::read(model)?;
        let counter = read.counter.clone();
        cache().insert(model.path.clone(), read);
        Some(counter)
    }
}

/// Refuses to go on for an answer that nobody waits for any more.
fn still_asked(cancel: &CancellationToken) -> Result<(), ServiceError> {
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
