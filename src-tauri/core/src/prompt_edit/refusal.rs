//! Why an edit of the prompt is refused, and where its text is made.

use promptdeck_json::push_step;

/// Why an edit of the prompt is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The text joins others and is written nowhere.
    #[error("the assembly inserts this between two texts; edit one of them")]
    Glue,
    /// The bullet of a list.
    #[error("the list adds its bullets; edit its entries")]
    Bullet,
    /// The position of a slider.
    #[error("{value} is made by the slider of {section}; set it there")]
    Slider {
        /// The section.
        section: String,
        /// The position as printed.
        value: String,
    },
    /// A value that is not text.
    #[error("{field} of {section} is {kind}; edit it on its card")]
    NotText {
        /// The section.
        section: String,
        /// The item's position, counted from 0.
        item: usize,
        /// The field.
        field: String,
        /// The entry, if the field is a list.
        entry: Option<usize>,
        /// What it is.
        kind: &'static str,
    },
    /// The id or name of an item.
    #[error("this {field} names an item of {section}; rename the item on its card")]
    Identity {
        /// The section.
        section: String,
        /// The item's position, counted from 0.
        item: usize,
        /// `id` or `name`.
        field: String,
    },
    /// A passage that begins or ends inside the value of a variable.
    #[error("the selection covers a part of the value of {name}; select all of it or none")]
    PartOfValue {
        /// The section.
        section: String,
        /// The variable.
        name: String,
    },
    /// Whitespace that the prompt does not print.
    #[error("the prompt prints no further whitespace there")]
    Whitespace,
    /// The new text spells out a variable.
    #[error("{{{name}}} is a variable of {section} and prints its value; write it on the card")]
    Variable {
        /// The section.
        section: String,
        /// The variable.
        name: String,
    },
    /// A variable without a value prints its default.
    #[error("without a value, {name} of {section} prints its default; change it on the card")]
    DefaultValue {
        /// The section.
        section: String,
        /// The variable.
        name: String,
    },
    /// The text would be empty, and what surrounds it would go.
    #[error("an empty text would remove more from the prompt; clear it on its card")]
    Empty,
    /// Other text of the prompt would change as well.
    #[error("this would change other text of the prompt as well; edit it on its card")]
    OtherText,
    /// The mode of a list picks entries by position.
    #[error("mode {mode} picks entries of {field} by position; add and remove them on the card")]
    Mode {
        /// The section.
        section: String,
        /// The item's position, counted from 0.
        item: usize,
        /// The field.
        field: String,
        /// The mode.
        mode: String,
    },
    /// The mode of a list holds for several items that are printed.
    #[error(
        "several items of {section} print {field} and share its mode; choose one of them first"
    )]
    SharedMode {
        /// The section.
        section: String,
        /// The field.
        field: String,
    },
    /// Nothing precedes the first entry of a list.
    #[error("this is the first entry of {field}; there is none to join it to")]
    FirstEntry {
        /// The field.
        field: String,
    },
    /// A selection names its items by their ids.
    #[error(
        "item {} of {section} has no id, so it cannot be selected; give it one on its card",
        .item + 1
    )]
    NoId {
        /// The section.
        section: String,
        /// The item's position, counted from 0.
        item: usize,
    },
    /// Only entries of lists are split and joined.
    #[error("only entries of a list can be split and joined")]
    NoEntry,
    /// The value of a variable is no place to split an entry.
    #[error("{name} is a variable; split the entry before or after it")]
    InValue {
        /// The variable.
        name: String,
    },
    /// The prompt is not the one that was edited.
    #[error("the prompt has changed; try again")]
    Stale,
}

impl Refusal {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Glue => "prompt_glue",
            Self::Bullet => "prompt_bullet",
            Self::Slider { .. } => "prompt_slider",
            Self::NotText { .. } => "prompt_not_text",
            Self::Identity { .. } => "prompt_identity",
            Self::PartOfValue { .. } => "prompt_part_of_value",
            Self::Whitespace => "prompt_whitespace",
            Self::Variable { .. } => "prompt_variable",
            Self::DefaultValue { .. } => "prompt_default_value",
            Self::Empty => "prompt_empty",
            Self::OtherText => "prompt_other_text",
            Self::Mode { .. } => "prompt_mode",
            Self::SharedMode { .. } => "prompt_shared_mode",
            Self::FirstEntry { .. } => "prompt_first_entry",
            Self::NoId { .. } => "prompt_no_id",
            Self::NoEntry => "prompt_no_entry",
            Self::InValue { .. } => "prompt_in_value",
            Self::Stale => "prompt_stale",
        }
    }

    /// Where the text is made: a JSON pointer from the registry object.
    #[must_use]
    pub fn pointer(&self) -> Option<String> {
        let field = |section: &str, item: usize, field: &str| pointer(section, Some(item), field);
        match self {
            Self::Slider { section, .. } => Some(pointer(section, None, "slider")),
            Self::NotText {
                section,
                item,
                field: name,
                entry,
                ..
            } => {
                let pointer = field(section, *item, name);
                Some(entry.map_or(pointer.clone(), |entry| format!("{pointer}/{entry}")))
            }
            Self::Identity {
                section,
                item,
                field: name,
            }
            | Self::Mode {
                section,
                item,
                field: name,
                ..
            } => Some(field(section, *item, name)),
            Self::NoId { section, item } => Some(field(section, *item, "id")),
            Self::Variable { section, .. }
            | Self::DefaultValue { section, .. }
            | Self::PartOfValue { section, .. } => Some(pointer(section, None, "template_vars")),
            _ => None,
        }
    }
}

/// The JSON pointer of a field of a section, or of one of its items.
pub(super) fn pointer(section: &str, item: Option<usize>, field: &str) -> String {
    let mut pointer = String::new();
    push_step(&mut pointer, section);
    if let Some(item) = item {
        pointer.push_str(&format!("/items/{item}"));
    }
    push_step(&mut pointer, field);
    pointer
}
