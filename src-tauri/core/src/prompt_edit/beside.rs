//! Text typed, and entries split, before or after the name of a variable in the text that has it.

use std::ops::Range;

use promptdeck_python::text::is_space;

use super::{
    Plan, Printed, Prompt, Refusal, VariablePrint,
    gap::{is_same_print, printed_range},
    is_same_field, place,
};
use crate::hydrate::{Gap, Segment, Source, TextOrigin};

impl Prompt<'_> {
    /// Types before or after a variable.
    pub(super) fn type_beside(
        &self,
        variable: VariablePrint,
        after: bool,
        text: &str,
    ) -> Result<Plan, Refusal> {
        let place = place::of_source(self.registry, self.source_of(variable)?)?;
        let at = self.edge(variable, after, &place.text)?;
        let mut result = place.text.clone();
        result.insert_str(at, text);
        let prompts = match variable {
            VariablePrint::Gap(index) => {
                let is_changed = |at, _: &Gap| self.is_same_name(variable, VariablePrint::Gap(at));
                // Whitespace between the words and the name is printed once that has a value.
                let beside_name = match after {
                    true => text.trim_start_matches(is_space),
                    false => text.trim_end_matches(is_space),
                };
                let mut prompts = vec![self.with_gaps(index, text, None, is_changed)?];
                if !beside_name.is_empty() && beside_name != text {
                    prompts.push(self.with_gaps(index, beside_name, None, is_changed)?);
                }
                prompts
            }
            VariablePrint::Value(index) => vec![self.with_beside_value(index, after, text)?],
        };
        Ok(Plan {
            spelled: place.spelled(self.registry, &result),
            unprinted: None,
            changes: place.changes(at..at, text, result),
            prompts,
            trims: false,
        })
    }

    /// The prompt with a text before or after a value, wherever its text is printed.
    fn with_beside_value(&self, index: usize, after: bool, text: &str) -> Result<Printed, Refusal> {
        let segment = self.segment(index)?;
        let source = segment.source.as_ref().ok_or(Refusal::Stale)?;
        let place = place::of_variable(self.registry, Some(self.call.state), source)?;
        let is_blank = text.chars().all(is_space);
        let beside = |value: &Segment| {
            let printed = printed_range(&place.text, &(0..place.text.len()), value);
            // Whitespace that was cut at this end of the value is then within the text.
            let cut = match after {
                _ if is_blank => "",
                true => &place.text[printed.end..],
                false => &place.text[..printed.start],
            };
            if after {
                let new_text = [&value.text, cut, text].concat();
                let caret = new_text.len();
                (new_text, caret)
            } else {
                ([text, cut, &value.text].concat(), text.len())
            }
        };
        Ok(self.with(|at, other| {
            let is_same =
                || self.is_same_name(VariablePrint::Value(index), VariablePrint::Value(at));
            if at != index && (other.origin != Some(TextOrigin::Variable) || !is_same()) {
                return None;
            }
            let (new_text, caret) = beside(other);
            Some((new_text, (at == index).then_some(caret)))
        }))
    }

    /// The source of a variable that the prompt has.
    pub(super) fn source_of(&self, variable: VariablePrint) -> Result<&Source, Refusal> {
        let source = match variable {
            VariablePrint::Gap(index) => Some(&self.gap(index)?.source),
            VariablePrint::Value(index) => self.segment(index)?.source.as_ref(),
        };
        source
            .filter(|source| source.variable.is_some())
            .ok_or(Refusal::Stale)
    }

    /// The offset before or after the name of a variable, in the text that has it.
    pub(super) fn edge(
        &self,
        variable: VariablePrint,
        after: bool,
        text: &str,
    ) -> Result<usize, Refusal> {
        let name = self.name_in(variable, text)?;
        Ok(if after { name.end } else { name.start })
    }

    /// The name of a variable, with its braces, in the text that has it.
    pub(super) fn name_in(
        &self,
        variable: VariablePrint,
        text: &str,
    ) -> Result<Range<usize>, Refusal> {
        let source = self.source_of(variable)?;
        let name = format!("{{{}}}", source.variable.as_deref().unwrap_or_default());
        let found: Vec<_> = text.match_indices(&name).collect();
        // A text that is printed twice in a row begins again.
        let rank = self.rank(variable) % found.len().max(1);
        let (start, name) = found.get(rank).ok_or(Refusal::Stale)?;
        Ok(*start..start + name.len())
    }

    /// Whether two occurrences of a variable have the same name in the same text.
    pub(super) fn is_same_name(&self, one: VariablePrint, other: VariablePrint) -> bool {
        let sources = self.source_of(one).ok().zip(self.source_of(other).ok());
        let is_same = |(one, other): (&Source, &Source)| {
            is_same_field(one, other) && one.variable == other.variable
        };
        sources.is_some_and(is_same) && self.rank(one) == self.rank(other)
    }

    /// How often its text printed a variable before this, with a value or without one.
    fn rank(&self, variable: VariablePrint) -> usize {
        let hydration = self.hydration;
        let count = |before: &mut dyn Iterator<Item = Option<&Source>>, target: &Source| {
            before
                .map_while(|source| source.filter(|source| is_same_print(target, source)))
                .filter(|source| source.variable == target.variable)
                .count()
        };
        match variable {
            VariablePrint::Gap(index) => {
                let before = hydration.gaps[..index].iter().rev();
                let source = &hydration.gaps[index].source;
                count(&mut before.map(|gap| Some(&gap.source)), source)
            }
            VariablePrint::Value(index) => {
                let before = hydration.segments[..index].iter().rev();
                let value_source = hydration.segments[index].source.as_ref();
                let mut before = before.map(|segment| segment.source.as_ref());
                value_source.map_or(0, |source| count(&mut before, source))
            }
        }
    }
}
