//! Edits made in the prompt as edits of a session's tree, and the page's offsets as the core's.

use promptdeck_core::hydrate::{Call, Engine, Hydration};
use promptdeck_core::prompt_edit::{self as core, Change, Refusal, Step as PlaceStep};
use serde_json::Value;

use crate::ServiceError;
use crate::edit;
use crate::preview::item_name;
use crate::saturating::saturating_u32;
use crate::wire::{
    Alternative, AlternativeKind, Alternatives, Edit, Failure, Passage, Path, PromptEdit, Step,
};

/// The reason as the page shows it.
pub fn failure(reason: &Refusal) -> Failure {
    Failure {
        pointer: reason.pointer(),
        ..Failure::new(reason.code(), reason.to_string())
    }
}

/// A segment of the page's list, which has the gaps among the others.
enum PromptPiece {
    Segment(usize),
    Gap(usize),
}

fn piece(hydration: &Hydration, wanted: u32) -> Option<PromptPiece> {
    let wanted = wanted as usize;
    let mut before = 0;
    for (index, gap) in hydration.gaps.iter().enumerate() {
        let at = gap.segment + index;
        if at == wanted {
            return Some(PromptPiece::Gap(index));
        }
        if at > wanted {
            break;
        }
        before += 1;
    }
    let index = wanted - before;
    (index < hydration.segments.len()).then_some(PromptPiece::Segment(index))
}

/// What a roll could have printed in place of a segment.
pub fn alternatives(
    engine: &Engine,
    call: &Call<'_>,
    hydration: &Hydration,
    segment: u32,
) -> Option<Alternatives> {
    let Some(PromptPiece::Segment(index)) = piece(hydration, segment) else {
        return None;
    };
    let found = core::alternatives(engine, call, hydration, index)?;
    let kind = match found.kind {
        core::AlternativeKind::Entries => AlternativeKind::Entries,
        core::AlternativeKind::Items => AlternativeKind::Items,
    };
    let choices = found.choices.into_iter().enumerate();
    let choices = choices.map(|(index, choice)| Alternative {
        name: (kind == AlternativeKind::Items).then(|| item_name(choice.id.as_deref(), index)),
        text: choice.text,
        position: choice.position.map(saturating_u32),
        share: choice.share,
    });
    Some(Alternatives {
        kind,
        section: found.section,
        item: saturating_u32(found.item),
        field: found.field,
        drawn: saturating_u32(found.drawn),
        current: saturating_u32(found.current),
        choices: choices.collect(),
    })
}

/// An edit whose text names variables, in terms of the core; none where it is not typed into a segment.
pub fn written<'a>(
    hydration: &Hydration,
    edit: &'a PromptEdit,
    text: &'a str,
) -> Option<core::PromptEdit<'a>> {
    let core::PromptEdit::Replace {
        segment,
        range,
        text: printed,
    } = to_core(hydration, edit).ok()?
    else {
        return None;
    };
    Some(core::PromptEdit::ReplaceWritten {
        segment,
        range,
        text,
        printed,
    })
}

fn find(hydration: &Hydration, segment: u32) -> Result<usize, Refusal> {
    match piece(hydration, segment) {
        Some(PromptPiece::Segment(index)) => Ok(index),
        Some(PromptPiece::Gap(_)) | None => Err(Refusal::Stale),
    }
}

fn offset_in(hydration: &Hydration, index: usize, units: u32) -> Result<usize, Refusal> {
    let text = &hydration.segments[index].text;
    edit::byte_offset(text, units as usize).ok_or(Refusal::Stale)
}

fn position(hydration: &Hydration, segment: u32, units: u32) -> Result<core::Position, Refusal> {
    let segment = find(hydration, segment)?;
    let offset = offset_in(hydration, segment, units)?;
    Ok(core::Position { segment, offset })
}

/// The ends of a passage in terms of the core.
pub fn passage(hydration: &Hydration, passage: &Passage) -> Result<[core::Position; 2], Refusal> {
    let Passage {
        segment,
        start,
        last,
        end,
    } = *passage;
    Ok([
        position(hydration, segment, start)?,
        position(hydration, last, end)?,
    ])
}

