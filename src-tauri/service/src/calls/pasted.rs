//! Messages that are pasted into a call document.

use promptdeck_core::import::messages;

use crate::ServiceError;
use crate::wire::PastedMessages;

/// Reads the messages and tools of a text in the JSON of `OpenAI` or Anthropic.
///
/// # Errors
/// If it is no JSON, or holds something else.
pub fn read_messages(text: &str) -> Result<PastedMessages, ServiceError> {
    let read = messages::read_messages(text).map_err(|fault| ServiceError::Source {
        file: String::new(),
        fault,
    })?;
    Ok(PastedMessages {
        messages: read.messages,
        tools: read.tools,
        anthropic: read.anthropic,
        left_out: read.left_out,
    })
}
