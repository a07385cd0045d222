//! Reports on the conversation of a setup: its blocks, the changes by polyfills, the first
//! instability, and notes for the author.

use std::collections::{HashMap, HashSet};

use promptdeck_chat::format::ChatFormat;
use promptdeck_chat::message_keys::{self, Fault, MessageFault};
use promptdeck_chat::polyfill::{Change, Polyfilled, Step, polyfill};
use promptdeck_chat::unread::{self, Reads, Tokens, UnreadVariable};
use promptdeck_chat::{Capabilities, Request};
use promptdeck_jinja::Moment;
use promptdeck_model::tokenizer::{TokenCount, TokenCounter};
use serde_json::Value as Json;

use super::blocks::{Cast, blocks};
use super::format::{Format, failed};
use super::rendering::{self, Growth, MarkedText, Unstable};
use super::request;
use super::special_tokens;
use crate::diff::text;
use crate::preview::Preview;
use crate::saturating::saturating_u32;
use crate::wire::{
    ChatBlock, ChatBreak, ChatChange, ChatPolyfill, ChatProblem, ChatRemark, ChatReport, ChatSetup,
    ChatStability, Part, PartKind, Segment,
};

/// A token counter.
pub struct Counter<'a> {
    /// The counter.
    pub tokens: &'a dyn TokenCounter,
    /// Whether it is the tokenizer of the model.
    pub is_model_tokenizer: bool,
}

/// A request ready to be written, and how it became so.
pub struct PolyfilledRequest {
    pub request: Request,
    /// Number of each message for the author: 0 is the prompt. `None` for an added message.
    pub numbers: Vec<Option<usize>>,
    changes: Vec<Change>,
    steps: Vec<Step>,
    off: Vec<Step>,
}

impl PolyfilledRequest {
    /// What the polyfills changed.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }
}

/// Builds the request of a setup and applies the polyfills that the format needs.
pub fn prepare(
    setup: &ChatSetup,
    prompt: &str,
    format: &Format,
    now: Moment,
) -> Result<PolyfilledRequest, ChatProblem> {
    let request = format.complete(request::request(setup, prompt, now)?, setup.thinking);
    let first = usize::from(prompt.is_empty());
    Ok(polyfilled(
        request,
        request::switched_off(setup),
        first,
        format,
    ))
}

/// Applies the polyfills that the format needs, except those in `off`. `first` is the number of the
/// first message.
pub fn polyfilled(
    request: Request,
    off: Vec<Step>,
    first: usize,
    format: &Format,
) -> PolyfilledRequest {
    let steps = steps(format);
    let mut request = request;
    request::number(&mut request.messages, first);
    let (mut request, changes) = match format {
        Format::Template { format, .. } => {
            let Polyfilled {
                mut request,
                changes,
            } = polyfill(&request, format.capabilities(), &off);
            // All renderings of this conversation share one budget.
            let pool = request.pool.take();
            request.pool = pool.or_else(|| Some(format.inspection_pool()));
            (request, changes)
        }
        Format::Builtin(_) => (request, Vec::new()),
    };
    PolyfilledRequest {
        numbers: request::numbers(&mut request.messages),
        request,
        changes,
        steps,
        off,
    }
}

/// The polyfills that a format needs; none for built-in formats, which render everything
/// themselves.
fn steps(format: &Format) -> Vec<Step> {
    match format {
        Format::Template { format, .. } => needed(format.capabilities()),
        Format::Builtin(_) => Vec::new(),
    }
}

/// The polyfills that a template with these capabilities needs.
pub fn needed(capabilities: &Capabilities) -> Vec<Step> {
    let all = Step::ALL.into_iter();
    all.filter(|step| step.is_needed(capabilities)).collect()
}

/// The report on a conversation that could not be rendered.
pub fn refused(problem: ChatProblem, last: usize, tokenizer: &str) -> ChatReport {
    let stability = ChatStability::Unknown {
        problem: problem.clone(),
    };
    ChatReport {
        blocks: Vec::new(),
        problem: Some(problem),
        polyfills: Vec::new(),
        last: saturating_u32(last),
        stability,
        remarks: Vec::new(),
        characters: 0,
        tokens: 0,
        exact: false,
        tokenizer: tokenizer.to_owned(),
    }
}

