//! Finds keys of a document that its schema does not know. Readers ignore such keys, so they are
//! reported. Objects that anybody may extend are looked through only if that is asked for.

use serde_json::{Map, Value};

use crate::{
    abridged,
    nearest::{hint, nearest},
    push_step,
};

/// How many unknown keys of one document are named.
const MAX_FOUND: usize = 20;

/// What a schema says that allows no other keys.
static CLOSED: Value = Value::Bool(false);

/// A key that the schema of a document does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// JSON pointer to it, counted from the document.
    pub pointer: String,
    /// One line that names it and the nearest key that is known.
    pub message: String,
    /// The key.
    pub key: String,
    /// The nearest key that is known.
    pub nearest: Option<String>,
    /// Without one, the nearest key of an object beside it, as `given.rolls`.
    pub inner: Option<String>,
}

/// The first keys of a document that stand where its schema allows only others.
///
/// ```
/// use promptdeck_json::{schema, unknown_keys};
/// use serde_json::json;
///
/// let schema = schema::closed("A state.", &[], json!({"selections": {}}));
/// let found = unknown_keys(&schema, &json!({"selection": {}}));
/// assert_eq!(found[0].pointer, "/selection");
/// assert!(found[0].message.ends_with("did you mean \"selections\"?"));
/// ```
#[must_use]
pub fn unknown_keys(schema: &Value, document: &Value) -> Vec<UnknownKey> {
    Walk::over(schema, document, false)
}

/// As [`unknown_keys`], and also the keys that a schema allows without listing them: those of objects
/// with `properties` of which `additionalProperties` says nothing. Such a key may be another program's.
///
/// ```
/// use promptdeck_json::{unknown_keys, unlisted_keys};
/// use serde_json::json;
///
/// let schema = json!({"properties": {"content": {}}});
/// let message = json!({"contnt": "Hi"});
/// assert_eq!(unknown_keys(&schema, &message), []);
/// let found = unlisted_keys(&schema, &message);
/// assert_eq!(found[0].nearest.as_deref(), Some("content"));
/// ```
#[must_use]
pub fn unlisted_keys(schema: &Value, document: &Value) -> Vec<UnknownKey> {
    Walk::over(schema, document, true)
}

struct Walk<'a> {
    root: &'a Value,
    /// The way to the value at hand.
    pointer: String,
    /// Whether a key is found where a schema lists others and allows any.
    unlisted: bool,
    found: Vec<UnknownKey>,
}

impl<'a> Walk<'a> {
    fn over(schema: &'a Value, document: &Value, unlisted: bool) -> Vec<UnknownKey> {
        let mut walk = Self {
            root: schema,
            pointer: String::new(),
            unlisted,
            found: Vec::new(),
        };
        walk.value(schema, document);
        walk.found
    }

    fn value(&mut self, schema: &'a Value, value: &Value) {
        let schema = self.resolved(schema);
        match value {
            Value::Object(members) => self.members(schema, members),
            Value::Array(entries) => {
                let Some(item_schema) = schema.get("items") else {
                    return;
                };
                for (index, entry) in entries.iter().enumerate() {
                    self.step(&index.to_string(), |walk| walk.value(item_schema, entry));
                }
            }
            _ => {}
        }
    }

    /// The schema that a reference names, or the schema itself.
    fn resolved(&self, schema: &'a Value) -> &'a Value {
        let named = schema.get("$ref").and_then(Value::as_str);
        let target = named.and_then(|named| named.strip_prefix('#'));
        let target = target.and_then(|target| self.root.pointer(target));
        target.unwrap_or(schema)
    }

    /// The key of an object among `known` that is nearest to a key: the same, or the first near one.
    fn inner(&self, key: &str, known: Option<&'a Map<String, Value>>) -> Option<String> {
        let objects = known.into_iter().flatten().filter_map(|(name, schema)| {
            let inner = self.resolved(schema).get("properties")?.as_object()?;
            Some((name, inner.keys().map(String::as_str)))
        });
        let candidates: Vec<(&String, &str)> = objects
            .filter_map(|(name, inner)| Some((name, nearest(key, inner)?)))
            .collect();
        let same = candidates.iter().find(|(_, inner)| *inner == key);
        let (name, inner) = same.or(candidates.first())?;
        Some(format!("{name}.{inner}"))
    }

    fn members(&mut self, schema: &'a Value, members: &Map<String, Value>) {
        let known = schema.get("properties").and_then(Value::as_object);
        let others = match schema.get("additionalProperties") {
            None if self.unlisted && known.is_some() => Some(&CLOSED),
            others => others,
        };
        for (key, value) in members {
            if self.found.len() >= MAX_FOUND {
                return;
            }
            match (known.and_then(|known| known.get(key)), others) {
                (Some(member_schema), _) => self.step(key, |walk| walk.value(member_schema, value)),
                (None, Some(Value::Bool(false))) => {
                    let names = known.into_iter().flat_map(Map::keys).map(String::as_str);
                    let place = match self.pointer.as_str() {
                        "" => String::new(),
                        pointer => format!(" in {}", abridged(pointer)),
                    };
                    let nearest = nearest(key, names);
                    // A key that is allowed may be another program's, whatever it resembles.
                    let is_closed = schema.get("additionalProperties").is_some();
                    let inner = (is_closed && nearest.is_none())
                        .then(|| self.inner(key, known))
                        .flatten();
                    let message = format!(
                        "unknown key {:?}{place}, which is ignored{}",
                        abridged(key),
                        hint(nearest.or(inner.as_deref()))
                    );
                    self.step(key, |walk| {
                        walk.found.push(UnknownKey {
                            pointer: walk.pointer.clone(),
                            message,
                            key: key.clone(),
                            nearest: nearest.map(str::to_owned),
                            inner,
                        });
                    });
                }
                (None, Some(additional_schema @ Value::Object(_))) => {
                    self.step(key, |walk| walk.value(additional_schema, value));
                }
                (None, _) => {}
            }
        }
    }

    fn step(&mut self, step: &str, inner: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        push_step(&mut self.pointer, step);
        inner(self);
        self.pointer.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::closed;

    #[test]
    fn a_key_of_an_object_beside_it_is_named() {
        let given = closed("Given.", &[], json!({"rolls": {}, "seed": {}}));
        let schema = json!({
            "properties": {"other": {"$ref": "#/$defs/other"}, "given": given, "speed": {}},
            "additionalProperties": false,
            "$defs": {"other": {"properties": {"roll": {}}}},
        });
        let suggestion = |key: &str| {
            let found = unknown_keys(&schema, &json!({ key: 1 })).remove(0);
            (found.nearest, found.inner)
        };
        let inner = |name: &str| (None, Some(name.to_owned()));
        assert_eq!(suggestion("rolls"), inner("given.rolls"));
        assert_eq!(suggestion("rol"), inner("other.roll"));
        assert_eq!(suggestion("speeds"), (Some("speed".to_owned()), None));
        assert_eq!(suggestion("weather"), (None, None));
        let foreign = json!({"properties": {"given": given}});
        assert_eq!(unlisted_keys(&foreign, &json!({"rolls": 1}))[0].inner, None);
    }

    #[test]
    fn a_document_of_unknown_keys_is_cut_short() {
        let many: Map<String, Value> = (0..1_000)
            .map(|number| (number.to_string(), Value::Null))
            .collect();
        let schema = closed("Nothing.", &[], json!({}));
        let found = unknown_keys(&schema, &Value::Object(many));
        assert_eq!(found.len(), MAX_FOUND);
    }
}
