//! Edits made in the printed prompt, as changes of the registry and the state.
//!
//! An edit names a segment of a [`Hydration`] and a range within it. [`plan`] finds the authored
//! text the segment is made of and gives the changes that edit it, with the prompt they have to
//! give; [`Plan::check`] compares that with what the changed call prints. An edit that would print
//! anything else is refused with a reason. Nothing is applied here.

mod across;
mod alignment;
mod alternatives;
mod beside;
mod emptied;
mod entries;
mod gap;
mod leftover;
mod moved;
mod named;
mod number;
mod passage;
mod pasted_lines;
mod place;
mod plan;
mod refusal;
mod relocation;

use std::ops::Range;

use serde_json::Value;

use crate::{
    hydrate::{Call, Engine, Hydration, Part, Segment, Source, TextOrigin, normalized},
    registry::Registry,
};

pub use alternatives::{Alternative, AlternativeKind, Alternatives, alternatives};
pub use plan::Plan;
use plan::Printed;
pub use refusal::Refusal;
pub use relocation::{deletion_after, with_space_beside};

/// An edit in a printed prompt. Offsets are bytes of the segment's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptEdit<'a> {
    /// Replaces a range of a segment.
    Replace {
        /// The segment.
        segment: usize,
        /// The range of its text.
        range: Range<usize>,
        /// The new text.
        text: &'a str,
    },
    /// Replaces a range of a segment by a text that names variables, as one that was cut elsewhere.
    ReplaceWritten {
        /// The segment.
        segment: usize,
        /// The range of its text.
        range: Range<usize>,
        /// The new text as it is written, with names in braces.
        text: &'a str,
        /// What it prints.
        printed: &'a str,
    },
    /// Replaces what is printed from a position to a later one. A variable between them leaves its text; one
    /// of which only a part would go is an error. Over several texts, each loses its part, the first one gets
    /// the new text, and entries of a list go with their lines.
    ReplacePassage {
        /// Where the passage begins.
        from: Position,
        /// Where it ends.
        to: Position,
        /// The new text.
        text: &'a str,
    },
    /// Moves what is printed from a position to a later one to a third position in the same text, with the
    /// variables in it.
    Move {
        /// Where the words begin.
        from: Position,
        /// Where they end.
        to: Position,
        /// Where they go, before or after them.
        target: Position,
    },
    /// Gives a value to a variable that has none.
    Fill {
        /// The gap in the prompt, see [`Hydration::gaps`].
        gap: usize,
        /// The value.
        text: &'a str,
    },
    /// Inserts text before or after a variable, into the text that names it.
    Beside {
        /// The variable.
        variable: VariablePrint,
        /// Whether the text follows the variable.
        after: bool,
        /// The new text.
        text: &'a str,
    },
    /// Splits an entry of a list in two, with lines between that become entries as well.
    Split {
        /// A segment of the entry.
        segment: usize,
        /// Where in the segment.
        at: usize,
        /// The lines: the first goes to the entry before the caret, the last to the one after it.
        /// Markers of lists are left out, indented lines stay in the entry above. Empty for a split alone.
        lines: &'a str,
    },
    /// Splits an entry of a list before or after a variable in it.
    SplitBeside {
        /// The variable.
        variable: VariablePrint,
        /// Whether it goes to the entry before the caret.
        after: bool,
        /// The lines, as of a split.
        lines: &'a str,
    },
    /// Joins an entry of a list to the one before.
    Join {
        /// A segment of the entry.
        segment: usize,
    },
    /// Sets another entry or item in place of a rolled one, see [`alternatives`].
    Choose {
        /// A segment of the rolled entry or item.
        segment: usize,
        /// The other one's position in its list or section.
        choice: usize,
    },
}

