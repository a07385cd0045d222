//! `value.name`, `value[key]` and slices, in the order Python and the sandbox look: an attribute
//! before an item for a dot, an item before an attribute for brackets.

use std::sync::Arc;

use promptdeck_python::slice::{self, Indices};

use super::ast::Expr;
use super::error::{Result, fail};
use super::interpreter::Interpreter;
use super::methods;
use super::object::{Bound, Builtin};
use super::trace::SlotAddress;
use super::undefined::Undefined;
use super::value::{Seq, Value, char_count, charge_key, hashable, repr, to_index};

/// Result of a lookup of a Python attribute.
enum Lookup {
    Value(Value),
    Forbidden,
    Nothing,
}

impl Interpreter<'_> {
    /// `object.name`
    pub(super) fn attribute(&mut self, object: &Value, name: &Arc<str>) -> Result<Value> {
        match object {
            Value::Dict(dict) => {
                if let Some(trace) = &mut self.trace {
                    trace.look(dict);
                }
                self.budget.steps(name.len() as u64 / 32)?;
                // Most names are keys; the methods of a mapping are few.
                if !methods::names_attribute(name) {
                    return Ok(match dict.get_str(name) {
                        Some(value) => value.clone(),
                        None => Value::Undefined(Undefined::attribute(object, name)),
                    });
                }
            }
            Value::Undefined(undefined) => return Err(undefined.error()),
            _ => {}
        }
        match self.python_attribute(object, name)? {
            Lookup::Value(value) => return Ok(value),
            Lookup::Forbidden => return Ok(Value::Undefined(Undefined::forbidden(object, name))),
            Lookup::Nothing => {}
        }
        if let Value::Dict(dict) = object
            && let Some(value) = dict.get_str(name)
        {
            return Ok(value.clone());
        }
        Ok(Value::Undefined(Undefined::attribute(object, name)))
    }

    /// `object[key]`
    pub(super) fn item(&mut self, object: &Value, key: &Value) -> Result<Value> {
        let found = match object {
            Value::Undefined(undefined) => return Err(undefined.error()),
            Value::Dict(dict) => {
                if let Some(trace) = &mut self.trace {
                    trace.look(dict);
                }
                charge_key(key, &mut self.budget)?;
                match key {
                    Value::Str(name) => dict.get_str(name).cloned(),
                    key => dict.get(key).cloned(),
                }
            }
            Value::List(seq) | Value::Tuple(seq) => match to_index(key) {
                // Only what is counted from the end depends on where that is.
                Some(index @ 0..) => seq.get(index as usize).cloned(),
                Some(_) => {
                    let items = seq.items();
                    position(key, items.len()).and_then(|at| items.get(at).cloned())
                }
                None => None,
            },
            Value::Str(text) => self.character(text, key)?.map(Value::Str),
            Value::Markup(text) => self.character(text, key)?.map(Value::Markup),
            Value::Range(range) => position(key, range.len)
                .filter(|at| *at < range.len)
                .map(|at| range.get(at)),
            _ => None,
        };
        if let Some(value) = found {
            return Ok(value);
        }
        if let Value::Str(name) | Value::Markup(name) = key {
            match self.python_attribute(object, name)? {
                Lookup::Value(value) => return Ok(value),
                Lookup::Forbidden => {
                    return Ok(Value::Undefined(Undefined::forbidden(object, name)));
                }
                Lookup::Nothing => {}
            }
            return Ok(Value::Undefined(Undefined::attribute(object, name)));
        }
        let mut printed = String::new();
        repr(key, &mut printed, &mut self.budget)?;
        Ok(Value::Undefined(Undefined::element(object, printed)))
    }

    fn character(&mut self, text: &str, key: &Value) -> Result<Option<Arc<str>>> {
        if to_index(key).is_none() {
            return Ok(None);
        }
        self.budget.charge(text.len())?;
        if !text.is_ascii() {
            self.budget.walk(text.len())?;
        }
        let Some(at) = position(key, char_count(text)) else {
            return Ok(None);
        };
        let mut buffer = [0; 4];
        let found = text.chars().nth(at);
        Ok(found.map(|character| Arc::from(&*character.encode_utf8(&mut buffer))))
    }

    /// Python's `getattr` through the sandbox.
    fn python_attribute(&mut self, object: &Value, name: &Arc<str>) -> Result<Lookup> {
        let value = match object {
            Value::Loop(state) => match self.loop_property(state, name)? {
                Some(value) => Some(value),
                None => methods::lookup(object, name).map(|_| bound(object, name)),
            },
            Value::Namespace(namespace) => {
                if let Some(trace) = &mut self.trace {
                    trace.read_slot(&SlotAddress::attribute(namespace, name));
                }
                self.budget.search(namespace.len())?;
                namespace.get(name)
            }
            Value::Cycler(cycler) if &**name == "current" => Some(cycler.current()),
            Value::Cycler(cycler) if &**name == "items" => {
                Some(Value::tuple(cycler.items.clone())?)
            }
            Value::Joiner(joiner) if &**name == "sep" => Some(joiner.separator.clone()),
            Value::Builtin(Builtin::Dict) if &**name == "fromkeys" => {
                Some(Value::Builtin(Builtin::DictFromKeys))
            }
            Value::Macro(macro_value) => match &**name {
                "name" => Some(macro_value.name.clone().map_or(Value::None, Value::Str)),
                "arguments" => {
                    let names = macro_value.signature.parameters.iter();
                    Some(Value::tuple(
                        names.map(|one| Value::Str(Arc::clone(&one.name))).collect(),
                    )?)
                }
                "caller" => Some(Value::Bool(macro_value.signature.caller.is_some())),
                "catch_kwargs" => Some(Value::Bool(macro_value.signature.kwargs.is_some())),
                "catch_varargs" => Some(Value::Bool(macro_value.signature.varargs.is_some())),
                _ => None,
            },
            Value::Tuple(seq) => {
                let fields = seq.fields.unwrap_or_default();
                match fields.iter().position(|field| *field == &**name) {
                    Some(index) => seq.get(index).cloned(),
                    None => methods::lookup(object, name).map(|_| bound(object, name)),
                }
            }
            Value::Int(_) | Value::Big(_) | Value::Bool(_) | Value::Float(_) => {
                match number_attribute(object, name) {
                    Some(value) => Some(value),
                    None => methods::lookup(object, name).map(|_| bound(object, name)),
                }
            }
            _ => methods::lookup(object, name).map(|_| bound(object, name)),
        };
        Ok(match value {
            Some(value) => Lookup::Value(value),
            None if methods::is_forbidden(object, name) => Lookup::Forbidden,
            None => Lookup::Nothing,
        })
    }

    /// `object|attr(name)`: an attribute only, never an item.
    pub(super) fn only_attribute(&mut self, object: &Value, name: &Arc<str>) -> Result<Value> {
        if let Value::Undefined(undefined) = object {
            return Err(undefined.error());
        }
        Ok(match self.python_attribute(object, name)? {
            Lookup::Value(value) => value,
            Lookup::Forbidden => Value::Undefined(Undefined::forbidden(object, name)),
            Lookup::Nothing => Value::Undefined(Undefined::attribute(object, name)),
        })
    }

    pub(super) fn eval_slice(&mut self, expr: &Expr) -> Result<Value> {
        let Expr::Slice(slice) = expr else {
            return Ok(Value::None);
        };
        let object = self.eval(&slice.object)?;
        let mut bound = |part: &Option<Expr>| -> Result<Option<i64>> {
            match part {
                None => Ok(None),
                Some(expr) => match self.eval(expr)? {
                    Value::None => Ok(None),
                    value => match to_index(&value) {
                        Some(index) => Ok(Some(index)),
                        None => fail!(
                            Type,
                            "slice indices must be integers or None or have an __index__ method"
                        ),
                    },
                },
            }
        };
        let located = |error: super::error::Error| error.at(slice.at);
        let start = bound(&slice.start).map_err(located)?;
        let stop = bound(&slice.stop).map_err(located)?;
        let step = bound(&slice.step).map_err(located)?;
        self.slice(&object, start, stop, step).map_err(located)
    }

    pub(super) fn slice(
        &mut self,
        object: &Value,
        start: Option<i64>,
        stop: Option<i64>,
        step: Option<i64>,
    ) -> Result<Value> {
        let step = step.unwrap_or(1);
        if step == 0 {
            return fail!(Value, "slice step cannot be zero");
        }
        match object {
            Value::Undefined(undefined) => Err(undefined.error()),
            Value::List(seq) if seq.watched_from().is_some() && is_tail(seq, start, stop, step) => {
                let from = start.unwrap_or(0) as usize;
                self.budget.make_items(seq.len_for_now() - from)?;
                Ok(match seq.tail(from) {
                    Some(tail) => Value::List(Arc::new(tail)),
                    None => object.clone(),
                })
            }
            Value::List(seq) | Value::Tuple(seq) => {
                let all = seq.items();
                let picked = Indices::new(all.len(), start, stop, step);
                self.budget.make_items(picked.len())?;
                let items = picked.map(|at| all[at].clone()).collect();
                match object {
                    Value::Tuple(_) => Value::tuple(items),
                    _ => Value::list(items),
                }
            }
            Value::Str(text) | Value::Markup(text) => {
                self.budget.make(text.len())?;
                if !text.is_ascii() {
                    self.budget.walk(text.len() * 2)?;
                    // Taken apart into characters of four bytes when steps are taken.
                    self.budget.make(match step {
                        1 => 0,
                        _ => text.len() * 4,
                    })?;
                }
                let cut: Arc<str> = cut(text, start, stop, step).into();
                Ok(match object {
                    Value::Markup(_) => Value::Markup(cut),
                    _ => Value::Str(cut),
                })
            }
            Value::Range(range) => {
                let picked = Indices::new(range.len, start, stop, step);
                let at = |index: i64| range.start.wrapping_add(range.step.wrapping_mul(index));
                Ok(Value::Range(Arc::new(super::value::Range {
                    start: at(picked.first()),
                    stop: at(picked.stop()),
                    step: range.step.saturating_mul(step),
                    len: picked.len(),
                })))
            }
            Value::Dict(_) => {
                hashable(&Value::None)?;
                fail!(Type, "unhashable type: 'slice'")
            }
            other => fail!(Type, "'{}' object is not subscriptable", other.type_name()),
        }
    }
}

