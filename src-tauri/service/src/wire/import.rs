//! The conversion report of an import.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The format an imported document was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ImportFormat {
    /// The form in which Promptdeck saves and exports.
    Canonical,
    /// Version 22, of promptlibretto 0.5 and 0.6.
    V0_6,
    /// Version 2, of promptlibretto 0.7.
    V0_7,
    /// Version 2, of promptlibretto 0.8.
    V0_8,
    /// A plain prompt.
    PlainPrompt,
    /// Messages of `OpenAI`.
    OpenaiMessages,
    /// Messages of Anthropic.
    AnthropicMessages,
    /// A character card.
    CharacterCard,
    /// A lorebook.
    Lorebook,
    /// A dotprompt file.
    Dotprompt,
    /// A Prompty file.
    Prompty,
    /// A Jinja template.
    Jinja,
    /// A template of sd-dynamic-prompts.
    DynamicPrompt,
    /// Wildcards of sd-dynamic-prompts.
    Wildcards,
}

/// Conversion of one part of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ImportStatus {
    /// It is not supported.
    NotSupported,
    /// Releases of the original program treat it differently.
    Ambiguous,
    /// It was converted.
    Converted,
    /// It is preserved but not used.
    Unread,
}

/// One entry of an import report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportEntry {
    /// How the part was converted.
    pub status: ImportStatus,
    /// JSON pointer into the original, from its registry object.
    pub pointer: String,
    /// Line in the original, from 1; absent if the part is not in the text.
    pub line: Option<u32>,
    /// One line for the author.
    pub message: String,
}
