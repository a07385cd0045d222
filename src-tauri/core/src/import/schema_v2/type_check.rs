//! Checks types: values that the dialect coerces are coerced, other wrong types are rejected.

use serde_json::{Map, Value, json};

use super::super::detect::TOP_KEYS;
use crate::registry::{
    ParseError,
    check::{self, FieldPath, TypeErrors, present},
    is_section,
};

/// Keys of an item that hold a text.
const TEXTS: [&str; 6] = [
    "id",
    "name",
    "text",
    "context",
    "pre_context",
    "pre_context:",
];

/// Checks a registry and normalizes alternative spellings.
pub(super) fn check(registry: &mut Map<String, Value>) -> Result<(), ParseError> {
    let mut errors = TypeErrors::default();
    settings(registry, &FieldPath::ROOT, &mut errors);
    let routes = errors.or_default(check::object(registry, "routes", &FieldPath::ROOT));
    for (name, route) in routes.into_iter().flatten() {
        let path = FieldPath::ROOT.key("routes");
        let path = path.key(name);
        match route {
            Value::Object(route) => {
                check::texts(route, "assembly_order", &path, &mut errors);
                states(route, &path, &mut errors);
            }
            other => errors.add(path.wrong_type("an object", other)),
        }
    }
    for (name, value) in registry.iter_mut() {
        if is_section(name, value)
            && !TOP_KEYS.contains(&name.as_str())
            && let Value::Object(map) = value
        {
            section(map, &FieldPath::ROOT.key(name), &mut errors);
        }
    }
    errors.first_or(())
}

fn settings(registry: &Map<String, Value>, path: &FieldPath<'_>, errors: &mut TypeErrors) {
    check::texts(registry, "assembly_order", path, errors);
    check::text_members::<Vec<_>>(registry, "assembly_prefixes", path, errors);
    errors.or_default(check::object(registry, "generation", path));
    errors.or_default(check::object(registry, "output_policy", path));
    states(registry, path, errors);
}

fn section(section: &mut Map<String, Value>, path: &FieldPath<'_>, errors: &mut TypeErrors) {
    // Everything there is true or false; null is false, and only absence is true.
    if let Some(required) = section.get_mut("required") {
        *required = json!(truth(required));
    }
    check::texts(section, "template_vars", path, errors);
    errors.or_default(check::list(section, "items", path));
    let Some(Value::Array(items)) = section.get_mut("items") else {
        return;
    };
    let path = path.key("items");
    for (index, value) in items.iter_mut().enumerate() {
        let path = path.index(index);
        match value {
            Value::Object(map) => item(map, &path, errors),
            other => errors.add(path.wrong_type("an object", other)),
        }
    }
}

fn item(item: &mut Map<String, Value>, path: &FieldPath<'_>, errors: &mut TypeErrors) {
    for key in TEXTS {
        // A number prints as a text would, under its own digits.
        if let Some(Value::Number(number)) = item.get(key) {
            let text = number.to_string();
            item.insert(key.to_owned(), Value::String(text));
        }
        errors.or_default(check::text(item, key, path));
    }
    check::texts(item, "template_vars", path, errors);
    check::text_members::<Vec<_>>(item, "template_defaults", path, errors);
    errors.or_default(check::object(item, "scale", path));
    let fragments = errors.or_default(check::list(item, "fragments", path));
    for (index, fragment) in fragments.iter().enumerate() {
        let path = path.key("fragments");
        let path = path.index(index);
        let Value::Object(fragment) = fragment else {
            errors.add(path.wrong_type("an object with `text`", fragment));
            continue;
        };
        errors.or_default(check::text(fragment, "text", &path));
        errors.or_default(check::text(fragment, "condition", &path));
    }
    let groups = errors.or_default(check::list(item, "groups", path));
    for (index, group) in groups.iter().enumerate() {
        let path = path.key("groups");
        let path = path.index(index);
        match group {
            Value::String(_) => {}
            Value::Object(group) => {
                errors.or_default(check::text(group, "pre_context", &path));
                errors.or_default(check::list(group, "items", &path));
            }
            other => errors.add(path.wrong_type("the id of a group or a group", other)),
        }
    }
}

/// The settings of the `default_state` of a registry or a route, section by section.
fn states(owner: &Map<String, Value>, path: &FieldPath<'_>, errors: &mut TypeErrors) {
    let states = errors.or_default(check::object(owner, "default_state", path));
    let path = path.key("default_state");
    for (name, state) in states.into_iter().flatten() {
        let path = path.key(name);
        let Value::Object(state) = state else {
            // The dialect leaves out what is no object.
            continue;
        };
        match present(state, "selected") {
            None | Some(Value::String(_)) => {}
            Some(_) => {
                check::texts(state, "selected", &path, errors);
            }
        }
        errors.or_default(check::number(state, "slider", &path));
        check::text_members::<Vec<_>>(state, "array_modes", &path, errors);
        check::text_members::<Vec<_>>(state, "template_vars", &path, errors);
    }
}

/// The truth value of a JSON value, as in Python.
pub(super) fn truth(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(entries) => !entries.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}
