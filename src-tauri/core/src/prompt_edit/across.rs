//! Edits of a range over several texts: each loses what is selected of it. Entries of a list that are
//! selected whole go with their lines; of a range within one list, what is left of the first and the last
//! entry becomes one entry. Ranges within one text are passages (`passage.rs`).

use std::{
    cmp::{Ordering, Reverse},
    ops::Range,
};

use promptdeck_python::text::is_space;

use super::{
    Change, Plan, Position, Prompt, Refusal, Step,
    gap::printed_range,
    is_same_field,
    leftover::{Left, is_bullet, is_same_list},
    number::begins_with_digit,
    passage::{authored_part, authored_ranges},
    place::{self, Place},
};
use crate::hydrate::{Part, Segment, Source, TextOrigin, normalized};

/// Whether a prompt that begins with a text has all of its whitespace.
fn is_normalized(text: &str) -> bool {
    let begun = format!("{text}x");
    normalized(&begun) == begun
}

/// A text of the range.
struct Cut<'s> {
    /// Its segments, with its bullet.
    print: Range<usize>,
    source: &'s Source,
    /// What is printed of it before and after the range, without the bullet.
    head: String,
    tail: String,
    /// Whether the range covers a part of it, and does not only touch it.
    is_covered: bool,
}

/// Where a text is written, and what the range covers there.
struct Written {
    place: Place,
    range: Range<usize>,
}

/// The edit in the making.
#[derive(Default)]
struct Draft {
    changes: Vec<Change>,
    /// The entries that are removed, with their indices in `left`.
    removed: Vec<(usize, Place)>,
    left: Vec<Left>,
    /// The segment that the caret is in or before, and the offset in the text of its print.
    caret: (usize, usize),
    spelled: Option<Refusal>,
}

