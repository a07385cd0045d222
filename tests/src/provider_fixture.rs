//! Requests of the provider tests and checks of their results.

use std::{cell::Cell, time::Duration};

use promptdeck_core::{
    output::GenerationConfig,
    run::{Input, Message, Request, Response, Role},
};
use promptdeck_provider::{
    Arrived, CallLimits, Limits,
    base_url::BaseUrl,
    fault::Fault,
    secret::Secret,
    server::{Server, ServerKind},
};

/// A key that must never appear outside a request's header.
pub const PLANTED_KEY: &str = "sk-planted-7f3a9c21e5";

/// Limits small enough to reach in a test.
pub const TIGHT: Limits = Limits {
    connect: Duration::from_secs(5),
    idle: Duration::from_millis(150),
    body: 1 << 20,
    stream: 2 << 20,
    event: 1 << 16,
};

/// A server of a kind.
///
/// # Panics
/// If the address is not a base URL.
#[must_use]
pub fn server(kind: ServerKind, address: &str, key: Option<&str>) -> Server {
    let base = BaseUrl::parse(address).expect("a base URL");
    Server::new(kind, base, key.map(Secret::new), TIGHT).expect("a server")
}

/// A request for this many tokens without randomness.
#[must_use]
pub fn request(prompt: &str, max_tokens: u64, stream: bool) -> Request {
    Request {
        input: Input::Messages(vec![Message {
            role: Role::User,
            content: prompt.to_owned(),
        }]),
        generation: GenerationConfig {
            model: "tiny".to_owned(),
            temperature: 0.0,
            max_tokens,
            ..GenerationConfig::default()
        },
        stream,
    }
}

/// Result of a call: the pieces in order of arrival (one for a plain call), and its end.
#[derive(Debug)]
pub struct Outcome {
    /// Pieces of text.
    pub pieces: Vec<String>,
    /// The response or the fault.
    pub end: Result<Response, Fault>,
}

impl Outcome {
    /// The received text, and `ok` or the fault's code.
    #[must_use]
    pub fn text_and_code(&self) -> (String, &'static str) {
        (
            self.pieces.concat(),
            self.end.as_ref().map_or_else(Fault::code, |_| "ok"),
        )
    }
}

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// Number of server calls of this thread.
#[must_use]
pub fn calls() -> u32 {
    CALLS.get()
}

/// Calls a server; checks that a fault is one line, names its URL and hides the key.
///
/// # Panics
/// If a check fails.
pub fn call(server: &Server, request: &Request, limits: CallLimits<'_>) -> Outcome {
    CALLS.set(CALLS.get() + 1);
    let mut pieces = Vec::new();
    let end = server.call(request, limits, &mut |arrived| {
        if let Arrived::Text(text) = arrived {
            pieces.push(text.to_owned());
        }
    });
    if let (Ok(answer), false) = (&end, request.stream) {
        pieces.push(answer.text.clone());
    }
    if let Err(fault) = &end {
        let line = fault.to_string();
        assert!(line.starts_with("http") && !line.contains('\n'), "{line}");
        let says_the_way_out = line.contains("; ") || fault.code() == "cancelled";
        assert!(says_the_way_out, "no way out: {line}");
        assert!(!format!("{line}{fault:?}").contains(PLANTED_KEY), "{line}");
    }
    Outcome { pieces, end }
}

/// A time limit in milliseconds without cancellation.
#[must_use]
pub fn limits_with_timeout(timeout_ms: u64) -> CallLimits<'static> {
    CallLimits {
        timeout: Duration::from_millis(timeout_ms),
        is_stopped: &|| false,
    }
}