/// Renders the conversation of a setup and reports on it.
pub fn report(
    setup: &ChatSetup,
    preview: &Preview,
    format: &Format,
    now: Moment,
    counter: &Counter<'_>,
) -> ChatReport {
    let last = setup.messages.len();
    let with = |problem: ChatProblem| refused(problem, last, counter.tokens.name());
    if let Some(problem) = preview.fault() {
        return with(ChatProblem::from(problem));
    }
    let prompt = preview.text();
    let prepared = match prepare(setup, &prompt, format, now) {
        Ok(prepared) => prepared,
        Err(problem) => return with(problem),
    };
    let input = ReportInput {
        messages: request::messages(setup, &prompt).unwrap_or_default(),
        first: usize::from(prompt.is_empty()),
        // The prompt has no row of its own: as message 0 it leaves the rows their numbers from 1.
        counted: usize::from(prompt.is_empty()),
        prompt: &preview.segments,
    };
    report_of(&input, &prepared, format, counter)
}

/// A conversation as its author wrote it.
pub struct ReportInput<'a> {
    /// The messages, the prompt among them.
    pub messages: Vec<Json>,
    /// Number of the first message.
    pub first: usize,
    /// As which one sentences for people count it.
    pub counted: usize,
    /// The segments of the prompt; empty if its sources are unknown.
    pub prompt: &'a [Segment],
}

/// Writes a conversation down that is ready to be written.
pub fn report_of(
    input: &ReportInput<'_>,
    prepared: &PolyfilledRequest,
    format: &Format,
    counter: &Counter<'_>,
) -> ChatReport {
    let ReportInput {
        messages,
        first,
        counted,
        prompt,
    } = input;
    let last = (messages.len() + first).saturating_sub(1);
    let polyfills = polyfills(prepared);
    let written = match rendering::write(format, &prepared.request) {
        Ok(written) => written,
        Err(fault) => {
            return ChatReport {
                polyfills,
                // They may be why it cannot be rendered.
                remarks: unread(&prepared.request, format),
                ..refused(failed(&fault), last, counter.tokens.name())
            };
        }
    };
    let cast = Cast {
        numbers: &prepared.numbers,
        roles: roles(messages, *first),
        prompt,
        words: format.words(),
        named: format.special_tokens(),
    };
    let mut blocks = blocks(&written, &cast);
    let mut total = nothing();
    let changed = changed_by(&polyfills);
    for block in &mut blocks {
        let tokens = tokens(block, counter);
        block.tokens = saturating_u32(tokens.tokens);
        total = total.plus(tokens);
        about(block, &changed, messages, *first);
    }
    ChatReport {
        blocks,
        problem: None,
        polyfills,
        last: saturating_u32(last),
        stability: stability(format, prepared),
        remarks: remarks(messages, *counted, prepared, &written, format),
        characters: saturating_u32(written.text.chars().count()),
        tokens: saturating_u32(total.tokens),
        exact: counter.is_model_tokenizer && total.exact,
        tokenizer: counter.tokens.name().to_owned(),
    }
}

fn roles(messages: &[Json], first: usize) -> Vec<String> {
    let role = |message: &Json| message["role"].as_str().unwrap_or_default().to_owned();
    let none = std::iter::repeat_n(String::new(), first);
    none.chain(messages.iter().map(role)).collect()
}

fn nothing() -> TokenCount {
    TokenCount {
        tokens: 0,
        exact: true,
    }
}

/// Tokens of a block. Another model's tokenizer does not know the special tokens, each of which
/// counts as one.
fn tokens(block: &ChatBlock, counter: &Counter<'_>) -> TokenCount {
    let whole = |text: &str| counter.tokens.count(text);
    if counter.is_model_tokenizer {
        let text: String = block.pieces.iter().map(|one| one.text.as_str()).collect();
        return whole(&text);
    }
    let mut sum = nothing();
    let mut plain = String::new();
    for piece in &block.pieces {
        if piece.special {
            sum = sum.plus(whole(&plain)).plus(TokenCount {
                tokens: 1,
                exact: true,
            });
            plain.clear();
        } else {
            plain.push_str(&piece.text);
        }
    }
    sum.plus(whole(&plain))
}

/// Adds the facts about a block: its tool calls, and the polyfills that changed its message.
fn about(
    block: &mut ChatBlock,
    changed: &HashMap<u32, Vec<String>>,
    messages: &[Json],
    first: usize,
) {
    let Some(number) = block.message else {
        return;
    };
    let message_index = (number as usize).checked_sub(first);
    let message = message_index.and_then(|index| messages.get(index));
    let calls = message.and_then(|message| message["tool_calls"].as_array());
    block.calls = saturating_u32(calls.map_or(0, Vec::len));
    block.polyfills = changed.get(&number).cloned().unwrap_or_default();
}

