//! The *Chat* tab: what it is set to, and what a chat template makes of the conversation.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Part, Source};

/// Which format writes the conversation down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChatTemplate {
    /// The builtin format of a family.
    Family {
        /// Its name, such as `QWEN_3_X`.
        family: String,
    },
    /// What the chosen file or folder brings.
    Model,
    /// The template the author writes, with the special tokens of the chosen file or folder.
    Own,
    /// What a second file or folder brings; for comparing only.
    Other,
}

/// The role the hydrated prompt has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PromptRole {
    /// The first message is of the system.
    #[default]
    System,
    /// The first message is of the user.
    User,
}

/// A message of the conversation that follows the prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatMessage {
    /// Its role.
    pub role: String,
    /// Its content.
    pub content: String,
    /// Further fields, a JSON object as the author typed it, such as `tool_calls`; a `content` in
    /// it takes the place of the text. Empty when there are none.
    pub fields: String,
}

/// What the tab is set to. Kept per registry as the author left it, unfinished JSON included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ChatSetup {
    /// Which format.
    pub template: ChatTemplate,
    /// The template the author writes.
    pub text: String,
    /// The role of the hydrated prompt.
    pub role: PromptRole,
    /// What follows it.
    pub messages: Vec<ChatMessage>,
    /// The tools offered, a JSON array as typed; empty for none.
    pub tools: String,
    /// Further variables of the template, a JSON object as typed; empty for none.
    pub variables: String,
    /// The model thinks before it answers. Given only to formats that ask.
    pub thinking: bool,
    /// The text ends where the model is to begin.
    pub generation_prompt: bool,
    /// The text ends inside the last message, which the model goes on with.
    pub continue_final: bool,
    /// Reasoning is given to a template under all the names templates look for.
    pub alias_reasoning: bool,
    /// Names of the polyfills that are switched off.
    pub off: Vec<String>,
    /// Line ends and trailing blanks are shown.
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

/// What a chosen file or folder brings. The service keeps it; the page only shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatModel {
    /// Name of the file or folder.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// The file the template is from; the name again when it brings none.
    pub source: String,
    /// The family it was found to be of.
    pub family: String,
    /// Its template.
    pub template: Option<String>,
    /// The token texts begin with.
    pub bos_token: Option<String>,
    /// The token texts end with.
    pub eos_token: Option<String>,
    /// It has a tokenizer that counts its tokens.
    pub tokenizer: bool,
    /// Why it can't be read any more; all else is what it brought when it could.
    #[serde(default)]
    pub problem: Option<String>,
}

/// A place for a chosen file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChatSlot {
    /// The one that is shown.
    Model,
    /// The one it is compared with.
    Other,
}

/// A builtin format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatFamily {
    /// Name of the family, such as `QWEN_3_X`.
    pub family: String,
    /// What to call it.
    pub title: String,
}

/// What the tab begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatOpening {
    /// What it is set to.
    pub setup: ChatSetup,
    /// What the chosen file or folder brings.
    pub model: Option<ChatModel>,
    /// What the one to compare with brings.
    pub other: Option<ChatModel>,
    /// The builtin formats.
    pub families: Vec<ChatFamily>,
}

/// What a block of the text is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChatBlockKind {
    /// The hydrated prompt.
    Prompt,
    /// A message of the conversation.
    Message,
    /// Written for no message in particular.
    Template,
    /// What the model goes on from.
    Generation,
}

/// A place in a template.
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
    /// It is a special token.
    pub special: bool,
    /// The template marks it as what the model writes: the tokens an answer trains.
    pub generated: bool,
    /// The place of the template that wrote it; absent for builtin formats.
    pub place: Option<ChatPlace>,
    /// Where in the registry it comes from.
    pub source: Option<Source>,
}

/// A stretch of the text that one message made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatBlock {
    /// What for.
    pub kind: ChatBlockKind,
    /// Role of the message as the author wrote it; empty without one.
    pub role: String,
    /// Index of the message, the prompt being 0; the conversation begins at 1 when there is a
    /// prompt.
    pub message: Option<u32>,
    /// Names of the polyfills that changed the message.
    pub polyfills: Vec<String>,
    /// How many tools the message calls.
    pub calls: u32,
    /// Its tokens.
    pub tokens: u32,
    /// Its text; concatenated over all blocks this is the whole.
    pub pieces: Vec<ChatPiece>,
}

