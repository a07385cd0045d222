//! The page's view of one evaluation: the core's hydration as wire types. Does not evaluate.

pub(crate) mod merged;
mod patch;
mod rendered;
mod undeclared_offsets;
pub(crate) mod unprinted;
pub(crate) mod value_label;

use std::collections::HashMap;
use std::time::Duration;

use promptdeck_core::hydrate::{self, Engine, Hydration, SectionSettings, State, TokenOutcome};
use promptdeck_core::prompt_edit::{Refusal, authored_at};
use promptdeck_core::registry::{Diagnostic, Registry, Section};
use serde_json::Value;

use crate::prompt_edit;
use crate::saturating::saturating_u32;

use crate::wire::{
    ArrayEvaluation, Failure, Origin, PickedItem, SectionEvaluation, Segment, SelectedEntries,
    SliderEvaluation, Slot, Source, TokenReport, TokenStatus, UnprintedText,
};

/// Label of a slider beside the lists of its section.
pub(crate) const SLIDER: &str = "slider";

/// One displayed evaluation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preview {
    /// The segments of the prompt.
    pub segments: Vec<Segment>,
    /// Selected and used values, per section.
    pub sections: Vec<SectionEvaluation>,
    /// The outcome of each token.
    pub tokens: Vec<TokenReport>,
    /// Texts of the items in use that are not printed.
    pub unprinted: Vec<UnprintedText>,
    /// Length in characters.
    pub characters: u32,
    /// Evaluation time in microseconds.
    pub micros: u32,
    /// Why there is no prompt.
    pub problem: Option<Failure>,
    /// Why the segments are the template and not the prompt.
    pub unrendered: Option<Failure>,
    /// Diagnostics of the call.
    pub diagnostics: Vec<Diagnostic>,
    /// Rolled slots that cannot be locked.
    pub unlockable: Vec<Slot>,
}

/// Name of an item for display: its id or name, otherwise `#` and its number, from 1.
#[must_use]
pub fn item_name(identity: Option<&str>, index: usize) -> String {
    identity.map_or_else(|| format!("#{}", index + 1), str::to_owned)
}

fn picked(identity: Option<&str>, index: usize) -> PickedItem {
    PickedItem {
        index: saturating_u32(index),
        name: item_name(identity, index),
    }
}

fn origin(origin: hydrate::Origin) -> Origin {
    match origin {
        hydrate::Origin::Selection => Origin::Selection,
        hydrate::Origin::Baked => Origin::Baked,
        hydrate::Origin::Default => Origin::Default,
        hydrate::Origin::Random => Origin::Random,
    }
}

/// `lists` are the section's lists among the evaluation's.
fn section_evaluation(
    section: &Section,
    settings: &SectionSettings,
    hydration: &Hydration,
    lists: &[&hydrate::ArrayEvaluation],
) -> Option<SectionEvaluation> {
    let name = section.name();
    let used = hydration.evaluation.sections.get(name)?;
    let chosen: Vec<_> = used
        .items
        .iter()
        .map(|item| picked(item.id.as_deref(), item.index))
        .collect();
    let selected = settings.selected.iter().map(|index| {
        let item = section.items().get(*index);
        picked(item.and_then(|item| item.identity()), *index)
    });
    let slider = settings.slider.map(|slider| SliderEvaluation {
        selected: slider.selected,
        used: used.slider.value,
        origin: origin(used.slider.origin),
    });
    let mut arrays: Vec<ArrayEvaluation> = Vec::new();
    for array in lists {
        let entries = SelectedEntries {
            item: picked(array.id.as_deref(), array.item),
            entries: array.selected.iter().copied().map(saturating_u32).collect(),
            total: saturating_u32(array.total),
            label: (array.origin == hydrate::Origin::Random).then(|| {
                let item = section.items().get(array.item);
                value_label::entries(item.map(AsRef::as_ref), &array.field, &array.selected)
            }),
        };
        match arrays.iter_mut().find(|known| known.field == array.field) {
            Some(known) if known.selected.contains(&entries) => {}
            Some(known) => known.selected.push(entries),
            None => arrays.push(ArrayEvaluation {
                field: array.field.clone(),
                mode: array.mode.clone(),
                origin: origin(array.origin),
                selected: vec![entries],
                merged_into: None,
            }),
        }
    }
    Some(SectionEvaluation {
        section: name.to_owned(),
        selected: selected.collect(),
        used: chosen,
        origin: origin(used.origin),
        slider,
        arrays,
        filtered_by: if used.filtered {
            hydration.evaluation.injections.clone()
        } else {
            Vec::new()
        },
    })
}