impl Prompt<'_> {
    /// Replaces a range over the prints of several texts, or of an entry with its bullet.
    pub(super) fn replace_across(
        &self,
        from: Position,
        to: Position,
        text: &str,
    ) -> Result<Plan, Refusal> {
        let cuts = self.cuts(from, to);
        let (Some(first), Some(last)) = (cuts.first(), cuts.last()) else {
            return Err(Refusal::Glue);
        };
        if cuts.len() == 1 && !first.is_covered {
            return Err(Refusal::Bullet);
        }
        self.refuse_digits(from, text)?;
        let mut draft = Draft::default();
        if cuts.iter().all(|cut| first.is_of_list(cut)) {
            self.cut_list(&cuts, from, to, text, &mut draft)?;
        } else {
            self.cut_texts(&cuts, from, to, text, &mut draft)?;
        }
        if draft.left.is_empty() {
            return Err(Refusal::Glue);
        }
        let is_blank = self.keep_blank_entries(&mut draft);
        let lists = self.lists_of_one(&draft.left, last.print.end);
        let Draft {
            mut changes,
            removed,
            left,
            caret,
            spelled,
        } = draft;
        // Of each list from the last, so that the others keep their indices. A list that is printed more
        // than once has them in the order of the prompt, which need not be that of the list.
        let mut removed: Vec<_> = removed.into_iter().map(|(_, place)| place.path).collect();
        removed.sort_by_key(|path| Reverse(index_of(path)));
        changes.extend(removed.into_iter().map(|path| Change::Remove { path }));
        Ok(Plan {
            changes,
            prompts: self.prompts_left(&left, caret, &lists)?,
            // What is typed is printed as it is, what is deleted takes whitespace along.
            trims: text.is_empty() || (is_blank && is_normalized(text)),
            spelled,
            unprinted: None,
        })
    }

    /// What a range within one list leaves.
    fn cut_list(
        &self,
        cuts: &[Cut<'_>],
        from: Position,
        to: Position,
        text: &str,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        let (first, last) = (&cuts[0], &cuts[cuts.len() - 1]);
        let (mut head, mut tail) = (&*first.head, &*last.tail);
        if text.is_empty() {
            // The end of an entry has no whitespace that waits for words, nor has its start.
            if tail.is_empty() {
                head = head.trim_end_matches(is_space);
            }
            if head.is_empty() {
                tail = tail.trim_start_matches(is_space);
            }
        }
        let is_gone = [head, text, tail].iter().all(|part| part.is_empty());
        // What is left of the last entry alone stays in it.
        let retained_entry = match (head.is_empty() && text.is_empty(), is_gone) {
            (_, true) => None,
            (true, false) => Some(cuts.len() - 1),
            (false, false) => Some(0),
        };
        for (number, cut) in cuts.iter().enumerate() {
            if cuts.len() > 1 || is_gone {
                self.entry_source(Some(cut.source))?;
            }
            let cut_source = self.written(cut, from, to)?;
            if retained_entry != Some(number) {
                draft.remove(cut, cut_source.place);
                continue;
            }
            let written = &cut_source.place.text;
            let mut range = cut_source.range;
            let mut words = text.to_owned();
            if text.is_empty() && tail.is_empty() {
                range = with_space_before(written, range);
            }
            if number + 1 < cuts.len() {
                let end = self.written(last, from, to)?;
                words.push_str(&end.place.text[end.range.end..]);
                range.end = written.len();
            } else if text.is_empty() && head.is_empty() {
                range = with_space_behind(written, range);
            }
            let mut result = written.clone();
            result.replace_range(range.clone(), &words);
            draft.spelled = cut_source.place.spelled(self.registry, &result);
            draft
                .changes
                .extend(cut_source.place.changes(range, &words, result));
            draft.left.push(Left {
                print: cut.print.clone(),
                text: Some([head, text, tail].concat()),
            });
            draft.caret = (cut.print.start, head.len() + text.len());
        }
        if is_gone {
            draft.caret = (self.entry_after(last).unwrap_or(first.print.start), 0);
        }
        Ok(())
    }

    /// What a range over several fields leaves.
    fn cut_texts(
        &self,
        cuts: &[Cut<'_>],
        from: Position,
        to: Position,
        text: &str,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        draft.caret = (cuts[0].print.start, cuts[0].head.len() + text.len());
        for (number, cut) in cuts.iter().enumerate() {
            let inserted = if number == 0 { text } else { "" };
            if !cut.is_covered && inserted.is_empty() {
                continue;
            }
            if self.is_cut_already(cut, &cuts[..number], text)? {
                continue;
            }
            let Written { place, mut range } = self.written(cut, from, to)?;
            let (mut head, mut tail) = (&*cut.head, &*cut.tail);
            if inserted.is_empty() && tail.is_empty() {
                head = head.trim_end_matches(is_space);
                range = with_space_before(&place.text, range);
            } else if inserted.is_empty() && head.is_empty() {
                tail = tail.trim_start_matches(is_space);
                range = with_space_behind(&place.text, range);
            }
            let remaining_text = [head, inserted, tail].concat();
            if number == 0 {
                draft.caret.1 = head.len() + inserted.len();
            }
            if remaining_text.is_empty() {
                if cut.source.part == Part::Entry {
                    self.entry_source(Some(cut.source))?;
                    draft.remove(cut, place);
                    continue;
                }
                range = 0..place.text.len();
            }
            let mut result = place.text.clone();
            result.replace_range(range.clone(), inserted);
            if number == 0 {
                draft.spelled = place.spelled(self.registry, &result);
            }
            draft.changes.extend(place.changes(range, inserted, result));
            draft.left.push(Left {
                print: cut.print.clone(),
                text: Some(remaining_text),
            });
        }
        Ok(())
    }

    /// Keeps the first entry of a list that would lose all of them, without its text: the heading of the list
    /// would go as well. Whether there is such a list.
    fn keep_blank_entries(&self, draft: &mut Draft) -> bool {
        let segments = &self.hydration.segments;
        let mut retained_lists: Vec<Option<usize>> = Vec::new();
        let mut removed = Vec::with_capacity(draft.removed.len());
        for (index, place) in draft.removed.drain(..) {
            let token = segments[draft.left[index].print.start].source.as_ref();
            let token = token.and_then(|source| source.token);
            let has_other_entry = segments.iter().enumerate().any(|(at, segment)| {
                let is_of_token = |source: &&Source| source.token == token && token.is_some();
                segment
                    .source
                    .as_ref()
                    .filter(is_of_token)
                    .is_some_and(|source| source.part == Part::Entry)
                    && !draft
                        .left
                        .iter()
                        .any(|left| left.text.is_none() && left.print.contains(&at))
            });
            let has_heading = segments.iter().enumerate().any(|(at, segment)| {
                let source = segment.source.as_ref();
                source.is_some_and(|source| source.token == token && source.part == Part::Heading)
                    && !draft.left.iter().any(|left| {
                        left.print.contains(&at) && left.text.as_ref().is_some_and(String::is_empty)
                    })
            });
            if has_other_entry || !has_heading || retained_lists.contains(&token) {
                removed.push((index, place));
                continue;
            }
            retained_lists.push(token);
            let range = 0..place.text.len();
            draft
                .changes
                .extend(place.changes(range, "", String::new()));
            draft.left[index].text = Some(String::new());
        }
        draft.removed = removed;
        !retained_lists.is_empty()
    }

    /// A range without the glue at its ends; where all of a glue is in the range, the range begins or ends
    /// in the text beside it. None if no text is left.
    pub(super) fn without_glue(
        &self,
        from: Position,
        to: Position,
    ) -> Option<(Position, Position)> {
        let segments = &self.hydration.segments;
        let is_text = |at: usize| {
            segments
                .get(at)
                .is_some_and(|segment| segment.source.is_some())
        };
        let start = |segment: usize| Position { segment, offset: 0 };
        let end = |segment: usize| Position {
            segment,
            offset: segments[segment].text.len(),
        };
        let before = |at: usize| (0..at).rfind(|&at| is_text(at));
        let after = |at: usize| (at..segments.len()).find(|&at| is_text(at));
        let mut first = from;
        if !is_text(from.segment) {
            let left = before(from.segment).filter(|_| from.offset == 0);
            first = left.map(end).or(after(from.segment).map(start))?;
        }
        let mut last = to;
        if !is_text(to.segment) {
            let is_whole = to == end(to.segment);
            let right = after(to.segment).filter(|_| is_whole);
            last = right.map(start).or(before(to.segment).map(end))?;
        }
        if is_bullet(&segments[first.segment]) && first == end(first.segment) {
            let next = first.segment + 1;
            if self.print_of(first.segment).contains(&next) {
                first = start(next);
            }
        }
        let is_order = (first.segment, first.offset) < (last.segment, last.offset);
        is_order.then_some((first, last))
    }

    /// The texts printed from one position to another.
    fn cuts(&self, from: Position, to: Position) -> Vec<Cut<'_>> {
        let segments = &self.hydration.segments;
        let mut cuts = Vec::new();
        let mut at = from.segment;
        while at <= to.segment {
            let print = self.print_of(at);
            at = print.end;
            let Some(source) = &segments[print.start].source else {
                continue;
            };
            let (mut head, mut tail) = (String::new(), String::new());
            let mut is_covered = false;
            let mut is_bare = true;
            for index in print.clone() {
                let segment = &segments[index];
                let covered = covered(index, segment, from, to);
                let is_bullet = is_bullet(segment);
                is_bare &= is_bullet;
                if is_bullet {
                    continue;
                }
                is_covered |= !covered.is_empty();
                head.push_str(&segment.text[..covered.start]);
                tail.push_str(&segment.text[covered.end..]);
            }
            if is_bare {
                // An entry without text: its bullet is all there is of it.
                let segment = &segments[print.start];
                is_covered = covered(print.start, segment, from, to) == (0..segment.text.len());
            }
            cuts.push(Cut {
                print,
                source,
                head,
                tail,
                is_covered,
            });
        }
        cuts
    }

    /// The position of an authored text, and the part of it that a range covers.
    fn written(&self, cut: &Cut<'_>, from: Position, to: Position) -> Result<Written, Refusal> {
        let segments = &self.hydration.segments[cut.print.clone()];
        let place = place::of_source(self.registry, cut.source)?;
        let text = &place.text;
        let ranges = authored_ranges(text, segments)?;
        let edges = match (segments.first(), segments.last()) {
            (Some(first), Some(last)) => {
                let all = 0..text.len();
                printed_range(text, &all, first).start..printed_range(text, &all, last).end
            }
            _ => 0..0,
        };
        let (mut start, mut end) = (None, None);
        for (index, (segment, range)) in cut.print.clone().zip(segments.iter().zip(&ranges)) {
            let covered = covered(index, segment, from, to);
            let is_start = index == from.segment && !is_bullet(segment);
            if is_bullet(segment) || (covered.is_empty() && !is_start) {
                continue;
            }
            if segment.origin == Some(TextOrigin::Slider) && !covered.is_empty() {
                return Err(place::slider(segment, cut.source));
            }
            let part = authored_part(text, segment, range, covered)?;
            start = start.or(Some(part.start));
            end = Some(part.end);
        }
        let range = if cut.head.is_empty() && cut.tail.is_empty() {
            0..text.len()
        } else if let (Some(start), Some(end)) = (start, end) {
            start..end
        } else if cut.head.is_empty() {
            edges.start.min(edges.end)..edges.start.min(edges.end)
        } else {
            edges.end..edges.end
        };
        Ok(Written { place, range })
    }

    /// Whether the same text was cut at an earlier print of it.
    fn is_cut_already(
        &self,
        cut: &Cut<'_>,
        before: &[Cut<'_>],
        text: &str,
    ) -> Result<bool, Refusal> {
        let is_same = |other: &&Cut<'_>| is_same_field(cut.source, other.source);
        let Some(other) = before.iter().find(is_same) else {
            return Ok(false);
        };
        let is_equal = text.is_empty()
            && cut.head == other.head
            && cut.tail == other.tail
            && self.pieces(&cut.print) == self.pieces(&other.print);
        is_equal.then_some(true).ok_or(Refusal::OtherText)
    }

    /// Refuses what would read as more digits of the number of a slider.
    fn refuse_digits(&self, from: Position, text: &str) -> Result<(), Refusal> {
        let segment = self.segment(from.segment)?;
        let source = segment.source.as_ref().ok_or(Refusal::Stale)?;
        if segment.origin == Some(TextOrigin::Slider)
            && from.offset == segment.text.len()
            && begins_with_digit(text)
        {
            return Err(place::slider(segment, source));
        }
        let new_text = [&segment.text[..from.offset], text].concat();
        self.reads_as_number(from.segment, &new_text)
            .map_or(Ok(()), Err)
    }

    /// The entry after another in its list.
    fn entry_after(&self, cut: &Cut<'_>) -> Option<usize> {
        let segments = &self.hydration.segments;
        let next = (cut.print.end..segments.len()).find(|&at| segments[at].source.is_some())?;
        let source = segments[next].source.as_ref()?;
        is_same_list(cut.source, source).then_some(next)
    }
}

impl Cut<'_> {
    /// Whether both are entries of one list.
    fn is_of_list(&self, other: &Self) -> bool {
        is_same_list(self.source, other.source)
    }
}

