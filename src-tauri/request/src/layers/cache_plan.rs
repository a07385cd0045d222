//! When a new cache is worth making, from what the requests send beside the present one.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde::Serialize;

use super::{Session, Turn, buffered, weigh};
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

/// Decides whether the cache should be rebuilt, if the session sets a threshold. The buffered size is
/// what the last response cost beside the cache, or the size of the turns while there is no response.
///
/// A new cache takes every turn up to the user's latest message: the exchange under way, with the
/// signature it needs, stays in the buffer.
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
                    "cached_tokens ({}) exceeds prompt_tokens ({}); no cache is planned",
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
            let contents = buffered::contents(session, turns, cached, &mut Vec::new());
            weigh(&contents, counter).1
        }
    };
    let asks = |turn: &Turn| matches!(turn, Turn::UserTask { .. }) && !turn.is_empty();
    let upto = session.turns.iter().rposition(asks);
    let upto = upto.unwrap_or(cached).max(cached);
    let moved = buffered::contents(
        session,
        &session.turns[cached..upto],
        cached,
        &mut Vec::new(),
    );
    let (_, moved_tokens) = weigh(&moved, counter);
    let rebuild = buffered_tokens > threshold && upto > cached;
    if rebuild {
        diagnostics.push(Diagnostic::new(
            codes::CACHE_REBUILD,
            Severity::Note,
            format!(
                "turns {} to {upto} move to the static layer: {buffered_tokens} buffered tokens exceed \
                 the cache_threshold of {threshold}; make a new cache and set cached_turn_count to \
                 {upto}",
                cached + 1
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