/// Why there is no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatProblem {
    /// Stable code.
    pub code: String,
    /// One line.
    pub message: String,
    /// Where in the template.
    pub place: Option<ChatPlace>,
    /// That line of the template.
    pub line: Option<String>,
}

/// A message a polyfill changed, added or took away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatChange {
    /// Index of the message, the prompt being 0; absent when it was added.
    pub message: Option<u32>,
    /// The JSON of the message before and after, in one.
    pub parts: Vec<Part>,
}

/// A polyfill the template needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatPolyfill {
    /// Its name.
    pub name: String,
    /// It is switched on.
    pub on: bool,
    /// What it changed in this conversation.
    pub changes: Vec<ChatChange>,
}

/// The first message that rewrites what was written before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatBreak {
    /// The message whose coming changes the text so far.
    pub message: u32,
    /// The message whose text changes.
    pub changed: Option<u32>,
    /// The place of the template that writes it differently.
    pub place: Option<ChatPlace>,
    /// Byte of the text from which on it differs.
    pub from: u32,
    /// What was there, and what is there now.
    pub parts: Vec<Part>,
}

/// Whether what was written before a message stays when the message comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChatStability {
    /// It does.
    Stable,
    /// It does not.
    Unstable {
        /// Where.
        broken: ChatBreak,
    },
    /// It does as far as the conversation was checked: the template has to be rendered from the
    /// start for every message, and all renderings share one budget.
    Partial {
        /// How many messages were checked, from the first on.
        checked: u32,
        /// How many messages there are, those that polyfills add among them.
        messages: u32,
    },
    /// The conversation cannot be written down message by message, so that nobody can tell.
    Unknown {
        /// Why.
        problem: ChatProblem,
    },
}

/// Something about this conversation an author should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatRemark {
    /// Stable code.
    pub code: String,
    /// One line.
    pub message: String,
}

/// The conversation, written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatReport {
    /// The text; empty when there is a problem.
    pub blocks: Vec<ChatBlock>,
    /// Why there is none.
    pub problem: Option<ChatProblem>,
    /// The polyfills the format needs.
    pub polyfills: Vec<ChatPolyfill>,
    /// Index of the last message.
    pub last: u32,
    /// Whether the text only ever grows at its end.
    pub stability: ChatStability,
    /// About this conversation.
    pub remarks: Vec<ChatRemark>,
    /// Characters of the text (Unicode scalar values).
    pub characters: u32,
    /// Tokens of the text.
    pub tokens: u32,
    /// The tokens are counted by the model's own tokenizer.
    pub exact: bool,
    /// Name of the tokenizer.
    pub tokenizer: String,
}

/// Whether a format can do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChatAbility {
    /// It can.
    Yes,
    /// It can't.
    No,
    /// It can't, and a polyfill makes up for it.
    Polyfilled,
}

/// A capability with what proves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatCapability {
    /// Its name.
    pub name: String,
    /// Whether it is there.
    pub ability: ChatAbility,
    /// The polyfill that makes up for it.
    pub polyfill: Option<String>,
    /// What was looked for; empty when it was not about a needle.
    pub needle: String,
    /// The rendering that decided, or the error of the template; absent for builtin formats.
    pub rendered: Option<String>,
    /// The rendering it was compared with, where the finding is that the two differ.
    pub compared: Option<String>,
}

/// A variable a template reads, and what it changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatVariable {
    /// Its name.
    pub name: String,
    /// The value that changes the text most visibly, as JSON; absent when none that was tried does.
    pub value: Option<String>,
    /// The text without and with that value, in one.
    pub parts: Vec<Part>,
}

/// What a format can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatInspection {
    /// Its family.
    pub family: String,
    /// How many findings were made; none for a builtin format.
    pub proofs: u32,
    /// What it can do.
    pub capabilities: Vec<ChatCapability>,
    /// It asks whether the model thinks.
    pub thinks: bool,
    /// What an author should know before using it.
    pub remarks: Vec<ChatRemark>,
    /// What else it reads.
    pub variables: Vec<ChatVariable>,
    /// Why it can't be inspected.
    pub problem: Option<ChatProblem>,
}

/// A conversation written down by two formats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChatTrial {
    /// What the conversation is about.
    pub name: String,
    /// Why the left format can't write it down.
    pub left: Option<ChatProblem>,
    /// Why the right format can't.
    pub right: Option<ChatProblem>,
    /// Both give the same text, or both fail for the same reason.
    pub same: bool,
    /// Both texts in one; empty when they are the same.
    pub parts: Vec<Part>,
}

/// In what form a conversation is copied.
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
