//! Where the text of a segment is authored.

use std::ops::Range;

use promptdeck_python::text::is_space;
use serde_json::Value;

use super::{Change, Refusal, Step};
use crate::{
    hydrate::{Part, SCALE_TEMPLATE, Segment, Source, State, TextOrigin},
    registry::{Item, Registry, Section},
};

/// An authored text.
#[derive(Debug)]
pub struct Place {
    pub path: Vec<Step>,
    /// The text, or what is printed in its absence.
    pub text: String,
    /// The bytes of it that the segment prints.
    pub piece: Range<usize>,
    /// Whether there is such a text; otherwise an edit sets it.
    exists: bool,
    section: String,
    variable: Option<Variable>,
}

#[derive(Debug)]
struct Variable {
    name: String,
    has_default: bool,
}

impl Place {
    /// The changes that give the text `result` by replacing a range of it. A default is set before it
    /// is changed: so the history knows what of it was typed.
    pub fn changes(&self, range: Range<usize>, text: &str, result: String) -> Vec<Change> {
        let path = self.path.clone();
        let set = |value: String| Change::Set {
            path: self.path.clone(),
            value: value.into(),
        };
        if !self.exists && self.text.is_empty() {
            return vec![set(result)];
        }
        let default = (!self.exists).then(|| set(self.text.clone()));
        let text = text.to_owned();
        let splice = Change::Splice { path, range, text };
        default.into_iter().chain([splice]).collect()
    }

    /// The declared variable that a new text spells out and the old one did not.
    pub fn spelled(&self, registry: &Registry, result: &str) -> Option<Refusal> {
        if self.variable.is_some() {
            return None;
        }
        let names = registry.section(&self.section)?.template_vars();
        let count = |text: &str, name: &str| text.matches(&format!("{{{name}}}")).count();
        let name = names
            .iter()
            .find(|name| count(result, name) > count(&self.text, name))?;
        Some(Refusal::Variable {
            section: self.section.clone(),
            name: name.clone(),
        })
    }

    /// Why a new text would not be printed, if it is not.
    pub fn unprinted(&self, result: &str) -> Option<Refusal> {
        match &self.variable {
            Some(variable) if result.is_empty() && variable.has_default => {
                Some(Refusal::DefaultValue {
                    section: self.section.clone(),
                    name: variable.name.clone(),
                })
            }
            _ if result.chars().all(is_space) && !self.text.chars().all(is_space) => {
                Some(Refusal::Empty)
            }
            _ => None,
        }
    }
}

fn key(name: &str) -> Step {
    Step::Key(name.to_owned())
}

fn item_path(source: &Source) -> Vec<Step> {
    vec![
        key("registry"),
        key(&source.section),
        key("items"),
        Step::Index(source.item),
    ]
}

fn item<'r>(registry: &'r Registry, source: &Source) -> Result<&'r Item, Refusal> {
    let section = registry.section(&source.section);
    let item = section.and_then(|section| section.items().get(source.item));
    item.map(AsRef::as_ref).ok_or(Refusal::Stale)
}

/// The text that a segment is made of. Without a state the value of a variable is not looked up.
pub fn of_segment(
    registry: &Registry,
    state: Option<&State>,
    segment: &Segment,
) -> Result<Place, Refusal> {
    let (Some(source), Some(origin)) = (&segment.source, segment.origin) else {
        return Err(Refusal::Glue);
    };
    match origin {
        TextOrigin::Bullet => Err(Refusal::Bullet),
        TextOrigin::Slider => Err(slider(segment, source)),
        TextOrigin::Variable => of_variable(registry, state, source),
        TextOrigin::Emotion => of_emotion(registry, source, &segment.text),
        TextOrigin::Authored { start, end } => {
            let place = of_source(registry, source)?;
            if place.text.get(start..end).is_none() {
                return Err(Refusal::Stale);
            }
            Ok(Place {
                piece: start..end,
                ..place
            })
        }
    }
}

/// Why the position of a slider cannot be edited.
pub fn slider(segment: &Segment, source: &Source) -> Refusal {
    Refusal::Slider {
        section: source.section.to_string(),
        value: segment.text.clone(),
    }
}

/// The field, entry, fragment or sentence of a source.
pub fn of_source(registry: &Registry, source: &Source) -> Result<Place, Refusal> {
    let text = text_of(registry, source)?;
    let source_item = item(registry, source)?;
    let rest = match source.part {
        Part::Entry => return Ok(entry_at(source, text)),
        Part::Fragment => vec![
            key("fragments"),
            Step::Index(source.fragment.unwrap_or_default()),
            key("text"),
        ],
        Part::Heading => vec![key(source_item.heading_field().unwrap_or_default())],
        Part::Scale => {
            let base = vec![key("registry"), key(&source.section)];
            return Ok(Place {
                exists: own_sentence(registry, source).is_some(),
                ..text_at(source, base, [key("scale_template")], text)
            });
        }
        Part::Text | Part::Injection => vec![key(&source.field)],
    };
    Ok(text_at(source, item_path(source), rest, text))
}

/// A field that is not the one a source names.
pub struct OtherField {
    /// The item that has it; none for a field of the section.
    pub item: Option<usize>,
    pub name: &'static str,
}

