//! A small value that fits a JSON Schema, for the arguments of a call that no model made. The same
//! schema gives the same value. A `pattern` is not followed.

use serde_json::{Map, Value, json};

/// How many values one sample has at most: references may lead in circles.
const MAX_VALUES: usize = 1_000;

/// The longest text and list that a schema may ask for.
const MAX_LENGTH: u64 = 1_000;

/// How deep a sample nests at most.
const MAX_DEPTH: usize = 32;

/// An object that fits the schema of a tool's parameters.
pub(super) fn arguments(schema: &Value) -> Value {
    let mut sampler = Sampler {
        root: schema,
        left: MAX_VALUES,
    };
    match sampler.value(schema, 0, 0) {
        Value::Object(object) => Value::Object(object),
        _ => json!({}),
    }
}

struct Sampler<'s> {
    /// What references are resolved in.
    root: &'s Value,
    left: usize,
}

impl<'s> Sampler<'s> {
    /// A value that fits; another one for each `nth`, where the schema has several.
    fn value(&mut self, schema: &'s Value, nth: usize, depth: usize) -> Value {
        if self.left == 0 || depth > MAX_DEPTH {
            return Value::Null;
        }
        self.left -= 1;
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array)
            && !choices.is_empty()
        {
            return choices[nth % choices.len()].clone();
        }
        if nth == 0
            && let Some(default) = schema.get("default")
        {
            return default.clone();
        }
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let target = target.strip_prefix('#').map(|path| self.root.pointer(path));
            return match target.flatten() {
                Some(target) => self.value(target, nth, depth + 1),
                None => Value::Null,
            };
        }
        let mut fitting = match type_of(schema) {
            Some("object") => self.object(schema, depth),
            Some("array") => self.array(schema, depth),
            Some("string") => text(schema, nth),
            Some("integer") => number(schema, nth, true),
            Some("number") => number(schema, nth, false),
            Some("boolean") => Value::Bool(nth % 2 == 1),
            Some("null") => Value::Null,
            _ => match one_of(schema) {
                Some(choice) => return self.value(choice, nth, depth + 1),
                None if schema.get("allOf").is_some() => Value::Object(Map::new()),
                None => text(schema, nth),
            },
        };
        // What several schemas and alternatives ask of one object is put together.
        if let Value::Object(fitting_object) = &mut fitting {
            let all = schema.get("allOf").and_then(Value::as_array);
            let parts = all.into_iter().flatten().chain(one_of(schema));
            for part in parts {
                match self.value(part, nth, depth + 1) {
                    Value::Object(more) => {
                        for (name, value) in more {
                            fitting_object.entry(name).or_insert(value);
                        }
                    }
                    other if fitting_object.is_empty() && type_of(schema).is_none() => {
                        return other;
                    }
                    _ => {}
                }
            }
        }
        fitting
    }

    fn object(&mut self, schema: &'s Value, depth: usize) -> Value {
        let names = schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> = names
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut object = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        let declared = properties.into_iter().flatten();
        for (name, member_schema) in declared.clone() {
            if required.contains(&name.as_str()) {
                object.insert(name.clone(), self.value(member_schema, 0, depth + 1));
            }
        }
        for name in required {
            if !object.contains_key(name) {
                let member_schema = schema.get("additionalProperties").unwrap_or(&Value::Null);
                object.insert(name.to_owned(), self.value(member_schema, 0, depth + 1));
            }
        }
        let least = count(schema, "minProperties");
        for (name, member_schema) in declared {
            if object.len() as u64 >= least {
                break;
            }
            if !object.contains_key(name) {
                object.insert(name.clone(), self.value(member_schema, 0, depth + 1));
            }
        }
        Value::Object(object)
    }

    fn array(&mut self, schema: &'s Value, depth: usize) -> Value {
        let first = schema.get("prefixItems").and_then(Value::as_array);
        let first = first.map_or(&[][..], Vec::as_slice);
        let rest = schema.get("items").unwrap_or(&Value::Null);
        let is_unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        let mut items = Vec::new();
        while (items.len() as u64) < count(schema, "minItems") && self.left > 0 {
            let at = items.len();
            let nth = if is_unique { at } else { 0 };
            let item_schema = first.get(at).unwrap_or(rest);
            items.push(self.value(item_schema, nth, depth + 1));
        }
        Value::Array(items)
    }
}

