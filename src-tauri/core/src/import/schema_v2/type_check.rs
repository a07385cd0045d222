//! Checks types: values that the dialect coerces are coerced, other wrong types are rejected.

use serde_json::{Map, Value, json};

use super::super::detect::TOP_KEYS;
use crate::registry::{
    ParseError,
    check::{self, FieldPath, present},
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
    let path = FieldPath::ROOT;
    check::texts(registry, "assembly_order", &path)?;
    check::text_members::<Vec<_>>(registry, "assembly_prefixes", &path)?;
    check::object(registry, "generation", &path)?;
    check::object(registry, "output_policy", &path)?;
    states(
        check::object(registry, "default_state", &path)?,
        &path.key("default_state"),
    )?;
    if let Some(routes) = check::object(registry, "routes", &path)? {
        let path = path.key("routes");
        for (name, route) in routes {
            let path = path.key(name);
            let Value::Object(route) = route else {
                return Err(path.wrong_type("an object", route));
            };
            check::texts(route, "assembly_order", &path)?;
            states(
                check::object(route, "default_state", &path)?,
                &path.key("default_state"),
            )?;
        }
    }
    for (name, value) in registry.iter_mut() {
        if is_section(name, value)
            && !TOP_KEYS.contains(&name.as_str())
            && let Value::Object(map) = value
        {
            section(map, &path.key(name))?;
        }
    }
    Ok(())
}

fn section(section: &mut Map<String, Value>, path: &FieldPath<'_>) -> Result<(), ParseError> {
    // Everything there is true or false; null is false, and only absence is true.
    if let Some(required) = section.get_mut("required") {
        *required = json!(truth(required));
    }
    check::texts(section, "template_vars", path)?;
    check::list(section, "items", path)?;
    let Some(Value::Array(items)) = section.get_mut("items") else {
        return Ok(());
    };
    let path = path.key("items");
    for (index, value) in items.iter_mut().enumerate() {
        let path = path.index(index);
        match value {
            Value::Object(map) => item(map, &path)?,
            other => return Err(path.wrong_type("an object", other)),
        }
    }
    Ok(())
}

fn item(item: &mut Map<String, Value>, path: &FieldPath<'_>) -> Result<(), ParseError> {
    for key in TEXTS {
        // A number prints as a text would, under its own digits.
        if let Some(Value::Number(number)) = item.get(key) {
            let text = number.to_string();
            item.insert(key.to_owned(), Value::String(text));
        }
        check::text(item, key, path)?;
    }
    check::texts(item, "template_vars", path)?;
    check::text_members::<Vec<_>>(item, "template_defaults", path)?;
    check::object(item, "scale", path)?;
    for (index, fragment) in check::list(item, "fragments", path)?.iter().enumerate() {
        let path = path.key("fragments");
        let path = path.index(index);
        let Value::Object(fragment) = fragment else {
            return Err(path.wrong_type("an object with `text`", fragment));
        };
        check::text(fragment, "text", &path)?;
        check::text(fragment, "condition", &path)?;
    }
    for (index, group) in check::list(item, "groups", path)?.iter().enumerate() {
        let path = path.key("groups");
        let path = path.index(index);
        match group {
            Value::String(_) => {}
            Value::Object(group) => {
                check::text(group, "pre_context", &path)?;
                check::list(group, "items", &path)?;
            }
            other => return Err(path.wrong_type("the id of a group or a group", other)),
        }
    }
    Ok(())
}

/// The settings of a `default_state`, section by section.
fn states(states: Option<&Map<String, Value>>, path: &FieldPath<'_>) -> Result<(), ParseError> {
    for (name, state) in states.into_iter().flatten() {
        let path = path.key(name);
        let Value::Object(state) = state else {
            // The dialect leaves out what is no object.
            continue;
        };
        match present(state, "selected") {
            None | Some(Value::String(_)) => {}
            Some(_) => {
                check::texts(state, "selected", &path)?;
            }
        }
        check::number(state, "slider", &path)?;
        check::text_members::<Vec<_>>(state, "array_modes", &path)?;
        check::text_members::<Vec<_>>(state, "template_vars", &path)?;
    }
    Ok(())
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
