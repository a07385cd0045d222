//! From a token to what it prints: which field of which item, which entries, or why nothing.

#![allow(
    clippy::inline_always,
    reason = "what a token found is large: built where it is used, it is never moved, which is a \
              third of a call"
)]

use promptdeck_python::text::is_space;
use smallvec::SmallVec;

use super::{
    ArrayEvaluation, Mode, Name, Origin, Settings,
    choose::{Chosen, has_slider},
    item_program::{FieldProgram, FragmentProgram, ItemProgram, ListProgram},
    pick::Picker,
    program::SectionProgram,
    report::DropReason,
    route_program::{Form, Target},
    template::{Part, Template},
    trace::Trace,
    walk::Walk,
    writer::Writer,
};

/// What a token prints.
pub(super) enum Found<'p> {
    /// One piece of content.
    One(Content<'p>),
    /// The contents of several chosen items, not all of them lists.
    Several(Vec<Content<'p>>),
    /// Lists only: one list, under the first heading found.
    Lists {
        heading: Option<(u32, &'p Template)>,
        parts: Vec<Content<'p>>,
    },
}

/// What one item contributes.
pub(super) struct Content<'p> {
    pub item: u32,
    pub field: &'p Name,
    pub body: Body<'p>,
}

/// How an item's contribution is printed.
pub(super) enum Body<'p> {
    Text(&'p Template),
    Fragments {
        base: Option<&'p Template>,
        fragments: &'p [FragmentProgram],
    },
    List {
        entries: &'p ListProgram,
        kept: Kept,
    },
    Scale(&'p Template),
}

/// The entries of an array that a mode keeps, in the order printed; at least one.
pub(super) enum Kept {
    All(u32),
    Some(SmallVec<[u32; 4]>),
}

impl<'p> Content<'p> {
    /// Its list and which entries of it, when it is one.
    pub fn list(&self) -> Option<(&'p ListProgram, &Kept)> {
        match &self.body {
            Body::List { entries, kept } => Some((entries, kept)),
            Body::Text(_) | Body::Fragments { .. } | Body::Scale(_) => None,
        }
    }
}

impl Found<'_> {
    /// Whether it is a list, of one item or of several.
    pub fn is_list(&self) -> bool {
        match self {
            Self::One(content) => matches!(content.body, Body::List { .. }),
            Self::Several(_) => false,
            Self::Lists { .. } => true,
        }
    }
}

impl Kept {
    pub fn len(&self) -> usize {
        match self {
            Self::All(count) => *count as usize,
            Self::Some(entries) => entries.len(),
        }
    }

    pub fn get(&self, position: usize) -> u32 {
        match self {
            Self::All(_) => position as u32,
            Self::Some(entries) => entries[position],
        }
    }
}

type Resolved<T> = Result<T, DropReason>;

impl<'p, S: Settings> Walk<'p, '_, S> {
    /// What a token prints, or why it prints nothing.
    #[inline(always)]
    pub fn resolve<T: Trace<'p>>(&self, target: &'p Target, trace: &mut T) -> Resolved<Found<'p>> {
        let program = self.program(target.section);
        let chosen = &self.choices[target.slot as usize].chosen;
        match &target.form {
            Form::Bare => self.bare(program, chosen, trace),
            Form::Dotted(field) => self.dotted(program, chosen, field, trace),
            Form::Bracket(inner) => self.bracket(program, inner, trace),
        }
    }

    fn bracket<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        inner: &'p Result<Box<Target>, DropReason>,
        trace: &mut T,
    ) -> Resolved<Found<'p>> {
        let inner = inner.as_ref().map_err(|reason| *reason)?;
        let mut text = String::new();
        let found = self.resolve(inner, trace)?;
        let mut writer = Writer::new(&mut text, super::trace::Silence);
        self.write(inner.section, None, &found, &mut writer);
        let item = program.find_bracket(&text).ok_or(DropReason::NoMatch)?;
        self.whole(program, item, trace).map(Found::One)
    }

    #[inline(always)]
    fn bare<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        chosen: &Chosen,
        trace: &mut T,
    ) -> Resolved<Found<'p>> {
        match chosen {
            Chosen::Nobody => Err(DropReason::NothingSelected),
            Chosen::Single(item) => self.whole(program, *item, trace).map(Found::One),
            Chosen::Many(items) => self.several(program, items, &program.primary, trace),
        }
    }

    #[inline(always)]
    fn dotted<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        chosen: &Chosen,
        field: &'p Name,
        trace: &mut T,
    ) -> Resolved<Found<'p>> {
        let own = match chosen {
            Chosen::Nobody => Err(DropReason::NothingSelected),
            Chosen::Single(item) => {
                if let Some(content) = self.field(program, *item, field, trace) {
                    return content.map(Found::One);
                }
                if field.text() == "scale" && has_slider(program, self.state) {
                    return Ok(Found::One(Content {
                        item: *item,
                        field,
                        body: Body::Scale(program.scale()),
                    }));
                }
                Err(DropReason::NoSuchField)
            }
            Chosen::Many(items) => match self.several(program, items, field, trace) {
                Ok(found) => return Ok(found),
                Err(reason) => Err(reason),
            },
        };
        if field.text() == "scale" && program.name() == "sentiment" {
            return own;
        }
        if let Some(item) = program.find_label(field.text()) {
            return self.whole(program, item, trace).map(Found::One);
        }
        match chosen {
            Chosen::Nobody => own,
            Chosen::Single(item) => match self.field(program, *item, &program.pool, trace) {
                Some(content) => content.map(Found::One),
                None => Err(DropReason::NoSuchField),
            },
            Chosen::Many(items) => {
                self.several(program, items, &program.pool, trace)
                    .map_err(|reason| match reason {
                        DropReason::NoSuchField => own.err().unwrap_or(reason),
                        other => other,
                    })
            }
        }
    }

    /// An item as a whole: its pool when it has one, else its primary field.
    #[inline(always)]
    fn whole<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        item: u32,
        trace: &mut T,
    ) -> Resolved<Content<'p>> {
        let compiled = program.item(item);
        let field = if compiled.has_pool() {
            &program.pool
        } else {
            &program.primary
        };
        self.field(program, item, field, trace)
            .unwrap_or(Err(DropReason::NoSuchField))
    }

    /// That field of each item that has something there.
    fn several<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        items: &[u32],
        field: &'p Name,
        trace: &mut T,
    ) -> Resolved<Found<'p>> {
        if let [item] = items {
            let content = self
                .field(program, *item, field, trace)
                .unwrap_or(Err(DropReason::NoSuchField))?;
            if self.stands_alone(program, &content) {
                return Ok(Found::One(content));
            }
            return self.together(program, vec![content]);
        }
        let mut parts = Vec::new();
        let mut reason = DropReason::NoSuchField;
        for item in items {
            match self.field(program, *item, field, trace) {
                None => {}
                Some(Ok(content)) => parts.push(content),
                Some(Err(dropped)) => reason = dropped,
            }
        }
        if parts.is_empty() {
            return Err(reason);
        }
        self.together(program, parts)
    }

    /// Whether one item's contribution means the same alone as in a list of one: it prints
    /// something, and its heading does when it is a list that has one.
    fn stands_alone(&self, program: &'p SectionProgram, content: &Content<'p>) -> bool {
        match &content.body {
            Body::List { entries, .. } => {
                let heading = entries.heading.as_ref();
                heading.is_none_or(|heading| self.fills(program, heading))
            }
            _ => !self.leaves_blank(program, content),
        }
    }

    /// The contributions of several items, at least one, as one.
    fn together(
        &self,
        program: &'p SectionProgram,
        parts: Vec<Content<'p>>,
    ) -> Resolved<Found<'p>> {
        if parts
            .iter()
            .any(|part| !matches!(part.body, Body::List { .. }))
        {
            // One that prints nothing keeps its place among others, but not alone.
            if parts.iter().all(|part| self.leaves_blank(program, part)) {
                return Err(DropReason::Blank);
            }
            return Ok(Found::Several(parts));
        }
        let heading = parts.iter().find_map(|part| {
            let heading = part.list()?.0.heading.as_ref()?;
            self.fills(program, heading).then_some((part.item, heading))
        });
        Ok(Found::Lists { heading, parts })
    }

    /// One field of one item: nothing when the author did not write it, an error when it is empty.
    #[inline(always)]
    fn field<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        item: u32,
        field: &'p Name,
        trace: &mut T,
    ) -> Option<Resolved<Content<'p>>> {
        let compiled = program.item(item);
        if !compiled.fragments.is_empty() && field.text() == "text" {
            return Some(self.fragments(program, item, field, compiled));
        }
        let (field, found) = compiled.field(field)?;
        let body = match found {
            FieldProgram::Empty => return Some(Err(DropReason::EmptyField)),
            FieldProgram::Text(text) => Body::Text(text),
            FieldProgram::List(entries) => {
                match self.kept(program, item, field, entries.entries.len(), trace) {
                    Some(kept) => Body::List { entries, kept },
                    None => return Some(Err(DropReason::NoEntries)),
                }
            }
        };
        Some(Ok(Content { item, field, body }))
    }

    fn fragments(
        &self,
        program: &'p SectionProgram,
        item: u32,
        field: &'p Name,
        compiled: &'p ItemProgram,
    ) -> Resolved<Content<'p>> {
        let base = match compiled.field(field) {
            Some((_, FieldProgram::Text(base))) => Some(base),
            _ => None,
        };
        let fragments = &compiled.fragments;
        let printed = base.into_iter().chain(
            fragments
                .iter()
                .filter(|fragment| self.condition(fragment))
                .map(|fragment| &fragment.text),
        );
        if printed.into_iter().all(|text| self.is_blank(program, text)) {
            return Err(DropReason::Blank);
        }
        Ok(Content {
            item,
            field,
            body: Body::Fragments { base, fragments },
        })
    }

    /// Whether the variable a fragment waits for holds anything.
    pub fn condition(&self, fragment: &FragmentProgram) -> bool {
        fragment.condition.as_ref().is_none_or(|(key, default)| {
            let text = self.state.variable(key).filter(|text| !text.is_empty());
            let text = text.or(default.as_deref()).unwrap_or_default();
            !text.chars().all(is_space)
        })
    }

    /// The text of a declared variable.
    pub fn variable(&self, program: &'p SectionProgram, number: u32) -> &str {
        let variable = &program.variables[number as usize];
        let set = self
            .state
            .variable(&variable.key)
            .filter(|text| !text.is_empty());
        set.or(variable.default.as_deref()).unwrap_or_default()
    }

    /// Whether a text prints anything but blanks, if that.
    pub fn is_blank(&self, program: &'p SectionProgram, text: &'p Template) -> bool {
        self.printed(program, text)
            .all(|part| part.chars().all(is_space))
    }

    /// Whether a text prints anything at all.
    pub fn fills(&self, program: &'p SectionProgram, text: &'p Template) -> bool {
        self.printed(program, text).any(|part| !part.is_empty())
    }

    /// The pieces a text prints, its variables filled in.
    pub fn printed<'s>(
        &'s self,
        program: &'p SectionProgram,
        text: &'p Template,
    ) -> impl Iterator<Item = &'s str> {
        text.parts().map(move |part| match part {
            Part::Literal(literal) => literal,
            Part::Variable(number) => self.variable(program, number),
        })
    }

    /// Whether an item's contribution prints nothing but blanks.
    fn leaves_blank(&self, program: &'p SectionProgram, content: &Content<'p>) -> bool {
        match &content.body {
            Body::Text(text) => self.is_blank(program, text),
            Body::List { entries, kept } => {
                let heading = entries.heading.as_ref();
                kept.len() == 1
                    && !heading.is_some_and(|heading| self.fills(program, heading))
                    && self.is_blank(program, &entries.entries[kept.get(0) as usize])
            }
            Body::Fragments { .. } | Body::Scale(_) => false,
        }
    }

    /// The entries that the mode of that field keeps, when it keeps any.
    #[inline(always)]
    fn kept<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        item: u32,
        field: &Name,
        total: usize,
        trace: &mut T,
    ) -> Option<Kept> {
        let name = program.name();
        let set;
        let (mode, mut origin) = match self.state.mode(&program.key, field) {
            Some(text) => {
                set = Mode::parse(text).0;
                (&set, Origin::Selection)
            }
            None => match program.modes.iter().find(|(other, _)| other == field) {
                Some((_, mode)) => (mode, Origin::Baked),
                None => (&Mode::All, Origin::Default),
            },
        };
        let within = |index: i64| {
            u32::try_from(index)
                .ok()
                .filter(|index| (*index as usize) < total)
        };
        let kept = match mode {
            Mode::All => Some(Kept::All(total as u32)),
            Mode::None => None,
            Mode::Index(index) => {
                within(*index).map(|index| Kept::Some(SmallVec::from_slice(&[index])))
            }
            Mode::Indices(list) => {
                let list: SmallVec<[u32; 4]> =
                    list.iter().filter_map(|index| within(*index)).collect();
                (!list.is_empty()).then_some(Kept::Some(list))
            }
            Mode::Random(count) => {
                origin = Origin::Random;
                let pinned = self.pins.and_then(|pins| {
                    let array = (name.to_owned(), item as usize, field.text().to_owned());
                    pins.get(&array).cloned()
                });
                let kept = pinned.unwrap_or_else(|| {
                    let identity = program.item(item).identity.as_deref();
                    Picker::of_array(self.seed, name, identity, item as usize, field.text())
                        .sample(*count, total)
                });
                Some(Kept::Some(kept.into()))
            }
        };
        trace.array(|| ArrayEvaluation {
            section: name.to_owned(),
            item: item as usize,
            id: program.item(item).identity.as_deref().map(str::to_owned),
            field: field.text().to_owned(),
            mode: mode.to_string(),
            origin,
            kept: kept
                .iter()
                .flat_map(|kept| (0..kept.len()).map(|at| kept.get(at) as usize))
                .collect(),
            total,
        });
        kept
    }
}
