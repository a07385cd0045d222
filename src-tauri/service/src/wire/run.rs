//! Runs of a document for the page. No key ever reaches the page.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Failure, Part, ValueLabel};

/// Parameters of a batch of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunParams {
    /// Name of the connection; the mock provider by default.
    pub connection: Option<String>,
    /// Number of seeds, 1 to 100: the document's, then random ones.
    pub seeds: u32,
}

/// A batch of runs that was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunStarted {
    /// Number of the batch, with which it can be stopped.
    pub batch: u32,
    /// Maximum number of attempts per run.
    pub attempts: u32,
}

/// Status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It is running.
    Running,
    /// The program ended during the run.
    Interrupted,
    /// The output policy accepted the text.
    Accepted,
    /// The output policy rejected the text.
    Rejected,
    /// The run produced no text.
    Failed,
    /// The user stopped it.
    Stopped,
}

/// One run of the history as one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunSummary {
    /// Id in the store.
    pub id: u32,
    /// Description of the target.
    pub target: String,
    /// Requested model.
    pub model: String,
    /// Route, absent for the default order.
    pub route: Option<String>,
    /// Seed.
    pub seed: u64,
    /// Values rolled by the seed.
    pub glance: ValueLabel,
    /// Start time, in milliseconds since 1970.
    pub started_at: u64,
    /// Status of the run.
    pub status: RunStatus,
    /// Start of the text, at most 600 characters: of the last attempt, or of the partial one.
    pub text: String,
    /// Rule that the last attempt violates.
    pub reason: Option<String>,
    /// Why the run produced no text.
    pub fault: Option<Failure>,
    /// Generated tokens of all attempts, as far as the provider reports them.
    pub tokens: Option<u32>,
    /// Number of completed attempts.
    pub attempts: u32,
    /// Time from the first request to the last byte, in milliseconds.
    pub total_ms: Option<f64>,
}

/// A call that failed with a temporary fault and was retried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunRetry {
    /// Stable code.
    pub code: String,
    /// One line for people.
    pub message: String,
}

/// A part of an answer with its recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunChannel {
    /// `analysis`, `commentary`, `final` or another.
    pub name: String,
    /// The recipient, such as a function; absent for the user.
    pub recipient: Option<String>,
}

/// A tool call in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunCall {
    /// The name of the tool.
    pub name: String,
    /// Its arguments as JSON.
    pub arguments: String,
}

/// Parts of a raw completion besides its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunExtracted {
    /// The channels in order; the policy is applied to the final one.
    pub channels: Vec<RunChannel>,
    /// The model's thinking.
    pub thinking: Option<String>,
    /// The tool calls.
    pub calls: Vec<RunCall>,
}

/// One attempt and the verdict of the output policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunAttempt {
    /// Difference between the received text and the cleaned one.
    pub changes: Vec<Part>,
    /// Parts besides the text; absent if there are none.
    pub extracted: Option<RunExtracted>,
    /// Whether the policy accepts it.
    pub accepted: bool,
    /// Rule that it violates.
    pub reason: Option<String>,
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u32>,
    /// Generated tokens.
    pub completion_tokens: Option<u32>,
    /// Tokens of the prompt that were cached.
    pub cached_tokens: Option<u32>,
    /// Time from the request to the last byte, in milliseconds.
    pub total_ms: Option<f64>,
    /// Time from the request to the first text, in milliseconds.
    pub first_delta_ms: Option<f64>,
    /// Generation speed.
    pub tokens_per_second: Option<f64>,
    /// Reason why the text ended, in the provider's words.
    pub finish: Option<String>,
    /// Calls of this attempt that failed and were retried.
    pub overcome: Vec<RunRetry>,
}

/// One run with all details.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunDetail {
    /// The run as one line.
    pub run: RunSummary,
    /// The attempts, in order.
    pub attempts: Vec<RunAttempt>,
    /// Text of an incomplete attempt.
    pub partial: String,
    /// Tool calls of an incomplete attempt, the last one perhaps cut.
    pub partial_calls: Vec<RunCall>,
    /// Calls of that attempt that failed and were retried.
    pub overcome: Vec<RunRetry>,
    /// The prompt.
    pub prompt: String,
    /// URL of the request; absent for the mock provider.
    pub address: Option<String>,
    /// The exact body, which contains no key.
    #[ts(type = "unknown")]
    pub body: Value,
    /// The evaluation of the prompt.
    #[ts(type = "unknown")]
    pub evaluation: Value,
}

/// One page of a document's run history, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunHistory {
    /// The runs.
    pub runs: Vec<RunSummary>,
    /// Number of runs of the document.
    pub total: u32,
    /// Number of damaged rows in this page, which are omitted.
    pub damaged: u32,
}

/// Progress of a batch of runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum RunStep {
    /// A run was recorded and is about to be sent.
    Begun {
        /// The run.
        run: Box<RunSummary>,
    },
    /// The next piece of the text.
    Delta {
        /// The run.
        id: u32,
        /// The piece.
        text: String,
    },
    /// The tool calls of the attempt, as far as they have arrived.
    Calls {
        /// The run.
        id: u32,
        /// All of them.
        calls: Vec<RunCall>,
    },
    /// A request failed with a temporary fault and is sent again after a pause.
    Retrying {
        /// The run.
        id: u32,
        /// Why it failed.
        error: RunRetry,
        /// Number of the next try, counted from 1.
        number: u32,
        /// Maximum number of tries.
        most: u32,
        /// The pause before it, in milliseconds.
        pause_ms: u32,
    },
    /// An attempt was completed; further text belongs to the next one.
    Judged {
        /// The run.
        id: u32,
        /// The attempt.
        attempt: Box<RunAttempt>,
    },
    /// A run ended, successfully or not.
    Ended {
        /// The run.
        run: Box<RunSummary>,
    },
    /// The batch ended.
    Over {
        /// Number of runs that ended.
        done: u32,
        /// Why the batch ended early, if it did.
        problem: Option<Failure>,
    },
}
