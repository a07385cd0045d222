//! Runs of a document, as the page shows them. No key ever crosses to the page.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Failure, Part, ValueLabel};

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunOrder {
    /// The connection to ask; none asks the mock.
    pub connection: Option<String>,
    /// How many seeds: the document's, then drawn ones; 1 to 100.
    pub seeds: u32,
}

/// An order that was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunStarted {
    /// Its number, which stops it.
    pub order: u32,
    /// The most attempts of each of its runs.
    pub attempts: u32,
}

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It is on its way.
    Running,
    /// The program ended in the middle of it.
    Interrupted,
    /// The output policy accepted its text.
    Accepted,
    /// The output policy rejected its text.
    Rejected,
    /// No text came of it.
    Failed,
    /// A person stopped it.
    Stopped,
}

/// One run of the history, in a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunSummary {
    /// Number in the store.
    pub id: u32,
    /// Whom it asked, in words.
    pub target: String,
    /// The model it asked for.
    pub model: String,
    /// Route, absent for the default order.
    pub route: Option<String>,
    /// Seed.
    pub seed: u64,
    /// What the seed rolled.
    pub glance: ValueLabel,
    /// When it began, in milliseconds since 1970.
    pub started_at: u64,
    /// How it stands.
    pub status: RunStatus,
    /// The beginning of its text, at most 600 characters: of the last attempt, or of what arrived.
    pub text: String,
    /// The rule its last attempt breaks.
    pub reason: Option<String>,
    /// Why no text came of it.
    pub fault: Option<Failure>,
    /// Tokens that came back, all attempts together, as far as the provider tells.
    pub tokens: Option<u32>,
    /// Attempts that were judged.
    pub attempts: u32,
    /// From the first request to the last byte, in milliseconds.
    pub total_ms: Option<f64>,
}

/// A try that failed for a reason that passes, and was followed by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunRetry {
    /// Stable code.
    pub code: String,
    /// One line.
    pub message: String,
}

/// A stretch of an answer that a model wrote for somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunChannel {
    /// `analysis`, `commentary`, `final` or another.
    pub name: String,
    /// Whom it is for, such as a function; absent for the user.
    pub recipient: Option<String>,
}

/// A call of a tool in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunCall {
    /// The name of the tool.
    pub name: String,
    /// Its arguments, as JSON.
    pub arguments: String,
}

/// What a raw completion says beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunExtracted {
    /// Its channels in order; the policy gets the final one.
    pub channels: Vec<RunChannel>,
    /// What the model thought.
    pub thinking: Option<String>,
    /// The calls it makes.
    pub calls: Vec<RunCall>,
}

/// One attempt and what the output policy made of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunAttempt {
    /// From the text as it came to the text as the policy left it.
    pub changes: Vec<Part>,
    /// What it says beside its text; absent when there is nothing.
    pub extracted: Option<RunExtracted>,
    /// Whether it passes.
    pub accepted: bool,
    /// The rule it breaks.
    pub reason: Option<String>,
    /// Tokens of what was sent.
    pub prompt_tokens: Option<u32>,
    /// Tokens of what came back.
    pub completion_tokens: Option<u32>,
    /// Tokens of what was sent that came out of a cache.
    pub cached_tokens: Option<u32>,
    /// From the request to the last byte, in milliseconds.
    pub total_ms: Option<f64>,
    /// From the request to the first text, in milliseconds.
    pub first_delta_ms: Option<f64>,
    /// Speed of generation.
    pub tokens_per_second: Option<f64>,
    /// Why the text ended, in the provider's words.
    pub finish: Option<String>,
    /// Tries of this attempt that failed on the way.
    pub overcome: Vec<RunRetry>,
}

/// Everything about one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunDetail {
    /// The run in a line.
    pub run: RunSummary,
    /// Its attempts, in order.
    pub attempts: Vec<RunAttempt>,
    /// What arrived of an attempt that did not come to its end.
    pub partial: String,
    /// Tries of that attempt that failed before the last one.
    pub overcome: Vec<RunRetry>,
    /// The prompt.
    pub prompt: String,
    /// Where the request went; absent for the mock.
    pub address: Option<String>,
    /// The body exactly as it was sent; it holds no key.
    #[ts(type = "unknown")]
    pub body: Value,
    /// What was used, and why.
    #[ts(type = "unknown")]
    pub evaluation: Value,
}

/// A stretch of a document's history, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunHistory {
    /// The runs.
    pub runs: Vec<RunSummary>,
    /// How many there are in all.
    pub total: u32,
    /// How many of this stretch are damaged; they are left out.
    pub damaged: u32,
}

/// What happens during the runs of one order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum RunStep {
    /// A run was written down and is about to be sent.
    Begun {
        /// The run.
        run: Box<RunSummary>,
    },
    /// The next piece of its text.
    Delta {
        /// The run.
        id: u32,
        /// The piece.
        text: String,
    },
    /// An attempt was judged; what is heard next belongs to another one.
    Judged {
        /// The run.
        id: u32,
        /// The attempt.
        attempt: Box<RunAttempt>,
    },
    /// A run came to its end, whichever.
    Ended {
        /// The run.
        run: Box<RunSummary>,
    },
    /// All that was ordered is over.
    Over {
        /// Runs that came to their end.
        done: u32,
        /// Why it ended early, when it did.
        problem: Option<Failure>,
    },
}