impl Draft {
    fn remove(&mut self, cut: &Cut<'_>, place: Place) {
        self.removed.push((self.left.len(), place));
        self.left.push(Left {
            print: cut.print.clone(),
            text: None,
        });
    }
}

/// Where an entry is in its list.
fn index_of(path: &[Step]) -> Option<usize> {
    match path.last() {
        Some(Step::Index(index)) => Some(*index),
        _ => None,
    }
}

/// A range that ends a text, with the whitespace before it.
fn with_space_before(text: &str, range: Range<usize>) -> Range<usize> {
    text[..range.start].trim_end_matches(is_space).len()..range.end
}

/// A range that begins what is printed of a text, with all before it and the whitespace behind it.
fn with_space_behind(text: &str, range: Range<usize>) -> Range<usize> {
    let rest = text[range.end..].trim_start_matches(is_space);
    0..text.len() - rest.len()
}

/// The part of a segment that a range covers.
fn covered(index: usize, segment: &Segment, from: Position, to: Position) -> Range<usize> {
    let start = match index.cmp(&from.segment) {
        Ordering::Less => segment.text.len(),
        Ordering::Equal => from.offset,
        Ordering::Greater => 0,
    };
    let end = match index.cmp(&to.segment) {
        Ordering::Less => segment.text.len(),
        Ordering::Equal => to.offset,
        Ordering::Greater => 0,
    };
    start..end
}
