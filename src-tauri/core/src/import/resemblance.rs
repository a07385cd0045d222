//! Plain texts that look like JSON, wildcards, a template or a prompt file. Nothing in a pasted text says so
//! for certain: what was found is offered to the author, not decided.

use super::{SourceKind, text_input::without_bom};
use crate::registry::read_json;

/// How much of a text is looked at, in lines.
const MAX_LINES: usize = 400;

/// How many values a list of wildcards has at least.
const MIN_VALUES: usize = 4;

/// How long a value is at most, in characters and in words: longer lines are sentences.
const LONGEST_VALUE: usize = 48;
const MOST_WORDS: usize = 5;

/// The kind that a text, read as a plain prompt, looks like; `None` for one without such marks.
#[must_use]
pub fn resemblance(text: &str) -> Option<SourceKind> {
    let text = without_bom(text);
    if let Some(kind) = json_document(text) {
        Some(kind)
    } else if let Some(kind) = prompt_file(text) {
        Some(kind)
    } else if has_jinja(text) {
        Some(SourceKind::Jinja)
    } else if is_list_with_weights(text) {
        Some(SourceKind::Wildcards)
    } else if has_choice(text) {
        Some(SourceKind::Template)
    } else if is_list_of_values(text) {
        Some(SourceKind::Wildcards)
    } else {
        None
    }
}

/// The kind of a text that is a JSON object or list as a whole, as in a file `deck.txt`.
fn json_document(text: &str) -> Option<SourceKind> {
    let looks_like_json = text.trim_start().starts_with(['{', '[']);
    let kind = SourceKind::detect("", text.as_bytes());
    (looks_like_json && kind != SourceKind::Plain && read_json(text.as_bytes()).is_ok())
        .then_some(kind)
}

/// Settings that only prompt files of a kind have, at the beginning of a line.
const SETTINGS: [(&str, SourceKind); 6] = [
    ("inputs:", SourceKind::Prompty),
    ("sample:", SourceKind::Prompty),
    ("inputSchema:", SourceKind::Prompty),
    ("input:", SourceKind::Dotprompt),
    ("config:", SourceKind::Dotprompt),
    ("toolDefs:", SourceKind::Dotprompt),
];

/// The kind of a prompt file: YAML between lines of dashes, with its settings or marks of roles.
pub(super) fn prompt_file(text: &str) -> Option<SourceKind> {
    let mut lines = text.lines().take(MAX_LINES);
    let first = lines.find(|line| !line.trim().is_empty() && !line.starts_with('#'))?;
    if first.trim_end() != "---" {
        return None;
    }
    let (mut settings, mut roles) = (None, None);
    let mut ended = false;
    for line in lines {
        if !ended {
            ended = line.trim_end() == "---";
            let found = SETTINGS.iter().find(|(name, _)| line.starts_with(name));
            settings = settings.or(found.map(|(_, kind)| *kind));
            continue;
        }
        let trimmed = line.trim();
        if trimmed.starts_with("{{role ") {
            roles = roles.or(Some(SourceKind::Dotprompt));
        } else if ["system:", "user:", "assistant:"].contains(&trimmed) {
            roles = roles.or(Some(SourceKind::Prompty));
        }
    }
    roles.or(settings).filter(|_| ended)
}

/// Whether it has a statement, a comment or a name of Jinja.
fn has_jinja(text: &str) -> bool {
    text.lines().take(MAX_LINES).any(|line| {
        // Each part is looked at once: a line may have megabytes.
        let closed = |open: &str, close: &str| {
            let parts = line.split(close);
            let ended = parts.clone().count() - 1;
            parts
                .take(ended)
                .filter_map(|part| part.rsplit_once(open))
                .any(|(_, inner)| is_expression(inner))
        };
        closed("{%", "%}") || closed("{#", "#}") || closed("{{", "}}")
    })
}

/// Whether braces hold an expression, and not, say, a macro of another program (`{{random::a}}`).
fn is_expression(inner: &str) -> bool {
    let inner = inner.trim_matches(['-', '+', ' ']);
    let plain = |next: char| next.is_alphanumeric() || "_ .,|()[]'\"=<>!+-*/%~".contains(next);
    inner.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && inner.chars().all(plain)
}

/// Whether it has `{a|b}` or `__name__`, outside the braces of Jinja.
fn has_choice(text: &str) -> bool {
    text.lines()
        .take(MAX_LINES)
        .any(|line| has_braces(line) || has_wildcard(line))
}

fn has_braces(line: &str) -> bool {
    let mut rest = line;
    while let Some(start) = rest.find('{') {
        let inner = &rest[start + 1..];
        if inner.starts_with(['{', '%', '#']) {
            return false;
        }
        let end = inner.find(['{', '}']).unwrap_or(inner.len());
        let choice = &inner[..end];
        // An object of JSON or a regular expression has other signs in its braces.
        if choice.contains('|') && !choice.contains(['"', '\\', '(', ')']) {
            return true;
        }
        rest = &inner[end..];
        rest = rest.strip_prefix('}').unwrap_or(rest);
    }
    false
}

