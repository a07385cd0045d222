//! Calls: arguments, and macros. The functions every template has are in `builtins`, methods of
//! values in `methods`.

use std::sync::Arc;

use super::ast::{Arguments, Call, Expr, Signature};
use super::error::{Error, ErrorKind, Result, fail};
use super::interpreter::Interpreter;
use super::methods;
use super::object::MacroValue;
use super::undefined::Undefined;
use super::value::{Value, to_index};

/// The arguments of a call, evaluated.
#[derive(Clone, Default)]
pub struct Args {
    pub positional: Vec<Value>,
    pub named: Vec<(Arc<str>, Value)>,
}

/// A filter, a test or a method body: what it is put on, and its arguments.
pub type Applicable = fn(&mut Interpreter<'_>, Value, Args) -> Result<Value>;

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
            let Some(index) = names.iter().position(|parameter| *parameter == &*name) else {
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

impl Interpreter<'_> {
    pub(super) fn arguments(&mut self, call_arguments: &Arguments) -> Result<Args> {
        if call_arguments.is_empty() {
            return Ok(Args::default());
        }
        let mut args = Args {
            positional: self.eval_all(&call_arguments.positional)?,
            named: Vec::with_capacity(call_arguments.named.len()),
        };
        for (name, value) in &call_arguments.named {
            self.budget.search(args.named.len())?;
            if args.named.iter().any(|(other, _)| other == name) {
                return fail!(Syntax, "keyword argument repeated: {name}");
            }
            let value = self.eval(value)?;
            args.named.push((Arc::clone(name), value));
        }
        if let Some(star) = &call_arguments.star {
            let value = self.eval(star)?;
            args.positional.extend(self.collect(&value)?);
        }
        if let Some(star_star) = &call_arguments.star_star {
            let value = self.eval(star_star)?;
            let Value::Dict(dict) = &value else {
                return fail!(
                    Type,
                    "argument after ** must be a mapping, not {}",
                    value.type_name()
                );
            };
            for (key, value) in dict.iter() {
                self.budget.search(args.named.len())?;
                self.budget.step()?;
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
        // A method called right away needs no separate value.
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
            Value::Macro(macro_value) => self.call_macro(macro_value, args),
            Value::Builtin(builtin) => self.call_builtin(*builtin, args),
            Value::Bound(bound_method) => {
                match methods::lookup(&bound_method.receiver, &bound_method.name) {
                    Some(method) => method(self, bound_method.receiver.clone(), args),
                    None => fail!(Type, "'{}' is not a method", bound_method.name),
                }
            }
            Value::Loop(state) => {
                let [iterable] = args.bind("loop", ["iterable"])?;
                self.recurse(state, &required(iterable, "loop", "iterable")?)
            }
            Value::Joiner(joiner) => {
                args.none("joiner")?;
                Ok(joiner.call())
            }
            Value::Undefined(undefined) => Err(undefined.error()),
            other => fail!(Type, "'{}' object is not callable", other.type_name()),
        }
    }

    fn call_macro(&mut self, macro_value: &Arc<MacroValue>, args: Args) -> Result<Value> {
        let signature = Arc::clone(&macro_value.signature);
        self.budget.descend()?;
        let previous = self.activate(signature.function, macro_value.home)?;
        let done = self.run_macro(macro_value, &signature, args);
        self.deactivate(signature.function, previous);
        self.budget.rise();
        done.map(Value::str)
    }

    fn run_macro(
        &mut self,
        macro_value: &MacroValue,
        signature: &Signature,
        args: Args,
    ) -> Result<String> {
        let name = || {
            macro_value
                .name
                .as_deref()
                .map_or("None".to_owned(), |name| format!("'{name}'"))
        };
        let mut named = args.named;
        let mut positional = args.positional.into_iter();
        let count = signature.parameters.len();
        self.budget
            .search(count.saturating_mul(named.len()).saturating_add(count * 8))?;
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
            self.budget.make_entries(named.len())?;
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
        self.enter(&signature.body.entry)?;
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
        self.capture(|interpreter| interpreter.statements(&signature.body.statements).map(drop))
    }
}
