//! The report of an import: what was converted and what is not supported.

use serde::Serialize;

use crate::registry::Position;

/// The dialect a registry is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// The canonical form, as Promptdeck saves and exports it.
    Canonical,
    /// Schema version 22 as promptlibretto 0.5 and 0.6 read it.
    V0_6,
    /// Schema version 2 as promptlibretto 0.7 reads it.
    V0_7,
    /// Schema version 2 as promptlibretto 0.8 reads it.
    V0_8,
}

/// The format of an imported document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceFormat {
    /// A prompt without any structure of its own.
    PlainPrompt,
    /// The messages of a request to `OpenAI`.
    #[serde(rename = "openai_messages")]
    OpenAiMessages,
    /// The messages of a request to Anthropic.
    AnthropicMessages,
    /// A character card of `SillyTavern`.
    CharacterCard,
    /// A lorebook of `SillyTavern`, or world info.
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
    /// A registry.
    #[serde(untagged)]
    Registry(Dialect),
}

/// How one value of the original was converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConversionStatus {
    /// Not supported: the prompt may differ as the message says.
    NotSupported,
    /// Programs of the format, or releases of one, read it differently; the message names the reading
    /// that is followed.
    Ambiguous,
    /// Expressed in another way; it prints the same, with `\n` as the end of a line.
    Converted,
    /// Left as written; Promptdeck does not read it.
    Unread,
}

/// One entry of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportEntry {
    /// How the value was converted.
    pub status: ConversionStatus,
    /// JSON pointer into the original, counted from the registry object.
    pub pointer: String,
    /// One line for people.
    pub message: String,
    /// Its position in the imported text.
    pub place: Option<Position>,
}

/// The report of an import; without entries, at most the formatting changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The format of the original.
    pub format: SourceFormat,
    /// The entries by severity, most severe first, then in the order of the original.
    pub entries: Vec<ReportEntry>,
}

impl Report {
    /// Creates a report with its entries in order.
    pub(super) fn new(format: SourceFormat, mut entries: Vec<ReportEntry>) -> Self {
        entries.sort_by_key(|entry| entry.status);
        Self { format, entries }
    }

    /// The dialect of the original, if it is a registry.
    #[must_use]
    pub fn dialect(&self) -> Option<Dialect> {
        match self.format {
            SourceFormat::Registry(dialect) => Some(dialect),
            _ => None,
        }
    }

    /// Whether any entry has that status.
    #[must_use]
    pub fn has(&self, status: ConversionStatus) -> bool {
        self.entries.iter().any(|entry| entry.status == status)
    }
}
