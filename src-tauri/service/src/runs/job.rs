//! Executes one batch of runs on a separate thread: runs each seed, streams its text to the page, and
//! records the run before it is sent and again when it ends.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use promptdeck_core::hydrate::{Call, Engine, Hydration, Seed, State};
use promptdeck_core::run::{
    Attempt, Control, Plan, PlannedRetry, Provider, ProviderError, Request, Response,
    StreamListener, ToolCall,
};
use promptdeck_provider::{HttpProvider, Mock};
use promptdeck_store::Store;
use promptdeck_store::runs::{NewRun, Run, RunStatus};
use serde_json::{Value, json};

use super::active::{ActiveBatch, LiveGuard, RunDocument};
use super::record::{self, Partial};
use crate::preview::Preview;
use crate::saturating::saturating_u32;
use crate::studio::Inner;
use crate::talk::answer::AnswerTurn;
use crate::wire::{Event, Failure, RunStep, RunSummary, ValueLabel};
use crate::{ServiceError, clock, panics};

/// Maximum number of seeds per batch.
const MOST_SEEDS: u32 = 100;

/// Interval at which the text of a run is written while it streams, so that a kill loses only the
/// last moment.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);

/// Pieces that arrive faster than this are sent to the page together.
const FLUSH_INTERVAL: Duration = Duration::from_millis(25);

/// One batch of runs, which needs no further access to the document.
pub(super) struct RunJob {
    pub inner: Arc<Inner>,
    pub store: Arc<Store>,
    pub batch: ActiveBatch,
    pub content: Vec<u8>,
    pub engine: Engine,
    pub state: State,
    pub route: Option<String>,
    pub seed: Seed,
    pub target: String,
    pub plan: Plan,
    pub seeds: u32,
    /// The turn of a conversation that the run answers.
    pub answer: RefCell<Option<AnswerTurn>>,
}

impl RunJob {
    /// Runs all seeds, unless it is stopped or nothing can be sent.
    pub fn all(self, mut run_target: RunTarget) {
        let mut done = 0;
        let mut problem = None;
        for number in 0..self.seeds.clamp(1, MOST_SEEDS) {
            let seed = if number == 0 {
                Ok(self.seed)
            } else {
                clock::draw_seed()
            };
            let run =
                seed.and_then(|seed| panics::catch("the run", || self.one(seed, &mut run_target))?);
            if let Err(fault) = run {
                problem = Some(Failure::from(fault));
                // It arrives no longer.
                if let Some(answer) = self.answer.borrow().as_ref() {
                    let _ = answer.report(&self.document());
                }
                break;
            }
            done += 1;
            if self.is_stopped() {
                break;
            }
        }
        self.inner.active_runs.stops().remove(&self.batch.number);
        self.emit(RunStep::Over { done, problem });
    }

    /// One run, written down whatever comes of it. An error is ours, or says that nothing was sent.
    fn one(&self, seed: Seed, run_target: &mut RunTarget) -> Result<(), ServiceError> {
        let call = Call {
            state: &self.state,
            route: self.route.as_deref(),
            seed,
        };
        // The run itself reports a call that cannot be hydrated.
        let hydration = self.engine.hydrate(&call).ok();
        let glance = self.glance(hydration.as_ref());
        let prompt = hydration
            .as_ref()
            .map(|hydration| self.plan.prompt(hydration));
        let prompt = prompt.and_then(Result::ok).unwrap_or_default();
        let id = Cell::new(None);
        let live_guard = LiveGuard {
            active: &self.inner.active_runs,
            id: &id,
        };
        let mut provider = RecordingProvider {
            work: self,
            run_target,
            seed,
            glance: &glance,
            id: &id,
            fault: None,
        };
        let mut live = LiveRun {
            work: self,
            id: &id,
            prompt: &prompt,
            glance: &glance,
            judged: Vec::new(),
            attempt: String::new(),
            calls: Vec::new(),
            unsent: String::new(),
            has_unsent_call: false,
            sent_at: Instant::now(),
            written_at: Instant::now(),
        };
        let result = self
            .plan
            .run_with_listener(&self.engine, &call, &mut provider, &mut live);
        if let Some(fault) = provider.fault {
            return Err(fault);
        }
        let Some(id) = id.get() else {
            return result.map(drop).map_err(ServiceError::from);
        };
        live.send();
        let finished = record::outcome(
            &result,
            (&prompt, hydration.as_ref()),
            &glance,
            live.partial(),
        )
        .and_then(|(status, outcome)| Ok(self.store.update_run(id, status, &outcome)?));
        let answered = match self.answer.borrow_mut().as_mut() {
            Some(answer) => answer.end(&result, live.partial(), &self.document()),
            None => Ok(()),
        };
        drop(live_guard);
        answered?;
        let run = Box::new(self.summary(&finished?, &glance)?);
        self.emit(RunStep::Ended { run });
        Ok(())
    }

