//! The request of an open registry and a call document: blocks, body, cache view and trace.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{DiagnosticNote, Failure, Part, Source, Violation};

/// Target of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RequestTarget {
    /// Gemini's `generateContent`, in four layers.
    Gemini,
    /// Chat completions of `OpenAI`.
    Openai,
    /// The text of a built-in chat format.
    ChatTemplate,
}

/// Parameters of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct RequestParams {
    /// The open call document; without one, the registry's prompt is the whole request.
    pub call: Option<String>,
    /// Target of the request.
    pub target: RequestTarget,
    /// Family of the chat format, such as `qwen3`, or `chosen` for the format chosen in *Chat*; used
    /// only for `chat_template`.
    pub family: Option<String>,
}

/// A request, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RequestView {
    /// Its parameters.
    pub params: RequestParams,
    /// The model set by the registry or the call; empty if neither sets one.
    pub model: String,
    /// The body as indented JSON; empty if there is none.
    pub body: String,
    /// The text of a chat template. A completions server is sent it as the prompt, without the rest
    /// of the body.
    pub text: Option<String>,
    /// The blocks in the order in which the model reads them.
    pub blocks: Vec<Block>,
    /// Length as sent, in Unicode scalar values, without the cached part.
    pub characters: u32,
    /// Length in tokens.
    pub tokens: u32,
    /// Name of the tokenizer.
    pub tokenizer: String,
    /// `false` for an estimate.
    pub exact: bool,
    /// Comparison with the previous request; absent if there was none.
    pub cache: Option<CacheNote>,
    /// Whether to rebuild the provider's cache; absent if the call does not contain the usage of
    /// the last response.
    pub plan: Option<PlanNote>,
    /// Number of messages in the history and the new message.
    pub messages: u32,
    /// Violations of the history rules.
    pub violations: Vec<Violation>,
    /// The stages that ran.
    pub trace: Vec<StageNote>,
    /// Sections of the registry that change before stable text.
    pub volatile: Vec<VolatileNote>,
    /// Why there is no body.
    pub problem: Option<Failure>,
    /// Diagnostics of the request.
    pub diagnostics: Vec<DiagnosticNote>,
}

/// A block of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Block {
    /// `static`, `dynamic`, `buffered`, `trigger`, or `tools`, `prompt`, `history`, `message`.
    pub name: String,
    /// Whether the provider can cache it.
    pub keep: CacheStatus,
    /// Size in Unicode scalar values.
    pub characters: u32,
    /// Size in tokens.
    pub tokens: u32,
    /// Contents of the block.
    pub holds: Vec<LayerItem>,
}

/// A kind of content of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LayerItem {
    /// Kind, such as `todos` or `cached_turns`.
    pub kind: String,
    /// Number of items.
    pub count: u32,
}

/// Whether a provider can cache a block for the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CacheStatus {
    /// It is the same in every call.
    Cacheable,
    /// The provider's existing cache contains it.
    Cached,
    /// It is different in every call.
    PerCall,
    /// It becomes cacheable once a later call repeats it.
    NotYet,
    /// It is the question of this call.
    Never,
}

/// Comparison of a request with the previous one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CacheNote {
    /// Time of the previous request, in milliseconds since 1970.
    pub before_at: u64,
    /// Length of the common prefix in Unicode scalar values.
    pub shared_characters: u32,
    /// Unicode scalar values of the request.
    pub characters: u32,
    /// Length of the common prefix in tokens.
    pub shared_tokens: u32,
    /// Tokens of the request.
    pub tokens: u32,
    /// The common prefix as a share of the characters, from 0 to 1.
    pub share: f64,
    /// The same share of the previous request.
    pub was: Option<f64>,
    /// The first difference; absent if they are equal.
    pub change: Option<ChangedSpan>,
}

/// The first span that changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ChangedSpan {
    /// Unicode scalar values before the change.
    pub at: u32,
    /// Kind of the span: `tools`, `section`, `argument`, `glue`, `message`, `layer`, `template`.
    pub kind: String,
    /// Description of the span.
    pub words: String,
    /// Block that contains the span.
    pub block: Option<String>,
    /// Source in the registry, if it has one.
    pub source: Option<Source>,
    /// What changed from there on, word by word, with a few unchanged words behind it.
    pub parts: Vec<Part>,
    /// The section's previous items, if they changed.
    pub items_before: Vec<String>,
    /// The section's current items, if they changed.
    pub items_after: Vec<String>,
    /// Whether the section's items were rolled.
    pub rolled: bool,
}

/// Whether to rebuild the provider's cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlanNote {
    /// Whether rebuilding pays off.
    pub rebuild: bool,
    /// Tokens sent outside the cache in the last request, without the dynamic layer.
    pub buffered_tokens: u32,
    /// The number of tokens above which rebuilding pays off.
    pub threshold: u32,
    /// Number of the oldest turns that the cache would contain.
    pub cached_turns: u32,
    /// Tokens that every later request would save.
    pub saved_tokens: u32,
}

/// A stage that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StageNote {
    /// Name of the stage.
    pub stage: String,
    /// Duration in microseconds.
    pub micros: u32,
    /// What the stage added.
    pub added: String,
}

/// A section that changes before stable text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VolatileNote {
    /// The section.
    pub section: String,
    /// Why it changes.
    pub cause: VolatileCause,
    /// Unicode scalar values of the prompt before it.
    pub at: u32,
    /// Unicode scalar values that would become cacheable if it were last.
    pub gain: u32,
}

/// Why a part of the prompt may change in the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum VolatileCause {
    /// It is rolled.
    Random,
    /// A template variable, set by each call.
    Variable,
    /// An expression, computed for each call.
    Expression,
}
