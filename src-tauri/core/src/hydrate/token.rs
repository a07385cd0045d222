//! The token language of an assembly order: parsing only; [`super::Engine`] renders tokens.

use std::fmt;

/// How deep brackets may nest.
pub const MAX_DEPTH: usize = 16;

/// Other names of well-known sections, valid in tokens when no section has that very name.
pub const ALIASES: [(&str, &str); 5] = [
    ("persona", "personas"),
    ("sentiments", "sentiment"),
    ("injections", "static_injections"),
    ("ending", "prompt_endings"),
    ("endings", "prompt_endings"),
];

/// The section that a name in a token means: the one of that very name, else the one it is an alias
/// of. `exists` says which sections there are.
pub fn resolve_section(name: &str, exists: impl Fn(&str) -> bool) -> Option<&str> {
    if exists(name) {
        return Some(name);
    }
    let (_, section) = ALIASES.iter().find(|(alias, _)| *alias == name)?;
    exists(section).then_some(*section)
}

/// One parsed token. Section names are as written: aliases are resolved by the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// `section`
    Bare {
        /// The section, as written.
        section: String,
    },
    /// `section.field`
    Dotted {
        /// The section, as written.
        section: String,
        /// Everything after the first dot.
        field: String,
    },
    /// `section[token]`
    Bracket {
        /// The section, as written.
        section: String,
        /// The token whose text names the item.
        inner: Box<Token>,
    },
}

/// Why a text is not a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// A section's name is empty.
    #[error("entry {0:?} names no section; write section, section.field or section[entry]")]
    NoSection(String),
    /// Brackets nested deeper than [`MAX_DEPTH`].
    #[error("entry {0:?} nests brackets deeper than {MAX_DEPTH}")]
    TooDeep(String),
}

impl TokenError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSection(_) => "token_no_section",
            Self::TooDeep(_) => "token_too_deep",
        }
    }
}

impl Token {
    /// Parses one token.
    ///
    /// A bracket form needs its brackets paired, the last one closing the first, before any dot;
    /// any other bracket is a character of a name, since a section may have any name.
    ///
    /// # Errors
    ///
    /// [`TokenError`] if a section's name is empty or brackets nest too deep.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        parse(text, 0).map_err(|fault| match fault {
            ParseFault::NoSection => TokenError::NoSection(text.to_owned()),
            ParseFault::TooDeep => TokenError::TooDeep(text.to_owned()),
        })
    }

    /// The section the token starts with, as written.
    #[must_use]
    pub fn section(&self) -> &str {
        match self {
            Self::Bare { section }
            | Self::Dotted { section, .. }
            | Self::Bracket { section, .. } => section,
        }
    }
}

enum ParseFault {
    NoSection,
    TooDeep,
}

fn parse(text: &str, depth: usize) -> Result<Token, ParseFault> {
    if depth > MAX_DEPTH {
        return Err(ParseFault::TooDeep);
    }
    let name = |name: &str| {
        if name.is_empty() {
            Err(ParseFault::NoSection)
        } else {
            Ok(name.to_owned())
        }
    };
    if let Some((section, inner)) = brackets(text) {
        return Ok(Token::Bracket {
            section: name(section)?,
            inner: Box::new(parse(inner, depth + 1)?),
        });
    }
    match text.split_once('.') {
        Some((section, field)) => Ok(Token::Dotted {
            section: name(section)?,
            field: field.to_owned(),
        }),
        None => Ok(Token::Bare {
            section: name(text)?,
        }),
    }
}

/// The parts of `section[inner]`, when the text has that form.
fn brackets(text: &str) -> Option<(&str, &str)> {
    let open = text.find(['[', '.'])?;
    let inner = text[open..].strip_prefix('[')?.strip_suffix(']')?;
    let mut depth = 0_usize;
    for byte in inner.bytes() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some((&text[..open], inner))
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bare { section } => f.write_str(section),
            Self::Dotted { section, field } => write!(f, "{section}.{field}"),
            Self::Bracket { section, inner } => write!(f, "{section}[{inner}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, TokenError};

    /// The shape of a token, its parts in angle brackets.
    fn shape(token: &Token) -> String {
        match token {
            Token::Bare { section } => format!("<{section}>"),
            Token::Dotted { section, field } => format!("<{section}>.<{field}>"),
            Token::Bracket { section, inner } => format!("<{section}>[{}]", shape(inner)),
        }
    }

    #[test]
    fn tokens_have_three_forms() {
        for (text, expected) in [
            ("a", "<a>"),
            (" a-1 ", "< a-1 >"),
            ("a.b", "<a>.<b>"),
            ("a.b.c", "<a>.<b.c>"),
            ("a.", "<a>.<>"),
            ("a[b]", "<a>[<b>]"),
            ("a[b.c]", "<a>[<b>.<c>]"),
            ("a[b[c.d]]", "<a>[<b>[<c>.<d>]]"),
            ("a.b[c]", "<a>.<b[c]>"),
            ("a[b].c", "<a[b]>.<c>"),
            ("a[b].c[d]", "<a[b]>.<c[d]>"),
            ("a[b", "<a[b>"),
            ("a]", "<a]>"),
            ("a[b]x", "<a[b]x>"),
            ("a[b][c]", "<a[b][c]>"),
        ] {
            let token = Token::parse(text).expect(text);
            assert_eq!(shape(&token), expected, "{text}");
            assert_eq!(token.to_string(), text);
        }
    }

    #[test]
    fn tokens_without_a_section_are_refused() {
        for text in ["", ".a", "[a]", "a[]", "a[.b]", "a[b[]]"] {
            assert_eq!(
                Token::parse(text),
                Err(TokenError::NoSection(text.to_owned()))
            );
        }
    }

    #[test]
    fn brackets_nest_sixteen_deep() {
        let nested = |depth: usize| format!("{}b{}", "a[".repeat(depth), "]".repeat(depth));
        assert!(Token::parse(&nested(16)).is_ok());
        assert!(matches!(
            Token::parse(&nested(17)),
            Err(TokenError::TooDeep(_))
        ));
        assert!(matches!(
            Token::parse(&nested(100_000)),
            Err(TokenError::TooDeep(_))
        ));
    }
}