/// What of a pasted text a prompt may hold where it is pasted, the most first: all of it, without
/// whitespace at its end and without the third newline of those in a row, with one newline less at its
/// start, and without whitespace at its start. Text that is copied in whole lines ends with whitespace
/// that a prompt prints nowhere.
///
/// # Examples
///
/// ```
/// use promptdeck_core::prompt_edit::pasted;
///
/// let kept = pasted("\n\n\nOne\n\n\nTwo\n");
/// assert_eq!(kept[1..], ["\n\nOne\n\nTwo", "\nOne\n\nTwo", "One\n\nTwo"]);
/// ```
#[must_use]
pub fn pasted(text: &str) -> Vec<String> {
    let without_space = normalized(text);
    let mut texts = vec![text.to_owned()];
    if !without_space.is_empty() {
        // Whitespace at the start is kept behind a letter, and less of it behind a newline.
        for before in ["x", "x\n"] {
            let printed = normalized(&format!("{before}{text}"));
            texts.extend(printed.strip_prefix(before).map(str::to_owned));
        }
        texts.push(without_space);
    }
    texts.dedup();
    texts
}

/// A variable in a printed prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariablePrint {
    /// The segment that is its value.
    Value(usize),
    /// The gap of one without a value, see [`Hydration::gaps`].
    Gap(usize),
}

/// A position in a printed prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The segment.
    pub segment: usize,
    /// The offset in its text, in bytes.
    pub offset: usize,
}

/// A step to a value from the root of a session: its registry or its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of an object.
    Key(String),
    /// An index of an array.
    Index(usize),
}

/// A change that an edit of the prompt makes. Paths start with `registry` or `state`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Replaces bytes of a text.
    Splice {
        /// The text.
        path: Vec<Step>,
        /// The range of its bytes.
        range: Range<usize>,
        /// The new text.
        text: String,
    },
    /// Sets a value that may not exist yet.
    Set {
        /// Where.
        path: Vec<Step>,
        /// The new value.
        value: Value,
    },
    /// Inserts an entry into a list.
    Insert {
        /// The entry.
        path: Vec<Step>,
        /// Its text.
        text: String,
    },
    /// Removes an entry of a list.
    Remove {
        /// The entry.
        path: Vec<Step>,
    },
}

/// Where the text of a segment is authored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthoredAt {
    /// Where it starts in the authored text, in UTF-16 units; 0 for a value.
    pub start: usize,
    /// The authored text where that is not the field of the source: a heading, the sentence of a
    /// slider, what it measures. A JSON pointer from the registry object.
    pub pointer: Option<String>,
}

/// Where the text of a segment is authored.
///
/// # Errors
///
/// [`Refusal`] if the text cannot be edited in the prompt.
pub fn authored_at(registry: &Registry, segment: &Segment) -> Result<AuthoredAt, Refusal> {
    let (Some(source), Some(origin)) = (&segment.source, segment.origin) else {
        return Err(Refusal::Glue);
    };
    let pointer = place::other_field(registry, source, origin);
    let pointer = pointer.map(|field| refusal::pointer(&source.section, field.item, field.name));
    match origin {
        TextOrigin::Bullet => Err(Refusal::Bullet),
        TextOrigin::Slider => Err(place::slider(segment, source)),
        TextOrigin::Variable | TextOrigin::Emotion => Ok(AuthoredAt { start: 0, pointer }),
        TextOrigin::Authored { start, .. } => {
            let before = place::text_of(registry, source)?.get(..start);
            Ok(AuthoredAt {
                start: before.unwrap_or_default().encode_utf16().count(),
                pointer,
            })
        }
    }
}

