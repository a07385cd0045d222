//! One item of a section: an open object with some known fields.

use serde_json::{Map, Value};

use super::{
    check::{self, FieldPath, TypeErrors},
    weight::{DEFAULT_WEIGHT, WeightFault, parse_weight},
};

/// Known fields that hold a text.
const TEXT_FIELDS: [&str; 7] = [
    "id",
    "name",
    "text",
    "context",
    "pre_context",
    "pre_context:",
    "scale_emotion",
];

/// The fields that every item may have. The schema lists the same ones.
pub const ITEM_KEYS: [&str; 14] = [
    "id",
    "name",
    "text",
    "context",
    "items",
    "pre_context",
    "pre_context:",
    "fragments",
    "scale_emotion",
    "include_sections",
    "runtime_variables",
    "requires",
    "excludes",
    "weight",
];

/// Fields whose text names the item or its emotion. They are never printed as texts of the item,
/// and braces in them are no variables.
pub const LABEL_FIELDS: [&str; 3] = ["id", "name", "scale_emotion"];

/// Fields that list names: of sections, variables or items. They are never printed.
pub const NAME_LISTS: [&str; 4] = [
    "include_sections",
    "runtime_variables",
    "requires",
    "excludes",
];

/// Whether variables are substituted in a field of an item.
#[must_use]
pub fn is_substituted(field: &str) -> bool {
    !LABEL_FIELDS.contains(&field) && !NAME_LISTS.contains(&field)
}

/// A conditional piece of an item's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// The variable that must be filled for the text to appear, without braces.
    pub if_var: Option<&'a str>,
    /// The text, before substitution.
    pub text: &'a str,
}

/// One item of a section: an open object with some known fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    fields: Map<String, Value>,
}

impl Item {
    /// Checks one item; unknown fields may hold anything. What is no object is an empty item.
    pub(super) fn new(value: &Value, path: &FieldPath<'_>, errors: &mut TypeErrors) -> Self {
        let Value::Object(fields) = value else {
            errors.add(path.wrong_type("an object", value));
            return Self { fields: Map::new() };
        };
        for key in TEXT_FIELDS {
            errors.or_default(check::text(fields, key, path));
        }
        for key in NAME_LISTS {
            check::texts(fields, key, path, errors);
        }
        errors.or_default(check::list(fields, "items", path));
        match check::present(fields, "fragments") {
            None => {}
            Some(Value::Array(fragments)) => {
                check_fragments(fragments, &path.key("fragments"), errors);
            }
            Some(found) => {
                errors.add(path.key("fragments").wrong_type("a list of objects", found));
            }
        }
        Self {
            fields: fields.clone(),
        }
    }

    /// Every field the author wrote, in order.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }

    /// The `id`; an empty one counts as none.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.filled("id")
    }

    /// The `name`; an empty one counts as none.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.filled("name")
    }

    /// What selections call the item: its id, else its name.
    #[must_use]
    pub fn identity(&self) -> Option<&str> {
        self.id().or_else(|| self.name())
    }

    /// What entries of an assembly order call the item: its name, else its id.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.name().or_else(|| self.id())
    }

    /// The heading of its lists: `pre_context`, else the legacy `pre_context:`.
    #[must_use]
    pub fn heading(&self) -> Option<&str> {
        self.filled(self.heading_field()?)
    }

    /// The field that holds the heading of its lists.
    #[must_use]
    pub fn heading_field(&self) -> Option<&'static str> {
        let mut fields = ["pre_context", "pre_context:"].into_iter();
        fields.find(|field| self.filled(field).is_some())
    }

    /// The pool in the field `items`, when there is one; it may be empty.
    #[must_use]
    pub fn pool(&self) -> Option<&[Value]> {
        self.fields
            .get("items")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
    }

    /// The conditional fragments.
    pub fn fragments(&self) -> impl Iterator<Item = Fragment<'_>> {
        self.fields
            .get("fragments")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(|fragment| {
                let text = |key: &str| {
                    let text = fragment.get(key).and_then(Value::as_str);
                    text.filter(|text| !text.is_empty())
                };
                Fragment {
                    if_var: text("if_var").or_else(|| text("var")).map(bare_name),
                    text: text("text").unwrap_or_default(),
                }
            })
    }

    /// What the slider of the section measures on this item, if set.
    #[must_use]
    pub fn scale_emotion(&self) -> Option<&str> {
        self.filled("scale_emotion")
    }

    /// The sections an active injection lets through.
    pub fn include_sections(&self) -> impl Iterator<Item = &str> {
        self.names("include_sections")
    }

    /// The variables the author expects the caller to fill, without braces.
    pub fn runtime_variables(&self) -> impl Iterator<Item = &str> {
        self.names("runtime_variables").map(bare_name)
    }

    /// What must be chosen elsewhere for a roll to land here.
    pub fn requires(&self) -> impl Iterator<Item = &str> {
        self.names("requires")
    }

    /// What must not be chosen elsewhere for a roll to land here.
    pub fn excludes(&self) -> impl Iterator<Item = &str> {
        self.names("excludes")
    }

    /// How often a roll picks the item, relative to the others of its section: the field `weight`;
    /// 1 if it is absent or invalid.
    #[must_use]
    pub fn weight(&self) -> f64 {
        parse_weight(self.fields.get("weight")).unwrap_or(DEFAULT_WEIGHT)
    }

    /// Why the field `weight` is not used.
    #[must_use]
    pub fn weight_fault(&self) -> Option<WeightFault> {
        parse_weight(self.fields.get("weight")).err()
    }

    fn filled(&self, key: &str) -> Option<&str> {
        let text = self.fields.get(key).and_then(Value::as_str);
        text.filter(|text| !text.is_empty())
    }

    fn names(&self, key: &str) -> impl Iterator<Item = &str> {
        let names = self.fields.get(key).and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str)
    }
}

fn check_fragments(fragments: &[Value], path: &FieldPath<'_>, errors: &mut TypeErrors) {
    for (index, fragment) in fragments.iter().enumerate() {
        let path = path.index(index);
        let Value::Object(fragment) = fragment else {
            errors.add(path.wrong_type("an object with `text`", fragment));
            continue;
        };
        for key in ["if_var", "var", "text"] {
            errors.or_default(check::text(fragment, key, &path));
        }
    }
}

/// A variable's name without the braces some authors write around it.
#[must_use]
pub fn bare_name(name: &str) -> &str {
    name.trim_matches(['{', '}'])
}
