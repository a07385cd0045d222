//! Words that are moved within one authored text: names of variables and of a slider's number among them
//! move as they are written.

use super::number::{begins_with_digit, ends_with_digit, is_number};
use super::passage::{authored_part, authored_ranges};
use super::{Plan, Position, Prompt, Refusal, is_same_field, place};
use crate::hydrate::{Segment, TextOrigin};

/// A part of a segment.
type Piece<'s> = (&'s Segment, &'s str);

impl Prompt<'_> {
    /// Moves what is printed from one position to another to a third one in the same text. Whitespace that
    /// would come to an end of the text is left out.
    pub(super) fn move_words(
        &self,
        from: Position,
        to: Position,
        target: Position,
    ) -> Result<Plan, Refusal> {
        for Position { segment, offset } in [from, to, target] {
            let position_segment = self.segment(segment)?;
            position_segment.text.get(offset..).ok_or(Refusal::Stale)?;
        }
        let key = |at: &Position| (at.segment, at.offset);
        let is_left = key(&target) <= key(&from);
        let cuts = if is_left {
            [target, from, to]
        } else {
            [from, to, target]
        };
        if !cuts.is_sorted_by_key(key) {
            return Err(Refusal::Stale);
        }
        let [start, middle, end] = cuts;
        let segments = &self.hydration.segments[start.segment..=end.segment];
        let mut origins = segments.iter().map(|segment| segment.origin);
        if !self.print_of(start.segment).contains(&end.segment)
            || origins.any(|origin| origin == Some(TextOrigin::Bullet))
        {
            return Err(Refusal::OtherText);
        }
        let source = segments[0].source.as_ref().ok_or(Refusal::Glue)?;
        let place = place::of_source(self.registry, source)?;
        let authored = self.authored_offsets(&place.text, cuts)?;
        if !authored.is_sorted() {
            return Err(Refusal::OtherText);
        }

        let head = [(&segments[0], &segments[0].text[..start.offset])];
        let last = &segments[segments.len() - 1];
        let tail = [(last, &last.text[end.offset..])];
        let (first, second) = (
            self.pieces_between(start, middle),
            self.pieces_between(middle, end),
        );
        let digits = |one: &[Piece], other: &[Piece]| {
            digits_beside_numbers(&[&head, one, other, &tail].concat())
        };
        if digits(&second, &first) > digits(&first, &second)
            && let Some(number) = segments.iter().find(|segment| is_number(segment))
        {
            return Err(place::slider(number, source));
        }

        let print = |pieces: &[Piece]| pieces.iter().map(|(_, text)| *text).collect::<String>();
        let [start_at, middle_at, end_at] = authored;
        let text = &place.text;
        let mut written = [&text[middle_at..end_at], &text[start_at..middle_at]].map(str::to_owned);
        let mut printed = [print(&second), print(&first)];
        if start_at == 0 && !text.starts_with(char::is_whitespace) {
            for piece in [&mut written[0], &mut printed[0]] {
                *piece = piece.trim_start().to_owned();
            }
        }
        if end_at == text.len() && !text.ends_with(char::is_whitespace) {
            for piece in [&mut written[1], &mut printed[1]] {
                *piece = piece.trim_end().to_owned();
            }
        }
        let mut result = text.clone();
        result.replace_range(start_at..end_at, &written.concat());

        let [head, tail] = [head, tail].map(|[(_, text)]| text);
        let new_text = [head, &printed.concat(), tail].concat();
        // Behind the words: they come first where they move to the left.
        let words = &printed[..=usize::from(!is_left)];
        let caret = head.len() + words.iter().map(String::len).sum::<usize>();
        let mut open = 0..0;
        let prompt = self.with(|at, _| {
            if at >= open.end && (at == start.segment || self.prints(at, segments)) {
                open = at..at + segments.len();
                return Some((new_text.clone(), (at == start.segment).then_some(caret)));
            }
            open.contains(&at).then(|| (String::new(), None))
        });
        Ok(Plan {
            spelled: place.spelled(self.registry, &result),
            unprinted: place.unprinted(&result),
            changes: place.changes(start_at..end_at, &written.concat(), result),
            prompts: vec![prompt],
            trims: false,
        })
    }

    /// Where positions of one print are in the authored text.
    fn authored_offsets(&self, text: &str, at: [Position; 3]) -> Result<[usize; 3], Refusal> {
        let all = &self.hydration.segments;
        let first_source = all[at[0].segment].source.as_ref().ok_or(Refusal::Glue)?;
        let is_own = |other: &&Segment| {
            let source = other.source.as_ref();
            source.is_some_and(|other| {
                first_source.token == other.token && is_same_field(first_source, other)
            })
        };
        let before = all[..at[0].segment].iter().rev().take_while(is_own).count();
        let begin = at[0].segment - before;
        let ranges = authored_ranges(text, &all[begin..=at[2].segment])?;
        let mut offsets = [0; 3];
        for (
            offset,
            Position {
                segment,
                offset: printed,
            },
        ) in offsets.iter_mut().zip(at)
        {
            let range = &ranges[segment - begin];
            *offset = authored_part(text, &all[segment], range, 0..printed)?.end;
        }
        Ok(offsets)
    }

    /// What is printed between two positions.
    fn pieces_between(&self, from: Position, to: Position) -> Vec<Piece<'_>> {
        let segments = self.hydration.segments.iter().enumerate();
        segments
            .take(to.segment + 1)
            .skip(from.segment)
            .map(|(index, segment)| {
                let start = if index == from.segment {
                    from.offset
                } else {
                    0
                };
                let end = if index == to.segment {
                    to.offset
                } else {
                    segment.text.len()
                };
                (segment, &segment.text[start..end])
            })
            .collect()
    }
}

/// How many digits are right beside the numbers of sliders.
fn digits_beside_numbers(pieces: &[Piece]) -> usize {
    let printed: Vec<&Piece> = pieces.iter().filter(|(_, text)| !text.is_empty()).collect();
    let beside = printed.windows(2).filter(|pair| match pair {
        [(one, left), (other, right)] => {
            (is_number(one) && begins_with_digit(right))
                || (is_number(other) && ends_with_digit(left))
        }
        _ => false,
    });
    beside.count()
}