/// The changes that make an edit of the prompt.
///
/// `hydration` is what `call` prints.
///
/// # Errors
///
/// [`Refusal`] if the text is not one an author wrote, or cannot be edited there.
///
/// # Examples
///
/// ```
/// use promptdeck_core::hydrate::{Call, Engine, Seed, State};
/// use promptdeck_core::prompt_edit::{PromptEdit, plan};
/// use promptdeck_core::registry;
///
/// let parsed = registry::parse(br#"{
///     "assembly_order": ["greeting"],
///     "greeting": {"items": [{"id": "hi", "text": "Hello {name}."}], "template_vars": ["name"]}
/// }"#)?;
/// let state: State = serde_json::from_str(r#"{"template_vars": {"greeting::name": "Ada"}}"#)?;
/// let engine = Engine::new(parsed.registry);
/// let call = Call { state: &state, route: None, seed: Seed::default() };
/// let hydration = engine.hydrate(&call)?;
/// // The second segment is the value of the variable.
/// let edit = PromptEdit::Replace { segment: 1, range: 3..3, text: "m" };
/// let plan = plan(&engine, &call, &hydration, &edit)?;
/// assert!(plan.check("Hello Adam.").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(
    engine: &Engine,
    call: &Call<'_>,
    hydration: &Hydration,
    edit: &PromptEdit<'_>,
) -> Result<Plan, Refusal> {
    let prompt = Prompt {
        registry: engine.registry(),
        call,
        hydration,
    };
    let plan = match edit {
        PromptEdit::Replace {
            segment,
            range,
            text,
        } => prompt.replace(*segment, range.clone(), text, text),
        PromptEdit::ReplaceWritten {
            segment,
            range,
            text,
            printed,
        } => prompt.replace(*segment, range.clone(), text, printed),
        PromptEdit::ReplacePassage { from, to, text } => prompt.replace_passage(*from, *to, text),
        PromptEdit::Move { from, to, target } => prompt.move_words(*from, *to, *target),
        PromptEdit::Fill { gap, text } => prompt.fill(*gap, text),
        PromptEdit::Beside {
            variable,
            after,
            text,
        } => prompt.type_beside(*variable, *after, text),
        PromptEdit::Split { segment, at, lines } => prompt.split(*segment, *at, lines),
        PromptEdit::SplitBeside {
            variable,
            after,
            lines,
        } => prompt.split_beside(*variable, *after, lines),
        PromptEdit::Join { segment } => prompt.join(*segment),
        PromptEdit::Choose { segment, choice } => prompt.choose(*segment, *choice),
    };
    Ok(prompt.with_values(plan?))
}

/// What an entry of a list begins with in the prompt.
const BULLET: &str = "- ";

/// A prompt that is edited.
struct Prompt<'a> {
    registry: &'a Registry,
    call: &'a Call<'a>,
    hydration: &'a Hydration,
}

