//! The origin of a matched text: the sources of the segments that contain it.

use std::ops::Range;

use indexmap::IndexMap;
use promptdeck_core::hydrate::{Hydration, Source};

/// The most sources of one failure.
const MOST: usize = 3;

/// The place of a finding in a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// The finding is about something that is not there.
    Nowhere,
    /// Bytes of the prompt.
    Bytes(Range<usize>),
    /// The longest texts of the prompt.
    Longest,
    /// These sources.
    Sources(Vec<Source>),
}

/// A source as one word: `section.item.field[entry]`, entries counted from 0 as in a mode.
///
/// ```
/// use promptdeck_checks::source_label;
/// use promptdeck_core::hydrate::{Part, Source};
///
/// let source = Source {
///     token: Some(0),
///     section: "personas".into(),
///     item: 1,
///     id: Some("deadpan".into()),
///     field: "directives".into(),
///     part: Part::Entry,
///     entry: Some(2),
///     fragment: None,
///     variable: None,
/// };
/// assert_eq!(source_label(&source), "personas.deadpan.directives[2]");
/// ```
#[must_use]
pub fn source_label(source: &Source) -> String {
    let Source {
        section,
        item,
        id,
        field,
        entry,
        fragment,
        variable,
        ..
    } = source;
    let mut label = match id {
        Some(id) => format!("{section}.{id}.{field}"),
        None => format!("{section}[{item}].{field}"),
    };
    if let Some(entry) = entry {
        label.push_str(&format!("[{entry}]"));
    }
    if let Some(fragment) = fragment {
        label.push_str(&format!(" fragment {}", fragment + 1));
    }
    if let Some(variable) = variable {
        label.push_str(&format!(" {{{variable}}}"));
    }
    label
}

/// The sources at a location.
pub(crate) fn sources(location: Location, hydration: &Hydration) -> Vec<Source> {
    match location {
        Location::Nowhere => Vec::new(),
        Location::Bytes(bytes) => at(&bytes, hydration),
        Location::Longest => longest(hydration),
        Location::Sources(sources) => {
            let mut found = Vec::new();
            for source in sources {
                if found.len() < MOST && !found.contains(&source) {
                    found.push(source);
                }
            }
            found
        }
    }
}

/// The sources of the segments that a range touches; of an empty range, those of the segment that
/// starts or ends there.
fn at(bytes: &Range<usize>, hydration: &Hydration) -> Vec<Source> {
    let mut found: Vec<Source> = Vec::new();
    let mut start = 0;
    for segment in &hydration.segments {
        let end = start + segment.text.len();
        let touches = match bytes.is_empty() {
            true => start <= bytes.start && bytes.start <= end,
            false => start < bytes.end && bytes.start < end,
        };
        if touches
            && let Some(source) = &segment.source
            && !found.contains(source)
        {
            found.push(source.clone());
        }
        start = end;
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// The fields that print most, longest first.
fn longest(hydration: &Hydration) -> Vec<Source> {
    let mut lengths: IndexMap<(&str, usize, &str), (usize, &Source)> = IndexMap::new();
    for segment in &hydration.segments {
        if let Some(source) = &segment.source {
            let key = (&*source.section, source.item, &*source.field);
            let (length, _) = lengths.entry(key).or_insert((0, source));
            *length += segment.text.len();
        }
    }
    let mut lengths: Vec<(usize, &Source)> = lengths.into_values().collect();
    lengths.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
    let whole_field = |(_, source): &(usize, &Source)| Source {
        entry: None,
        fragment: None,
        variable: None,
        ..(*source).clone()
    };
    lengths.iter().take(MOST).map(whole_field).collect()
}
