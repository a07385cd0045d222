//! Resumes a rendering at the last checkpoint that cannot depend on later messages.
//!
//! While a template runs over a list of messages that may grow, the list records which items are
//! accessed (`value::seq`). Until its end is accessed, everything the template did would have been
//! the same with more messages, and the state before an iteration of the loop over them is recorded
//! as a checkpoint. With more messages the loop resumes there, and the text before it is that of a
//! rendering from the start, byte for byte. A template that looks ahead records no checkpoint and is
//! rendered whole. Which messages are the same as before is decided by the caller.

use std::sync::Arc;

use super::ast::{Entry, For, Statement};
use super::error::Result;
use super::interpreter::{Flow, Interpreter};
use super::iterate::Iter;
use super::limits::Spent;
use super::loops::Turns;
use super::object::{LoopState, Namespace};
use super::value::{AccessWatermark, Seq, Value};

/// More namespaces than templates have; beyond, copying them costs more than it saves.
const MAX_NAMESPACES: usize = 16;

/// The attributes of a namespace at one time.
type Attributes = Vec<(Arc<str>, Value)>;

/// The state before an iteration of the loop over the messages.
pub(super) struct Checkpoint {
    /// Which statement of the template the loop is.
    statement: usize,
    /// The first message of the loop.
    offset: usize,
    /// How many iterations were begun, and how many of them were completed.
    turn: usize,
    complete: usize,
    /// The previous item of `loop`, and the arguments of its last `changed`.
    current: Option<Value>,
    changed: Option<Vec<Value>>,
    slots: Vec<Value>,
    namespaces: Vec<(Arc<Namespace>, Attributes)>,
    /// How many messages were accessed, which may be more than were iterated over.
    pub reach: usize,
    /// Bytes of output.
    pub written: usize,
    pub spent: Spent,
    asked_time: bool,
}

impl Checkpoint {
    /// How many messages were iterated over.
    pub fn messages(&self) -> usize {
        self.offset + self.turn
    }
}

/// Records checkpoints while a template is rendered over messages that may grow.
pub(super) struct CheckpointRecorder {
    messages: Arc<Seq>,
    watermark: AccessWatermark,
    /// The loop that is about to begin, if it is one of the outermost statements of the template.
    root: Option<usize>,
    /// The iterations to resume instead of beginning that loop.
    resumption: Option<(Turns, usize, usize)>,
    /// How many messages are not iterated over again, in any loop.
    pub reused: usize,
    pub checkpoints: Vec<Checkpoint>,
}

impl CheckpointRecorder {
    pub fn new(messages: Arc<Seq>, watermark: AccessWatermark) -> Self {
        Self {
            messages,
            watermark,
            root: None,
            resumption: None,
            reused: 0,
            checkpoints: Vec::new(),
        }
    }

    pub fn take_root(&mut self) -> Option<usize> {
        self.root.take()
    }

    /// The messages from one on.
    fn tail(&self, offset: usize) -> Arc<Seq> {
        match self.messages.tail(offset) {
            Some(tail) if offset > 0 => Arc::new(tail),
            _ => Arc::clone(&self.messages),
        }
    }
}

