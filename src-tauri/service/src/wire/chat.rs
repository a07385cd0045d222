//! The *Chat* tab: its settings, and the rendered conversation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Part, Source};

/// The format that renders the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChatTemplate {
    /// The built-in format of a family.
    Family {
        /// Name of the family, such as `QWEN_3_X`.
        family: String,
    },
    /// The template of the chosen file or folder.
    Model,
    /// The template that the author edits, with the special tokens of the chosen file or folder.
    Own,
    /// The template of the second file or folder; only for comparison.
    Other,
}

/// Role of the hydrated prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PromptRole {
    /// The prompt is the system message.
    #[default]
    System,
    /// The prompt is the first user message.
    User,
}

/// A message after the prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatMessage {
    /// Role of the message.
    pub role: String,
    /// Text of the message.
    pub content: String,
    /// Further fields as a JSON object as typed, such as `tool_calls`; a `content` in it replaces
    /// the text. Empty if there are none.
    pub fields: String,
}

/// Whose messages and tools the tab renders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChatConversation {
    /// Those of the call document in use; without one, the example of the tab.
    #[default]
    Call,
    /// The example of the tab, also while a call document is in use.
    Example,
}

/// Settings of the tab. Stored per registry as the author left them, including incomplete JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ChatSetup {
    /// Selected format.
    pub template: ChatTemplate,
    /// The template that the author edits.
    pub text: String,
    /// Role of the hydrated prompt.
    pub role: PromptRole,
    /// Whose messages and tools follow the prompt.
    pub conversation: ChatConversation,
    /// The messages of the example.
    pub messages: Vec<ChatMessage>,
    /// The tools of the example as a JSON array as typed; empty for none.
    pub tools: String,
    /// Further variables of the template as a JSON object as typed; empty for none.
    pub variables: String,
    /// Whether the model thinks before it answers. Passed only to formats that read it.
    pub thinking: bool,
    /// Whether the text ends with a generation prompt.
    pub generation_prompt: bool,
    /// Whether the text ends inside the last message, which the model continues.
    pub continue_final: bool,
    /// Whether reasoning is passed to a template under all names that templates read.
    pub alias_reasoning: bool,
    /// Names of the polyfills that are turned off.
    pub off: Vec<String>,
    /// Whether line ends and trailing blanks are displayed.
    pub whitespace: bool,
}

impl Default for ChatSetup {
    fn default() -> Self {
        Self {
            template: ChatTemplate::Family {
                family: "QWEN_3_X".into(),
            },
            text: String::new(),
            role: PromptRole::System,
            conversation: ChatConversation::Call,
            messages: vec![ChatMessage {
                role: "user".into(),
                content: "Hello.".into(),
                fields: String::new(),
            }],
            tools: String::new(),
            variables: String::new(),
            thinking: false,
            generation_prompt: true,
            continue_final: false,
            alias_reasoning: true,
            off: Vec::new(),
            whitespace: true,
        }
    }
}

/// Metadata of a chosen file or folder. The service stores it; the page only displays it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatModel {
    /// Name of the file or folder.
    pub name: String,
    /// Path of the file or folder.
    pub path: String,
    /// The file that contains the template; equal to the name if there is none.
    pub source: String,
    /// The detected family.
    pub family: String,
    /// Source of the template.
    pub template: Option<String>,
    /// The BOS token.
    pub bos_token: Option<String>,
    /// The EOS token.
    pub eos_token: Option<String>,
    /// Whether it has a tokenizer.
    pub tokenizer: bool,
    /// Why it can no longer be read; the other fields are from the last successful read.
    #[serde(default)]
    pub problem: Option<String>,
}

/// Slot for a chosen file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChatSlot {
    /// The displayed one.
    Model,
    /// The one it is compared with.
    Other,
}

/// A built-in format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatFamily {
    /// Name of the family, such as `QWEN_3_X`.
    pub family: String,
    /// Label for display.
    pub title: String,
}

/// Initial state of the tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatOpening {
    /// Settings of the tab.
    pub setup: ChatSetup,
    /// Metadata of the chosen file or folder.
    pub model: Option<ChatModel>,
    /// Metadata of the one to compare with.
    pub other: Option<ChatModel>,
    /// The built-in formats.
    pub families: Vec<ChatFamily>,
}

/// Purpose of a block of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChatBlockKind {
    /// The hydrated prompt.
    Prompt,
    /// A message of the conversation.
    Message,
    /// Text without a message.
    Template,
    /// The generation prompt.
    Generation,
}

/// A position in a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatPlace {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A piece of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatPiece {
    /// The text.
    pub text: String,
    /// Whether it is a special token.
    pub special: bool,
    /// Whether the template marks it as generated by the model, as in training data.
    pub generated: bool,
    /// Position in the template that produced it; absent for built-in formats.
    pub place: Option<ChatPlace>,
    /// Source in the registry.
    pub source: Option<Source>,
}

/// The text of one message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatBlock {
    /// Purpose of the block.
    pub kind: ChatBlockKind,
    /// Role of the message as the author wrote it; empty if there is no message.
    pub role: String,
    /// Index of the message: 0 for the prompt; the conversation starts at 1 if there is a prompt.
    pub message: Option<u32>,
    /// Names of the polyfills that changed the message.
    pub polyfills: Vec<String>,
    /// Number of tool calls in the message.
    pub calls: u32,
    /// Number of tokens.
    pub tokens: u32,
    /// The pieces; concatenated over all blocks they are the whole text.
    pub pieces: Vec<ChatPiece>,
}

