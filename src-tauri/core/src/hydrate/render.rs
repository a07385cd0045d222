//! Renders the content of a token: variables, fragments, headings, bullets, the slider's sentence.

#![allow(
    clippy::inline_always,
    reason = "what a token found is large: built where it is used, it is never moved, which is a \
              third of a call"
)]

use promptdeck_python::text::strip;

use super::{
    Settings,
    assembler::Assembler,
    item_program::FragmentProgram,
    resolve::{ContentBody, EntryIndices, ItemContent, TokenContent},
    segment::{Part, TextOrigin},
    template::{Template, TemplatePart},
    trace::{SourceRef, Trace},
    writer::Writer,
};
use super::{choose, gap_trace::is_placeholder, number};

/// The heading of a printed list.
pub(super) enum Heading {
    /// No heading.
    Absent,
    /// A heading; the byte range of its text, possibly empty.
    Printed(std::ops::Range<usize>),
}

impl<'p, S: Settings> Assembler<'p, '_, S> {
    /// Prints the content of a token as if the prompt were empty. Returns the heading of a list, or
    /// `None` for other content.
    #[inline(always)]
    pub fn write<'o, T: Trace<'p>>(
        &self,
        section: u32,
        token: Option<u32>,
        found: &TokenContent<'p>,
        writer: &mut Writer<'o, T>,
    ) -> Option<Heading> {
        match found {
            TokenContent::Single(content) => self.content(section, token, content, writer),
            TokenContent::Several(contents) => {
                for (position, content) in contents.iter().enumerate() {
                    if position > 0 {
                        writer.glue("\n\n");
                    }
                    self.content(section, token, content, writer);
                }
                None
            }
            TokenContent::Lists { heading, parts } => {
                let count: usize = parts
                    .iter()
                    .map(|part| part.list().map_or(0, |(_, indices)| indices.len()))
                    .sum();
                let field = parts.first().map_or("items", |part| part.field.text());
                let source = |item| source_ref(token, section, item, field, Part::Heading);
                let printed = match heading {
                    Some((item, heading)) => self.heading(heading, source(*item), writer),
                    None => Heading::Absent,
                };
                let bulleted = count > 1 || printed.is_filled();
                let mut first = true;
                for part in parts {
                    self.entries(section, token, part, bulleted, &mut first, writer);
                }
                Some(printed)
            }
        }
    }

    #[inline(always)]
    fn content<T: Trace<'p>>(
        &self,
        section: u32,
        token: Option<u32>,
        content: &ItemContent<'p>,
        writer: &mut Writer<'_, T>,
    ) -> Option<Heading> {
        let source = |part| source_ref(token, section, content.item, content.field.text(), part);
        match &content.body {
            ContentBody::Text(text) => self.text(text, source(Part::Text), writer),
            ContentBody::Fragments { base, fragments } => {
                self.fragments_of(*base, fragments, &source, writer);
            }
            ContentBody::Scale(sentence) => self.scale(sentence, source(Part::Scale), writer),
            ContentBody::List { list, indices } => {
                let printed = match &list.heading {
                    Some(heading) => self.heading(heading, source(Part::Heading), writer),
                    None => Heading::Absent,
                };
                let bulleted = indices.len() > 1 || printed.is_filled();
                self.entries(section, token, content, bulleted, &mut true, writer);
                return Some(printed);
            }
        }
        None
    }

    /// Prints a text, its variables filled in.
    #[inline]
    pub fn text<T: Trace<'p>>(
        &self,
        text: &'p Template,
        source: SourceRef<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        let start = writer.len();
        self.text_after(start, text, source, writer);
    }

    /// Prints a text, to which what was written after `start` belongs.
    #[inline]
    fn text_after<T: Trace<'p>>(
        &self,
        start: usize,
        text: &'p Template,
        source: SourceRef<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        if let Some(literal) = text.literal() {
            writer.push(literal, authored(source, literal, 0));
            return;
        }
        let program = self.program(source.section);
        let mut may_have_gap = false;
        for part in text.parts() {
            match part {
                TemplatePart::Literal(literal, start) => {
                    writer.push(literal, authored(source, literal, start));
                }
                TemplatePart::Variable(number) => {
                    let source = SourceRef {
                        variable: Some(number),
                        origin: TextOrigin::Variable,
                        ..source
                    };
                    let value = self.variable(program, number);
                    may_have_gap |= T::FINDS_GAPS && may_be_gap(value);
                    writer.push(value, source);
                }
            }
        }
        if may_have_gap && !strip(&writer.text[start..]).is_empty() {
            self.report_gaps(text, source, writer);
        }
    }

    /// Reports the variables without a value of their own in a text that printed something.
    #[cold]
    #[inline(never)]
    fn report_gaps<T: Trace<'p>>(
        &self,
        text: &'p Template,
        source: SourceRef<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        let program = self.program(source.section);
        for part in text.parts() {
            let TemplatePart::Variable(number) = part else {
                continue;
            };
            let value = self.variable(program, number);
            let name = &program.section.template_vars()[number as usize];
            let is_placeholder = is_placeholder(value, name);
            if is_placeholder || strip(value).is_empty() {
                let trace = &mut writer.trace;
                trace.gap(source.section, source.item, number, is_placeholder);
            }
        }
    }

    fn fragments_of<T: Trace<'p>>(
        &self,
        base: Option<&'p Template>,
        fragments: &'p [FragmentProgram],
        source: &impl Fn(Part) -> SourceRef<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        let start = writer.len();
        let base = base.map(|base| (base, source(Part::Text)));
        let rest = fragments
            .iter()
            .zip(0..)
            .filter(|(fragment, _)| self.condition(fragment));
        let rest = rest.map(|(fragment, number)| {
            let fragment_source = SourceRef {
                fragment: Some(number),
                ..source(Part::Fragment)
            };
            (&fragment.text, fragment_source)
        });
        for (text, source) in base.into_iter().chain(rest) {
            if self.is_blank(self.program(source.section), text) {
                continue;
            }
            if writer.len() > start {
                writer.glue(" ");
            }
            self.text(text, source, writer);
        }
        writer.trim_from(start);
    }

    fn scale<T: Trace<'p>>(
        &self,
        sentence: &'p Template,
        source: SourceRef<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        let program = self.program(source.section);
        for part in sentence.parts() {
            match part {
                TemplatePart::Literal(literal, start) => {
                    writer.push(literal, authored(source, literal, start));
                }
                // The numbers of the names a scale template may use.
                TemplatePart::Variable(0) => {
                    let slider = choose::slider(program, self.state, self.seed);
                    let origin = TextOrigin::Slider;
                    let number = number::truncated(slider.value);
                    writer.push(&number, SourceRef { origin, ..source });
                }
                TemplatePart::Variable(_) => {
                    let origin = TextOrigin::Emotion;
                    let emotion = &program.item(source.item).emotion;
                    writer.push(emotion, SourceRef { origin, ..source });
                }
            }
        }
    }

    fn heading<T: Trace<'p>>(
        &self,
        heading: &'p Template,
        source: SourceRef<'p>,
        writer: &mut Writer<'_, T>,
    ) -> Heading {
        let start = writer.len();
        self.text(heading, source, writer);
        let end = writer.len();
        if end > start {
            writer.glue("\n");
        }
        Heading::Printed(start..end)
    }

    pub fn entries<T: Trace<'p>>(
        &self,
        section: u32,
        token: Option<u32>,
        content: &ItemContent<'p>,
        bulleted: bool,
        first: &mut bool,
        writer: &mut Writer<'_, T>,
    ) {
        let Some((list, indices)) = content.list() else {
            return;
        };
        if let (false, true, EntryIndices::All(_), Some(all)) =
            (T::RECORDS, bulleted, indices, &list.bulleted)
        {
            if !*first {
                writer.glue("\n");
            }
            *first = false;
            // A bullet and an entry each, and what joins them.
            writer.append(all, 3 * indices.len() - 1);
            return;
        }
        for position in 0..indices.len() {
            let entry = indices.get(position);
            if !*first {
                writer.glue("\n");
            }
            *first = false;
            let start = writer.len();
            let source = SourceRef {
                entry: Some(entry),
                ..source_ref(
                    token,
                    section,
                    content.item,
                    content.field.text(),
                    Part::Entry,
                )
            };
            if bulleted {
                let origin = TextOrigin::Bullet;
                writer.push("- ", SourceRef { origin, ..source });
            }
            self.text_after(start, &list.entries[entry as usize], source, writer);
        }
    }
}

impl Heading {
    /// Whether a heading printed anything.
    pub fn is_filled(&self) -> bool {
        matches!(self, Self::Printed(range) if !range.is_empty())
    }
}

/// Whether a value can be blank or a name in braces, by its first byte alone.
fn may_be_gap(value: &str) -> bool {
    let first = value.as_bytes().first();
    first.is_none_or(|first| *first <= b' ' || *first == b'{' || !first.is_ascii())
}

fn source_ref(
    token: Option<u32>,
    section: u32,
    item: u32,
    field: &str,
    part: Part,
) -> SourceRef<'_> {
    SourceRef {
        token,
        section,
        item,
        field,
        part,
        entry: None,
        fragment: None,
        variable: None,
        origin: TextOrigin::Authored { start: 0, end: 0 },
    }
}

/// The source of a literal that starts there in its text.
fn authored<'p>(source: SourceRef<'p>, literal: &str, start: u32) -> SourceRef<'p> {
    let start = start as usize;
    let origin = TextOrigin::Authored {
        start,
        end: start + literal.len(),
    };
    SourceRef { origin, ..source }
}
