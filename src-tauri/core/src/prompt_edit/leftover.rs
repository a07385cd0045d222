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
        let mut shown: Vec<Option<Shown>> = vec![None; segments.len()];
        let mut at = 0;
        while at < segments.len() {
            let print = self.print_of(at);
            at = print.end;
            let own = left
                .iter()
                .find(|own| self.is_same_text_printed(&own.print, &print));
            let Some(own) = own else { continue };
            if self.pieces(&print) != self.pieces(&own.print) {
                // Printed with other whitespace cut off.
                return Err(Refusal::OtherText);
            }
            own.show(print, segments, &mut shown);
        }
        self.put_caret(caret, &mut shown);
        let mut prompts = Vec::new();
        // A list of one entry prints its bullet or not.
        for chosen in 0..1_usize << lists.len().min(MOST_LISTS) {
            let bare = (0..lists.len().min(MOST_LISTS)).filter(|list| chosen >> list & 1 == 1);
            let bare: Vec<usize> = bare.flat_map(|list| lists[list].iter().copied()).collect();
            prompts.extend(self.without_emptied(|index, own| {
                if bare.contains(&index) {
                    let (text, caret) = shown[index].clone().unwrap_or((own.text.clone(), None));
                    let text = text.strip_prefix(BULLET).unwrap_or_default();
                    let caret = caret.map(|at| at.saturating_sub(BULLET.len()));
                    return Some((text.to_owned(), caret));
                }
                shown[index].clone()
            }));
        }
        Ok(prompts)
    }

    /// Puts the caret into the print that has a segment, at an offset of its text.
    fn put_caret(&self, (segment, offset): (usize, usize), shown: &mut [Option<Shown>]) {
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
            let text = shown[at]
                .take()
                .map_or(segments[at].text.clone(), |own| own.0);
            let is_here = rest <= text.len() || is_last;
            let caret = is_here.then_some(rest.min(text.len()));
            rest -= rest.min(text.len());
            shown[at] = Some((text, caret));
            if is_here {
                return;
            }
        }
    }

    /// Whether two prints are of the same text.
    pub(super) fn is_same_text_printed(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        let source = |print: &Range<usize>| self.hydration.segments[print.start].source.as_ref();
        let pair = source(one).zip(source(other));
        pair.is_some_and(|(one, other)| is_same_field(one, other))
    }

    pub(super) fn pieces(&self, print: &Range<usize>) -> Vec<&str> {
        let segments = self.hydration.segments[print.clone()].iter();
        segments
            .filter(|own| !is_bullet(own))
            .map(|own| &*own.text)
            .collect()
    }

    /// The bullets of lists that the edit leaves with one entry, and of the list after it.
    pub(super) fn lists_of_one(&self, left: &[Left], end: usize) -> Vec<Vec<usize>> {
        let segments = &self.hydration.segments;
        let mut lists: Vec<(&Source, Vec<usize>)> = Vec::new();
        for (index, own) in segments.iter().enumerate() {
            let Some(source) = own.source.as_ref().filter(|_| is_bullet(own)) else {
                continue;
            };
            let is_removed = left.iter().any(|own| {
                own.text.is_none() && self.is_same_text_printed(&own.print, &(index..index + 1))
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
        let after = after.find_map(|own| own.source.as_ref());
        let touched = left
            .iter()
            .filter_map(|own| segments[own.print.start].source.as_ref());
        let touched: Vec<&Source> = touched.chain(after).collect();
        let mut found = Vec::new();
        for (source, bullets) in lists {
            let is_touched = touched.iter().any(|own| own.section == source.section);
            if bullets.len() == 1 && is_touched {
                found.push(bullets);
            }
        }
        found
    }
}

impl Left {
    /// Puts what is left into a print of the text.
    fn show(&self, print: Range<usize>, segments: &[Segment], shown: &mut [Option<Shown>]) {
        let mut text = self.text.clone();
        let is_bare = segments[print.clone()].iter().all(is_bullet);
        for index in print {
            shown[index] = match (&self.text, is_bullet(&segments[index])) {
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
