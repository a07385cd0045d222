//! Which dialect a registry is written in.

use serde_json::{Map, Value};

use super::Dialect;
use crate::registry::{
    DataKey, DiagnosticData, ParseCode, ParseError, RESERVED_KEYS, SCHEMA_VERSION,
    check::{self, FieldPath},
};

/// Keys at the top that only schema version 2 has; none of them is a section there.
pub(super) const TOP_KEYS: [&str; 5] = [
    "assembly_prefixes",
    "default_state",
    "memory_config",
    "memory_rules",
    "style_blend",
];

/// Keys at the top that only promptlibretto 0.8 knows.
const KEYS_OF_V0_8: [&str; 4] = [
    "assembly_prefixes",
    "memory_config",
    "memory_rules",
    "style_blend",
];

/// The dialect: by the version, and where a file names none, by what it holds.
pub(super) fn dialect(registry: &Map<String, Value>) -> Result<Dialect, ParseError> {
    let path = FieldPath::ROOT.key("version");
    match check::present(registry, "version") {
        None if is_schema_v2(registry) => Ok(release(registry)),
        None => Ok(Dialect::V0_6),
        Some(Value::Number(number)) if number.as_u64() == Some(SCHEMA_VERSION) => Ok(Dialect::V0_6),
        Some(Value::Number(number)) if number.as_u64() == Some(2) => Ok(release(registry)),
        Some(Value::Number(number)) => Err(path.error(
            ParseCode::UnsupportedVersion,
            format!("version {number} is unknown; versions 2 and {SCHEMA_VERSION} can be imported"),
            DiagnosticData::of(DataKey::Found, number.to_string())
                .with(DataKey::Expected, format!("2 or {SCHEMA_VERSION}")),
        )),
        Some(other) => Err(path.wrong_type("the number 2 or 22", other)),
    }
}

/// Version 2 does not name the release that wrote it. Release 0.8 writes `text` where 0.7 wrote
/// `context`, so a file with a `context` is of 0.7 unless it uses a feature of 0.8.
fn release(registry: &Map<String, Value>) -> Dialect {
    let newer = KEYS_OF_V0_8.iter().any(|key| registry.contains_key(*key));
    let context = || items(registry).any(|item| item.contains_key("context"));
    if !newer && context() {
        Dialect::V0_7
    } else {
        Dialect::V0_8
    }
}

fn is_schema_v2(registry: &Map<String, Value>) -> bool {
    let telling = |item: &Map<String, Value>| {
        let condition = |fragment: &Value| fragment.get("condition").is_some();
        item.contains_key("template_defaults")
            || item.get("groups").is_some_and(Value::is_array)
            || item.get("scale").is_some_and(Value::is_object)
            || item
                .get("fragments")
                .and_then(Value::as_array)
                .is_some_and(|fragments| fragments.iter().any(condition))
    };
    TOP_KEYS.iter().any(|key| registry.contains_key(*key)) || items(registry).any(telling)
}

fn items(registry: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    registry
        .iter()
        .filter(|(key, _)| {
            !RESERVED_KEYS.contains(&key.as_str()) && !TOP_KEYS.contains(&key.as_str())
        })
        .filter_map(|(_, section)| section.get("items")?.as_array())
        .flatten()
        .filter_map(Value::as_object)
}
