//! Text typed beside the number of a slider: it goes into the sentence, and never reads as more
//! digits of the number.

use super::{Plan, Prompt, Refusal, is_same_text, place};
use crate::hydrate::{SCALE_NAMES, Segment, TextOrigin};

pub(super) fn is_number(segment: &Segment) -> bool {
    segment.origin == Some(TextOrigin::Slider)
}

pub(super) fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

pub(super) fn ends_with_digit(text: &str) -> bool {
    text.ends_with(|last: char| last.is_ascii_digit())
}

fn refused(number: &Segment) -> Option<Refusal> {
    let source = number.source.as_ref()?;
    Some(place::slider(number, source))
}

impl Prompt<'_> {
    /// Types at the start or the end of a number.
    pub(super) fn type_beside_number(
        &self,
        index: usize,
        at: usize,
        text: &str,
    ) -> Result<Plan, Refusal> {
        let segment = self.segment(index)?;
        let source = segment.source.as_ref().ok_or(Refusal::Stale)?;
        let is_digit = if at == 0 {
            ends_with_digit(text)
        } else {
            begins_with_digit(text)
        };
        if is_digit {
            return Err(place::slider(segment, source));
        }
        let place = place::of_source(self.registry, source)?;
        let name = format!("{{{}}}", SCALE_NAMES[0]);
        let rank = self.numbers_before(index);
        let (start, _) = place
            .text
            .match_indices(&name)
            .nth(rank)
            .ok_or(Refusal::Stale)?;
        let offset = if at == 0 { start } else { start + name.len() };
        let mut result = place.text.clone();
        result.insert_str(offset, text);
        let prompt = self.with(|position, other| {
            let is_same = position == index
                || (is_same_text(other, segment) && self.numbers_before(position) == rank);
            is_same.then(|| {
                let mut new_text = other.text.clone();
                let at = if at == 0 { 0 } else { new_text.len() };
                new_text.insert_str(at, text);
                (new_text, (position == index).then_some(at + text.len()))
            })
        });
        Ok(Plan {
            spelled: place.spelled(self.registry, &result),
            unprinted: None,
            changes: place.changes(offset..offset, text, result),
            prompts: vec![prompt],
            trims: false,
        })
    }

    /// How many numbers its sentence prints before one.
    fn numbers_before(&self, index: usize) -> usize {
        let segments = &self.hydration.segments;
        let source = segments
            .get(index)
            .and_then(|segment| segment.source.as_ref());
        segments[..index]
            .iter()
            .rev()
            .take_while(|before| before.source.as_ref() == source)
            .filter(|before| is_number(before))
            .count()
    }

    /// Why a segment is not to print this beside a number.
    pub(super) fn reads_as_number(&self, index: usize, new_text: &str) -> Option<Refusal> {
        let segments = &self.hydration.segments;
        let old_text = &segments.get(index)?.text;
        let number = |at: Option<usize>| segments.get(at?).filter(|beside| is_number(beside));
        let before = number(index.checked_sub(1))
            .filter(|_| begins_with_digit(new_text) && !begins_with_digit(old_text));
        let after = number(Some(index + 1))
            .filter(|_| ends_with_digit(new_text) && !ends_with_digit(old_text));
        refused(before.or(after)?)
    }
}
