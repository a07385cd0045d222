//! A prompt by section and field, so that two versions of it can be compared place by place.

use promptdeck_core::hydrate::{Part, PrintedPiece, Roll, RolledText};

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

/// An item, and its entry and fragment.
type Entry = (usize, Option<usize>, Option<usize>);

/// Two versions of a prompt, divided by section and field. For the rolls of one pair of rollers.
#[derive(Default)]
pub(super) struct Versions<'e> {
    old: Parts<'e>,
    new: Parts<'e>,
    same: SameTexts,
}

impl<'e> Versions<'e> {
    /// The texts that differ, by section and field, in order: those of the old prompt first. What one
    /// of them lacks is an empty text.
    pub fn differences(
        &mut self,
        [old, new]: [Numbered<'_, 'e>; 2],
    ) -> impl Iterator<Item = (usize, &'e str, &str, &str)> {
        let only = self.same.can_differ(old, new);
        self.old.divide(old, only.as_deref());
        self.new.divide(new, only.as_deref());
        self.old.differences(&self.new)
    }
}

/// The texts of one prompt by section and field, in buffers that are used again.
#[derive(Default)]
struct Parts<'e> {
    parts: Vec<PartText<'e>>,
    used: usize,
    /// By section, the position of its last part.
    last_parts: Vec<Option<usize>>,
    /// By the number of a text, the sections of its pieces, once they are known.
    sections: Vec<Option<Box<[usize]>>>,
}

#[derive(Default)]
struct PartText<'e> {
    section: usize,
    field: &'e str,
    text: String,
    /// The entry of the last piece.
    last: Entry,
    /// The part of the same section before this one.
    earlier: Option<usize>,
}

impl<'e> Parts<'e> {
    /// Divides a prompt, or what it prints in some sections.
    fn divide(&mut self, prompt: Numbered<'_, 'e>, only: Option<&[bool]>) {
        self.used = 0;
        self.last_parts.clear();
        let (Some(only), Some(texts)) = (only, prompt.roll.texts()) else {
            prompt
                .roll
                .pieces()
                .for_each(|piece| self.add(prompt, &piece));
            return;
        };
        for text in texts {
            let mut sections = self.sections_of(prompt, text).iter();
            if sections.any(|section| only.get(*section) == Some(&true)) {
                text.pieces().for_each(|piece| self.add(prompt, &piece));
            }
        }
    }

    fn sections_of(&mut self, prompt: Numbered<'_, 'e>, text: RolledText<'_, 'e>) -> &[usize] {
        if self.sections.len() <= text.number {
            self.sections.resize(text.number + 1, None);
        }
        let known = self.sections.get_mut(text.number);
        known.map_or(&[], |known| {
            known.get_or_insert_with(|| {
                let mut sections: Vec<usize> = prompt
                    .places(text)
                    .filter_map(|place| place.section)
                    .collect();
                sections.dedup();
                sections.into()
            })
        })
    }

    fn add(&mut self, prompt: Numbered<'_, 'e>, piece: &PrintedPiece<'_, 'e>) {
        let Some(place) = prompt.place(piece) else {
            return;
        };
        let Some(section) = place.section else {
            return;
        };
        let known = self.find(section, place.field);
        let at = known.unwrap_or_else(|| self.open(section, place.field));
        let Some(part) = self.parts.get_mut(at) else {
            return;
        };
        // So that moving text from one entry to the next is a change.
        if known.is_some() && part.last != place.entry {
            part.text.push('\n');
        }
        part.last = place.entry;
        part.text.push_str(piece.text);
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

    fn differences<'s>(
        &'s self,
        other: &'s Self,
    ) -> impl Iterator<Item = (usize, &'e str, &'s str, &'s str)> {
        let used_texts = self.used().iter().map(move |part| {
            let after = other.text(part.section, part.field).unwrap_or_default();
            (part.section, part.field, part.text.as_str(), after)
        });
        let added = other.used().iter().filter_map(move |part| {
            let added = self.text(part.section, part.field).is_none();
            added.then_some((part.section, part.field, "", part.text.as_str()))
        });
        used_texts
            .chain(added)
            .filter(|(_, _, before, after)| before != after)
    }
}

/// A prompt, and its sections as both versions number them.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'r, 'e> {
    pub roll: Roll<'r, 'e>,
    pub sections: &'r [usize],
}

/// Where a piece comes from, as far as a change shows it.
#[derive(PartialEq, Eq)]
struct PiecePlace<'e> {
    /// As both versions number it.
    section: Option<usize>,
    field: &'e str,
    entry: Entry,
    bytes: usize,
}

impl<'r, 'e> Numbered<'r, 'e> {
    #[inline]
    fn place(self, piece: &PrintedPiece<'_, 'e>) -> Option<PiecePlace<'e>> {
        let source = piece.source.as_ref()?;
        Some(PiecePlace {
            section: self.sections.get(source.section).copied(),
            field: field_of(source.part, source.field),
            entry: (source.item, source.entry, source.fragment),
            bytes: piece.text.len(),
        })
    }

    fn places(self, text: RolledText<'r, 'e>) -> impl Iterator<Item = PiecePlace<'e>> {
        let pieces = text.pieces();
        pieces.filter_map(move |piece| self.place(&piece))
    }
}

/// Which texts of two rollers are the same: by the number of an old text, that of a new one.
#[derive(Default)]
struct SameTexts(Vec<Option<usize>>);

