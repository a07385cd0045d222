//! Which names a token can refer to, and which name typed words make.

use super::bare_name;

/// Why no token can refer to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// It has no characters.
    #[error("a name cannot be empty")]
    Empty,
    /// A character that separates the parts of an entry.
    #[error("a name cannot contain {0:?}, which separates the parts of an entry")]
    Separator(char),
    /// White space.
    #[error("a name cannot contain whitespace")]
    WhiteSpace,
}

/// Why no token can refer to a section, an item or a field of this name; `None` when one can.
#[must_use]
pub fn name_fault(name: &str) -> Option<NameFault> {
    if name.is_empty() {
        return Some(NameFault::Empty);
    }
    name.chars().find_map(|character| match character {
        '.' | '[' | ']' => Some(NameFault::Separator(character)),
        _ if character.is_whitespace() => Some(NameFault::WhiteSpace),
        _ => None,
    })
}

/// The name of a section, an item, a field or a variable that typed words make: without the white space
/// around them, and with an underscore for that between them.
///
/// ```
/// use promptdeck_core::registry::name_from;
///
/// assert_eq!(name_from(" night  guide "), "night_guide");
/// ```
#[must_use]
pub fn name_from(typed: &str) -> String {
    typed.split_whitespace().collect::<Vec<_>>().join("_")
}

/// The name of a variable that typed words make, which may have braces around it as in a text.
#[must_use]
pub fn variable_name_from(typed: &str) -> String {
    name_from(bare_name(typed.trim()))
}

#[cfg(test)]
mod tests {
    use super::{NameFault, name_fault, name_from, variable_name_from};

    #[test]
    fn typed_words_make_a_name() {
        for (typed, name) in [
            ("mood 2!", "mood_2!"),
            ("  the\u{a0} old\tmill ", "the_old_mill"),
            ("Guest", "Guest"),
            ("\u{85}", ""),
        ] {
            assert_eq!(name_from(typed), name, "{typed:?}");
            assert_eq!(variable_name_from(typed), name, "{typed:?}");
        }
        assert_eq!(variable_name_from(" {guest name} "), "guest_name");
    }

    #[test]
    fn names_that_no_token_can_refer_to() {
        use NameFault::{Empty, Separator, WhiteSpace};
        for (name, expected) in [
            ("rules", None),
            ("my_rules-2", None),
            ("größe", None),
            ("🎲", None),
            ("a:b", None),
            ("", Some(Empty)),
            (" ", Some(WhiteSpace)),
            ("my rules", Some(WhiteSpace)),
            ("rules ", Some(WhiteSpace)),
            ("a\tb", Some(WhiteSpace)),
            ("a\u{a0}b", Some(WhiteSpace)),
            ("a\u{200b}b", None),
            ("my rules. [new]", Some(WhiteSpace)),
            ("a.b", Some(Separator('.'))),
            ("a[b", Some(Separator('['))),
            ("b]", Some(Separator(']'))),
            ("a].b", Some(Separator(']'))),
        ] {
            assert_eq!(name_fault(name), expected, "{name:?}");
        }
    }
}
