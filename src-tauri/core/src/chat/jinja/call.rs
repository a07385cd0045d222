//! Calls: arguments, macros, the functions every template has, and the objects they give.
//! Methods of values are in `methods`.

use std::sync::Arc;

use super::ast::{Arguments, Call, Expr, Signature};
use super::error::{Error, ErrorKind, Result, fail};
use super::iterate::Iter;
use super::machine::Machine;
use super::methods;
use super::object::{Builtin, Cycler, Joiner, LoopState, MacroValue, Namespace};
use super::undefined::Undefined;
use super::value::{Dict, Range, Value, equal, to_index};

/// The arguments of a call, evaluated.
#[derive(Clone, Default)]
pub struct Args {
    pub positional: Vec<Value>,
    pub named: Vec<(Arc<str>, Value)>,
}

/// A filter, a test or a method body: what it is put on, and its arguments.
pub type Applicable = fn(&mut Machine<'_>, Value, Args) -> Result<Value>;

impl Args {
    /// Sorts the arguments into `N` parameters of the given names. Errors name `function`.
    pub fn bind<const N: usize>(
        self,
        function: &str,
        names: [&str; N],
    ) -> Result<[Option<Value>; N]> {
        let mut bound = [const { None }; N];
        let given = self.positional.len();
        if given > N {
            return fail!(
                Type,
                "{function}() takes at most {N} arguments ({given} given)"
            );
        }
        for (slot, value) in bound.iter_mut().zip(self.positional) {
            *slot = Some(value);
        }
        for (name, value) in self.named {
            let Some(index) = names.iter().position(|own| *own == &*name) else {
                return fail!(
                    Type,
                    "{function}() got an unexpected keyword argument '{name}'"
                );
            };
            if bound[index].is_some() {
                return fail!(
                    Type,
                    "{function}() got multiple values for argument '{name}'"
                );
            }
            bound[index] = Some(value);
        }
        Ok(bound)
    }

    /// For what takes none.
    pub fn none(self, function: &str) -> Result<()> {
        self.bind::<0>(function, []).map(drop)
    }
}

/// An argument that must be there.
pub(super) fn required(value: Option<Value>, function: &str, name: &str) -> Result<Value> {
    value.ok_or_else(|| {
        Error::new(
            ErrorKind::Type,
            format!("{function}() missing 1 required positional argument: '{name}'"),
        )
    })
}

/// An argument that must be an integer.
pub(super) fn integer(value: &Value) -> Result<i64> {
    match (value, to_index(value)) {
        (Value::Undefined(undefined), _) => Err(undefined.error()),
        (_, Some(index)) => Ok(index),
        _ => fail!(
            Type,
            "'{}' object cannot be interpreted as an integer",
            value.type_name()
        ),
    }
}

impl Machine<'_> {
    pub(super) fn arguments(&mut self, own: &Arguments) -> Result<Args> {
        if own.positional.is_empty()
            && own.named.is_empty()
            && own.star.is_none()
            && own.star_star.is_none()
        {
            return Ok(Args::default());
        }
        let mut args = Args {
            positional: self.eval_all(&own.positional)?,
            named: Vec::with_capacity(own.named.len()),
        };
        for (name, value) in &own.named {
            if args.named.iter().any(|(other, _)| other == name) {
                return fail!(Syntax, "keyword argument repeated: {name}");
            }
            let value = self.eval(value)?;
            args.named.push((Arc::clone(name), value));
        }
        if let Some(star) = &own.star {
            let value = self.eval(star)?;
            args.positional.extend(self.collect(&value)?);
        }
        if let Some(star_star) = &own.star_star {
            let value = self.eval(star_star)?;
            let Value::Dict(dict) = &value else {
                return fail!(
                    Type,
                    "argument after ** must be a mapping, not {}",
                    value.type_name()
                );
            };
            for (key, value) in dict.iter() {
                let Value::Str(key) = key else {
                    return fail!(Type, "keywords must be strings");
                };
                if args.named.iter().any(|(other, _)| other == key) {
                    return fail!(Type, "got multiple values for keyword argument '{key}'");
                }
                args.named.push((Arc::clone(key), value.clone()));
            }
        }
        Ok(args)
    }

    /// A call written in the template; `caller` is the body of a call block.
    pub(super) fn call_expr(&mut self, call: &Call, caller: Option<Value>) -> Result<Value> {
        let located = |error: Error| error.at(call.at);
        // A method called right away needs no value of its own.
        if let Expr::Attribute(attribute) = &call.callee {
            let object = self.eval(&attribute.object)?;
            let method = methods::lookup(&object, &attribute.name);
            if let (Some(method), None) = (method, &caller) {
                let args = self.arguments(&call.arguments)?;
                return method(self, object, args).map_err(located);
            }
            let callee = self
                .attribute(&object, &attribute.name)
                .map_err(|error| error.at(attribute.at))?;
            return self
                .call_with(&callee, &call.arguments, caller)
                .map_err(located);
        }
        let callee = self.eval(&call.callee)?;
        self.call_with(&callee, &call.arguments, caller)
            .map_err(located)
    }

    fn call_with(
        &mut self,
        callee: &Value,
        arguments: &Arguments,
        caller: Option<Value>,
    ) -> Result<Value> {
        let mut args = self.arguments(arguments)?;
        if let Some(caller) = caller {
            args.named.push(("caller".into(), caller));
        }
        self.call(callee, args)
    }

    /// Calls a value.
    pub(super) fn call(&mut self, callee: &Value, args: Args) -> Result<Value> {
        self.budget.steps(3)?;
        match callee {
            Value::Macro(own) => self.call_macro(own, args),
            Value::Builtin(own) => self.call_builtin(*own, args),
            Value::Bound(own) => match methods::lookup(&own.receiver, &own.name) {
                Some(method) => method(self, own.receiver.clone(), args),
                None => fail!(Type, "'{}' is no method", own.name),
            },
            Value::Loop(state) => {
                let [iterable] = args.bind("loop", ["iterable"])?;
                self.recurse(state, &required(iterable, "loop", "iterable")?)
            }
            Value::Joiner(own) => {
                args.none("joiner")?;
                Ok(own.call())
            }
            Value::Undefined(undefined) => Err(undefined.error()),
            other => fail!(Type, "'{}' object is not callable", other.type_name()),
        }
    }

    fn recurse(&mut self, state: &Arc<LoopState>, iterable: &Value) -> Result<Value> {
        let (recurse, depth) = {
            let inner = state.lock();
            (inner.recurse.clone(), inner.depth0 + 1)
        };
        let Some((own, home)) = recurse else {
            return fail!(
                Type,
                "The loop must have the 'recursive' marker to be called recursively."
            );
        };
        self.recursive_loop(&own, home, iterable, depth)
            .map(Value::str)
    }

    fn call_macro(&mut self, own: &Arc<MacroValue>, args: Args) -> Result<Value> {
        let signature = Arc::clone(&own.signature);
        self.budget.descend()?;
        let previous = self.activate(signature.function, own.home)?;
        let done = self.run_macro(own, &signature, args);
        self.deactivate(signature.function, previous);
        self.budget.rise();
        done.map(Value::str)
    }

    fn run_macro(&mut self, own: &MacroValue, signature: &Signature, args: Args) -> Result<String> {
        let name = || {
            own.name
                .as_deref()
                .map_or("None".to_owned(), |name| format!("'{name}'"))
        };
        let mut named = args.named;
        let mut positional = args.positional.into_iter();
        let count = signature.parameters.len();
        let mut missing = vec![false; count];
        let mut caller_given = false;
        for (index, parameter) in signature.parameters.iter().enumerate() {
            let value = positional.next().or_else(|| {
                let at = named.iter().position(|(name, _)| *name == parameter.name)?;
                caller_given |= &*parameter.name == "caller";
                Some(named.remove(at).1)
            });
            match value {
                Some(value) => self.set_own(parameter.slot.index, value),
                None => missing[index] = true,
            }
        }
        if let Some(slot) = signature.caller {
            let at = named.iter().position(|(name, _)| &**name == "caller");
            let value = match at.map(|at| named.remove(at).1) {
                Some(Value::None) | None => Value::Undefined(Undefined::hint("No caller defined")),
                Some(caller) => caller,
            };
            self.set_own(slot, value);
        }
        if let Some(slot) = signature.kwargs {
            let pairs = named
                .drain(..)
                .map(|(name, value)| (Value::Str(name), value));
            let value = Value::dict(pairs.collect::<Vec<_>>())?;
            self.set_own(slot, value);
        } else if let Some((first, _)) = named.first() {
            if &**first == "caller" && caller_given {
                return fail!(
                    Type,
                    "macro {} was invoked with two values for the special caller argument. This \
                     is most likely a bug.",
                    name()
                );
            }
            return fail!(Type, "macro {} takes no keyword argument '{first}'", name());
        }
        let rest: Vec<Value> = positional.collect();
        if let Some(slot) = signature.varargs {
            let value = Value::tuple(rest)?;
            self.set_own(slot, value);
        } else if !rest.is_empty() {
            return fail!(
                Type,
                "macro {} takes not more than {count} argument(s)",
                name()
            );
        }
        self.enter(&signature.body.entry);
        let first_default = count - signature.defaults.len();
        for (index, parameter) in signature.parameters.iter().enumerate() {
            if !missing[index] {
                continue;
            }
            let value = match index.checked_sub(first_default) {
                Some(at) => self.eval(&signature.defaults[at])?,
                None => Value::Undefined(Undefined::hint(format!(
                    "parameter '{}' was not provided",
                    parameter.name
                ))),
            };
            self.set_own(parameter.slot.index, value);
        }
        self.capture(|machine| machine.statements(&signature.body.statements).map(drop))
    }

    fn call_builtin(&mut self, own: Builtin, args: Args) -> Result<Value> {
        match own {
            Builtin::Range => range(args),
            Builtin::Dict => self.dict_from(args),
            Builtin::DictFromKeys => {
                let [keys, value] = args.bind("fromkeys", ["iterable", "value"])?;
                let keys = self.collect(&required(keys, "fromkeys", "iterable")?)?;
                let value = value.unwrap_or(Value::None);
                Value::dict(keys.into_iter().map(|key| (key, value.clone())))
            }
            Builtin::Namespace => {
                let Value::Dict(attributes) = self.dict_from(args)? else {
                    return Ok(Value::None);
                };
                let namespace = Arc::new(Namespace::default());
                for (name, value) in attributes.iter() {
                    if let Value::Str(name) = name {
                        namespace.set(name, value.clone())?;
                    }
                }
                self.keep(&namespace);
                Ok(Value::Namespace(namespace))
            }
            Builtin::Cycler => {
                if args.positional.is_empty() {
                    return fail!(Runtime, "at least one item has to be provided");
                }
                Ok(Value::Cycler(Arc::new(Cycler::new(args.positional))))
            }
            Builtin::Joiner => {
                let [separator] = args.bind("joiner", ["sep"])?;
                let separator = separator.unwrap_or_else(|| Value::str(", "));
                Ok(Value::Joiner(Arc::new(Joiner::new(separator))))
            }
            Builtin::RaiseException => {
                let [message] = args.bind("raise_exception", ["message"])?;
                let message = required(message, "raise_exception", "message")?;
                let message = self.text_of(&message)?;
                fail!(Raised, "{message}")
            }
            Builtin::StrftimeNow => {
                let [format] = args.bind("strftime_now", ["format"])?;
                let format = required(format, "strftime_now", "format")?;
                let Some(format) = format.as_str() else {
                    return fail!(
                        Type,
                        "strftime() argument 1 must be str, not {}",
                        format.type_name()
                    );
                };
                let Some(now) = self.now else {
                    return fail!(
                        Unsupported,
                        "the template asks for the time, and none was given"
                    );
                };
                if let Some(trace) = &mut self.trace {
                    trace.asked_time = true;
                }
                self.budget.make(format.len().saturating_mul(8))?;
                Ok(Value::str(now.format(format)))
            }
            Builtin::Lipsum => fail!(
                Unsupported,
                "lipsum() gives random text, which a prompt must not hold"
            ),
        }
    }

    /// Python's `dict(...)`: a mapping or pairs, then named entries.
    fn dict_from(&mut self, args: Args) -> Result<Value> {
        let mut pairs = Vec::new();
        let mut positional = args.positional.into_iter();
        match positional.next() {
            None => {}
            Some(Value::Dict(dict)) => pairs.extend(copied(&dict)),
            Some(Value::Namespace(own)) => {
                if let Value::Dict(dict) = own.to_value()? {
                    pairs.extend(copied(&dict));
                }
            }
            Some(other) => {
                for item in self.collect(&other)? {
                    let pair = self.collect(&item)?;
                    let [key, value] = pair.as_slice() else {
                        return fail!(
                            Value,
                            "dictionary update sequence element has length {}; 2 is required",
                            pair.len()
                        );
                    };
                    pairs.push((key.clone(), value.clone()));
                }
            }
        }
        if positional.next().is_some() {
            return fail!(Type, "dict expected at most 1 argument, got 2");
        }
        pairs.extend(
            args.named
                .into_iter()
                .map(|(name, value)| (Value::Str(name), value)),
        );
        self.budget.make_items(pairs.len() * 2 + 1)?;
        Value::dict(pairs)
    }

    /// `loop.cycle(...)`
    pub(super) fn cycle(state: &LoopState, args: Args) -> Result<Value> {
        let items = args.positional;
        if items.is_empty() {
            return fail!(Type, "no items for cycling given");
        }
        let index = state.lock().taken.saturating_sub(1) % items.len();
        Ok(items[index].clone())
    }

    /// `loop.changed(...)`
    pub(super) fn changed(&mut self, state: &LoopState, args: Args) -> Result<Value> {
        let mut inner = state.lock();
        let same = match &inner.changed {
            Some(last) if last.len() == args.positional.len() => {
                let mut same = true;
                for (old, new) in last.iter().zip(&args.positional) {
                    same &= equal(old, new, &mut self.budget)?;
                }
                same
            }
            _ => false,
        };
        if !same {
            inner.changed = Some(args.positional);
        }
        Ok(Value::Bool(!same))
    }

    /// A property of `loop`; `None` for a name it does not have.
    pub(super) fn loop_property(&mut self, state: &LoopState, name: &str) -> Result<Option<Value>> {
        let mut inner = state.lock();
        let int = |value: usize| Some(Value::Int(value as i64));
        let index0 = inner.taken.saturating_sub(1);
        Ok(match name {
            "index" => int(inner.taken),
            "index0" => int(index0),
            "first" => Some(Value::Bool(index0 == 0)),
            "depth" => int(inner.depth0 + 1),
            "depth0" => int(inner.depth0),
            "last" | "nextitem" => {
                if inner.ahead.is_none() {
                    inner.ahead = self.pull(&mut inner)?;
                }
                match (name, &inner.ahead) {
                    ("last", next) => Some(Value::Bool(next.is_none())),
                    (_, Some(next)) => Some(next.clone()),
                    _ => Some(Value::Undefined(Undefined::hint("there is no next item"))),
                }
            }
            "previtem" => Some(match (&inner.before, index0) {
                (Some(before), 1..) => before.clone(),
                _ => Value::Undefined(Undefined::hint("there is no previous item")),
            }),
            "length" | "revindex" | "revindex0" => {
                let length = match inner.length {
                    Some(length) => length,
                    None => {
                        let mut rest = Vec::new();
                        while let Some(item) = self.pull(&mut inner)? {
                            self.budget.make(32)?;
                            rest.push(item);
                        }
                        let ahead = usize::from(inner.ahead.is_some());
                        let length = inner.taken + ahead + rest.len();
                        inner.iter = Iter::of(&Value::list(rest)?)?;
                        inner.filter = None;
                        inner.length = Some(length);
                        length
                    }
                };
                match name {
                    "length" => int(length),
                    "revindex" => int(length - index0),
                    _ => int(length - inner.taken),
                }
            }
            _ => None,
        })
    }
}

