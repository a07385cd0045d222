//! Errors of calls to a model server, as a closed list of kinds with one line each. This module
//! decides whether a fault is temporary; `retry` repeats the call.

use std::{fmt, time::Duration};

use promptdeck_core::control_chars;
use serde::Serialize;

/// Kinds of faults, each with a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Nothing listens at the address.
    Refused,
    /// The host name does not resolve.
    Dns,
    /// The TLS handshake failed, or the certificate is not trusted.
    Tls,
    /// The host cannot be reached for another reason.
    Unreachable,
    /// The key is missing, invalid or lacks a permission.
    Unauthorized,
    /// The server has no such model or endpoint.
    NotFound,
    /// Too many requests.
    RateLimited,
    /// The server failed.
    Server,
    /// The response ended early.
    Truncated,
    /// The response violates the protocol.
    InvalidResponse,
    /// The time limit was exceeded.
    Timeout,
    /// The response exceeds the size limit.
    TooLarge,
    /// The user or the caller stopped the call.
    Cancelled,
    /// The server rejected the request as invalid.
    BadRequest,
    /// The prompt does not fit the model's context.
    ContextOverflow,
    /// The provider refused to answer this prompt.
    Blocked,
    /// The server redirects to another origin, which is not followed.
    Redirected,
    /// The base URL is invalid.
    InvalidUrl,
    /// This kind of server does not support the request.
    Unsupported,
    /// The run has used up its number of requests.
    RequestBudget,
}

impl FaultKind {
    /// Stable code of the kind.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Dns => "dns",
            Self::Tls => "tls",
            Self::Unreachable => "unreachable",
            Self::Unauthorized => "unauthorized",
            Self::NotFound => "not_found",
            Self::RateLimited => "rate_limited",
            Self::Server => "server",
            Self::Truncated => "truncated",
            Self::InvalidResponse => "invalid_response",
            Self::Timeout => "timeout",
            Self::TooLarge => "too_large",
            Self::Cancelled => "cancelled",
            Self::BadRequest => "bad_request",
            Self::ContextOverflow => "context_overflow",
            Self::Blocked => "blocked",
            Self::Redirected => "redirected",
            Self::InvalidUrl => "invalid_url",
            Self::Unsupported => "unsupported",
            Self::RequestBudget => "request_budget",
        }
    }

    /// Whether the same request may succeed a moment later.
    #[must_use]
    pub fn is_passing(self) -> bool {
        matches!(
            self,
            Self::Refused
                | Self::Dns
                | Self::Unreachable
                | Self::RateLimited
                | Self::Server
                | Self::Truncated
        )
    }

    /// Whether the code is of a fault of the connection itself, which every other prompt would have
    /// too.
    #[must_use]
    pub fn concerns_connection(code: &str) -> bool {
        const KINDS: [FaultKind; 10] = [
            FaultKind::Refused,
            FaultKind::Dns,
            FaultKind::Tls,
            FaultKind::Unauthorized,
            FaultKind::NotFound,
            FaultKind::Cancelled,
            FaultKind::Redirected,
            FaultKind::InvalidUrl,
            FaultKind::Unsupported,
            FaultKind::RequestBudget,
        ];
        KINDS.iter().any(|kind| kind.code() == code)
    }

    fn what(self) -> &'static str {
        match self {
            Self::Refused => "nothing answers",
            Self::Dns => "the host's name does not resolve",
            Self::Tls => "the TLS connection is not trusted",
            Self::Unreachable => "the host cannot be reached",
            Self::Unauthorized => "the key was not accepted",
            Self::NotFound => "not found on the server",
            Self::RateLimited => "too many requests",
            Self::Server => "the server failed",
            Self::Truncated => "the answer broke off",
            Self::InvalidResponse => "the answer cannot be understood",
            Self::Timeout => "no answer in time",
            Self::TooLarge => "the answer is too large",
            Self::Cancelled => "stopped",
            Self::BadRequest => "the server refused the request",
            Self::ContextOverflow => "the prompt does not fit the model's context",
            Self::Blocked => "the provider declined to answer",
            Self::Redirected => "the server redirects the request",
            Self::InvalidUrl => "the base URL cannot be used",
            Self::Unsupported => "this kind of server does not support the request",
            Self::RequestBudget => "no more requests may be sent",
        }
    }

    fn way_out(self) -> Option<&'static str> {
        Some(match self {
            Self::Refused => "start the server or correct the base URL",
            Self::Dns => "check the base URL and the network",
            Self::Tls => "check that the address is right and its certificate trusted here",
            Self::Unreachable => "check the network and the proxy settings",
            Self::Unauthorized => "set the connection's key again",
            Self::NotFound => "choose a model of the server's list and check the base URL",
            Self::RateLimited => "wait, or send fewer requests at once",
            Self::Server => "try again, and check the server's log if it persists",
            Self::Truncated => "run it again",
            Self::InvalidResponse => "check that the provider's kind fits the server",
            Self::Timeout => "raise generation.timeout_ms or use a faster model",
            Self::TooLarge => "lower generation.max_tokens",
            Self::Cancelled => return None,
            Self::BadRequest => "correct what the server names",
            Self::ContextOverflow => "shorten the prompt or load the model with a larger context",
            Self::Blocked => "change the prompt",
            Self::Redirected => "use that address as the base URL if you trust it",
            Self::InvalidUrl => "give one such as http://localhost:11434",
            Self::Unsupported => "choose another provider, or change the request",
            Self::RequestBudget => {
                "run fewer seeds at once, lower generation.retries, or allow more with --max-requests"
            }
        })
    }
}

