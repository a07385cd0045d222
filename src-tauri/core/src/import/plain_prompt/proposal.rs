//! Where a plain prompt is split unless its author says otherwise: at headings and tags, and where
//! there are none, at blank lines and lists.

use super::{
    MAX_PARTS, PartKind, Split, SplitPart,
    lines::{Line, Structure, lines, structure},
    outline::{list_of, outline},
    split::{FIRST, line_start},
};
use crate::{
    import::{ConversionStatus, ReportEntry, naming::Names},
    registry::{ParseError, TextPositions},
};

/// Where a proposal may split a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SplitPoints {
    /// At headings.
    pub headings: bool,
    /// At outermost tags.
    pub tags: bool,
    /// At blank lines, where nothing above splits.
    pub blank_lines: bool,
    /// At lists within a paragraph, where nothing above splits, and at those that end a section.
    /// Without it, no part is a list.
    pub lists: bool,
}

impl Default for SplitPoints {
    fn default() -> Self {
        Self {
            headings: true,
            tags: true,
            blank_lines: true,
            lists: true,
        }
    }
}

impl SplitPoints {
    /// The same with one kind switched over.
    pub(super) fn toggled(self, point: SplitPoint) -> Self {
        let mut points = self;
        let kind = match point {
            SplitPoint::Headings => &mut points.headings,
            SplitPoint::Tags => &mut points.tags,
            SplitPoint::BlankLines => &mut points.blank_lines,
            SplitPoint::Lists => &mut points.lists,
        };
        *kind = !*kind;
        points
    }
}

/// A kind of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SplitPoint {
    /// Headings.
    Headings,
    /// Outermost tags.
    Tags,
    /// Blank lines.
    BlankLines,
    /// Lists.
    Lists,
}

impl SplitPoint {
    /// All kinds.
    pub(super) const ALL: [Self; 4] = [Self::Headings, Self::Tags, Self::BlankLines, Self::Lists];
}

/// Why a kind of place changes nothing in a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoEffect {
    /// The text has no such place to split at.
    Absent,
    /// Headings or tags split the text.
    Structured,
    /// Other kinds split at the same places.
    Redundant,
}

/// A proposed split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The split.
    pub split: Split,
    /// How many places do not split, since a split has at most [`MAX_PARTS`] parts.
    pub left_out: usize,
}

impl Proposal {
    /// The entry of a report about places that do not split, if there are any.
    #[must_use]
    pub fn entry(&self, text: &str) -> Option<ReportEntry> {
        let last = self.split.parts.last().filter(|_| self.left_out > 0)?;
        let places = MAX_PARTS + self.left_out;
        let message = format!(
            "the text could be split into {places} parts; a split has at most {MAX_PARTS}, so the last \
             part holds the rest"
        );
        Some(ReportEntry {
            status: ConversionStatus::Unread,
            pointer: String::new(),
            message,
            place: Some(TextPositions::new(text).at(line_start(text, last.line))),
        })
    }
}

/// Proposes a split of a text, at every kind of place.
///
/// # Errors
///
/// Texts of white space only.
pub fn propose(text: &str) -> Result<Proposal, ParseError> {
    propose_at(text, SplitPoints::default())
}

/// Proposes a split of a text, at places of some kinds.
///
/// # Errors
///
/// Texts of white space only.
pub fn propose_at(text: &str, points: SplitPoints) -> Result<Proposal, ParseError> {
    let lines = lines(text);
    let structure = structure(&lines, points.tags);
    let Parts {
        parts, left_out, ..
    } = parts(&lines, &structure, points);
    let mut split = Split { parts };
    let outline = outline(text, &split).map_err(|fault| fault.located(text))?;
    for (part, laid_out) in split.parts.iter_mut().zip(outline) {
        part.kind = laid_out.kind;
    }
    Ok(Proposal { split, left_out })
}