fn has_wildcard(line: &str) -> bool {
    let parts: Vec<&str> = line.split("__").collect();
    // A name stands between two pairs of underscores, with white space or nothing around them.
    parts.windows(3).any(|part| {
        let apart = |text: &str, end: bool| {
            let beside = if end {
                text.chars().next()
            } else {
                text.chars().next_back()
            };
            beside.is_none_or(|character| !character.is_alphanumeric() && character != '_')
        };
        let name = part[1];
        !name.is_empty()
            && name
                .chars()
                .all(|character| character.is_alphanumeric() || "/-_*".contains(character))
            && apart(part[0], false)
            && apart(part[2], true)
            // Emphasis and names of programs have capitals or words of Python.
            && !matches!(name, "init" | "main" | "name" | "file" | "doc" | "all")
            && name.chars().any(char::is_lowercase)
    })
}

/// The lines that are values in a list of wildcards.
fn values_of(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim).take(MAX_LINES);
    lines
        .filter(|line| !line.is_empty() && !is_comment(line))
        .collect()
}

/// Whether some of several short lines begin with a weight, as in `3::red`; they may have choices.
fn is_list_with_weights(text: &str) -> bool {
    let values = values_of(text);
    let weighted = |line: &&str| {
        line.split_once("::").is_some_and(|(number, rest)| {
            number.starts_with(|first: char| first.is_ascii_digit())
                && number.trim().parse::<f64>().is_ok()
                && !rest.trim().is_empty()
        })
    };
    values.len() > 1 && values.iter().any(weighted) && values.iter().all(|line| is_short(line))
}

fn is_list_of_values(text: &str) -> bool {
    let values = values_of(text);
    values.len() >= MIN_VALUES && values.iter().all(|value| is_value(value))
}

/// A comment of a file of wildcards begins with one number sign; so does a heading of a prompt, which
/// is written with a capital.
fn is_comment(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|rest| {
        let word = rest.trim_start();
        !word.starts_with('#') && !word.starts_with(char::is_uppercase)
    })
}

fn is_short(line: &str) -> bool {
    line.chars().count() <= LONGEST_VALUE && line.split_whitespace().count() <= MOST_WORDS
}

fn is_value(line: &str) -> bool {
    is_short(line)
        && !line.starts_with(['-', '*', '+', '#', '<', '>', '•', '{', '['])
        && !line.starts_with(|character: char| character.is_uppercase())
        && !line.ends_with(['.', '!', '?', ':', ';', ','])
        && !line.contains(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_wildcards_and_templates_are_found() {
        let cases = [
            ("a {red|blue} house", Some(SourceKind::Template)),
            ("a house, {2$$oak|elm|birch}", Some(SourceKind::Template)),
            ("photo of __animals__, sharp", Some(SourceKind::Template)),
            ("__colors/warm__", Some(SourceKind::Template)),
            (
                "red\ndark blue\n# warm ones\nburnt orange\n3::green",
                Some(SourceKind::Wildcards),
            ),
            (
                "3::red\n0.5::{dark|light} blue\n# note\nGreen",
                Some(SourceKind::Wildcards),
            ),
            (
                "{3::red|1::blue} house\nby the sea",
                Some(SourceKind::Template),
            ),
            (
                "Say {name} hello, {{ user | upper }}.",
                Some(SourceKind::Jinja),
            ),
            ("{# a note #}\nBe kind.", Some(SourceKind::Jinja)),
            ("{%- if a %}{red|blue}{% endif %}", Some(SourceKind::Jinja)),
            (
                "---\nname: a\n---\nsystem:\nBe kind to {{name}}.\n",
                Some(SourceKind::Prompty),
            ),
            (
                "---\nsample:\n  a: 1\n---\nBe kind.\n",
                Some(SourceKind::Prompty),
            ),
            (
                "---\nmodel: m\n---\n{{role \"system\"}}\nBe kind.\n",
                Some(SourceKind::Dotprompt),
            ),
            (
                "---\ninput:\n  default: {a: 1}\n---\nBe {{a}}.\n",
                Some(SourceKind::Dotprompt),
            ),
            ("oak\n\nelm\n\nbirch\n\nash\n", Some(SourceKind::Wildcards)),
            ("{\"a\": {\"items\": []}}", Some(SourceKind::Registry)),
            (
                "\u{feff} [{\"role\": \"user\", \"content\": \"Hi\"}]\n",
                Some(SourceKind::Messages),
            ),
        ];
        for (text, kind) in cases {
            assert_eq!(resemblance(text), kind, "{text}");
        }
    }

    #[test]
    fn prompts_look_like_prompts() {
        for text in [
            "You are a helpful assistant.",
            "Be brief\nAnswer in English\nNever guess\nAsk first",
            "be brief.\nanswer in English.\nnever guess.\nask first.",
            "# Rules\n\n- be brief\n- be kind\n- be quick\n- be exact",
            "red\nblue\ngreen",
            "Say {name} hello.",
            "{{random::a::b}} and {{// a note}} and {{roll:d6}}",
            "---\ntitle: Notes\n---\nBe kind.\n",
            "---\nsystem:\nBe kind.",
            "Return {\"a\": 1 | null} as JSON",
            "{\"a\": 1} is the form of an answer.",
            "Use __init__ and __all__ of the module",
            "name: Ann\nage: 40\nrole: nurse\nward: two",
            "",
        ] {
            assert_eq!(resemblance(text), None, "{text}");
        }
    }

    #[test]
    fn a_long_line_is_looked_at_once() {
        for open in ["{{ ", "{% ", "{# "] {
            let line = open.repeat(400_000);
            assert_eq!(resemblance(&line), None);
            assert_eq!(resemblance(&(line + "}} %} #}")), None);
        }
    }
}