    fn glance(&self, hydration: Option<&Hydration>) -> ValueLabel {
        hydration
            .map(|hydration| {
                Preview::of(hydration.clone(), &self.engine, &self.state, Duration::ZERO)
                    .roll_label()
            })
            .unwrap_or_default()
    }

    fn summary(&self, run: &Run, glance: &ValueLabel) -> Result<RunSummary, ServiceError> {
        let mut summary = record::summary(run, &self.inner.active_runs.live())?;
        summary.glance = glance.clone();
        Ok(summary)
    }

    /// The document, under the name and key it has by now.
    fn document(&self) -> RunDocument {
        self.inner.active_runs.document(self.batch.number)
    }

    fn is_stopped(&self) -> bool {
        self.batch.stop.load(Ordering::Relaxed)
    }

    fn emit(&self, step: RunStep) {
        self.inner.emit(Event::Run {
            document: self.document().name,
            batch: self.batch.number,
            step,
        });
    }
}

/// The target of the runs.
pub(super) enum RunTarget {
    Mock(Mock),
    Server(Box<HttpProvider>),
}

impl RunTarget {
    fn provider(&mut self) -> &mut dyn Provider {
        match self {
            Self::Mock(mock) => mock,
            Self::Server(caller) => caller.as_mut(),
        }
    }

    /// The exact request, and its model, which not every body contains.
    fn exact(&self, request: &Request) -> Result<Value, ServiceError> {
        let model = &request.generation.model;
        Ok(match self {
            Self::Mock(_) => json!({"address": null, "body": request, "model": model}),
            Self::Server(caller) => {
                let (address, body) = caller.server().exact(&caller.prepared(request)?)?;
                json!({"address": address, "body": body, "model": model})
            }
        })
    }
}

/// A provider that records the run before its first request is sent.
struct RecordingProvider<'a> {
    work: &'a RunJob,
    run_target: &'a mut RunTarget,
    seed: Seed,
    glance: &'a ValueLabel,
    id: &'a Cell<Option<i64>>,
    fault: Option<ServiceError>,
}

impl RecordingProvider<'_> {
    fn begin(&self, request: &Request) -> Result<(), ServiceError> {
        let work = self.work;
        let active = &work.inner.active_runs;
        let state = serde_json::to_string(&work.state)?;
        let request = self.run_target.exact(request)?.to_string();
        let run = active.write_under(work.batch.number, |document| {
            let run = work.store.begin_run(&NewRun {
                file: &document.key,
                target: &work.target,
                content: &work.content,
                state: &state,
                route: work.route.as_deref(),
                seed: self.seed.get(),
                request: &request,
                started_at: clock::now_signed(),
            })?;
            active.live().insert(run.id);
            self.id.set(Some(run.id));
            let mut answer = work.answer.borrow_mut();
            let begun = answer
                .as_mut()
                .map(|answer| answer.begin(run.id, &document.key));
            begun.transpose()?;
            Ok::<Run, ServiceError>(run)
        })?;
        if let Some(answer) = work.answer.borrow().as_ref() {
            answer.report(&work.document())?;
        }
        let summary = Box::new(work.summary(&run, self.glance)?);
        work.emit(RunStep::Begun { run: summary });
        Ok(())
    }
}

