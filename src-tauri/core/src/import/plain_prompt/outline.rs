//! The layout of a split: the bytes of each part, its section and its field.
//!
//! Tokens of one section are joined by a newline and those of others by a blank line. So a part
//! begins a section where a blank line precedes it, and is another field of the section before it
//! where none does.

use std::{collections::BTreeSet, ops::Range};

use promptdeck_python::text::{is_space, lstrip, rstrip};
use serde::Serialize;

use super::{
    MAX_PARTS, PartKind, Split, SplitError,
    lines::{Line, Structure, lines, structure},
};
use crate::{
    import::naming,
    registry::{name_fault, primary_field},
};

/// Maximum number of entries of a list; a longer one becomes a text.
const MAX_ENTRIES: usize = 1000;

/// The separator between a part and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Separator {
    /// Nothing: it is the first one.
    Start,
    /// A blank line: the part begins a section.
    BlankLine,
    /// A line break: the part is another field of the section before it.
    LineBreak,
}

/// The kind of the first line of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
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

/// One part of a prompt, as its registry will hold it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutlinePart {
    /// The name of the part.
    pub name: String,
    /// Its first line with text, counted from 1.
    pub first_line: u32,
    /// Its last line with text, counted from 1.
    pub last_line: u32,
    /// The kind of its first line.
    pub opening: Opening,
    /// Whether it is a text or a list.
    pub kind: PartKind,
    /// How many entries its list has; 0 for a text.
    pub entries: u32,
    /// Whether its list has a heading.
    pub headed: bool,
    /// The separator before it.
    pub separator: Separator,
    /// Its section.
    pub section: String,
    /// Its field in the item of that section.
    pub field: String,
    /// Its bytes in the text.
    #[serde(skip)]
    pub(super) range: Range<usize>,
}

impl OutlinePart {
    /// What the part prints.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.range.clone()]
    }
}

/// The heading of a list, and its entries.
pub(super) type ListText<'t> = (Option<&'t str>, Vec<&'t str>);

/// Lays out a text as its split says.
///
/// # Errors
///
/// [`SplitError`] for a split that leaves text out, has empty parts, or names that no section can
/// have.
pub fn outline(text: &str, split: &Split) -> Result<Vec<OutlinePart>, SplitError> {
    let lines = lines(text);
    let structure = structure(&lines, true);
    let starts = starts(&lines, split)?;
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let mut parts: Vec<OutlinePart> = Vec::with_capacity(starts.len());
    for ((part, &first), end) in split.parts.iter().zip(&starts).zip(ends) {
        let last = (first..end).rev().find(|line| !lines[*line].is_blank());
        let Some(last) = last else {
            return Err(SplitError::Empty {
                name: part.name.clone(),
                line: part.line,
            });
        };
        // Whitespace around the prompt is never printed and is in no part.
        let mut start = lines[first].start;
        let mut separator = Separator::Start;
        if let Some(before) = parts.last_mut() {
            let space = before.range.end..start;
            separator = match text[space.clone()].rfind("\n\n") {
                Some(at) => {
                    before.range.end += at;
                    start = before.range.end + 2;
                    Separator::BlankLine
                }
                None => {
                    before.range.end = start - 1;
                    Separator::LineBreak
                }
            };
            // Three or more newlines print as two.
            let printed = text[before.range.clone()].trim_end_matches('\n').len();
            if separator == Separator::BlankLine {
                before.range.end = before.range.start + printed;
            }
        } else {
            start += text[start..].len() - lstrip(&text[start..]).len();
        }
        let text_end = lines[last].start + lines[last].text.len();
        let range = start..text_end - trailing(&text[start..text_end]);
        parts.push(OutlinePart {
            name: part.name.clone(),
            first_line: first as u32 + 1,
            last_line: last as u32 + 1,
            opening: opening(&lines, &structure, first),
            kind: part.kind,
            entries: 0,
            headed: false,
            separator,
            section: String::new(),
            field: String::new(),
            range,
        });
    }
    place(text, &mut parts);
    Ok(parts)
}

