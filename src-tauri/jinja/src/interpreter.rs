//! Runs the statements of a compiled template. Expressions, calls and attributes are in files of
//! their own; this one holds the state they share.

use std::collections::HashMap;
use std::sync::Arc;

use super::ast::{
    Body, CallBlock, Entry, Expr, Load, NO_LOADER, SetBlock, Slot, Statement, Target,
};
use super::checkpoint::CheckpointRecorder;
use super::error::{Result, fail};
use super::frames::Frames;
use super::limits::Budget;
use super::namespace::Namespace;
use super::object::MacroValue;
use super::scope::Function;
use super::time::Moment;
use super::trace::Trace;
use super::undefined::Undefined;
use super::value::{Value, text};
use super::variables::Named;

/// How a list of statements ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
}

/// One rendering.
pub(super) struct Interpreter<'p> {
    pub variables: &'p Named,
    pub budget: Budget,
    pub now: Option<Moment>,
    pub out: String,
    pub trace: Option<Trace>,
    functions: &'p [Function],
    pub(super) frames: Frames,
    /// Names set by the template itself at the top, for its blocks.
    pub(super) exported: Option<HashMap<Arc<str>, Value>>,
    pub(super) namespaces: Vec<Arc<Namespace>>,
    /// Captures around the current output; spans are noted outside of all of them.
    pub(super) captures: usize,
    /// Records checkpoints while rendering over messages that may grow.
    pub(super) recorder: Option<CheckpointRecorder>,
    /// Whether the template called `strftime_now`.
    pub(super) asked_time: bool,
}

impl Drop for Interpreter<'_> {
    fn drop(&mut self) {
        for namespace in &self.namespaces {
            namespace.clear();
        }
    }
}

