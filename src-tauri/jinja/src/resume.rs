//! Going on from where an earlier rendering over fewer messages was still sure of itself.
//!
//! While a template runs over a list of messages that may grow, the list is watched (`value::seq`).
//! Until somebody looks at its end, everything the template did would have been the same had there
//! been more messages: the state before a turn of the loop over them is then worth keeping. With
//! more messages the loop goes on from that state, and the text before it is that of a rendering
//! from the start, byte for byte. A template that looks ahead leaves no such state and is rendered
//! whole. Knows nothing of conversations; which messages are the same is the caller's to say.

use std::sync::Arc;

use super::ast::{Entry, For, Statement};
use super::error::Result;
use super::iterate::Iter;
use super::limits::Spent;
use super::loops::Turns;
use super::machine::{Flow, Machine};
use super::object::{LoopState, Namespace};
use super::value::{Look, Seq, Value};

/// More namespaces than templates have; beyond, keeping them costs more than it gains.
const MAX_NAMESPACES: usize = 16;

/// The attributes of a namespace at one time.
type Attributes = Vec<(Arc<str>, Value)>;

/// The state before a turn of the loop over the messages.
pub(super) struct Mark {
    /// Which statement of the template the loop is.
    statement: usize,
    /// The first message of the loop.
    offset: usize,
    /// How many turns were taken, and how many of them to their end.
    turn: usize,
    complete: usize,
    /// What `loop` tells about the turn before.
    current: Option<Value>,
    changed: Option<Vec<Value>>,
    slots: Vec<Value>,
    namespaces: Vec<(Arc<Namespace>, Attributes)>,
    /// How many messages the template looked at, which may be more than it dealt with.
    pub reach: usize,
    /// How much was written.
    pub written: usize,
    pub spent: Spent,
    asked_time: bool,
}

impl Mark {
    /// How many messages were dealt with.
    pub fn messages(&self) -> usize {
        self.offset + self.turn
    }
}

/// What is kept while rendering over messages that may grow.
pub(super) struct Growth {
    messages: Arc<Seq>,
    look: Look,
    /// The loop that is about to begin, when it is one of the template's outermost statements.
    root: Option<usize>,
    /// The turns to go on with instead of beginning that loop.
    going_on: Option<(Turns, usize, usize)>,
    /// How many messages need no turn again, in any loop.
    pub kept: usize,
    pub marks: Vec<Mark>,
}

