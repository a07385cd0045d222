//! Which names a token can refer to.

/// Why no token can refer to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// It has no characters.
    #[error("a name needs a character")]
    Empty,
    /// A character that separates the parts of an entry.
    #[error("a name can't hold {0:?}, which separates the parts of an entry")]
    Separator(char),
    /// White space.
    #[error("a name can't hold white space")]
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

#[cfg(test)]
mod tests {
    use super::{NameFault, name_fault};

    #[test]
    fn cases_shared_with_the_page() {
        let cases: Vec<(String, Option<String>)> =
            serde_json::from_str(include_str!("../../../../ui/src/lib/ipc/names.cases.json"))
                .expect("cases");
        assert!(cases.len() > 10);
        for (name, expected) in cases {
            let found = name_fault(&name).map(|fault| match fault {
                NameFault::Empty => "empty".to_owned(),
                NameFault::Separator(character) => character.to_string(),
                NameFault::WhiteSpace => "blank".to_owned(),
            });
            assert_eq!(found, expected, "{name:?}");
        }
    }
}
