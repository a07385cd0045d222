//! The format chosen in the *Chat* tab as the receiver of requests: what is sent is what the tab
//! shows for the same messages, polyfills and variables included.

use promptdeck_jinja as jinja;
use promptdeck_request::target::{Conversation, RenderChat, RenderedChat, TargetError};
use serde_json::Value;

use super::format::Format;
use super::{refused, rendering, report, request};
use crate::wire::{ChatProblem, ChatSetup};
use crate::{ServiceError, Studio, WallClock};

/// The family by which request parameters name the format chosen in the tab.
pub const CHOSEN: &str = "chosen";

/// The format chosen in the tab, with its settings.
pub struct ChosenFormat {
    format: Format,
    setup: ChatSetup,
}

impl Studio {
    /// The format chosen in the tab for a document.
    pub(crate) fn chosen_format(&self, document: &str) -> Result<ChosenFormat, ServiceError> {
        let key = self.key(document)?;
        let setup = self.inner.store_handle.chat(&key);
        let models = self.selected_models(&key);
        let format = self.format(&setup.template, &setup, &models);
        Ok(ChosenFormat {
            format: format.map_err(refused)?,
            setup,
        })
    }
}

impl RenderChat for ChosenFormat {
    fn render(&self, conversation: &Conversation<'_>) -> Result<RenderedChat, TargetError> {
        // The messages and tools are the request's; the rest is the tab's.
        let setup = ChatSetup {
            messages: Vec::new(),
            tools: String::new(),
            generation_prompt: true,
            continue_final: false,
            ..self.setup.clone()
        };
        let moment = jinja::Moment::from_seconds(conversation.now.unix_seconds(), 0);
        let now = WallClock::of_the_system().local(moment.unwrap_or_default(), 0);
        let (messages, tools) = (conversation.messages, conversation.tools);
        let query = promptdeck_chat::Request {
            messages: messages.to_vec(),
            tools: (!tools.is_empty()).then(|| Value::from(tools.to_vec())),
            ..request::request(&setup, "", now).map_err(problem)?
        };
        let thinking = conversation.thinking.unwrap_or(setup.thinking);
        let query = self.format.complete(query, thinking);
        let off = request::switched_off(&setup);
        let polyfilled = report::polyfilled(query, off, 0, &self.format);
        let written = rendering::write(&self.format, &polyfilled.request)?;
        Ok(RenderedChat::changed(written.text, polyfilled.changes()))
    }

    fn template(&self) -> Option<&str> {
        match &self.format {
            Format::Template { format, .. } => Some(format.template().source()),
            Format::Builtin(_) => None,
        }
    }
}

fn problem(problem: ChatProblem) -> TargetError {
    TargetError::Chat {
        code: "chat_setup",
        message: problem.message,
    }
}