impl Growth {
    pub fn new(messages: Arc<Seq>, look: Look) -> Self {
        Self {
            messages,
            look,
            root: None,
            going_on: None,
            kept: 0,
            marks: Vec::new(),
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

impl Machine<'_> {
    /// Runs the whole template, or what follows a mark.
    pub(super) fn run_growing(
        &mut self,
        entry: &Entry,
        statements: &[Statement],
        from: Option<Mark>,
    ) -> Result<()> {
        self.activate(0, 0)?;
        let begin = match from {
            Some(mark) => self.put_back(mark),
            None => {
                self.enter(entry)?;
                0
            }
        };
        for (index, statement) in statements.iter().enumerate().skip(begin) {
            if let Some(growth) = &mut self.growth {
                growth.root = match statement {
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

    /// Puts the state of a mark back; gives the statement to go on with.
    fn put_back(&mut self, mark: Mark) -> usize {
        let Some(growth) = &mut self.growth else {
            return 0;
        };
        let mut slots = mark.slots;
        for slot in &mut slots {
            if let Value::List(seq) = slot
                && let Some(offset) = seq.watched_from()
            {
                *slot = Value::List(growth.tail(offset));
            }
        }
        let iter = Iter::Seq(growth.tail(mark.offset), mark.turn);
        let turns = match (&mark.current, mark.turn) {
            (None, 1..) => Turns::Plain(iter),
            _ => {
                let state = LoopState::new(iter, None, 0, None, None);
                let mut inner = state.lock();
                inner.taken = mark.turn;
                inner.current = mark.current;
                inner.changed = mark.changed;
                drop(inner);
                Turns::Told(Arc::new(state))
            }
        };
        growth.look.at(mark.reach);
        growth.kept = mark.offset + mark.turn;
        growth.going_on = Some((turns, mark.offset, mark.complete));
        for (namespace, attributes) in mark.namespaces {
            namespace.restore(attributes);
            self.keep(&namespace);
        }
        self.root_slots(slots);
        self.budget.take(mark.spent);
        self.asked_time = mark.asked_time;
        mark.statement
    }

    /// A loop that is an outermost statement: marks are set when it goes over the messages.
    pub(super) fn growing_loop(&mut self, own: &Arc<For>, statement: usize) -> Result<()> {
        let going_on = self.growth.as_mut().and_then(|own| own.going_on.take());
        if let Some((turns, offset, complete)) = going_on {
            return self.marked_turns(own, turns, complete, statement, offset);
        }
        let iterable = self.eval(&own.iterable)?;
        let Value::List(seq) = &iterable else {
            return self.run_loop(own, &iterable, 0, None);
        };
        let Some(offset) = seq.watched_from() else {
            return self.run_loop(own, &iterable, 0, None);
        };
        if let Some(growth) = &mut self.growth {
            growth.kept = 0;
        }
        let iter = Iter::of(&iterable)?;
        self.enter(&own.once)?;
        let turns = match own.loop_slot {
            Some(_) => Turns::Told(Arc::new(LoopState::new(iter, None, 0, None, None))),
            None => Turns::Plain(iter),
        };
        self.marked_turns(own, turns, 0, statement, offset)
    }

    fn marked_turns(
        &mut self,
        own: &For,
        turns: Turns,
        complete: usize,
        statement: usize,
        offset: usize,
    ) -> Result<()> {
        let last = match &self.growth {
            Some(growth) => growth.messages.len_for_now().saturating_sub(offset + 1),
            None => 0,
        };
        self.take_turns(own, turns, complete, |machine, turns, complete| {
            let (turn, current, changed) = match turns {
                Turns::Plain(Iter::Seq(_, at)) => (*at, None, None),
                Turns::Plain(_) => return,
                Turns::Told(state) => {
                    let inner = state.lock();
                    if inner.taken < last {
                        return;
                    }
                    (inner.taken, inner.current.clone(), inner.changed.clone())
                }
            };
            if turn >= last {
                machine.mark(
                    Mark {
                        statement,
                        offset,
                        turn,
                        complete,
                        current,
                        changed,
                        slots: Vec::new(),
                        namespaces: Vec::new(),
                        reach: 0,
                        written: machine.out.len(),
                        spent: machine.budget.spent(),
                        asked_time: machine.asked_time,
                    },
                    own.loop_slot,
                );
            }
        })
    }

    /// Keeps a mark with the state of the machine, if that can be put back.
    fn mark(&mut self, mut mark: Mark, loop_slot: Option<u16>) {
        let Some(mut slots) = self.only_slots() else {
            return;
        };
        let Some(growth) = &self.growth else {
            return;
        };
        let Some(reach) = growth.look.reach() else {
            return;
        };
        if self.namespaces.len() > MAX_NAMESPACES {
            return;
        }
        mark.reach = reach.max(mark.messages());
        if let Some(slot) = loop_slot {
            slots[usize::from(slot)] = Value::None;
        }
        let told = mark.changed.iter().flatten().chain(&mark.current);
        if slots.iter().chain(told).any(Value::holds_state) {
            return;
        }
        // Kept, they would keep others from growing.
        for slot in &mut slots {
            if let Value::List(seq) = slot
                && let Some(husk) = seq.husk()
            {
                *slot = Value::List(Arc::new(husk));
            }
        }
        for namespace in &self.namespaces {
            let attributes = namespace.snapshot();
            if attributes.iter().any(|(_, value)| value.holds_state()) {
                return;
            }
            mark.namespaces.push((Arc::clone(namespace), attributes));
        }
        mark.slots = slots;
        if let Some(growth) = &mut self.growth {
            growth.marks.push(mark);
        }
    }
}
