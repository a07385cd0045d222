//! The request an open registry and a call document make: its blocks, body, cache view and trace.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{DiagnosticNote, Failure, Source, Violation};

/// Who a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RequestTarget {
    /// Gemini's `generateContent`, in four layers.
    Gemini,
    /// Chat completions in the shape of `OpenAI`.
    Openai,
    /// The text of a builtin chat format.
    ChatTemplate,
}

/// Which request is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct RequestOrder {
    /// The call document, an open one; without it the registry's prompt stands alone.
    pub call: Option<String>,
    /// Who it is for.
    pub target: RequestTarget,
    /// The family of the chat format, as `qwen3`; read for `chat_template` alone.
    pub family: Option<String>,
}

/// A request, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RequestView {
    /// What was asked for.
    pub order: RequestOrder,
    /// The model that the registry or the call names; empty when none does.
    pub model: String,
    /// The body as indented JSON; empty when there is none.
    pub body: String,
    /// The stack of blocks, in the order in which the model reads them.
    pub blocks: Vec<Block>,
    /// Length in Unicode scalar values as it is sent, without what a cache stands for.
    pub characters: u32,
    /// Length in tokens.
    pub tokens: u32,
    /// Name of the tokenizer.
    pub tokenizer: String,
    /// False when the token counts are an estimate.
    pub exact: bool,
    /// What it shares with the request before; absent when there was none.
    pub cache: Option<CacheNote>,
    /// Whether to rebuild the provider's cache; absent when the call doesn't say what the last
    /// response cost.
    pub plan: Option<PlanNote>,
    /// How many messages the history and the new message are.
    pub messages: u32,
    /// The rules they break.
    pub violations: Vec<Violation>,
    /// The stages that ran.
    pub trace: Vec<StageNote>,
    /// The sections of the registry that change before text that doesn't.
    pub volatile: Vec<VolatileNote>,
    /// Why there is no body, or why the prompt in it is not rendered.
    pub problem: Option<Failure>,
    /// What is odd about it.
    pub diagnostics: Vec<DiagnosticNote>,
}

/// A block of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Block {
    /// `static`, `dynamic`, `buffered`, `trigger`, or `tools`, `prompt`, `history`, `message`.
    pub name: String,
    /// Whether a provider can keep it.
    pub keep: CacheStatus,
    /// Size in Unicode scalar values.
    pub characters: u32,
    /// Size in tokens.
    pub tokens: u32,
    /// What is in it.
    pub holds: Vec<LayerItem>,
}

/// Something a block holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LayerItem {
    /// What it is, as `todos` or `cached_turns`.
    pub what: String,
    /// How many.
    pub count: u32,
}

/// Whether a provider can take a block from its cache the next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CacheStatus {
    /// It stays as it is from call to call.
    Cacheable,
    /// A cache the provider holds stands for it.
    Cached,
    /// It is made anew for each call.
    PerCall,
    /// It will be, once a later call repeats it.
    NotYet,
    /// It is what this call asks.
    Never,
}

/// What a request shares with the one before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CacheNote {
    /// When the one before was made, in milliseconds since 1970.
    pub before_at: u64,
    /// Unicode scalar values of the shared start.
    pub shared_characters: u32,
    /// Unicode scalar values of the request.
    pub characters: u32,
    /// Tokens of the shared start.
    pub shared_tokens: u32,
    /// Tokens of the request.
    pub tokens: u32,
    /// The share in characters, from 0 to 1.
    pub share: f64,
    /// The share the one before had with its own predecessor.
    pub was: Option<f64>,
    /// Where they part; absent when they are the same.
    pub change: Option<ChangedSpan>,
}

/// The first span that changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ChangedSpan {
    /// Unicode scalar values before the change.
    pub at: u32,
    /// What the span is: `tools`, `section`, `argument`, `glue`, `message`, `layer`, `template`.
    pub kind: String,
    /// The same in words.
    pub words: String,
    /// The block it stands in.
    pub block: Option<String>,
    /// Where it was authored, when in the registry.
    pub source: Option<Source>,
    /// What stood there before, in short.
    pub before: String,
    /// What stands there now, in short.
    pub after: String,
    /// The items of the section before, when others are used now.
    pub items_before: Vec<String>,
    /// The items of the section now, when they are others than before.
    pub items_after: Vec<String>,
    /// The section's items were rolled.
    pub rolled: bool,
}

/// Whether to rebuild the provider's cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlanNote {
    /// It is worth it.
    pub rebuild: bool,
    /// Tokens sent beside the cache the last time, the dynamic layer not counted.
    pub buffered_tokens: u32,
    /// Above this it is worth it.
    pub threshold: u32,
    /// How many of the oldest turns the cache would hold.
    pub cached_turns: u32,
    /// Tokens that every later request would no longer send.
    pub saved_tokens: u32,
}

/// A stage that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StageNote {
    /// Its name.
    pub stage: String,
    /// How long it took, in microseconds.
    pub micros: u32,
    /// What it added.
    pub added: String,
}

/// A section that changes before text that doesn't.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VolatileNote {
    /// The section.
    pub section: String,
    /// Why it changes.
    pub cause: VolatileCause,
    /// Unicode scalar values of the prompt before it.
    pub at: u32,
    /// Unicode scalar values that would stay cacheable if it stood last.
    pub gain: u32,
}

/// Why a piece of the prompt may be another one next time.
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
