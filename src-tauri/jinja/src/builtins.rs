//! The functions of every template: `range`, `dict`, `namespace` and others.

use std::sync::Arc;

use super::call::{Args, integer, required};
use super::error::{Result, fail};
use super::interpreter::Interpreter;
use super::namespace::Namespace;
use super::object::{Builtin, Cycler, Joiner};
use super::value::{Dict, Range, Value, charge_key};

impl Interpreter<'_> {
    pub(super) fn call_builtin(&mut self, builtin: Builtin, args: Args) -> Result<Value> {
        match builtin {
            Builtin::Range => range(args),
            Builtin::Dict => self.dict_from(args),
            Builtin::DictFromKeys => {
                let [keys, value] = args.bind("fromkeys", ["iterable", "value"])?;
                let keys = self.collect(&required(keys, "fromkeys", "iterable")?)?;
                let value = value.unwrap_or(Value::None);
                self.budget.make_entries(keys.len())?;
                for key in &keys {
                    charge_key(key, &mut self.budget)?;
                }
                Value::dict(keys.into_iter().map(|key| (key, value.clone())))
            }
            Builtin::Namespace => {
                let Value::Dict(attributes) = self.dict_from(args)? else {
                    return Ok(Value::None);
                };
                // The namespace, and the room it grows into.
                self.budget.make(256)?;
                self.budget
                    .search(attributes.len().saturating_mul(attributes.len()))?;
                let namespace = Arc::new(Namespace::default());
                for (name, value) in attributes.iter() {
                    if let Value::Str(name) = name {
                        namespace.set(name, value.clone())?;
                    }
                }
                self.register_namespace(&namespace);
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
                self.asked_time = true;
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
            Some(Value::Dict(dict)) => {
                self.budget.make_items(dict.len() * 2)?;
                pairs.extend(copied(&dict));
            }
            Some(Value::Namespace(namespace)) => {
                if let Value::Dict(dict) = namespace.to_value()? {
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
        self.budget.make_entries(pairs.len())?;
        for (key, _) in &pairs {
            charge_key(key, &mut self.budget)?;
        }
        Value::dict(pairs)
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
