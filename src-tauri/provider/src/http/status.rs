//! Maps an unsuccessful response to a fault, by its status and the error document that servers send
//! with it.

use std::time::{Duration, SystemTime};

use reqwest::{
    StatusCode, Url,
    header::{HeaderMap, LOCATION, RETRY_AFTER},
};
use serde_json::Value;

use crate::{
    base_url::place_of,
    fault::{Fault, FaultKind},
};

/// Maximum wait accepted from a server.
const LONGEST_WAIT: Duration = Duration::from_hours(24);

/// The fault of a response with this body.
pub(super) fn fault(
    status: StatusCode,
    headers: &HeaderMap,
    body: &str,
    url: &Url,
    place: String,
) -> Fault {
    let document: Value = serde_json::from_str(body).unwrap_or(Value::Null);
    if status.is_redirection() {
        let to = headers.get(LOCATION).and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| url.join(to).ok());
        return Fault::new(
            FaultKind::Redirected,
            place,
            to.as_ref().map(place_of).unwrap_or_default(),
        );
    }
    let message = message(&document).unwrap_or(if document.is_null() { body } else { "" });
    let detail = format!("{} {message}", status.as_u16());
    let mut fault = Fault::new(kind(status, &document, message), place, detail);
    fault.retry_after = asked_wait(headers).or_else(|| retry_delay(&document));
    fault
}

/// The fault if a document, in a stream or a successful response, is an error document.
pub(crate) fn fault_in_document(document: &Value, place: String) -> Option<Fault> {
    let error = document.get("error").filter(|error| !error.is_null())?;
    let status = ["code", "status_code"]
        .iter()
        .find_map(|key| error.get(key)?.as_u64())
        .and_then(|code| StatusCode::from_u16(u16::try_from(code).ok()?).ok())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let message = message(document).unwrap_or_default();
    let mut fault = Fault::new(kind(status, document, message), place, message);
    fault.retry_after = retry_delay(document);
    Some(fault)
}

fn kind(status: StatusCode, document: &Value, message: &str) -> FaultKind {
    if overflows(document, message) {
        return FaultKind::ContextOverflow;
    }
    if has_reason(document, "API_KEY_INVALID") {
        return FaultKind::Unauthorized;
    }
    match status.as_u16() {
        401 | 403 => FaultKind::Unauthorized,
        404 => FaultKind::NotFound,
        408 => FaultKind::Timeout,
        429 => FaultKind::RateLimited,
        400..500 => FaultKind::BadRequest,
        _ => FaultKind::Server,
    }
}

/// OpenAI, llama.cpp and Ollama send `error` as an object or a string, others only `message`.
fn message(document: &Value) -> Option<&str> {
    let error = document.get("error").unwrap_or(document);
    error
        .as_str()
        .or_else(|| error.get("message")?.as_str())
        .or_else(|| document.get("message")?.as_str())
        .or_else(|| document.get("detail")?.as_str())
}

fn overflows(document: &Value, message: &str) -> bool {
    const CODES: [&str; 2] = ["exceed_context_size_error", "context_length_exceeded"];
    const WORDS: [&str; 5] = [
        "context length",
        "context size",
        "context window",
        "input token count",
        "prompt is too long",
    ];
    let contains = |key: &str| {
        let code = document
            .get("error")
            .and_then(|error| error.get(key)?.as_str());
        code.is_some_and(|code| CODES.contains(&code))
    };
    let message = message.to_lowercase();
    contains("type")
        || contains("code")
        || (message.contains("exceed") || message.contains("maximum") || message.contains("long"))
            && WORDS.iter().any(|words| message.contains(words))
}

fn details(document: &Value) -> impl Iterator<Item = &Value> {
    document
        .pointer("/error/details")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn has_reason(document: &Value, reason: &str) -> bool {
    details(document).any(|detail| detail.get("reason").and_then(Value::as_str) == Some(reason))
}

/// Parses `Retry-After`, in seconds or as a date.
fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => httpdate::parse_http_date(text)
            .ok()?
            .duration_since(SystemTime::now())
            .unwrap_or_default(),
    };
    Some(wait.min(LONGEST_WAIT))
}

