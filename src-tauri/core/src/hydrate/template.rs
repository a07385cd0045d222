//! Texts split once at their declared variables, so that a call only copies pieces.
//!
//! One pass: the value of a variable is never scanned, and braces around undeclared names are plain
//! text (they may be JSON).

use super::delimiters;

/// A text split at its declared variables.
#[derive(Debug)]
pub(super) struct Template {
    text: Box<str>,
    /// Empty when the text has no variable: then it is one literal.
    pieces: Box<[Piece]>,
}

/// One piece of a template.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// Bytes of the text.
    Literal { start: u32, end: u32 },
    /// A declared variable, by position.
    Variable(u32),
}

/// A piece, ready to be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TemplatePart<'t> {
    /// A literal, and where it starts in the text.
    Literal(&'t str, u32),
    /// A variable, by number.
    Variable(u32),
}

/// The names at which texts are split, for many texts: a search does not pass over all of them.
#[derive(Debug)]
pub(crate) struct TemplateNames {
    /// The names in their order, each with its number.
    sorted: Box<[(Box<str>, u32)]>,
    /// Bytes of the longest one; absent without names.
    longest: Option<usize>,
}

impl TemplateNames {
    /// The position of a name is its variable's number; the first one of a name counts.
    pub fn new<N: AsRef<str>>(names: &[N]) -> Self {
        let mut sorted: Vec<(Box<str>, u32)> = (0..)
            .zip(names)
            .map(|(number, name)| (name.as_ref().into(), number))
            .collect();
        sorted.sort_unstable();
        sorted.dedup_by(|later, first| later.0 == first.0);
        Self {
            longest: sorted.iter().map(|(name, _)| name.len()).max(),
            sorted: sorted.into(),
        }
    }

    fn number(&self, name: &str) -> Option<u32> {
        let found = self
            .sorted
            .binary_search_by(|(known_name, _)| (**known_name).cmp(name));
        Some(self.sorted[found.ok()?].1)
    }
}

impl Template {
    /// Splits a text at the names given. Where double braces belong to Jinja, what stands between its
    /// delimiters is literal.
    pub fn new(text: &str, names: &TemplateNames, jinja: bool) -> Self {
        let mut taken = if jinja && names.longest.is_some() {
            delimiters::ranges(text)
        } else {
            Vec::new()
        };
        taken.reverse();
        let mut pieces = Vec::new();
        let mut done = 0;
        let mut from = 0;
        while let (Some(longest), Some(found)) = (names.longest, text[from..].find('{')) {
            let open = from + found;
            while taken.last().is_some_and(|range| range.end <= open) {
                taken.pop();
            }
            if let Some(range) = taken.pop_if(|range| range.contains(&open)) {
                from = range.end;
                continue;
            }
            from = open + 1;
            // Only as far as the longest name reaches, or a row of braces costs its square.
            let window = &text.as_bytes()[from..text.len().min(from + longest + 1)];
            let Some(length) = window.iter().position(|&byte| byte == b'}') else {
                continue;
            };
            let name = &text[from..from + length];
            let Some(number) = names.number(name) else {
                continue;
            };
            if open > done {
                pieces.push(Piece::Literal {
                    start: done as u32,
                    end: open as u32,
                });
            }
            pieces.push(Piece::Variable(number));
            from += length + 1;
            done = from;
        }
        if !pieces.is_empty() && done < text.len() {
            pieces.push(Piece::Literal {
                start: done as u32,
                end: text.len() as u32,
            });
        }
        Self {
            text: text.into(),
            pieces: pieces.into(),
        }
    }

    /// The text itself, when it has no variable.
    pub fn literal(&self) -> Option<&str> {
        self.pieces.is_empty().then_some(&*self.text)
    }

    /// The pieces, in order.
    pub fn parts(&self) -> impl Iterator<Item = TemplatePart<'_>> {
        let whole = self.literal().filter(|text| !text.is_empty());
        let pieces = self.pieces.iter().map(|piece| match *piece {
            Piece::Literal { start, end } => {
                TemplatePart::Literal(&self.text[start as usize..end as usize], start)
            }
            Piece::Variable(number) => TemplatePart::Variable(number),
        });
        let whole = whole.map(|text| TemplatePart::Literal(text, 0));
        whole.into_iter().chain(pieces)
    }
}