/// The type that a schema names or implies; Gemini writes it in capitals.
fn type_of(schema: &Value) -> Option<&'static str> {
    let types = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(one)) => vec![one.as_str()],
        _ => Vec::new(),
    };
    let known = [
        "object", "array", "string", "integer", "number", "boolean", "null",
    ];
    let named = types.into_iter().filter_map(|named| {
        known
            .into_iter()
            .find(|type_name| type_name.eq_ignore_ascii_case(named))
    });
    let mut named: Vec<&str> = named.collect();
    // Null is what stands for a value that is left out.
    named.sort_by_key(|type_name| *type_name == "null");
    let has = |key: &str| schema.get(key).is_some();
    let implied = match () {
        () if has("properties") || has("required") => Some("object"),
        () if has("items") || has("prefixItems") => Some("array"),
        () if has("minLength") || has("format") || has("pattern") => Some("string"),
        () if has("minimum") || has("maximum") => Some("number"),
        () => None,
    };
    named.first().copied().or(implied)
}

/// The first of a schema's alternatives.
fn one_of(schema: &Value) -> Option<&Value> {
    let choices = ["anyOf", "oneOf"]
        .into_iter()
        .find_map(|key| schema.get(key));
    choices?.as_array()?.first()
}

/// A count that a schema asks for, as far as it is granted.
fn count(schema: &Value, key: &str) -> u64 {
    let asked = schema.get(key).and_then(Value::as_u64).unwrap_or(0);
    asked.min(MAX_LENGTH)
}

fn text(schema: &Value, nth: usize) -> Value {
    let format = schema.get("format").and_then(Value::as_str);
    let text = match format {
        Some("date") => format!("2024-01-{:02}", 1 + nth % 28),
        Some("date-time") => format!("2024-01-{:02}T00:00:00Z", 1 + nth % 28),
        Some("time") => format!("{:02}:00:00Z", nth % 24),
        Some("duration") => format!("P{}D", 1 + nth),
        Some("email") => format!("name{}@example.com", suffix(nth)),
        Some("hostname") => format!("host{}.example.com", suffix(nth)),
        Some("uri" | "url" | "uri-reference" | "iri") => {
            format!("https://example.com/{}", suffix(nth))
        }
        Some("uuid") => format!("00000000-0000-4000-8000-{nth:012}"),
        Some("ipv4") => format!("192.0.2.{}", 1 + nth % 254),
        Some("ipv6") => format!("2001:db8::{:x}", 1 + nth),
        _ => {
            let longest = schema.get("maxLength").and_then(Value::as_u64);
            let longest = usize::try_from(longest.unwrap_or(MAX_LENGTH)).unwrap_or(usize::MAX);
            let shortest = usize::try_from(count(schema, "minLength")).unwrap_or_default();
            // The number comes first: a short text is cut off at its end.
            let mut text = format!("{}text", suffix(nth));
            while text.len() < shortest {
                text.push('x');
            }
            text.truncate(longest);
            text
        }
    };
    Value::String(text)
}

fn suffix(nth: usize) -> String {
    match nth {
        0 => String::new(),
        nth => nth.to_string(),
    }
}