/// A fault: what happened, where, the server's own message if any, and the way out, in one line.
/// Never contains a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// The requested URL, without query.
    pub place: String,
    /// Message of the server or the system, one line; empty if there was none.
    pub detail: String,
    /// Wait that the server demands before the next attempt.
    pub retry_after: Option<Duration>,
    /// How to give a key, if the server asks for one and none was sent.
    pub missing_key: Option<String>,
}

impl Fault {
    /// Creates a fault. A long or multi-line detail is truncated.
    pub fn new(kind: FaultKind, place: impl Into<String>, detail: impl AsRef<str>) -> Self {
        Self {
            kind,
            place: control_chars::escape(&place.into()).into_owned(),
            detail: one_line(detail.as_ref()),
            retry_after: None,
            missing_key: None,
        }
    }

    /// The same fault with a further detail.
    #[must_use]
    pub fn with_detail(mut self, detail: &str) -> Self {
        if !self.detail.is_empty() {
            self.detail.push_str("; ");
        }
        self.detail.push_str(detail);
        self
    }

    /// Stable code of its kind.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &self.missing_key {
            Some(_) => "a key is required, and none was sent",
            None => self.kind.what(),
        };
        write!(f, "{}: {what}", self.place)?;
        if !self.detail.is_empty() {
            write!(f, " ({})", self.detail)?;
        }
        if let Some(wait) = self.retry_after {
            write!(
                f,
                "; the server asks to wait {} s",
                wait.as_secs_f64().ceil()
            )?;
        }
        match self.missing_key.as_deref().or(self.kind.way_out()) {
            Some(way_out) => write!(f, "; {way_out}"),
            None => Ok(()),
        }
    }
}

/// Maximum length of a detail, in characters.
const LONGEST_DETAIL: usize = 300;

fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split(|c: char| c.is_whitespace() || control_chars::is_control(c)) {
        if word.is_empty() {
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.chars().count() > LONGEST_DETAIL {
            line = line.chars().take(LONGEST_DETAIL).collect();
            line.push('…');
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_with_place_and_way_out() {
        let mut fault = Fault::new(
            FaultKind::RateLimited,
            "http://localhost:1/v1/chat/completions",
            "slow\n down\u{1b}[0m\u{9b}\u{202e}",
        );
        fault.retry_after = Some(Duration::from_millis(1500));
        assert_eq!(
            fault.to_string(),
            "http://localhost:1/v1/chat/completions: too many requests (slow down [0m); \
             the server asks to wait 2 s; wait, or send fewer requests at once"
        );
    }

    #[test]
    fn a_long_detail_is_cut() {
        let fault = Fault::new(FaultKind::Server, "http://h/", "x".repeat(9000));
        assert_eq!(fault.detail.chars().count(), LONGEST_DETAIL + 1);
        assert!(fault.detail.ends_with('…'));
    }
}