/// The declared variables that a text has, by number, in the order of their places.
pub(crate) fn variables_in(text: &str, names: &TemplateNames, jinja: bool) -> Vec<u32> {
    if !text.contains('{') {
        return Vec::new();
    }
    let template = Template::new(text, names, jinja);
    let variables = template.parts().filter_map(|part| match part {
        TemplatePart::Literal(..) => None,
        TemplatePart::Variable(number) => Some(number),
    });
    variables.collect()
}

/// A text with a variable renamed; `None` if the text does not have it. In a `jinja` text, what stands
/// between Jinja's delimiters is no variable.
#[must_use]
pub fn rename_variable(text: &str, from: &str, to: &str, jinja: bool) -> Option<String> {
    let template = Template::new(text, &TemplateNames::new(&[from]), jinja);
    if template.literal().is_some() {
        return None;
    }
    let mut renamed = String::new();
    for part in template.parts() {
        match part {
            TemplatePart::Literal(text, _) => renamed.push_str(text),
            TemplatePart::Variable(_) => renamed.extend(["{", to, "}"]),
        }
    }
    Some(renamed)
}

#[cfg(test)]
mod tests {
    use super::{Template, TemplateNames, TemplatePart};

    #[test]
    fn a_variable_is_renamed_where_it_is_one() {
        let check = |text: &str, jinja, expected: Option<&str>| {
            let renamed = super::rename_variable(text, "a", "b c", jinja);
            assert_eq!(renamed.as_deref(), expected, "{text}");
        };
        check("{a}{{a}}, {ab} {a", false, Some("{b c}{{b c}}, {ab} {a"));
        check(
            "{a} {{a}} {% if a %}{a}",
            true,
            Some("{b c} {{a}} {% if a %}{b c}"),
        );
        check("{{ \"{a}\" }}", true, None);
        check("a", false, None);
        check("", false, None);
    }

    fn check(text: &str, names: &[&str], expected: &str) {
        assert_parts(
            &Template::new(text, &TemplateNames::new(names), false),
            text,
            expected,
        );
    }

    fn check_jinja(text: &str, names: &[&str], expected: &str) {
        assert_parts(
            &Template::new(text, &TemplateNames::new(names), true),
            text,
            expected,
        );
    }

    fn assert_parts(template: &Template, text: &str, expected: &str) {
        let parts: Vec<_> = template
            .parts()
            .map(|part| match part {
                TemplatePart::Literal(text, start) => {
                    assert!(template.text[start as usize..].starts_with(text));
                    format!("{text:?}")
                }
                TemplatePart::Variable(number) => number.to_string(),
            })
            .collect();
        assert_eq!(parts.join(" "), expected, "{text}");
    }

    #[test]
    fn only_declared_names_are_variables() {
        check("", &["v"], "");
        check("plain", &[], r#""plain""#);
        check("{v}", &["v"], "0");
        check("a{v}b{w}", &["w", "v"], r#""a" 1 "b" 0"#);
        check("{v}{v}", &["v"], "0 0");
        check("{{v}}", &["v"], r#""{" 0 "}""#);
        check("{ v } {v {w}", &["v"], r#""{ v } {v {w}""#);
        check("{\"v\": {v}}", &["v"], r#""{\"v\": " 0 "}""#);
        check("{é}{éé}", &["é"], r#"0 "{éé}""#);
        check("{}", &[""], "0");
        check("{a{v}b}", &["v", "a1b"], r#""{a" 0 "b}""#);
    }

    #[test]
    fn between_the_delimiters_of_jinja_nothing_is_a_variable() {
        check_jinja("{v}{{v}}{v}", &["v"], r#"0 "{{v}}" 0"#);
        check_jinja(
            "{% if {v} %}{v}{# {v} #}",
            &["v"],
            r#""{% if {v} %}" 0 "{# {v} #}""#,
        );
        check_jinja("{{ '{v}' ", &["v"], r#""{{ '{v}' ""#);
        check_jinja("{\"a\": {v}}", &["v"], r#""{\"a\": " 0 "}""#);
    }
}
