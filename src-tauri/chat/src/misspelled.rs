//! Names that a template reads and that are probably misspelled: variables like those that it is given,
//! and attributes like the keys of messages and tools. Other unknown names are the template's own.

use std::collections::BTreeSet;

use promptdeck_jinja::Template;
use promptdeck_json::nearest::{hint, nearest};
use serde_json::Value as Json;

use crate::{inspect::STANDARD_VARIABLES, message_keys::ALL_KEYS, request::THINKING_SWITCHES};

/// Tokens that transformers gives to templates too, if the tokenizer has them.
const OTHER_TOKENS: [&str; 5] = [
    "unk_token",
    "sep_token",
    "pad_token",
    "cls_token",
    "mask_token",
];

/// Keys of tools and of the schemas of their parameters, beside those that calls have too.
const TOOL_KEYS: [&str; 28] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "default",
    "enum",
    "examples",
    "items",
    "key",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "nullable",
    "oneOf",
    "output",
    "pattern",
    "properties",
    "required",
    "response",
    "result",
    "return",
    "returns",
    "schema",
    "strict",
    "value",
];

/// A name that is probably misspelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misspelled {
    /// The name.
    pub name: String,
    /// Whether it is the attribute or the key of a value, and not a variable.
    pub is_attribute: bool,
    /// The name that is probably meant.
    pub nearest: String,
}

impl Misspelled {
    /// Stable name of the finding.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.is_attribute {
            true => "unknown_attribute",
            false => "unknown_variable",
        }
    }

    /// One line for a person.
    #[must_use]
    pub fn sentence(&self) -> String {
        let kind = match self.is_attribute {
            true => "attribute",
            false => "variable",
        };
        let hint = hint(Some(&self.nearest));
        format!(
            "the {kind} {:?} of the template is unknown{hint}",
            self.name
        )
    }
}

/// Whether an object in a value has this key.
#[must_use]
pub fn has_key(value: &Json, key: &str) -> bool {
    match value {
        Json::Object(members) => members
            .iter()
            .any(|(name, value)| name == key || has_key(value, key)),
        Json::Array(values) => values.iter().any(|value| has_key(value, key)),
        _ => false,
    }
}

/// The names of a template; `given` are the variables that a request adds.
#[must_use]
pub fn names(template: &Template, given: &[&str]) -> Vec<Misspelled> {
    let known: BTreeSet<&str> = STANDARD_VARIABLES
        .into_iter()
        .chain(THINKING_SWITCHES)
        .chain(OTHER_TOKENS)
        .chain(given.iter().copied())
        .collect();
    let keys: BTreeSet<&str> = ALL_KEYS
        .iter()
        .map(String::as_str)
        .chain(TOOL_KEYS)
        .collect();
    let suggestion = |name: &str, known: &BTreeSet<&str>| {
        let suggestion = nearest(name, known.iter().copied())?;
        // A name made of a known one, such as use_documents, is no slip.
        (!name.split('_').any(|word| word == suggestion)).then(|| suggestion.to_owned())
    };
    let found = |names: Vec<String>, is_attribute: bool| {
        let known = if is_attribute { &keys } else { &known };
        let unknown = names.into_iter().filter(|name| {
            let name = name.as_str();
            // The name of a key is a word of its own, also as a variable.
            !known.contains(name) && !keys.contains(name)
        });
        let misspelled = unknown.filter_map(|name| {
            Some(Misspelled {
                nearest: suggestion(&name, known)?,
                name,
                is_attribute,
            })
        });
        misspelled.collect::<Vec<_>>()
    };
    let mut all = found(template.reads(), false);
    all.extend(found(template.attributes(), true));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, given: &[&str], expected: &[&str]) {
        let template = Template::compile(template).expect("a template");
        let found = names(&template, given);
        let sentences: Vec<String> = found.iter().map(Misspelled::sentence).collect();
        assert_eq!(sentences, expected);
    }

    #[test]
    fn attributes_near_a_key_of_messages_or_tools_are_found() {
        check(
            "{% for m in messages %}{{ m.contnt }}{{ m['rol'] }}{{ m.get('tool_cals') }}{% endfor %}",
            &[],
            &[
                "the attribute \"contnt\" of the template is unknown; did you mean \"content\"?",
                "the attribute \"rol\" of the template is unknown; did you mean \"role\"?",
                "the attribute \"tool_cals\" of the template is unknown; did you mean \"tool_calls\"?",
            ],
        );
        check(
            "{% for t in tools %}{{ t.function.parametrs.propertie | tojson }}{% endfor %}",
            &[],
            &[
                "the attribute \"parametrs\" of the template is unknown; did you mean \"parameters\"?",
                "the attribute \"propertie\" of the template is unknown; did you mean \"properties\"?",
            ],
        );
    }

    #[test]
    fn what_a_template_makes_itself_is_known() {
        check(
            "{% set ns = namespace(rol='', contents=none) %}{% set ns.nam = 1 %}\
             {{ ns.rol }}{{ ns.contents }}{{ ns.nam }}{{ {'txt': 1}.txt }}\
             {% for m in messages %}{{ loop.lst }}{{ m.content.strip() }}{{ m.mood }}{% endfor %}",
            &[],
            &[],
        );
    }

    #[test]
    fn a_variable_that_is_given_is_known_and_meant() {
        check("{{ persona }}", &["persona"], &[]);
        check("{{ use_documents }}{{ arguments }}", &[], &[]);
        check(
            "{{ persna }}",
            &["persona"],
            &["the variable \"persna\" of the template is unknown; did you mean \"persona\"?"],
        );
    }
}
