//! The values a template works with, as Python sees them: immutable data behind shared pointers
//! (the sandbox lets nothing be changed) and a few objects of the engine.
//! Arithmetic, comparison, printing and attributes are in separate files.

mod arithmetic;
mod compare;
mod dict;
#[cfg(feature = "serde_json")]
mod json;
mod number;
mod repr;
mod seq;

use std::sync::Arc;

use num_bigint::BigInt;

pub(super) use arithmetic::{Operator, binary, negate, positive};
pub(super) use compare::{Order, compare, contains, equal, same};
pub use dict::Dict;
pub(super) use dict::{Entries, charge_key, hash as hashable};
#[cfg(feature = "serde_json")]
pub use json::TextPool;
pub(super) use number::{Number, integer_text, to_index, truncated};
pub(super) use repr::{repr, text};
pub use seq::SharedMessages;
pub(super) use seq::{AccessWatermark, Seq};

use super::error::{Result, fail};
use super::iterate::Generator;
use super::namespace::Namespace;
use super::object::{Bound, Builtin, Cycler, Joiner, LoopState, MacroValue};
use super::undefined::Undefined;

/// The deepest nesting of lists, mappings and generators.
pub(super) const MAX_DEPTH: u16 = 160;

/// One value of a template.
#[derive(Clone)]
pub enum Value {
    /// What a missing name, key or index gives.
    Undefined(Undefined),
    /// Python's `None`.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer that does not.
    Big(Arc<BigInt>),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Str(Arc<str>),
    /// A text marked safe.
    Markup(Arc<str>),
    /// A list.
    List(Arc<Seq>),
    /// A tuple.
    Tuple(Arc<Seq>),
    /// A mapping in insertion order.
    Dict(Arc<Dict>),
    /// A `range(...)`.
    Range(Arc<Range>),
    /// The keys, values or items of a mapping.
    View(Arc<View>),
    /// A one-shot generator, such as `map` gives.
    Generator(Arc<Generator>),
    /// A builtin function.
    Builtin(Builtin),
    /// A method of a value.
    Bound(Arc<Bound>),
    /// A macro or the caller of a call block.
    Macro(Arc<MacroValue>),
    /// The `loop` of a `for`.
    Loop(Arc<LoopState>),
    /// What `namespace()` gives.
    Namespace(Arc<Namespace>),
    /// What `cycler()` gives.
    Cycler(Arc<Cycler>),
    /// What `joiner()` gives.
    Joiner(Arc<Joiner>),
}

/// How large a value is: itself and the values inside, and the bytes of its texts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    pub values: usize,
    pub bytes: usize,
}

impl Size {
    /// Takes another value in. A value may hold the same one any number of times.
    pub fn add(&mut self, other: Self) {
        self.values = self.values.saturating_add(other.values);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// A `range`: `len` numbers from `start` by `step`.
pub struct Range {
    pub(super) start: i64,
    pub(super) stop: i64,
    pub(super) step: i64,
    pub(super) len: usize,
}

impl Range {
    /// The number at `index`, below `len`.
    pub(super) fn get(&self, index: usize) -> Value {
        Value::Int(
            self.start
                .wrapping_add(self.step.wrapping_mul(index as i64)),
        )
    }
}

/// Which part of a mapping a view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewKind {
    /// `d.keys()`
    Keys,
    /// `d.values()`
    Values,
    /// `d.items()`
    Items,
}

/// A view of a mapping.
pub struct View {
    pub(super) kind: ViewKind,
    pub(super) dict: Arc<Dict>,
}

impl View {
    /// The entry at `index`, below the mapping's length.
    pub(super) fn get(&self, index: usize) -> Value {
        let (key, value) = self.dict.entry(index);
        match self.kind {
            ViewKind::Keys => key.clone(),
            ViewKind::Values => value.clone(),
            ViewKind::Items => Value::pair(key.clone(), value.clone()),
        }
    }
}

// Values are cloned all the time; every byte counts.
const _: () = assert!(size_of::<Value>() == 24);

impl Value {
    /// A text.
    pub(crate) fn str(text: impl Into<Arc<str>>) -> Self {
        Self::Str(text.into())
    }

    /// A list. Errors when it nests too deep.
    pub(super) fn list(items: Vec<Self>) -> Result<Self> {
        Ok(Self::List(Arc::new(Seq::new(items)?)))
    }

    /// A tuple. Errors when it nests too deep.
    pub(super) fn tuple(items: Vec<Self>) -> Result<Self> {
        Ok(Self::Tuple(Arc::new(Seq::new(items)?)))
    }

    /// A tuple of two. Depth is not checked: its parts are already inside a value that was.
    pub(super) fn pair(first: Self, second: Self) -> Self {
        Self::Tuple(Arc::new(Seq::pair(first, second, None)))
    }

    /// The named pair of `groupby`.
    pub(super) fn group(grouper: Self, list: Self) -> Self {
        Self::Tuple(Arc::new(Seq::pair(
            grouper,
            list,
            Some(&["grouper", "list"]),
        )))
    }

