//! When the provider's cache stands for the static layer, and when it is worth making a new one.

use std::fmt::Write;

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Cache, Session, Turn, buffered, weigh};
use crate::{codes, tokens::CountTokens};

/// What the last response says it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Tokens the provider took from its cache.
    pub cached_tokens: usize,
    /// Tokens of the whole prompt, the cached ones included.
    pub prompt_tokens: usize,
}

/// Whether the cache should be rebuilt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CachePlan {
    /// Whether it is worth it.
    pub rebuild: bool,
    /// Tokens sent beside the cache by the last request, the dynamic layer not counted.
    pub buffered_tokens: usize,
    /// The count above which it is worth it.
    pub threshold: usize,
    /// How many of the oldest turns the new cache would hold.
    pub cached_turn_count: usize,
    /// Tokens every later request would no longer send.
    pub saved_tokens: usize,
}

/// JSON with sorted keys, no blanks, and nothing escaped that needn't be.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    match value {
        Value::Array(entries) => {
            let entries: Vec<String> = entries.iter().map(canonical_json).collect();
            format!("[{}]", entries.join(","))
        }
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            let entries: Vec<String> = keys
                .into_iter()
                .map(|key| {
                    format!(
                        "{}:{}",
                        Value::from(key.as_str()),
                        canonical_json(&map[key])
                    )
                })
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        other => other.to_string(),
    }
}

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

/// Says whether the cache should be rebuilt, when the session tells from where on it matters. How
/// much is buffered is what the last response cost beside the cache, or what the turns weigh while
/// there is no response.
///
/// A new cache takes every turn up to the latest thing the user asked for: the exchange under way,
/// with the signature it needs, stays in the buffer.
pub fn plan(
    session: &Session,
    counter: &dyn CountTokens,
    volatile: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<CachePlan> {
    let threshold = session.cache_threshold?;
    let cached = session.cached_turns();
    let buffered_tokens = match session.usage {
        Some(usage) if usage.cached_tokens > usage.prompt_tokens => {
            diagnostics.push(Diagnostic::new(
                codes::BAD_USAGE,
                Severity::Warning,
                format!(
                    "{} tokens from the cache of a prompt of {} can't be; no cache is planned",
                    usage.cached_tokens, usage.prompt_tokens
                ),
                "/usage",
                DiagnosticData::of(DataKey::Tokens, usage.cached_tokens)
                    .with(DataKey::Maximum, usage.prompt_tokens),
            ));
            return None;
        }
        Some(usage) => {
            let beside = usage.prompt_tokens - usage.cached_tokens;
            beside.saturating_sub(counter.count(volatile))
        }
        None => {
            let turns = &session.turns[cached..];
            weigh(&buffered::contents(turns, cached, &mut Vec::new()), counter).1
        }
    };
    let asks = |turn: &Turn| matches!(turn, Turn::UserTask { .. }) && !turn.is_empty();
    let upto = session.turns.iter().rposition(asks);
    let upto = upto.unwrap_or(cached).max(cached);
    let moved = buffered::contents(&session.turns[cached..upto], cached, &mut Vec::new());
    let (_, moved_tokens) = weigh(&moved, counter);
    let rebuild = buffered_tokens > threshold && upto > cached;
    if rebuild {
        diagnostics.push(Diagnostic::new(
            codes::CACHE_REBUILD,
            Severity::Note,
            format!(
                "turns {cached} to {} move to the static layer: {buffered_tokens} buffered tokens \
                 exceed the cache_threshold of {threshold}; make a new cache and set \
                 cached_turn_count to {upto}",
                upto - 1
            ),
            "/cached_turn_count",
            DiagnosticData::of(DataKey::Turn, cached)
                .with(DataKey::LastTurn, upto - 1)
                .with(DataKey::Tokens, buffered_tokens)
                .with(DataKey::Maximum, threshold)
                .with(DataKey::Count, upto),
        ));
    }
    Some(CachePlan {
        rebuild,
        buffered_tokens,
        threshold,
        cached_turn_count: if rebuild { upto } else { cached },
        saved_tokens: if rebuild { moved_tokens } else { 0 },
    })
}
