//! HTTP for all providers: one request at a time over its own connection, with limits on time and
//! size, cancelled promptly. Independent of the providers' protocols.

mod client_error;
mod events;
mod status;

use std::{
    future::Future,
    ops::ControlFlow,
    pin::pin,
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use reqwest::{
    Client, Method, Request, Response, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue},
    redirect::{Attempt, Policy},
};
use rustls::crypto::ring;
use serde_json::Value;
use tokio::{
    runtime::{Builder, Runtime},
    time::{sleep, sleep_until},
};

pub(crate) use self::events::Framing;
use self::events::{Events, StreamError};
use crate::{
    base_url::{BaseUrl, place_of},
    fault::{Fault, FaultKind},
    scrub::scrub_queries,
    secret::Secret,
};

/// Interval at which the caller is asked whether to stop.
const TICK: Duration = Duration::from_millis(20);

/// Maximum number of redirects followed, only within one origin and without a key.
const MOST_REDIRECTS: usize = 5;

/// Limits on a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time to connect, including name resolution and TLS.
    pub connect: Duration,
    /// Maximum silence within a stream that has started.
    pub idle: Duration,
    /// Maximum size of a body that is not streamed, in bytes.
    pub body: usize,
    /// Maximum size of a whole stream, in bytes.
    pub stream: usize,
    /// Maximum size of one event of a stream, in bytes.
    pub event: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            body: 16 << 20,
            stream: 64 << 20,
            event: 1 << 20,
        }
    }
}

/// Time limit and cancellation of a call.
#[derive(Clone, Copy)]
pub struct CallLimits<'a> {
    /// Total time, including connecting.
    pub timeout: Duration,
    /// Polled every 20 ms; `true` cancels the call, even one blocked in a read.
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// How the key is sent.
#[derive(Clone, Debug)]
pub(crate) enum Auth {
    /// `Authorization: Bearer`.
    Bearer(Secret),
    /// A header of the provider.
    Header(HeaderName, Secret),
}

/// Connection settings of one server.
pub(crate) struct Transport {
    base: BaseUrl,
    auth: Option<Auth>,
    /// How to give a key, if there is none.
    missing_key: Option<String>,
    limits: Limits,
    client: Client,
    runtime: Runtime,
}

