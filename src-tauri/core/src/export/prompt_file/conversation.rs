//! The call around a prompt: its messages and arguments, as far as a prompt file can say them.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use promptdeck_chat::message::text_of;
use promptdeck_python::text::is_space;
use serde_json::{Map, Value};

use crate::plural::plural;

/// Fields of a call that no prompt file says.
const LEFT_OUT: [&str; 5] = ["assistant", "conversation", "session", "thinking", "layers"];

/// What a prompt file says of a call beside the prompt.
#[derive(Debug, Default)]
pub(super) struct Conversation<'c> {
    /// The role and the text of each message.
    pub messages: Vec<(&'static str, Cow<'c, str>)>,
    /// The arguments with a value that an input can have.
    pub arguments: BTreeMap<&'c str, String>,
    /// What the file does not say.
    pub omissions: Vec<String>,
}

impl<'c> Conversation<'c> {
    /// Reads the fields of a call document.
    pub fn of(call: &'c Map<String, Value>) -> Self {
        let mut conversation = Self::default();
        if let Some(Value::Array(history)) = call.get("history") {
            conversation.read_history(history);
        }
        if let Some(Value::Object(message)) = call.get("message") {
            for (key, value) in message {
                match value.as_str().filter(|_| key == "text") {
                    Some(text) if !is_blank(text) => {
                        conversation.messages.push(("user", text.into()));
                    }
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

    /// Reads the messages of the history, as far as they are text. An answer is left out with its
    /// question: without it, it would answer another one.
    fn read_history(&mut self, history: &'c [Value]) {
        let mut unwritten: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut beside_texts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let (mut is_asked, mut is_question_written) = (false, true);
        for (index, message) in history.iter().enumerate() {
            let text = text_of_message(message);
            let role = message.get("role").and_then(Value::as_str);
            if role == Some("user") {
                // Messages of the user in a row are one question.
                is_question_written = (is_asked && is_question_written) || text.is_some();
            }
            is_asked = role == Some("user");
            match written(role, text, message, is_question_written) {
                Ok(message) => self.messages.push(message),
                Err(reason) => {
                    unwritten.entry(reason).or_default().push(index);
                    continue;
                }
            }
            for other in beside_text(message) {
                beside_texts.entry(other).or_default().push(index);
            }
        }
        for (reason, messages) in unwritten {
            self.omit(format!("{} of the call: {reason}", listed(&messages)));
        }
        for (other, messages) in beside_texts {
            self.omit(format!("{other} of {} of the call", listed(&messages)));
        }
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

/// A message as the file has it, or why the file has not.
fn written<'c>(
    role: Option<&str>,
    text: Option<Cow<'c, str>>,
    message: &Value,
    is_question_written: bool,
) -> Result<(&'static str, Cow<'c, str>), &'static str> {
    let role = match role {
        Some("system" | "developer") => "system",
        Some("user") => "user",
        Some("assistant") => "assistant",
        Some("tool") => return Err("responses of tools are not written"),
        _ => return Err("only system, user and assistant messages are written"),
    };
    let calls = message.get("tool_calls");
    match text {
        Some(_) if role == "assistant" && !is_question_written => {
            Err("an answer is not written without its question")
        }
        Some(text) => Ok((role, text)),
        None if calls.is_some_and(|calls| !is_empty(calls)) => {
            Err("tool calls without text are not written")
        }
        None => Err("messages without text are not written"),
    }
}

/// The text of a message, unless it is blank.
fn text_of_message(message: &Value) -> Option<Cow<'_, str>> {
    let text = match message.get("content")? {
        Value::String(text) => Cow::Borrowed(text.as_str()),
        content => text_of(content).into(),
    };
    (!is_blank(&text)).then_some(text)
}

/// What a message has beside its role and text.
fn beside_text(message: &Value) -> BTreeSet<String> {
    let members = message.as_object().into_iter().flatten();
    let keys = members
        .filter(|(key, value)| !["role", "content"].contains(&&***key) && !is_empty(value))
        .map(|(key, _)| format!("{key:?}"));
    let parts = message.get("content").and_then(Value::as_array);
    let others = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_string() && !part["text"].is_string())
        .map(|part| match part["type"].as_str() {
            Some(kind) => format!("parts of type {kind:?}"),
            None => "parts without a type".to_owned(),
        });
    keys.chain(others).collect()
}

/// Messages by number, from 1, three and more in a row as a range: `messages 1, 3 to 5 and 8`.
fn listed(messages: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &index in messages {
        match ranges.last_mut() {
            Some((_, last)) if *last == index => *last = index + 1,
            _ => ranges.push((index + 1, index + 1)),
        }
    }
    let ranges: Vec<String> = ranges
        .into_iter()
        .flat_map(|(first, last)| match last - first {
            0 => vec![first.to_string()],
            1 => vec![first.to_string(), last.to_string()],
            _ => vec![format!("{first} to {last}")],
        })
        .collect();
    match ranges.as_slice() {
        [.., last] if ranges.len() > 1 => {
            let others = ranges[..ranges.len() - 1].join(", ");
            format!("messages {others} and {last}")
        }
        _ if messages.len() > 1 => format!("messages {}", ranges.concat()),
        _ => format!("message {}", ranges.concat()),
    }
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
