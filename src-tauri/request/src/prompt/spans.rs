//! The pieces of a rendered template as spans of a prompt, each with the text of the registry it came
//! from, and the places between them where something without a value prints nothing.

use std::ops::Range;

use promptdeck_core::hydrate::{Gap, Segment, Source};

use super::{EmptyPlace, PromptSpan, key_in_args};
use crate::template::{ExpressionGap, Origin, PrintedExpression, Rendering};

/// What a template was made from.
pub struct Template<'a> {
    /// The template.
    pub source: &'a str,
    /// The segments of the hydrated prompt.
    pub segments: &'a [Segment],
    /// Where each of them begins in the template, in bytes.
    pub starts: &'a [usize],
    /// The variables between them that have no value.
    pub gaps: &'a [Gap],
}

impl Template<'_> {
    /// The text of the registry at an offset of the template.
    pub fn source_at(&self, offset: usize) -> Option<&Source> {
        let index = self.segment_at(offset)?;
        self.segments[index].source.as_ref()
    }

    fn segment_at(&self, offset: usize) -> Option<usize> {
        self.starts
            .partition_point(|&start| start <= offset)
            .checked_sub(1)
    }

    /// Where a variable without a value would be in the template.
    fn offset_of(&self, gap: &Gap) -> usize {
        let start = self.starts.get(gap.segment);
        start.copied().unwrap_or(self.source.len())
    }

    /// The part of the template that a piece stands for, with what printed nothing beside it: whitespace
    /// that was trimmed, and the delimiters of an expression.
    fn extent(&self, origin: &Origin) -> (usize, usize) {
        let (Origin::Text(range) | Origin::Value(_, range) | Origin::Expression(range)) = origin;
        let before = self.source.get(..range.start).unwrap_or_default();
        let rest_of_source = self.source.get(range.end..).unwrap_or_default();
        match origin {
            Origin::Text(_) => (
                before.trim_end().len(),
                range.end + rest_of_source.len() - rest_of_source.trim_start().len(),
            ),
            Origin::Value(..) => (range.start, range.end),
            // No further than its tag, which a call block closes with another delimiter.
            Origin::Expression(_) => {
                let opening = before.rfind('{').map(|at| &before[..=at]);
                let opening = opening.and_then(|opening| opening.strip_suffix("{{"));
                let closing = rest_of_source.find('}');
                let closing = closing.filter(|&at| rest_of_source[at..].starts_with("}}"));
                (
                    opening.map_or(range.start, str::len),
                    range.end + closing.map_or(0, |at| at + "}}".len()),
                )
            }
        }
    }
}

/// Spans in the making.
pub struct Spans<'a> {
    template: &'a Template<'a>,
    /// What the expressions read.
    printed: &'a [PrintedExpression],
    /// What is made of the pieces so far.
    pub made: Vec<PromptSpan>,
    /// The places in between.
    pub empty: Vec<EmptyPlace>,
    /// How many spans were made when variables were last placed, and how many of all variables were
    /// placed by then: two pieces that meet at a variable both have it.
    placed: (usize, usize),
}

impl<'a> Spans<'a> {
    /// The spans of a rendering.
    pub fn of(template: &'a Template<'a>, rendering: &'a Rendering) -> Self {
        let mut spans = Self {
            template,
            printed: &rendering.printed,
            made: Vec::new(),
            empty: Vec::new(),
            placed: (0, 0),
        };
        let mut expressions: Vec<(usize, &ExpressionGap)> = rendering
            .gaps
            .iter()
            .flat_map(|gap| gap.places.iter().map(move |place| (*place, gap)))
            .collect();
        expressions.sort_by_key(|(place, gap)| (*place, gap.range.start));
        let mut expressions = expressions.into_iter().peekable();
        let mut at = 0;
        for (index, piece) in rendering.pieces.iter().enumerate() {
            while let Some((_, gap)) = expressions.next_if(|(place, _)| *place <= index) {
                spans.add_expression_gap(gap);
            }
            let text = &rendering.output[at..at + piece.length];
            at += piece.length;
            spans.add_piece(text, piece.origin.as_ref());
        }
        expressions.for_each(|(_, gap)| spans.add_expression_gap(gap));
        if template.segments.is_empty() {
            spans.add_gaps(0, 0);
        }
        spans
    }

