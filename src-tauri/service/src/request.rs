//! The request of an open registry and a call document for one of three targets, compared with the
//! previous one. State, route and seed are the window's, not those that the call document has for
//! the command line.

mod recent_requests;
mod request_view;

use std::sync::Arc;
use std::time::{Duration, Instant};

use promptdeck_core::hydrate::Engine;
use promptdeck_model::tokenizer::TokenCounter;
use promptdeck_request::build::{self, BuildContext, BuildError, BuiltRequest, Target};
use promptdeck_request::call::Call;
use promptdeck_request::pipeline::StageClock;
use promptdeck_request::target::{FamilyFormat, RenderChat};
use serde_json::Value;

pub(crate) use recent_requests::RecentRequests;
use recent_requests::{RecentRequest, Steps};

use crate::chat::receiver::{self, ChosenFormat};
use crate::open_documents::{FileDocument as _, lock};
use crate::studio::Inner;
use crate::wire::{Change, Event, RequestParams, RequestTarget, RequestView};
use crate::{ServiceError, Studio, calls, clock};

/// Built-in format used if the parameters name none.
const FAMILY: &str = "chatml";

/// A copy of a registry and a call, so that work on them holds no lock.
struct Subject {
    engine: Engine,
    call: Call,
    steps: Steps,
    /// The format chosen in the *Chat* tab, if the parameters name it.
    chosen: Option<ChosenFormat>,
}

impl Studio {
    /// The request of a registry and a call document. If it cannot be built, the view contains the
    /// reason and the known parts.
    ///
    /// # Errors
    /// If a document is not open.
    pub fn request(
        &self,
        document: &str,
        params: &RequestParams,
    ) -> Result<RequestView, ServiceError> {
        let subject = self.subject(document, params)?;
        Ok(self.compared_request(document, params, &subject))
    }

    /// The view of the request that another call makes in place of the given call document, and its
    /// body, unless it cannot be built.
    pub(crate) fn request_of(
        &self,
        document: &str,
        params: &RequestParams,
        call: Call,
    ) -> Result<(RequestView, Option<Value>), ServiceError> {
        let subject = self.subject(document, params)?.with_call(call);
        let counter: &dyn TokenCounter = self.inner.counter();
        Ok(match subject.request(params, counter) {
            Ok(built) => {
                let recent = subject.entry(&built);
                let view = request_view::request(
                    params,
                    &subject.call,
                    &subject.engine,
                    &built,
                    (&recent, None),
                    counter,
                );
                (view, Some(built.request.body))
            }
            Err(fault) => {
                let view = request_view::refused(params, &subject.call, &fault, counter);
                (view, None)
            }
        })
    }

    /// The body of that request.
    pub(crate) fn body_of(
        &self,
        document: &str,
        params: &RequestParams,
        call: Call,
    ) -> Result<Value, ServiceError> {
        let subject = self.subject(document, params)?.with_call(call);
        Ok(subject.request(params, self.inner.counter())?.request.body)
    }

    fn compared_request(
        &self,
        document: &str,
        params: &RequestParams,
        subject: &Subject,
    ) -> RequestView {
        let counter: &dyn TokenCounter = self.inner.counter();
        match subject.request(params, counter) {
            Ok(built) => {
                let recent = subject.entry(&built);
                let before = self.inner.requests.note(document, params, recent.clone());
                let answer = request_view::request(
                    params,
                    &subject.call,
                    &subject.engine,
                    &built,
                    (&recent, before.as_ref()),
                    counter,
                );
                if let Some(cache) = &answer.cache {
                    self.inner
                        .requests
                        .note_share(document, params, cache.share);
                }
                answer
            }
            Err(fault) => request_view::refused(params, &subject.call, &fault, counter),
        }
    }

