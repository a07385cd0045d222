//! `scale` on an item: its sentence becomes the section's `scale_template`, what it measures the
//! item's `scale_emotion`.

use promptdeck_python::number::float;
use serde_json::{Map, Number, Value, json};

use super::super::Dialect;
use super::draft::{Draft, filled};
use super::token::Token;
use super::type_check::truth;

/// The sentence of a scale that has none of its own.
pub(super) const TEMPLATE: &str = "{label}: {value}/{max_value} — {scale_descriptor}.";

/// The scale of one item, as far as it is supported.
#[derive(Clone, PartialEq)]
struct Scale {
    sentence: String,
    descriptor: String,
    position: f64,
    rolled: bool,
    /// A part of it that is not supported.
    unsupported: Option<&'static str>,
}

/// Moves the scales of items to their sections.
pub(super) fn hoist(draft: &mut Draft) {
    for section in draft.sections() {
        let token = Token::Scale {
            section: section.clone(),
        };
        let printed = draft.tokens_of(&section).contains(&token);
        let has_any = draft.items(&section).any(|item| item.contains_key("scale"));
        if !printed && !has_any {
            continue;
        }
        if printed && !draft.required(&section) {
            for order in &mut draft.orders {
                order.tokens.retain(|(_, other)| *other != token);
            }
            let message =
                format!("{section}.scale prints nothing for an optional section; left out");
            draft.converted(&[&section], message);
        }
        hoist_section(draft, &section);
        if printed && section != "sentiment" {
            let (message, is_ambiguous) = match draft.dialect {
                Dialect::V0_8 => (
                    "0.7 takes the slider of sentiment, 0.8 its own; read as 0.8",
                    true,
                ),
                _ => (
                    "its slider is that of sentiment in promptlibretto, and its own in Promptdeck",
                    false,
                ),
            };
            if is_ambiguous {
                draft.ambiguous(&[&section], message.to_owned());
            } else {
                draft.not_supported(&[&section], message.to_owned());
            }
        }
    }
}

fn hoist_section(draft: &mut Draft, section: &str) {
    let scales: Vec<Scale> = draft.items(section).map(scale).collect();
    // Of items that have a scale the first gives the sentence.
    let scale_value = draft
        .items(section)
        .position(|item| item.contains_key("scale"));
    let Some(first) = scales.get(scale_value.unwrap_or(0)).cloned() else {
        return;
    };
    for (index, scale) in scales.iter().enumerate() {
        let index = index.to_string();
        let at = [section, "items", &index, "scale"];
        if let Some(unsupported) = scale.unsupported {
            draft.not_supported(&at, unsupported.to_owned());
        }
        if scale.sentence != first.sentence {
            let message = format!(
                "a section has one sentence in Promptdeck, {:?}; this item's is {:?}",
                first.sentence, scale.sentence
            );
            draft.not_supported(&at, message);
        }
        if scale.position.total_cmp(&first.position).is_ne() {
            let message = format!(
                "a section has one default in Promptdeck, {}; this item's is {}",
                first.position, scale.position
            );
            draft.not_supported(&at, message);
        }
        if scale.rolled != first.rolled {
            let message = "a section is rolled as a whole in Promptdeck, and this item is not as the first is";
            draft.not_supported(&at, message.to_owned());
        }
    }
    for (item, scale) in draft.items_mut(section).zip(scales) {
        item.shift_remove("scale");
        item.insert("scale_emotion".to_owned(), Value::String(scale.descriptor));
    }
    if let Some(map) = draft.section_mut(section) {
        map.insert("scale_template".to_owned(), Value::String(first.sentence));
        map.insert("slider".to_owned(), number(first.position));
        if first.rolled {
            map.insert("slider_random".to_owned(), Value::Bool(true));
        }
    }
    let message = "the scales of the items became the section's sentence and each item's measure";
    draft.converted(&[section, "items"], message.to_owned());
}

fn scale(item: &Map<String, Value>) -> Scale {
    let none = Map::new();
    let scale = item
        .get("scale")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let mut unsupported = None;
    let label = filled(scale, "label").unwrap_or("Scale");
    let descriptor = match scale.get("scale_descriptor") {
        Some(Value::Array(choices)) if !choices.is_empty() => {
            unsupported = Some(
                "what it measures is drawn from a list in promptlibretto, and is the first in Promptdeck",
            );
            choices[0].as_str().unwrap_or("feeling")
        }
        Some(Value::Array(_)) => "feeling",
        _ => filled(scale, "scale_descriptor")
            .or_else(|| filled(item, "id"))
            .unwrap_or("feeling"),
    };
    let template = filled(scale, "template").unwrap_or(TEMPLATE);
    let highest = bound(scale, "max_value", 10.0);
    let rolled = scale.get("randomize").is_some_and(truth);
    if rolled && (bound(scale, "min_value", 1.0), highest) != (1.0, 10.0) {
        unsupported = Some("a roll goes from 1 to 10 in Promptdeck, whatever the bounds");
    }
    if template.contains("{emotion}") {
        unsupported =
            Some("{emotion} is a text in promptlibretto and what is measured in Promptdeck");
    }
    if descriptor.contains('{') || label.contains('{') {
        unsupported = Some(
            "braces in its label or in what it measures are filled in promptlibretto in another order",
        );
    }
    let highest = format!("{:.0}", highest.trunc());
    let sentence = template
        .replace("{label}", label)
        .replace("{max_value}", &highest)
        .replace("{scale_descriptor}", "{emotion}");
    Scale {
        sentence,
        descriptor: descriptor.to_owned(),
        position: rounded(bound(scale, "default_value", 5.0)),
        rolled,
        unsupported,
    }
}

/// A bound of the scale; zero and null count as not given there.
fn bound(scale: &Map<String, Value>, key: &str, default: f64) -> f64 {
    let scale_value = match scale.get(key) {
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) => float(text),
        _ => None,
    };
    scale_value
        .filter(|value: &f64| value.is_finite() && *value != 0.0)
        .unwrap_or(default)
}

/// A position as it is printed there: the nearest whole number, and of two the even one.
pub(super) fn rounded(value: f64) -> f64 {
    value.round_ties_even()
}

/// A whole number as JSON.
pub(super) fn number(value: f64) -> Value {
    let spelled = serde_json::from_str::<Number>(&format!("{value:.0}"));
    spelled.map_or(json!(5), Value::Number)
}
