//! A prompt by section and field, so that two versions of it can be compared place by place.

use promptdeck_core::hydrate::{Part, Roll};

use crate::common_start::{shared_bytes, shared_end};

/// The field that a piece belongs to: `scale` for the sentence of a slider, `fragments` for a
/// fragment, `pre_context` for the heading of a list.
pub(crate) fn field_of(part: Part, field: &str) -> &str {
    match part {
        Part::Text | Part::Entry | Part::Injection => field,
        Part::Heading => "pre_context",
        Part::Fragment => "fragments",
        Part::Scale => "scale",
    }
}

/// The texts of one prompt by section and field, in buffers that are used again.
#[derive(Default)]
pub(super) struct Parts<'e> {
    parts: Vec<PartText<'e>>,
    used: usize,
    /// By section, the position of its last part.
    last_parts: Vec<Option<usize>>,
}

#[derive(Default)]
struct PartText<'e> {
    section: usize,
    field: &'e str,
    text: String,
    /// The item, entry and fragment of the last piece.
    last: (usize, Option<usize>, Option<usize>),
    /// The part of the same section before this one.
    earlier: Option<usize>,
}

impl<'e> Parts<'e> {
    /// Divides a prompt; `sections` maps its sections to those of both versions.
    pub fn divide(&mut self, roll: Roll<'_, 'e>, sections: &[usize]) {
        self.used = 0;
        self.last_parts.clear();
        for piece in roll.pieces() {
            let Some(source) = &piece.source else {
                continue;
            };
            let Some(section) = sections.get(source.section).copied() else {
                continue;
            };
            let field = field_of(source.part, source.field);
            let last = (source.item, source.entry, source.fragment);
            let known = self.find(section, field);
            let at = known.unwrap_or_else(|| self.open(section, field));
            let Some(part) = self.parts.get_mut(at) else {
                continue;
            };
            // So that moving text from one entry to the next is a change.
            if known.is_some() && part.last != last {
                part.text.push('\n');
            }
            part.last = last;
            part.text.push_str(piece.text);
        }
    }

    fn open(&mut self, section: usize, field: &'e str) -> usize {
        if self.used == self.parts.len() {
            self.parts.push(PartText::default());
        }
        let at = self.used;
        self.used += 1;
        if self.last_parts.len() <= section {
            self.last_parts.resize(section + 1, None);
        }
        let earlier = self
            .last_parts
            .get_mut(section)
            .and_then(|last| last.replace(at));
        if let Some(part) = self.parts.get_mut(at) {
            part.section = section;
            part.field = field;
            part.text.clear();
            part.earlier = earlier;
        }
        at
    }

    /// The position of a part. A section has few, a prompt may have hundreds.
    fn find(&self, section: usize, field: &str) -> Option<usize> {
        let mut at = self.last_parts.get(section).copied().flatten();
        while let Some(part) = at.and_then(|at| self.parts.get(at)) {
            if part.field == field {
                break;
            }
            at = part.earlier;
        }
        at
    }

    fn text(&self, section: usize, field: &str) -> Option<&str> {
        let part = self.parts.get(self.find(section, field)?)?;
        Some(&part.text)
    }

    fn used(&self) -> &[PartText<'e>] {
        self.parts.get(..self.used).unwrap_or_default()
    }

    /// The texts that differ from another prompt's, by section and field, in order: those of this
    /// prompt first. What one of them lacks is an empty text.
    pub fn differences<'s>(
        &'s self,
        other: &'s Self,
    ) -> impl Iterator<Item = (usize, &'e str, &'s str, &'s str)> {
        let own = self.used().iter().map(move |part| {
            let after = other.text(part.section, part.field).unwrap_or_default();
            (part.section, part.field, part.text.as_str(), after)
        });
        let added = other.used().iter().filter_map(move |part| {
            let added = self.text(part.section, part.field).is_none();
            added.then_some((part.section, part.field, "", part.text.as_str()))
        });
        own.chain(added)
            .filter(|(_, _, before, after)| before != after)
    }
}

/// How much of two texts differs, in bytes, without what they share at both ends: the longer of the
/// rests.
pub(super) fn difference(before: &str, after: &str) -> u64 {
    let (before, after) = (before.as_bytes(), after.as_bytes());
    let start = shared_bytes(before, after);
    let rest = |text: &[u8]| text.len() - start;
    let (before_rest, after_rest) = (rest(before), rest(after));
    let shorter = before_rest.min(after_rest);
    let end = shared_end(before, after).min(shorter);
    (before_rest.max(after_rest) - end) as u64
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_ends_that_texts_share_do_not_count() {
        for (before, after, expected) in [
            ("", "", 0),
            ("same", "same", 0),
            ("", "abc", 3),
            ("one two three", "one 2 three", 3),
            ("aa", "aaa", 1),
            ("abcabc", "abc", 3),
            ("x", "y", 1),
        ] {
            assert_eq!(difference(before, after), expected, "{before:?} {after:?}");
            assert_eq!(difference(after, before), expected, "{after:?} {before:?}");
        }
    }
}