/// The slots of a section that were rolled; none if it is filtered out.
pub(crate) fn rolled_in(evaluation: &SectionEvaluation) -> Vec<Slot> {
    let mut slots = Vec::new();
    if !evaluation.filtered_by.is_empty() {
        return slots;
    }
    let section = || evaluation.section.clone();
    if evaluation.origin == Origin::Random {
        slots.push(Slot::Item { section: section() });
    }
    let slider = evaluation.slider.as_ref();
    if slider.is_some_and(|slider| slider.origin == Origin::Random) {
        slots.push(Slot::Slider { section: section() });
    }
    let arrays = evaluation.arrays.iter();
    for array in arrays.filter(|array| array.origin == Origin::Random) {
        slots.push(Slot::Array {
            section: section(),
            field: array.field.clone(),
        });
    }
    slots
}

/// The section that a token names, with aliases resolved.
fn token_section(token: &str, registry: &Registry) -> Option<String> {
    let written = token.split(['.', '[']).next()?.trim();
    let name = hydrate::resolve_section(written, |name| registry.section(name).is_some());
    name.map(str::to_owned)
}

pub(crate) fn dropped(
    reason: hydrate::DropReason,
    token: &str,
    registry: &Registry,
    items: &[PickedItem],
) -> String {
    use hydrate::DropReason as Why;
    let field = dropped_field(token, registry, items);
    match reason {
        Why::Malformed => {
            "not a valid entry: write section, section.field or section[entry]".into()
        }
        Why::UnknownSection => "no section has this name".into(),
        Why::NothingSelected => "nothing is selected".into(),
        Why::NoSuchField => match items {
            [one] => format!("{} has no {field}", one.name),
            _ => format!("no item in use has {field}"),
        },
        Why::EmptyField => format!("{field} is empty"),
        Why::NoEntries => "its mode selects no entries".into(),
        Why::NoMatch => "no item matches the brackets".into(),
        Why::Blank if is_list(&field, token, registry, items) => {
            format!("the list {field} is empty")
        }
        Why::Blank => "the text is blank".into(),
        _ => "it prints no text".into(),
    }
}

/// Whether the items in use have a list in the field.
fn is_list(field: &str, token: &str, registry: &Registry, items: &[PickedItem]) -> bool {
    let section = token_section(token, registry).and_then(|name| registry.section(&name));
    section.is_some_and(|section| {
        let used = items
            .iter()
            .filter_map(|item| section.items().get(item.index as usize));
        let mut values = used.filter_map(|item| item.fields().get(field)).peekable();
        values.peek().is_some() && values.all(Value::is_array)
    })
}

/// The field that an entry names, or the one that it prints of a whole item.
fn dropped_field(token: &str, registry: &Registry, items: &[PickedItem]) -> String {
    if let Ok(hydrate::Token::Dotted { field, .. }) = hydrate::Token::parse(token) {
        return field;
    }
    let name = token_section(token, registry);
    let section = name.and_then(|name| registry.section(&name));
    let field = section.map_or("text", |section| {
        let item = match items {
            [one] => section.items().get(one.index as usize),
            _ => None,
        };
        match item.and_then(|item| item.pool()) {
            Some(_) => "items",
            None => section.primary_field(),
        }
    });
    field.to_owned()
}

fn token_report(
    report: &hydrate::TokenReport,
    registry: &Registry,
    tokens: &[hydrate::TokenReport],
    sections: &[SectionEvaluation],
) -> TokenReport {
    let section = token_section(&report.token, registry);
    let (status, reason) = match &report.outcome {
        TokenOutcome::Rendered => (TokenStatus::Rendered, None),
        TokenOutcome::Merged { into } => (
            TokenStatus::Merged,
            tokens
                .get(*into)
                .map(|host| format!("merged into {}", host.token)),
        ),
        TokenOutcome::Dropped { reason } => {
            let items = sections
                .iter()
                .find(|known| Some(&known.section) == section.as_ref())
                .map_or(&[][..], |known| &known.used);
            (
                TokenStatus::Dropped,
                Some(dropped(*reason, &report.token, registry, items)),
            )
        }
        TokenOutcome::Filtered { by } => (
            TokenStatus::Filtered,
            Some(format!("filtered by {}", by.join(", "))),
        ),
    };
    TokenReport {
        token: report.token.clone(),
        section,
        status,
        reason,
    }
}

/// Converts the source of a segment.
#[must_use]
pub fn source(source: hydrate::Source) -> Source {
    Source {
        token: source.token.map(saturating_u32),
        item_name: source
            .id
            .unwrap_or_else(|| item_name(None, source.item).into()),
        section: source.section,
        item: saturating_u32(source.item),
        field: source.field,
        entry: source.entry.map(saturating_u32),
        fragment: source.fragment.map(saturating_u32),
        variable: source.variable,
    }
}

/// The pieces of the prompt, with an empty one for each variable without a value.
fn segments(
    printed: Vec<hydrate::Segment>,
    gaps: Vec<hydrate::Gap>,
    registry: &Registry,
) -> Vec<Segment> {
    let mut pieces = Vec::with_capacity(printed.len() + gaps.len());
    let mut gaps = gaps.into_iter().peekable();
    for (index, one) in printed.into_iter().enumerate() {
        while let Some(gap) = gaps.next_if(|gap| gap.segment <= index) {
            pieces.push(empty(gap));
        }
        pieces.push(segment(one, registry));
    }
    pieces.extend(gaps.map(empty));
    pieces
}

