//! Reads what a model answered: its channels, its thinking, and the calls it makes. Only looks;
//! runs nothing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::capability::Capabilities;

/// What thinking begins with in a raw answer.
pub const THINK_OPEN: &str = "<think>";
/// What thinking ends with.
pub const THINK_CLOSE: &str = "</think>";

/// What can end a channel; the earliest one does.
const CHANNEL_ENDS: [&str; 4] = ["<|end|>", "<|return|>", "<|start|>", "<|call|>"];

/// What each of [`CHANNEL_ENDS`] begins with.
const BAR: &str = "<|";

/// What ends the final channel, which calls nothing.
const FINAL_ENDS: [&str; 3] = ["<|end|>", "<|return|>", "<|start|>"];

/// What a template that writes channels has in it.
pub(super) const FINAL_CHANNEL: &str = "<|channel|>final";

/// The markers of the final channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markers {
    /// What the final channel begins with.
    pub extract: String,
    /// What a channel ends with.
    pub end: String,
}

impl Markers {
    /// The markers a template writes, if it writes channels.
    #[must_use]
    pub fn in_template(source: &str) -> Option<Self> {
        source.contains(FINAL_CHANNEL).then(|| Self {
            extract: "<|channel|>final<|message|>".into(),
            end: "<|end|>".into(),
        })
    }

    /// The markers a format is known to have.
    #[must_use]
    pub fn of(capabilities: &Capabilities) -> Option<Self> {
        capabilities.has_channels.then(|| Self {
            extract: capabilities.channel_extract_marker.clone(),
            end: capabilities.channel_end_marker.clone(),
        })
    }
}

/// One channel of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// `analysis`, `commentary`, `final` or another.
    pub name: String,
    /// Whom it is for, such as `functions.get_weather`; null for the user.
    pub recipient: Option<String>,
    /// The text.
    pub content: String,
}

/// A call found in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundCall {
    /// The name of the tool.
    pub name: String,
    /// Its arguments; a text when they are no JSON.
    pub arguments: Json,
}

/// An answer taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Extracted {
    /// What the user is to see: the final channel, or the text untouched without channels.
    pub content: String,
    /// The channels in order; empty without channels.
    pub channels: Vec<Channel>,
    /// What the model thought; null when it did not.
    pub thinking: Option<String>,
    /// The calls it makes.
    pub tool_calls: Vec<FoundCall>,
}

/// The final channel of an answer, up to the earliest marker that ends it; empty when there is none.
#[must_use]
pub fn final_channel(raw: &str, markers: &Markers) -> String {
    let Some(at) = raw.find(&markers.extract) else {
        return String::new();
    };
    let rest = &raw[at + markers.extract.len()..];
    let ends = FINAL_ENDS.iter().copied().chain([markers.end.as_str()]);
    let end = ends
        .filter(|end| !end.is_empty())
        .filter_map(|end| rest.find(end))
        .min();
    rest[..end.unwrap_or(rest.len())].to_owned()
}

/// Takes an answer apart.
#[must_use]
pub fn extract(raw: &str, markers: Option<&Markers>) -> Extracted {
    if let Some(markers) = markers {
        let channels = channels(raw);
        let thoughts: Vec<&str> = channels
            .iter()
            .filter(|channel| channel.name == "analysis")
            .map(|channel| channel.content.as_str())
            .collect();
        let tool_calls = channels.iter().filter_map(channel_call).collect();
        return Extracted {
            content: final_channel(raw, markers),
            thinking: (!thoughts.is_empty()).then(|| thoughts.join("\n")),
            tool_calls,
            channels,
        };
    }
    let (thinking, visible) = without_thinking(raw);
    Extracted {
        content: raw.to_owned(),
        channels: Vec::new(),
        thinking,
        tool_calls: calls(visible),
    }
}

/// Takes what a server gave for a raw completion apart. An answer without any channel is read as one
/// of a model that has none: some servers leave special tokens out, and a prompt may have opened the
/// final channel already.
#[must_use]
pub fn completion(raw: &str, markers: Option<&Markers>) -> Extracted {
    let found = extract(raw, markers);
    match markers {
        Some(_) if found.channels.is_empty() => extract(raw, None),
        _ => found,
    }
}

impl Extracted {
    /// Whether there is anything in it but the text itself.
    #[must_use]
    pub fn tells_more(&self) -> bool {
        !self.channels.is_empty() || self.thinking.is_some() || !self.tool_calls.is_empty()
    }
}