/// The kind of a line, counted from 0.
fn opening(lines: &[Line<'_>], structure: &Structure<'_>, at: usize) -> Opening {
    let found = |places: &[(usize, usize, &str)]| {
        let place = places.binary_search_by_key(&at, |(line, ..)| *line);
        place.is_ok()
    };
    let line = &lines[at];
    match () {
        () if found(&structure.headings) => Opening::Heading,
        () if found(&structure.tags) => Opening::Tag,
        () if line.begins_entry() => Opening::Entry,
        () if line.label().is_some() => Opening::Label,
        () => Opening::Text,
    }
}

/// The length of the white space at the end.
fn trailing(text: &str) -> usize {
    text.len() - rstrip(text).len()
}

/// The first line with text of each part, counted from 0.
fn starts(lines: &[Line<'_>], split: &Split) -> Result<Vec<usize>, SplitError> {
    let Some(first) = split.parts.first() else {
        return Err(SplitError::NoParts);
    };
    if split.parts.len() > MAX_PARTS {
        return Err(SplitError::TooManyParts(split.parts.len()));
    }
    let text = lines.iter().position(|line| !line.is_blank()).unwrap_or(0);
    if first.line as usize > text + 1 {
        return Err(SplitError::Uncovered(text as u32 + 1));
    }
    let mut names = BTreeSet::new();
    let mut above = 0;
    for part in &split.parts {
        let (name, line) = (part.name.clone(), part.line);
        if let Some(fault) = name_fault(&name) {
            return Err(SplitError::Name { name, line, fault });
        }
        if naming::is_taken(&name) {
            return Err(SplitError::NameTaken { name, line });
        }
        if !names.insert(&part.name) {
            return Err(SplitError::NameTwice { name, line });
        }
        if line <= above || line as usize > lines.len() {
            return Err(SplitError::WrongLine { name, line });
        }
        above = line;
    }
    split
        .parts
        .iter()
        .map(|part| {
            let line = part.line as usize - 1;
            let found = lines[line..].iter().position(|line| !line.is_blank());
            let empty = || SplitError::Empty {
                name: part.name.clone(),
                line: part.line,
            };
            found.map(|blank| line + blank).ok_or_else(empty)
        })
        .collect()
}

/// Assigns each part its section and field, and turns lists that are not possible there into texts.
fn place(text: &str, parts: &mut [OutlinePart]) {
    let mut from = 0;
    // The heading of the list that the part before prints, if it is one with a heading.
    let mut open_list: Option<&str> = None;
    while from < parts.len() {
        let others = parts[from + 1..]
            .iter()
            .take_while(|part| part.separator == Separator::LineBreak);
        let group = from..from + 1 + others.count();
        let section = parts[from].name.clone();
        let mut has_list = false;
        for at in group.clone() {
            let part = &mut parts[at];
            let list = (part.kind == PartKind::List)
                .then(|| list_of(&text[part.range.clone()]))
                .flatten()
                // It would be printed as a continuation of the list before it.
                .filter(|(heading, _)| {
                    open_list.is_none_or(|open| heading.is_some_and(|heading| heading != open))
                })
                // Only one field of an item has a heading.
                .filter(|_| !has_list);
            open_list = list.as_ref().and_then(|(heading, _)| *heading);
            (part.entries, part.headed) = list.as_ref().map_or((0, false), |(heading, entries)| {
                (entries.len() as u32, heading.is_some())
            });
            part.field = match list {
                Some(_) => {
                    has_list = true;
                    "items".to_owned()
                }
                None => {
                    part.kind = PartKind::Text;
                    match at == from {
                        true => primary_field(&section).to_owned(),
                        false => part.name.clone(),
                    }
                }
            };
            part.section.clone_from(&section);
        }
        from = group.end;
    }
}

/// The heading and the entries of a part that is a list: lines that begin with `- `, each with the
/// lines that continue it, under one line of heading or none. A blank line below the heading is the
/// line break at its end.
pub(super) fn list_of(text: &str) -> Option<ListText<'_>> {
    let (heading, list) = match text.strip_prefix("- ") {
        Some(_) => (None, text),
        None => {
            let (heading, list) = text.split_once('\n')?;
            match list.strip_prefix('\n') {
                Some(list) => (Some(&text[..=heading.len()]), list),
                None => (Some(heading), list),
            }
        }
    };
    let list = list.strip_prefix("- ")?;
    if heading.is_some_and(is_blank) || list.split('\n').any(is_blank) {
        return None;
    }
    let entries: Vec<&str> = list.split("\n- ").take(MAX_ENTRIES + 1).collect();
    let fits = entries.len() <= MAX_ENTRIES && (heading.is_some() || entries.len() > 1);
    let continued = |line: &str| line.starts_with([' ', '\t']);
    let belong = entries
        .iter()
        .all(|entry| entry.split('\n').skip(1).all(continued));
    (fits && belong).then_some((heading, entries))
}

fn is_blank(line: &str) -> bool {
    line.chars().all(is_space)
}
