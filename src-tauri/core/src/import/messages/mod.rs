//! Conversations in the JSON of `OpenAI` and Anthropic: the system prompt becomes the deck, the
//! messages and tools become the call document around it.
//!
//! Call documents hold messages in `OpenAI`'s shape; those of Anthropic are converted.

mod blocks;
mod pasted;
mod settings;
#[cfg(test)]
mod tests;
mod tools;

pub use pasted::{PastedMessages, read_messages};
pub use tools::{ConvertedTool, openai_function};

use promptdeck_chat::message::{ROLES, unknown_role};
use serde_json::{Map, Value, json};

use super::{
    ConversionStatus, Import, Report, ReportEntry, SourceFormat,
    deck::{Deck, Variables},
    locate, plain_prompt,
    pointer::pointer,
    text_input::{self, JoinedTexts},
};
use crate::{
    plural::plural,
    registry::{DiagnosticData, ParseCode, ParseError, SourceMap, read_json},
};

/// Whether a JSON object is the body of a request with messages.
pub(super) fn is_conversation(members: &Map<String, Value>) -> bool {
    members.get("messages").is_some_and(Value::is_array)
}

/// The deck of a conversation: a list of messages, or the body of a request.
///
/// The text of the registry is a call document with the registry in it.
///
/// # Errors
///
/// With a position: JSON that a registry's reader rejects, and messages without a known role.
pub fn import(bytes: &[u8]) -> Result<Import, ParseError> {
    let (value, source_map) = read_json(bytes)?;
    convert(value)
        .map_err(|mut error| {
            error.place = locate(&source_map, &error.pointer);
            error
        })
        .map(|(format, deck)| finish(format, deck, &source_map))
}

fn finish(format: SourceFormat, mut deck: Deck, source_map: &SourceMap) -> Import {
    for entry in &mut deck.entries {
        entry.place = locate(source_map, &entry.pointer);
    }
    Import {
        text: deck.text(),
        report: Report::new(format, std::mem::take(&mut deck.entries)),
    }
}

/// A conversation while it is converted.
struct Conversation {
    /// The texts of the system prompt, each with its pointer.
    system: Vec<(String, String)>,
    /// The messages, in the shape of `OpenAI`.
    history: Vec<Value>,
    entries: Vec<ReportEntry>,
}

impl Conversation {
    fn report(&mut self, status: ConversionStatus, pointer: &str, message: impl Into<String>) {
        self.entries.push(ReportEntry {
            status,
            pointer: pointer.to_owned(),
            message: message.into(),
            place: None,
        });
    }
}

fn convert(value: Value) -> Result<(SourceFormat, Deck), ParseError> {
    let (mut body, at) = match value {
        Value::Array(messages) => {
            let mut body = Map::new();
            body.insert("messages".to_owned(), Value::Array(messages));
            (body, "")
        }
        Value::Object(body) => (body, "/messages"),
        _ => {
            return Err(wrong(
                "",
                "a conversation is a list of messages, or an object with `messages`",
            ));
        }
    };
    let Some(Value::Array(messages)) = body.shift_remove("messages") else {
        return Err(wrong("/messages", "`messages` must be a list of messages"));
    };
    let format = match is_anthropic(&body, &messages) {
        true => SourceFormat::AnthropicMessages,
        false => SourceFormat::OpenAiMessages,
    };
    let mut conversation = Conversation {
        system: Vec::new(),
        history: Vec::new(),
        entries: Vec::new(),
    };
    if let Some(system) = body
        .shift_remove("system")
        .filter(|system| !system.is_null())
    {
        for (index, text) in blocks::system_texts(&system, &mut conversation)?
            .into_iter()
            .enumerate()
        {
            let at = if system.is_array() {
                format!("/system/{index}/text")
            } else {
                "/system".to_owned()
            };
            conversation.system.push((at, text));
        }
    }
    for (index, message) in messages.into_iter().enumerate() {
        add(&mut conversation, message, &format!("{at}/{index}"))?;
    }
    if conversation.history.is_empty() && conversation.system.is_empty() {
        return Err(wrong(
            at,
            "the conversation has no messages: there is nothing to import",
        ));
    }
    let deck = deck(conversation, body, at)?;
    Ok((format, deck))
}

/// Whether a conversation is in the shape of Anthropic: it has features that `OpenAI` lacks.
fn is_anthropic(body: &Map<String, Value>, messages: &[Value]) -> bool {
    let blocks = messages
        .iter()
        .filter_map(|message| message.get("content")?.as_array())
        .flatten()
        .filter_map(|block| block.get("type")?.as_str());
    let mut blocks = blocks.filter(|kind| blocks::ANTHROPIC.contains(kind));
    let tools = body.get("tools").and_then(Value::as_array);
    let mut tools = tools.into_iter().flatten();
    body.contains_key("system")
        || body.contains_key("anthropic_version")
        || blocks.next().is_some()
        || tools.any(|tool| tool.get("input_schema").is_some())
}