impl Transport {
    pub(crate) fn new(base: BaseUrl, auth: Option<Auth>, limits: Limits) -> Result<Self, Fault> {
        let setup_fault = |error: &dyn std::error::Error| {
            Fault::new(FaultKind::Unreachable, base.to_string(), error.to_string())
        };
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| setup_fault(&error))?;
        let client = client(&base, auth.is_some(), limits).map_err(|error| {
            Fault::new(
                FaultKind::Tls,
                base.to_string(),
                client_error::innermost(&error).to_string(),
            )
        })?;
        Ok(Self {
            base,
            auth,
            missing_key: None,
            limits,
            client,
            runtime,
        })
    }

    pub(crate) fn base(&self) -> &BaseUrl {
        &self.base
    }

    /// Sets how to give a key, for a server that asks for one.
    pub(crate) fn set_missing_key(&mut self, way_out: String) {
        self.missing_key = Some(way_out);
    }

    /// Requests a JSON document.
    pub(crate) fn get(&self, url: &Url, call_limits: CallLimits<'_>) -> Result<Value, Fault> {
        self.run(url, None, call_limits, async |exchange, response| {
            exchange.document(response).await
        })
    }

    /// Posts a JSON document and returns the response document.
    pub(crate) fn post(
        &self,
        url: &Url,
        body: &Value,
        call_limits: CallLimits<'_>,
    ) -> Result<Value, Fault> {
        self.run(url, Some(body), call_limits, async |exchange, response| {
            exchange.document(response).await
        })
    }

    /// Posts a JSON document and passes the streamed response to `on_event`, event by event, until
    /// it breaks or the stream ends. Returns whether `on_event` broke.
    pub(crate) fn stream(
        &self,
        url: &Url,
        body: &Value,
        framing: Framing,
        call_limits: CallLimits<'_>,
        on_event: &mut dyn FnMut(&str) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<bool, Fault> {
        self.run(url, Some(body), call_limits, async |exchange, response| {
            exchange.events(response, framing, on_event).await
        })
    }

    /// A fault of a response from `url`.
    pub(crate) fn fault(&self, kind: FaultKind, url: &Url, detail: &str) -> Fault {
        self.scrubbed(Fault::new(kind, place_of(url), self.scrub(detail)))
    }

    /// The fault if a document, in a stream or a successful response, is an error document.
    pub(crate) fn fault_in_document(&self, document: &Value, url: &Url) -> Option<Fault> {
        status::fault_in_document(document, place_of(url)).map(|fault| self.scrubbed(fault))
    }

    /// A URL for messages, without a key that the user put into the base URL's path.
    pub(crate) fn redacted(&self, url: &Url) -> String {
        match self.key() {
            Some(key) => key.scrub_answer(url.as_str()),
            None => url.to_string(),
        }
    }

    /// The key, if one is configured.
    pub(crate) fn key(&self) -> Option<&Secret> {
        match &self.auth {
            Some(Auth::Bearer(key) | Auth::Header(_, key)) => Some(key),
            None => None,
        }
    }

    fn scrubbed(&self, mut fault: Fault) -> Fault {
        fault.detail = self.scrub(&fault.detail);
        match self.key() {
            Some(key) => fault.place = key.scrub_answer(&fault.place),
            None if fault.kind == FaultKind::Unauthorized => {
                fault.missing_key.clone_from(&self.missing_key);
            }
            None => {}
        }
        fault
    }

    /// Removes the key, and anything else that looks like one, from a server's message.
    fn scrub(&self, text: &str) -> String {
        let text = scrub_queries(text);
        self.key().map_or(text.clone(), |key| key.scrub(&text))
    }

    fn run<T>(
        &self,
        url: &Url,
        body: Option<&Value>,
        call_limits: CallLimits<'_>,
        read: impl AsyncFnOnce(&Exchange<'_>, Response) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let exchange = Exchange {
            transport: self,
            url,
            deadline: Instant::now() + call_limits.timeout,
            call_limits,
        };
        self.runtime.block_on(async {
            let response = exchange.send(body).await?;
            read(&exchange, response).await
        })
    }

    fn request(&self, url: &Url, body: Option<&Value>) -> Result<Request, Fault> {
        let method = body.map_or(Method::GET, |_| Method::POST);
        let mut request = Request::new(method, url.clone());
        let headers = request.headers_mut();
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        );
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let (name, value) = match &self.auth {
            None => (None, String::new()),
            Some(Auth::Bearer(key)) => (Some(AUTHORIZATION), format!("Bearer {}", key.expose())),
            Some(Auth::Header(name, key)) => (Some(name.clone()), key.expose().to_owned()),
        };
        if let Some(name) = name {
            let mut value = HeaderValue::from_str(&value).map_err(|_| {
                self.fault(
                    FaultKind::Unauthorized,
                    url,
                    "the key contains characters that no key has",
                )
            })?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        if let Some(body) = body {
            *request.body_mut() = Some(body.to_string().into());
        }
        Ok(request)
    }
}

/// One request and its response.
struct Exchange<'a> {
    transport: &'a Transport,
    url: &'a Url,
    deadline: Instant,
    call_limits: CallLimits<'a>,
}

