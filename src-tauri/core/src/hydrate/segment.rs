//! Segments: the prompt cut into pieces that know where they come from.

use std::sync::Arc;

use serde::Serialize;

/// A piece of the prompt. The segments of a prompt, concatenated, are the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Segment {
    /// The text of the piece, never empty.
    pub text: String,
    /// Where it comes from; glue comes from nowhere.
    pub source: Option<Source>,
    /// What it is made of; glue is made of nothing an author wrote.
    #[serde(skip)]
    pub origin: Option<TextOrigin>,
}

/// What the text of a segment is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOrigin {
    /// These bytes of an authored text, of which the assembly may have cut whitespace.
    Authored {
        /// Where they start.
        start: usize,
        /// Where they end.
        end: usize,
    },
    /// The value of a variable.
    Variable,
    /// The bullet of a list entry.
    Bullet,
    /// The position of a slider.
    Slider,
    /// What a slider measures.
    Emotion,
}

/// A variable without a value in the text that a call prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// How many segments of the prompt precede it.
    pub segment: usize,
    /// The variable, and the text that contains it.
    pub source: Source,
}

/// What kind of text a segment is within its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The field's own text.
    Text,
    /// The heading of a list.
    Heading,
    /// An entry of a list, its bullet included.
    Entry,
    /// A conditional fragment.
    Fragment,
    /// The sentence of a slider.
    Scale,
    /// The text of a runtime injection.
    Injection,
}

/// Where a segment comes from. Its names are shared with the segments around it, so that a copy of it
/// copies no text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The token's position in the assembly order; none for injections at the end.
    pub token: Option<usize>,
    /// The section.
    pub section: Arc<str>,
    /// The item's position in its section.
    pub item: usize,
    /// The item's identity, when it has one.
    pub id: Option<Arc<str>>,
    /// The field.
    pub field: Arc<str>,
    /// What kind of text it is.
    pub part: Part,
    /// The entry's position in its array, as authored.
    pub entry: Option<usize>,
    /// The fragment's position in its item.
    pub fragment: Option<usize>,
    /// The variable whose value this is.
    pub variable: Option<Arc<str>>,
}