/// Adds one message: a system message at the beginning to the prompt, any other to the history.
fn add(conversation: &mut Conversation, message: Value, at: &str) -> Result<(), ParseError> {
    let (message, role) = with_role(message, at)?;
    let leading = conversation.history.is_empty();
    if leading && matches!(role.as_str(), "system" | "developer") {
        let content = message.get("content").unwrap_or(&Value::Null);
        if let Some(text) = blocks::plain_text(content) {
            if role == "developer" {
                let note = "the developer message is the prompt, which is sent as a system message";
                conversation.report(ConversionStatus::Converted, at, note);
            }
            blocks::unread_fields(&message, &["role", "content"], at, conversation);
            if let Some([block]) = content.as_array().map(Vec::as_slice) {
                let at = format!("{at}/content/0");
                blocks::unread_block(block, &["type", "text"], &at, conversation);
            }
            conversation.system.push((format!("{at}/content"), text));
            return Ok(());
        }
    }
    blocks::convert(conversation, &role, message, at)
}

/// Adds one message to the history.
fn add_message(
    conversation: &mut Conversation,
    message: Value,
    at: &str,
) -> Result<(), ParseError> {
    let (message, role) = with_role(message, at)?;
    blocks::convert(conversation, &role, message, at)
}

/// The members of a message and its role.
fn with_role(message: Value, at: &str) -> Result<(Map<String, Value>, String), ParseError> {
    let Value::Object(message) = message else {
        return Err(wrong(at, "a message is an object with a role"));
    };
    let role = match message.get("role") {
        Some(Value::String(role)) if ROLES.contains(&role.as_str()) => role.clone(),
        Some(Value::String(role)) => return Err(wrong(&format!("{at}/role"), unknown_role(role))),
        _ => {
            return Err(wrong(
                at,
                format!("a message has a role: {}", ROLES.join(", ")),
            ));
        }
    };
    Ok((message, role))
}

/// The registry of the system prompt, the messages and settings around it.
fn deck(
    mut conversation: Conversation,
    mut body: Map<String, Value>,
    at: &str,
) -> Result<Deck, ParseError> {
    let mut texts = std::mem::take(&mut conversation.system);
    texts.retain(|(_, text)| !text_input::is_blank(text));
    if texts.is_empty()
        && let [message] = conversation.history.as_slice()
        && message["role"] == "user"
        && let Some(text) = message["content"]
            .as_str()
            .filter(|text| !text_input::is_blank(text))
    {
        // A lone user message is a prompt, and its author wants to edit it.
        let at = format!("{at}/0/content");
        let note = "the only message is the prompt, which is sent as a system message";
        texts.push((at.clone(), text.to_owned()));
        conversation.report(ConversionStatus::Converted, &at, note);
        conversation.history.clear();
    }
    if texts.len() > 1 {
        let note = "the system messages are one prompt, joined by blank lines";
        let at = texts[1].0.clone();
        conversation.report(ConversionStatus::NotSupported, &at, note);
    }
    let mut deck = match texts.as_slice() {
        [_, ..] => {
            let joined = JoinedTexts::new(texts.iter().map(|(_, text)| text.as_str()));
            let text = text_input::with_newlines(&joined.text);
            let mut deck = plain_prompt::deck_of(&text, &Variables::new())?;
            deck.entries.extend(text.entry());
            for entry in &mut deck.entries {
                let place = entry.place.take().map(|place| joined.locate(place.line));
                let (index, line) = place.unwrap_or((0, 1));
                entry.pointer.clone_from(&texts[index].0);
                if place.is_some() {
                    entry.message = format!("line {line} of the text: {}", entry.message);
                }
            }
            deck
        }
        [] => {
            conversation.report(
                ConversionStatus::Converted,
                at,
                "no system message: the deck has one empty section",
            );
            let mut deck = Deck::new(None);
            deck.empty_section("base_context");
            deck
        }
    };
    settings::convert(&mut body, &mut deck);
    if let Some(tools) = body.shift_remove("tools") {
        let tools = tools::convert(tools, &mut conversation)?;
        if !tools.is_empty() {
            let note = format!(
                "{}: the call around the prompt has {}, not the prompt",
                plural(tools.len(), "tool"),
                if tools.len() == 1 { "it" } else { "them" }
            );
            deck.report(ConversionStatus::Converted, pointer(&["tools"]), note);
        }
        deck.set_call("tools", Value::Array(tools));
    }
    for key in body.keys() {
        let note = format!("{key} is not a setting of a registry and is left out");
        conversation.report(ConversionStatus::NotSupported, &pointer(&[key]), note);
    }
    let mut history = conversation.history;
    if !history.is_empty() {
        deck.report(
            ConversionStatus::Converted,
            at,
            format!(
                "{} of the conversation: the call around the prompt has {}, not the prompt",
                plural(history.len(), "message"),
                if history.len() == 1 { "it" } else { "them" }
            ),
        );
    }
    // The current question, when it is only a text.
    let last_question = history.last().and_then(|last| {
        let plain = last["role"] == "user" && last.as_object().is_some_and(|last| last.len() == 2);
        let text = last["content"].as_str().filter(|_| plain)?;
        (!text_input::is_blank(text)).then(|| text.to_owned())
    });
    if last_question.is_some() {
        history.pop();
    }
    if !history.is_empty() {
        deck.set_call("history", Value::Array(history));
    }
    if let Some(text) = last_question {
        deck.set_call("message", json!({ "text": text }));
    }
    deck.entries.append(&mut conversation.entries);
    Ok(deck)
}

/// The refusal of a value.
fn wrong(at: &str, message: impl Into<String>) -> ParseError {
    ParseError {
        code: ParseCode::WrongType,
        message: message.into(),
        pointer: at.to_owned(),
        data: DiagnosticData::none(),
        place: None,
    }
}
