//! Gemini's cached content: whether the cache that a session names holds its static layer, and the
//! request's reference to it.

use std::fmt::Write;

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{Cache, Session, canonical_json};
use crate::codes;

/// What a cache is recognised by: SHA-256, in hex, of the static text and the tools.
#[must_use]
pub fn content_hash(fixed: &str, tools: &[Value]) -> String {
    let mut hash = Sha256::new();
    hash.update(fixed);
    hash.update(canonical_json(&Value::Array(tools.to_vec())));
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// The session's cache when it holds exactly this content; otherwise says why it doesn't.
pub fn hit<'a>(
    session: &'a Session,
    hash: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<&'a Cache> {
    let cache = session.cache.as_ref()?;
    let reason = if cache.name.is_empty() {
        "it has no name".to_owned()
    } else if session.model.as_deref() != Some(cache.model.as_str()) {
        format!(
            "it was made for the model {:?}, not {:?}",
            cache.model,
            session.model.as_deref().unwrap_or_default()
        )
    } else if !cache.content_hash.eq_ignore_ascii_case(hash) {
        "the static layer or the tools are not what it was made of".to_owned()
    } else {
        match (session.now, cache.expires) {
            (Some(now), Some(expires)) if now < expires => return Some(cache),
            (Some(_), Some(_)) => "it has expired".to_owned(),
            (None, _) => "the session does not say what time it is (now)".to_owned(),
            (_, None) => "it does not say when it expires".to_owned(),
        }
    };
    diagnostics.push(Diagnostic::new(
        codes::CACHE_MISS,
        Severity::Note,
        format!("the cache {:?} is not used: {reason}", cache.name),
        "/cache",
        DiagnosticData::of(DataKey::Cache, cache.name.as_str()).with(DataKey::Reason, reason),
    ));
    None
}

/// Names the cached content in a request's body.
pub fn refer(body: &mut Map<String, Value>, cache: &Cache) {
    body.insert("cachedContent".to_owned(), Value::from(cache.name.as_str()));
}