fn copied(dict: &Dict) -> impl Iterator<Item = (Value, Value)> {
    dict.iter().map(|(key, value)| (key.clone(), value.clone()))
}

/// The longest range the sandbox makes.
const MAX_RANGE: u64 = 100_000;

fn range(args: Args) -> Result<Value> {
    if let Some((name, _)) = args.named.first() {
        return fail!(
            Type,
            "safe_range() got an unexpected keyword argument '{name}'"
        );
    }
    let bounds: Vec<i64> = args.positional.iter().map(integer).collect::<Result<_>>()?;
    let (start, stop, step) = match *bounds.as_slice() {
        [stop] => (0, stop, 1),
        [start, stop] => (start, stop, 1),
        [start, stop, step] => (start, stop, step),
        _ => {
            return fail!(
                Type,
                "range expected from 1 to 3 arguments, got {}",
                bounds.len()
            );
        }
    };
    if step == 0 {
        return fail!(Value, "range() arg 3 must not be zero");
    }
    let distance = if step > 0 {
        i128::from(stop) - i128::from(start)
    } else {
        i128::from(start) - i128::from(stop)
    };
    let len = match distance {
        1.. => (distance as u128).div_ceil(u128::from(step.unsigned_abs())),
        _ => 0,
    };
    if len > u128::from(MAX_RANGE) {
        return fail!(
            Arithmetic,
            "Range too big. The sandbox blocks ranges larger than MAX_RANGE ({MAX_RANGE})."
        );
    }
    Ok(Value::Range(Arc::new(Range {
        start,
        stop,
        step,
        len: len as usize,
    })))
}