/// The channels of an answer in the order they come.
fn channels(raw: &str) -> Vec<Channel> {
    const MARK: &str = "<|channel|>";
    const MESSAGE: &str = "<|message|>";
    let mut found = Vec::new();
    let mut rest = raw;
    while let Some(at) = rest.find(MARK) {
        // The recipient stands before the mark or after the name.
        let before = &rest[..at];
        let after = &rest[at + MARK.len()..];
        let Some(message) = after.find(MESSAGE) else {
            break;
        };
        let header = &after[..message];
        let body = &after[message + MESSAGE.len()..];
        let end = channel_end(body);
        let opening = before
            .rfind("<|start|>")
            .map_or(before, |start| &before[start..]);
        let recipient = recipient(header).or_else(|| recipient(opening));
        let name = header.split_whitespace().next().unwrap_or_default();
        let name = name.split('<').next().unwrap_or_default();
        found.push(Channel {
            name: name.to_owned(),
            recipient,
            content: body[..end].to_owned(),
        });
        rest = &body[end..];
    }
    found
}

/// Where a channel ends. One pass for all the markers: a search for each would go through the rest
/// of the answer for those that are missing, for every channel.
fn channel_end(body: &str) -> usize {
    let mut bars = body.match_indices(BAR).map(|(at, _)| at);
    bars.find(|at| CHANNEL_ENDS.iter().any(|end| body[*at..].starts_with(end)))
        .unwrap_or(body.len())
}

fn recipient(header: &str) -> Option<String> {
    let rest = &header[header.find("to=")? + 3..];
    let end = rest
        .find(|one: char| one.is_whitespace() || one == '<')
        .unwrap_or(rest.len());
    (end > 0).then(|| rest[..end].to_owned())
}

fn channel_call(channel: &Channel) -> Option<FoundCall> {
    let name = channel.recipient.as_deref()?;
    let name = name.strip_prefix("functions.").unwrap_or(name);
    let text = channel.content.trim();
    Some(FoundCall {
        name: name.to_owned(),
        arguments: serde_json::from_str(text).unwrap_or_else(|_| Json::from(text)),
    })
}

/// The thinking of an answer and what follows it. A prompt may have opened the block already.
fn without_thinking(raw: &str) -> (Option<String>, &str) {
    let begun = raw.trim_start();
    let body = begun.strip_prefix(THINK_OPEN);
    match (body, raw.find(THINK_CLOSE)) {
        (_, Some(end)) => {
            let begin = match raw.find(THINK_OPEN) {
                Some(open) if open < end => open + THINK_OPEN.len(),
                _ => 0,
            };
            let thought = raw[begin..end].trim_matches('\n').to_owned();
            (Some(thought), &raw[end + THINK_CLOSE.len()..])
        }
        // Cut off while it was still thinking.
        (Some(body), None) => (Some(body.trim_matches('\n').to_owned()), ""),
        (None, None) => (None, raw),
    }
}

/// The calls in an answer without channels: in tags, behind a marker, the answer itself, or its end.
fn calls(text: &str) -> Vec<FoundCall> {
    let tagged = tagged_calls(text);
    if !tagged.is_empty() {
        return tagged;
    }
    let text = text.trim();
    if let Some(list) = text.strip_prefix("[TOOL_CALLS]") {
        return json_calls(list.trim());
    }
    let call_text = text.strip_prefix("<|python_tag|>").unwrap_or(text).trim();
    let ends = [
        "<|eot_id|>",
        "<|eom_id|>",
        "</s>",
        "<|im_end|>",
        "<|user|>",
        "<|observation|>",
    ];
    let call_text = ends.iter().fold(call_text, |text, end| {
        text.strip_suffix(end).unwrap_or(text).trim()
    });
    let found = json_calls(call_text);
    if found.is_empty() {
        return closing_calls(call_text);
    }
    found
}

