//! Variables without a value: one gets its value, or the prompt a text where one would be printed.

use std::ops::Range;

use promptdeck_python::text::is_space;

use super::{
    BULLET, Plan, Printed, Prompt, Refusal, VariablePrint, is_same_field, passage::authored_ranges,
    place,
};
use crate::hydrate::{Gap, Segment, Source, TextOrigin};

impl Prompt<'_> {
    /// Gives a value to a variable that has none.
    pub(super) fn fill(&self, index: usize, text: &str) -> Result<Plan, Refusal> {
        let gap = self.gap(index)?;
        let place = place::of_variable(self.registry, Some(self.call.state), &gap.source)?;
        let is_same = |other: &Gap| {
            other.source.section == gap.source.section
                && other.source.variable == gap.source.variable
        };
        let prompt = self.with_gaps(index, text, None, |_, other| is_same(other))?;
        Ok(Plan {
            spelled: None,
            unprinted: None,
            changes: place.changes(0..0, text, text.to_owned()),
            prompts: vec![prompt],
            trims: false,
        })
    }

    /// Whether a segment stands before or after a gap in its text.
    pub(super) fn is_beside_gap(&self, index: usize) -> bool {
        let gaps = self.hydration.gaps.iter();
        let mut beside = gaps.filter(|gap| (index..=index + 1).contains(&gap.segment));
        beside.any(|gap| is_of(gap, &self.hydration.segments[index]))
    }

    pub(super) fn gap(&self, index: usize) -> Result<&Gap, Refusal> {
        self.hydration.gaps.get(index).ok_or(Refusal::Stale)
    }

    /// The prompt with a text at some gaps, and where the text of the gap at `index` ends. Whitespace that
    /// the assembly cut beside such a gap is printed again, as it is then within the text. A segment may
    /// get a bullet.
    pub(super) fn with_gaps(
        &self,
        index: usize,
        text: &str,
        bulleted: Option<usize>,
        is_changed: impl Fn(usize, &Gap) -> bool,
    ) -> Result<Printed, Refusal> {
        let is_blank = text.chars().all(is_space);
        let mut prompt = String::with_capacity(self.hydration.text.len() + text.len());
        let mut caret = 0;
        let mut gaps = (0..).zip(&self.hydration.gaps).peekable();
        for at in 0..=self.hydration.segments.len() {
            let mut last = None;
            while let Some((number, gap)) = gaps.next_if(|(_, gap)| gap.segment <= at) {
                if !is_changed(number, gap) {
                    continue;
                }
                if !is_blank {
                    prompt.push_str(&self.cut_before(number, last)?);
                    last = Some(number);
                }
                prompt.push_str(text);
                if number == index {
                    caret = prompt.len();
                }
            }
            if let Some(segment) = self.hydration.segments.get(at) {
                if let Some(last) = last {
                    prompt.push_str(&self.cut_between(last, segment)?);
                }
                if bulleted == Some(at) {
                    prompt.push_str(BULLET);
                }
                prompt.push_str(&segment.text);
            }
        }
        Ok(Printed {
            text: prompt,
            caret,
            ..Printed::default()
        })
    }

    /// The whitespace that was cut before a gap: from the text printed before it, or from the gap before
    /// it that gets a text as well.
    fn cut_before(&self, index: usize, last: Option<usize>) -> Result<String, Refusal> {
        let gap = self.gap(index)?;
        let Ok(text) = place::text_of(self.registry, &gap.source) else {
            return Ok(String::new());
        };
        let name = self.name_in(VariablePrint::Gap(index), text)?;
        if let Some(last) = last
            && is_same_print(&self.gap(last)?.source, &gap.source)
        {
            let before = self.name_in(VariablePrint::Gap(last), text)?;
            return Ok(self.blank(gap, text, before.end..name.start));
        }
        let before = self.hydration.segments[..gap.segment].iter().rev();
        let count = before.take_while(|segment| is_of(gap, segment)).count();
        let before = &self.hydration.segments[gap.segment - count..gap.segment];
        let ranges = authored_ranges(text, before)?;
        let (Some(range), Some(segment)) = (ranges.last(), before.last()) else {
            return Ok(String::new());
        };
        let end = printed_range(text, range, segment).end;
        Ok(self.blank(gap, text, end..name.start))
    }

    /// The whitespace that was cut between a gap and the text printed after it.
    fn cut_between(&self, index: usize, next: &Segment) -> Result<String, Refusal> {
        let gap = self.gap(index)?;
        let (Ok(text), Some(TextOrigin::Authored { start, end })) =
            (place::text_of(self.registry, &gap.source), next.origin)
        else {
            return Ok(String::new());
        };
        if !is_of(gap, next) {
            return Ok(String::new());
        }
        let start = printed_range(text, &(start..end), next).start;
        let name = self.name_in(VariablePrint::Gap(index), text)?;
        Ok(self.blank(gap, text, name.end..start))
    }

    /// The whitespace in a range of an authored text that holds nothing else but names of variables.
    fn blank(&self, gap: &Gap, text: &str, range: Range<usize>) -> String {
        let names = self.registry.section(&gap.source.section);
        let names = names.map_or(&[][..], |section| section.template_vars());
        let mut between = text.get(range).unwrap_or_default().to_owned();
        for name in names {
            between = between.replace(&format!("{{{name}}}"), "");
        }
        between.retain(is_space);
        between
    }
}

/// Whether a segment and a gap belong to the same print of the same text.
fn is_of(gap: &Gap, segment: &Segment) -> bool {
    let source = segment.source.as_ref();
    source.is_some_and(|source| is_same_print(&gap.source, source))
}

/// Whether two sources are of one print of one text.
pub(super) fn is_same_print(one: &Source, other: &Source) -> bool {
    one.token == other.token && is_same_field(one, other)
}

/// The part of a range of a text that a segment prints; whitespace at its ends may be cut.
pub(super) fn printed_range(text: &str, range: &Range<usize>, segment: &Segment) -> Range<usize> {
    let Some(piece) = text.get(range.clone()) else {
        return range.clone();
    };
    let mut printed = range.clone();
    if !segment.text.starts_with(is_space) {
        printed.start += piece.len() - piece.trim_start_matches(is_space).len();
    }
    if !segment.text.ends_with(is_space) {
        printed.end -= piece.len() - piece.trim_end_matches(is_space).len();
    }
    printed
}
