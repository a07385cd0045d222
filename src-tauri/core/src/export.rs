//! Exports: a registry in canonical form with the settings of a state written into its sections. The
//! texts typed for template variables stay out, for the model stays generic.

pub mod prompt_file;

use serde_json::{Map, Number, Value, json};

use crate::{
    hydrate::State,
    registry::{Document, Selection, canonical, is_section},
};

/// The document in canonical form with the state written into its sections (Export Model JSON).
///
/// ```
/// use promptdeck_core::{export::export, hydrate::State, registry::parse};
///
/// let parsed = parse(br#"{"personas": {"items": [{"id": "calm"}]}}"#)?;
/// let state = serde_json::from_str::<State>(r#"{"selections": {"personas": "calm"}}"#).unwrap();
/// assert!(export(&parsed.document, &state).contains(r#""selected": "calm""#));
/// # Ok::<(), promptdeck_core::registry::ParseError>(())
/// ```
#[must_use]
pub fn export(document: &Document, state: &State) -> String {
    let mut merged = document.clone();
    for (name, value) in &mut merged.registry {
        if is_section(name, value)
            && let Value::Object(section) = value
        {
            weave(name, section, state);
        }
    }
    canonical::format(&merged)
}

/// The keys, `section::variable`, of the values in a state that an export leaves out: the model stays
/// generic, and its caller sets them.
#[must_use]
pub fn omitted(document: &Document, state: &State) -> Vec<String> {
    let exported = |section: &str, name: &str| {
        let defaults = document
            .registry
            .get(section)?
            .get("template_var_defaults")?;
        defaults.get(name)?.as_str()
    };
    let set = state.template_vars.iter().filter(|(key, value)| {
        let default = key
            .split_once("::")
            .and_then(|(section, name)| exported(section, name));
        !value.is_empty() && default != Some(value.as_str())
    });
    set.map(|(key, _)| key.clone()).collect()
}

/// Puts the settings of the state where a load finds them as defaults.
fn weave(name: &str, section: &mut Map<String, Value>, state: &State) {
    let selection = state.selections.get(name);
    let slider = state.sliders.get(name);
    if let Some(selection) = selection {
        let selected = match selection {
            Selection::One(id) => json!(id),
            Selection::Many(ids) => json!(ids),
        };
        section.insert("selected".to_owned(), selected);
    }
    if let Some(modes) = state
        .array_modes
        .get(name)
        .filter(|modes| !modes.is_empty())
    {
        let baked = section.entry("array_modes").or_insert(Value::Null);
        if !baked.is_object() {
            *baked = json!({});
        }
        for (field, mode) in modes {
            baked[field] = json!(mode);
        }
    }
    if let Some(slider) = slider {
        section.insert("slider".to_owned(), number(*slider));
    }
    // A selection or a slider of the state switches off what was baked to roll.
    let switches = [
        (
            "section_random",
            state.section_random.get(name),
            selection.is_some(),
        ),
        (
            "slider_random",
            state.slider_random.get(name),
            slider.is_some(),
        ),
    ];
    for (key, set, stilled) in switches {
        let baked = section.get(key) == Some(&Value::Bool(true));
        match set {
            Some(rolled) => {
                section.insert(key.to_owned(), json!(rolled));
            }
            None if stilled && baked => {
                section.insert(key.to_owned(), json!(false));
            }
            None => {}
        }
    }
}

/// A slider's position as people write it: whole ones without a point.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return json!(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}
