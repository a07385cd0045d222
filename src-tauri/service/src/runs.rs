//! Runs of open documents: started, listened to, stopped, written down with everything it takes to
//! repeat them, and opened again.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use promptdeck_core::engine::{
    Control, Deltas, Plan, Provider, ProviderError, Request, Response, RunError, RunResult,
};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_provider::{Caller, Mock};
use promptdeck_store::Store;
use promptdeck_store::runs::{NewRun, Run, RunStatus as Kept};
use serde_json::{Map, Value, json};

use crate::studio::{Inner, lock};
use crate::wire::{Change, Event, Failure, RunEntry, RunHistory, RunOrder, RunStatus, RunStep};
use crate::{ServiceError, Studio, clock, connections, snapshots, tree};

/// The most seeds one order runs.
const MOST_SEEDS: u32 = 100;

/// The orders that are being worked on, by their number, and whether they are to stop.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    last: Mutex<u32>,
    stops: Mutex<HashMap<u32, Arc<AtomicBool>>>,
}

impl Orders {
    fn begin(&self) -> (u32, Arc<AtomicBool>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last += 1;
        let stop = Arc::new(AtomicBool::new(false));
        self.stops().insert(*last, Arc::clone(&stop));
        (*last, stop)
    }

    fn stops(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Arc<AtomicBool>>> {
        self.stops.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Studio {
    /// Starts what is ordered and answers with the order's number; the rest are events.
    pub fn start_runs(&self, document: &str, order: &RunOrder) -> Result<u32, ServiceError> {
        let store = self.inner.care.store()?;
        let session = self.inner.session(document)?;
        let (asked, model, target) = match &order.connection {
            None => (Asked::Mock(Mock::new()), String::new(), "mock".to_owned()),
            Some(name) => {
                let connection = connections::find(&store, name)?;
                let target = format!("{name}: {} {}", connection.kind, connection.base_url);
                let caller = connections::open(&connection)?;
                (Asked::Server(Box::new(caller)), connection.model, target)
            }
        };
        let session = lock(&session);
        let mut plan = Plan::new(session.engine().registry(), session.route())?;
        if !model.is_empty() {
            let mut generation = plan.generation().clone();
            generation.model = model;
            plan = plan.with_generation(generation);
        }
        let (number, stop) = self.inner.orders.begin();
        let work = Work {
            inner: Arc::clone(&self.inner),
            store,
            number,
            stop,
            document: document.to_owned(),
            file: snapshots::key(session.path()),
            content: serde_json::to_vec(&session.tree()["registry"])?,
            engine: session.engine().clone(),
            state: session.state().clone(),
            route: session.route().map(str::to_owned),
            seed: session.seed(),
            target: format!("{target} {}", plan.generation().model),
            plan,
            order: order.clone(),
        };
        drop(session);
        thread::Builder::new()
            .name("runs".to_owned())
            .spawn(move || work.all(asked))
            .map_err(ServiceError::Thread)?;
        Ok(number)
    }

    /// Stops an order; what arrived is kept. It may be over already.
    pub fn stop_runs(&self, order: u32) {
        if let Some(stop) = self.inner.orders.stops().get(&order) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// A stretch of a document's history, newest first.
    pub fn runs(
        &self,
        document: &str,
        offset: u32,
        limit: u32,
    ) -> Result<RunHistory, ServiceError> {
        let session = self.inner.session(document)?;
        let file = snapshots::key(lock(&session).path());
        let page = self.inner.care.store()?.runs(&file, offset, limit)?;
        Ok(RunHistory {
            runs: page.runs.iter().map(entry).collect::<Result<_, _>>()?,
            total: u32::try_from(page.total).unwrap_or(u32::MAX),
            damaged: page.damaged,
        })
    }

    /// Brings registry, state, route and seed of a run back into the document, as one step that
    /// can be undone.
    pub fn reopen_run(&self, document: &str, id: u32) -> Result<Change, ServiceError> {
        let store = self.inner.care.store()?;
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
        self.with(document, |session| {
            if session.modified() {
                self.inner
                    .snapshot_before(session, &format!("reopen run {id}"));
            }
            session.switch(&format!("Reopen run {id}"), &to)
        })
    }
}

/// One order, ready to be worked on without the document.
struct Work {
    inner: Arc<Inner>,
    store: Arc<Store>,
    number: u32,
    stop: Arc<AtomicBool>,
    document: String,
    file: String,
    content: Vec<u8>,
    engine: Engine,
    state: State,
    route: Option<String>,
    seed: Seed,
    target: String,
    plan: Plan,
    order: RunOrder,
}

impl Work {
    fn all(self, mut asked: Asked) {
        let mut done = 0;
        let mut problem = None;
        for number in 0..self.order.seeds.clamp(1, MOST_SEEDS) {
            let seed = if number == 0 {
                Ok(self.seed)
            } else {
                clock::draw_seed()
            };
            if let Err(fault) = seed.and_then(|seed| self.one(seed, &mut asked)) {
                problem = Some(Failure::from(fault));
                break;
            }
            done += 1;
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.inner.orders.stops().remove(&self.number);
        self.tell(RunStep::Over { done, problem });
    }

    /// One run, written down whatever comes of it. An error is ours, or says that nothing was sent.
    fn one(&self, seed: Seed, asked: &mut Asked) -> Result<(), ServiceError> {
        let call = Call {
            state: &self.state,
            route: self.route.as_deref(),
            seed,
        };
        let id = Cell::new(None);
        let mut recorded = Recorded {
            work: self,
            asked,
            seed,
            id: &id,
            fault: None,
        };
        let mut heard = Heard {
            work: self,
            id: &id,
            text: String::new(),
        };
        let result = if self.order.stream {
            self.plan
                .stream(&self.engine, &call, &mut recorded, &mut heard)
        } else {
            let mut provider = Stoppable {
                recorded: &mut recorded,
                heard: &mut heard,
            };
            self.plan.run(&self.engine, &call, &mut provider)
        };
        if let Some(fault) = recorded.fault {
            return Err(fault);
        }
        let Some(id) = id.get() else {
            return result.map(drop).map_err(ServiceError::from);
        };
        let (status, outcome) = outcome(&result, &heard.text)?;
        let run = self.store.finish_run(id, status, &outcome)?;
        let run = Box::new(entry(&run)?);
        self.tell(RunStep::Ended { run });
        Ok(())
    }

    fn tell(&self, step: RunStep) {
        self.inner.tell(Event::Run {
            document: self.document.clone(),
            order: self.number,
            step,
        });
    }
}

/// Who is asked.
enum Asked {
    Mock(Mock),
    Server(Box<Caller>),
}

impl Asked {
    fn provider(&mut self) -> &mut dyn Provider {
        match self {
            Self::Mock(mock) => mock,
            Self::Server(caller) => caller.as_mut(),
        }
    }

    /// The request as it is sent.
    fn exact(&self, request: &Request) -> Result<Value, ServiceError> {
        Ok(match self {
            Self::Mock(_) => json!({"address": null, "body": request}),
            Self::Server(caller) => {
                let (address, body) = caller.server().exact(&caller.prepared(request)?)?;
                json!({"address": address, "body": body})
            }
        })
    }
}

/// A provider whose run is written down before its first request is sent.
struct Recorded<'a> {
    work: &'a Work,
    asked: &'a mut Asked,
    seed: Seed,
    id: &'a Cell<Option<i64>>,
    fault: Option<ServiceError>,
}

impl Recorded<'_> {
    fn begin(&self, request: &Request) -> Result<i64, ServiceError> {
        let work = self.work;
        let run = work.store.begin_run(&NewRun {
            file: &work.file,
            target: &work.target,
            content: &work.content,
            state: &serde_json::to_string(&work.state)?,
            route: work.route.as_deref(),
            seed: self.seed.get(),
            request: &self.asked.exact(request)?.to_string(),
            started_at: clock::now_signed(),
        })?;
        let id = run.id;
        let run = Box::new(entry(&run)?);
        work.tell(RunStep::Begun { run });
        Ok(id)
    }
}

impl Provider for Recorded<'_> {
    fn name(&self) -> &str {
        match &*self.asked {
            Asked::Mock(mock) => mock.name(),
            Asked::Server(caller) => caller.name(),
        }
    }

    fn generate(
        &mut self,
        request: &Request,
        deltas: &mut dyn Deltas,
    ) -> Result<Response, ProviderError> {
        if self.id.get().is_none() {
            match self.begin(request) {
                Ok(id) => self.id.set(Some(id)),
                Err(fault) => {
                    let error = ProviderError::new(fault.code(), fault.to_string());
                    self.fault = Some(fault);
                    return Err(error);
                }
            }
        }
        self.asked.provider().generate(request, deltas)
    }
}

/// Passes pieces on to the page, and stops when the order is stopped.
struct Heard<'a> {
    work: &'a Work,
    id: &'a Cell<Option<i64>>,
    text: String,
}

impl Deltas for Heard<'_> {
    fn delta(&mut self, text: &str) -> Control {
        self.text.push_str(text);
        if let Some(id) = self.id.get() {
            self.work.tell(RunStep::Delta {
                id: number(id),
                text: text.to_owned(),
            });
        }
        self.control()
    }

