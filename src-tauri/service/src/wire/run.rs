//! Connections to model servers and the runs made through them, as the page shows them. No key
//! ever crosses to the page.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::Failure;

/// A connection to a model server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConnectionEntry {
    /// Its name, which is unique.
    pub name: String,
    /// `ollama`, `openai`, `completions` or `gemini`.
    pub kind: String,
    /// Where it is.
    pub base_url: String,
    /// The model to ask; empty for the registry's.
    pub model: String,
    /// A key for it is in the keyring.
    pub keyed: bool,
    /// The environment variable that is read for its key before the keyring.
    pub variable: String,
}

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunOrder {
    /// The connection to ask; none asks the mock.
    pub connection: Option<String>,
    /// The text as it comes, in a single attempt.
    pub stream: bool,
    /// How many seeds: the document's, then drawn ones; 1 to 100.
    pub seeds: u32,
}

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It was begun.
    Running,
    /// The output policy accepted its text.
    Accepted,
    /// The output policy rejected its text.
    Rejected,
    /// No text came of it.
    Failed,
    /// A person stopped it.
    Stopped,
}

/// One run of the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunEntry {
    /// Number in the store.
    pub id: u32,
    /// Whom it asked, in words.
    pub target: String,
    /// Route, absent for the default order.
    pub route: Option<String>,
    /// Seed.
    pub seed: u64,
    /// When it began, in milliseconds since 1970.
    pub started_at: u64,
    /// How it stands.
    pub status: RunStatus,
    /// The request exactly as it was sent, without the key.
    #[ts(type = "unknown")]
    pub request: Value,
    /// The result with evaluation, attempts, usage and timing; or `error`, with the `attempts` and
    /// the `partial` text before it; null while it runs.
    #[ts(type = "unknown")]
    pub outcome: Value,
}

/// A stretch of a document's history, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunHistory {
    /// The runs.
    pub runs: Vec<RunEntry>,
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
        run: Box<RunEntry>,
    },
    /// The next piece of its text.
    Delta {
        /// The run.
        id: u32,
        /// The piece.
        text: String,
    },
    /// A run came to its end, whichever.
    Ended {
        /// The run.
        run: Box<RunEntry>,
    },
    /// All that was ordered is over.
    Over {
        /// Runs that came to their end.
        done: u32,
        /// Why it ended early, when it did.
        problem: Option<Failure>,
    },
}