/// The polyfills that changed each message, by its number.
fn changed_by(polyfills: &[ChatPolyfill]) -> HashMap<u32, Vec<String>> {
    let mut changed: HashMap<u32, Vec<String>> = HashMap::new();
    for polyfill in polyfills {
        for message in polyfill.changes.iter().filter_map(|change| change.message) {
            let names = changed.entry(message).or_default();
            if names.last() != Some(&polyfill.name) {
                names.push(polyfill.name.clone());
            }
        }
    }
    changed
}

fn polyfills(prepared: &PolyfilledRequest) -> Vec<ChatPolyfill> {
    let polyfill = |step: &Step| ChatPolyfill {
        name: step.name().to_owned(),
        on: !prepared.off.contains(step),
        changes: prepared
            .changes
            .iter()
            .find(|change| change.step == *step)
            .map(changes_of)
            .unwrap_or_default(),
    };
    prepared.steps.iter().map(polyfill).collect()
}

/// The changes that a step made to each message.
fn changes_of(change: &Change) -> Vec<ChatChange> {
    let numbered = |messages: &[Json]| {
        let mut messages = messages.to_vec();
        let numbers = request::numbers(&mut messages);
        numbers.into_iter().zip(messages).collect::<Vec<_>>()
    };
    let (before, after) = (numbered(&change.before), numbered(&change.after));
    let json = |message: &Json| serde_json::to_string_pretty(message).unwrap_or_default() + "\n";
    let mut changes = Vec::new();
    // Of several messages without a number, the first counts.
    let now: HashMap<_, _> = after
        .iter()
        .rev()
        .map(|(number, after)| (number, after))
        .collect();
    for (number, message) in &before {
        let now = now.get(number).copied();
        if now == Some(message) {
            continue;
        }
        changes.push(ChatChange {
            message: number.map(saturating_u32),
            parts: text::lines(&json(message), &now.map(json).unwrap_or_default()),
        });
    }
    for (_, message) in after.iter().filter(|(number, _)| number.is_none()) {
        changes.push(ChatChange {
            message: None,
            parts: text::lines("", &json(message)),
        });
    }
    changes
}

fn stability(format: &Format, prepared: &PolyfilledRequest) -> ChatStability {
    match rendering::growth(format, &prepared.request) {
        Ok(Growth::Appends) => ChatStability::Stable,
        Ok(Growth::AppendsUpTo(checked)) => ChatStability::Partial {
            checked: saturating_u32(checked),
            messages: saturating_u32(prepared.request.messages.len()),
        },
        Ok(Growth::Breaks(found)) => ChatStability::Unstable {
            broken: broken(&found, prepared),
        },
        Err(fault) => ChatStability::Unknown {
            problem: failed(&fault),
        },
    }
}

fn broken(found: &Unstable, prepared: &PolyfilledRequest) -> ChatBreak {
    let number = |index: usize| prepared.numbers.get(index).copied().flatten();
    let part = |kind, text: &str| Part {
        kind,
        text: text.to_owned(),
        section: None,
    };
    ChatBreak {
        message: saturating_u32(number(found.message).unwrap_or(found.message)),
        changed: found
            .by
            .and_then(|mark| mark.message)
            .and_then(number)
            .map(saturating_u32),
        place: found.by.and_then(|mark| mark.place),
        from: saturating_u32(found.from),
        parts: vec![
            part(PartKind::Removed, &found.before),
            part(PartKind::Added, &found.after),
        ],
    }
}

/// The parts of a message that are not text, such as images.
fn other_parts(message: &Json) -> impl Iterator<Item = &Json> {
    let parts = message["content"].as_array().into_iter().flatten();
    parts.filter(|part| !part.is_string() && !part["text"].is_string())
}

/// The parts that are not text and reach the format.
fn rendered_parts(prepared: &PolyfilledRequest, format: &Format) -> HashSet<String> {
    match format {
        Format::Template { .. } => {
            let parts = prepared.request.messages.iter().flat_map(other_parts);
            parts.map(Json::to_string).collect()
        }
        // Built-in formats render text only.
        Format::Builtin(_) => HashSet::new(),
    }
}

/// Kinds of the parts that a message loses: joining parts into one text omits those without text.
fn dropped_parts(message: &Json, rendered: &HashSet<String>) -> Vec<String> {
    let dropped = other_parts(message).filter(|part| !rendered.contains(&part.to_string()));
    dropped
        .map(|part| part["type"].as_str().unwrap_or("unknown type").to_owned())
        .collect()
}

