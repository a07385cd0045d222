//! Entries of a list that are split and joined in the prompt.

use super::{
    BULLET, Change, Plan, Printed, Prompt, Refusal, Step, VariablePrint, alignment, is_same_text,
    pasted_lines::entries_of,
    place::{self, Place},
};
use crate::hydrate::{Mode, Part, Segment, Source, TextOrigin};
use crate::registry::Registry;

impl Prompt<'_> {
    /// Splits an entry: what follows the caret becomes an entry, and each line between as well.
    pub fn split(&self, index: usize, at: usize, lines: &str) -> Result<Plan, Refusal> {
        let segment = self.segment(index)?;
        let source = self.entry_source(segment.source.as_ref())?;
        let split = Split::new(self, source, lines, |_| self.authored_offset(index, at))?;
        let inserted = split.inserted();
        let first = self.gets_bullet(source, index).filter(|_| split.is_split());
        let printed = self.with(|position, other| {
            let is_caret = position == index
                || if segment.origin == Some(TextOrigin::Variable) {
                    let [at_caret, other] = [index, position].map(VariablePrint::Value);
                    self.is_same_name(at_caret, other)
                } else {
                    is_same_text(other, segment)
                };
            let is_first = first == Some(position);
            if !is_caret && !is_first {
                return None;
            }
            let mut new_text = String::new();
            if is_first {
                new_text.push_str(BULLET);
            }
            if !is_caret {
                new_text.push_str(&other.text);
                return Some((new_text, None));
            }
            let at = at.min(other.text.len());
            new_text.push_str(other.text.get(..at).unwrap_or_default());
            new_text.push_str(&inserted);
            let caret = new_text.len();
            new_text.push_str(other.text.get(at..).unwrap_or_default());
            Some((new_text, (position == index).then_some(caret)))
        });
        Ok(split.plan(self.registry, printed))
    }

    /// Splits an entry before or after a variable in it.
    pub fn split_beside(
        &self,
        variable: VariablePrint,
        after: bool,
        lines: &str,
    ) -> Result<Plan, Refusal> {
        let index = match variable {
            VariablePrint::Gap(index) => index,
            VariablePrint::Value(index) => {
                let end = self.segment(index)?.text.len();
                return self.split(index, if after { end } else { 0 }, lines);
            }
        };
        let gap = self.gap(index)?;
        let source = self.entry_source(Some(&gap.source))?;
        let split = Split::new(self, source, lines, |text| self.edge(variable, after, text))?;
        let mut inserted = split.inserted();
        let before = gap.segment.checked_sub(1);
        let before = before.filter(|before| self.is_of_entry(*before, source));
        let first = before.and_then(|before| self.gets_bullet(source, before));
        let first = first.filter(|_| split.is_split());
        if before.is_none() && split.is_split() && self.bullet(source).is_none() {
            inserted.insert_str(0, BULLET);
        }
        let printed = self.with_gaps(index, &inserted, first, |at, _| {
            self.is_same_name(variable, VariablePrint::Gap(at))
        })?;
        Ok(split.plan(self.registry, printed))
    }

    /// The first segment of an entry that has no bullet and gets one, at or before another of its
    /// segments: a list of one entry without a heading has no bullets, with two it has.
    fn gets_bullet(&self, source: &Source, index: usize) -> Option<usize> {
        let before = (0..=index).rev();
        let entry_segments = before.take_while(|before| self.is_of_entry(*before, source));
        entry_segments
            .last()
            .filter(|_| self.bullet(source).is_none())
    }

    /// Joins an entry to the one before it in its list.
    pub fn join(&self, index: usize) -> Result<Plan, Refusal> {
        let segment = self.segment(index)?;
        let source = self.entry_source(segment.source.as_ref())?;
        let place = place::of_entry(self.registry, Some(source))?;
        let before = match source.entry.and_then(|entry| entry.checked_sub(1)) {
            Some(entry) => Source {
                entry: Some(entry),
                ..source.clone()
            },
            None => {
                return Err(Refusal::FirstEntry {
                    field: source.field.to_string(),
                });
            }
        };
        let target = place::of_entry(self.registry, Some(&before))?;
        let bullet = self.bullet(source).ok_or(Refusal::OtherText)?;
        let bullet = self.segment(bullet)?;
        let segments = &self.hydration.segments;
        let is_bullet = |position: usize| {
            let candidate = segments.get(position);
            candidate.is_some_and(|segment| is_same_text(segment, bullet))
        };
        let is_glue = |position: usize, other: &Segment| {
            other.source.is_none() && other.text == "\n" && is_bullet(position + 1)
        };
        let (mut joined, mut bare) = (Printed::default(), Printed::default());
        let mut is_found = false;
        for (position, other) in segments.iter().enumerate() {
            if is_glue(position, other) {
                continue;
            }
            if is_bullet(position) {
                if !is_found {
                    joined.caret = joined.text.len();
                    bare.caret = bare.text.len();
                }
                is_found = true;
                continue;
            }
            joined.text.push_str(&other.text);
            // Where one entry is left, the list may lose its bullets.
            let loses = other.origin == Some(TextOrigin::Bullet)
                && other
                    .source
                    .as_ref()
                    .is_some_and(|own_source| is_entry(own_source, &before));
            if !loses {
                bare.text.push_str(&other.text);
            }
        }
        Ok(Plan {
            changes: vec![
                Change::Splice {
                    path: target.path,
                    range: target.text.len()..target.text.len(),
                    text: place.text.clone(),
                },
                Change::Remove { path: place.path },
            ],
            prompts: vec![joined, bare],
            trims: true,
            spelled: None,
            unprinted: None,
        })
    }

    /// The source of an entry whose list prints all of its entries.
    pub(super) fn entry_source<'s>(
        &self,
        source: Option<&'s Source>,
    ) -> Result<&'s Source, Refusal> {
        let source = source.ok_or(Refusal::NoEntry)?;
        if source.part != Part::Entry || source.entry.is_none() {
            return Err(Refusal::NoEntry);
        }
        let arrays = &self.hydration.evaluation.arrays;
        let array = arrays.iter().find(|array| {
            array.section == *source.section
                && array.item == source.item
                && array.field == *source.field
        });
        match array {
            Some(array) if Mode::parse(&array.mode).0 != Mode::All => Err(Refusal::Mode {
                section: source.section.to_string(),
                item: source.item,
                field: source.field.to_string(),
                mode: array.mode.clone(),
            }),
            _ => Ok(source),
        }
    }

    fn bullet(&self, source: &Source) -> Option<usize> {
        self.hydration.segments.iter().position(|segment| {
            segment.origin == Some(TextOrigin::Bullet)
                && segment
                    .source
                    .as_ref()
                    .is_some_and(|own_source| is_entry(own_source, source))
        })
    }

    fn is_of_entry(&self, position: usize, source: &Source) -> bool {
        let segment = self.hydration.segments.get(position);
        let position_source = segment.and_then(|segment| segment.source.as_ref());
        position_source.is_some_and(|own_source| {
            own_source.token == source.token && is_entry(own_source, source)
        })
    }

    /// The offset of a caret in the text of its entry.
    fn authored_offset(&self, index: usize, at: usize) -> Result<usize, Refusal> {
        let segment = self.segment(index)?;
        if !segment.text.is_char_boundary(at) {
            return Err(Refusal::Stale);
        }
        let source = segment.source.as_ref().ok_or(Refusal::NoEntry)?;
        match segment.origin {
            Some(TextOrigin::Authored { .. }) => {
                let place = place::of_segment(self.registry, None, segment)?;
                let piece = &place.text[place.piece.clone()];
                let range = alignment::range(piece, &segment.text, at..at);
                Ok(place.piece.start + range.ok_or(Refusal::Whitespace)?.start)
            }
            Some(TextOrigin::Bullet) if at == segment.text.len() => Ok(0),
            Some(TextOrigin::Variable) => {
                let text = place::text_of(self.registry, source)?;
                let name = self.name_in(VariablePrint::Value(index), text)?;
                match at {
                    0 => Ok(name.start),
                    _ if at == segment.text.len() => Ok(name.end),
                    _ => Err(Refusal::InValue {
                        name: source.variable.as_deref().unwrap_or_default().to_owned(),
                    }),
                }
            }
            _ => Err(Refusal::Bullet),
        }
    }
}

