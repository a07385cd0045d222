//! The interface of all formats.

use super::capability::Capabilities;
use super::extract::{self, Markers};
use super::family::Family;
use super::incremental::RenderDelta;
use super::message::{Message, Tool};
use super::request::{RenderError, Request};

/// A way of writing a conversation down for a model.
pub trait ChatFormat: Send + Sync {
    /// The family the format belongs to.
    fn family(&self) -> Family;

    /// One message on its own. Of an assistant message a template gives the raw content.
    ///
    /// # Errors
    /// When a template fails.
    fn format_message(&self, message: &Message) -> Result<String, RenderError>;

    /// A system message with the tools that may be called.
    ///
    /// # Errors
    /// When a template fails.
    fn format_system_message(&self, content: &str, tools: &[Tool]) -> Result<String, RenderError>;

    /// The text that the model continues.
    fn generation_prompt(&self) -> String;

    /// What ends a message of the assistant.
    fn assistant_end_tag(&self) -> String;

    /// What the format can do.
    fn capabilities(&self) -> &Capabilities;

    /// A whole conversation.
    ///
    /// # Errors
    /// When a template fails.
    fn format_conversation(&self, request: &Request) -> Result<String, RenderError>;

    /// What the last message of the conversation adds to the text of those before it.
    ///
    /// # Errors
    /// When a template fails.
    fn format_message_incremental(&self, request: &Request) -> Result<RenderDelta, RenderError>;

    /// What the user is to see of an answer: the final channel where there are channels, the text
    /// untouched where there are none.
    fn extract_content(&self, raw: &str) -> String {
        match Markers::of(self.capabilities()) {
            Some(markers) => extract::final_channel(raw, &markers),
            None => raw.to_owned(),
        }
    }
}
