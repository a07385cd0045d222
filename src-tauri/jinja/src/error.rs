//! What can go wrong in a template: one boxed error with a kind, the text Python would give, and
//! the place in the template. Decides nothing about how an error is shown.

use std::fmt;

/// The kind of a template error, named after what Python raises in the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The template does not parse, or names a filter or test that does not exist.
    Syntax,
    /// Something undefined was used.
    Undefined,
    /// A value of the wrong type.
    Type,
    /// A value of the right type that makes no sense.
    Value,
    /// A missing key or index.
    Lookup,
    /// A number too large, or a division by zero.
    Arithmetic,
    /// Something the sandbox forbids.
    Security,
    /// The template itself refused, through `raise_exception`.
    Raised,
    /// Something that is not supported here though Jinja knows it.
    Unsupported,
    /// Too many steps, too much memory, too deep: the template was stopped.
    Limit,
    /// Any other error at run time.
    Runtime,
}

impl ErrorKind {
    /// The stable code of this kind.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Syntax => "template_syntax",
            Self::Undefined => "template_undefined",
            Self::Type => "template_type",
            Self::Value => "template_value",
            Self::Lookup => "template_lookup",
            Self::Arithmetic => "template_arithmetic",
            Self::Security => "template_security",
            Self::Raised => "template_raised",
            Self::Unsupported => "template_unsupported",
            Self::Limit => "template_limit",
            Self::Runtime => "template_runtime",
        }
    }
}

/// Where in the template: both counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// The place of byte `offset` of `source`.
    #[must_use]
    pub fn of(source: &str, offset: usize) -> Self {
        let mut end = offset.min(source.len());
        while !source.is_char_boundary(end) {
            end -= 1;
        }
        let before = &source[..end];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

struct Inner {
    kind: ErrorKind,
    message: String,
    offset: Option<u32>,
    place: Option<Place>,
    line: Option<String>,
}

/// An error of a template. `Display` is the message with its place, in one line.
pub struct Error(Box<Inner>);

impl Error {
    /// An error of `kind` with the text Python would give.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            offset: None,
            place: None,
            line: None,
        }))
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The stable code of the kind.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// The message without its place; for `raise_exception` exactly what the template gave.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The place in the template, when known.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }

    /// The line of the template the error is on.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        self.0.line.as_deref()
    }

    /// Notes the byte offset of the innermost node that failed; later, outer notes are ignored.
    pub(super) fn at(mut self, offset: u32) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Turns the noted offset into a place of `source`.
    pub(super) fn placed(mut self, source: &str) -> Self {
        if let (None, Some(offset)) = (self.0.place, self.0.offset) {
            let place = Place::of(source, offset as usize);
            self.0.place = Some(place);
            let line = source.split('\n').nth(place.line - 1).unwrap_or_default();
            self.0.line = Some(line.chars().take(400).collect());
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        match self.0.place {
            Some(Place { line, column }) => write!(f, " (template line {line}, column {column})"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl std::error::Error for Error {}

/// Result of anything a template does.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Short forms used all over the engine.
macro_rules! fail {
    ($kind:ident, $($arg:tt)*) => {
        Err($crate::error::Error::new(
            $crate::error::ErrorKind::$kind,
            format!($($arg)*),
        ))
    };
}
pub(crate) use fail;
