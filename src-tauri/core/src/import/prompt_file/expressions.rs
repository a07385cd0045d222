//! The expressions of a template: double braces around a name become a template variable.

use std::collections::BTreeMap;

use super::{TemplateEngine, reserved_words::is_reserved};

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    /// A name in double braces, as in `{{ user.name }}`.
    Name(&'t str),
    /// Anything else in braces: the whole expression, and its offset. One that is not closed is all
    /// the rest.
    Other(&'t str, usize),
}

/// The pieces of a template. In Handlebars a backslash makes a text of the expression behind it.
pub(super) fn pieces(template: &str, engine: TemplateEngine) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut done, mut from) = (0, 0);
    while let Some(found) = template[from..].find('{') {
        let at = from + found;
        let rest = &template[at..];
        let close = match rest.as_bytes().get(1) {
            Some(b'{') if rest.starts_with("{{{") => "}}}",
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            Some(b'#') => "#}",
            _ => {
                from = at + 1;
                continue;
            }
        };
        if engine == TemplateEngine::Handlebars {
            if close.starts_with(['%', '#']) {
                from = at + 2;
                continue;
            }
            if template[done..at].ends_with('\\') {
                if at - 1 > done {
                    pieces.push(Piece::Text(&template[done..at - 1]));
                }
                done = at;
                from = at + 2;
                continue;
            }
        }
        let end = rest.find(close);
        let length = end.map_or(rest.len(), |end| end + close.len());
        if at > done {
            pieces.push(Piece::Text(&template[done..at]));
        }
        let whole = &rest[..length];
        let inner = whole.trim_start_matches('{').trim_end_matches('}').trim();
        pieces.push(
            match end.is_some() && close.starts_with('}') && is_path(inner, engine) {
                true => Piece::Name(inner),
                false => Piece::Other(whole, at),
            },
        );
        done = at + length;
        from = done;
    }
    if done < template.len() {
        pieces.push(Piece::Text(&template[done..]));
    }
    pieces
}

pub(super) fn is_path(text: &str, engine: TemplateEngine) -> bool {
    let part = |part: &str| {
        part.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && part
                .chars()
                .all(|next| next.is_alphanumeric() || next == '_')
    };
    !is_reserved(text, engine) && !text.is_empty() && text.split('.').all(part)
}

/// The whole expression around a name that was found in a text, with its braces.
pub(super) fn expression_around<'t>(text: &'t str, name: &'t str) -> &'t str {
    let at = (name.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    let (Some(before), Some(after)) = (text.get(..at), text.get(at + name.len()..)) else {
        return name;
    };
    let open = before.trim_end();
    let braces = if open.ends_with("{{{") { 3 } else { 2 };
    let start = open.len().saturating_sub(braces);
    let close = after.len() - after.trim_start().len() + braces;
    let end = text.len().min(at + name.len() + close);
    text.get(start..end).unwrap_or(name)
}

/// The variables of a template: path in the template to name in the registry.
///
/// A name that stands in single braces too would be filled there as well, so it gets another one.
pub(super) fn variables<'t>(templates: &[Vec<Piece<'t>>]) -> BTreeMap<&'t str, String> {
    let all = || templates.iter().flatten();
    let mut names = BTreeMap::new();
    for piece in all() {
        let Piece::Name(path) = piece else { continue };
        if names.contains_key(path) {
            continue;
        }
        let mut name = path.replace('.', "_");
        let is_taken = |name: &str| {
            let braced = format!("{{{name}}}");
            all().any(|piece| match piece {
                Piece::Text(text) | Piece::Other(text, _) => text.contains(&braced),
                Piece::Name(_) => false,
            })
        };
        while is_taken(&name) || names.values().any(|given| *given == name) {
            name.push('_');
        }
        names.insert(*path, name);
    }
    names
}

/// A template with its names in single braces, and everything else as written.
pub(super) fn with_variables(pieces: &[Piece<'_>], names: &BTreeMap<&str, String>) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(literal) | Piece::Other(literal, _) => text.push_str(literal),
            Piece::Name(path) => match names.get(path) {
                Some(name) => {
                    text.push('{');
                    text.push_str(name);
                    text.push('}');
                }
                None => text.push_str(path),
            },
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Piece, expression_around, pieces, variables, with_variables};
    use crate::import::prompt_file::TemplateEngine::{Handlebars, Jinja};

    #[test]
    fn the_expression_of_a_name_has_its_braces_and_blanks() {
        for expression in ["{{q}}", "{{{q}}}", "{{ q }}"] {
            let text = format!("Say {expression}}} now");
            let found = pieces(&text, Handlebars);
            let Some(Piece::Name(name)) = found.get(1) else {
                panic!("{found:?}");
            };
            assert_eq!(expression_around(&text, name), expression);
        }
    }

    #[test]
    fn names_in_double_braces_are_variables() {
        let check = |template: &str, expected: &str| {
            let pieces = vec![pieces(template, Handlebars)];
            let names = variables(&pieces);
            assert_eq!(with_variables(&pieces[0], &names), expected);
        };
        check("Hi {{name}}, {{ user.first }}", "Hi {name}, {user_first}");
        check("{{{raw}}} {x} {{x}}", "{raw} {x} {x_}");
        check(
            "{{#if a}}b{{/if}} {% if c %}",
            "{{#if a}}b{{/if}} {% if c %}",
        );
        check("{{open", "{{open");
        check("a\\{{b}} {{c}}", "a{{b}} {c}");
        assert_eq!(
            pieces("{{#if a}}", Handlebars),
            [Piece::Other("{{#if a}}", 0)]
        );
        assert_eq!(
            pieces("{{a}} {{open", Handlebars),
            [
                Piece::Name("a"),
                Piece::Text(" "),
                Piece::Other("{{open", 6)
            ]
        );
        assert_eq!(
            pieces("{{ none }}{{ name }}", Jinja),
            [Piece::Other("{{ none }}", 0), Piece::Name("name")]
        );
        for (reserved, engine) in [
            ("role", Handlebars),
            ("if", Handlebars),
            ("true", Handlebars),
            ("not", Jinja),
            ("self", Jinja),
        ] {
            let text = format!("{{{{{reserved}}}}}");
            assert_eq!(pieces(&text, engine), [Piece::Other(&text, 0)]);
        }
        assert_eq!(pieces("{{role}}", Jinja), [Piece::Name("role")]);
        assert_eq!(pieces("{{not}}", Handlebars), [Piece::Name("not")]);
        assert_eq!(
            pieces("{ {# c #}", Jinja),
            [Piece::Text("{ "), Piece::Other("{# c #}", 2)]
        );
    }
}
