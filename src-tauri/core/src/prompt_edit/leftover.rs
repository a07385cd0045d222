//! The prompts that are right after an edit over several texts: what is left of each, wherever it is
//! printed.

use std::ops::Range;

use super::{BULLET, Printed, Prompt, Refusal, emptied::Shown, is_same_field};
use crate::hydrate::{Part, Segment, Source, TextOrigin};

/// Lists that are compared with and without their bullets at most.
const MOST_LISTS: usize = 4;

/// What a text prints after the edit.
pub(super) struct Left {
    pub print: Range<usize>,
    /// None where the entry is removed.
    pub text: Option<String>,
}

impl Prompt<'_> {
    /// The prompts with what is left of some texts, wherever they are printed.
    pub(super) fn prompts_left(
        &self,
        left: &[Left],
        caret: (usize, usize),
        lists: &[Vec<usize>],
    ) -> Result<Vec<Printed>, Refusal> {
        let segments = &self.hydration.segments;
        let mut replacements: Vec<Option<Shown>> = vec![None; segments.len()];
        let mut at = 0;
        while at < segments.len() {
            let print = self.print_of(at);
            at = print.end;
            let matching = left
                .iter()
                .find(|leftover| self.is_same_text_printed(&leftover.print, &print));
            let Some(leftover) = matching else { continue };
            if self.pieces(&print) != self.pieces(&leftover.print) {
                // Printed with other whitespace cut off.
                return Err(Refusal::OtherText);
            }
            leftover.show(print, segments, &mut replacements);
        }
        self.put_caret(caret, &mut replacements);
        let mut prompts = Vec::new();
        // A list of one entry prints its bullet or not.
        for chosen in 0..1_usize << lists.len().min(MOST_LISTS) {
            let bare_lists =
                (0..lists.len().min(MOST_LISTS)).filter(|list| chosen >> list & 1 == 1);
            let bare_lists: Vec<usize> = bare_lists
                .flat_map(|list| lists[list].iter().copied())
                .collect();
            prompts.extend(self.without_emptied(|index, segment| {
                if bare_lists.contains(&index) {
                    let (text, caret) = replacements[index]
                        .clone()
                        .unwrap_or((segment.text.clone(), None));
                    let text = text.strip_prefix(BULLET).unwrap_or_default();
                    let caret = caret.map(|at| at.saturating_sub(BULLET.len()));
                    return Some((text.to_owned(), caret));
                }
                replacements[index].clone()
            }));
        }
        Ok(prompts)
    }

    /// Puts the caret into the print that has a segment, at an offset of its text.
    fn put_caret(&self, (segment, offset): (usize, usize), replacements: &mut [Option<Shown>]) {
        let segments = &self.hydration.segments;
        let print = self.print_of(segment);
        let mut rest = offset;
        for at in print.clone() {
            let is_last = at + 1 == print.end;
            if is_bullet(&segments[at]) {
                if !is_last {
                    continue;
                }
                rest += BULLET.len();
            }
            let text = replacements[at]
                .take()
                .map_or(segments[at].text.clone(), |replacement| replacement.0);
            let holds_caret = rest <= text.len() || is_last;
            let caret = holds_caret.then_some(rest.min(text.len()));
            rest -= rest.min(text.len());
            replacements[at] = Some((text, caret));
            if holds_caret {
                return;
            }
        }
    }

    /// Whether two prints come from the same text.
    pub(super) fn is_same_text_printed(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        let source = |print: &Range<usize>| self.hydration.segments[print.start].source.as_ref();
        let pair = source(one).zip(source(other));
        pair.is_some_and(|(one, other)| is_same_field(one, other))
    }

    pub(super) fn pieces(&self, print: &Range<usize>) -> Vec<&str> {
        let segments = self.hydration.segments[print.clone()].iter();
        segments
            .filter(|segment| !is_bullet(segment))
            .map(|segment| &*segment.text)
            .collect()
    }

    /// The bullets of lists that the edit leaves with one entry, and of the list after it.
    pub(super) fn lists_of_one(&self, left: &[Left], end: usize) -> Vec<Vec<usize>> {
        let segments = &self.hydration.segments;
        let mut lists: Vec<(&Source, Vec<usize>)> = Vec::new();
        for (index, segment) in segments.iter().enumerate() {
            let Some(source) = segment.source.as_ref().filter(|_| is_bullet(segment)) else {
                continue;
            };
            let is_removed = left.iter().any(|left_text| {
                left_text.text.is_none()
                    && self.is_same_text_printed(&left_text.print, &(index..index + 1))
            });
            let at = match lists
                .iter()
                .position(|(other, _)| is_same_list(source, other))
            {
                Some(at) => at,
                None => {
                    lists.push((source, Vec::new()));
                    lists.len() - 1
                }
            };
            if !is_removed {
                lists[at].1.push(index);
            }
        }
        let mut after = segments[end..].iter();
        let after = after.find_map(|segment| segment.source.as_ref());
        let touched = left
            .iter()
            .filter_map(|left_text| segments[left_text.print.start].source.as_ref());
        let touched: Vec<&Source> = touched.chain(after).collect();
        let mut found = Vec::new();
        for (source, bullets) in lists {
            let is_touched = touched
                .iter()
                .any(|touched_source| touched_source.section == source.section);
            if bullets.len() == 1 && is_touched {
                found.push(bullets);
            }
        }
        found
    }
}

impl Left {
    /// Puts what is left into a print of the text.
    fn show(&self, print: Range<usize>, segments: &[Segment], replacements: &mut [Option<Shown>]) {
        let mut text = self.text.clone();
        let is_bare = segments[print.clone()].iter().all(is_bullet);
        for index in print {
            replacements[index] = match (&self.text, is_bullet(&segments[index])) {
                (None, _) => Some((String::new(), None)),
                (Some(text), true) if is_bare => Some((format!("{BULLET}{text}"), None)),
                (Some(_), true) => None,
                (Some(_), false) => Some((text.take().unwrap_or_default(), None)),
            };
        }
    }
}

/// Whether both are entries of one list, printed by the same entry of the assembly.
pub(super) fn is_same_list(one: &Source, other: &Source) -> bool {
    one.part == Part::Entry
        && other.part == Part::Entry
        && one.token == other.token
        && one.section == other.section
        && one.item == other.item
        && one.field == other.field
}

pub(super) fn is_bullet(segment: &Segment) -> bool {
    segment.origin == Some(TextOrigin::Bullet)
}
