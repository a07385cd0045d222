//! Creation of a registry: blank, from a starter, or from a document that the author imports.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Failure, ImportEntry, ImportFormat};

/// The content of a new registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NewRegistry {
    /// One section and one empty text.
    Blank,
    /// A starter.
    Starter {
        /// Its name.
        starter: String,
    },
    /// The registry of the source that was shown last.
    Source {
        /// The number of what was shown.
        number: u32,
    },
}

/// The options of the dialog that creates a registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NewRegistryOptions {
    /// Path of the folder that will hold the file.
    pub folder: String,
    /// The sub-folder of the last new registry; empty for the folder itself.
    pub sub_folder: String,
    /// A file name for a blank registry that the folder does not have.
    pub blank_file: String,
    /// The starters.
    pub starters: Vec<Starter>,
}

/// A registry to start from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Starter {
    /// Its name.
    pub starter: String,
    /// A file name that the folder does not have.
    pub file: String,
    /// How many sections it has in all.
    pub section_count: u32,
    /// How many messages its call document has, the new one included.
    pub messages: u32,
    /// How many tools its call document has.
    pub tools: u32,
    /// Its sections that print without any settings, in the order in which they print first.
    pub sections: Vec<StarterSection>,
    /// The prompt it prints.
    pub prompt: Vec<PrintedText>,
}

/// A section of a starter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StarterSection {
    /// The section.
    pub section: String,
    /// How many characters it prints.
    pub characters: u32,
    /// How many tokens it prints.
    pub tokens: u32,
}

/// A text of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PrintedText {
    /// The section that prints it; absent for what separates sections.
    pub section: Option<String>,
    /// The text.
    pub text: String,
}

/// The kind of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SourceType {
    /// A registry of promptlibretto 0.5 to 0.8, or of Promptdeck.
    Registry,
    /// A plain prompt.
    Plain,
    /// Messages of `OpenAI` or Anthropic.
    Messages,
    /// A character card.
    Card,
    /// A lorebook.
    Lorebook,
    /// A dotprompt file.
    Dotprompt,
    /// A Prompty file.
    Prompty,
    /// A Jinja template.
    Jinja,
    /// A template of sd-dynamic-prompts.
    Template,
    /// Wildcards of sd-dynamic-prompts.
    Wildcards,
}

/// Where a plain prompt is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SplitAt {
    /// At headings.
    pub headings: bool,
    /// At tags.
    pub tags: bool,
    /// At blank lines, where nothing above splits.
    pub blank_lines: bool,
    /// At lists, where nothing above splits; without it, no part becomes a list.
    pub lists: bool,
}

/// A kind of place where a plain prompt is split, by its name in [`SplitAt`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SplitPoint {
    /// Headings.
    Headings,
    /// Tags.
    Tags,
    /// Blank lines.
    BlankLines,
    /// Lists.
    Lists,
}

/// Why a kind of place changes nothing in a proposed split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NoEffect {
    /// The text has no such place to split at.
    Absent,
    /// Headings or tags split the text.
    Structured,
    /// Other kinds split at the same places: it has an effect where they are off.
    Redundant,
}

/// A kind of place that changes nothing in a proposed split, whether it is chosen or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IneffectivePoint {
    /// The kind of place.
    pub point: SplitPoint,
    /// Why.
    pub reason: NoEffect,
}

/// A part of a plain prompt, up to the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptPart {
    /// The name of its section or field.
    pub name: String,
    /// Its first line, from 1.
    pub line: u32,
}

/// A plain prompt's split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptSplit {
    /// The kinds of places at which it was proposed.
    pub at: SplitAt,
    /// The parts, by line.
    pub parts: Vec<PromptPart>,
}

/// A change of a split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SplitEdit {
    /// Renames a part.
    Rename {
        /// The part, from 0.
        part: u32,
        /// Its new name.
        name: String,
    },
    /// Moves the first line of a part.
    Move {
        /// The part, from 0.
        part: u32,
        /// The line, from 1.
        line: u32,
    },
    /// Merges a part into the one above it.
    Merge {
        /// The part, from 0.
        part: u32,
    },
    /// Lets another part begin at a line.
    Divide {
        /// The line, from 1.
        line: u32,
    },
}