impl Provider for RecordingProvider<'_> {
    fn name(&self) -> &str {
        match &*self.run_target {
            RunTarget::Mock(mock) => mock.name(),
            RunTarget::Server(caller) => caller.name(),
        }
    }

    fn generate(
        &mut self,
        request: &Request,
        listener: &mut dyn StreamListener,
    ) -> Result<Response, ProviderError> {
        if self.id.get().is_none()
            && let Err(fault) = self.begin(request)
        {
            let error = ProviderError::new(fault.code(), fault.to_string());
            self.fault = Some(fault);
            return Err(error);
        }
        self.run_target.provider().generate(request, listener)
    }
}

/// Sends pieces and verdicts to the page, and stops the run when the batch is stopped.
struct LiveRun<'a> {
    work: &'a RunJob,
    id: &'a Cell<Option<i64>>,
    prompt: &'a str,
    glance: &'a ValueLabel,
    /// The attempts that ended.
    judged: Vec<Attempt>,
    /// Text received in the current attempt.
    attempt: String,
    /// Tool calls of the current attempt, as far as received.
    calls: Vec<ToolCall>,
    unsent: String,
    has_unsent_call: bool,
    sent_at: Instant,
    written_at: Instant,
}

impl LiveRun<'_> {
    fn partial(&self) -> Partial<'_> {
        Partial {
            text: &self.attempt,
            calls: &self.calls,
        }
    }

    fn send(&mut self) {
        let Some(id) = self.id.get() else {
            return;
        };
        let id = record::number(id);
        if !self.unsent.is_empty() {
            let text = std::mem::take(&mut self.unsent);
            self.work.emit(RunStep::Delta { id, text });
            self.sent_at = Instant::now();
        }
        if std::mem::take(&mut self.has_unsent_call) {
            let calls = self.calls.iter().map(record::call_view).collect();
            self.work.emit(RunStep::Calls { id, calls });
            self.sent_at = Instant::now();
        }
    }

    /// Takes note of a piece, and whether to go on.
    fn received(&mut self) -> Control {
        if let Some(answer) = self.work.answer.borrow_mut().as_mut() {
            answer.arrived(self.partial());
        }
        if self.written_at.elapsed() >= WRITE_INTERVAL {
            self.write();
        }
        self.control()
    }

    /// Writes what has been received. A failure is not reported: the end of the run is written once
    /// more.
    fn write(&mut self) {
        self.written_at = Instant::now();
        if let Some(id) = self.id.get() {
            let outcome =
                record::unfinished(&self.judged, self.prompt, self.glance, self.partial());
            let _ = self.work.store.update_run(id, RunStatus::Running, &outcome);
        }
    }
}

impl StreamListener for LiveRun<'_> {
    fn delta(&mut self, text: &str) -> Control {
        self.attempt.push_str(text);
        self.unsent.push_str(text);
        self.received()
    }

    fn call_delta(&mut self, index: usize, part: &ToolCall) -> Control {
        if self.calls.len() <= index {
            self.calls.resize(index + 1, ToolCall::default());
        }
        self.calls[index].append(part);
        self.has_unsent_call = true;
        self.received()
    }

    fn control(&mut self) -> Control {
        if self.sent_at.elapsed() >= FLUSH_INTERVAL {
            self.send();
        }
        if self.work.is_stopped() {
            Control::Stop
        } else {
            Control::Continue
        }
    }

    fn retrying(&mut self, retry: &PlannedRetry) {
        if let Some(id) = self.id.get() {
            self.work.emit(RunStep::Retrying {
                id: record::number(id),
                error: record::retry_view(&retry.error),
                number: retry.number,
                most: retry.most,
                pause_ms: saturating_u32(retry.pause.as_millis()),
            });
        }
    }

    fn judged(&mut self, attempt: &Attempt) {
        self.send();
        self.attempt.clear();
        self.calls.clear();
        self.judged.push(attempt.clone());
        self.write();
        if let Some(id) = self.id.get() {
            self.work.emit(RunStep::Judged {
                id: record::number(id),
                attempt: Box::new(record::attempt_view(attempt)),
            });
        }
    }
}
