//! What a missing name, key or index is: harmless to print, test and loop over, an error in
//! anything else. Holds what the error will say, without formatting it before it is needed.

use std::sync::Arc;

use super::error::{Error, ErrorKind};
use super::value::Value;

/// Why something is undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The text is an undefined name.
    Name,
    /// The text is an attribute the object lacks.
    Attribute,
    /// The text is the printed key the object lacks.
    Element,
    /// The text is the whole message.
    Hint,
    /// The text is the whole message of a refusal of the sandbox.
    Unsafe,
}

/// What lacks something, by its place in [`OBJECTS`]: a byte, so that values stay small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Object(u8);

/// An undefined value and the error it becomes when used.
#[derive(Clone, PartialEq, Eq)]
pub struct Undefined {
    text: Arc<str>,
    cause: Cause,
    object: Object,
}

/// What types are called in the messages of undefined values.
const OBJECTS: [&str; 19] = [
    "None",
    "bool object",
    "int object",
    "float object",
    "str object",
    "markupsafe.Markup object",
    "list object",
    "tuple object",
    "dict object",
    "range object",
    "jinja2.runtime.LoopContext object",
    "jinja2.runtime.Macro object",
    "generator object",
    "jinja2.runtime.Undefined object",
    "jinja2.utils.Cycler object",
    "jinja2.utils.Joiner object",
    "namespace object",
    "view object",
    "function object",
];

fn described(value: &Value) -> Object {
    Object(match value {
        Value::None => 0,
        Value::Bool(_) => 1,
        Value::Int(_) | Value::Big(_) => 2,
        Value::Float(_) => 3,
        Value::Str(_) => 4,
        Value::Markup(_) => 5,
        Value::List(_) => 6,
        Value::Tuple(_) => 7,
        Value::Dict(_) => 8,
        Value::Range(_) => 9,
        Value::Loop(_) => 10,
        Value::Macro(_) => 11,
        Value::Generator(_) => 12,
        Value::Undefined(_) => 13,
        Value::Cycler(_) => 14,
        Value::Joiner(_) => 15,
        Value::Namespace(_) => 16,
        Value::View(_) => 17,
        Value::Builtin(_) | Value::Bound(_) => 18,
    })
}

impl Undefined {
    fn of(cause: Cause, text: Arc<str>) -> Self {
        Self {
            text,
            cause,
            object: Object(0),
        }
    }

    /// An undefined name.
    pub(super) fn name(name: &Arc<str>) -> Self {
        Self::of(Cause::Name, Arc::clone(name))
    }

    /// An attribute `object` does not have.
    pub(super) fn attribute(object: &Value, name: &Arc<str>) -> Self {
        Self {
            object: described(object),
            ..Self::of(Cause::Attribute, Arc::clone(name))
        }
    }

    /// A key or index, printed, that `object` does not have.
    pub(super) fn element(object: &Value, printed: String) -> Self {
        Self {
            object: described(object),
            ..Self::of(Cause::Element, printed.into())
        }
    }

    /// With a specific message.
    pub(super) fn hint(message: impl Into<Arc<str>>) -> Self {
        Self::of(Cause::Hint, message.into())
    }

    /// What the sandbox keeps out of reach.
    pub(super) fn forbidden(object: &Value, name: &str) -> Self {
        let message = format!(
            "access to attribute '{name}' of '{}' object is unsafe.",
            object.type_name()
        );
        Self::of(Cause::Unsafe, message.into())
    }

    /// The error of using it.
    pub(super) fn error(&self) -> Error {
        let text = &self.text;
        let object = OBJECTS[usize::from(self.object.0)];
        match self.cause {
            Cause::Name => Error::new(ErrorKind::Undefined, format!("'{text}' is undefined")),
            Cause::Attribute => Error::new(
                ErrorKind::Undefined,
                format!("'{object}' has no attribute '{text}'"),
            ),
            Cause::Element => Error::new(
                ErrorKind::Undefined,
                format!("{object} has no element {text}"),
            ),
            Cause::Hint => Error::new(ErrorKind::Undefined, text.as_ref()),
            Cause::Unsafe => Error::new(ErrorKind::Security, text.as_ref()),
        }
    }
}