impl SameTexts {
    /// By section, whether two prompts can differ in it: it has one of the texts between those that
    /// the prompts share at both ends. None if a prompt was not put together from texts. An edit
    /// changes few of a prompt's sections, so the rest need not be divided.
    fn can_differ<'r, 'e>(
        &mut self,
        old: Numbered<'r, 'e>,
        new: Numbered<'r, 'e>,
    ) -> Option<Vec<bool>> {
        let (old_texts, new_texts) = (old.roll.texts()?, new.roll.texts()?);
        let mut is_same = |one: RolledText<'r, 'e>, other: RolledText<'r, 'e>| {
            if self.0.get(one.number) == Some(&Some(other.number)) {
                return true;
            }
            let same = one.text() == other.text() && old.places(one).eq(new.places(other));
            if same {
                self.note(one.number, other.number);
            }
            same
        };
        let pairs = old_texts.clone().zip(new_texts.clone());
        let start = pairs
            .take_while(|(one, other)| is_same(*one, *other))
            .count();
        let rest = old_texts.len().min(new_texts.len()) - start;
        let pairs = old_texts
            .clone()
            .rev()
            .zip(new_texts.clone().rev())
            .take(rest);
        let end = pairs
            .take_while(|(one, other)| is_same(*one, *other))
            .count();
        let sections = old.sections.iter().chain(new.sections).max();
        let mut found = vec![false; sections.map_or(0, |last| last + 1)];
        let mut note = |place: PiecePlace<'e>| {
            if let Some(found) = place.section.and_then(|section| found.get_mut(section)) {
                *found = true;
            }
        };
        for text in between(old_texts, start, end) {
            old.places(text).for_each(&mut note);
        }
        for text in between(new_texts, start, end) {
            new.places(text).for_each(&mut note);
        }
        Some(found)
    }

    fn note(&mut self, old: usize, new: usize) {
        if self.0.len() <= old {
            self.0.resize(old + 1, None);
        }
        if let Some(known) = self.0.get_mut(old) {
            *known = Some(new);
        }
    }
}

/// What is left without so many at the start and at the end.
fn between<T>(
    all: impl ExactSizeIterator<Item = T>,
    start: usize,
    end: usize,
) -> impl Iterator<Item = T> {
    let count = all.len() - start - end;
    all.skip(start).take(count)
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
    use promptdeck_core::{
        hydrate::{Engine, Roller, Seed, State},
        registry,
    };

    use super::{Numbered, Parts, Versions, difference};

    /// Four sections, of which two are rolled.
    const DECK: &str = r#"{"assembly_order": ["role.text", "rules.items", "mood.text", "end.text"],
        "role": {"section_random": true, "items": [{"id": "a", "text": "Host."}, {"id": "b", "text": "Guide."}]},
        "rules": {"required": true, "items": [{"id": "a", "items": ["One.", "Two.", "Three."],
            "items_mode": "random:2"}]},
        "mood": {"section_random": true, "items": [{"id": "a", "text": "Calm."}, {"id": "b", "text": "Two."}]},
        "end": {"required": true, "items": [{"id": "a", "text": "Begin."}]}}"#;

    #[test]
    fn what_both_versions_print_alike_can_be_left_out() {
        for (from, to) in [
            ("Guide.", "Guide of the museum."),
            (r#""One.", "Two.""#, r#""Two.", "One.""#),
            (r#""Two.", "Three.""#, r#""Two.""#),
            ("random:2", "all"),
            (r#""mood.text", "end.text""#, r#""end.text", "mood.text""#),
            (r#""role.text", "#, ""),
            (r#""end.text"]"#, r#""end.text", "role.text"]"#),
            // The same text from another place.
            (r#""mood.text", "end.text"]"#, r#""tone.text", "end.text"]"#),
            (r#""mood": {"#, r#""mood": {"required": true, "#),
            ("Calm.", "Two."),
            ("Begin.", ""),
        ] {
            let edited = DECK.replace(from, to);
            let edited = match edited.contains("tone.text") {
                true => edited.replace(r#""mood": {"#, r#""tone": {"#),
                false => edited,
            };
            assert_ne!(edited, DECK);
            let engine = |text: &str| {
                Engine::new(
                    registry::parse(text.as_bytes())
                        .expect("a registry")
                        .registry,
                )
            };
            let (old, new, state) = (engine(DECK), engine(&edited), State::default());
            let mut names: Vec<String> = Vec::new();
            let mut numbers = |engine: &Engine| -> Vec<usize> {
                let sections = engine.registry().sections().keys();
                let number = |name: &String| {
                    names
                        .iter()
                        .position(|known| known == name)
                        .unwrap_or_else(|| {
                            names.push(name.clone());
                            names.len() - 1
                        })
                };
                sections.map(number).collect()
            };
            let (old_sections, new_sections) = (numbers(&old), numbers(&new));
            let roller = |engine| Roller::new(engine, &state, None).expect("a route");
            let (mut old, mut new) = (roller(&old), roller(&new));
            let mut versions = Versions::default();
            for seed in 0..200 {
                let seed = Seed::from_bits(seed);
                let numbered = [
                    (old.roll(seed), &old_sections),
                    (new.roll(seed), &new_sections),
                ]
                .map(|(roll, sections)| Numbered { roll, sections });
                let whole = numbered.map(|prompt| {
                    let mut parts = Parts::default();
                    parts.divide(prompt, None);
                    parts
                });
                let [before, after] = &whole;
                let expected: Vec<_> = before.differences(after).collect();
                let found: Vec<_> = versions.differences(numbered).collect();
                assert_eq!(found, expected, "{from} became {to}, {seed:?}");
            }
        }
    }

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
