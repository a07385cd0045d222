//! A conversation written message by message, and what each message changes of the text so far.

use serde_json::Value as Json;

use super::{Builtin, Kind, is_system};
use crate::message::{Message, Tool};

/// What a message changed of the text of those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// The byte the two texts part at.
    pub from: usize,
    /// Whether the earlier text is a prefix of the longer one.
    pub is_prefix: bool,
    /// The longer text from [`Growth::from`] on.
    pub added: String,
}

/// The text of the messages so far.
pub(super) struct Writer<'a> {
    format: &'a Builtin,
    tools: &'a [Tool],
    begun: bool,
    /// What stays, whatever follows.
    settled: String,
    /// A system text that goes into the message that follows it.
    waiting: Option<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(format: &'a Builtin, tools: &'a [Tool]) -> Self {
        Self {
            format,
            tools,
            begun: false,
            settled: String::new(),
            waiting: None,
        }
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> String {
        let end = self.end();
        self.settled.push_str(&end);
        self.settled
    }

    pub(super) fn push(&mut self, message: &Message) {
        if !self.begun {
            self.begun = true;
            if is_system(message) {
                let text = self.format.system_text(&message.content, self.tools);
                self.system(text);
                return;
            }
            if let Some(text) = self.unwritten_system() {
                self.system(text);
            }
        }
        let text = self.format.text(message);
        if self.format.kind == Kind::Llama2 && is_system(message) {
            self.system(text);
            return;
        }
        let written = match self.waiting.take() {
            None => self.format.message(message),
            Some(system) => {
                let system = self.format.wrapped("system", &system);
                match message.role.as_str() {
                    "assistant" => format!("{system}[/INST]{}", self.format.message(message)),
                    _ => format!("{system}{text} [/INST]"),
                }
            }
        };
        self.settled.push_str(&written);
    }

    /// Adds a message and compares the text with the one before.
    fn grow(&mut self, message: &Message) -> Growth {
        let (start, before) = (self.settled.len(), self.end());
        self.push(message);
        let end = self.end();
        let after = &self.settled[start..];
        let pairs = before.char_indices().zip(after.chars().chain(end.chars()));
        let shared = pairs
            .take_while(|((_, a), b)| a == b)
            .last()
            .map_or(0, |((at, character), _)| at + character.len_utf8());
        let mut added = after.to_owned();
        added.push_str(&end);
        added.replace_range(..shared, "");
        Growth {
            from: start + shared,
            is_prefix: shared == before.len(),
            added,
        }
    }

    /// With Llama 2 a system text never stands on its own: wherever it comes, it is inside the
    /// question that follows it.
    fn system(&mut self, text: String) {
        if self.format.kind != Kind::Llama2 {
            self.settled.push_str(&self.format.wrapped("system", &text));
            return;
        }
        self.waiting = Some(match self.waiting.take() {
            Some(before) => format!("{before}\n\n{text}"),
            None => text,
        });
    }

    /// What stands in a system message that nobody gave: the tools, and with GLM-4 who the model
    /// is.
    fn unwritten_system(&self) -> Option<String> {
        let written = !self.tools.is_empty() || self.format.kind == Kind::Glm4;
        written.then(|| self.format.system_text("", self.tools))
    }

    /// The text after the settled text if no message follows.
    fn end(&self) -> String {
        let system = |text: &str| self.format.wrapped("system", text);
        let unwritten = (!self.begun).then(|| self.unwritten_system()).flatten();
        match self.waiting.as_ref().or(unwritten.as_ref()) {
            None => String::new(),
            Some(text) if self.format.kind == Kind::Llama2 => format!("{}[/INST]", system(text)),
            Some(text) => system(text),
        }
    }
}

impl Builtin {
    /// What each message changes of the text of those before it, without a generation prompt. The
    /// work grows with the length of the conversation, not with its square.
    pub fn growth<'a>(
        &'a self,
        messages: &'a [Json],
        tools: &'a [Tool],
    ) -> impl Iterator<Item = Growth> + 'a {
        let mut writer = Writer::new(self, tools);
        let messages = messages.iter().map(Message::from_json);
        messages.map(move |message| writer.grow(&message))
    }
}
