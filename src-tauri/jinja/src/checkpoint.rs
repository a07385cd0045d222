//! Records from where a rendering can be resumed with other messages at the end, loop by loop; `resume`
//! does it.
//!
//! While a template runs over a list of messages that may change, each outermost loop over them records
//! which items of the list it accessed (`value::seq`), and what it observed of the variables and
//! namespaces set before it (`observations`). The state before some of its iterations is recorded as a
//! checkpoint. The next rendering resumes each loop at the last checkpoint whose observations still hold,
//! and runs what is outside of them again, except for what precedes the first loop and depends on no
//! message that changed (`prologue`). The reused output is byte for byte that of a rendering from the
//! start. The caller decides which messages are the same as before.
//!
//! What survives an iteration is the state of `loop`, the output, and what is in namespaces: names that
//! are set in a loop are gone after each iteration.

use std::sync::Arc;

use super::ast::{Entry, For, Statement};
use super::error::Result;
use super::interpreter::{Flow, Interpreter};
use super::iterate::Iter;
use super::limits::{LimitPool, Limits, Spent};
use super::loops::Turns;
use super::namespace::{Attribute, Namespace};
use super::object::LoopState;
use super::observations::Observed;
use super::prologue::Prologue;
use super::value::{AccessWatermark, Seq, Value};

/// More namespaces than templates have; beyond, copying them costs more than it saves.
const MAX_NAMESPACES: usize = 16;

/// The observations and checkpoints of a loop over the messages.
pub(super) struct LoopRecord {
    /// Which statement of the template the loop is.
    pub statement: usize,
    /// The first message of the loop.
    pub offset: usize,
    /// Bytes of output before it.
    pub begin: usize,
    /// The namespaces there were before it, and their attributes.
    pub namespaces: Vec<(Arc<Namespace>, Vec<Attribute>)>,
    /// In the order of the iterations.
    pub checkpoints: Vec<Checkpoint>,
    /// The state before it, if it is the first such loop and the state can be restored.
    pub prologue: Option<Prologue>,
}

/// The state before an iteration of a loop over the messages.
pub(super) struct Checkpoint {
    pub position: Position,
    /// The observed variables, with their values.
    pub variables: Vec<(u16, Observed, Value)>,
    /// The attributes of the namespaces that were there before the loop.
    pub attributes: Vec<Vec<Attribute>>,
    /// How many messages were accessed, which may be more than were iterated over.
    pub reach: usize,
    /// Bytes of output, and what was spent since the loop began.
    pub written: usize,
    pub spent: Spent,
    pub asked_time: bool,
}

/// Where in a loop.
#[derive(Default)]
pub(super) struct Position {
    /// How many iterations were begun, and how many of them were completed.
    pub turn: usize,
    pub complete: usize,
    /// The previous item of `loop`, and the arguments of its last `changed`.
    pub current: Option<Value>,
    pub changed: Option<Vec<Value>>,
}

/// An earlier rendering.
#[derive(Default)]
pub(super) struct Past {
    /// Its text from a byte on.
    pub text: String,
    pub base: usize,
    pub records: Vec<LoopRecord>,
    /// How many of its messages, from the first on, are the same.
    pub same: usize,
}

/// Records checkpoints while a template is rendered over messages that may change, and resumes its
/// loops where an earlier rendering has them.
pub(super) struct CheckpointRecorder {
    pub messages: Arc<Seq>,
    pub watermark: AccessWatermark,
    pub past: Past,
    pub limits: (Limits, Option<LimitPool>),
    /// The loop that is about to begin, if it is one of the outermost statements of the template.
    root: Option<usize>,
    /// The state before that loop, until one loop was recorded.
    prologue: Option<Prologue>,
    /// What had been spent when the loop began that runs.
    spent_before: Spent,
    /// How many messages are not iterated over again, in any loop; none before there was one.
    pub reused: Option<usize>,
    /// How many bytes of the output are those at the same place of the earlier rendering.
    pub reused_bytes: usize,
    /// What was spent on the iterations that are not repeated.
    pub spared: Spent,
    pub records: Vec<LoopRecord>,
}

impl CheckpointRecorder {
    pub fn new(
        (messages, watermark): (Arc<Seq>, AccessWatermark),
        past: Past,
        limits: (Limits, Option<LimitPool>),
    ) -> Self {
        Self {
            messages,
            watermark,
            past,
            limits,
            root: None,
            prologue: None,
            spent_before: Spent::default(),
            reused: None,
            reused_bytes: 0,
            spared: Spent::default(),
            records: Vec::new(),
        }
    }

    pub fn take_root(&mut self) -> Option<usize> {
        self.root.take()
    }

    /// How many messages are not iterated over again.
    pub fn reused(&self) -> usize {
        self.reused.unwrap_or_default()
    }
}

