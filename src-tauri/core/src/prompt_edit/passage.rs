//! Edits of a passage: a range over several segments of one authored text, as words on both sides of
//! a variable. The names of the variables inside it are replaced with it; their values stay. Ranges over
//! several texts are in `across.rs`.

use std::ops::Range;

use super::{Plan, Position, Prompt, Refusal, alignment, is_same_field, place};
use crate::hydrate::{SCALE_NAMES, Segment, TextOrigin};

/// A passage that can be replaced.
struct Passage<'s> {
    /// Its segments, the first and the last only in part.
    segments: &'s [Segment],
    /// Its range of the authored text.
    authored: Range<usize>,
}

impl Prompt<'_> {
    /// Replaces what is printed from one position to another in a later segment.
    pub(super) fn replace_passage(
        &self,
        from: Position,
        to: Position,
        text: &str,
    ) -> Result<Plan, Refusal> {
        for Position { segment, offset } in [from, to] {
            let position_segment = self.segment(segment)?;
            position_segment.text.get(offset..).ok_or(Refusal::Stale)?;
        }
        if (from.segment, from.offset) > (to.segment, to.offset) {
            return Err(Refusal::Stale);
        }
        let (from, to) = self.without_glue(from, to).ok_or(Refusal::Glue)?;
        let print = self.print_of(from.segment);
        let mut touched_segments = self.hydration.segments[from.segment..=to.segment].iter();
        if !print.contains(&to.segment)
            || touched_segments.any(|segment| segment.origin == Some(TextOrigin::Bullet))
        {
            return self.replace_across(from, to, text);
        }
        if from.segment == to.segment {
            return self.replace(from.segment, from.offset..to.offset, text, text);
        }
        self.replace_within(from, to, text)
    }

    /// Replaces what is printed from one position to another in a later segment of the same text.
    fn replace_within(&self, from: Position, to: Position, text: &str) -> Result<Plan, Refusal> {
        let (first, last) = (self.segment(from.segment)?, self.segment(to.segment)?);
        let (head, tail) = (&first.text[..from.offset], &last.text[to.offset..]);
        let source = first.source.as_ref().ok_or(Refusal::Glue)?;
        let place = place::of_source(self.registry, source)?;
        let passage = self.passage(&place.text, from, to)?;
        let mut result = place.text.clone();
        result.replace_range(passage.authored.clone(), text);
        let new_text = [head, text, tail].concat();
        let beside_number = [from.segment, to.segment]
            .into_iter()
            .find_map(|index| self.reads_as_number(index, &new_text));
        if let Some(refusal) = beside_number {
            return Err(refusal);
        }
        let mut open = 0..0;
        let replaced = |at: usize, _: &Segment| {
            if at >= open.end && (at == from.segment || self.prints(at, passage.segments)) {
                open = at..at + passage.segments.len();
                let caret = head.len() + text.len();
                return Some((new_text.clone(), (at == from.segment).then_some(caret)));
            }
            open.contains(&at).then(|| (String::new(), None))
        };
        let prompts = if new_text.is_empty() {
            self.without_emptied(replaced)
        } else {
            vec![self.with(replaced)]
        };
        Ok(Plan {
            spelled: place.spelled(self.registry, &result),
            unprinted: place.unprinted(&result),
            changes: place.changes(passage.authored, text, result),
            prompts,
            trims: false,
        })
    }

    fn passage(&self, text: &str, from: Position, to: Position) -> Result<Passage<'_>, Refusal> {
        let all = &self.hydration.segments;
        let segments = &all[from.segment..=to.segment];
        let first = &all[from.segment];
        let is_own = |other: &Segment| {
            let sources = first.source.as_ref().zip(other.source.as_ref());
            sources.is_some_and(|(source, other)| {
                source.token == other.token && is_same_field(source, other)
            })
        };
        for segment in segments {
            if let (Some(source), Some(TextOrigin::Slider)) = (&segment.source, segment.origin) {
                return Err(place::slider(segment, source));
            }
        }
        let before = all[..from.segment].iter().rev();
        let before = before.take_while(|segment| is_own(segment));
        let begin = from.segment - before.count();
        let ranges = authored_ranges(text, &all[begin..=to.segment])?;
        let start = ranges.get(from.segment - begin).ok_or(Refusal::Stale)?;
        let end = ranges.last().ok_or(Refusal::Stale)?;
        let rest = from.offset..first.text.len();
        let start = authored_part(text, first, start, rest)?.start;
        let end = authored_part(text, &all[to.segment], end, 0..to.offset)?.end;
        // A text that is printed twice in a row begins again.
        let authored = (start <= end)
            .then_some(start..end)
            .ok_or(Refusal::OtherText)?;
        Ok(Passage { segments, authored })
    }

    /// Whether the same segments are printed from an index on.
    pub(super) fn prints(&self, at: usize, segments: &[Segment]) -> bool {
        let found = self.hydration.segments.get(at..at + segments.len());
        found.is_some_and(|found| {
            let mut pairs = found.iter().zip(segments);
            pairs.all(|(one, other)| {
                let variable = |segment: &Segment| segment.source.as_ref()?.variable.clone();
                let sources = one.source.as_ref().zip(other.source.as_ref());
                one.text == other.text
                    && one.origin == other.origin
                    && sources.is_some_and(|(one, other)| is_same_field(one, other))
                    && variable(one) == variable(other)
            })
        })
    }
}