impl Interpreter<'_> {
    /// Runs the whole template, or what follows a checkpoint of it.
    pub(super) fn run_incremental(
        &mut self,
        entry: &Entry,
        statements: &[Statement],
        from: Option<Checkpoint>,
    ) -> Result<()> {
        self.activate(0, 0)?;
        let begin = match from {
            Some(checkpoint) => self.restore_checkpoint(checkpoint),
            None => {
                self.enter(entry)?;
                0
            }
        };
        for (index, statement) in statements.iter().enumerate().skip(begin) {
            if let Some(recorder) = &mut self.recorder {
                recorder.root = match statement {
                    Statement::For(own) if own.test.is_none() && !own.recursive => Some(index),
                    _ => None,
                };
            }
            if self.statement(statement)? != Flow::Next {
                break;
            }
        }
        Ok(())
    }

    /// Restores the state of a checkpoint; returns the statement to resume at.
    fn restore_checkpoint(&mut self, checkpoint: Checkpoint) -> usize {
        let Some(recorder) = &mut self.recorder else {
            return 0;
        };
        let mut slots = checkpoint.slots;
        for slot in &mut slots {
            if let Value::List(seq) = slot
                && let Some(offset) = seq.watched_from()
            {
                *slot = Value::List(recorder.tail(offset));
            }
        }
        let iter = Iter::Seq(recorder.tail(checkpoint.offset), checkpoint.turn);
        let turns = match (&checkpoint.current, checkpoint.turn) {
            (None, 1..) => Turns::Plain(iter),
            _ => {
                let state = LoopState::new(iter, None, 0, None, None);
                let mut inner = state.lock();
                inner.taken = checkpoint.turn;
                inner.current = checkpoint.current;
                inner.changed = checkpoint.changed;
                drop(inner);
                Turns::WithState(Arc::new(state))
            }
        };
        recorder.watermark.raise(checkpoint.reach);
        recorder.reused = checkpoint.offset + checkpoint.turn;
        recorder.resumption = Some((turns, checkpoint.offset, checkpoint.complete));
        for (namespace, attributes) in checkpoint.namespaces {
            namespace.restore(attributes);
            self.keep(&namespace);
        }
        self.root_slots(slots);
        self.budget.take(checkpoint.spent);
        self.asked_time = checkpoint.asked_time;
        checkpoint.statement
    }

    /// Runs a loop that is an outermost statement, with checkpoints if it iterates over the messages.
    pub(super) fn recorded_loop(&mut self, own: &Arc<For>, statement: usize) -> Result<()> {
        let resumption = self.recorder.as_mut().and_then(|own| own.resumption.take());
        if let Some((turns, offset, complete)) = resumption {
            return self.recorded_turns(own, turns, complete, statement, offset);
        }
        let iterable = self.eval(&own.iterable)?;
        let Value::List(seq) = &iterable else {
            return self.run_loop(own, &iterable, 0, None);
        };
        let Some(offset) = seq.watched_from() else {
            return self.run_loop(own, &iterable, 0, None);
        };
        if let Some(recorder) = &mut self.recorder {
            recorder.reused = 0;
        }
        let iter = Iter::of(&iterable)?;
        self.enter(&own.once)?;
        let turns = match own.loop_slot {
            Some(_) => Turns::WithState(Arc::new(LoopState::new(iter, None, 0, None, None))),
            None => Turns::Plain(iter),
        };
        self.recorded_turns(own, turns, 0, statement, offset)
    }

    fn recorded_turns(
        &mut self,
        own: &For,
        turns: Turns,
        complete: usize,
        statement: usize,
        offset: usize,
    ) -> Result<()> {
        let last = match &self.recorder {
            Some(recorder) => recorder.messages.len_for_now().saturating_sub(offset + 1),
            None => 0,
        };
        self.take_turns(own, turns, complete, |interpreter, turns, complete| {
            let (turn, current, changed) = match turns {
                Turns::Plain(Iter::Seq(_, at)) => (*at, None, None),
                Turns::Plain(_) => return,
                Turns::WithState(state) => {
                    let inner = state.lock();
                    if inner.taken < last {
                        return;
                    }
                    (inner.taken, inner.current.clone(), inner.changed.clone())
                }
            };
            if turn >= last {
                interpreter.record(
                    Checkpoint {
                        statement,
                        offset,
                        turn,
                        complete,
                        current,
                        changed,
                        slots: Vec::new(),
                        namespaces: Vec::new(),
                        reach: 0,
                        written: interpreter.out.len(),
                        spent: interpreter.budget.spent(),
                        asked_time: interpreter.asked_time,
                    },
                    own.loop_slot,
                );
            }
        })
    }

    /// Records a checkpoint with the state of the interpreter, if that can be restored.
    fn record(&mut self, mut checkpoint: Checkpoint, loop_slot: Option<u16>) {
        let Some(mut slots) = self.only_slots() else {
            return;
        };
        let Some(recorder) = &self.recorder else {
            return;
        };
        let Some(reach) = recorder.watermark.reach() else {
            return;
        };
        if self.namespaces.len() > MAX_NAMESPACES {
            return;
        }
        checkpoint.reach = reach.max(checkpoint.messages());
        if let Some(slot) = loop_slot {
            slots[usize::from(slot)] = Value::None;
        }
        let of_loop = checkpoint
            .changed
            .iter()
            .flatten()
            .chain(&checkpoint.current);
        if slots.iter().chain(of_loop).any(Value::holds_state) {
            return;
        }
        // A reference to the messages would make the next push copy all of them.
        for slot in &mut slots {
            if let Value::List(seq) = slot
                && let Some(placeholder) = seq.placeholder()
            {
                *slot = Value::List(Arc::new(placeholder));
            }
        }
        for namespace in &self.namespaces {
            let attributes = namespace.snapshot();
            if attributes.iter().any(|(_, value)| value.holds_state()) {
                return;
            }
            checkpoint
                .namespaces
                .push((Arc::clone(namespace), attributes));
        }
        checkpoint.slots = slots;
        if let Some(recorder) = &mut self.recorder {
            recorder.checkpoints.push(checkpoint);
        }
    }
}