/// The text of a message as a template may render it.
fn content(message: &Json) -> Option<&str> {
    let text = message["content"].as_str()?.trim();
    (!text.is_empty()).then_some(text)
}

/// Searches for texts in order. Messages mostly occur in their order, so the search continues after
/// the last match and restarts only for messages out of order.
struct TextSearch<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> TextSearch<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn contains(&mut self, wanted: &str) -> bool {
        let ahead = self.text[self.at..].find(wanted).map(|at| self.at + at);
        let found = ahead.or_else(|| self.text.find(wanted));
        self.at = found.unwrap_or(self.at);
        found.is_some()
    }
}

/// The keys of messages and the types of their parts that are probably misspelled.
fn odd_keys(messages: &[Json], counted: usize, format: &Format) -> Vec<ChatRemark> {
    let template = match format {
        Format::Template { format, .. } => Some(format.template().source()),
        Format::Builtin(_) => None,
    };
    // Its sentences count from 1; before the first is the prompt, whose keys nobody writes.
    let written = messages.get(1 - counted.min(1)..).unwrap_or_default();
    let faults = message_keys::lint(written, template).into_iter();
    let faults = faults.filter(|found| match &found.fault {
        Fault::UnknownKey { nearest, .. } => nearest.is_some(),
        Fault::UnknownType { .. } => true,
        Fault::NoContent => false,
    });
    let remark = |fault: MessageFault| ChatRemark {
        code: "misspelled_key".to_owned(),
        message: fault.sentence(),
    };
    faults.map(remark).collect()
}

/// The variables that the author sets and the format does not read.
fn unread(request: &Request, format: &Format) -> Vec<ChatRemark> {
    let names = match format {
        Format::Template { format, .. } => format.template().reads(),
        Format::Builtin(_) => Vec::new(),
    };
    let reads = match format {
        Format::Template { .. } => Reads::Template(&names),
        Format::Builtin(_) => Reads::Builtin {
            thinks: format.thinks(),
        },
    };
    let tokens = Tokens {
        bos: request.bos_token.as_deref(),
        eos: request.eos_token.as_deref(),
    };
    let found = unread::variables(&request.extra, tokens, reads).into_iter();
    let remark = |unread: UnreadVariable| ChatRemark {
        code: "unread_variable".to_owned(),
        message: unread.sentence(),
    };
    found.map(remark).collect()
}

fn remarks(
    messages: &[Json],
    counted: usize,
    prepared: &PolyfilledRequest,
    written: &MarkedText,
    format: &Format,
) -> Vec<ChatRemark> {
    let mut remarks = unread(&prepared.request, format);
    remarks.extend(odd_keys(messages, counted, format));
    let mut add = |code: &str, message: String| {
        remarks.push(ChatRemark {
            code: code.to_owned(),
            message,
        });
    };
    let rendered = rendered_parts(prepared, format);
    let mut search = TextSearch::new(&written.text);
    for (index, message) in messages.iter().enumerate() {
        let number = index + counted;
        let role = message["role"].as_str().unwrap_or("no role");
        for part in dropped_parts(message, &rendered) {
            add(
                "dropped_part",
                format!(
                    "message {number} ({role}) has a part without text ({part}) that is dropped: \
                     the format accepts only text"
                ),
            );
        }
        let Some(text) = content(message) else {
            continue;
        };
        // A polyfill may have encoded the text as JSON, which escapes quotes.
        let escaped = Json::from(text).to_string();
        let escaped = escaped.trim_matches('"');
        if !search.contains(text) && !search.contains(escaped) {
            add(
                "dropped_message",
                format!(
                    "message {number} ({role}) is not in the text as written: the format \
                     drops or changes it"
                ),
            );
        }
        for token in special_tokens::in_content(text, format.words()) {
            add(
                "token_in_content",
                format!(
                    "message {number} ({role}) contains {token}, which the model reads as a special token"
                ),
            );
        }
    }
    let last = messages.last().and_then(|message| message["role"].as_str());
    let opens_answer = prepared.request.add_generation_prompt && last == Some("assistant");
    if opens_answer && written.generation >= written.text.len() {
        add(
            "no_generation_prompt",
            "the format adds no generation prompt after a last message from the assistant"
                .to_owned(),
        );
    }
    let printed = prepared
        .request
        .messages
        .iter()
        .any(|message| message["content"].is_null())
        && written.text.contains("None");
    if printed {
        add(
            "printed_none",
            "a message without content is printed as None".to_owned(),
        );
    }
    remarks
}
