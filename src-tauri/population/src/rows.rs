//! The rows of a coverage: everything a registry can print, numbered so that a piece of a prompt
//! finds its row without looking at names other than its field's.

use promptdeck_core::{
    hydrate::{Engine, Part, PieceSource, PrintedPiece, State, TextOrigin},
    registry::{Item, entry_label},
    unprinted::is_printable,
};
use promptdeck_python::text::is_space;
use serde::Serialize;

/// The positions of a rolled slider.
const POSITIONS: std::ops::RangeInclusive<i64> = 1..=10;

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RowKind {
    /// An item, whatever is printed of it.
    Item,
    /// A text of an item.
    Text {
        /// The field.
        field: String,
    },
    /// An entry of a list of an item.
    Entry {
        /// The field.
        field: String,
        /// The entry's position in its array.
        entry: usize,
    },
    /// A conditional fragment of an item.
    Fragment {
        /// The fragment's position in its item.
        fragment: usize,
    },
    /// A position of the section's slider.
    Slider {
        /// The position.
        value: i64,
    },
}

/// A row: something that a roll prints or does not.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The section's position in the registry.
    pub section: usize,
    /// The item's position in its section; sliders have none.
    pub item: Option<usize>,
    pub kind: RowKind,
    /// The beginning of its text.
    pub label: String,
    /// Whether it has no text to print.
    pub blank: bool,
}

/// The rows of a registry under a state.
#[derive(Debug)]
pub(crate) struct Rows {
    rows: Vec<Row>,
    sections: Vec<SectionRows>,
}

#[derive(Debug, Default)]
struct SectionRows {
    items: Vec<ItemRows>,
    /// The row of the slider's first position, that position, and how many there are.
    slider: Option<(usize, i64, usize)>,
}

#[derive(Debug, Default)]
struct ItemRows {
    row: usize,
    fields: Vec<FieldRows>,
    heading: Option<usize>,
    /// The row of the first fragment.
    fragments: usize,
}

#[derive(Debug)]
struct FieldRows {
    name: String,
    /// The row of the text, or of the first entry.
    row: usize,
}

/// The rows that a piece is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceRows {
    pub item: usize,
    pub detail: Option<usize>,
}

impl PieceRows {
    pub fn all(self) -> impl Iterator<Item = usize> {
        std::iter::once(self.item).chain(self.detail)
    }
}

impl Rows {
    pub fn new(engine: &Engine, state: &State) -> Self {
        let mut all = Self {
            rows: Vec::new(),
            sections: Vec::new(),
        };
        for (position, section) in engine.registry().sections().values().enumerate() {
            let mut rows = SectionRows::default();
            for (index, item) in section.items().iter().enumerate() {
                rows.items.push(all.item(position, index, item));
            }
            let settings = engine.settings(section.name(), state);
            if let Some(slider) = settings.and_then(|settings| settings.slider) {
                // The number that is printed is truncated.
                let set = slider.selected as i64;
                let values = if slider.rolled { POSITIONS } else { set..=set };
                rows.slider = Some((all.rows.len(), *values.start(), values.clone().count()));
                for value in values {
                    all.push(position, None, RowKind::Slider { value }, value.to_string());
                }
            }
            all.sections.push(rows);
        }
        all
    }

    fn push(&mut self, section: usize, item: Option<usize>, kind: RowKind, label: String) -> usize {
        self.rows.push(Row {
            section,
            item,
            kind,
            label,
            blank: false,
        });
        self.rows.len() - 1
    }