/// The lowest number that a schema allows; 1 if it sets no bound below.
fn number(schema: &Value, nth: usize, is_integer: bool) -> Value {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let multiple = bound("multipleOf").filter(|multiple| *multiple > 0.0);
    let step = multiple.unwrap_or(1.0);
    let highest = bound("maximum").or(bound("exclusiveMaximum").map(|exclusive| exclusive - step));
    let lowest = match (bound("minimum"), bound("exclusiveMinimum")) {
        (Some(lowest), None) => lowest,
        (lowest, Some(above)) => {
            // Between two bounds that are near each other.
            let next = match highest {
                Some(highest) if !is_integer && above + step > highest => {
                    f64::midpoint(above, highest.max(above))
                }
                _ => above + step,
            };
            lowest.map_or(next, |lowest| lowest.max(next))
        }
        (None, None) => highest.map_or(1.0, |highest| highest.min(1.0)),
    };
    let mut found = match (multiple, is_integer) {
        (Some(multiple), _) => (lowest / multiple).ceil() * multiple,
        (None, true) => lowest.ceil(),
        (None, false) => lowest,
    };
    found += step * nth as f64;
    // A whole number is written without a point, as an integer has to be.
    if found.fract() == 0.0 && found.abs() < 1e15 {
        return json!(found as i64);
    }
    json!(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sample of a schema fits it, and is this.
    fn check(schema: &Value, expected: &Value) {
        let object = json!({"type": "object", "properties": {"a": schema}, "required": ["a"]});
        let found = arguments(&object);
        assert_eq!(&found["a"], expected, "{schema}");
        let valid = jsonschema::validate(&object, &found);
        assert!(valid.is_ok(), "{schema}: {found}");
    }

    #[test]
    fn a_sample_fits_the_type_and_its_bounds() {
        check(&json!({"type": "string"}), &json!("text"));
        check(&json!({"type": "string", "minLength": 6}), &json!("textxx"));
        check(&json!({"type": "string", "maxLength": 2}), &json!("te"));
        check(&json!({"type": "string", "enum": ["c", "f"]}), &json!("c"));
        check(&json!({"const": 4}), &json!(4));
        check(&json!({"type": "string", "default": "x"}), &json!("x"));
        check(
            &json!({"type": "string", "format": "date"}),
            &json!("2024-01-01"),
        );
        check(&json!({"type": "integer"}), &json!(1));
        check(&json!({"type": "integer", "minimum": 5}), &json!(5));
        check(
            &json!({"type": "integer", "exclusiveMinimum": 5, "multipleOf": 4}),
            &json!(12),
        );
        check(&json!({"type": "integer", "maximum": -3}), &json!(-3));
        check(
            &json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5}),
            &json!(0.25),
        );
        check(&json!({"type": "number", "minimum": 0.5}), &json!(0.5));
        check(&json!({"type": "boolean"}), &json!(false));
        check(&json!({"type": ["null", "integer"]}), &json!(1));
        check(&json!({"type": "null"}), &json!(null));
        check(
            &json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            &json!(1),
        );
        check(&json!({}), &json!("text"));
    }

    #[test]
    fn lists_and_objects_have_what_is_required_and_no_more() {
        check(
            &json!({"type": "array", "items": {"type": "string"}}),
            &json!([]),
        );
        check(
            &json!({"type": "array", "items": {"type": "integer"}, "minItems": 2}),
            &json!([1, 1]),
        );
        for (items, expected) in [
            (json!({"type": "string"}), json!(["text", "1text", "2text"])),
            (json!({"enum": ["a", "b", "c"]}), json!(["a", "b", "c"])),
            (json!({"type": "integer"}), json!([1, 2, 3])),
        ] {
            check(
                &json!({"type": "array", "items": items, "minItems": 3, "uniqueItems": true}),
                &expected,
            );
        }
        check(
            &json!({
                "type": "object",
                "properties": {"x": {"type": "string"}, "y": {"type": "integer"}, "z": {}},
                "required": ["y", "extra"],
                "additionalProperties": {"type": "boolean"},
            }),
            &json!({"y": 1, "extra": false}),
        );
        check(
            &json!({"type": "object", "properties": {"x": {"type": "string"}}, "minProperties": 1}),
            &json!({"x": "text"}),
        );
        check(
            &json!({"allOf": [
                {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]},
                {"type": "object", "properties": {"y": {"type": "null"}}, "required": ["y"]},
            ]}),
            &json!({"x": "text", "y": null}),
        );
    }

    #[test]
    fn references_are_followed_and_circles_end() {
        let schema = json!({
            "type": "object",
            "properties": {"city": {"$ref": "#/$defs/city"}},
            "required": ["city"],
            "$defs": {"city": {"type": "string", "enum": ["Oslo"]}},
        });
        assert_eq!(arguments(&schema), json!({"city": "Oslo"}));
        let endless = json!({
            "type": "object",
            "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}},
            "required": ["a", "b"],
        });
        assert!(arguments(&endless).is_object());
        assert_eq!(arguments(&json!({"$ref": "#/none"})), json!({}));
        assert_eq!(arguments(&json!(true)), json!({}));
    }

    #[test]
    fn the_types_of_gemini_are_read() {
        let schema = json!({
            "type": "OBJECT",
            "properties": {"place": {"type": "STRING"}, "days": {"type": "INTEGER"}},
            "required": ["place", "days"],
        });
        assert_eq!(arguments(&schema), json!({"place": "text", "days": 1}));
    }
}
