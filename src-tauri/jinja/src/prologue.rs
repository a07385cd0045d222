//! Skips what a template does before its first loop over the messages: the next rendering restores the
//! state of the earlier one if no message that was accessed until then has changed.

use std::sync::Arc;

use super::checkpoint::LoopRecord;
use super::error::Result;
use super::interpreter::Interpreter;
use super::limits::Spent;
use super::value::Value;

/// The state before the first loop over the messages. Its output and namespaces are in the
/// [`LoopRecord`] of that loop.
pub(super) struct Prologue {
    /// The variables of the template itself; lists of messages are placeholders.
    variables: Vec<Value>,
    /// How many messages were accessed.
    reach: usize,
    spent: Spent,
    asked_time: bool,
}

impl Interpreter<'_> {
    /// The current state, if it can be restored and depends on some first messages only.
    pub(super) fn prologue(&self) -> Option<Prologue> {
        let reach = self.recorder.as_ref()?.watermark.reach()?;
        if !self.is_alone() {
            return None;
        }
        let attributes = self
            .namespaces
            .iter()
            .flat_map(|namespace| namespace.snapshot());
        if attributes
            .into_iter()
            .any(|attribute| attribute.value.holds_state())
        {
            return None;
        }
        let variables = self.frames.root_values().iter().map(|value| match value {
            // Restored with its attributes.
            Value::Namespace(_) => Some(value.clone()),
            value if value.holds_state() => None,
            value => Some(value.without_messages()),
        });
        Some(Prologue {
            variables: variables.collect::<Option<_>>()?,
            reach,
            spent: self.budget.spent(),
            asked_time: self.asked_time,
        })
    }

    /// Restores the state before the first loop over the messages from the earlier rendering, if it is
    /// the same now; returns the index of the loop's statement.
    pub(super) fn skip_prologue(&mut self) -> Result<Option<usize>> {
        let Some(recorder) = &mut self.recorder else {
            return Ok(None);
        };
        let past = &mut recorder.past;
        let same = past.same;
        let Some(LoopRecord {
            statement,
            begin,
            namespaces,
            prologue,
            ..
        }) = past.records.first_mut()
        else {
            return Ok(None);
        };
        let Some(prologue) = prologue.take_if(|prologue| prologue.reach <= same) else {
            return Ok(None);
        };
        self.out.push_str(&past.text[..*begin]);
        for (namespace, attributes) in namespaces {
            namespace.restore(attributes);
            self.namespaces.push(Arc::clone(namespace));
        }
        recorder.watermark.raise(prologue.reach);
        recorder.spared = prologue.spent.since(self.budget.spent());
        let (base_limits, pool) = &recorder.limits;
        let limits = match pool {
            Some(pool) => pool.lend(*base_limits, recorder.spared)?,
            None => *base_limits,
        };
        self.budget.resume(limits, prologue.spent);
        self.asked_time = prologue.asked_time;
        let messages = &recorder.messages;
        let variables = prologue.variables.into_iter().map(|value| match &value {
            Value::List(seq) => match seq.watched_from() {
                Some(0) => Value::List(Arc::clone(messages)),
                Some(offset) => messages
                    .tail(offset)
                    .map_or(value, |tail| Value::List(Arc::new(tail))),
                None => value,
            },
            _ => value,
        });
        self.frames.set_root_values(variables.collect());
        Ok(Some(*statement))
    }
}
