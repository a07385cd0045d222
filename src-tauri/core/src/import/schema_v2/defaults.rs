//! `default_state`: what it sets of a section becomes the section's own defaults.

use promptdeck_python::text::strip;
use serde_json::{Map, Value, json};

use super::super::Dialect;
use super::draft::{Draft, identity};
use super::scale::{number, rounded};
use super::token::Token;
use super::type_check::truth;
use crate::hydrate::{Mode, ModeFault};
use crate::registry::is_section;

/// Bakes the registry's default state into its sections.
pub(super) fn bake(draft: &mut Draft) {
    let mut routes = Vec::new();
    if let Some(Value::Object(members)) = draft.registry.get_mut("routes") {
        for (name, route) in members {
            let state = route
                .as_object_mut()
                .and_then(|route| route.shift_remove("default_state"));
            if state.is_some_and(|state| truth(&state)) {
                routes.push(name.clone());
            }
        }
    }
    for name in routes {
        let message = "a route has no state of its own in Promptdeck; left out".to_owned();
        draft.not_supported(&["routes", &name, "default_state"], message);
    }
    let Some(Value::Object(states)) = draft.reserved.shift_remove("default_state") else {
        return;
    };
    for (section, state) in states {
        let at = ["default_state", section.as_str()];
        let known = draft
            .registry
            .get(&section)
            .is_some_and(|value| is_section(&section, value));
        let Value::Object(state) = state else {
            draft.converted(&at, "it is not an object and is ignored".to_owned());
            continue;
        };
        if !known {
            draft.converted(&at, "no section has that name; left out".to_owned());
            continue;
        }
        selected(draft, &section, &state);
        switches(draft, &section, &state);
        modes(draft, &section, &state);
        variables(draft, &section, &state);
    }
}

fn set(draft: &mut Draft, section: &str, key: &str, value: Value) {
    if let Some(map) = draft.section_mut(section) {
        map.insert(key.to_owned(), value);
    }
}

fn selected(draft: &mut Draft, section: &str, state: &Map<String, Value>) {
    let at = ["default_state", section, "selected"];
    let required = draft.required(section);
    let known =
        |draft: &Draft, id: &str| draft.items(section).any(|item| identity(item) == Some(id));
    match state.get("selected") {
        Some(Value::String(id)) if required => {
            if known(draft, id) {
                set(draft, section, "selected", json!(id));
            } else {
                let message = format!("no item is {id:?}, so the first is taken; left out");
                draft.converted(&at, message);
            }
        }
        Some(Value::String(id)) => {
            let message = format!(
                "an optional section takes a list; {id:?} selects nothing in promptlibretto"
            );
            draft.converted(&at, message);
        }
        Some(Value::Array(ids)) if required => {
            let ids: Vec<&str> = ids.iter().filter_map(Value::as_str).collect();
            let ids: Vec<&str> = ids.into_iter().filter(|id| known(draft, id)).collect();
            let message = if ids.is_empty() || draft.dialect != Dialect::V0_8 {
                draft.converted(
                    &at,
                    "a list selects the first item in promptlibretto; left out".to_owned(),
                );
                "0.7 takes the first item, 0.8 all that are listed; read as 0.7"
            } else {
                let list = json!(ids);
                set(draft, section, "selected", list);
                set(draft, section, "required", json!(false));
                let message = "a required section has one item in Promptdeck; it became optional, and a \
                               call that selects nothing gets none";
                draft.not_supported(&at, message.to_owned());
                "0.7 takes the first item, 0.8 all that are listed; read as 0.8"
            };
            draft.ambiguous(&at, message.to_owned());
        }
        Some(Value::Array(ids)) => {
            let list = json!(ids);
            set(draft, section, "selected", list);
            let brackets = draft
                .tokens_of("groups")
                .iter()
                .any(|token| matches!(token, Token::Item { .. }));
            if section == "groups" && brackets {
                let message =
                    "groups that are not selected do not print in brackets in promptlibretto";
                draft.not_supported(&at, message.to_owned());
            }
        }
        _ => {}
    }
}

fn switches(draft: &mut Draft, section: &str, state: &Map<String, Value>) {
    for key in ["section_random", "slider_random"] {
        if state.get(key).is_some_and(truth) {
            set(draft, section, key, Value::Bool(true));
        }
    }
    let Some(position) = state.get("slider").and_then(Value::as_f64) else {
        return;
    };
    let rounded_position = rounded(position);
    if rounded_position.total_cmp(&position).is_ne() {
        let message = format!(
            "{position} is rounded in promptlibretto; in Promptdeck it is {rounded_position}"
        );
        draft.converted(&["default_state", section, "slider"], message);
    }
    set(draft, section, "slider", number(rounded_position));
}

fn modes(draft: &mut Draft, section: &str, state: &Map<String, Value>) {
    let Some(Value::Object(modes)) = state.get("array_modes") else {
        return;
    };
    let mut baked = Map::new();
    for (field, text) in modes {
        let text = text.as_str().unwrap_or_default();
        let at = ["default_state", section, "array_modes", field.as_str()];
        let (mode, fault) = Mode::parse(text);
        let blanks = text.split([':', ',']).skip(1).all(|part| {
            strip(part).is_empty() || Mode::parse(&format!("index:{part}")).1.is_none()
        });
        // One entry that is no number empties the whole list there.
        let emptied = fault == Some(ModeFault::EntryNotNumeric) && !blanks;
        let mode = if emptied { Mode::None } else { mode };
        if field.starts_with("groups[") && !matches!(mode, Mode::All | Mode::None | Mode::Index(0))
        {
            let message = format!(
                "the mode {text:?} of a group is applied twice in promptlibretto; left out"
            );
            draft.not_supported(&at, message);
            continue;
        }
        let moved = draft.name_of(section, field);
        if field.starts_with("groups[") && !draft.reads(section, moved) && mode != Mode::All {
            let message =
                format!("a mode of one group among others has no place in Promptdeck: {text:?}");
            draft.not_supported(&at, message);
            continue;
        }
        let moved = moved.to_owned();
        if mode.to_string() != text {
            draft.converted(&at, format!("{text:?} means {mode} in promptlibretto"));
        }
        baked.insert(moved, Value::String(mode.to_string()));
    }
    if !baked.is_empty() {
        set(draft, section, "array_modes", Value::Object(baked));
    }
}

fn variables(draft: &mut Draft, section: &str, state: &Map<String, Value>) {
    let Some(Value::Object(variables)) = state.get("template_vars") else {
        return;
    };
    let mut defaults = Map::new();
    for (name, text) in variables {
        if let Value::String(text) = text {
            defaults.insert(super::variables::bare(name).to_owned(), json!(text));
        }
    }
    if !defaults.is_empty() {
        set(
            draft,
            section,
            "template_var_defaults",
            Value::Object(defaults),
        );
    }
}
