//! Iteration: Python's `iter` of a value, and the one-shot generators of `map`, `select` and similar
//! filters. Items are computed lazily.

use std::sync::{Arc, Mutex};

use super::call::{Applicable, Args};
use super::error::{Result, fail};
use super::interpreter::Interpreter;
use super::value::{Dict, MAX_DEPTH, Range, Seq, Value, View};

/// A position in something that can be gone through.
#[derive(Clone)]
pub enum Iter {
    Empty,
    Seq(Arc<Seq>, usize),
    /// From the end: the index after the next item.
    Reversed(Arc<Seq>, usize),
    /// Byte offset of the next character, and whether the text is marked safe.
    Chars(Arc<str>, usize, bool),
    Keys(Arc<Dict>, usize),
    View(Arc<View>, usize),
    Range(Arc<Range>, usize),
    Generator(Arc<Generator>),
}

/// What is done with each item of a generator's source.
pub(super) enum Work {
    /// Nothing: the items were there from the start.
    Give,
    /// `map('name', ...)`
    Filter(Applicable, Args),
    /// `map(attribute=...)`, with the default for undefined values.
    Attribute(Vec<Value>, Option<Value>),
    /// `select` and similar filters: the attribute to look at, the test, and which outcome is kept.
    Select {
        attribute: Vec<Value>,
        test: Option<(Applicable, Args)>,
        keep: bool,
    },
}

/// A generator: gives each item once.
pub struct Generator {
    /// The name Python prints.
    name: &'static str,
    depth: u16,
    state: Mutex<(Iter, Work)>,
}

impl Generator {
    pub(super) fn make(name: &'static str, source: Iter, work: Work) -> Result<Value> {
        if let Iter::Seq(seq, _) = &source {
            seq.settle();
        }
        let depth = source.depth() + 1;
        if depth > MAX_DEPTH {
            return fail!(
                Limit,
                "the template nests values more than {MAX_DEPTH} deep"
            );
        }
        Ok(Value::Generator(Arc::new(Self {
            name,
            depth,
            state: Mutex::new((source, work)),
        })))
    }

    /// A generator over items that are there already.
    pub(super) fn over(name: &'static str, items: Vec<Value>) -> Result<Value> {
        let Value::List(seq) = Value::list(items)? else {
            return Ok(Value::None);
        };
        Self::make(name, Iter::Seq(seq, 0), Work::Give)
    }

    pub(super) fn depth(&self) -> u16 {
        self.depth
    }

    pub(super) fn type_name(&self) -> &'static str {
        match self.name {
            "list_reverseiterator" => self.name,
            _ => "generator",
        }
    }

    /// What printing gives, without the memory address Python adds.
    pub(super) fn printed(&self) -> &'static str {
        match self.name {
            "list_reverseiterator" => "<list_reverseiterator object>",
            "do_items" => "<generator object do_items>",
            "sync_do_map" => "<generator object sync_do_map>",
            "select_or_reject" => "<generator object select_or_reject>",
            "do_batch" => "<generator object do_batch>",
            "sync_do_slice" => "<generator object sync_do_slice>",
            "sync_do_unique" => "<generator object sync_do_unique>",
            _ => "<generator object>",
        }
    }

    fn next(&self, interpreter: &mut Interpreter<'_>) -> Result<Option<Value>> {
        let Ok(mut state) = self.state.try_lock() else {
            return fail!(Value, "generator already executing");
        };
        let (source, work) = &mut *state;
        let next = Self::advance(source, work, interpreter);
        if next.is_err() {
            *source = Iter::Empty;
        }
        next
    }

    fn advance(
        source: &mut Iter,
        work: &Work,
        interpreter: &mut Interpreter<'_>,
    ) -> Result<Option<Value>> {
        while let Some(item) = source.next(interpreter)? {
            match work {
                Work::Give => return Ok(Some(item)),
                Work::Filter(function, args) => {
                    interpreter
                        .budget
                        .make_items(args.positional.len() + args.named.len() * 2)?;
                    return function(interpreter, item, args.clone()).map(Some);
                }
                Work::Attribute(parts, default) => {
                    return interpreter.path(item, parts, default.as_ref()).map(Some);
                }
                Work::Select {
                    attribute,
                    test,
                    keep,
                } => {
                    let looked_at = interpreter.path(item.clone(), attribute, None)?;
                    let outcome = match test {
                        Some((function, args)) => {
                            let count = args.positional.len() + args.named.len() * 2;
                            interpreter.budget.make_items(count)?;
                            function(interpreter, looked_at, args.clone())?
                        }
                        None => looked_at,
                    };
                    if outcome.truth() == *keep {
                        return Ok(Some(item));
                    }
                }
            }
        }
        Ok(None)
    }
}

