//! Resolves a token to its content: which field of which item, which entries, or why none.

#![allow(
    clippy::inline_always,
    reason = "what a token found is large: built where it is used, it is never moved, which is a \
              third of a call"
)]

use promptdeck_python::text::is_space;

use super::{
    ArrayEvaluation, HashedKey, Mode, Origin, Settings,
    assembler::Assembler,
    choose::{ItemSet, program_has_slider},
    item_program::{FieldProgram, FragmentProgram, ItemProgram, ListProgram},
    pick::{Picker, Positions},
    program::SectionProgram,
    route_program::{TokenForm, TokenTarget},
    template::{Template, TemplatePart},
    token_report::DropReason,
    trace::{RolledArray, Trace},
    writer::Writer,
};

/// The content that a token prints.
pub(super) enum TokenContent<'p> {
    /// One piece of content.
    Single(ItemContent<'p>),
    /// The contents of several chosen items, not all of them lists.
    Several(Vec<ItemContent<'p>>),
    /// Lists only: one list, under the first heading found.
    Lists {
        heading: Option<(u32, &'p Template)>,
        parts: Vec<ItemContent<'p>>,
    },
}

/// The content of one item.
pub(super) struct ItemContent<'p> {
    pub item: u32,
    pub field: &'p HashedKey,
    pub body: ContentBody<'p>,
}

/// The kind of content.
pub(super) enum ContentBody<'p> {
    Text(&'p Template),
    Fragments {
        base: Option<&'p Template>,
        fragments: &'p [FragmentProgram],
    },
    List {
        list: &'p ListProgram,
        indices: EntryIndices,
    },
    Scale(&'p Template),
}

/// The entries of an array that a mode selects, in the order printed; at least one.
pub(super) enum EntryIndices {
    All(u32),
    Some(Positions),
}

impl<'p> ItemContent<'p> {
    /// The list and its selected entries, if the content is a list.
    pub fn list(&self) -> Option<(&'p ListProgram, &EntryIndices)> {
        match &self.body {
            ContentBody::List { list, indices } => Some((list, indices)),
            ContentBody::Text(_) | ContentBody::Fragments { .. } | ContentBody::Scale(_) => None,
        }
    }
}

impl TokenContent<'_> {
    /// Whether it is a list, of one item or of several.
    pub fn is_list(&self) -> bool {
        match self {
            Self::Single(content) => matches!(content.body, ContentBody::List { .. }),
            Self::Several(_) => false,
            Self::Lists { .. } => true,
        }
    }
}

impl EntryIndices {
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

impl<'p, S: Settings> Assembler<'p, '_, S> {
    /// Resolves a token, or returns why it prints nothing.
    #[inline(always)]
    pub fn resolve<T: Trace<'p>>(
        &self,
        target: &'p TokenTarget,
        trace: &mut T,
    ) -> Resolved<TokenContent<'p>> {
        let program = self.program(target.section);
        let chosen = &self.choices[target.slot as usize].chosen;
        match &target.form {
            TokenForm::Bare => self.bare_token(program, chosen, trace),
            TokenForm::Dotted(field) => self.dotted_token(program, chosen, field, trace),
            TokenForm::Bracket(inner) => self.bracket_token(program, inner, trace),
        }
    }

    fn bracket_token<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        inner: &'p Result<Box<TokenTarget>, DropReason>,
        trace: &mut T,
    ) -> Resolved<TokenContent<'p>> {
        let inner = inner.as_ref().map_err(|reason| *reason)?;
        let mut text = String::new();
        let found = self.resolve(inner, trace)?;
        let mut writer = Writer::new(&mut text, super::trace::NoTrace);
        self.write(inner.section, None, &found, &mut writer);
        let item = program.find_bracket(&text).ok_or(DropReason::NoMatch)?;
        self.item_content(program, item, trace)
            .map(TokenContent::Single)
    }

    #[inline(always)]
    fn bare_token<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        chosen: &ItemSet,
        trace: &mut T,
    ) -> Resolved<TokenContent<'p>> {
        match chosen {
            ItemSet::None => Err(DropReason::NothingSelected),
            ItemSet::Single(item) => self
                .item_content(program, *item, trace)
                .map(TokenContent::Single),
            ItemSet::Many(items) => self.items_content(program, items, &program.primary, trace),
        }
    }

    #[inline(always)]
    fn dotted_token<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        chosen: &ItemSet,
        field: &'p HashedKey,
        trace: &mut T,
    ) -> Resolved<TokenContent<'p>> {
        let whole_content = match chosen {
            ItemSet::None => Err(DropReason::NothingSelected),
            ItemSet::Single(item) => {
                if let Some(content) = self.field(program, *item, field, trace) {
                    return content.map(TokenContent::Single);
                }
                if field.text() == "scale" && program_has_slider(program, self.state) {
                    return Ok(TokenContent::Single(ItemContent {
                        item: *item,
                        field,
                        body: ContentBody::Scale(program.scale()),
                    }));
                }
                Err(DropReason::NoSuchField)
            }
            ItemSet::Many(items) => match self.items_content(program, items, field, trace) {
                Ok(found) => return Ok(found),
                Err(reason) => Err(reason),
            },
        };
        if field.text() == "scale" && program.name() == "sentiment" {
            return whole_content;
        }
        if let Some(item) = program.find_label(field.text()) {
            return self
                .item_content(program, item, trace)
                .map(TokenContent::Single);
        }
        match chosen {
            ItemSet::None => whole_content,
            ItemSet::Single(item) => match self.field(program, *item, &program.pool, trace) {
                Some(content) => content.map(TokenContent::Single),
                None => Err(DropReason::NoSuchField),
            },
            ItemSet::Many(items) => self
                .items_content(program, items, &program.pool, trace)
                .map_err(|reason| match reason {
                    DropReason::NoSuchField => whole_content.err().unwrap_or(reason),
                    other => other,
                }),
        }
    }

    /// An item as a whole: its pool when it has one, else its primary field.
    #[inline(always)]
    fn item_content<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        item: u32,
        trace: &mut T,
    ) -> Resolved<ItemContent<'p>> {
        let compiled = program.item(item);
        let field = if compiled.has_pool() {
            &program.pool
        } else {
            &program.primary
        };
        self.field(program, item, field, trace)
            .unwrap_or(Err(DropReason::NoSuchField))
    }

    /// The field of each item that has it.
    fn items_content<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        items: &[u32],
        field: &'p HashedKey,
        trace: &mut T,
    ) -> Resolved<TokenContent<'p>> {
        if let [item] = items {
            let content = self
                .field(program, *item, field, trace)
                .unwrap_or(Err(DropReason::NoSuchField))?;
            if self.is_single(program, &content) {
                return Ok(TokenContent::Single(content));
            }
            return self.combine(program, vec![content]);
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
        self.combine(program, parts)
    }

    /// Whether the content of one item prints the same as a list of one item would: it prints
    /// something, and so does its heading if it is a list with one.
    fn is_single(&self, program: &'p SectionProgram, content: &ItemContent<'p>) -> bool {
        match &content.body {
            ContentBody::List { list, .. } => {
                let heading = list.heading.as_ref();
                heading.is_none_or(|heading| self.prints_any(program, heading))
            }
            _ => !self.prints_blank(program, content),
        }
    }

    /// Combines the contents of one or more items.
    fn combine(
        &self,
        program: &'p SectionProgram,
        parts: Vec<ItemContent<'p>>,
    ) -> Resolved<TokenContent<'p>> {
        if parts
            .iter()
            .any(|part| !matches!(part.body, ContentBody::List { .. }))
        {
            // Blank content keeps its place among others, but not alone.
            if parts.iter().all(|part| self.prints_blank(program, part)) {
                return Err(DropReason::Blank);
            }
            return Ok(TokenContent::Several(parts));
        }
        let heading = parts.iter().find_map(|part| {
            let heading = part.list()?.0.heading.as_ref()?;
            self.prints_any(program, heading)
                .then_some((part.item, heading))
        });
        Ok(TokenContent::Lists { heading, parts })
    }

    /// One field of one item: `None` if the item lacks it, an error if it is empty.
    #[inline(always)]
    fn field<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        item: u32,
        field: &'p HashedKey,
        trace: &mut T,
    ) -> Option<Resolved<ItemContent<'p>>> {
        let compiled = program.item(item);
        if !compiled.fragments.is_empty() && field.text() == "text" {
            return Some(self.fragments(program, item, field, compiled));
        }
        let (field, found) = compiled.field(field)?;
        let body = match found {
            FieldProgram::Empty => return Some(Err(DropReason::EmptyField)),
            FieldProgram::Text(text) => ContentBody::Text(text),
            FieldProgram::List(list) => {
                match self.entry_indices(program, item, field, list, trace) {
                    Some(indices) => ContentBody::List { list, indices },
                    None => return Some(Err(DropReason::NoEntries)),
                }
            }
        };
        Some(Ok(ItemContent { item, field, body }))
    }

    fn fragments(
        &self,
        program: &'p SectionProgram,
        item: u32,
        field: &'p HashedKey,
        compiled: &'p ItemProgram,
    ) -> Resolved<ItemContent<'p>> {
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
        Ok(ItemContent {
            item,
            field,
            body: ContentBody::Fragments { base, fragments },
        })
    }

    /// Whether the variable of a fragment's condition is filled.
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

    /// Whether a text prints nothing but whitespace, or nothing at all.
    pub fn is_blank(&self, program: &'p SectionProgram, text: &'p Template) -> bool {
        self.printed(program, text)
            .all(|part| part.chars().all(is_space))
    }

    /// Whether a text prints anything at all.
    pub fn prints_any(&self, program: &'p SectionProgram, text: &'p Template) -> bool {
        self.printed(program, text).any(|part| !part.is_empty())
    }

    /// The pieces of a text with its variables filled in.
    pub fn printed<'s>(
        &'s self,
        program: &'p SectionProgram,
        text: &'p Template,
    ) -> impl Iterator<Item = &'s str> {
        text.parts().map(move |part| match part {
            TemplatePart::Literal(literal, _) => literal,
            TemplatePart::Variable(number) => self.variable(program, number),
        })
    }

    /// Whether an item's contribution prints nothing but whitespace.
    fn prints_blank(&self, program: &'p SectionProgram, content: &ItemContent<'p>) -> bool {
        match &content.body {
            ContentBody::Text(text) => self.is_blank(program, text),
            ContentBody::List { list, indices } => {
                let heading = list.heading.as_ref();
                indices.len() == 1
                    && !heading.is_some_and(|heading| self.prints_any(program, heading))
                    && self.is_blank(program, &list.entries[indices.get(0) as usize])
            }
            ContentBody::Fragments { .. } | ContentBody::Scale(_) => false,
        }
    }

    /// The entries that the mode of the field selects, if any.
    #[inline(always)]
    fn entry_indices<T: Trace<'p>>(
        &self,
        program: &'p SectionProgram,
        item: u32,
        field: &'p HashedKey,
        list: &ListProgram,
        trace: &mut T,
    ) -> Option<EntryIndices> {
        let name = program.name();
        let total = list.entries.len();
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
        let indices = match mode {
            Mode::All => Some(EntryIndices::All(total as u32)),
            Mode::None => None,
            Mode::Index(index) => {
                within(*index).map(|index| EntryIndices::Some(Positions::from_slice(&[index])))
            }
            Mode::Indices(list) => {
                let list: Positions = list.iter().filter_map(|index| within(*index)).collect();
                (!list.is_empty()).then_some(EntryIndices::Some(list))
            }
            Mode::Random(count) => {
                origin = Origin::Random;
                let pinned = self.pinned.and_then(|pinned| {
                    let array = (name.to_owned(), item as usize, field.text().to_owned());
                    pinned.get(&array).map(|entries| entries.as_slice().into())
                });
                let indices: Positions = pinned
                    .unwrap_or_else(|| Picker::new(self.seed, list.pick).sample(*count, total));
                let array = RolledArray {
                    section: name,
                    item,
                    field: field.text(),
                    rolled: indices.len() as u32,
                    total: total as u32,
                };
                trace.rolled(array, &indices);
                Some(EntryIndices::Some(indices))
            }
        };
        let named = match mode {
            Mode::Index(_) => 1,
            Mode::Indices(list) => list.len(),
            Mode::All | Mode::None | Mode::Random(_) => 0,
        };
        let found = indices.as_ref().map_or(0, EntryIndices::len);
        trace.array(found < named, || ArrayEvaluation {
            section: name.to_owned(),
            item: item as usize,
            id: program.item(item).identity.as_deref().map(str::to_owned),
            field: field.text().to_owned(),
            mode: mode.to_string(),
            origin,
            selected: indices
                .iter()
                .flat_map(|indices| (0..indices.len()).map(|at| indices.get(at) as usize))
                .collect(),
            total,
        });
        indices
    }
}
