//! Runs of open documents: starting, stopping, listing, reopening. `job` executes a batch, `active`
//! lists those in progress, `record` is the stored form of a run.

pub(crate) mod active;
mod job;
pub(crate) mod record;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use promptdeck_core::hydrate::{Seed, State};
use promptdeck_core::run::Plan;
use promptdeck_provider::Mock;
use promptdeck_store::Store;
use serde_json::{Map, Value};

use self::active::{ActiveBatch, RunDocument};
use self::job::{RunJob, RunTarget};
use crate::open_documents::{FileDocument as _, lock};
use crate::saturating::saturating_u32;
use crate::studio::automatic_snapshots::prepare_before_switch;
use crate::talk::answer::AnswerTurn;
use crate::wire::{Change, RunDetail, RunHistory, RunParams, RunStarted};
use crate::{ServiceError, Studio, connections, snapshots, tree};

/// A target of runs with its key read: whatever else can refuse a run is the run's.
pub(crate) struct OpenedTarget {
    run_target: RunTarget,
    /// Model of the connection; empty for the registry's.
    model: String,
    /// How the history names it, before the model.
    label: String,
}

impl OpenedTarget {
    /// Opens a connection, or the mock model, which pauses after each word of a streamed response.
    ///
    /// # Errors
    /// If there is no such connection, or its key is missing or cannot be read.
    pub fn open(
        store: &Store,
        connection: Option<&str>,
        mock_pause: Duration,
    ) -> Result<Self, ServiceError> {
        let Some(name) = connection else {
            return Ok(Self {
                run_target: RunTarget::Mock(Mock::new().with_pause(mock_pause)),
                model: String::new(),
                label: "mock".to_owned(),
            });
        };
        let connection = connections::find(store, name)?;
        Ok(Self {
            run_target: RunTarget::Server(Box::new(connections::open(&connection)?)),
            label: format!("{name}: {} {}", connection.kind, connection.base_url),
            model: connection.model,
        })
    }
}

impl Studio {
    /// Starts a batch of runs; its progress is reported by events.
    ///
    /// # Errors
    /// If the document is not open, the call or the connection is invalid, or the store cannot be
    /// used.
    pub fn start_runs(
        &self,
        document: &str,
        params: &RunParams,
    ) -> Result<RunStarted, ServiceError> {
        // Opening a target may ask for a key.
        self.inner.session(document)?;
        let store = self.inner.store_handle.store()?;
        // Nobody waits for the words of many runs side by side.
        let target = OpenedTarget::open(&store, params.connection.as_deref(), Duration::ZERO)?;
        self.start_batch(document, target, params.seeds, None, None)
    }

    /// Starts the run that answers in a conversation.
    pub(crate) fn start_answer(
        &self,
        document: &str,
        target: OpenedTarget,
        plan: Plan,
        answer: AnswerTurn,
    ) -> Result<RunStarted, ServiceError> {
        self.start_batch(document, target, 1, Some(plan), Some(answer))
    }

    fn start_batch(
        &self,
        document: &str,
        target: OpenedTarget,
        seeds: u32,
        plan: Option<Plan>,
        answer: Option<AnswerTurn>,
    ) -> Result<RunStarted, ServiceError> {
        let OpenedTarget {
            run_target,
            model,
            label,
        } = target;
        let store = self.inner.store_handle.store()?;
        let session = self.inner.session(document)?;
        let session = lock(&session);
        let mut plan = match plan {
            Some(plan) => plan,
            None => {
                let plan = Plan::new(session.engine().registry(), session.route())?;
                match session.renders() {
                    true => plan.with_renderer(Arc::new(session.renderer()?)),
                    false => plan,
                }
            }
        };
        if !model.is_empty() {
            let mut generation = plan.generation().clone();
            generation.model = model;
            plan = plan.with_generation(generation);
        }
        let document = RunDocument {
            folder: self.inner.folder.path().display().to_string(),
            name: document.to_owned(),
            key: snapshots::key(session.copy().path()),
        };
        let batch = ActiveBatch::begin(&self.inner, document);
        let begun = RunStarted {
            batch: batch.number,
            attempts: plan.generation().attempts(),
        };
        let work = RunJob {
            inner: Arc::clone(&self.inner),
            store,
            batch,
            content: serde_json::to_vec(&session.copy().tree()["registry"])?,
            engine: session.engine().clone(),
            state: session.state().clone(),
            route: session.route().map(str::to_owned),
            seed: session.seed(),
            target: format!("{label} {}", plan.generation().model),
            plan,
            seeds,
            answer: RefCell::new(answer),
        };
        drop(session);
        thread::Builder::new()
            .name("runs".to_owned())
            .spawn(move || work.all(run_target))
            .map_err(ServiceError::Thread)?;
        Ok(begun)
    }

    /// Stops a batch and keeps the text received. It may have ended already.
    pub fn stop_runs(&self, batch: u32) {
        if let Some(stop) = self.inner.active_runs.stops().get(&batch) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// One page of a document's run history, newest first.
    ///
    /// # Errors
    /// If the document is not open or the store cannot be read.
    pub fn runs(
        &self,
        document: &str,
        offset: u32,
        limit: u32,
    ) -> Result<RunHistory, ServiceError> {
        let session = self.inner.session(document)?;
        let file = snapshots::key(lock(&session).copy().path());
        let page = self
            .inner
            .store_handle
            .store()?
            .runs(&file, offset, limit)?;
        let live = self.inner.active_runs.live().clone();
        let summaries = page.runs.iter().map(|run| record::summary(run, &live));
        Ok(RunHistory {
            runs: summaries.collect::<Result<_, _>>()?,
            total: saturating_u32(page.total),
            damaged: page.damaged,
        })
    }

    /// A run with all details.
    ///
    /// # Errors
    /// If there is no such run or it is damaged.
    pub fn run(&self, id: u32) -> Result<RunDetail, ServiceError> {
        let run = self.inner.store_handle.store()?.run(id.into())?;
        let live = self.inner.active_runs.live().clone();
        record::detail(&run, &live)
    }

    /// Deletes a run permanently.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn forget_run(&self, id: u32) -> Result<(), ServiceError> {
        Ok(self.inner.store_handle.store()?.forget_run(id.into())?)
    }

    /// Restores registry, state, route and seed of a run in the document, as one step that can be
    /// undone.
    ///
    /// # Errors
    /// If the document is not open, or the run is missing or damaged.
    pub fn reopen_run(&self, document: &str, id: u32) -> Result<Change, ServiceError> {
        let store = self.inner.store_handle.store()?;
        let run = store.run(id.into())?;
        let registry: Map<String, Value> = serde_json::from_slice(&store.content(&run.content)?)?;
        let state: State = serde_json::from_str(&run.state)?;
        let seed = Seed::new(run.seed).map_err(|fault| {
            ServiceError::BadPart(tree::BadPart {
                part: "seed",
                why: fault.to_string(),
            })
        })?;
        let to = tree::build(&registry, &state, run.route.as_deref(), seed);
        self.with_snapshot(document, |session| {
            let modified = session.copy().modified();
            let before =
                modified.then(|| prepare_before_switch(session, &format!("reopen run {id}")));
            (before, session.switch(&format!("Reopen run {id}"), &to))
        })
    }
}
