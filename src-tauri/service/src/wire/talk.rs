//! Conversations with the deck: a tree of turns, and the request of a branch.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Failure, Part, RequestTarget, RequestView};

/// State of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// The answer is arriving.
    Streaming,
    /// The turn is complete.
    Complete,
    /// The user stopped the answer.
    Stopped,
    /// The answer broke off, or none came.
    Failed,
    /// The program ended during the answer.
    Interrupted,
}

/// A tool call of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TalkCall {
    /// Id, unique in the conversation.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as text.
    pub arguments: String,
}

/// How JSON of a tool call fits the tool's schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SchemaStatus {
    /// It fits the schema.
    Valid,
    /// It violates the schema.
    Invalid,
    /// It is JSON, and the tool has no schema for it.
    NoSchema,
    /// It is not JSON.
    NotJson,
    /// The tool's schema can't be used.
    BadSchema,
    /// The request has no tool of this name.
    UnknownTool,
}

/// The verdict on JSON of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SchemaVerdict {
    /// The verdict.
    pub status: SchemaStatus,
    /// The first violations, each with its JSON pointer.
    pub problems: Vec<String>,
}

/// The verdicts on a tool call of the branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolVerdict {
    /// Id of the turn that calls; absent for a message of the call document.
    pub turn: Option<u32>,
    /// Id of the call.
    pub call: String,
    /// Verdict on the arguments of the model.
    pub arguments: SchemaVerdict,
    /// Verdict on the result that is typed; absent without one.
    pub result: Option<SchemaVerdict>,
}

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TalkTurn {
    /// Id in the store; later turns have higher ids.
    pub id: u32,
    /// The turn before; absent for a first turn.
    pub parent: Option<u32>,
    /// The run that answered; absent for a turn written by hand.
    pub run: Option<u32>,
    /// Time, in milliseconds since 1970.
    pub at: u64,
    /// Role of the message.
    pub role: String,
    /// Text of the message.
    pub content: String,
    /// From the text of the model to `content`; empty if the output policy changed nothing.
    pub changes: Vec<Part>,
    /// Tool calls of an answer.
    pub calls: Vec<TalkCall>,
    /// Id of the call that a tool's result answers.
    pub answers: Option<String>,
    /// State of the turn.
    pub state: TurnState,
    /// The model that answered.
    pub model: String,
    /// Whether the output policy accepts the text; absent if it did not judge it.
    pub accepted: Option<bool>,
    /// Rule of the policy that the text violates.
    pub reason: Option<String>,
    /// Reasoning of the model.
    pub thinking: Option<String>,
    /// Generated tokens.
    pub tokens: Option<u32>,
    /// Time from the request to the last byte, in milliseconds.
    pub total_ms: Option<f64>,
    /// Number of attempts that the policy judged.
    pub attempts: u32,
    /// Why the answer broke off.
    pub fault: Option<Failure>,
}

/// The tree of turns of a registry with one call document, or without any.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Talk {
    /// The turns, oldest first.
    pub turns: Vec<TalkTurn>,
    /// Number of damaged turns, which are omitted.
    pub damaged: u32,
}

/// Parameters of a conversation: a branch and its receiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TalkParams {
    /// The open call document, whose messages come before the first turn.
    pub call: Option<String>,
    /// Target of the request.
    pub target: RequestTarget,
    /// Family of the chat format, or `chosen` for the format chosen in *Chat*; used only for
    /// `chat_template`.
    pub family: Option<String>,
    /// Name of the connection; the mock provider by default.
    pub connection: Option<String>,
    /// Last turn of the branch; absent before the first turn.
    pub leaf: Option<u32>,
    /// Without `leaf`: the first turn of another branch. What comes before that turn comes before this
    /// branch too.
    pub beside: Option<u32>,
}

/// A message written by the author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TalkMessage {
    /// Role of the message.
    pub role: String,
    /// Text of the message.
    pub content: String,
    /// Id of the call that a tool's result answers.
    pub answers: Option<String>,
}

/// A message of the call document, before the first turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CallMessage {
    /// Role of the message.
    pub role: String,
    /// Text of the message.
    pub content: String,
    /// The tools that the message calls.
    pub calls: Vec<TalkCall>,
    /// Id of the call that a tool's result answers.
    pub answers: Option<String>,
}

/// Turns that were added, and the batch of the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TalkStarted {
    /// Number of the batch, with which it can be stopped; absent if no answer was requested.
    pub batch: Option<u32>,
    /// The turns that were added, in order.
    pub turns: Vec<TalkTurn>,
}

/// The request of a branch and the facts around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TalkView {
    /// The request; with a connection, its body is the one that the server gets.
    pub request: RequestView,
    /// Why it cannot be sent.
    pub problem: Option<Failure>,
    /// The targets that the connection can receive.
    pub targets: Vec<RequestTarget>,
    /// Messages of the call document before the first turn.
    pub before: Vec<CallMessage>,
    /// Whether the call document has other messages by now.
    pub is_earlier: bool,
    /// Names of the tools.
    pub tools: Vec<String>,
    /// Verdicts on the tool calls of the branch.
    pub verdicts: Vec<ToolVerdict>,
    /// Tool rounds since the last message of the user.
    pub rounds: u32,
    /// Maximum number of tool rounds after a message of the user.
    pub most_rounds: u32,
}
