//! Runs the statements of a compiled template. Expressions, calls and attributes are in files of
//! their own; this one holds the state they share.

use std::collections::HashMap;
use std::sync::Arc;

use super::ast::{
    Body, CallBlock, Entry, Expr, For, Load, Name, SetBlock, Slot, Statement, Target,
};
use super::error::{Result, fail};
use super::iterate::Iter;
use super::limits::Budget;
use super::object::{LoopInner, LoopState, MacroValue, Namespace};
use super::scope::Function;
use super::time::Moment;
use super::trace::Trace;
use super::undefined::Undefined;
use super::value::{Operator, Value, text};

/// The variables of one call of a function.
struct Activation {
    slots: Vec<Value>,
    /// The activation of the function it is written in.
    parent: usize,
}

/// How a list of statements ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
}

/// One rendering.
pub(super) struct Machine<'p> {
    pub variables: &'p HashMap<Arc<str>, Value>,
    pub budget: Budget,
    pub now: Option<Moment>,
    pub out: String,
    pub trace: Option<Trace>,
    functions: &'p [Function],
    activations: Vec<Activation>,
    pub current: usize,
    /// Names set by the template itself at the top, for its blocks.
    exported: Option<HashMap<Arc<str>, Value>>,
    namespaces: Vec<Arc<Namespace>>,
    /// Captures around the current output; spans are noted outside of all of them.
    captures: usize,
}

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        for namespace in &self.namespaces {
            namespace.clear();
        }
    }
}

impl<'p> Machine<'p> {
    pub fn new(
        functions: &'p [Function],
        has_blocks: bool,
        variables: &'p HashMap<Arc<str>, Value>,
        budget: Budget,
        now: Option<Moment>,
        trace: Option<Trace>,
    ) -> Self {
        Self {
            variables,
            budget,
            now,
            out: String::new(),
            trace,
            functions,
            activations: Vec::new(),
            current: 0,
            exported: has_blocks.then(HashMap::new),
            namespaces: Vec::new(),
            captures: 0,
        }
    }

    /// Runs the whole template.
    pub fn run(&mut self, entry: &Entry, statements: &[Statement]) -> Result<()> {
        self.activate(0, 0)?;
        self.enter(entry);
        self.statements(statements)?;
        Ok(())
    }

    /// A new activation of a function, made current; gives the one that was.
    pub(super) fn activate(&mut self, function: usize, parent: usize) -> Result<usize> {
        let slots = usize::from(self.functions[function].slots);
        self.budget.make(64 + slots * 32)?;
        self.activations.push(Activation {
            slots: vec![Value::None; slots],
            parent,
        });
        Ok(std::mem::replace(
            &mut self.current,
            self.activations.len() - 1,
        ))
    }

    /// Ends the current activation; what something may still close over is kept.
    pub(super) fn deactivate(&mut self, function: usize, previous: usize) {
        let own = std::mem::replace(&mut self.current, previous);
        if self.functions[function].captured {
            return;
        }
        if own + 1 == self.activations.len() {
            self.activations.pop();
        } else {
            self.activations[own].slots = Vec::new();
        }
    }

    fn activation(&self, hops: u16) -> usize {
        let mut at = self.current;
        for _ in 0..hops {
            at = self.activations[at].parent;
        }
        at
    }

    #[inline]
    pub(super) fn get(&self, slot: Slot) -> &Value {
        let at = if slot.hops == 0 {
            self.current
        } else {
            self.activation(slot.hops)
        };
        &self.activations[at].slots[usize::from(slot.index)]
    }

    #[inline]
    pub(super) fn set(&mut self, slot: Slot, value: Value) {
        let at = if slot.hops == 0 {
            self.current
        } else {
            self.activation(slot.hops)
        };
        self.activations[at].slots[usize::from(slot.index)] = value;
    }

    pub(super) fn set_own(&mut self, index: u16, value: Value) {
        self.activations[self.current].slots[usize::from(index)] = value;
    }

    /// A variable of the rendering, a builtin, or undefined.
    fn resolve(&self, name: &Arc<str>) -> Value {
        let exported = self.exported.as_ref().and_then(|all| all.get(name));
        if let Some(value) = exported.or_else(|| self.variables.get(name)) {
            return value.clone();
        }
        super::object::Builtin::named(name)
            .unwrap_or_else(|| Value::Undefined(Undefined::name(name)))
    }