    /// A mapping from pairs; a later key replaces the value of an equal earlier one.
    pub(super) fn dict(pairs: impl IntoIterator<Item = (Self, Self)>) -> Result<Self> {
        Ok(Self::Dict(Arc::new(Dict::from_pairs(pairs)?)))
    }

    /// How deep the value nests: 0 for a scalar.
    pub(super) fn depth(&self) -> u16 {
        match self {
            Self::List(seq) | Self::Tuple(seq) => seq.depth(),
            Self::Dict(dict) => dict.depth(),
            Self::View(view) => view.dict.depth(),
            Self::Generator(generator) => generator.depth(),
            Self::Bound(bound) => bound.receiver.depth() + 1,
            _ => 0,
        }
    }

    /// Whether the value holds something that changes while a template runs and cannot be put back:
    /// a generator, a cycler, a joiner, a namespace or the state of a loop.
    pub(super) fn holds_state(&self) -> bool {
        match self {
            Self::Generator(_)
            | Self::Cycler(_)
            | Self::Joiner(_)
            | Self::Namespace(_)
            | Self::Loop(_) => true,
            Self::List(seq) | Self::Tuple(seq) => seq.holds_state(),
            Self::Dict(dict) => dict.holds_state(),
            Self::View(view) => view.dict.holds_state(),
            Self::Bound(bound) => bound.receiver.holds_state(),
            _ => false,
        }
    }

    /// The value to store beyond a rendering: a watched list without its items. A reference to the
    /// messages would make the next push copy all of them.
    pub(super) fn without_messages(&self) -> Self {
        match self {
            Self::List(seq) => match seq.placeholder() {
                Some(placeholder) => Self::List(Arc::new(placeholder)),
                None => self.clone(),
            },
            _ => self.clone(),
        }
    }

    /// How large the value is.
    pub(super) fn size(&self) -> Size {
        let mut size = match self {
            Self::Str(text) | Self::Markup(text) => Size {
                values: 0,
                bytes: text.len(),
            },
            Self::List(seq) | Self::Tuple(seq) => seq.size(),
            Self::Dict(dict) => dict.size(),
            _ => Size::default(),
        };
        size.values = size.values.saturating_add(1);
        size
    }

    /// Called when the value is put inside another one: a list that is watched is no longer.
    pub(super) fn settle(&self) {
        if let Self::List(seq) = self {
            seq.settle();
        }
    }

    /// The text of a string, marked or not.
    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) | Self::Markup(text) => Some(text),
            _ => None,
        }
    }

    /// Python's `type(x).__name__`.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Undefined(_) => "Undefined",
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Big(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::Markup(_) => "Markup",
            Self::List(_) => "list",
            Self::Tuple(seq) if seq.fields.is_some() => "_GroupTuple",
            Self::Tuple(_) => "tuple",
            Self::Dict(_) => "dict",
            Self::Range(_) => "range",
            Self::View(view) => match view.kind {
                ViewKind::Keys => "dict_keys",
                ViewKind::Values => "dict_values",
                ViewKind::Items => "dict_items",
            },
            Self::Generator(generator) => generator.type_name(),
            Self::Builtin(builtin) => builtin.type_name(),
            Self::Bound(_) => "builtin_function_or_method",
            Self::Macro(_) => "Macro",
            Self::Loop(_) => "LoopContext",
            Self::Namespace(_) => "TemplateNamespace",
            Self::Cycler(_) => "Cycler",
            Self::Joiner(_) => "Joiner",
        }
    }

    /// Python's truth of the value.
    pub(super) fn truth(&self) -> bool {
        match self {
            Self::Undefined(_) | Self::None => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Str(text) | Self::Markup(text) => !text.is_empty(),
            Self::List(seq) | Self::Tuple(seq) => !seq.is_empty(),
            Self::Dict(dict) => !dict.is_empty(),
            Self::Range(range) => range.len > 0,
            Self::View(view) => !view.dict.is_empty(),
            Self::Loop(state) => state.has_items(),
            _ => true,
        }
    }

    /// Whether `callable(x)` holds.
    pub(super) fn is_callable(&self) -> bool {
        matches!(
            self,
            Self::Undefined(_)
                | Self::Builtin(_)
                | Self::Bound(_)
                | Self::Macro(_)
                | Self::Loop(_)
                | Self::Joiner(_)
        )
    }

    /// Python's `len(x)`.
    pub(super) fn len(&self) -> Result<usize> {
        Ok(match self {
            Self::Undefined(_) => 0,
            Self::Str(text) | Self::Markup(text) => char_count(text),
            Self::List(seq) | Self::Tuple(seq) => seq.items().len(),
            Self::Dict(dict) => dict.len(),
            Self::Range(range) => range.len,
            Self::View(view) => view.dict.len(),
            other => return fail!(Type, "object of type '{}' has no len()", other.type_name()),
        })
    }
}

/// The number of code points, quick for plain ASCII.
pub(super) fn char_count(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().count()
    }
}