/// A change of what is shown of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SourceChange {
    /// Reads it as another kind of document.
    Read {
        /// The kind.
        as_type: SourceType,
    },
    /// Proposes another split.
    Propose {
        /// The kinds of places.
        at: SplitAt,
    },
    /// Takes a split, with a change or as it is.
    Split {
        /// The split.
        split: PromptSplit,
        /// The change.
        edit: Option<SplitEdit>,
    },
    /// Leaves out the white space that no prompt prints.
    Trim {
        /// The split, whose borders stay between the same texts.
        split: Option<PromptSplit>,
    },
    /// Goes back to the text before the last trim.
    UndoTrim {
        /// The split it had.
        split: PromptSplit,
    },
    /// Reads a template without the wildcards of a folder.
    NoWildcards,
}

/// What the first line of a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PartOpening {
    /// A heading.
    Heading,
    /// A tag.
    Tag,
    /// A line that ends with a colon.
    Label,
    /// An entry of a list.
    Entry,
    /// A text.
    Text,
}

/// The lines of a part, and how it is laid out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PartLines {
    /// Its first line with text, from 1.
    pub first: u32,
    /// Its last line with text, from 1.
    pub last: u32,
    /// What its first line is.
    pub opening: PartOpening,
    /// How many entries its list has; 0 for a text.
    pub entries: u32,
    /// Whether its list has a heading.
    pub headed: bool,
}

/// What a registry made of a source prints in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SourceSection {
    /// The section.
    pub section: String,
    /// The field of its item, where the section has several parts or the part is a list.
    pub field: Option<String>,
    /// How many tokens it prints; absent for a large source.
    pub tokens: Option<u32>,
    /// Its lines, for a plain prompt.
    pub lines: Option<PartLines>,
}

/// A document that the author imports, and the registry it becomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SourceView {
    /// The number of this view, by which its registry is created.
    pub number: u32,
    /// Name of the file, or empty.
    pub name: String,
    /// How it is read.
    pub as_type: SourceType,
    /// What a plain prompt looks like, if it is probably something else.
    pub resembles: Option<SourceType>,
    /// Its length in characters, or in bytes if it is no text. The line break that ends a text
    /// is not printed and does not count.
    pub length: u32,
    /// A file name that the folder does not have.
    pub file: String,
    /// The first lines of a plain prompt, long ones cut.
    pub lines: Vec<String>,
    /// How many lines a plain prompt has.
    pub line_count: u32,
    /// The split of a plain prompt.
    pub split: Option<PromptSplit>,
    /// The kinds of places that would propose the same split if they were switched over.
    pub ineffective_points: Vec<IneffectivePoint>,
    /// The registry; absent if there is a problem.
    pub conversion: Option<Conversion>,
    /// Why there is no registry.
    pub problem: Option<Failure>,
    /// The folder of wildcards that a template is read with.
    pub wildcards: Option<WildcardsView>,
}

/// A folder of wildcards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WildcardsView {
    /// Its path.
    pub path: String,
    /// How many lists of values it has.
    pub lists: u32,
}

/// The registry that a source becomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Conversion {
    /// The format it was read as.
    pub format: ImportFormat,
    /// What it prints, in order.
    pub sections: Vec<SourceSection>,
    /// How many sections it has in all.
    pub section_count: u32,
    /// Whether the tokens are those of a template, before a call renders it.
    pub is_template: bool,
    /// Converted and unsupported parts, most severe first.
    pub entries: Vec<ImportEntry>,
    /// How many more of them there are.
    pub more_entries: u32,
    /// Length of the prompt in characters.
    pub characters: u32,
    /// Whether a plain prompt prints the same bytes, the line break at its end apart; absent for other
    /// kinds.
    pub same: Option<bool>,
    /// Whether a plain prompt had other line ends than the registry prints.
    pub line_ends: bool,
    /// How many messages of a conversation go to a call document.
    pub messages: u32,
    /// How many tools go to a call document.
    pub tools: u32,
    /// Why no call document can have them; they stay in the registry's file then.
    pub call_problem: Option<String>,
}
