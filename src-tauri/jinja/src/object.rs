//! The engine's own objects a template can hold: functions, methods, macros, `loop`, cyclers
//! and joiners. `call` calls them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::ast::{For, Signature};
use super::iterate::Iter;
use super::value::Value;

/// A function every template has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    /// `range`
    Range,
    /// `dict`, which is an object of transformers
    Dict,
    /// `dict.fromkeys`
    DictFromKeys,
    /// `lipsum`
    Lipsum,
    /// `cycler`
    Cycler,
    /// `joiner`
    Joiner,
    /// `namespace`
    Namespace,
    /// `raise_exception`
    RaiseException,
    /// `strftime_now`
    StrftimeNow,
}

impl Builtin {
    /// All of them under the names templates use.
    pub(super) const NAMED: [(&'static str, Self); 8] = [
        ("range", Self::Range),
        ("dict", Self::Dict),
        ("lipsum", Self::Lipsum),
        ("cycler", Self::Cycler),
        ("joiner", Self::Joiner),
        ("namespace", Self::Namespace),
        ("raise_exception", Self::RaiseException),
        ("strftime_now", Self::StrftimeNow),
    ];

    pub(super) fn named(name: &str) -> Option<Value> {
        let mut all = Self::NAMED.iter();
        let (_, builtin) = all.find(|(builtin_name, _)| *builtin_name == name)?;
        Some(Value::Builtin(*builtin))
    }

    pub(super) fn type_name(self) -> &'static str {
        match self {
            Self::Dict => "TemplateDict",
            Self::Cycler | Self::Joiner | Self::Namespace => "type",
            _ => "function",
        }
    }

    /// What printing it gives, without the memory address Python adds.
    pub(super) fn printed(self) -> &'static str {
        match self {
            Self::Range => "<function safe_range>",
            Self::Dict => "<TemplateDict object>",
            Self::DictFromKeys => "<bound method TemplateDict.fromkeys>",
            Self::Lipsum => "<function generate_lorem_ipsum>",
            Self::Cycler => "<class 'jinja2.utils.Cycler'>",
            Self::Joiner => "<class 'jinja2.utils.Joiner'>",
            Self::Namespace => "<class 'TemplateNamespace'>",
            Self::RaiseException => "<function raise_exception>",
            Self::StrftimeNow => "<function strftime_now>",
        }
    }
}

/// A method taken from a value without calling it yet.
pub struct Bound {
    pub(super) receiver: Value,
    pub(super) name: Arc<str>,
}

/// A macro, or the body of a call block: a function of the program and where it was defined.
pub struct MacroValue {
    /// `None` for a caller.
    pub(super) name: Option<Arc<str>>,
    pub(super) signature: Arc<Signature>,
    /// The activation it closes over.
    pub(super) home: usize,
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Values are only shared within one rendering, which is one thread.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What `cycler(...)` gives.
pub struct Cycler {
    pub(super) items: Vec<Value>,
    at: Mutex<usize>,
}

impl Cycler {
    pub(super) fn new(items: Vec<Value>) -> Self {
        items.iter().for_each(Value::settle);
        Self {
            items,
            at: Mutex::new(0),
        }
    }

    /// The current item; there is always at least one.
    pub(super) fn current(&self) -> Value {
        self.items[*locked(&self.at)].clone()
    }

    /// Gives the current item and moves on.
    pub(super) fn next(&self) -> Value {
        let mut at = locked(&self.at);
        let item = self.items[*at].clone();
        *at = (*at + 1) % self.items.len();
        item
    }

    /// Back to the first.
    pub(super) fn reset(&self) {
        *locked(&self.at) = 0;
    }
}

/// What `joiner(...)` gives: nothing the first time, the separator after that.
pub struct Joiner {
    pub(super) separator: Value,
    used: Mutex<bool>,
}

impl Joiner {
    pub(super) fn new(separator: Value) -> Self {
        separator.settle();
        Self {
            separator,
            used: Mutex::new(false),
        }
    }

    /// The separator, from the second call on.
    pub(super) fn call(&self) -> Value {
        let mut used = locked(&self.used);
        if std::mem::replace(&mut *used, true) {
            self.separator.clone()
        } else {
            Value::str("")
        }
    }
}

/// The state of one `for` that looks at its `loop`.
pub struct LoopState(Mutex<LoopInner>);

pub(super) struct LoopInner {
    /// The rest of the items.
    pub iter: Iter,
    /// The number of all items, once known.
    pub length: Option<usize>,
    /// How many items were given out.
    pub taken: usize,
    /// The item after the current one, when it was looked at already.
    pub ahead: Option<Value>,
    pub current: Option<Value>,
    pub before: Option<Value>,
    /// The arguments of the last `loop.changed`.
    pub changed: Option<Vec<Value>>,
    /// How many recursive loops this one is inside of.
    pub depth0: usize,
    /// A recursive loop and the activation it was written in.
    pub recurse: Option<(Arc<For>, usize)>,
    /// A loop with a condition, and the activation the condition is evaluated in.
    pub filter: Option<(Arc<For>, usize)>,
}

impl LoopState {
    pub(super) fn new(
        iter: Iter,
        length: Option<usize>,
        depth0: usize,
        recurse: Option<(Arc<For>, usize)>,
        filter: Option<(Arc<For>, usize)>,
    ) -> Self {
        Self(Mutex::new(LoopInner {
            iter,
            length,
            taken: 0,
            ahead: None,
            current: None,
            before: None,
            changed: None,
            depth0,
            recurse,
            filter,
        }))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, LoopInner> {
        locked(&self.0)
    }

    /// Whether the loop has turns. It has, once one was taken; what else is known is its length.
    pub(super) fn has_items(&self) -> bool {
        let inner = self.lock();
        inner.taken > 0 || inner.length != Some(0)
    }

    pub(super) fn printed(&self) -> String {
        let inner = self.lock();
        match inner.length {
            Some(length) => format!("<LoopContext {}/{length}>", inner.taken),
            None => format!("<LoopContext {}/?>", inner.taken),
        }
    }
}