fn empty(gap: hydrate::Gap) -> Segment {
    Segment {
        source: Some(source(gap.source)),
        ..Segment::default()
    }
}

fn segment(segment: hydrate::Segment, registry: &Registry) -> Segment {
    let (authored, fixed) = match authored_at(registry, &segment) {
        Ok(authored) => (Some(authored), None),
        Err(Refusal::Glue | Refusal::Bullet) => (None, None),
        Err(reason) => (None, Some(prompt_edit::failure(&reason))),
    };
    let start = authored
        .as_ref()
        .map_or(0, |authored| saturating_u32(authored.start));
    Segment {
        undeclared: undeclared_offsets::names(&segment.text, segment.source.as_ref(), registry),
        start: (start > 0).then_some(start),
        pointer: authored.and_then(|authored| authored.pointer),
        bullet: segment.origin == Some(hydrate::TextOrigin::Bullet),
        fixed,
        text: segment.text,
        source: segment.source.map(source),
        expression: None,
        arguments: Vec::new(),
    }
}

impl Preview {
    /// The view of a hydration.
    #[must_use]
    pub fn of(hydration: Hydration, engine: &Engine, state: &State, duration: Duration) -> Self {
        let registry = engine.registry();
        let mut lists: HashMap<&str, Vec<&hydrate::ArrayEvaluation>> = HashMap::new();
        for array in &hydration.evaluation.arrays {
            lists.entry(&array.section).or_default().push(array);
        }
        let mut sections: Vec<SectionEvaluation> = Vec::with_capacity(registry.sections().len());
        for name in hydration.evaluation.sections.keys() {
            if let Some(section) = registry.section(name)
                && let lists = lists.get(name.as_str()).map_or(&[][..], Vec::as_slice)
                && let Some(settings) = engine.settings(name, state)
                && let Some(evaluation) = section_evaluation(section, &settings, &hydration, lists)
            {
                sections.push(evaluation);
            }
        }
        let tokens = hydration
            .tokens
            .iter()
            .map(|report| token_report(report, registry, &hydration.tokens, &sections))
            .collect();
        Self {
            characters: saturating_u32(hydration.text.chars().count()),
            segments: segments(hydration.segments, hydration.gaps, registry),
            sections,
            tokens,
            unprinted: Vec::new(),
            micros: saturating_u32(duration.as_micros()),
            problem: None,
            unrendered: None,
            diagnostics: hydration.diagnostics,
            unlockable: Vec::new(),
        }
    }

    /// The same with the texts that the call leaves out.
    #[must_use]
    pub fn with_unprinted(self, unprinted: Vec<UnprintedText>) -> Self {
        Self { unprinted, ..self }
    }

    /// Nothing to show, and why.
    #[must_use]
    pub fn nothing(problem: Failure) -> Self {
        Self {
            problem: Some(problem),
            ..Self::default()
        }
    }

    /// Why a model gets no prompt: there is none, or it is not rendered.
    #[must_use]
    pub fn fault(&self) -> Option<&Failure> {
        self.problem.as_ref().or(self.unrendered.as_ref())
    }

    /// The text of the prompt.
    #[must_use]
    pub fn text(&self) -> String {
        self.segments
            .iter()
            .map(|segment| segment.text.as_str())
            .collect()
    }

    /// Short summary of the selections: personas, sentiment, active injections and other
    /// selections, each with its section, since the name of an item alone is often `first` or
    /// `default`.
    #[must_use]
    pub fn glance(&self) -> String {
        let words = self
            .sections
            .iter()
            .filter(|section| section.filtered_by.is_empty());
        let mut parts: Vec<String> = Vec::new();
        for section in words.filter(|section| {
            matches!(
                section.section.as_str(),
                "personas" | "sentiment" | "runtime_injections"
            ) || section.origin == Origin::Selection
        }) {
            let names: Vec<_> = section.used.iter().map(|item| item.name.as_str()).collect();
            if names.is_empty() {
                continue;
            }
            let mut part = format!("{} {}", section.section, names.join(" + "));
            if let Some(slider) = &section.slider {
                part.push_str(" at ");
                part.push_str(&slider.used.to_string());
            }
            parts.push(part);
            if parts.len() == 4 {
                break;
            }
        }
        if parts.is_empty() {
            "defaults".into()
        } else {
            parts.join(", ")
        }
    }

    /// Every rolled slot, except in sections that are filtered out: a lock there would have no visible
    /// effect.
    #[must_use]
    pub fn rolled(&self) -> Vec<Slot> {
        self.sections.iter().flat_map(rolled_in).collect()
    }
}
