//! What a missing name, key or index is: harmless to print, test and loop over, an error in
//! anything else. Holds what the error will say, without formatting it before it is needed.

use std::sync::Arc;

use super::error::{Error, ErrorKind};
use super::value::Value;

/// Why something is undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The text is a name that nobody defined.
    Name,
    /// The text is an attribute the value of that type lacks.
    Attribute(&'static str),
    /// The text is the printed key the value of that type lacks.
    Element(&'static str),
    /// The text is the whole message.
    Hint,
    /// The text is the whole message of a refusal of the sandbox.
    Unsafe,
}

/// An undefined value and the error it becomes when used.
#[derive(Clone)]
pub struct Undefined {
    cause: Cause,
    text: Arc<str>,
}

/// What a type is called in the messages of undefined values.
fn described(value: &Value) -> &'static str {
    match value {
        Value::None => "None",
        Value::Bool(_) => "bool object",
        Value::Int(_) | Value::Big(_) => "int object",
        Value::Float(_) => "float object",
        Value::Str(_) => "str object",
        Value::Markup(_) => "markupsafe.Markup object",
        Value::List(_) => "list object",
        Value::Tuple(_) => "tuple object",
        Value::Dict(_) => "dict object",
        Value::Range(_) => "range object",
        Value::Loop(_) => "jinja2.runtime.LoopContext object",
        Value::Macro(_) => "jinja2.runtime.Macro object",
        Value::Generator(_) => "generator object",
        Value::Undefined(_) => "jinja2.runtime.Undefined object",
        Value::Cycler(_) => "jinja2.utils.Cycler object",
        Value::Joiner(_) => "jinja2.utils.Joiner object",
        Value::Namespace(_) => "namespace object",
        Value::View(_) => "view object",
        Value::Builtin(_) | Value::Bound(_) => "function object",
    }
}

impl Undefined {
    /// A name nobody defined.
    pub(super) fn name(name: &Arc<str>) -> Self {
        Self {
            cause: Cause::Name,
            text: Arc::clone(name),
        }
    }

    /// An attribute `object` does not have.
    pub(super) fn attribute(object: &Value, name: &Arc<str>) -> Self {
        Self {
            cause: Cause::Attribute(described(object)),
            text: Arc::clone(name),
        }
    }

    /// A key or index, printed, that `object` does not have.
    pub(super) fn element(object: &Value, printed: String) -> Self {
        Self {
            cause: Cause::Element(described(object)),
            text: printed.into(),
        }
    }

    /// With a message of its own.
    pub(super) fn hint(message: impl Into<Arc<str>>) -> Self {
        Self {
            cause: Cause::Hint,
            text: message.into(),
        }
    }

    /// What the sandbox keeps out of reach.
    pub(super) fn forbidden(object: &Value, name: &str) -> Self {
        Self {
            cause: Cause::Unsafe,
            text: format!(
                "access to attribute '{name}' of '{}' object is unsafe.",
                object.type_name()
            )
            .into(),
        }
    }

    /// The error of using it.
    pub(super) fn error(&self) -> Error {
        let text = &self.text;
        match self.cause {
            Cause::Name => Error::new(ErrorKind::Undefined, format!("'{text}' is undefined")),
            Cause::Attribute(object) => Error::new(
                ErrorKind::Undefined,
                format!("'{object}' has no attribute '{text}'"),
            ),
            Cause::Element(object) => Error::new(
                ErrorKind::Undefined,
                format!("{object} has no element {text}"),
            ),
            Cause::Hint => Error::new(ErrorKind::Undefined, text.as_ref()),
            Cause::Unsafe => Error::new(ErrorKind::Security, text.as_ref()),
        }
    }
}