impl Prompt<'_> {
    fn segment(&self, index: usize) -> Result<&Segment, Refusal> {
        self.hydration.segments.get(index).ok_or(Refusal::Stale)
    }

    fn replace(
        &self,
        index: usize,
        range: Range<usize>,
        text: &str,
        printed: &str,
    ) -> Result<Plan, Refusal> {
        let segment = self.segment(index)?;
        if segment.text.get(range.clone()).is_none() {
            return Err(Refusal::Stale);
        }
        let is_bullet = segment.origin == Some(TextOrigin::Bullet);
        if is_bullet && range == (segment.text.len()..segment.text.len()) {
            return self.begin_entry(index, text);
        }
        let is_edge = range.is_empty() && (range.start == 0 || range.end == segment.text.len());
        if segment.origin == Some(TextOrigin::Slider) && is_edge {
            return self.type_beside_number(index, range.start, text);
        }
        let place = place::of_segment(self.registry, Some(self.call.state), segment)?;
        let piece = &place.text[place.piece.clone()];
        let cut =
            alignment::range(piece, &segment.text, range.clone()).ok_or(Refusal::Whitespace)?;
        let authored = place.piece.start + cut.start..place.piece.start + cut.end;
        let mut result = String::with_capacity(place.text.len() + text.len());
        result.push_str(&place.text[..authored.start]);
        result.push_str(text);
        result.push_str(&place.text[authored.end..]);
        let mut segment_text = segment.text.clone();
        segment_text.replace_range(range.clone(), printed);
        if let Some(refusal) = self.reads_as_number(index, &segment_text) {
            return Err(refusal);
        }
        let mut fits = true;
        let replaced = |at: usize, other: &Segment| {
            if at != index && !is_same_text(other, segment) {
                return None;
            }
            let range = if other.text == segment.text {
                Some(range.clone())
            } else {
                alignment::printed(piece, &other.text, &cut)
            };
            fits &= range.is_some();
            let range = range?;
            let mut new_text = other.text.clone();
            new_text.replace_range(range.clone(), printed);
            Some((
                new_text,
                (at == index).then_some(range.start + printed.len()),
            ))
        };
        let prompts = if segment_text.is_empty() {
            self.without_emptied(replaced)
        } else {
            vec![self.with(replaced)]
        };
        if !fits {
            return Err(Refusal::Whitespace);
        }
        Ok(Plan {
            // Names are what such a text is for.
            spelled: (text == printed)
                .then(|| place.spelled(self.registry, &result))
                .flatten(),
            unprinted: place.unprinted(&result),
            changes: place.changes(authored, text, result),
            prompts,
            // The whitespace that its last letter kept, or that of the bullet it leaves.
            trims: segment_text.is_empty() && (self.is_beside_gap(index) || self.has_bullet(index)),
        })
    }

    /// Types into an entry that prints its bullet alone.
    fn begin_entry(&self, index: usize, text: &str) -> Result<Plan, Refusal> {
        let segment = self.segment(index)?;
        let place = place::of_entry(self.registry, segment.source.as_ref())?;
        let prompt = self.with(|at, other| {
            (at == index || is_same_text(other, segment)).then(|| {
                // The end of the prompt cuts the space of the bullet off.
                let new_text = format!("{BULLET}{text}");
                let caret = new_text.len();
                (new_text, (at == index).then_some(caret))
            })
        });
        let mut result = text.to_owned();
        result.push_str(&place.text);
        Ok(Plan {
            spelled: place.spelled(self.registry, &result),
            unprinted: None,
            changes: place.changes(0..0, text, result),
            prompts: vec![prompt],
            trims: false,
        })
    }

    /// The prompt with some segments replaced, and where the caret that one of them gives stands.
    fn with(
        &self,
        mut replaced: impl FnMut(usize, &Segment) -> Option<(String, Option<usize>)>,
    ) -> Printed {
        let mut prompt = Printed {
            text: String::with_capacity(self.hydration.text.len() + 16),
            ..Printed::default()
        };
        let mut end = 0;
        for (index, segment) in self.hydration.segments.iter().enumerate() {
            end += segment.text.len();
            match replaced(index, segment) {
                Some((text, at)) => {
                    if let Some(at) = at {
                        prompt.caret = prompt.text.len() + at;
                    }
                    prompt.text.push_str(&text);
                    if self.ends_print(index) {
                        prompt.lose_newlines(&self.hydration.text[..end]);
                    }
                }
                None => prompt.text.push_str(&segment.text),
            }
        }
        prompt
    }

    /// Whether a segment is the last one of the print of a text.
    fn ends_print(&self, index: usize) -> bool {
        let source = |index: usize| self.hydration.segments.get(index)?.source.as_ref();
        let sources = source(index).zip(source(index + 1));
        !sources.is_some_and(|(current, next)| gap::is_same_print(current, next))
    }
}

/// Whether two sources refer to the same authored text, or to values in it.
fn is_same_field(a: &Source, b: &Source) -> bool {
    let is_same_item =
        || a.item == b.item && a.field == b.field && a.entry == b.entry && a.fragment == b.fragment;
    a.section == b.section && a.part == b.part && (a.part == Part::Scale || is_same_item())
}

/// Whether two segments print the same piece of the same authored text.
fn is_same_text(one: &Segment, other: &Segment) -> bool {
    let (Some(a), Some(b)) = (&one.source, &other.source) else {
        return false;
    };
    if one.origin != other.origin || a.section != b.section {
        return false;
    }
    if one.origin == Some(TextOrigin::Variable) {
        return a.variable == b.variable;
    }
    // What a slider measures is written on the item, its sentence on the section.
    is_same_field(a, b) && (one.origin != Some(TextOrigin::Emotion) || a.item == b.item)
}