    fn add_piece(&mut self, text: &str, origin: Option<&Origin>) {
        let Some(origin) = origin else {
            self.add(text, None, None);
            return;
        };
        let (start, end) = self.template.extent(origin);
        let (Origin::Text(range) | Origin::Value(_, range) | Origin::Expression(range)) = origin;
        self.add_gaps(start, range.start);
        match origin {
            Origin::Text(range) => self.add_text(text, range.start),
            Origin::Value(_, range) => self.add(text, Some(range.start), None),
            Origin::Expression(range) => {
                let expression = self.template.source.get(range.clone()).map(str::to_owned);
                let made = self.made.len();
                self.add(text, Some(range.start), expression);
                if let Some(span) = self.made.get_mut(made) {
                    span.arguments = arguments(self.printed, range);
                }
            }
        }
        self.add_gaps(range.end, end);
    }

    /// Places an expression without a value, once where the rounds of a loop print nothing between.
    fn add_expression_gap(&mut self, gap: &ExpressionGap) {
        let span = self.made.len();
        let expression = self.template.source.get(gap.range.clone());
        let span_gaps = self.empty.iter().rev();
        let mut same_span = span_gaps.take_while(|place| place.span == span);
        if same_span.any(|place| place.expression.as_deref() == expression) {
            return;
        }
        self.empty.push(EmptyPlace {
            span,
            source: self.template.source_at(gap.range.start).cloned(),
            expression: expression.map(str::to_owned),
        });
    }

    /// Places the variables without a value between two offsets of the template, both included.
    fn add_gaps(&mut self, from: usize, to: usize) {
        let template = self.template;
        let made = self.made.len();
        let first = template
            .gaps
            .partition_point(|gap| template.offset_of(gap) < from);
        let first = match self.placed {
            (spans, gaps) if spans == made => first.max(gaps),
            _ => first,
        };
        for (index, gap) in (first..).zip(template.gaps.iter().skip(first)) {
            if template.offset_of(gap) > to {
                break;
            }
            self.empty.push(EmptyPlace {
                span: made,
                source: Some(gap.source.clone()),
                expression: None,
            });
            self.placed = (made, index + 1);
        }
    }

    fn add(&mut self, text: &str, offset: Option<usize>, expression: Option<String>) {
        if text.is_empty() {
            return;
        }
        let source = offset.and_then(|offset| self.template.source_at(offset));
        self.made.push(PromptSpan {
            text: text.to_owned(),
            source: source.cloned(),
            expression,
            arguments: Vec::new(),
        });
    }

    /// Authored text may run through several segments.
    fn add_text(&mut self, text: &str, offset: usize) {
        let template = self.template;
        let mut from = 0;
        while from < text.len() {
            let at = offset + from;
            self.add_gaps(at, at);
            let next = template
                .segment_at(at)
                .and_then(|index| template.starts.get(index + 1))
                .map_or(text.len(), |&start| (start - offset).min(text.len()));
            self.add(&text[from..next], Some(at), None);
            from = next;
        }
    }
}

/// The keys in `args` that the expression at a range of the template reads.
fn arguments(printed: &[PrintedExpression], range: &Range<usize>) -> Vec<String> {
    let found = printed.binary_search_by_key(&range.start, |each| each.range.start);
    let reads = found.into_iter().flat_map(|index| &printed[index].reads);
    let keys = reads.filter_map(|name| match name.strip_prefix("args.") {
        Some(key) => Some(key),
        None => key_in_args(name, name),
    });
    let mut unique: Vec<String> = Vec::new();
    for key in keys {
        if !unique.iter().any(|known| known == key) {
            unique.push(key.to_owned());
        }
    }
    unique
}