    fn subject(&self, document: &str, params: &RequestParams) -> Result<Subject, ServiceError> {
        let is_chosen = params.target == RequestTarget::ChatTemplate
            && params.family.as_deref() == Some(receiver::CHOSEN);
        let chosen = is_chosen
            .then(|| self.chosen_format(document))
            .transpose()?;
        let session = self.inner.session(document)?;
        let (mut call, call_step) = match &params.call {
            None => (Call::default(), 0),
            Some(name) => {
                let call = self.inner.calls.get(name)?;
                let call = lock(&call);
                (call.call().clone(), call.copy().step_number())
            }
        };
        let session = lock(&session);
        call.state = session.state().clone();
        call.route = session.route().map(str::to_owned);
        call.seed = Some(session.seed());
        Ok(Subject {
            engine: session.engine().clone(),
            call,
            steps: (session.copy().step_number(), call_step),
            chosen,
        })
    }

    /// Renders a Jinja registry with the arguments of a call document from now on, or with none;
    /// returns the preview.
    ///
    /// # Errors
    /// If a document is not open.
    pub fn use_call(&self, document: &str, call: Option<&str>) -> Result<Change, ServiceError> {
        let used = match call {
            None => None,
            Some(name) => {
                let open = self.inner.calls.get(name)?;
                let call = Arc::new(lock(&open).call().clone());
                Some((name.to_owned(), call))
            }
        };
        let session = self.inner.session(document)?;
        let mut session = lock(&session);
        let change = session.use_call(used);
        if session.renders() {
            self.analysis.touch(document);
        }
        Ok(change)
    }
}

impl Inner {
    /// Updates the previews that are rendered with a call document's arguments, and returns the
    /// names of their registries.
    pub(crate) fn show_arguments(&self, name: &str) -> Vec<String> {
        let mut rendered_registries = Vec::new();
        let Ok(call) = self.calls.get(name) else {
            return rendered_registries;
        };
        for (registry, session) in self.sessions.all() {
            let mut session = lock(&session);
            if session.call_used() != Some(name) {
                continue;
            }
            let used = Arc::new(lock(&call).call().clone());
            let settings = session.status().call_settings;
            let change = session.use_call(Some((name.to_owned(), used)));
            if session.renders() {
                rendered_registries.push(registry);
            }
            if session.renders() || change.status.call_settings != settings {
                self.emit(Event::Previewed { change });
            }
        }
        rendered_registries
    }
}

impl Subject {
    /// The same with another call; state, route and seed stay the window's.
    fn with_call(self, call: Call) -> Self {
        let window = self.call;
        Self {
            call: Call {
                state: window.state,
                route: window.route,
                seed: window.seed,
                ..call
            },
            ..self
        }
    }

    fn entry(&self, built: &BuiltRequest) -> RecentRequest {
        RecentRequest {
            spans: built.request.spans.clone(),
            at: clock::now(),
            steps: self.steps,
            items: request_view::items(&built.evaluation),
            share: None,
        }
    }

    fn request(
        &self,
        params: &RequestParams,
        counter: &dyn TokenCounter,
    ) -> Result<BuiltRequest, BuildError> {
        let count = |text: &str| counter.count(text).tokens;
        let context = BuildContext {
            turn: &[],
            now: calls::now(),
            seed: self.call.seed.unwrap_or_default(),
            clock: &Stopwatch(Instant::now()),
            counter: &count,
        };
        let family;
        let target = match params.target {
            RequestTarget::Gemini => Target::Gemini,
            RequestTarget::Openai => Target::OpenAi,
            RequestTarget::ChatTemplate => {
                let format: &dyn RenderChat = match &self.chosen {
                    Some(chosen) => chosen,
                    None => {
                        family = FamilyFormat::named(params.family.as_deref().unwrap_or(FAMILY))?;
                        &family
                    }
                };
                Target::ChatTemplate(format)
            }
        };
        build::build(&self.call, &self.engine, target, &context)
    }
}

/// Time since the start of the request.
struct Stopwatch(Instant);

impl StageClock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