impl Iter {
    /// What `iter(value)` gives; an error for what cannot be gone through.
    pub(super) fn of(value: &Value) -> Result<Self> {
        Ok(match value {
            Value::Undefined(_) => Self::Empty,
            Value::List(seq) | Value::Tuple(seq) => Self::Seq(Arc::clone(seq), 0),
            Value::Str(text) => Self::Chars(Arc::clone(text), 0, false),
            Value::Markup(text) => Self::Chars(Arc::clone(text), 0, true),
            Value::Dict(dict) => Self::Keys(Arc::clone(dict), 0),
            Value::View(view) => Self::View(Arc::clone(view), 0),
            Value::Range(range) => Self::Range(Arc::clone(range), 0),
            Value::Generator(generator) => Self::Generator(Arc::clone(generator)),
            other => return fail!(Type, "'{}' object is not iterable", other.type_name()),
        })
    }

    fn depth(&self) -> u16 {
        match self {
            Self::Seq(seq, _) | Self::Reversed(seq, _) => Value::List(Arc::clone(seq)).depth(),
            Self::Keys(dict, _) => Value::Dict(Arc::clone(dict)).depth(),
            Self::View(view, _) => Value::View(Arc::clone(view)).depth(),
            Self::Generator(generator) => generator.depth(),
            Self::Empty | Self::Chars(..) | Self::Range(..) => 0,
        }
    }

    /// How many items are left, if that is known without iterating over them.
    pub(super) fn known_len(&self) -> Option<usize> {
        match self {
            Self::Empty => Some(0),
            Self::Seq(seq, _) if seq.watched_from().is_some() => None,
            Self::Seq(seq, at) => Some(seq.items().len() - at),
            Self::Reversed(_, at) => Some(*at),
            Self::Chars(text, at, _) => Some(text[*at..].chars().count()),
            Self::Keys(dict, at) => Some(dict.len() - at),
            Self::View(view, at) => Some(view.dict.len() - at),
            Self::Range(range, at) => Some(range.len - at),
            Self::Generator(_) => None,
        }
    }

    /// The next item.
    pub(super) fn next(&mut self, interpreter: &mut Interpreter<'_>) -> Result<Option<Value>> {
        interpreter.budget.step()?;
        Ok(match self {
            Self::Empty => None,
            Self::Seq(seq, at) => {
                let item = seq.get(*at).cloned();
                *at += usize::from(item.is_some());
                item
            }
            Self::Reversed(seq, at) => match at.checked_sub(1) {
                Some(index) => {
                    *at = index;
                    seq.get(index).cloned()
                }
                None => None,
            },
            Self::Chars(text, at, marked) => {
                let Some(character) = text[*at..].chars().next() else {
                    return Ok(None);
                };
                interpreter.budget.make(32)?;
                let mut buffer = [0; 4];
                let one: Arc<str> = Arc::from(&*character.encode_utf8(&mut buffer));
                *at += character.len_utf8();
                Some(if *marked {
                    Value::Markup(one)
                } else {
                    Value::Str(one)
                })
            }
            Self::Keys(dict, at) => {
                let item = (*at < dict.len()).then(|| dict.entry(*at).0.clone());
                *at += usize::from(item.is_some());
                item
            }
            Self::View(view, at) => {
                interpreter.budget.make(128)?;
                let item = (*at < view.dict.len()).then(|| view.get(*at));
                *at += usize::from(item.is_some());
                item
            }
            Self::Range(range, at) => {
                let item = (*at < range.len).then(|| range.get(*at));
                *at += usize::from(item.is_some());
                item
            }
            Self::Generator(generator) => {
                interpreter.budget.descend()?;
                let next = generator.next(interpreter);
                interpreter.budget.rise();
                next?
            }
        })
    }
}

impl Interpreter<'_> {
    /// All items of a value: Python's `list(value)`.
    pub(super) fn collect(&mut self, value: &Value) -> Result<Vec<Value>> {
        if let Value::List(seq) | Value::Tuple(seq) = value {
            let items = seq.items();
            self.budget.make_items(items.len())?;
            return Ok(items.to_vec());
        }
        let mut iter = Iter::of(value)?;
        let mut items = Vec::new();
        while let Some(item) = iter.next(self)? {
            self.budget.make(32)?;
            items.push(item);
        }
        Ok(items)
    }
}
