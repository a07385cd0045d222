//! Words that are moved from one text into another: an edit inserts them there, and they are deleted where they
//! were, which may be another place of the prompt by then. Moves within one text are in `moved.rs`.

use super::{Position, PromptEdit, Refusal, VariablePrint};
use crate::hydrate::{Hydration, Segment};

/// The deletion of what was printed from one position to another, in the prompt after text was inserted elsewhere.
///
/// # Errors
///
/// [`Refusal`] if the text was inserted among what is to be deleted, or at more than one place.
pub fn deletion_after(
    before: &Hydration,
    insertion: &PromptEdit<'_>,
    [from, to]: [Position; 2],
    after: &Hydration,
) -> Result<PromptEdit<'static>, Refusal> {
    let target = target_of(before, insertion).ok_or(Refusal::Stale)?;
    let byte = |at: Position| byte_of(before, at).ok_or(Refusal::Stale);
    let (start, end) = (byte(from)?, byte(to)?);
    let (head, tail) = before.text.split_at(target);
    let moved_by = if target <= start {
        let is_one = after.text.ends_with(tail) && after.text.len() >= before.text.len();
        is_one.then(|| after.text.len() - before.text.len())
    } else if end <= target {
        after.text.starts_with(head).then_some(0)
    } else {
        None
    };
    let moved_by = moved_by.ok_or(Refusal::OtherText)?;
    let position = |at: usize, is_end: bool| position_at(after, at + moved_by, is_end);
    let (from, to) = position(start, false)
        .zip(position(end, true))
        .ok_or(Refusal::Stale)?;
    Ok(PromptEdit::ReplacePassage { from, to, text: "" })
}

/// The same deletion with the whitespace beside it: that before it or, at the start of a text, that after it.
/// The last line of a text is deleted with the line break before it. None for any other edit.
#[must_use]
pub fn with_space_beside(
    hydration: &Hydration,
    edit: &PromptEdit<'_>,
) -> Option<PromptEdit<'static>> {
    let (mut from, mut to) = match edit {
        PromptEdit::Replace {
            segment,
            range,
            text: "",
        } => {
            let at = |offset: usize| Position {
                segment: *segment,
                offset,
            };
            (at(range.start), at(range.end))
        }
        PromptEdit::ReplacePassage { from, to, text: "" } => (*from, *to),
        _ => return None,
    };
    let text_of = |at: Position| Some(&*hydration.segments.get(at.segment)?.text);
    let before = text_of(from)?.get(..from.offset)?;
    let after = text_of(to)?.get(to.offset..)?;
    let (bare, rest) = (before.trim_end(), after.trim_start());
    if bare.len() < before.len() && !bare.is_empty() {
        from.offset = bare.len();
    } else if rest.len() < after.len() && before.is_empty() {
        to.offset += after.len() - rest.len();
    } else {
        return None;
    }
    Some(match edit {
        PromptEdit::Replace { segment, .. } => PromptEdit::Replace {
            segment: *segment,
            range: from.offset..to.offset,
            text: "",
        },
        _ => PromptEdit::ReplacePassage { from, to, text: "" },
    })
}

/// Where an edit inserts text, in bytes of the prompt; none if it does not.
fn target_of(hydration: &Hydration, edit: &PromptEdit<'_>) -> Option<usize> {
    let in_segment =
        |segment: usize, offset: usize| byte_of(hydration, Position { segment, offset });
    let beside = |variable: VariablePrint, after: bool| match variable {
        VariablePrint::Value(segment) => {
            let length = hydration.segments.get(segment)?.text.len();
            in_segment(segment, if after { length } else { 0 })
        }
        VariablePrint::Gap(gap) => byte_of_gap(hydration, gap),
    };
    match edit {
        PromptEdit::Replace { segment, range, .. }
        | PromptEdit::ReplaceWritten { segment, range, .. } => range
            .is_empty()
            .then(|| in_segment(*segment, range.start))
            .flatten(),
        PromptEdit::Fill { gap, .. } => byte_of_gap(hydration, *gap),
        PromptEdit::Beside {
            variable, after, ..
        }
        | PromptEdit::SplitBeside {
            variable, after, ..
        } => beside(*variable, *after),
        PromptEdit::Split { segment, at, .. } => in_segment(*segment, *at),
        PromptEdit::ReplacePassage { .. }
        | PromptEdit::Move { .. }
        | PromptEdit::Join { .. }
        | PromptEdit::Choose { .. } => None,
    }
}

fn length_of(segments: &[Segment]) -> usize {
    segments.iter().map(|segment| segment.text.len()).sum()
}

fn byte_of(hydration: &Hydration, Position { segment, offset }: Position) -> Option<usize> {
    let before = length_of(hydration.segments.get(..segment)?);
    let text = &hydration.segments.get(segment)?.text;
    text.is_char_boundary(offset).then_some(before + offset)
}

fn byte_of_gap(hydration: &Hydration, gap: usize) -> Option<usize> {
    let segment = hydration.gaps.get(gap)?.segment;
    Some(length_of(hydration.segments.get(..segment)?))
}

/// The position at a byte of a prompt. At a boundary between two segments, a range that ends there ends in
/// the first one, and a range that starts there starts in the second.
fn position_at(hydration: &Hydration, byte: usize, is_end: bool) -> Option<Position> {
    let mut start = 0;
    for (segment, printed) in hydration.segments.iter().enumerate() {
        let end = start + printed.text.len();
        if byte < end || (byte == end && is_end) {
            let offset = byte - start;
            return Some(Position { segment, offset });
        }
        start = end;
    }
    None
}