/// The ranges of an authored text that print the first segments of it.
pub(super) fn authored_ranges(
    text: &str,
    segments: &[Segment],
) -> Result<Vec<Range<usize>>, Refusal> {
    let mut at = 0;
    let mut ranges = Vec::with_capacity(segments.len());
    for segment in segments {
        let range = match (segment.origin, name_of(segment)) {
            (Some(TextOrigin::Authored { start, end }), _) => start..end,
            (_, Some(name)) => {
                let name = format!("{{{name}}}");
                let rest = text.get(at..).ok_or(Refusal::Stale)?;
                let start = at + rest.find(&name).ok_or(Refusal::OtherText)?;
                start..start + name.len()
            }
            _ => at..at,
        };
        at = range.end;
        ranges.push(range);
    }
    Ok(ranges)
}

/// The name that a segment is printed for: of a variable, of the number of a slider or of what it measures.
fn name_of(segment: &Segment) -> Option<&str> {
    match segment.origin? {
        TextOrigin::Variable => segment.source.as_ref()?.variable.as_deref(),
        TextOrigin::Slider => Some(SCALE_NAMES[0]),
        TextOrigin::Emotion => Some(SCALE_NAMES[1]),
        TextOrigin::Authored { .. } | TextOrigin::Bullet => None,
    }
}

/// The part of a segment's authored range that prints a range of its text.
pub(super) fn authored_part(
    text: &str,
    segment: &Segment,
    authored: &Range<usize>,
    printed: Range<usize>,
) -> Result<Range<usize>, Refusal> {
    if printed == (0..segment.text.len()) {
        return Ok(authored.clone());
    }
    if let Some(name) = name_of(segment) {
        let source = segment.source.as_ref().ok_or(Refusal::Stale)?;
        return match printed {
            // The passage only touches the value.
            Range { start, end } if start == end && start == 0 => {
                Ok(authored.start..authored.start)
            }
            Range { start, end } if start == end => Ok(authored.end..authored.end),
            _ => Err(Refusal::PartOfValue {
                section: source.section.to_string(),
                name: name.to_owned(),
            }),
        };
    }
    let piece = text.get(authored.clone()).ok_or(Refusal::Stale)?;
    let cut = alignment::range(piece, &segment.text, printed).ok_or(Refusal::Whitespace)?;
    Ok(authored.start + cut.start..authored.start + cut.end)
}
