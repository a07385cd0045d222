//! The undo and redo history of one document: steps of edits and their inverses.
//!
//! Stores edits and applies none. A burst of typing is one step; it ends where the caret moves, with a
//! sentence or a line, at a paste and where a selection is replaced.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::renames::Rename;
use crate::typing::Typed;
use crate::wire::{Edit, Step};

/// Edits further apart than this are separate steps even if their burst key is equal.
const BURST_PAUSE: Duration = Duration::from_secs(2);

/// Maximum number of steps; the oldest are dropped first.
const LONGEST: usize = 10_000;

/// One step: its edits and their inverses.
#[derive(Debug, Clone, PartialEq)]
pub struct EditStep {
    /// What the author did, for the menu.
    pub label: String,
    /// The edits in the order in which they were applied.
    pub forward: Vec<Edit>,
    /// The inverse edits in the order in which to apply them.
    pub backward: Vec<Edit>,
    /// Whether the step changes the registry, not only the state.
    pub registry: bool,
    /// The names of another document that the step follows; none for a step of the author.
    pub(crate) follows: Vec<Rename>,
}

/// What an edit may be joined by to the one before.
#[derive(Debug)]
pub struct Burst {
    /// Equal for edits of the same thing.
    pub key: String,
    /// What was typed, if it is text.
    pub typed: Option<Typed>,
}

impl Burst {
    fn continues(&self, last: &Self) -> bool {
        let goes_on = match (&self.typed, &last.typed) {
            (Some(typed), Some(last)) => typed.continues(last),
            _ => true,
        };
        self.key == last.key && goes_on
    }
}

#[derive(Debug)]
struct NumberedStep {
    number: u64,
    step: EditStep,
}

/// The steps that can be undone and redone.
#[derive(Debug, Default)]
pub struct History {
    undo_stack: VecDeque<NumberedStep>,
    redo_stack: Vec<NumberedStep>,
    burst: Option<(Burst, Instant)>,
    numbered: u64,
    /// The mark before the oldest stored step.
    oldest_mark: u64,
}

impl History {
    /// Records a step that was just applied; joins it to the last one when both belong to a burst.
    pub fn record(&mut self, step: EditStep, burst: Option<Burst>, now: Instant) {
        self.redo_stack.clear();
        let joins = match (&self.burst, &burst) {
            (Some((last, at)), Some(burst)) => {
                burst.continues(last) && now.duration_since(*at) < BURST_PAUSE
            }
            _ => false,
        };
        self.burst = burst.map(|burst| (burst, now));
        match self.undo_stack.back_mut() {
            Some(last) if joins && last.step.registry == step.registry => {
                join(&mut last.step, &step);
                if is_nothing(&last.step) {
                    self.undo_stack.pop_back();
                    self.burst = None;
                }
            }
            _ => {
                if self.undo_stack.len() == LONGEST
                    && let Some(oldest) = self.undo_stack.pop_front()
                    && oldest.step.registry
                {
                    self.oldest_mark = oldest.number;
                }
                self.numbered += 1;
                self.undo_stack.push_back(NumberedStep {
                    number: self.numbered,
                    step,
                });
            }
        }
    }

    /// Identifies the state of the registry after the current steps: equal marks mean equal
    /// registries. End the burst before storing a mark.
    #[must_use]
    pub fn mark(&self) -> u64 {
        let last = self.undo_stack.iter().rev().find(|step| step.step.registry);
        last.map_or(self.oldest_mark, |step| step.number)
    }

    /// Identifies the last step; constant while a burst grows, 0 before the first step.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.undo_stack.back().map_or(0, |step| step.number)
    }

    /// What the steps that undo would revert and redo would repeat follow.
    pub(crate) fn follows(&self) -> [&[Rename]; 2] {
        let steps = [self.undo_stack.back(), self.redo_stack.last()];
        steps.map(|step| step.map_or(&[][..], |step| &step.step.follows))
    }

    /// Replaces the edits of all steps for which there is another one.
    pub(crate) fn replace(&mut self, other: &dyn Fn(&Edit) -> Option<Edit>) {
        let steps = self.undo_stack.iter_mut().chain(&mut self.redo_stack);
        for NumberedStep { step, .. } in steps {
            for edit in step.forward.iter_mut().chain(&mut step.backward) {
                if let Some(other) = other(edit) {
                    *edit = other;
                }
            }
        }
    }

    /// Ends a burst: the next edit is a separate step.
    pub fn end_burst(&mut self) {
        self.burst = None;
    }

    /// The step to take back, moved to the redo side.
    pub fn undo(&mut self) -> Option<&EditStep> {
        self.burst = None;
        self.redo_stack.push(self.undo_stack.pop_back()?);
        self.redo_stack.last().map(|step| &step.step)
    }

    /// The step to bring back, moved to the undo side.
    pub fn redo(&mut self) -> Option<&EditStep> {
        self.burst = None;
        self.undo_stack.push_back(self.redo_stack.pop()?);
        self.undo_stack.back().map(|step| &step.step)
    }

    /// Label of the step that undo would revert.
    #[must_use]
    pub fn undo_label(&self) -> Option<&str> {
        self.undo_stack.back().map(|step| step.step.label.as_str())
    }

    /// Label of the step that redo would repeat.
    #[must_use]
    pub fn redo_label(&self) -> Option<&str> {
        self.redo_stack.last().map(|step| step.step.label.as_str())
    }
}

/// Whether a step ends where it began: a value was typed, could not be read any more, and was put back.
fn is_nothing(step: &EditStep) -> bool {
    fn path(edit: &Edit) -> Option<&[Step]> {
        match edit {
            Edit::Set { path, .. } | Edit::Remove { path } => Some(path),
            _ => None,
        }
    }
    // Setting a value creates the objects around it, which the inverse removes.
    let Some(place) = step.backward.last().and_then(path) else {
        return false;
    };
    let is_inside = |edit| path(edit).is_some_and(|at| at.starts_with(place));
    step.forward.iter().all(is_inside) && step.forward.last() == step.backward.last()
}

/// Appends a step to the one before; typing on at the same place becomes one splice.
fn join(last: &mut EditStep, step: &EditStep) {
    for (forward, backward) in step.forward.iter().zip(step.backward.iter().rev()) {
        if let (Some(Edit::Splice { .. }), Edit::Splice { .. }) = (last.forward.last(), forward)
            && last.forward.len() == last.backward.len()
            && typed_on(last, forward)
        {
            continue;
        }
        last.forward.push(forward.clone());
        last.backward.insert(0, backward.clone());
    }
}

/// Extends the last splice by one that inserts right behind it; false when it does not.
fn typed_on(last: &mut EditStep, next: &Edit) -> bool {
    let Edit::Splice {
        path,
        at,
        delete: 0,
        insert,
    } = next
    else {
        return false;
    };
    let Some(Edit::Splice {
        path: before,
        at: start,
        insert: typed,
        ..
    }) = last.forward.last_mut()
    else {
        return false;
    };
    if before != path || *start as usize + typed.encode_utf16().count() != *at as usize {
        return false;
    }
    let Some(Edit::Splice { delete, .. }) = last.backward.first_mut() else {
        return false;
    };
    typed.push_str(insert);
    *delete += insert.encode_utf16().count() as u32;
    true
}