/// The kinds of places that change nothing in the proposal at `points`: switching one of them over
/// gives the same proposal.
///
/// # Errors
///
/// Texts of white space only.
pub fn without_effect(
    text: &str,
    points: SplitPoints,
) -> Result<Vec<(SplitPoint, NoEffect)>, ParseError> {
    let lines = lines(text);
    let structures = [structure(&lines, false), structure(&lines, true)];
    let at = |points: SplitPoints| parts(&lines, &structures[usize::from(points.tags)], points);
    let named = |found: &Parts| -> Vec<(u32, String)> {
        let parts = found.parts.iter();
        parts.map(|part| (part.line, part.name.clone())).collect()
    };
    let proposed = at(points);
    let none = SplitPoints {
        headings: false,
        tags: false,
        blank_lines: false,
        lists: false,
    };
    let mut ineffective = Vec::new();
    for point in SplitPoint::ALL {
        let other = at(points.toggled(point));
        if named(&other) != named(&proposed) {
            continue;
        }
        if point == SplitPoint::Lists {
            // One of both proposals lets parts be lists.
            let lists = if points.lists { &proposed } else { &other };
            let split = Split {
                parts: lists.parts.clone(),
            };
            let outline = outline(text, &split).map_err(|fault| fault.located(text))?;
            if outline.iter().any(|part| part.kind == PartKind::List) {
                continue;
            }
        }
        let splits_alone = || named(&at(none.toggled(point))) != named(&at(none));
        let reason = match point {
            SplitPoint::BlankLines if proposed.structured => NoEffect::Structured,
            _ if !splits_alone() => NoEffect::Absent,
            SplitPoint::Lists if proposed.structured => NoEffect::Structured,
            _ => NoEffect::Redundant,
        };
        ineffective.push((point, reason));
    }
    Ok(ineffective)
}

/// The parts of a proposal, each a list if it can be one and lists are asked for.
struct Parts {
    parts: Vec<SplitPart>,
    /// How many places are left out.
    left_out: usize,
    /// Whether headings or tags split the text.
    structured: bool,
}