    fn control(&mut self) -> Control {
        if self.work.stop.load(Ordering::Relaxed) {
            Control::Stop
        } else {
            Control::Continue
        }
    }
}

/// A run that is not streamed can be stopped all the same.
struct Stoppable<'a, 'b> {
    recorded: &'a mut Recorded<'b>,
    heard: &'a mut Heard<'b>,
}

impl Provider for Stoppable<'_, '_> {
    fn name(&self) -> &str {
        self.recorded.name()
    }

    fn generate(
        &mut self,
        request: &Request,
        _: &mut dyn Deltas,
    ) -> Result<Response, ProviderError> {
        self.recorded.generate(request, self.heard)
    }
}

fn outcome(
    result: &Result<RunResult, RunError>,
    heard: &str,
) -> Result<(Kept, String), ServiceError> {
    Ok(match result {
        Ok(result) => {
            let status = if result.accepted {
                Kept::Accepted
            } else {
                Kept::Rejected
            };
            (status, serde_json::to_string(result)?)
        }
        Err(error) => {
            let attempts = match error {
                RunError::Provider { attempts, .. } => attempts.as_slice(),
                _ => &[],
            };
            let status = if error.code() == "cancelled" {
                Kept::Stopped
            } else {
                Kept::Failed
            };
            let told = json!({
                "error": {"code": error.code(), "message": error.to_string()},
                "attempts": attempts,
                "partial": heard,
            });
            (status, told.to_string())
        }
    })
}

/// A run's number as the page gets it.
fn number(id: i64) -> u32 {
    u32::try_from(id).unwrap_or(u32::MAX)
}

fn entry(run: &Run) -> Result<RunEntry, ServiceError> {
    Ok(RunEntry {
        id: number(run.id),
        target: run.target.clone(),
        route: run.route.clone(),
        seed: run.seed,
        started_at: run.started_at.try_into().unwrap_or_default(),
        status: match run.status {
            Kept::Running => RunStatus::Running,
            Kept::Accepted => RunStatus::Accepted,
            Kept::Rejected => RunStatus::Rejected,
            Kept::Failed => RunStatus::Failed,
            Kept::Stopped => RunStatus::Stopped,
        },
        request: serde_json::from_str(&run.request)?,
        outcome: serde_json::from_str(&run.outcome)?,
    })
}
