//! Words that a template engine reads as something else than a variable.

use super::TemplateEngine;

/// Literals, helpers and markers of Handlebars and dotprompt.
///
/// <https://handlebarsjs.com/guide/builtin-helpers.html>, <https://google.github.io/dotprompt/reference>
const HANDLEBARS: [&str; 21] = [
    "blockHelperMissing",
    "each",
    "else",
    "false",
    "helperMissing",
    "history",
    "if",
    "ifEquals",
    "json",
    "log",
    "lookup",
    "media",
    "null",
    "role",
    "section",
    "this",
    "true",
    "undefined",
    "unless",
    "unlessEquals",
    "with",
];

/// Helpers of the Handlebars that dotprompt has in languages other than JavaScript.
const OTHER_HANDLEBARS: [&str; 19] = [
    "and",
    "block",
    "embedded",
    "eq",
    "equal",
    "gt",
    "gte",
    "i18n",
    "i18nJs",
    "include",
    "len",
    "lt",
    "lte",
    "ne",
    "not",
    "or",
    "partial",
    "precompile",
    "raw",
];

/// Constants and operators of Jinja, and what it sets.
const JINJA: [&str; 8] = [
    "False", "None", "True", "false", "none", "not", "self", "true",
];

/// Functions of Jinja, which stand for a variable without a value, and words that other engines for
/// Jinja templates do not read as names.
const OTHER_JINJA: [&str; 15] = [
    "and",
    "cycler",
    "dict",
    "elif",
    "else",
    "for",
    "if",
    "in",
    "is",
    "joiner",
    "lipsum",
    "namespace",
    "null",
    "or",
    "range",
];

/// Whether a word in double braces is no variable.
pub(super) fn is_reserved(word: &str, engine: TemplateEngine) -> bool {
    match engine {
        TemplateEngine::Handlebars => HANDLEBARS.contains(&word),
        TemplateEngine::Jinja => JINJA.contains(&word),
    }
}

/// Whether a variable of this name prints its value, or nothing, in every program that reads the
/// format.
pub fn is_free(name: &str, engine: TemplateEngine) -> bool {
    let others: &[&str] = match engine {
        TemplateEngine::Handlebars => &OTHER_HANDLEBARS,
        TemplateEngine::Jinja => &OTHER_JINJA,
    };
    !is_reserved(name, engine) && !others.contains(&name)
}