/// The edit in terms of the core.
pub fn to_core<'a>(
    hydration: &Hydration,
    edit: &'a PromptEdit,
) -> Result<core::PromptEdit<'a>, Refusal> {
    let find = |segment: u32| find(hydration, segment);
    let variable = |segment: u32| match piece(hydration, segment) {
        Some(PromptPiece::Segment(index)) => Ok(core::VariablePrint::Value(index)),
        Some(PromptPiece::Gap(gap)) => Ok(core::VariablePrint::Gap(gap)),
        None => Err(Refusal::Stale),
    };
    let offset = |index: usize, units: u32| offset_in(hydration, index, units);
    let position = |segment: u32, units: u32| position(hydration, segment, units);
    Ok(match edit {
        PromptEdit::Replace {
            segment,
            start,
            end,
            text,
        } => match piece(hydration, *segment).ok_or(Refusal::Stale)? {
            PromptPiece::Gap(gap) => core::PromptEdit::Fill { gap, text },
            PromptPiece::Segment(segment) => core::PromptEdit::Replace {
                segment,
                range: offset(segment, *start)?..offset(segment, *end)?,
                text,
            },
        },
        PromptEdit::ReplacePassage {
            segment,
            start,
            last,
            end,
            text,
        } => core::PromptEdit::ReplacePassage {
            from: position(*segment, *start)?,
            to: position(*last, *end)?,
            text,
        },
        PromptEdit::Move {
            segment,
            start,
            last,
            end,
            target,
            at,
        } => core::PromptEdit::Move {
            from: position(*segment, *start)?,
            to: position(*last, *end)?,
            target: position(*target, *at)?,
        },
        PromptEdit::Beside {
            segment,
            after,
            text,
        } => core::PromptEdit::Beside {
            variable: variable(*segment)?,
            after: *after,
            text,
        },
        PromptEdit::Split { segment, at, lines } => {
            if let Some(PromptPiece::Gap(gap)) = piece(hydration, *segment) {
                let name = hydration.gaps[gap].source.variable.as_deref();
                return Err(Refusal::InValue {
                    name: name.unwrap_or_default().to_owned(),
                });
            }
            let segment = find(*segment)?;
            let at = offset(segment, *at)?;
            core::PromptEdit::Split { segment, at, lines }
        }
        PromptEdit::SplitBeside {
            segment,
            after,
            lines,
        } => core::PromptEdit::SplitBeside {
            variable: variable(*segment)?,
            after: *after,
            lines,
        },
        PromptEdit::Join { segment } => core::PromptEdit::Join {
            segment: find(*segment)?,
        },
        PromptEdit::Choose { segment, choice } => core::PromptEdit::Choose {
            segment: find(*segment)?,
            choice: *choice as usize,
        },
    })
}

fn path(steps: &[PlaceStep]) -> Path {
    let steps = steps.iter().map(|step| match step {
        PlaceStep::Key(key) => Step::Key(key.clone()),
        PlaceStep::Index(index) => Step::Index(saturating_u32(*index)),
    });
    steps.collect()
}

fn units(text: &str) -> u32 {
    saturating_u32(text.encode_utf16().count())
}

/// The edits of the tree that make the changes, one after the other.
pub fn edits(tree: &Value, changes: Vec<Change>) -> Result<Vec<Edit>, ServiceError> {
    let mut edits: Vec<Edit> = Vec::with_capacity(changes.len());
    for change in changes {
        // A default is set before it is changed.
        let set = match edits.last() {
            Some(Edit::Set { path, value }) => value.as_str().map(|text| (path, text)),
            _ => None,
        };
        let edit = one(tree, set, change)?;
        edits.push(edit);
    }
    Ok(edits)
}

/// `set` is the text that the edit before sets.
fn one(tree: &Value, set: Option<(&Path, &str)>, change: Change) -> Result<Edit, ServiceError> {
    Ok(match change {
        Change::Splice {
            path: steps,
            range,
            text: insert,
        } => {
            let path = path(&steps);
            let state_value = set.filter(|(other, _)| **other == path);
            let text = state_value.map(|(_, text)| text);
            let text = text.or_else(|| edit::at(tree, &path).and_then(Value::as_str));
            let text = text.unwrap_or_default();
            let (Some(before), Some(deleted)) = (text.get(..range.start), text.get(range)) else {
                return Err(Refusal::Stale.into());
            };
            Edit::Splice {
                at: units(before),
                delete: units(deleted),
                path,
                insert,
            }
        }
        Change::Set { path: steps, value } => Edit::Set {
            path: path(&steps),
            value,
        },
        Change::Insert { path: steps, text } => Edit::Insert {
            path: path(&steps),
            value: text.into(),
            position: None,
        },
        Change::Remove { path: steps } => Edit::Remove { path: path(&steps) },
    })
}

/// The key of a burst of typing at the place of these edits, the same as of a field on a card;
/// none unless it is one text that is typed.
pub fn burst(edits: &[Edit]) -> Option<String> {
    let path = match edits {
        [Edit::Splice { path, .. } | Edit::Set { path, .. }] => path,
        // A default that is set and changed.
        [Edit::Set { path: set, .. }, Edit::Splice { path, .. }] if set == path => path,
        _ => return None,
    };
    let steps: Vec<String> = path
        .iter()
        .map(|step| match step {
            Step::Key(key) => key.clone(),
            Step::Index(index) => index.to_string(),
        })
        .collect();
    Some(format!("type:{}", steps.join("/")))
}
