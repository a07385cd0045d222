//! The four layers of a request to Gemini, in their one order: static, dynamic, buffered, trigger.
//! Takes a session document and gives the body of the REST call `generateContent` and, for each
//! layer, what it holds and what it weighs. Sends nothing.

mod buffered;
mod cache_plan;
mod cached_content;
mod canonical_json;
mod dynamic_layer;
pub(super) mod layer_contents;
mod persisted_turn;
mod rebuilt_call;
mod session;
mod static_layer;
pub(super) mod turn_keys;

use promptdeck_core::registry::{Diagnostic, DiagnosticData, Severity};
use serde::Serialize;
use serde_json::{Map, Value, json};

pub use cache_plan::{CachePlan, Usage};
pub use cached_content::content_hash;
pub use canonical_json::canonical_json;
pub use dynamic_layer::DEFAULT_DYNAMIC_TEMPLATE;
pub use layer_contents::ContentCount;
pub use session::{Cache, Session, SessionError, SessionFault, Turn};
pub use static_layer::DEFAULT_STATIC_TEMPLATE;

use super::{
    codes, gemini,
    tokens::CountTokens,
    tools::{self, ToolFormat},
};

/// One layer of a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Layer {
    /// Its place, from 1 to 4.
    pub layer: u8,
    /// Its name.
    pub name: &'static str,
    /// Whether a provider may keep it between calls.
    pub cacheable: bool,
    /// Which of the body's contents are its own.
    pub contents: Vec<usize>,
    /// Its size in Unicode scalar values, whether it is sent or cached.
    pub chars: usize,
    /// Its size in tokens, by the counter given.
    pub tokens: usize,
    /// Whether the session's cache replaces it.
    pub cached: bool,
    /// What a cache of it is recognised by; the static layer's alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// What it is made of.
    pub holds: Vec<ContentCount>,
}

/// A request and how it is layered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Layered {
    /// The body of `generateContent`.
    pub request: Map<String, Value>,
    /// The four layers, in order.
    pub layers: Vec<Layer>,
    /// Whether to rebuild the cache, when the session says what the last response cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<CachePlan>,
    /// What is odd about the session.
    pub diagnostics: Vec<Diagnostic>,
}

/// Builds the request of a session.
#[must_use]
pub fn build(session: &Session, counter: &dyn CountTokens) -> Layered {
    let mut diagnostics = Vec::new();
    let mut of_dynamic = Vec::new();
    let volatile = dynamic_layer::render(session, &mut of_dynamic);
    let plan = cache_plan::plan(session, counter, &volatile, &mut diagnostics);
    let cached = plan.as_ref().map(|plan| plan.cached_turn_count);
    let (old, recent) = session
        .turns
        .split_at(cached.unwrap_or_else(|| session.cached_turns()));

    let fixed = static_layer::render(session, old, &mut diagnostics);
    let hash = content_hash(&fixed, &session.tools);
    let hit = cached_content::hit(session, &hash, &mut diagnostics);
    diagnostics.append(&mut of_dynamic);
    let mut buffered = buffered::contents(session, recent, old.len(), &mut diagnostics);
    let trigger = trigger(session, recent, &mut buffered, &mut diagnostics);

    let mut contents = Vec::new();
    let mut layers = Vec::new();
    let mut add = |name, parts: Vec<Value>, text: Option<&str>, layer_contents| {
        let first = contents.len();
        let (chars, tokens) = match text {
            Some(text) => (text.chars().count(), counter.count(text)),
            None => weigh(&parts, counter),
        };
        contents.extend(parts);
        layers.push(Layer {
            layer: layers.len() as u8 + 1,
            name,
            cacheable: name == "static",
            contents: (first..contents.len()).collect(),
            chars,
            tokens,
            cached: name == "static" && hit.is_some(),
            content_hash: (name == "static").then(|| hash.clone()),
            holds: layer_contents,
        });
    };
    let send_as_content = hit.is_none() && !session.system_instruction && !fixed.is_empty();
    let static_contents = send_as_content.then(|| user_text(&fixed)).into_iter();
    let holds = layer_contents::by_static(session, old);
    add("static", static_contents.collect(), Some(&fixed), holds);
    let (text, holds) = (user_text(&volatile), layer_contents::by_dynamic(session));
    add("dynamic", vec![text], Some(&volatile), holds);
    let holds = layer_contents::by_buffered(&buffered);
    add("buffered", buffered, None, holds);
    let layer_contents = layer_contents::by_trigger(session, trigger.as_ref());
    add(
        "trigger",
        trigger.into_iter().collect(),
        None,
        layer_contents,
    );

    Layered {
        request: body(session, contents, &fixed, hit, &mut diagnostics),
        layers,
        plan,
        diagnostics,
    }
}

/// Finds what the model is to answer, which comes last: the instruction, or the response of the
/// tool that ran.
fn trigger(
    session: &Session,
    recent: &[Turn],
    buffered: &mut Vec<Value>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Value> {
    if !session.instruction_parts.is_empty() {
        return Some(json!({"role": "user", "parts": session.instruction_parts}));
    }
    if let Some(instruction) = &session.instruction {
        return Some(user_text(instruction));
    }
    let asks = matches!(
        recent.iter().rfind(|turn| !turn.is_empty()),
        Some(Turn::ToolResponse { .. } | Turn::UserTask { .. })
    );
    let last = if asks { buffered.pop() } else { None };
    if last.is_none() {
        diagnostics.push(Diagnostic::new(
            codes::NO_TRIGGER,
            Severity::Warning,
            "no message to respond to: set current_task.instruction, or let the uncached turns end with a \
             tool response",
            "/current_task",
            DiagnosticData::none(),
        ));
    }
    last
}

fn body(
    session: &Session,
    contents: Vec<Value>,
    fixed: &str,
    hit: Option<&Cache>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("contents".to_owned(), Value::Array(contents));
    if let Some(cache) = hit {
        cached_content::refer(&mut body, cache);
    } else {
        if session.system_instruction && !fixed.is_empty() {
            let parts = json!({"parts": [{"text": fixed}]});
            body.insert("systemInstruction".to_owned(), parts);
        }
        diagnostics.extend(tools::lint(
            &session.tools,
            ToolFormat::Gemini,
            "/tools",
            None,
        ));
        let tools = gemini::tools(&session.tools);
        if !tools.is_empty() {
            body.insert("tools".to_owned(), Value::Array(tools));
        }
    }
    let config = gemini::generation_config(&session.generation, diagnostics);
    if !config.is_empty() {
        body.insert("generationConfig".to_owned(), Value::Object(config));
    }
    body
}

fn user_text(text: &str) -> Value {
    json!({"role": "user", "parts": [{"text": text}]})
}

/// Size of content objects: their texts, and what else they carry as JSON, signatures left out.
fn weigh(contents: &[Value], counter: &dyn CountTokens) -> (usize, usize) {
    contents
        .iter()
        .map(gemini::readable)
        .fold((0, 0), |(chars, tokens), text| {
            (chars + text.chars().count(), tokens + counter.count(&text))
        })
}

#[cfg(test)]
mod tests;