/// Why the conversation cannot be rendered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatProblem {
    /// Stable code.
    pub code: String,
    /// One line for people.
    pub message: String,
    /// Position in the template.
    pub place: Option<ChatPlace>,
    /// That line of the template.
    pub line: Option<String>,
}

impl From<&super::Failure> for ChatProblem {
    fn from(failure: &super::Failure) -> Self {
        Self {
            code: failure.code.clone(),
            message: failure.message.clone(),
            place: None,
            line: None,
        }
    }
}

/// A message that a polyfill changed, added or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatChange {
    /// Index of the message, 0 for the prompt; absent if it was added.
    pub message: Option<u32>,
    /// Difference of the message's JSON before and after.
    pub parts: Vec<Part>,
}

/// A polyfill that the template needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatPolyfill {
    /// Name of the polyfill.
    pub name: String,
    /// Whether it is turned on.
    pub on: bool,
    /// Its changes to this conversation.
    pub changes: Vec<ChatChange>,
}

/// The first message that changes the text before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatBreak {
    /// The message that changes the text before it.
    pub message: u32,
    /// The message whose text changes.
    pub changed: Option<u32>,
    /// Position in the template that produces the changed text.
    pub place: Option<ChatPlace>,
    /// Byte offset of the first change.
    pub from: u32,
    /// Difference between the old and the new text.
    pub parts: Vec<Part>,
}

/// Whether further messages only append to the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChatStability {
    /// Every message appends.
    Stable,
    /// A message changes earlier text.
    Unstable {
        /// The change.
        broken: ChatBreak,
    },
    /// Every checked message appends. The template must be rendered from the start for each
    /// message, and all renderings share one budget.
    Partial {
        /// Number of messages checked, from the first.
        checked: u32,
        /// Number of messages, including those added by polyfills.
        messages: u32,
    },
    /// Unknown, since the conversation cannot be rendered message by message.
    Unknown {
        /// The reason.
        problem: ChatProblem,
    },
}

/// A note on this conversation for the author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatRemark {
    /// Stable code.
    pub code: String,
    /// One line for people.
    pub message: String,
}

/// The rendered conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatReport {
    /// The text; empty if rendering failed.
    pub blocks: Vec<ChatBlock>,
    /// Why rendering failed.
    pub problem: Option<ChatProblem>,
    /// The polyfills that the format needs.
    pub polyfills: Vec<ChatPolyfill>,
    /// Index of the last message.
    pub last: u32,
    /// Whether further messages only append to the text.
    pub stability: ChatStability,
    /// Notes on this conversation.
    pub remarks: Vec<ChatRemark>,
    /// Length of the text in characters (Unicode scalar values).
    pub characters: u32,
    /// Length of the text in tokens.
    pub tokens: u32,
    /// Whether the model's own tokenizer counted the tokens.
    pub exact: bool,
    /// Name of the tokenizer.
    pub tokenizer: String,
}

/// Whether a format has a capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CapabilityState {
    /// It has the capability.
    Yes,
    /// It lacks the capability.
    No,
    /// It lacks the capability, and a polyfill replaces it.
    Polyfilled,
}

/// A capability with its proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatCapability {
    /// Name of the capability.
    pub name: String,
    /// Whether the format has it.
    pub state: CapabilityState,
    /// The polyfill that replaces it.
    pub polyfill: Option<String>,
    /// Text that was searched for; empty if the proof is not a search.
    pub needle: String,
    /// The rendering that proves it, or the template's error; absent for built-in formats.
    pub rendered: Option<String>,
    /// The rendering it was compared with, if the proof is a difference.
    pub compared: Option<String>,
}

/// A variable that a template reads, and its effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatVariable {
    /// Name of the variable.
    pub name: String,
    /// The value with the most visible effect, as JSON; absent if no value tried has an effect.
    pub value: Option<String>,
    /// Difference of the text without and with that value.
    pub parts: Vec<Part>,
}

/// The capabilities of a format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatInspection {
    /// Family of the format.
    pub family: String,
    /// Number of proofs; 0 for a built-in format.
    pub proofs: u32,
    /// The capabilities.
    pub capabilities: Vec<ChatCapability>,
    /// Whether it reads a thinking switch.
    pub thinks: bool,
    /// Notes for the author.
    pub remarks: Vec<ChatRemark>,
    /// Further variables that it reads.
    pub variables: Vec<ChatVariable>,
    /// Why it cannot be inspected.
    pub problem: Option<ChatProblem>,
}

/// A conversation rendered with two formats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatTrial {
    /// Subject of the conversation.
    pub name: String,
    /// Why the left format cannot render it.
    pub left: Option<ChatProblem>,
    /// Why the right format cannot render it.
    pub right: Option<ChatProblem>,
    /// Whether both give the same text or fail for the same reason.
    pub same: bool,
    /// Difference of the texts; empty if they are equal.
    pub parts: Vec<Part>,
}

/// Format of a copied conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChatForm {
    /// The exact text.
    Text,
    /// The messages and tools as JSON, before polyfills.
    Messages,
    /// A command that sends the exact text to a completion server.
    Curl,
}