fn bound(object: &Value, name: &Arc<str>) -> Value {
    Value::Bound(Arc::new(Bound {
        receiver: object.clone(),
        name: Arc::clone(name),
    }))
}

fn number_attribute(object: &Value, name: &str) -> Option<Value> {
    let value = match (name, object) {
        ("real", Value::Bool(flag)) => Value::Int(i64::from(*flag)),
        ("real", other) => other.clone(),
        ("imag", Value::Float(_)) => Value::Float(0.0),
        ("imag", _) => Value::Int(0),
        ("numerator", Value::Int(_) | Value::Big(_)) => object.clone(),
        ("denominator", Value::Int(_) | Value::Big(_) | Value::Bool(_)) => Value::Int(1),
        _ => return None,
    };
    Some(value)
}

/// A key as a position in something of `len` items; negative counts from the end.
fn position(key: &Value, len: usize) -> Option<usize> {
    slice::position(to_index(key)?, len)
}

/// Whether a slice takes everything from an item on, however much more there might be.
fn is_tail(seq: &Seq, start: Option<i64>, stop: Option<i64>, step: i64) -> bool {
    let from = usize::try_from(start.unwrap_or(0));
    stop.is_none() && step == 1 && from.is_ok_and(|from| from <= seq.len_for_now())
}

/// A slice of a text, by characters.
fn cut(text: &str, start: Option<i64>, stop: Option<i64>, step: i64) -> String {
    let picked = Indices::new(char_count(text), start, stop, step);
    if step == 1 {
        let first = picked.first() as usize;
        if text.is_ascii() {
            return text[first..first + picked.len()].to_owned();
        }
        return text.chars().skip(first).take(picked.len()).collect();
    }
    if text.is_ascii() {
        let bytes = text.as_bytes();
        return picked.map(|at| char::from(bytes[at])).collect();
    }
    let characters: Vec<char> = text.chars().collect();
    picked.map(|at| characters[at]).collect()
}