fn parts(lines: &[Line<'_>], structure: &Structure<'_>, points: SplitPoints) -> Parts {
    let mut starts = by_structure(lines, structure, points);
    let structured = starts.len() > 1;
    if !structured {
        starts = by_paragraphs(lines, structure, points);
    } else if points.lists {
        starts = with_last_lists(lines, structure, &starts);
    }
    let left_out = starts.len().saturating_sub(MAX_PARTS);
    starts.truncate(MAX_PARTS);
    let mut names = Names::default();
    let parts = starts.iter().enumerate().map(|(index, &start)| {
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        let wanted = wanted_name(&lines[start..end], start, index == 0, structure);
        SplitPart {
            name: names.unique(&wanted),
            line: start as u32 + 1,
            kind: match points.lists {
                true => PartKind::List,
                false => PartKind::Text,
            },
        }
    });
    Parts {
        parts: parts.collect(),
        left_out,
        structured,
    }
}

/// The first lines of the parts that headings and tags make.
fn by_structure(lines: &[Line<'_>], structure: &Structure<'_>, points: SplitPoints) -> Vec<usize> {
    let level = split_level(structure);
    let headings = structure.headings.iter();
    let mut starts: Vec<usize> = headings
        .filter(|(_, heading_level, _)| points.headings && *heading_level <= level)
        .map(|(line, ..)| *line)
        .collect();
    for (first, last, _) in &structure.tags {
        starts.push(*first);
        starts.push(last + 1);
    }
    starts.push(0);
    on_text(lines, starts)
}

/// The starts of parts, and those of the list at the end of each, which is a field beside the text above
/// it.
fn with_last_lists(lines: &[Line<'_>], structure: &Structure<'_>, starts: &[usize]) -> Vec<usize> {
    let mut found = Vec::with_capacity(starts.len());
    for (index, &start) in starts.iter().enumerate() {
        found.push(start);
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        let begins_list = |at: &usize| begins_list(lines, structure, start, *at);
        let Some(list) = (start + 1..end).rev().find(begins_list) else {
            continue;
        };
        let text: Vec<&str> = lines[list..end].iter().map(|line| line.text).collect();
        if list_of(text.join("\n").trim_end()).is_some() {
            found.push(list);
        }
    }
    found
}

/// Whether a list that continues the paragraph above it, under a label or none, begins at a line of the
/// part that begins at `start`; the first line of a part is the heading of a list right below it.
fn begins_list(lines: &[Line<'_>], structure: &Structure<'_>, start: usize, at: usize) -> bool {
    let (line, above) = (&lines[at], &lines[at - 1]);
    if above.is_blank() || structure.enclosed[at] {
        return false;
    }
    if line.entry().is_some() {
        let is_headed = at - 1 == start || above.label().is_some() && !lines[at - 2].is_blank();
        return !is_headed && !above.begins_entry() && !above.text.starts_with([' ', '\t']);
    }
    let list = lines.get(at + 1).is_some_and(|next| next.entry().is_some());
    list && line.label().is_some()
}

/// The deepest level of headings that splits: the first one with several headings.
fn split_level(structure: &Structure<'_>) -> usize {
    let mut counts = [0_usize; 7];
    for (_, level, _) in &structure.headings {
        counts[*level] += 1;
    }
    let several = counts.iter().position(|count| *count > 1);
    several.unwrap_or(counts.len())
}

/// The first lines of paragraphs, and of lists within them.
fn by_paragraphs(lines: &[Line<'_>], structure: &Structure<'_>, points: SplitPoints) -> Vec<usize> {
    let mut starts = vec![0];
    for at in 1..lines.len() {
        let (line, above) = (&lines[at], &lines[at - 1]);
        if line.is_blank() || structure.enclosed[at] {
            continue;
        }
        let section_start = if above.is_blank() {
            // A label on a line of its own belongs to the paragraph below it.
            let labelled = at >= 2 && lines[at - 2].label().is_some();
            points.blank_lines && !(labelled && begins_paragraph(lines, at - 2))
        } else if !points.lists {
            false
        } else if line.entry().is_some() {
            // A paragraph of one line is the heading of the list below it.
            let is_indented = above.begins_entry() || above.text.starts_with([' ', '\t']);
            !is_indented && above.label().is_none() && !begins_paragraph(lines, at - 1)
        } else {
            // The label of a list that follows.
            let list = lines.get(at + 1).is_some_and(|next| next.entry().is_some());
            list && line.label().is_some()
        };
        if section_start {
            starts.push(at);
        }
    }
    on_text(lines, starts)
}

/// A name for a part that would begin at a line, as a proposal gives it; no other part has it.
#[must_use]
pub fn propose_name(text: &str, split: &Split, line: u32) -> String {
    let lines = lines(text);
    let structure = structure(&lines, true);
    let start = (line.max(1) as usize - 1).min(lines.len() - 1);
    let starts = split.parts.iter().map(|part| part.line as usize - 1);
    let end = starts.filter(|other| *other > start).min();
    let end = end.unwrap_or(lines.len()).min(lines.len());
    let mut names = Names::default();
    for part in &split.parts {
        names.reserve(&part.name);
    }
    names.unique(&wanted_name(
        &lines[start..end],
        start,
        split.parts.is_empty(),
        &structure,
    ))
}

fn begins_paragraph(lines: &[Line<'_>], at: usize) -> bool {
    at == 0 || lines[at - 1].is_blank()
}

/// Moves each start to the next line with text, and leaves out those that meet another one.
fn on_text(lines: &[Line<'_>], mut starts: Vec<usize>) -> Vec<usize> {
    // From the last line on, so that a long run of blank lines is passed once.
    let mut next = lines.len();
    let mut text_at = vec![lines.len(); lines.len() + 1];
    for at in (0..lines.len()).rev() {
        if !lines[at].is_blank() {
            next = at;
        }
        text_at[at] = next;
    }
    for start in &mut starts {
        *start = text_at[(*start).min(lines.len())];
    }
    starts.retain(|start| *start < lines.len());
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// The suggested name of a part, before it is made unique.
fn wanted_name(part: &[Line<'_>], start: usize, first: bool, structure: &Structure<'_>) -> String {
    let at = |found: &[(usize, usize, &str)]| {
        let index = found
            .binary_search_by_key(&start, |(line, ..)| *line)
            .ok()?;
        Some(found[index].2.to_owned())
    };
    let heading = at(&structure.headings).or_else(|| at(&structure.tags));
    let label = || part.first()?.label().map(str::to_owned);
    heading.or_else(label).unwrap_or_else(|| {
        let text = || {
            let lines: Vec<&str> = part.iter().map(|line| line.text).collect();
            lines.join("\n")
        };
        match first {
            true => FIRST,
            false if part[0].entry().is_some() && list_of(text().trim_end()).is_some() => "list",
            false => "paragraph",
        }
        .to_owned()
    })
}
