//! A model server that can be called: kind, base URL and key. Each call is a single attempt;
//! `retry` repeats calls.

use std::{fmt, str::FromStr};

use promptdeck_core::run::{Request, Response};
use reqwest::header::HeaderName;
use serde_json::Value;

use crate::{
    base_url::BaseUrl,
    fault::{Fault, FaultKind},
    http::{Auth, CallLimits, Limits, Transport},
    protocol::{
        self, Arrived, Protocol, chat::Chat, completions::Completions, gemini::Gemini,
        ollama::Ollama,
    },
    secret::Secret,
};

/// Supported kinds of servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerKind {
    /// Ollama's `/api/chat`.
    Ollama,
    /// OpenAI's `/v1/chat/completions`, supported by many servers.
    Openai,
    /// OpenAI's `/v1/completions`, for text rendered by a chat template.
    Completions,
    /// Gemini's `generateContent`.
    Gemini,
}

impl ServerKind {
    /// All kinds, in the order of menus and messages.
    pub const ALL: [Self; 4] = [Self::Ollama, Self::Openai, Self::Completions, Self::Gemini];

    /// Name on the command line and in the store.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ollama => "ollama",
            Self::Openai => "openai",
            Self::Completions => "completions",
            Self::Gemini => "gemini",
        }
    }

    /// Default base URL.
    #[must_use]
    pub fn usual_base_url(self) -> &'static str {
        match self {
            Self::Ollama => "http://localhost:11434",
            Self::Openai => "https://api.openai.com/v1",
            Self::Completions => "http://localhost:8080",
            Self::Gemini => "https://generativelanguage.googleapis.com",
        }
    }

    /// Body of a request.
    ///
    /// # Errors
    /// What the protocol cannot express.
    pub fn body(self, request: &Request) -> Result<Value, &'static str> {
        self.protocol().body(request)
    }

    fn protocol(self) -> &'static dyn Protocol {
        match self {
            Self::Ollama => &Ollama,
            Self::Openai => &Chat,
            Self::Completions => &Completions,
            Self::Gemini => &Gemini,
        }
    }

    fn auth(self, key: Secret) -> Auth {
        match self {
            Self::Ollama | Self::Openai | Self::Completions => Auth::Bearer(key),
            // Gemini also accepts the key in the query, but queries end up in logs.
            Self::Gemini => Auth::Header(HeaderName::from_static("x-goog-api-key"), key),
        }
    }
}

impl fmt::Display for ServerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of an unknown kind of server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no provider {0:?}; known are ollama, openai, completions and gemini")]
pub struct UnknownKind(pub String);

impl FromStr for ServerKind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownKind(name.to_owned()))
    }
}

/// A server ready to be called. Creating one sends nothing. Its methods block and must not be
/// called on a thread that runs an async runtime.
pub struct Server {
    kind: ServerKind,
    transport: Transport,
}

impl Server {
    /// Prepares calls to a server. `key` is sent in a header of each call and nowhere else.
    ///
    /// # Errors
    /// [`FaultKind::Tls`] or [`FaultKind::Unreachable`] if the HTTP client cannot be created.
    pub fn new(
        kind: ServerKind,
        base: BaseUrl,
        key: Option<Secret>,
        limits: Limits,
    ) -> Result<Self, Fault> {
        let transport = Transport::new(base, key.map(|key| kind.auth(key)), limits)?;
        Ok(Self { kind, transport })
    }

    /// Says how to give a key in the fault of a server that asks for one and got none.
    #[must_use]
    pub fn with_missing_key(mut self, way_out: String) -> Self {
        self.transport.set_missing_key(way_out);
        self
    }

    /// Kind of the server.
    #[must_use]
    pub fn kind(&self) -> ServerKind {
        self.kind
    }

    /// Base URL of the server.
    #[must_use]
    pub fn base(&self) -> &BaseUrl {
        self.transport.base()
    }

    /// Whether calls send a key.
    #[must_use]
    pub fn has_key(&self) -> bool {
        self.transport.key().is_some()
    }

    /// Base URL for messages, without a key that is part of its path.
    #[must_use]
    pub fn place(&self) -> String {
        let base = self.base().to_string();
        match self.transport.key() {
            Some(key) => key.scrub_answer(&base),
            None => base,
        }
    }

    /// URL and body of a request, without the key.
    ///
    /// # Errors
    /// [`FaultKind::Unsupported`] if the protocol cannot express the request.
    pub fn exact(&self, request: &Request) -> Result<(String, Value), Fault> {
        let protocol = self.kind.protocol();
        let address = protocol.address(self.base(), request);
        match protocol.body(request) {
            Ok(body) => Ok((self.transport.redacted(&address), body)),
            Err(reason) => Err(self
                .transport
                .fault(FaultKind::Unsupported, &address, reason)),
        }
    }

    /// Makes one attempt. What is streamed is passed to `listener` as it arrives; the response holds
    /// all of it.
    ///
    /// # Errors
    /// The [`Fault`] of the attempt.
    pub fn call(
        &self,
        request: &Request,
        call_limits: CallLimits<'_>,
        listener: &mut dyn FnMut(Arrived<'_>),
    ) -> Result<Response, Fault> {
        protocol::call(
            self.kind.protocol(),
            &self.transport,
            request,
            call_limits,
            listener,
        )
    }

    /// The names of the server's models. This call also tests a connection.
    ///
    /// # Errors
    /// The [`Fault`] of the request.
    pub fn models(&self, call_limits: CallLimits<'_>) -> Result<Vec<String>, Fault> {
        protocol::models(self.kind.protocol(), &self.transport, call_limits)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("kind", &self.kind)
            .field("base", &self.place())
            .finish_non_exhaustive()
    }
}
