//! Variables that a conversation sets and that its format does not read: one that is misspelled, or set
//! in the wrong place, has no effect and no error.

use promptdeck_json::abridged;
use promptdeck_json::nearest::{hint, nearest};
use serde_json::{Map, Value as Json};

use crate::request::THINKING_SWITCHES;

/// What a format reads.
#[derive(Debug, Clone, Copy)]
pub enum Reads<'a> {
    /// The variables of a template, [`Template::reads`](promptdeck_jinja::Template::reads).
    Template(&'a [String]),
    /// A built-in format: whether to think, if its models can.
    Builtin {
        /// Whether they can.
        thinks: bool,
    },
}

/// A variable without an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadVariable {
    /// The name.
    pub name: String,
    /// Why it has none.
    pub why: Unread,
}

/// Why a variable has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// The conversation or its model sets a variable of that name.
    Hidden,
    /// The format reads no variable of that name.
    Unknown {
        /// Whether the format is a template.
        is_template: bool,
        /// The variable that it reads and that is probably meant.
        nearest: Option<String>,
    },
}

impl Reads<'_> {
    fn names(&self) -> impl Iterator<Item = &str> {
        let (of_template, of_builtin) = match self {
            Self::Template(names) => (*names, &[][..]),
            Self::Builtin { thinks: true } => (&[][..], &THINKING_SWITCHES[..]),
            Self::Builtin { thinks: false } => (&[][..], &[][..]),
        };
        let of_template = of_template.iter().map(String::as_str);
        of_template.chain(of_builtin.iter().copied())
    }

    /// The variable that is read and that an unread name probably means.
    fn nearest(&self, name: &str) -> Option<&str> {
        let is_switch = |name: &str| THINKING_SWITCHES.contains(&name);
        match is_switch(name) {
            // Templates read one of the switches, which have no similar names.
            true => self.names().find(|read| is_switch(read)),
            false => nearest(name, self.names()),
        }
    }
}

impl UnreadVariable {
    /// The variable that is probably meant.
    #[must_use]
    pub fn nearest(&self) -> Option<&str> {
        match &self.why {
            Unread::Hidden => None,
            Unread::Unknown { nearest, .. } => nearest.as_deref(),
        }
    }

    /// One line for a person.
    #[must_use]
    pub fn sentence(&self) -> String {
        let name = abridged(&self.name);
        let is_template = match self.why {
            Unread::Hidden => {
                return format!(
                    "the variable {name:?} has no effect: the value of the conversation or its model \
                     takes precedence"
                );
            }
            Unread::Unknown { is_template, .. } => is_template,
        };
        let format = match is_template {
            true => "template",
            false => "built-in format",
        };
        format!(
            "the {format} reads no variable {name:?}{}",
            hint(self.nearest())
        )
    }
}

/// The tokens that a conversation or its model sets.
#[derive(Debug, Clone, Copy)]
pub struct Tokens<'a> {
    /// The token that texts begin with.
    pub bos: Option<&'a str>,
    /// The token that texts end with.
    pub eos: Option<&'a str>,
}

impl Tokens<'_> {
    /// Whether a variable of that name is set whatever the further variables are.
    fn hide(self, name: &str) -> bool {
        match name {
            "messages" | "tools" | "add_generation_prompt" => true,
            "bos_token" => self.bos.is_some(),
            "eos_token" => self.eos.is_some(),
            _ => false,
        }
    }
}

/// Those of the further variables of a conversation that have no effect.
#[must_use]
pub fn variables(
    extra: &Map<String, Json>,
    tokens: Tokens<'_>,
    reads: Reads<'_>,
) -> Vec<UnreadVariable> {
    let is_template = matches!(reads, Reads::Template(_));
    let why = |name: &str| {
        if tokens.hide(name) {
            return Some(Unread::Hidden);
        }
        let is_read = reads.names().any(|read| read == name);
        (!is_read).then(|| Unread::Unknown {
            is_template,
            nearest: reads.nearest(name).map(str::to_owned),
        })
    };
    let unread = extra.keys().filter_map(|name| {
        let name = name.clone();
        why(&name).map(|why| UnreadVariable { name, why })
    });
    unread.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(extra: Json, reads: Reads<'_>, expected: &[&str]) {
        let tokens = Tokens {
            bos: Some("<s>"),
            eos: None,
        };
        let extra = extra.as_object().expect("an object");
        let found = variables(extra, tokens, reads);
        let sentences: Vec<String> = found.iter().map(UnreadVariable::sentence).collect();
        assert_eq!(sentences, expected);
    }

    #[test]
    fn a_name_that_no_template_reads_is_named_with_the_one_that_is_meant() {
        let reads = ["messages", "persona", "thinking", "eos_token"].map(str::to_owned);
        check(
            json!({"persona": 1, "persna": 1, "mood": 1, "thinkng": true, "eos_token": "x"}),
            Reads::Template(&reads),
            &[
                "the template reads no variable \"persna\"; did you mean \"persona\"?",
                "the template reads no variable \"mood\"",
                "the template reads no variable \"thinkng\"; did you mean \"thinking\"?",
            ],
        );
        check(
            json!({"enable_thinking": true}),
            Reads::Template(&reads),
            &["the template reads no variable \"enable_thinking\"; did you mean \"thinking\"?"],
        );
    }

    #[test]
    fn what_the_request_sets_itself_goes_before_a_variable() {
        let hidden = |name: &str| {
            format!(
                "the variable {name:?} has no effect: the value of the conversation or its model \
                 takes precedence"
            )
        };
        check(
            json!({"messages": [], "tools": [], "bos_token": "x", "add_generation_prompt": true}),
            Reads::Template(&["messages", "tools", "bos_token"].map(str::to_owned)),
            &["messages", "tools", "bos_token", "add_generation_prompt"]
                .map(hidden)
                .each_ref()
                .map(String::as_str),
        );
    }

    #[test]
    fn a_built_in_format_reads_whether_to_think_if_it_can() {
        let unread = |name: &str| format!("the built-in format reads no variable {name:?}");
        let extra = || json!({"enable_thinking": true, "documents": []});
        let check = |thinks: bool, names: &[&str]| {
            let expected: Vec<String> = names.iter().map(|name| unread(name)).collect();
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            check(extra(), Reads::Builtin { thinks }, &expected);
        };
        check(true, &["documents"]);
        check(false, &["enable_thinking", "documents"]);
    }
}