impl<'p> Interpreter<'p> {
    pub fn new(
        functions: &'p [Function],
        has_blocks: bool,
        variables: &'p Named,
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
            frames: Frames::default(),
            exported: has_blocks.then(HashMap::new),
            namespaces: Vec::new(),
            captures: 0,
            recorder: None,
            asked_time: false,
        }
    }

    /// Runs the whole template.
    pub fn run(&mut self, entry: &Entry, statements: &[Statement]) -> Result<()> {
        self.activate(0, 0)?;
        self.enter(entry)?;
        self.statements(statements)?;
        Ok(())
    }

    /// A new activation of a function, made current; gives the one that was.
    pub(super) fn activate(&mut self, function: usize, parent: usize) -> Result<usize> {
        let slots = usize::from(self.functions[function].slots);
        self.budget.make(64 + slots * 32)?;
        Ok(self.frames.enter(slots, parent))
    }

    /// Ends the current activation; what something may still close over is kept.
    pub(super) fn deactivate(&mut self, function: usize, previous: usize) {
        let captured = self.functions[function].captured;
        self.frames.leave(captured, previous);
    }

    #[inline]
    pub(super) fn get(&self, slot: Slot) -> &Value {
        self.frames.get(slot)
    }

    #[inline]
    pub(super) fn set(&mut self, slot: Slot, value: Value) {
        self.frames.set(slot, value);
    }

    #[inline]
    pub(super) fn set_own(&mut self, index: u16, value: Value) {
        *self.frames.local_mut(index) = value;
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
    pub(super) fn enter(&mut self, entry: &Entry) -> Result<()> {
        self.budget.steps(entry.len() as u64)?;
        for (index, load) in entry {
            let value = match load {
                Load::Resolve(name) => self.resolve(name),
                Load::Alias(slot) => self.get(*slot).clone(),
                Load::Undefined(name) => Value::Undefined(Undefined::name(name)),
            };
            self.set_own(*index, value);
        }
        Ok(())
    }

    /// Registers a namespace, so that checkpoints include it and it is cleared at the end.
    pub(super) fn register_namespace(&mut self, namespace: &Arc<Namespace>) {
        self.namespaces.push(Arc::clone(namespace));
    }

    /// Runs `work` with a separate output and returns it.
    pub(super) fn capture(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<String> {
        let outer = std::mem::take(&mut self.out);
        self.captures += 1;
        let done = work(self);
        self.captures -= 1;
        let captured = std::mem::replace(&mut self.out, outer);
        done.map(|()| captured)
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

    pub(super) fn statement(&mut self, statement: &Statement) -> Result<Flow> {
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
            Statement::For(for_loop) => self.for_statement(for_loop)?,
            Statement::Set(target, value, at) => {
                self.check_namespaces(target)?;
                let before = self.touched();
                let value = self.eval(value)?;
                self.record_target_origin(target, &value);
                if let (Some(trace), Some(message)) = (&mut self.trace, before) {
                    trace.touched.get_or_insert(message);
                }
                self.assign(target, value).map_err(|error| error.at(*at))?;
            }
            Statement::SetBlock(set_block) => self.set_block(set_block)?,
            Statement::Macro(definition) => {
                let value = Value::Macro(Arc::new(MacroValue {
                    name: Some(Arc::clone(&definition.name.name)),
                    signature: Arc::clone(&definition.signature),
                    home: self.frames.current,
                }));
                self.store(&definition.name, value);
            }
            Statement::CallBlock(call_block) => self.call_statement(call_block)?,
            Statement::FilterBlock(filter, body) => {
                self.enter(&body.entry)?;
                let captured = self.captured_body(body)?;
                let begin = self.out.len();
                let value = self.filter_chain(filter, captured)?;
                text(&value, &mut self.out, &mut self.budget)?;
                self.note(begin, filter.at);
            }
            Statement::With(with_block) => {
                self.budget.make_items(with_block.values.len())?;
                let values: Vec<Value> = with_block
                    .values
                    .iter()
                    .map(|value| self.eval(value))
                    .collect::<Result<_>>()?;
                self.enter(&with_block.body.entry)?;
                for (target, value) in with_block.targets.iter().zip(values) {
                    self.assign(target, value)?;
                }
                return self.nested(&with_block.body.statements);
            }
            Statement::Generation(body, _) => {
                self.enter(&body.entry)?;
                let begin = self.out.len();
                let flow = self.nested(&body.statements)?;
                let end = self.out.len();
                if let (0, Some(trace)) = (self.captures, &mut self.trace) {
                    trace.generations.push((begin, end));
                }
                return Ok(flow);
            }
            Statement::Block(block) => {
                let home = self.frames.current;
                let previous = self.activate(block.function, home)?;
                self.enter(&block.body.entry)?;
                let done = self.nested(&block.body.statements);
                self.deactivate(block.function, previous);
                done?;
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Autoescape(at) => {
                return fail!(Unsupported, "autoescape blocks are not supported")
                    .map_err(|error| error.at(*at));
            }
            Statement::OtherTemplate(at) => {
                return fail!(Unsupported, "{NO_LOADER}").map_err(|error| error.at(*at));
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn nested(&mut self, statements: &[Statement]) -> Result<Flow> {
        self.budget.descend()?;
        let flow = self.statements(statements)?;
        self.budget.rise();
        Ok(flow)
    }

    fn captured_body(&mut self, body: &Body) -> Result<String> {
        self.capture(|interpreter| interpreter.nested(&body.statements).map(drop))
    }

    fn set_block(&mut self, block: &SetBlock) -> Result<()> {
        self.check_namespaces(&block.target)?;
        self.enter(&block.body.entry)?;
        let captured = self.captured_body(&block.body)?;
        let value = match &block.filter {
            Some(Expr::Filter(filter)) => self.filter_chain(filter, captured)?,
            _ => Value::str(captured),
        };
        self.assign(&block.target, value)
            .map_err(|error| error.at(block.at))
    }

    fn call_statement(&mut self, call_block: &CallBlock) -> Result<()> {
        let caller = Value::Macro(Arc::new(MacroValue {
            name: None,
            signature: Arc::clone(&call_block.signature),
            home: self.frames.current,
        }));
        let begin = self.out.len();
        let Expr::Call(call) = &call_block.call else {
            return Ok(());
        };
        let value = self.call_expr(call, Some(caller))?;
        text(&value, &mut self.out, &mut self.budget)?;
        self.note(begin, call_block.at);
        Ok(())
    }

    /// Notes which part of the template wrote what follows `begin`.
    pub(super) fn note(&mut self, begin: usize, at: u32) {
        if let (0, Some(trace)) = (self.captures, &mut self.trace)
            && self.out.len() > begin
        {
            trace.note(begin, self.out.len(), at);
        }
    }

    /// Forgets which message was looked at last, and gives it.
    fn touched(&mut self) -> Option<usize> {
        self.trace.as_mut().and_then(|trace| trace.touched.take())
    }

    /// Records which message the text assigned to a variable or attribute came from.
    fn record_target_origin(&mut self, target: &Target, value: &Value) {
        let Some(trace) = &mut self.trace else {
            return;
        };
        match target {
            Target::Name(name) => trace.record_origin(self.frames.slot_address(name.slot), value),
            Target::Attribute {
                namespace,
                attribute,
            } => {
                if let Value::Namespace(namespace) = self.frames.get(namespace.slot) {
                    trace.record_attribute_origin(namespace, attribute, value);
                }
            }
            Target::Tuple(..) => {}
        }
    }
}