/// The calls a text ends in, each beginning a line, as builtin formats write them behind a content.
/// Nothing but calls may follow the first of them.
fn closing_calls(text: &str) -> Vec<FoundCall> {
    let mut from = 0;
    let mut left = PASSES * text.len();
    // What begins no line is part of a sentence.
    while let Some(at) = text[from..].find("\n{") {
        let start = from + at + 1;
        let rest = &text[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
        let mut found = Vec::new();
        let read = loop {
            match values.next() {
                None => return found,
                Some(Ok(value)) => match calls_in(value).filter(|calls| are_meant(calls)) {
                    Some(calls) => found.extend(calls),
                    None => break values.byte_offset(),
                },
                Some(Err(error)) => break offset_of(rest, &error),
            }
        };
        // No line within the values that were read can begin calls that go to the end; one within
        // the value that failed can.
        from = start + values.byte_offset();
        left = match left.checked_sub(read) {
            Some(left) => left,
            None => break,
        };
    }
    Vec::new()
}

/// How often all attempts together may read a text as long as the answer: values that begin on many
/// lines and end on none are within each other, and each attempt reads those inside it again.
const PASSES: usize = 8;

/// The byte of a text at which a JSON error stands.
fn offset_of(text: &str, error: &serde_json::Error) -> usize {
    let before = error.line().checked_sub(2);
    let newline = before.and_then(|lines| text.match_indices('\n').nth(lines));
    newline.map_or(0, |(at, _)| at + 1) + error.column()
}

/// Whether what may be prose can be nothing but calls: arguments are an object then.
fn are_meant(calls: &[FoundCall]) -> bool {
    !calls.is_empty() && calls.iter().all(|call| call.arguments.is_object())
}

fn tagged_calls(text: &str) -> Vec<FoundCall> {
    const OPEN: &str = "<tool_call>";
    const CLOSE: &str = "</tool_call>";
    let mut found = Vec::new();
    let mut rest = text;
    // Behind the last of them no search looks for another.
    let last_close = text.rfind(CLOSE).unwrap_or(0);
    while let Some(at) = rest.find(OPEN) {
        let body = &rest[at + OPEN.len()..];
        let is_closed = text.len() - body.len() <= last_close;
        let close = is_closed.then(|| body.find(CLOSE)).flatten();
        let end = close.or_else(|| body.find(OPEN)).unwrap_or(body.len());
        let inside = body[..end].trim();
        match xml_call(inside) {
            Some(call) => found.push(call),
            None => found.extend(json_calls(inside)),
        }
        rest = &body[end..];
    }
    found
}

/// `<function=name><parameter=key>value</parameter></function>`, as Qwen3-Coder writes calls.
fn xml_call(text: &str) -> Option<FoundCall> {
    let rest = text.strip_prefix("<function=")?;
    let (name, mut rest) = rest.split_once('>')?;
    let mut arguments = Map::new();
    while let Some(at) = rest.find("<parameter=") {
        let (key, body) = rest[at + "<parameter=".len()..].split_once('>')?;
        let end = body.find("</parameter>").unwrap_or(body.len());
        let value = body[..end].trim_matches('\n');
        arguments.insert(key.trim().to_owned(), Json::from(value));
        rest = &body[end..];
    }
    Some(FoundCall {
        name: name.trim().to_owned(),
        arguments: Json::Object(arguments),
    })
}

/// Calls written as JSON: one object, several one after the other, or a list.
fn json_calls(text: &str) -> Vec<FoundCall> {
    if !text.starts_with(['{', '[']) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Json>() {
        let Ok(value) = value else {
            // Half an object is no call, and what follows it is none either.
            return Vec::new();
        };
        let Some(calls) = calls_in(value) else {
            return Vec::new();
        };
        found.extend(calls);
    }
    found
}

/// The calls in a value: itself, the items of a list, or those of the `tool_calls` a polyfill asks
/// for; `None` when anything in it is no call.
fn calls_in(value: Json) -> Option<Vec<FoundCall>> {
    let items = match value {
        Json::Array(items) => items,
        Json::Object(mut object) if !object.contains_key("name") => {
            match object.remove("tool_calls") {
                Some(Json::Array(items)) => items,
                _ => vec![Json::Object(object)],
            }
        }
        other => vec![other],
    };
    items.iter().map(one_call).collect()
}

fn one_call(item: &Json) -> Option<FoundCall> {
    let function = item
        .get("function")
        .filter(|function| function.is_object())
        .unwrap_or(item);
    let name = function.get("name")?.as_str()?;
    let arguments = function
        .get("arguments")
        .or_else(|| function.get("parameters"))?;
    Some(FoundCall {
        name: name.to_owned(),
        arguments: super::message::parsed_arguments(arguments),
    })
}

#[cfg(test)]
mod tests;
