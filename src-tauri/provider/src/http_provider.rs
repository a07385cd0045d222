//! The engine's provider over HTTP: one server, with the timeouts of the registry, retries after
//! temporary faults, and cancellation by the listener.

use std::{
    cell::{Cell, RefCell},
    fmt,
    time::Duration,
};

use promptdeck_chat::extract::{self, Markers};
use promptdeck_core::{
    plural::plural,
    run::{
        Control, Input, Message, PlannedRetry, Provider, ProviderError, Request, Response,
        RetriedError, StreamListener,
    },
};

use crate::{
    fault::{Fault, FaultKind},
    http::CallLimits,
    protocol::Arrived,
    server::{Server, ServerKind},
    transport_retry::Retry,
};

/// Renders a conversation to the text of a raw completion; the error is a message.
pub type Write = Box<dyn Fn(&[Message]) -> Result<String, String> + Send>;

/// A chat template for raw completions.
pub struct Template {
    /// Renders a conversation.
    pub write: Write,
    /// Markers of the model's final channel, if it has channels.
    pub markers: Option<Markers>,
}

/// Returns a random number from 0 to 1.
pub type Jitter = Box<dyn FnMut() -> f64 + Send>;

/// A provider that calls a server.
pub struct HttpProvider {
    name: String,
    server: Server,
    retry: Retry,
    jitter: Jitter,
    template: Option<Template>,
    budget: Budget,
}

/// Default number of requests per provider.
pub const MAX_REQUESTS: u32 = 1000;

impl HttpProvider {
    /// Calls `server` and repeats calls according to `retry`; `jitter` randomizes the pauses.
    #[must_use]
    pub fn new(server: Server, retry: Retry, jitter: Jitter) -> Self {
        Self {
            name: server.kind().name().to_owned(),
            server,
            retry,
            jitter,
            template: None,
            budget: Budget::of(MAX_REQUESTS),
        }
    }

    /// Names the provider in errors, instead of by its kind.
    #[must_use]
    pub fn with_name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Changes the budget of requests. Every request counts for the provider's lifetime: all runs,
    /// attempts after a rejected text, retries after a fault.
    #[must_use]
    pub fn with_max_requests(mut self, max_requests: u32) -> Self {
        self.budget = Budget::of(max_requests);
        self
    }

    /// Sets the chat template for conversations sent as raw completions.
    #[must_use]
    pub fn with_template(mut self, template: Template) -> Self {
        self.template = Some(template);
        self
    }

    /// The server that is called.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The request as sent: for a raw completion, a conversation is rendered to text.
    ///
    /// # Errors
    /// [`FaultKind::Unsupported`] if the chat template cannot render the conversation.
    pub fn prepared(&self, request: &Request) -> Result<Request, Fault> {
        let mut prepared = request.clone();
        if let (ServerKind::Completions, Input::Messages(messages), Some(template)) =
            (self.server.kind(), &request.input, &self.template)
        {
            let text = (template.write)(messages).map_err(|reason| {
                Fault::new(
                    FaultKind::Unsupported,
                    self.server.place(),
                    format!("chat template: {reason}"),
                )
            })?;
            prepared.input = Input::Text(text);
        }
        Ok(prepared)
    }
}

impl Provider for HttpProvider {
    fn name(&self) -> &str {
        &self.name
    }

    fn generate(
        &mut self,
        request: &Request,
        listener: &mut dyn StreamListener,
    ) -> Result<Response, ProviderError> {
        let prepared = self
            .prepared(request)
            .map_err(|fault| provider_error(&fault, &[]))?;
        let listener = RefCell::new(listener);
        let has_stopped = Cell::new(false);
        let has_begun = Cell::new(false);
        let is_stopped = || has_stopped.get() || listener.borrow_mut().control() == Control::Stop;
        let call_limits = CallLimits {
            timeout: Duration::from_millis(request.generation.timeout_ms),
            is_stopped: &is_stopped,
        };
        let (result, overcome) = self.retry.run(
            &mut self.jitter,
            &is_stopped,
            // A repeated call would deliver the beginning of the text twice.
            &|| !has_begun.get() && !self.budget.is_spent(),
            &mut |fault, number, pause| {
                listener.borrow_mut().retrying(&PlannedRetry {
                    error: retried_error(fault),
                    number,
                    most: self.retry.most.saturating_add(1),
                    pause,
                });
            },
            || {
                self.budget.spend(&self.server)?;
                self.server.call(&prepared, call_limits, &mut |arrived| {
                    has_begun.set(true);
                    let mut listener = listener.borrow_mut();
                    let control = match arrived {
                        Arrived::Text(text) => listener.delta(text),
                        Arrived::Call { index, part } => listener.call_delta(index, part),
                    };
                    if control == Control::Stop {
                        has_stopped.set(true);
                    }
                })
            },
        );
        match result {
            // The listener stopped at the last piece.
            Ok(_) if has_stopped.get() => Err(ProviderError::cancelled()),
            Ok(mut response) => {
                response.overcome = overcome.iter().map(retried_error).collect();
                if self.server.kind() == ServerKind::Completions {
                    let markers = self
                        .template
                        .as_ref()
                        .and_then(|template| template.markers.as_ref());
                    response.extracted = Some(extract::completion(&response.text, markers));
                }
                Ok(response)
            }
            Err(mut fault) => {
                let is_last = fault.kind.is_passing() && !has_begun.get();
                if is_last && self.budget.is_spent() && overcome.len() < self.retry.most as usize {
                    fault = fault.with_detail(&self.budget.spent());
                }
                Err(provider_error(&fault, &overcome))
            }
        }
    }
}

/// Remaining number of requests.
struct Budget {
    left: Cell<u32>,
    whole: u32,
}

impl Budget {
    fn of(requests: u32) -> Self {
        Self {
            left: Cell::new(requests),
            whole: requests,
        }
    }

    /// Takes one request from the budget.
    fn spend(&self, server: &Server) -> Result<(), Fault> {
        let Some(left) = self.left.get().checked_sub(1) else {
            return Err(Fault::new(
                FaultKind::RequestBudget,
                server.place(),
                self.spent(),
            ));
        };
        self.left.set(left);
        Ok(())
    }

    fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// That no request is left.
    fn spent(&self) -> String {
        let were = if self.whole == 1 { "was" } else { "were" };
        let requests = plural(self.whole as usize, "request");
        format!("{requests} {were} sent, and no more are allowed")
    }
}

impl fmt::Debug for HttpProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpProvider")
            .field("name", &self.name)
            .field("server", &self.server)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}

fn provider_error(fault: &Fault, overcome: &[Fault]) -> ProviderError {
    let mut error = ProviderError::new(fault.code(), fault.to_string());
    error.retry_after_ms = fault.retry_after.map(|wait| wait.as_millis() as u64);
    error.overcome = overcome.iter().map(retried_error).collect();
    error
}

fn retried_error(fault: &Fault) -> RetriedError {
    RetriedError {
        code: fault.code().to_owned(),
        message: fault.to_string(),
    }
}