/// The field that a heading, the sentence of a slider or what it measures is authored in.
pub fn other_field(registry: &Registry, source: &Source, origin: TextOrigin) -> Option<OtherField> {
    let (index, name) = match (source.part, origin) {
        (_, TextOrigin::Variable) => return None,
        (_, TextOrigin::Emotion) => (Some(source.item), "scale_emotion"),
        (Part::Scale, _) => (None, "scale_template"),
        (Part::Heading, _) => {
            let source_item = item(registry, source).ok()?;
            (Some(source.item), source_item.heading_field()?)
        }
        _ => return None,
    };
    Some(OtherField { item: index, name })
}

/// The text as it is authored.
pub fn text_of<'r>(registry: &'r Registry, source: &Source) -> Result<&'r str, Refusal> {
    let item = item(registry, source)?;
    let text = |value: Option<&'r Value>| match value {
        Some(Value::String(text)) => Ok(text.as_str()),
        Some(value) => Err(not_text(source, value)),
        None => Err(Refusal::Stale),
    };
    match source.part {
        Part::Entry => {
            let index = source.entry.ok_or(Refusal::Stale)?;
            let list = item.fields().get(&*source.field);
            text(list.and_then(|list| list.get(index)))
        }
        Part::Fragment => {
            let fragment = source
                .fragment
                .and_then(|index| item.fragments().nth(index));
            fragment.map(|fragment| fragment.text).ok_or(Refusal::Stale)
        }
        Part::Heading => item.heading().ok_or(Refusal::Stale),
        Part::Scale => Ok(own_sentence(registry, source).unwrap_or(SCALE_TEMPLATE)),
        Part::Text | Part::Injection => match &*source.field {
            "id" | "name" => Err(Refusal::Identity {
                section: source.section.to_string(),
                item: source.item,
                field: source.field.to_string(),
            }),
            field => text(item.fields().get(field)),
        },
    }
}

/// The sentence of a section's slider, if the section has one of its own.
fn own_sentence<'r>(registry: &'r Registry, source: &Source) -> Option<&'r str> {
    let section = registry.section(&source.section)?;
    section.defaults().scale_template.as_deref()
}

/// The entry of a list.
pub fn of_entry(registry: &Registry, source: Option<&Source>) -> Result<Place, Refusal> {
    let source = source.filter(|source| source.part == Part::Entry);
    let source = source.ok_or(Refusal::NoEntry)?;
    Ok(entry_at(source, text_of(registry, source)?))
}

fn entry_at(source: &Source, text: &str) -> Place {
    let index = Step::Index(source.entry.unwrap_or_default());
    text_at(source, item_path(source), [key(&source.field), index], text)
}

/// The value of a variable: what the state sets, else the default.
pub fn of_variable(
    registry: &Registry,
    state: Option<&State>,
    source: &Source,
) -> Result<Place, Refusal> {
    let name = source.variable.as_deref().ok_or(Refusal::Stale)?;
    let section = registry.section(&source.section).ok_or(Refusal::Stale)?;
    let qualified_name = format!("{}::{name}", source.section);
    let (state_value, default) = values(section, state, &qualified_name, name);
    let text = state_value.or(default).cloned().unwrap_or_default();
    Ok(Place {
        path: vec![key("state"), key("template_vars"), key(&qualified_name)],
        piece: 0..text.len(),
        text,
        exists: state_value.is_some(),
        section: source.section.to_string(),
        variable: Some(Variable {
            name: name.to_owned(),
            has_default: default.is_some_and(|text| !text.is_empty()),
        }),
    })
}

/// What the state sets for a declared variable, and its default.
fn values<'a>(
    section: &'a Section,
    state: Option<&'a State>,
    full: &str,
    name: &str,
) -> (Option<&'a String>, Option<&'a String>) {
    let set = state.and_then(|state| state.template_vars.get(full));
    let default = section.defaults().template_var_defaults.get(name);
    (set.filter(|text| !text.is_empty()), default)
}

/// What a declared variable prints.
pub fn value<'a>(
    section: &'a Section,
    state: &'a State,
    qualified_name: &str,
    name: &str,
) -> &'a str {
    let (state_value, default) = values(section, Some(state), qualified_name, name);
    state_value.or(default).map_or("", String::as_str)
}

/// What a slider measures on an item.
fn of_emotion(registry: &Registry, source: &Source, printed: &str) -> Result<Place, Refusal> {
    let scale_emotion = item(registry, source)?.scale_emotion();
    Ok(Place {
        exists: scale_emotion.is_some(),
        ..text_at(source, item_path(source), [key("scale_emotion")], printed)
    })
}

fn text_at(
    source: &Source,
    mut path: Vec<Step>,
    rest: impl IntoIterator<Item = Step>,
    text: &str,
) -> Place {
    path.extend(rest);
    Place {
        path,
        text: text.to_owned(),
        piece: 0..text.len(),
        exists: true,
        section: source.section.to_string(),
        variable: None,
    }
}

fn not_text(source: &Source, value: &Value) -> Refusal {
    Refusal::NotText {
        section: source.section.to_string(),
        item: source.item,
        field: source.field.to_string(),
        entry: source.entry,
        kind: match value {
            Value::Number(_) => "a number",
            Value::Bool(_) => "true or false",
            _ => "JSON",
        },
    }
}
