//! The conversation of the call document in use, in place of the example of the tab.

use std::borrow::Cow;
use std::sync::Arc;

use promptdeck_request::call::Call;
use promptdeck_request::target::sent_message;
use promptdeck_request::tools;
use serde_json::{Map, Value};

use crate::open_documents::lock;
use crate::wire::{ChatConversation, ChatMessage, ChatSetup};
use crate::{ServiceError, Studio};

impl Studio {
    /// The setup whose messages and tools the tab renders.
    pub(super) fn conversation<'s>(
        &self,
        document: &str,
        setup: &'s ChatSetup,
    ) -> Result<Cow<'s, ChatSetup>, ServiceError> {
        if setup.conversation == ChatConversation::Example {
            return Ok(Cow::Borrowed(setup));
        }
        let session = self.inner.session(document)?;
        let call = lock(&session).used_call().map(Arc::clone);
        Ok(match call {
            Some(call) => Cow::Owned(of_call(setup, &call)),
            None => Cow::Borrowed(setup),
        })
    }
}

/// The setup with the messages and tools that a request of the call sends.
fn of_call(setup: &ChatSetup, call: &Call) -> ChatSetup {
    let tools = tools::in_openai_shape(&call.tools);
    ChatSetup {
        messages: call.messages().iter().map(message).collect(),
        tools: match tools.is_empty() {
            true => String::new(),
            false => Value::Array(tools).to_string(),
        },
        ..setup.clone()
    }
}

/// A message as the tab has it: what is not its role or its text is a further field.
fn message(message: &Value) -> ChatMessage {
    let mut fields = match sent_message(message) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let mut take = |key: &str| {
        let text = fields.get(key)?.as_str()?.to_owned();
        fields.shift_remove(key);
        Some(text)
    };
    let role = take("role").unwrap_or_default();
    let content = take("content").unwrap_or_default();
    ChatMessage {
        role,
        content,
        fields: match fields.is_empty() {
            true => String::new(),
            false => Value::Object(fields).to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_has_its_text_and_the_rest_as_fields() {
        let calls = json!([{"id": "1"}]);
        let converted =
            message(&json!({"role": "assistant", "content": null, "tool_calls": calls}));
        assert_eq!(
            (converted.role.as_str(), converted.content.as_str()),
            ("assistant", "")
        );
        assert_eq!(
            converted.fields,
            r#"{"content":null,"tool_calls":[{"id":"1"}]}"#
        );
        let plain = message(&json!({"role": "user", "content": "Hi", "language": "en"}));
        assert_eq!((plain.content.as_str(), plain.fields.as_str()), ("Hi", ""));
    }
}
