//! Resumes a loop over the messages at the last checkpoint of an earlier rendering whose observations
//! still hold.

use std::sync::Arc;

use super::checkpoint::{Checkpoint, LoopRecord, Position, is_kept};
use super::error::Result;
use super::interpreter::Interpreter;
use super::namespace::Namespace;
use super::observations::{Observed, interchangeable};
use super::value::Value;

impl Interpreter<'_> {
    /// Restores the last checkpoint of the earlier rendering whose observations hold, if there is one.
    pub(super) fn resume(&mut self, statement: usize, offset: usize) -> Result<Position> {
        let Some(recorder) = &mut self.recorder else {
            return Ok(Position::default());
        };
        let records = &mut recorder.past.records;
        let found = records
            .iter()
            .position(|record| (record.statement, record.offset) == (statement, offset));
        let mut past = match found.map(|at| records.swap_remove(at)) {
            Some(past) if self.has_same_names(&past) => past,
            _ => {
                self.count_reused(0);
                return Ok(Position::default());
            }
        };
        while let Some(last) = past.checkpoints.last() {
            if self.holds(&past, last) {
                break;
            }
            past.checkpoints.pop();
        }
        let position = self.restore(past)?;
        self.count_reused(match position.turn {
            0 => 0,
            turn => offset + turn,
        });
        Ok(position)
    }

    pub(super) fn count_reused(&mut self, messages: usize) {
        if let Some(recorder) = &mut self.recorder {
            recorder.reused = Some(
                recorder
                    .reused
                    .map_or(messages, |reused| reused.min(messages)),
            );
        }
    }

    /// Whether there are the same namespaces with the same attributes before the loop.
    fn has_same_names(&self, past: &LoopRecord) -> bool {
        let now = self
            .recorder
            .as_ref()
            .and_then(|recorder| recorder.records.last())
            .map_or(&[][..], |record| record.namespaces.as_slice());
        past.namespaces.len() == now.len()
            && past.namespaces.iter().zip(now).all(|((_, a), (_, b))| {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name)
            })
    }

    /// Whether everything observed up to a checkpoint still holds before this loop.
    fn holds(&self, past: &LoopRecord, checkpoint: &Checkpoint) -> bool {
        let Some(recorder) = &self.recorder else {
            return false;
        };
        if checkpoint.reach > recorder.past.same {
            return false;
        }
        let among: Vec<Arc<Namespace>> = past
            .namespaces
            .iter()
            .map(|record| record.0.clone())
            .collect();
        let same = |observed: Observed, before: &Value, now: &Value| match (observed, now) {
            (Observed::Nothing, _) => true,
            (Observed::IntRange(low, high), Value::Int(now)) => (low..=high).contains(now),
            (Observed::IntRange(..), _) => false,
            (Observed::Value, now) => interchangeable(
                (before, among.as_slice()),
                (now, self.namespaces.as_slice()),
            ),
        };
        let variables = checkpoint.variables.iter();
        let mut variables = variables.map(|(index, observed, before)| {
            let now = self.frames.root(*index);
            now.is_some_and(|now| same(*observed, before, now))
        });
        variables.all(|holds| holds)
            && past
                .namespaces
                .iter()
                .zip(&checkpoint.attributes)
                .zip(&self.namespaces)
                .all(|(((_, before), then), now)| {
                    let now = now.snapshot();
                    let all = then.iter().zip(before).zip(&now);
                    all.into_iter().all(|((then, before), now)| {
                        same(then.slot_use.observed, &before.value, &now.value)
                    })
                })
    }

    /// Takes over what was recorded up to the last checkpoint of a loop.
    fn restore(&mut self, mut past: LoopRecord) -> Result<Position> {
        let (Some(recorder), Some(last)) = (&mut self.recorder, past.checkpoints.pop()) else {
            return Ok(Position::default());
        };
        let reused_output = &mut recorder.past;
        let unchanged = recorder.reused_bytes == reused_output.base
            && self.out.len() == past.begin
            && reused_output
                .text
                .starts_with(&self.out[reused_output.base..]);
        if unchanged {
            recorder.reused_bytes = last.written;
        }
        if unchanged && reused_output.base == 0 {
            // Not copied: a conversation that grows message by message is copied once.
            self.out = std::mem::take(&mut reused_output.text);
            reused_output.text = self.out.split_off(last.written);
            reused_output.base = last.written;
        } else {
            let piece = past.begin - reused_output.base..last.written - reused_output.base;
            self.out.push_str(&reused_output.text[piece]);
        }
        recorder.watermark.raise(last.reach);
        let (base_limits, pool) = &recorder.limits;
        recorder.spared = recorder.spared.and(last.spent);
        let limits = match pool {
            Some(pool) => pool.lend(*base_limits, recorder.spared)?,
            None => *base_limits,
        };
        self.budget
            .resume(limits, self.budget.spent().and(last.spent));
        self.asked_time |= last.asked_time;
        for (index, observed, _) in &last.variables {
            self.frames.set_observed(*index, *observed);
        }
        for (namespace, attributes) in self.namespaces.iter().zip(&last.attributes) {
            namespace.replay(attributes);
        }
        if let Some(record) = recorder.records.last_mut() {
            let moved = |written: usize| written - past.begin + record.begin;
            for checkpoint in &mut past.checkpoints {
                checkpoint.written = moved(checkpoint.written);
            }
            let count = recorder.messages.len_for_now() - record.offset;
            // The one resumed at is recorded again before the next iteration.
            record.checkpoints = past.checkpoints;
            record
                .checkpoints
                .retain(|checkpoint| is_kept(checkpoint.position.turn, count));
        }
        Ok(last.position)
    }
}