/// What two entries have between them in the prompt.
const SPLIT: &str = "\n- ";

/// An entry that is split.
struct Split {
    place: Place,
    /// Which entry of its list it is.
    entry: usize,
    /// The offset in its text.
    at: usize,
    /// The lines between its two parts, see [`entries_of`]; one where they stay one entry.
    between: Vec<String>,
}

impl Split {
    /// Splits the entry of a source at an offset of its text.
    fn new(
        prompt: &Prompt<'_>,
        source: &Source,
        lines: &str,
        offset: impl FnOnce(&str) -> Result<usize, Refusal>,
    ) -> Result<Self, Refusal> {
        let place = place::of_entry(prompt.registry, Some(source))?;
        let at = offset(&place.text)?;
        let (head, tail) = place.text.split_at_checked(at).ok_or(Refusal::Stale)?;
        let between = entries_of(lines, head, tail);
        let entry = source.entry.unwrap_or_default();
        Ok(Self {
            place,
            entry,
            at,
            between,
        })
    }

    /// What is printed between the two parts.
    fn inserted(&self) -> String {
        self.between.join(SPLIT)
    }

    fn is_split(&self) -> bool {
        self.between.len() > 1
    }

    /// The plan, with the prompt it has to give and the caret in it.
    fn plan(self, registry: &Registry, prompt: Printed) -> Plan {
        let inserted = self.inserted();
        let Self {
            place,
            entry,
            at,
            between,
        } = self;
        let (head, tail) = place.text.split_at(at);
        let end = if between.len() > 1 {
            place.text.len()
        } else {
            at
        };
        let mut changes = vec![Change::Splice {
            path: place.path.clone(),
            range: at..end,
            text: between[0].clone(),
        }];
        let last = between.len() - 1;
        for (number, line) in between.iter().enumerate().skip(1) {
            let mut path = place.path.clone();
            path.pop();
            path.push(Step::Index(entry + number));
            let rest = if number == last { tail } else { "" };
            changes.push(Change::Insert {
                path,
                text: format!("{line}{rest}"),
            });
        }
        // A split alone writes no text that could spell out a variable.
        let written = || format!("{head}{inserted}{tail}");
        let spelled = (inserted != SPLIT).then(written);
        Plan {
            changes,
            prompts: vec![prompt],
            trims: true,
            spelled: spelled.and_then(|text| place.spelled(registry, &text)),
            unprinted: None,
        }
    }
}

/// Whether two sources refer to the same entry.
fn is_entry(one: &Source, other: &Source) -> bool {
    one.section == other.section
        && one.item == other.item
        && one.field == other.field
        && one.entry == other.entry
}