    /// Gives the slots of a frame their first values.
    pub(super) fn enter(&mut self, entry: &Entry) {
        for (index, load) in entry {
            let value = match load {
                Load::Resolve(name) => self.resolve(name),
                Load::Alias(slot) => self.get(*slot).clone(),
                Load::Undefined(name) => Value::Undefined(Undefined::name(name)),
            };
            self.set_own(*index, value);
        }
    }

    pub(super) fn keep(&mut self, namespace: &Arc<Namespace>) {
        self.namespaces.push(Arc::clone(namespace));
    }

    /// Runs `work` with an output of its own and gives what was written.
    pub(super) fn capture(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<String> {
        let outer = std::mem::take(&mut self.out);
        self.captures += 1;
        let done = work(self);
        self.captures -= 1;
        let own = std::mem::replace(&mut self.out, outer);
        done.map(|()| own)
    }

    pub(super) fn statements(&mut self, statements: &[Statement]) -> Result<Flow> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow> {
        self.budget.step()?;
        match statement {
            Statement::Text(text, at) => {
                self.budget.make(text.len())?;
                let begin = self.out.len();
                self.out.push_str(text);
                self.note(begin, *at);
            }
            Statement::Print(expr, at) => {
                let begin = self.out.len();
                self.touched();
                self.print(expr)?;
                self.note(begin, *at);
            }
            Statement::If(branches, otherwise) => {
                for (test, body) in branches {
                    if self.condition(test)? {
                        return self.nested(body);
                    }
                }
                return self.nested(otherwise);
            }
            Statement::For(own) => self.for_statement(own)?,
            Statement::Set(target, value, at) => {
                self.check_namespaces(target)?;
                let value = self.eval(value)?;
                self.assign(target, value).map_err(|error| error.at(*at))?;
            }
            Statement::SetBlock(own) => self.set_block(own)?,
            Statement::Macro(own) => {
                let value = Value::Macro(Arc::new(MacroValue {
                    name: Some(Arc::clone(&own.name.name)),
                    signature: Arc::clone(&own.signature),
                    home: self.current,
                }));
                self.store(&own.name, value);
            }
            Statement::CallBlock(own) => self.call_statement(own)?,
            Statement::FilterBlock(filter, body) => {
                self.enter(&body.entry);
                let captured = self.captured_body(body)?;
                let begin = self.out.len();
                let value = self.filter_chain(filter, captured)?;
                text(&value, &mut self.out, &mut self.budget)?;
                self.note(begin, filter.at);
            }
            Statement::With(own) => {
                let values: Vec<Value> = own
                    .values
                    .iter()
                    .map(|value| self.eval(value))
                    .collect::<Result<_>>()?;
                self.enter(&own.body.entry);
                for (target, value) in own.targets.iter().zip(values) {
                    self.assign(target, value)?;
                }
                return self.nested(&own.body.statements);
            }
            Statement::Generation(body) => {
                self.enter(&body.entry);
                let begin = self.out.len();
                let flow = self.nested(&body.statements)?;
                let end = self.out.len();
                if let (0, Some(trace)) = (self.captures, &mut self.trace) {
                    trace.generations.push((begin, end));
                }
                return Ok(flow);
            }
            Statement::Block(own) => {
                let home = self.current;
                let previous = self.activate(own.function, home)?;
                self.enter(&own.body.entry);
                let done = self.nested(&own.body.statements);
                self.deactivate(own.function, previous);
                done?;
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Unsupported(message, at) => {
                return fail!(Unsupported, "{message}").map_err(|error| error.at(*at));
            }
        }
        Ok(Flow::Next)
    }

    fn nested(&mut self, statements: &[Statement]) -> Result<Flow> {
        self.budget.descend()?;
        let flow = self.statements(statements)?;
        self.budget.rise();
        Ok(flow)
    }

    fn captured_body(&mut self, body: &Body) -> Result<String> {
        self.capture(|machine| machine.nested(&body.statements).map(drop))
    }

    fn set_block(&mut self, own: &SetBlock) -> Result<()> {
        self.check_namespaces(&own.target)?;
        self.enter(&own.body.entry);
        let captured = self.captured_body(&own.body)?;
        let value = match &own.filter {
            Some(Expr::Filter(filter)) => self.filter_chain(filter, captured)?,
            _ => Value::str(captured),
        };
        self.assign(&own.target, value)
            .map_err(|error| error.at(own.at))
    }

    fn call_statement(&mut self, own: &CallBlock) -> Result<()> {
        let caller = Value::Macro(Arc::new(MacroValue {
            name: None,
            signature: Arc::clone(&own.signature),
            home: self.current,
        }));
        let begin = self.out.len();
        let Expr::Call(call) = &own.call else {
            return Ok(());
        };
        let value = self.call_expr(call, Some(caller))?;
        text(&value, &mut self.out, &mut self.budget)?;
        self.note(begin, own.at);
        Ok(())
    }

    fn for_statement(&mut self, own: &Arc<For>) -> Result<()> {
        let iterable = self.eval(&own.iterable)?;
        let home = self.current;
        if own.recursive {
            let written = self.recursive_loop(own, home, &iterable, 0)?;
            self.out.push_str(&written);
            return Ok(());
        }
        self.run_loop(own, &iterable, 0, None)
    }

    /// A turn of a recursive loop: a function of its own that gives what it wrote.
    pub(super) fn recursive_loop(
        &mut self,
        own: &Arc<For>,
        home: usize,
        iterable: &Value,
        depth0: usize,
    ) -> Result<String> {
        self.budget.descend()?;
        let previous = self.activate(own.function, home)?;
        let recurse = Some((Arc::clone(own), home));
        let written = self.capture(|machine| machine.run_loop(own, iterable, depth0, recurse));
        self.deactivate(own.function, previous);
        self.budget.rise();
        written
    }

    fn run_loop(
        &mut self,
        own: &Arc<For>,
        iterable: &Value,
        depth0: usize,
        recurse: Option<(Arc<For>, usize)>,
    ) -> Result<()> {
        let mut iter = Iter::of(iterable).map_err(|error| error.at(own.at))?;
        self.enter(&own.once);
        let outer = self.trace.as_ref().and_then(|trace| trace.message);
        // Turns cut short do not count: that is how Jinja decides about `else`.
        let mut complete = 0usize;
        if let Some(slot) = own.loop_slot {
            // A condition hides how many items there are; then they are counted when asked for.
            let length = match own.test {
                Some(_) => None,
                None => iter.known_len(),
            };
            let filter = own.test.is_some().then(|| (Arc::clone(own), self.current));
            let state = Arc::new(LoopState::new(iter, length, depth0, recurse, filter));
            while let Some(item) = self.next_turn(&state)? {
                self.set_own(slot, Value::Loop(Arc::clone(&state)));
                match self.turn(own, item)? {
                    Flow::Next => complete += 1,
                    Flow::Continue => {}
                    Flow::Break => break,
                }
            }
        } else {
            while let Some(item) = iter.next(self)? {
                if own.test.is_some() && !self.passes(own, &item)? {
                    continue;
                }
                match self.turn(own, item)? {
                    Flow::Next => complete += 1,
                    Flow::Continue => {}
                    Flow::Break => break,
                }
            }
        }
        if let Some(trace) = &mut self.trace {
            trace.message = outer;
        }
        if let (0, Some(otherwise)) = (complete, &own.otherwise) {
            self.enter(&otherwise.entry);
            self.nested(&otherwise.statements)?;
        }
        Ok(())
    }

    /// The next item of a loop that its condition lets through, looked at only now: the body may
    /// change what the condition says.
    pub(super) fn pull(&mut self, inner: &mut LoopInner) -> Result<Option<Value>> {
        let Some((own, home)) = inner.filter.clone() else {
            return inner.iter.next(self);
        };
        while let Some(item) = inner.iter.next(self)? {
            let current = std::mem::replace(&mut self.current, home);
            let passed = self.passes(&own, &item);
            self.current = current;
            if passed? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn passes(&mut self, own: &For, item: &Value) -> Result<bool> {
        let Some(test) = &own.test else {
            return Ok(true);
        };
        self.enter(&test.entry);
        self.assign(&test.target, item.clone())?;
        self.condition(&test.test)
    }

    fn next_turn(&mut self, state: &LoopState) -> Result<Option<Value>> {
        let mut inner = state.lock();
        let item = match inner.ahead.take() {
            Some(item) => Some(item),
            None => self.pull(&mut inner)?,
        };
        if let Some(item) = &item {
            inner.taken += 1;
            inner.before = inner.current.replace(item.clone());
        }
        Ok(item)
    }

    fn turn(&mut self, own: &For, item: Value) -> Result<Flow> {
        if let Some(trace) = &mut self.trace {
            trace.turn(&item);
        }
        match &own.target {
            Target::Name(name) => self.set(name.slot, item),
            target => self
                .assign(target, item)
                .map_err(|error| error.at(own.at))?,
        }
        self.enter(&own.body.entry);
        self.nested(&own.body.statements)
    }

    fn store(&mut self, name: &Name, value: Value) {
        if let Some(exported) = &mut self.exported
            && self.current == 0
        {
            exported.insert(Arc::clone(&name.name), value.clone());
        }
        self.set(name.slot, value);
    }

    /// Jinja looks whether a target is a namespace before it evaluates what is assigned.
    fn check_namespaces(&self, target: &Target) -> Result<()> {
        match target {
            Target::Attribute { namespace, .. } => match self.get(namespace.slot) {
                Value::Namespace(_) => Ok(()),
                _ => fail!(Runtime, "cannot assign attribute on non-namespace object")
                    .map_err(|error| error.at(namespace.at)),
            },
            Target::Tuple(parts, _) => parts
                .iter()
                .try_for_each(|part| self.check_namespaces(part)),
            Target::Name(_) => Ok(()),
        }
    }

    pub(super) fn assign(&mut self, target: &Target, value: Value) -> Result<()> {
        match target {
            Target::Name(name) => self.store(name, value),
            Target::Attribute {
                namespace,
                attribute,
            } => {
                if let Value::Namespace(own) = self.get(namespace.slot) {
                    own.set(attribute, value)?;
                }
            }
            Target::Tuple(parts, at) => {
                let mut iter = Iter::of(&value).map_err(|_| {
                    let message =
                        format!("cannot unpack non-iterable {} object", value.type_name());
                    super::error::Error::new(super::error::ErrorKind::Type, message).at(*at)
                })?;
                let mut items = Vec::with_capacity(parts.len());
                while let Some(item) = iter.next(self)? {
                    if items.len() == parts.len() {
                        return fail!(
                            Value,
                            "too many values to unpack (expected {})",
                            parts.len()
                        )
                        .map_err(|error| error.at(*at));
                    }
                    items.push(item);
                }
                if items.len() < parts.len() {
                    return fail!(
                        Value,
                        "not enough values to unpack (expected {}, got {})",
                        parts.len(),
                        items.len()
                    )
                    .map_err(|error| error.at(*at));
                }
                for (part, item) in parts.iter().zip(items) {
                    self.assign(part, item)?;
                }
            }
        }
        Ok(())
    }

    /// Prints an expression. Texts added up are written one after the other, never joined first.
    fn print(&mut self, expr: &Expr) -> Result<()> {
        if let Expr::Chain(chain) = expr
            && chain
                .rest
                .iter()
                .all(|(operator, ..)| *operator == Operator::Add)
        {
            return self.print_sum(chain);
        }
        if let Expr::Const(Value::Str(constant)) = expr {
            self.budget.make(constant.len())?;
            self.out.push_str(constant);
            return Ok(());
        }
        let value = self.eval(expr)?;
        text(&value, &mut self.out, &mut self.budget)
    }

    fn print_sum(&mut self, chain: &super::ast::Chain) -> Result<()> {
        let mut rest = chain.rest.iter();
        let begin = self.out.len();
        let mut pending = self.eval(&chain.first)?;
        // While both sides are plain texts the left one can go out at once. Should an operand
        // print by itself meanwhile (no expression does) or fail, the rendering fails as a whole.
        while let Value::Str(left) = &pending {
            let Some((_, operand, at)) = rest.next() else {
                break;
            };
            let right = self.eval(operand)?;
            if matches!(right, Value::Str(_)) {
                self.budget.make(left.len())?;
                self.out.push_str(left);
                pending = right;
                continue;
            }
            let whole = Value::str(format!("{}{left}", &self.out[begin..]));
            self.out.truncate(begin);
            pending = super::value::binary(Operator::Add, &whole, &right, &mut self.budget)
                .map_err(|error| error.at(*at))?;
            break;
        }
        for (_, operand, at) in rest {
            let right = self.eval(operand)?;
            pending = super::value::binary(Operator::Add, &pending, &right, &mut self.budget)
                .map_err(|error| error.at(*at))?;
        }
        text(&pending, &mut self.out, &mut self.budget)
    }

    /// Notes which part of the template wrote what follows `begin`.
    fn note(&mut self, begin: usize, at: u32) {
        if let (0, Some(trace)) = (self.captures, &mut self.trace)
            && self.out.len() > begin
        {
            trace.note(begin, self.out.len(), at);
        }
    }

    fn touched(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.touched = None;
        }
    }
}
