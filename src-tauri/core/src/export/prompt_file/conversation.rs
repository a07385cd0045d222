//! The call around a prompt: its messages and arguments, as far as a prompt file can say them.

use std::collections::BTreeMap;

use promptdeck_python::text::is_space;
use serde_json::{Map, Value};

use crate::plural::plural;

/// Fields of a call that no prompt file says.
const LEFT_OUT: [&str; 5] = ["assistant", "conversation", "session", "thinking", "layers"];

/// What a prompt file says of a call beside the prompt.
#[derive(Debug, Default)]
pub(super) struct Conversation<'c> {
    /// The role and the text of each message.
    pub messages: Vec<(&'static str, &'c str)>,
    /// The arguments with a value that an input can have.
    pub arguments: BTreeMap<&'c str, String>,
    /// What the file does not say.
    pub omissions: Vec<String>,
}

impl<'c> Conversation<'c> {
    /// Reads the fields of a call document.
    pub fn of(call: &'c Map<String, Value>) -> Self {
        let mut conversation = Self::default();
        let history = call.get("history").and_then(Value::as_array);
        let mut others = 0;
        for message in history.into_iter().flatten() {
            match text_message(message) {
                Some(message) => conversation.messages.push(message),
                None => others += 1,
            }
        }
        if others > 0 {
            let messages = plural(others, "message");
            conversation.omit(format!(
                "{messages} of the call: only system, user and assistant messages of text are written"
            ));
        }
        if let Some(Value::Object(message)) = call.get("message") {
            for (key, value) in message {
                match value.as_str().filter(|_| key == "text") {
                    Some(text) if !is_blank(text) => conversation.messages.push(("user", text)),
                    None if !is_empty(value) => {
                        conversation.omit(format!("{key:?} of the new message of the call"));
                    }
                    _ => {}
                }
            }
        }
        if let Some(Value::Array(tools)) = call.get("tools")
            && !tools.is_empty()
        {
            conversation.omit(format!("{} of the call", plural(tools.len(), "tool")));
        }
        for key in LEFT_OUT {
            if call.get(key).is_some_and(|value| !is_empty(value)) {
                conversation.omit(format!("{key:?} of the call"));
            }
        }
        conversation.read_arguments(call);
        conversation
    }

    /// Reads the arguments; those of `args` replace the defaults.
    fn read_arguments(&mut self, call: &'c Map<String, Value>) {
        for key in ["defaults", "args"] {
            let members = call.get(key).and_then(Value::as_object);
            for (name, value) in members.into_iter().flatten() {
                let text = match value {
                    Value::String(text) => text.clone(),
                    Value::Number(_) | Value::Bool(_) => value.to_string(),
                    _ => {
                        self.arguments.remove(name.as_str());
                        self.omit(format!("the value of the argument {name:?}"));
                        continue;
                    }
                };
                self.arguments.insert(name, text);
            }
        }
    }

    fn omit(&mut self, omission: String) {
        self.omissions.push(omission);
    }
}

/// The role and the text of a message that has nothing else.
fn text_message(message: &Value) -> Option<(&'static str, &str)> {
    let role = match message.get("role")?.as_str()? {
        "system" | "developer" => "system",
        "user" => "user",
        "assistant" => "assistant",
        _ => return None,
    };
    let mut others = message.as_object()?.iter();
    if others.any(|(key, value)| !["role", "content"].contains(&&**key) && !is_empty(value)) {
        return None;
    }
    let text = message.get("content")?.as_str()?;
    (!is_blank(text)).then_some((role, text))
}

fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(entries) => entries.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
