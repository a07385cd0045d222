//! The tokens of schema version 2, as that dialect reads them.

/// A token of schema version 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `injections`: the texts of the active runtime injections.
    Injections,
    /// `section`
    Whole { section: String },
    /// `section.field`
    Field { section: String, field: String },
    /// `section[id]`: the item with exactly that id.
    Item { section: String, id: String },
    /// `section.scale`
    Scale { section: String },
    /// `section.groups`, or `section.groups[id]` for one of them.
    Groups {
        section: String,
        only: Option<String>,
    },
}

impl Token {
    /// Reads a token; any text is one.
    pub fn read(text: &str) -> Self {
        if text == "injections" {
            return Self::Injections;
        }
        if let Some((section, id)) = bracket(text) {
            return Self::Item { section, id };
        }
        let Some((section, field)) = text.split_once('.') else {
            return Self::Whole {
                section: text.to_owned(),
            };
        };
        let section = section.to_owned();
        match bracket(field) {
            _ if field == "scale" => Self::Scale { section },
            _ if field == "groups" => Self::Groups {
                section,
                only: None,
            },
            Some((base, id)) if base == "groups" => Self::Groups {
                section,
                only: Some(id),
            },
            _ => Self::Field {
                section,
                field: field.to_owned(),
            },
        }
    }

    /// The section it starts with.
    pub fn section(&self) -> &str {
        match self {
            Self::Injections => "runtime_injections",
            Self::Whole { section }
            | Self::Field { section, .. }
            | Self::Item { section, .. }
            | Self::Scale { section }
            | Self::Groups { section, .. } => section,
        }
    }

    /// The token in the canonical language, where each form left has its counterpart.
    pub fn canonical(&self) -> String {
        match self {
            Self::Injections => "runtime_injections".to_owned(),
            Self::Whole { section } => section.clone(),
            Self::Field { section, field } | Self::Item { section, id: field } => {
                format!("{section}.{field}")
            }
            Self::Scale { section } => format!("{section}.scale"),
            Self::Groups { section, only } => match only {
                None => format!("{section}.groups"),
                Some(only) => format!("{section}.groups[{only}]"),
            },
        }
    }
}

/// The parts of `name[inside]`, the name being letters and underscores.
fn bracket(text: &str) -> Option<(String, String)> {
    let (name, rest) = text.split_once('[')?;
    let inside = rest.strip_suffix(']')?;
    let named = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    (named && !inside.is_empty() && !inside.contains(']'))
        .then(|| (name.to_owned(), inside.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn tokens_are_read_as_the_dialect_does() {
        for (text, read) in [
            ("injections", "Injections"),
            ("a", r#"Whole { section: "a" }"#),
            ("a.b.c", r#"Field { section: "a", field: "b.c" }"#),
            ("a[b.c]", r#"Item { section: "a", id: "b.c" }"#),
            ("a-1[b]", r#"Whole { section: "a-1[b]" }"#),
            ("a.scale", r#"Scale { section: "a" }"#),
            ("a.groups", r#"Groups { section: "a", only: None }"#),
            (
                "a.groups[g 1]",
                r#"Groups { section: "a", only: Some("g 1") }"#,
            ),
            (
                "a.nudges[g]",
                r#"Field { section: "a", field: "nudges[g]" }"#,
            ),
        ] {
            assert_eq!(format!("{:?}", Token::read(text)), read, "{text}");
        }
    }
}
