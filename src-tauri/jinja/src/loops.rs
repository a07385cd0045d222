//! The iterations of a `for`, and the attributes and methods of its `loop`.

use std::sync::Arc;

use super::ast::{Expr, For, Target};
use super::call::Args;
use super::checkpoint::CheckpointRecorder;
use super::error::{Result, fail};
use super::interpreter::{Flow, Interpreter};
use super::iterate::Iter;
use super::object::{LoopInner, LoopState};
use super::undefined::Undefined;
use super::value::{Value, equal};

/// The source of a loop's items, with the state of a `loop` variable or without.
pub(super) enum Turns {
    WithState(Arc<LoopState>),
    Plain(Iter),
}

impl Turns {
    /// Whether taking the rest of the items does nothing but give them.
    fn are_of_a_list(&self) -> bool {
        let listed = |iter: &Iter| matches!(iter, Iter::Seq(..) | Iter::Reversed(..));
        match self {
            Self::WithState(state) => listed(&state.lock().iter),
            Self::Plain(iter) => listed(iter),
        }
    }
}

impl Interpreter<'_> {
    pub(super) fn for_statement(&mut self, for_loop: &Arc<For>) -> Result<()> {
        let root = self
            .recorder
            .as_mut()
            .and_then(CheckpointRecorder::take_root);
        let home = self.frames.current;
        if let (Expr::Slice(slice), false) = (&for_loop.iterable, for_loop.recursive)
            && slice.is_reversal()
        {
            let object = self.eval(&slice.object)?;
            // Gone through from the end, a list needs no copy.
            if let Value::List(seq) = &object {
                let iter = Iter::Reversed(Arc::clone(seq), seq.items().len());
                return self.run_turns(for_loop, iter, 0, None);
            }
            let reversed = self.slice(&object, None, None, Some(-1));
            let reversed = reversed.map_err(|error| error.at(slice.at))?;
            return self.run_loop(for_loop, &reversed, 0, None);
        }
        if let Some(statement) = root {
            return self.recorded_loop(for_loop, statement);
        }
        let iterable = self.eval(&for_loop.iterable)?;
        if for_loop.recursive {
            let written = self.recursive_loop(for_loop, home, &iterable, 0)?;
            self.out.push_str(&written);
            return Ok(());
        }
        self.run_loop(for_loop, &iterable, 0, None)
    }

    /// A turn of a recursive loop: a function that returns its output.
    pub(super) fn recursive_loop(
        &mut self,
        for_loop: &Arc<For>,
        home: usize,
        iterable: &Value,
        depth0: usize,
    ) -> Result<String> {
        self.budget.descend()?;
        let previous = self.activate(for_loop.function, home)?;
        let recurse = Some((Arc::clone(for_loop), home));
        let written =
            self.capture(|interpreter| interpreter.run_loop(for_loop, iterable, depth0, recurse));
        self.deactivate(for_loop.function, previous);
        self.budget.rise();
        written
    }

    pub(super) fn run_loop(
        &mut self,
        for_loop: &Arc<For>,
        iterable: &Value,
        depth0: usize,
        recurse: Option<(Arc<For>, usize)>,
    ) -> Result<()> {
        let iter = Iter::of(iterable).map_err(|error| error.at(for_loop.at))?;
        if let (Some(text), Some(_)) = (iterable.as_str(), for_loop.loop_slot) {
            self.budget.charge(text.len())?;
        }
        self.run_turns(for_loop, iter, depth0, recurse)
    }

    fn run_turns(
        &mut self,
        for_loop: &Arc<For>,
        iter: Iter,
        depth0: usize,
        recurse: Option<(Arc<For>, usize)>,
    ) -> Result<()> {
        self.enter(&for_loop.once)?;
        let turns = if for_loop.loop_slot.is_some() {
            // A condition hides how many items there are; then they are counted when asked for.
            let length = match for_loop.test {
                Some(_) => None,
                None => iter.known_len(),
            };
            let filter = for_loop
                .test
                .is_some()
                .then(|| (Arc::clone(for_loop), self.frames.current));
            let state = LoopState::new(iter, length, depth0, recurse, filter);
            Turns::WithState(Arc::new(state))
        } else {
            Turns::Plain(iter)
        };
        self.take_turns(for_loop, turns, 0, |_, _, _| {})
    }

    /// The turns of a loop, of which `complete` were taken before; `before` is called ahead of
    /// each, and once more when none is left.
    pub(super) fn take_turns(
        &mut self,
        for_loop: &For,
        mut turns: Turns,
        mut complete: usize,
        mut before: impl FnMut(&mut Self, &Turns, usize),
    ) -> Result<()> {
        let outer = self.trace.as_ref().and_then(|trace| trace.message);
        loop {
            before(self, &turns, complete);
            let item = match &mut turns {
                Turns::WithState(state) => {
                    let item = self.next_turn(state)?;
                    if let Some(slot) = for_loop.loop_slot {
                        let slot = self.frames.local_mut(slot);
                        if !matches!(slot, Value::Loop(for_loop) if Arc::ptr_eq(for_loop, state)) {
                            *slot = Value::Loop(Arc::clone(state));
                        }
                    }
                    item
                }
                Turns::Plain(iter) => iter.next(self)?,
            };
            let Some(item) = item else {
                break;
            };
            if matches!(turns, Turns::Plain(_)) && !self.passes(for_loop, &item)? {
                continue;
            }
            // Turns cut short do not count: that is how Jinja decides about `else`.
            match self.turn(for_loop, item)? {
                Flow::Next => complete += 1,
                Flow::Continue => {}
                Flow::Break => break,
            }
            if let Some(guard) = &for_loop.guard
                && turns.are_of_a_list()
                && self.trace.is_none()
                && !self.condition(guard)?
            {
                break;
            }
        }
        if let Some(slot) = for_loop.loop_slot {
            self.set_own(slot, Value::None);
        }
        if let Some(trace) = &mut self.trace {
            trace.message = outer;
        }
        if let (0, Some(otherwise)) = (complete, &for_loop.otherwise) {
            self.enter(&otherwise.entry)?;
            self.nested(&otherwise.statements)?;
        }
        Ok(())
    }

    /// The next item of a loop that its condition lets through, looked at only now: the body may
    /// change what the condition says.
    pub(super) fn pull(&mut self, inner: &mut LoopInner) -> Result<Option<Value>> {
        let Some((for_loop, home)) = inner.filter.clone() else {
            return inner.iter.next(self);
        };
        while let Some(item) = inner.iter.next(self)? {
            let current = std::mem::replace(&mut self.frames.current, home);
            let passed = self.passes(&for_loop, &item);
            self.frames.current = current;
            if passed? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn passes(&mut self, for_loop: &For, item: &Value) -> Result<bool> {
        let Some(test) = &for_loop.test else {
            return Ok(true);
        };
        self.enter(&test.entry)?;
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

    fn turn(&mut self, for_loop: &For, item: Value) -> Result<Flow> {
        if let Some(trace) = &mut self.trace {
            trace.turn(&item);
        }
        match &for_loop.target {
            Target::Name(name) => self.set(name.slot, item),
            target => self
                .assign(target, item)
                .map_err(|error| error.at(for_loop.at))?,
        }
        self.enter(&for_loop.body.entry)?;
        self.nested(&for_loop.body.statements)
    }

    pub(super) fn recurse(&mut self, state: &Arc<LoopState>, iterable: &Value) -> Result<Value> {
        let (recurse, depth) = {
            let inner = state.lock();
            (inner.recurse.clone(), inner.depth0 + 1)
        };
        let Some((for_loop, home)) = recurse else {
            return fail!(
                Type,
                "The loop must have the 'recursive' marker to be called recursively."
            );
        };
        self.recursive_loop(&for_loop, home, iterable, depth)
            .map(Value::str)
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
            args.positional.iter().for_each(Value::settle);
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
