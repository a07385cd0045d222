//! The names that a Jinja template takes from outside: those that it only prints become template
//! variables of the registry, the others are arguments of a call.

use std::collections::BTreeSet;

use promptdeck_jinja::Template;

use super::{
    TemplateEngine,
    expressions::{Piece, pieces, variables, with_variables},
};

/// Statements between which a printed name means the same as outside.
const STATEMENTS: [&str; 6] = ["if", "elif", "else", "endif", "for", "endfor"];

/// Names that a call gives to every template, and functions of Jinja.
const GIVEN: [&str; 12] = [
    "args",
    "assistant",
    "conversation",
    "cycler",
    "dict",
    "joiner",
    "lipsum",
    "message",
    "namespace",
    "range",
    "session",
    "system",
];

/// Maximum number of names that become variables.
const MAX_VARIABLES: usize = 500;

/// A template with the names that it only prints in single braces.
#[derive(Debug)]
pub(super) struct JinjaNames {
    pub text: String,
    /// The template variables: name in the template, name in the registry.
    pub variables: Vec<(String, String)>,
    /// The names that only a call can give, and that have no default, in order of appearance.
    pub arguments: Vec<String>,
}

/// The names that a template takes from outside, beside those of every call. A template that is not
/// valid has none.
pub(crate) fn names_read(template: &str) -> Vec<String> {
    Template::compile(template).map_or_else(|_| Vec::new(), |compiled| names_of(&compiled))
}

fn names_of(compiled: &Template) -> Vec<String> {
    let mut names = compiled.reads();
    names.retain(|name| !GIVEN.contains(&name.as_str()));
    names
}

impl JinjaNames {
    /// Finds the names. A template that is not valid has none.
    pub fn of(template: &str) -> Self {
        let Ok(compiled) = Template::compile(template) else {
            return Self {
                text: template.to_owned(),
                variables: Vec::new(),
                arguments: Vec::new(),
            };
        };
        let split = pieces(template, TemplateEngine::Jinja);
        let read = names_of(&compiled);
        let elsewhere = names_elsewhere(&split);
        let mut printed = BTreeSet::new();
        // A name that is read elsewhere stays an expression, and so a text here.
        let mut at = 0;
        let split = split.into_iter().map(|piece| {
            let rest = &template[at..];
            let length = match piece {
                Piece::Text(text) | Piece::Other(text, _) => text.len(),
                Piece::Name(_) => {
                    let close = if rest.starts_with("{{{") { "}}}" } else { "}}" };
                    rest.find(close).map_or(rest.len(), |end| end + close.len())
                }
            };
            at += length;
            match piece {
                Piece::Name(name) if rest.starts_with("{{{") || name.contains('.') => {
                    Piece::Other(&rest[..length], at - length)
                }
                Piece::Name(name) => {
                    let free = elsewhere.as_ref().is_some_and(|all| !all.contains(name));
                    // `loop` and the like are names of the template itself.
                    if free && read.iter().any(|read_name| read_name == name) {
                        printed.insert(name);
                        piece
                    } else {
                        Piece::Other(&rest[..length], at - length)
                    }
                }
                other => other,
            }
        });
        let split: Vec<Piece<'_>> = split.collect();
        let defaulted = compiled.defaulted();
        let mut arguments = read;
        arguments.retain(|name| !defaulted.contains(name));
        if printed.len() > MAX_VARIABLES {
            return Self {
                text: template.to_owned(),
                variables: Vec::new(),
                arguments,
            };
        }
        arguments.retain(|name| !printed.contains(name.as_str()));
        let split = [split];
        let names = variables(&split);
        Self {
            text: with_variables(&split[0], &names),
            variables: names
                .into_iter()
                .map(|(path, name)| (path.to_owned(), name))
                .collect(),
            arguments,
        }
    }
}

/// The words of all expressions and statements that are more than a name; none if a statement may
/// give a printed name another meaning.
fn names_elsewhere<'t>(split: &[Piece<'t>]) -> Option<BTreeSet<&'t str>> {
    let mut names = BTreeSet::new();
    for piece in split {
        match piece {
            Piece::Other(text, _) if !text.starts_with("{#") => {
                let mut words = text
                    .split(|next: char| !next.is_alphanumeric() && next != '_')
                    .filter(|word| !word.is_empty());
                if text.starts_with("{%") && !STATEMENTS.contains(&words.next()?) {
                    return None;
                }
                names.extend(words);
            }
            Piece::Name(path) if path.contains('.') => names.extend(path.split('.').next()),
            _ => {}
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::JinjaNames;

    #[test]
    fn printed_names_are_variables_and_others_arguments() {
        let check = |template: &str, text: &str, variables: &[&str], arguments: &[&str]| {
            let found = JinjaNames::of(template);
            assert_eq!(found.text, text);
            let names = found.variables.iter().map(|(_, name)| name.as_str());
            assert!(names.eq(variables.iter().copied()), "{found:?}");
            assert_eq!(found.arguments, arguments);
        };
        check("Hi {{ name }}.", "Hi {name}.", &["name"], &[]);
        check(
            "You are {{ name }}.{% if admin %} Yes{% endif %}",
            "You are {name}.{% if admin %} Yes{% endif %}",
            &["name"],
            &["admin"],
        );
        check("{name} {{ name }}", "{name} {name_}", &["name_"], &[]);
        for unchanged in [
            "{% if name %}{{ name }}{% endif %}",
            "{{ name }} {{ name | upper }}",
            "{{ name }} {{ name.first }}",
        ] {
            check(unchanged, unchanged, &[], &["name"]);
        }
        let inner = "{% for rule in rules %}{{ loop }}{% endfor %}";
        check(inner, inner, &[], &["rules"]);
        let loops = "{% for rule in rules %}{{ rule }}{% endfor %}";
        check(loops, loops, &[], &["rules"]);
        for defaulted in [
            "{{ name | default('you') }}",
            "{% if mood | d('calm') == 'calm' %}{{ (mood | default) | upper }}{% endif %}",
        ] {
            check(defaulted, defaulted, &[], &[]);
        }
        let half =
            "{{ name | default(other) }} {{ other.first | default('') }} {{ x | d }}{{ x + 1 }}";
        check(half, half, &[], &["other", "x"]);
        let raw = "{% raw %}{{ name }}{% endraw %}";
        check(raw, raw, &[], &[]);
        let set = "{% set name = 'Ada' %}{{ name }}{{ other }}";
        check(set, set, &[], &["other"]);
        check(
            "{{ args.a }}{{ session }}",
            "{{ args.a }}{{ session }}",
            &[],
            &[],
        );
        check("{{ open", "{{ open", &[], &[]);
        for constant in ["true", "True", "false", "False", "none", "None"] {
            let template = format!("{{{{ {constant} }}}} {{{{ name }}}}");
            let text = format!("{{{{ {constant} }}}} {{name}}");
            check(&template, &text, &["name"], &[]);
        }
    }
}