impl Exchange<'_> {
    async fn send(&self, body: Option<&Value>) -> Result<Response, Fault> {
        let request = self.transport.request(self.url, body)?;
        let response = self
            .guard(None, self.transport.client.execute(request))
            .await?
            .map_err(|error| self.failed(&error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status();
        let headers = response.headers().clone();
        // A message quotes one line, so reading more of an error page is useless.
        let body = self.body(response, 64 << 10).await.unwrap_or_default();
        // Remove the key before truncating, which might leave half of it.
        Err(self.transport.scrubbed(status::fault(
            status,
            &headers,
            &self.transport.scrub(&String::from_utf8_lossy(&body)),
            self.url,
            place_of(self.url),
        )))
    }

    async fn document(&self, response: Response) -> Result<Value, Fault> {
        let bytes = self.body(response, self.transport.limits.body).await?;
        serde_json::from_slice(&bytes)
            .map_err(|error| self.fault(FaultKind::InvalidResponse, &format!("not JSON: {error}")))
    }

    async fn body(&self, response: Response, limit: usize) -> Result<Vec<u8>, Fault> {
        let mut pieces = response.bytes_stream();
        let mut bytes = Vec::new();
        while let Some(piece) = self.guard(None, pieces.next()).await? {
            let piece = piece.map_err(|error| self.failed(&error))?;
            if bytes.len() + piece.len() > limit {
                return Err(self.stream_fault(&StreamError::TooLarge {
                    what: "answer",
                    limit,
                }));
            }
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    }

    async fn events(
        &self,
        response: Response,
        framing: Framing,
        on_event: &mut dyn FnMut(&str) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<bool, Fault> {
        if framing == Framing::Sse && !is_event_stream(&response) {
            // A server without streaming responds with one document; one that fails late, with an
            // error.
            let document = self.document(response).await?;
            return Ok(on_event(&document.to_string())?.is_break());
        }
        let mut events = Events::new(response.bytes_stream(), framing, self.transport.limits);
        // A model may take long to produce the first event; silence afterwards is a stall.
        let mut idle = None;
        while let Some(event) = self.guard(idle, events.next()).await? {
            let event = event.map_err(|error| self.stream_fault(&error))?;
            if on_event(&event)?.is_break() {
                return Ok(true);
            }
            idle = Some(self.transport.limits.idle);
        }
        Ok(false)
    }

    /// Awaits a future within the time limits and until cancelled.
    async fn guard<T>(
        &self,
        idle: Option<Duration>,
        future: impl Future<Output = T>,
    ) -> Result<T, Fault> {
        let mut future = pin!(future);
        let mut silence = pin!(sleep(idle.unwrap_or(self.call_limits.timeout)));
        let mut end = pin!(sleep_until(self.deadline.into()));
        loop {
            if (self.call_limits.is_stopped)() {
                return Err(self.fault(FaultKind::Cancelled, ""));
            }
            tokio::select! {
                biased;
                () = &mut end => {
                    let limit = self.call_limits.timeout.as_millis();
                    return Err(self.timeout_fault(&format!("not finished within {limit} ms")));
                }
                done = &mut future => return Ok(done),
                () = &mut silence => {
                    let limit = idle.unwrap_or(self.call_limits.timeout).as_millis();
                    return Err(self.timeout_fault(&format!("no data for {limit} ms")));
                }
                () = sleep(TICK) => {}
            }
        }
    }

    fn timeout_fault(&self, detail: &str) -> Fault {
        self.fault(FaultKind::Timeout, detail)
    }

    fn failed(&self, error: &reqwest::Error) -> Fault {
        let (kind, detail) = client_error::read(error);
        self.fault(kind, &detail)
    }

    fn stream_fault(&self, error: &StreamError) -> Fault {
        match error {
            StreamError::Read(error) => self.failed(error),
            StreamError::TooLarge { .. } => self.fault(FaultKind::TooLarge, &error.to_string()),
            StreamError::NotText => self.fault(FaultKind::InvalidResponse, &error.to_string()),
        }
    }

    fn fault(&self, kind: FaultKind, detail: &str) -> Fault {
        self.transport.fault(kind, self.url, detail)
    }
}

/// A client without connection reuse, since a server may have closed an idle connection unnoticed.
/// It follows redirects within one origin only, and none with a key. It uses the proxies of the
/// environment except for servers on this machine.
fn client(base: &BaseUrl, has_key: bool, limits: Limits) -> reqwest::Result<Client> {
    // Fails only if a provider is installed already.
    let _ = ring::default_provider().install_default();
    let builder = || {
        let builder = Client::builder()
            .user_agent(concat!("promptdeck/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(limits.connect)
            .pool_max_idle_per_host(0)
            .redirect(if has_key {
                Policy::none()
            } else {
                Policy::custom(stay)
            });
        // A proxy would resolve loopback to its own machine, and would read prompts meant to stay
        // here.
        if base.is_loopback() {
            builder.no_proxy()
        } else {
            builder
        }
    };
    match builder().build() {
        // Plain HTTP works on a system without certificates too.
        Err(_) if base.is_plain() => builder().tls_certs_only([]).build(),
        built => built,
    }
}

fn is_event_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// Follows a redirect within one origin that repeats the request as it is. Others would send a prompt
/// as a GET without it, whose answer explains nothing.
fn stay(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let repeats = [
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ];
    let is_same_origin = attempt
        .previous()
        .last()
        .is_some_and(|from| from.origin() == attempt.url().origin());
    if is_same_origin
        && repeats.contains(&attempt.status())
        && attempt.previous().len() <= MOST_REDIRECTS
    {
        attempt.follow()
    } else {
        attempt.stop()
    }
}
