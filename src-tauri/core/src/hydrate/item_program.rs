//! One item compiled: its fields split at their variables, its fragments, its heading.

use std::borrow::Cow;

use promptdeck_python::repr::json_number;
use serde_json::Value;

use super::{
    HashedKey,
    pick::array_hash,
    template::{Template, TemplateNames},
};
use crate::registry::{Item, Section};

/// The fields whose lists carry the item's heading.
const HEADED_FIELDS: [&str; 2] = ["items", "examples"];

/// What a field holds, ready to be printed.
#[derive(Debug)]
pub(super) enum FieldProgram {
    /// Null, an empty text or an empty list: a token that ends here drops.
    Empty,
    /// Something printed on its own.
    Text(Template),
    /// A list, entry by entry.
    List(ListProgram),
}

/// The entries of a list.
#[derive(Debug)]
pub(super) struct ListProgram {
    /// The item's heading, in the fields that carry it.
    pub heading: Option<Template>,
    pub entries: Box<[Template]>,
    /// All of them with their bullets, when none has a variable: what is printed most often.
    pub bulleted: Option<Box<str>>,
    /// The hash of the pick of its entries.
    pub pick: u64,
}

impl ListProgram {
    fn new(heading: Option<Template>, entries: impl Iterator<Item = Template>, pick: u64) -> Self {
        let entries: Box<[Template]> = entries.collect();
        let literals: Option<Vec<&str>> = entries.iter().map(Template::literal).collect();
        let bulleted = literals.map(|literals| format!("- {}", literals.join("\n- ")).into());
        Self {
            heading,
            entries,
            bulleted,
            pick,
        }
    }
}

/// A conditional fragment.
#[derive(Debug)]
pub(super) struct FragmentProgram {
    /// The state's key of the variable that must be filled, and its default.
    pub condition: Option<(HashedKey, Option<Box<str>>)>,
    pub text: Template,
}

/// An item, ready to be rendered.
#[derive(Debug)]
pub(super) struct ItemProgram {
    pub identity: Option<Box<str>>,
    pub fragments: Box<[FragmentProgram]>,
    /// What the slider measures on this item.
    pub emotion: Box<str>,
    fields: Box<[(HashedKey, FieldProgram)]>,
    has_pool: bool,
}

impl ItemProgram {
    pub fn new(
        item: &Item,
        index: u32,
        section: &Section,
        names: &TemplateNames,
        jinja: bool,
    ) -> Self {
        let template = |text: &str| Template::new(text, names, jinja);
        let heading = |field: &str| {
            let carries = HEADED_FIELDS.contains(&field);
            item.heading().filter(|_| carries).map(template)
        };
        let fields = item.fields().iter().map(|(name, value)| {
            let pick = || array_hash(section.name(), item.identity(), index as usize, name);
            let field = FieldProgram::new(value, heading(name), template, pick);
            (HashedKey::new(name), field)
        });
        let fragments = item.fragments().map(|fragment| FragmentProgram {
            condition: fragment.if_var.map(|name| {
                let default = section.defaults().template_var_defaults.get(name);
                let key = HashedKey::new(&format!("{}::{name}", section.name()));
                (key, default.map(|text| text.as_str().into()))
            }),
            text: template(fragment.text),
        });
        Self {
            identity: item.identity().map(Into::into),
            fragments: fragments.collect(),
            emotion: emotion(item).into(),
            fields: fields.collect(),
            has_pool: item.pool().is_some(),
        }
    }

    /// A field, when the author wrote it.
    pub fn field(&self, name: &HashedKey) -> Option<(&HashedKey, &FieldProgram)> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(field, program)| (field, program))
    }

    /// The text of an injection.
    pub fn text(&self) -> Option<&Template> {
        let mut fields = self.fields.iter();
        match fields.find(|(field, _)| field.text() == "text") {
            Some((_, FieldProgram::Text(text))) => Some(text),
            _ => None,
        }
    }

    /// Whether the item as a whole is its pool, even when that is empty.
    pub fn has_pool(&self) -> bool {
        self.has_pool
    }
}

impl FieldProgram {
    fn new(
        value: &Value,
        heading: Option<Template>,
        template: impl Fn(&str) -> Template,
        pick: impl Fn() -> u64,
    ) -> Self {
        match value {
            Value::Null => Self::Empty,
            Value::String(text) if text.is_empty() => Self::Empty,
            Value::Array(entries) if entries.is_empty() => Self::Empty,
            Value::Array(entries) => {
                let entries = entries.iter().map(|entry| template(&printed(entry)));
                Self::List(ListProgram::new(heading, entries, pick()))
            }
            other => Self::Text(template(&printed(other))),
        }
    }
}

/// The texts of a field in which variables are filled in: the entries of a list, or the value.
pub(crate) fn printed_texts(value: &Value) -> impl Iterator<Item = Cow<'_, str>> {
    let texts = match value {
        Value::Array(entries) => entries.as_slice(),
        other => std::slice::from_ref(other),
    };
    texts.iter().map(printed)
}

/// How a value prints: texts as they are, numbers as in Python, null as nothing, the rest as JSON.
fn printed(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => Cow::Borrowed(""),
        Value::String(text) => Cow::Borrowed(text),
        Value::Number(number) => json_number(number.as_str()),
        other => Cow::Owned(other.to_string()),
    }
}

fn emotion(item: &Item) -> &str {
    item.scale_emotion().unwrap_or(match item.id() {
        Some("positive") => "excited",
        Some("negative") => "annoyed",
        Some(id) => id,
        None => "feeling",
    })
}
