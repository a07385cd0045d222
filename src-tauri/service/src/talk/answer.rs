//! The turn of an answer on its way: written when its run begins, again while it streams, and when
//! it ends, so that a kill loses only the last moment.

use std::sync::Arc;
use std::time::{Duration, Instant};

use promptdeck_core::run::{RunError, RunResult};
use promptdeck_store::turns::{NewTurn, Turn, TurnState};

use super::record;
use crate::runs::active::RunDocument;
use crate::runs::record::Partial;
use crate::studio::Inner;
use crate::wire::Event;
use crate::{ServiceError, clock};

/// Interval at which a streaming turn is written.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);

/// The answer that a run produces in a conversation.
pub(crate) struct AnswerTurn {
    pub inner: Arc<Inner>,
    pub call: Option<String>,
    pub parent: Option<i64>,
    /// What comes before it, if it is a first turn and that is not what the call document has.
    pub before: Option<record::CallMessages>,
    pub model: String,
    pub turn: Option<Turn>,
    pub written_at: Instant,
}

impl AnswerTurn {
    /// Adds the turn when its run has begun; `file` is the key of the registry's file.
    pub fn begin(&mut self, run: i64, file: &str) -> Result<(), ServiceError> {
        let store = self.inner.store_handle.store()?;
        let outcome = record::TurnRecord {
            model: self.model.clone(),
            before: self.before.clone(),
            ..record::TurnRecord::default()
        };
        self.turn = Some(store.add_turn(&NewTurn {
            file,
            call: self.call.as_deref(),
            parent: self.parent,
            run: Some(run),
            created_at: clock::now_signed(),
            state: TurnState::Streaming,
            message: &record::message("", &[]).to_string(),
            outcome: &serde_json::to_string(&outcome)?,
        })?);
        self.written_at = Instant::now();
        Ok(())
    }

    /// Writes what has arrived, unless that was done a moment ago. A failure is not reported: the
    /// end of the turn is written once more.
    pub fn arrived(&mut self, partial: Partial<'_>) {
        if self.written_at.elapsed() < WRITE_INTERVAL {
            return;
        }
        self.written_at = Instant::now();
        if let (Some(turn), Ok(store)) = (&self.turn, self.inner.store_handle.store()) {
            let message = record::arrived(partial, turn.id).to_string();
            let _ = store.update_turn(turn.id, TurnState::Streaming, &message, &turn.outcome);
        }
    }

    /// Writes how the turn ended; `document` is the registry under the name it has by now.
    pub fn end(
        &mut self,
        result: &Result<RunResult, RunError>,
        partial: Partial<'_>,
        document: &RunDocument,
    ) -> Result<(), ServiceError> {
        let Some(turn) = &self.turn else {
            return Ok(());
        };
        let (state, mut message, mut outcome) = record::ended(result, &self.model, partial);
        outcome.before = self.before.take();
        record::number_calls(&mut message, turn.id);
        let store = self.inner.store_handle.store()?;
        let outcome = serde_json::to_string(&outcome)?;
        self.turn = Some(store.update_turn(turn.id, state, &message.to_string(), &outcome)?);
        self.report(document)
    }

    /// Shows the turn in the conversation of that registry.
    pub fn report(&self, document: &RunDocument) -> Result<(), ServiceError> {
        if let Some(turn) = &self.turn {
            let turn = record::turn(turn, &self.inner.active_runs.live())?;
            self.inner.emit(Event::Talk {
                folder: document.folder.clone(),
                document: document.name.clone(),
                call: self.call.clone(),
                turn: Box::new(turn),
            });
        }
        Ok(())
    }
}