/// The wait in Gemini's error document, such as `34.07s`.
fn retry_delay(document: &Value) -> Option<Duration> {
    let text = details(document).find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    Some(Duration::try_from_secs_f64(seconds).ok()?.min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: u16, retry_after: &str, body: &str, expect: &str) {
        let mut headers = HeaderMap::new();
        if !retry_after.is_empty() {
            headers.insert(RETRY_AFTER, retry_after.parse().expect("a header"));
        }
        let status = StatusCode::from_u16(status).expect("a status");
        let url = Url::parse("http://h/v1/models").expect("a URL");
        let fault = fault(status, &headers, body, &url, String::new());
        let wait = fault.retry_after.map(|wait| format!(", wait {wait:?}"));
        let got = format!(
            "{}: {}{}",
            fault.code(),
            fault.detail,
            wait.unwrap_or_default()
        );
        assert_eq!(got, expect, "{body}");
    }

    #[test]
    fn statuses() {
        check(
            401,
            "",
            r#"{"error":{"message":"Invalid API Key"}}"#,
            "unauthorized: 401 Invalid API Key",
        );
        check(403, "", "", "unauthorized: 403");
        check(
            404,
            "",
            r#"{"error":"model 'x' not found"}"#,
            "not_found: 404 model 'x' not found",
        );
        check(
            400,
            "",
            r#"{"error":{"message":"no"}}"#,
            "bad_request: 400 no",
        );
        check(422, "", r#"{"detail":"top_p"}"#, "bad_request: 422 top_p");
        check(408, "", "", "timeout: 408");
        check(
            500,
            "",
            "<html>broken</html>",
            "server: 500 <html>broken</html>",
        );
        check(503, "2", "{}", "server: 503, wait 2s");
    }

    #[test]
    fn waits() {
        check(429, "7", "", "rate_limited: 429, wait 7s");
        check(429, "0.5", "", "rate_limited: 429, wait 500ms");
        check(
            429,
            "Wed, 21 Oct 2015 07:28:00 GMT",
            "",
            "rate_limited: 429, wait 0ns",
        );
        check(429, "1e30", "", "rate_limited: 429");
        check(429, "999999999", "", "rate_limited: 429, wait 86400s");
        check(429, "-1", "", "rate_limited: 429");
        check(429, "soon", "", "rate_limited: 429");
        let gemini = r#"{"error":{"message":"quota","details":[{"retryDelay":"34.5s"}]}}"#;
        check(429, "", gemini, "rate_limited: 429 quota, wait 34.5s");
    }

    #[test]
    fn context_overflows() {
        let llama = r#"{"error":{"code":400,"type":"exceed_context_size_error","message":"m"}}"#;
        check(400, "", llama, "context_overflow: 400 m");
        let openai = r#"{"error":{"code":"context_length_exceeded","message":"m"}}"#;
        check(400, "", openai, "context_overflow: 400 m");
        let gemini = "The input token count (9) exceeds the maximum number of tokens allowed (8).";
        check(
            400,
            "",
            &serde_json::json!({"error": {"message": gemini}}).to_string(),
            &format!("context_overflow: 400 {gemini}"),
        );
        let other = r#"{"error":{"message":"context size must be a number"}}"#;
        check(
            400,
            "",
            other,
            "bad_request: 400 context size must be a number",
        );
    }

    #[test]
    fn a_wrong_key_of_gemini() {
        let body = r#"{"error":{"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}"#;
        check(400, "", body, "unauthorized: 400 API key not valid.");
    }

    #[test]
    fn redirects_are_named_without_what_may_be_a_key() {
        let url = Url::parse("http://h/v1/models").expect("a URL");
        let check = |location: &str, expect: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(LOCATION, location.parse().expect("a header"));
            let fault = fault(StatusCode::FOUND, &headers, "", &url, String::new());
            assert_eq!(
                (fault.code(), fault.detail.as_str()),
                ("redirected", expect)
            );
        };
        check("https://elsewhere/?token=1", "https://elsewhere/");
        check("https://elsewhere/a#token=1", "https://elsewhere/a");
        check("https://me:token@elsewhere/a", "https://elsewhere/a");
        check("/login?next=%2Fv1", "http://h/login");
        check("//elsewhere", "http://elsewhere/");
        check("https://[", "");
    }
}