    fn item(&mut self, section: usize, index: usize, item: &Item) -> ItemRows {
        let label = match item.identity() {
            Some(identity) => identity.to_owned(),
            None => format!("item {}", index + 1),
        };
        let mut rows = ItemRows {
            row: self.push(section, Some(index), RowKind::Item, label),
            ..ItemRows::default()
        };
        let heading = item.heading_field();
        for (field, value) in item.fields() {
            if !is_printable(field) {
                continue;
            }
            let name = field.clone();
            let first = self.rows.len();
            match value {
                serde_json::Value::Null => continue,
                serde_json::Value::Array(entries) => {
                    for (entry, value) in entries.iter().enumerate() {
                        let field = name.clone();
                        let kind = RowKind::Entry { field, entry };
                        let row = self.push(section, Some(index), kind, entry_label(value));
                        self.rows[row].blank =
                            value.is_null() || value.as_str().is_some_and(is_blank);
                    }
                }
                value => {
                    let kind = RowKind::Text {
                        field: name.clone(),
                    };
                    let row = self.push(section, Some(index), kind, entry_label(value));
                    self.rows[row].blank = value.as_str().is_some_and(is_blank);
                    if heading == Some(field.as_str()) {
                        rows.heading = Some(row);
                    }
                }
            }
            rows.fields.push(FieldRows { name, row: first });
        }
        rows.fragments = self.rows.len();
        for (fragment, found) in item.fragments().enumerate() {
            let text = serde_json::Value::from(found.text);
            let kind = RowKind::Fragment { fragment };
            let row = self.push(section, Some(index), kind, entry_label(&text));
            self.rows[row].blank = is_blank(found.text);
        }
        rows
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    /// The row of an item.
    pub fn of_item(&self, section: usize, item: usize) -> Option<usize> {
        Some(self.sections.get(section)?.items.get(item)?.row)
    }

    /// The rows of the items of a section, in order.
    pub fn items(&self, section: usize) -> impl Iterator<Item = usize> {
        let rows = self.sections.get(section);
        rows.into_iter()
            .flat_map(|rows| rows.items.iter().map(|item| item.row))
    }

    /// The rows of the positions of a section's slider, in order.
    pub fn slider(&self, section: usize) -> std::ops::Range<usize> {
        let slider = self.sections.get(section).and_then(|rows| rows.slider);
        slider.map_or(0..0, |(row, _, count)| row..row + count)
    }

    /// The row of an entry.
    pub fn of_entry(
        &self,
        section: usize,
        item: usize,
        field: &str,
        entry: usize,
    ) -> Option<usize> {
        self.sections
            .get(section)?
            .items
            .get(item)?
            .entry(&self.rows, field, entry)
    }

    /// The rows of a piece; `None` for glue, bullets and blank text, which print nothing of a row.
    #[inline]
    pub fn of_piece(&self, piece: &PrintedPiece<'_, '_>) -> Option<PieceRows> {
        let source = visible_source(piece)?;
        let section = self.sections.get(source.section)?;
        let item = section.items.get(source.item)?;
        Some(PieceRows {
            item: item.row,
            detail: self.detail(section, item, source, piece.text),
        })
    }

    #[inline]
    fn detail(
        &self,
        section: &SectionRows,
        item: &ItemRows,
        source: &PieceSource<'_>,
        text: &str,
    ) -> Option<usize> {
        match source.part {
            Part::Text | Part::Injection => {
                let field = item
                    .fields
                    .iter()
                    .find(|field| field.name == source.field)?;
                let row = self.rows.get(field.row)?;
                matches!(row.kind, RowKind::Text { .. }).then_some(field.row)
            }
            Part::Heading => item.heading,
            Part::Fragment => Some(item.fragments + source.fragment?),
            Part::Entry => item.entry(&self.rows, source.field, source.entry?),
            Part::Scale => {
                let (row, first, count) = section.slider?;
                if source.origin != TextOrigin::Slider {
                    return None;
                }
                let value: i64 = text.parse().ok()?;
                let at = usize::try_from(value.checked_sub(first)?).ok()?;
                (at < count).then_some(row + at)
            }
        }
    }
}

impl ItemRows {
    #[inline]
    fn entry(&self, rows: &[Row], field: &str, entry: usize) -> Option<usize> {
        let field = self.fields.iter().find(|known| known.name == field)?;
        let row = field.row + entry;
        // Another field's rows follow those of the last entry.
        let kind = &rows.get(row)?.kind;
        matches!(kind, RowKind::Entry { entry: index, .. } if *index == entry).then_some(row)
    }
}

/// Where a piece comes from, if it prints something of an item: neither glue, nor a bullet, nor
/// blank text.
#[inline]
#[must_use]
pub fn visible_source<'p, 'e>(piece: &'p PrintedPiece<'_, 'e>) -> Option<&'p PieceSource<'e>> {
    let source = piece.source.as_ref()?;
    (source.origin != TextOrigin::Bullet && !is_blank(piece.text)).then_some(source)
}

/// Whether a text prints nothing a reader sees.
#[inline]
pub(crate) fn is_blank(text: &str) -> bool {
    !text.as_bytes().first().is_some_and(u8::is_ascii_graphic) && text.chars().all(is_space)
}