impl Interpreter<'_> {
    /// Runs the whole template, resuming its loops over the messages.
    pub(super) fn run_incremental(
        &mut self,
        entry: &Entry,
        statements: &[Statement],
    ) -> Result<()> {
        self.activate(0, 0)?;
        let begin = match self.skip_prologue()? {
            Some(statement) => statement,
            None => {
                self.enter(entry)?;
                0
            }
        };
        for (index, statement) in statements.iter().enumerate().skip(begin) {
            let root = match statement {
                Statement::For(for_loop) if for_loop.test.is_none() && !for_loop.recursive => {
                    Some(index)
                }
                _ => None,
            };
            let is_first = self
                .recorder
                .as_ref()
                .is_some_and(|recorder| recorder.records.is_empty());
            let prologue = match root {
                Some(_) if is_first => self.prologue(),
                _ => None,
            };
            if let Some(recorder) = &mut self.recorder {
                (recorder.root, recorder.prologue) = (root, prologue);
            }
            if self.statement(statement)? != Flow::Next {
                break;
            }
        }
        Ok(())
    }

    /// Runs a loop that is an outermost statement, with checkpoints if it iterates over the messages.
    pub(super) fn recorded_loop(&mut self, for_loop: &Arc<For>, statement: usize) -> Result<()> {
        let iterable = self.eval(&for_loop.iterable)?;
        let watched = match &iterable {
            Value::List(seq) => seq.watched_from().map(|offset| (Arc::clone(seq), offset)),
            _ => None,
        };
        let Some((seq, offset)) = watched else {
            return self.run_loop(for_loop, &iterable, 0, None);
        };
        if !self.is_alone() {
            self.count_reused(0);
            return self.run_loop(for_loop, &iterable, 0, None);
        }
        let count = seq.len_for_now();
        self.begin_record(statement, offset);
        self.enter(&for_loop.once)?;
        let resumed = self.resume(statement, offset)?;
        let iter = Iter::Seq(seq, resumed.turn);
        let turns = match for_loop.loop_slot {
            Some(_) => {
                let state = LoopState::new(iter, None, 0, None, None);
                let mut inner = state.lock();
                inner.taken = resumed.turn;
                inner.current = resumed.current;
                inner.changed = resumed.changed;
                drop(inner);
                Turns::WithState(Arc::new(state))
            }
            None => Turns::Plain(iter),
        };
        let done = self.take_turns(
            for_loop,
            turns,
            resumed.complete,
            |interpreter, turns, complete| {
                let position = match turns {
                    Turns::Plain(Iter::Seq(_, at)) if is_kept(*at, count) => Position {
                        turn: *at,
                        complete,
                        ..Position::default()
                    },
                    Turns::Plain(_) => return,
                    Turns::WithState(state) => {
                        let inner = state.lock();
                        if !is_kept(inner.taken, count) {
                            return;
                        }
                        Position {
                            turn: inner.taken,
                            complete,
                            current: inner.current.clone(),
                            changed: inner.changed.clone(),
                        }
                    }
                };
                interpreter.record(position);
            },
        );
        self.frames.stop_recording();
        done
    }

    /// Whether nothing else is going on that a checkpoint would have to restore.
    pub(super) fn is_alone(&self) -> bool {
        self.captures == 0
            && self.exported.is_none()
            && self.frames.only_root()
            && self.namespaces.len() <= MAX_NAMESPACES
    }

    /// Begins to record a loop.
    fn begin_record(&mut self, statement: usize, offset: usize) {
        let (begin, spent) = (self.out.len(), self.budget.spent());
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        recorder.watermark.reset();
        recorder.spent_before = spent;
        let namespaces = self.namespaces.iter();
        let namespaces = namespaces.map(|namespace| (Arc::clone(namespace), namespace.record()));
        recorder.records.push(LoopRecord {
            statement,
            offset,
            begin,
            namespaces: namespaces.collect(),
            checkpoints: Vec::new(),
            prologue: recorder.prologue.take(),
        });
        self.frames.record();
    }

    /// Records a checkpoint with the state of the interpreter, if that can be restored.
    fn record(&mut self, position: Position) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        let (Some(reach), Some(record)) = (recorder.watermark.reach(), recorder.records.last())
        else {
            return;
        };
        if !self.frames.only_root() || position.changed.iter().flatten().any(Value::holds_state) {
            return;
        }
        let mut variables = Vec::new();
        for (index, slot_use, value) in self.frames.recorded() {
            if slot_use.observed == Observed::Nothing {
                continue;
            }
            // What it was before is gone.
            if slot_use.written {
                return;
            }
            variables.push((index, slot_use.observed, value.without_messages()));
        }
        let namespaces = record.namespaces.iter();
        let attributes: Vec<_> = namespaces
            .map(|(namespace, _)| namespace.snapshot())
            .collect();
        let mut written = attributes
            .iter()
            .flatten()
            .filter(|attribute| attribute.slot_use.written);
        if written.any(|attribute| attribute.value.holds_state()) {
            return;
        }
        let checkpoint = Checkpoint {
            reach: reach.max(record.offset + position.turn),
            position,
            variables,
            attributes,
            written: self.out.len(),
            spent: self.budget.spent().since(recorder.spent_before),
            asked_time: self.asked_time,
        };
        let recorder = self.recorder.as_mut();
        if let Some(record) = recorder.and_then(|recorder| recorder.records.last_mut()) {
            record.checkpoints.push(checkpoint);
        }
    }
}

/// Whether the state before an iteration is kept: of the last ones, and of fewer and fewer before them,
/// as most changes are close to the end. What is kept of a longer list was kept of every shorter one.
pub(super) fn is_kept(turn: usize, count: usize) -> bool {
    let left = count - turn.min(count);
    match left.checked_ilog2() {
        Some(magnitude @ 2..) => turn.is_multiple_of(1 << (magnitude - 1)),
        _ => true,
    }
}
