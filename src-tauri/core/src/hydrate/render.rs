//! From what a token found to text: variables, fragments, headings, bullets, the slider's sentence.

#![allow(
    clippy::inline_always,
    reason = "what a token found is large: built where it is used, it is never moved, which is a \
              third of a call"
)]

use super::{
    Settings,
    item_program::FragmentProgram,
    resolve::{Body, Content, Found, Kept},
    segment::Part as Role,
    template::{Part, Template},
    trace::{Spot, Trace},
    walk::Walk,
    writer::Writer,
};
use super::{choose, number};

/// What a list begins with.
pub(super) enum Heading {
    /// No heading at all.
    Absent,
    /// A heading was there: the text it printed stands at these bytes, possibly none.
    Printed(std::ops::Range<usize>),
}

impl<'p, S: Settings> Walk<'p, '_, S> {
    /// Prints what a token found, as if nothing stood before it. Says where the heading of a list
    /// stands; nothing when it is no list.
    #[inline(always)]
    pub fn write<'o, T: Trace<'p>>(
        &self,
        section: u32,
        token: Option<u32>,
        found: &Found<'p>,
        writer: &mut Writer<'o, T>,
    ) -> Option<Heading> {
        match found {
            Found::One(content) => self.content(section, token, content, writer),
            Found::Several(contents) => {
                for (position, content) in contents.iter().enumerate() {
                    if position > 0 {
                        writer.glue("\n\n");
                    }
                    self.content(section, token, content, writer);
                }
                None
            }
            Found::Lists { heading, parts } => {
                let count: usize = parts
                    .iter()
                    .map(|part| part.list().map_or(0, |(_, kept)| kept.len()))
                    .sum();
                let field = parts.first().map_or("items", |part| part.field.text());
                let spot = |item| spot(token, section, item, field, Role::Heading);
                let printed = match heading {
                    Some((item, heading)) => self.heading(heading, spot(*item), writer),
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

    /// Prints the entries of lists as a continuation of the list that stands last.
    pub fn absorb<T: Trace<'p>>(
        &self,
        section: u32,
        token: Option<u32>,
        found: &Found<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        let parts = match found {
            Found::One(content) => std::slice::from_ref(content),
            Found::Several(parts) | Found::Lists { parts, .. } => parts,
        };
        let mut first = false;
        for part in parts {
            self.entries(section, token, part, true, &mut first, writer);
        }
    }

    /// The heading that a list would print, when it is a list that has one.
    pub fn heading_of(&self, found: &Found<'p>) -> Option<&'p Template> {
        match found {
            Found::One(content) => content.list()?.0.heading.as_ref(),
            Found::Several(_) => None,
            Found::Lists { heading, .. } => heading.map(|(_, heading)| heading),
        }
    }

    #[inline(always)]
    fn content<T: Trace<'p>>(
        &self,
        section: u32,
        token: Option<u32>,
        content: &Content<'p>,
        writer: &mut Writer<'_, T>,
    ) -> Option<Heading> {
        let spot = |part| spot(token, section, content.item, content.field.text(), part);
        match &content.body {
            Body::Text(text) => self.text(text, spot(Role::Text), writer),
            Body::Fragments { base, fragments } => {
                self.fragments_of(*base, fragments, &spot, writer);
            }
            Body::Scale(sentence) => self.scale(sentence, spot(Role::Scale), writer),
            Body::List { entries, kept } => {
                let printed = match &entries.heading {
                    Some(heading) => self.heading(heading, spot(Role::Heading), writer),
                    None => Heading::Absent,
                };
                let bulleted = kept.len() > 1 || printed.is_filled();
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
        spot: Spot<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        if let Some(literal) = text.literal() {
            writer.push(literal, spot);
            return;
        }
        let program = self.program(spot.section);
        for part in text.parts() {
            match part {
                Part::Literal(literal) => writer.push(literal, spot),
                Part::Variable(number) => {
                    let variable = Some(number);
                    writer.push(self.variable(program, number), Spot { variable, ..spot });
                }
            }
        }
    }

    fn fragments_of<T: Trace<'p>>(
        &self,
        base: Option<&'p Template>,
        fragments: &'p [FragmentProgram],
        spot: &impl Fn(Role) -> Spot<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        let start = writer.len();
        let base = base.map(|base| (base, spot(Role::Text)));
        let rest = fragments
            .iter()
            .zip(0..)
            .filter(|(fragment, _)| self.condition(fragment));
        let rest = rest.map(|(fragment, number)| {
            let fragment_spot = Spot {
                fragment: Some(number),
                ..spot(Role::Fragment)
            };
            (&fragment.text, fragment_spot)
        });
        for (text, spot) in base.into_iter().chain(rest) {
            if self.is_blank(self.program(spot.section), text) {
                continue;
            }
            if writer.len() > start {
                writer.glue(" ");
            }
            self.text(text, spot, writer);
        }
        writer.trim_from(start);
    }

    fn scale<T: Trace<'p>>(
        &self,
        sentence: &'p Template,
        spot: Spot<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        let program = self.program(spot.section);
        for part in sentence.parts() {
            match part {
                Part::Literal(literal) => writer.push(literal, spot),
                // The numbers of the names a scale template may use.
                Part::Variable(0) => {
                    let slider = choose::slider(program, self.state, self.seed);
                    writer.push(&number::truncated(slider.value), spot);
                }
                Part::Variable(_) => writer.push(&program.item(spot.item).emotion, spot),
            }
        }
    }

    fn heading<T: Trace<'p>>(
        &self,
        heading: &'p Template,
        spot: Spot<'p>,
        writer: &mut Writer<'_, T>,
    ) -> Heading {
        let start = writer.len();
        self.text(heading, spot, writer);
        let end = writer.len();
        if end > start {
            writer.glue("\n");
        }
        Heading::Printed(start..end)
    }

    fn entries<T: Trace<'p>>(
        &self,
        section: u32,
        token: Option<u32>,
        content: &Content<'p>,
        bulleted: bool,
        first: &mut bool,
        writer: &mut Writer<'_, T>,
    ) {
        let Some((list, kept)) = content.list() else {
            return;
        };
        if let (false, true, Kept::All(_), Some(all)) = (T::LISTENS, bulleted, kept, &list.bulleted)
        {
            if !*first {
                writer.glue("\n");
            }
            *first = false;
            writer.text.push_str(all);
            return;
        }
        for position in 0..kept.len() {
            let entry = kept.get(position);
            if !*first {
                writer.glue("\n");
            }
            *first = false;
            let spot = Spot {
                entry: Some(entry),
                ..spot(
                    token,
                    section,
                    content.item,
                    content.field.text(),
                    Role::Entry,
                )
            };
            if bulleted {
                writer.push("- ", spot);
            }
            self.text(&list.entries[entry as usize], spot, writer);
        }
    }
}

impl Heading {
    /// Whether a heading printed anything.
    pub fn is_filled(&self) -> bool {
        matches!(self, Self::Printed(range) if !range.is_empty())
    }
}

fn spot(token: Option<u32>, section: u32, item: u32, field: &str, part: Role) -> Spot<'_> {
    Spot {
        token,
        section,
        item,
        field,
        part,
        entry: None,
        fragment: None,
        variable: None,
    }
}
