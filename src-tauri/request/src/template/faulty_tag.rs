//! The tag of a template that is at fault, to be marked where it is written.

use std::ops::Range;

use minijinja::{
    machinery::{Token, tokenize},
    syntax::SyntaxConfig,
};

/// Statements with a body that an end tag has to close.
const WITH_BODY: [&str; 8] = [
    "if",
    "for",
    "block",
    "macro",
    "call",
    "filter",
    "with",
    "autoescape",
];

/// A tag while its tokens are read.
struct Tag<'source> {
    start: usize,
    statement: Option<&'source str>,
    assigns: bool,
    tokens: usize,
}

impl Tag<'_> {
    fn has_body(&self) -> bool {
        self.statement
            .is_some_and(|name| WITH_BODY.contains(&name) || (name == "set" && !self.assigns))
    }
}

/// The range of the tag in which an error is, given its offset: an end that is missing is the fault of the
/// tag that wants it. A tag that is not closed reaches to the end of its line.
#[must_use]
pub fn faulty_tag(source: &str, error: usize) -> Option<Range<usize>> {
    let mut open: Option<Tag<'_>> = None;
    let mut bodies = Vec::new();
    let mut found = None;
    let mut last = 0;
    for token in tokenize(source, false, SyntaxConfig::default()) {
        let Ok((token, span)) = token else {
            break;
        };
        let (start, end) = (span.start_offset as usize, span.end_offset as usize);
        match token {
            Token::TemplateData(_) => {}
            Token::VariableStart | Token::BlockStart => {
                open = Some(Tag {
                    start,
                    statement: None,
                    assigns: false,
                    tokens: 0,
                });
            }
            Token::VariableEnd | Token::BlockEnd => {
                let Some(tag) = open.take() else {
                    continue;
                };
                let range = tag.start..end;
                last = start;
                if range.contains(&error) {
                    found = Some(range.clone());
                }
                if tag.has_body() {
                    bodies.push(range);
                } else if tag.statement.is_some_and(|name| name.starts_with("end")) {
                    bodies.pop();
                }
            }
            token => {
                if let Some(tag) = &mut open {
                    match token {
                        Token::Ident(name) if tag.tokens == 0 => tag.statement = Some(name),
                        Token::Assign => tag.assigns = true,
                        _ => {}
                    }
                    tag.tokens += 1;
                }
            }
        }
    }
    if let Some(tag) = open {
        let rest = &source[tag.start..];
        let line = rest.lines().next().unwrap_or_default().trim_end();
        return found.or(Some(tag.start..tag.start + line.len()));
    }
    // The parser misses an end behind the last token.
    if error >= last
        && let Some(body) = bodies.pop()
    {
        return Some(body);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::faulty_tag;
    use crate::template::render;

    /// The tag that is marked for the error of a template.
    fn check(template: &str, expected: &str) {
        let rendering = render(template, &serde_json::Map::new());
        let error = rendering.error.expect(template);
        let tag = faulty_tag(template, error.offset.expect("an offset"));
        let tag = tag.map(|range| &template[range]);
        assert_eq!(tag, Some(expected), "{template}: {}", error.message);
    }

    #[test]
    fn the_tag_that_is_at_fault_is_found() {
        check("Hi {{ name }} {{ user. }}!", "{{ user. }}");
        check("{{ a }}{{ b | nofilter }}{{ c }}", "{{ b | nofilter }}");
        check("{% if a %}x{% endif %}{% iff b %}", "{% iff b %}");
        check("{% for x ni xs %}{% endfor %}", "{% for x ni xs %}");
        check("{{ 'x }} and\nmore", "{{ 'x }} and");
        check("One.\n{{ name\nTwo.", "{{ name");
        check("{{ a\n  .b. }} c", "{{ a\n  .b. }}");
        check("{% endif %}x", "{% endif %}");
        check("{{ 1 // 0 }}", "{{ 1 // 0 }}");
    }

    #[test]
    fn an_end_that_is_missing_is_the_fault_of_its_tag() {
        check("{% if a %}{{ b }} c", "{% if a %}");
        check("{% if a %}{{ b }}", "{% if a %}");
        check("{% if a %}{% for x in xs %}x{% endfor %}", "{% if a %}");
        check("{% set a = 1 %}{% set b %}x", "{% set b %}");
    }
}
