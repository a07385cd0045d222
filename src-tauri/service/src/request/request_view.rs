//! A request for the page: the core's result as wire types, compared with the previous request.

use std::collections::BTreeMap;

use promptdeck_core::hydrate::{Engine, Evaluation, Origin};
use promptdeck_core::registry::Diagnostic;
use promptdeck_model::tokenizer::TokenCounter;
use promptdeck_request::block;
use promptdeck_request::build::{BuildError, BuiltRequest};
use promptdeck_request::cache_view;
use promptdeck_request::call::Call;
use promptdeck_request::layers::CachePlan;
use promptdeck_request::pipeline::TraceEntry;
use promptdeck_request::span::{SpanOrigin, joined};
use promptdeck_request::target;
use promptdeck_request::tools::ToolFormat;
use promptdeck_request::volatile::{Cause, Volatile};
use serde_json::Value;

use super::recent_requests::RecentRequest;
use crate::diff::text;
use crate::preview::{item_name, source};
use crate::saturating::saturating_u32;
use crate::wire::{
    Block, CacheNote, CacheStatus, ChangedSpan, DiagnosticNote, LayerItem, PlanNote, RequestParams,
    RequestTarget, RequestView, StageNote, VolatileCause, VolatileNote,
};
use crate::{analysis, calls};

/// The items used by each section, by name.
pub fn items(evaluation: &Evaluation) -> BTreeMap<String, Vec<String>> {
    evaluation
        .sections
        .iter()
        .map(|(name, section)| {
            let items = section.items.iter();
            let names = items.map(|item| item_name(item.id.as_deref(), item.index));
            (name.clone(), names.collect())
        })
        .collect()
}

/// The view of a request. `made` is its entry in the recent requests, `before` the one it is compared with.
pub fn request(
    params: &RequestParams,
    call: &Call,
    engine: &Engine,
    built: &BuiltRequest,
    (recent, before): (&RecentRequest, Option<&RecentRequest>),
    counter: &dyn TokenCounter,
) -> RequestView {
    let count = |text: &str| counter.count(text).tokens;
    let request = &built.request;
    let blocks = block::blocks(request, &count);
    let (chars, tokens) = cache_view::size(&request.spans, &count);
    let mut answer = RequestView {
        model: model(call, engine, &request.body),
        body: serde_json::to_string_pretty(&request.body).unwrap_or_default(),
        text: (params.target == RequestTarget::ChatTemplate)
            .then(|| request.body["prompt"].as_str().map(str::to_owned))
            .flatten(),
        characters: saturating_u32(chars),
        tokens: saturating_u32(tokens),
        cache: before.map(|before| {
            let rolled = |section: &str| {
                let section = built.evaluation.sections.get(section);
                section.is_some_and(|section| section.origin == Origin::Random)
            };
            cache(before, recent, &rolled, &blocks, &count)
        }),
        plan: request.plan.as_ref().map(plan),
        trace: built.trace.iter().map(stage).collect(),
        volatile: built.volatile.iter().map(volatile).collect(),
        diagnostics: request.diagnostics.iter().map(diagnostic).collect(),
        ..nothing(params, call, counter)
    };
    answer.blocks = blocks.into_iter().map(shown_block).collect();
    answer
}

/// The view of a request that cannot be built, with its known parts.
pub fn refused(
    params: &RequestParams,
    call: &Call,
    fault: &BuildError,
    counter: &dyn TokenCounter,
) -> RequestView {
    let trace = match fault {
        BuildError::Stage(stage) => stage.trace.as_slice(),
        _ => &[],
    };
    let format = match params.target {
        RequestTarget::Gemini => ToolFormat::Gemini,
        RequestTarget::Openai | RequestTarget::ChatTemplate => ToolFormat::OpenAi,
    };
    RequestView {
        trace: trace.iter().map(stage).collect(),
        diagnostics: target::lint(call, format).iter().map(diagnostic).collect(),
        problem: Some(fault.into()),
        ..nothing(params, call, counter)
    }
}

fn nothing(params: &RequestParams, call: &Call, counter: &dyn TokenCounter) -> RequestView {
    RequestView {
        params: params.clone(),
        model: String::new(),
        body: String::new(),
        text: None,
        blocks: Vec::new(),
        characters: 0,
        tokens: 0,
        tokenizer: counter.name().to_owned(),
        exact: counter.count("").exact,
        cache: None,
        plan: None,
        messages: saturating_u32(call.messages().len()),
        violations: calls::document::violations(call),
        trace: Vec::new(),
        volatile: Vec::new(),
        problem: None,
        diagnostics: Vec::new(),
    }
}

fn model(call: &Call, engine: &Engine, body: &Value) -> String {
    let registry = engine.registry();
    let routed = call
        .route
        .as_ref()
        .and_then(|route| registry.routes().get(route)?.generation.get("model"));
    let named = [
        body.get("model"),
        call.layers.get("model"),
        routed,
        registry.generation().get("model"),
    ];
    let mut named = named.into_iter().flatten().filter_map(Value::as_str);
    named.next().unwrap_or_default().to_owned()
}

fn diagnostic(diagnostic: &Diagnostic) -> DiagnosticNote {
    analysis::note(diagnostic.clone(), None)
}

fn shown_block(block: block::Block) -> Block {
    Block {
        name: block.name.to_owned(),
        keep: match block.keep {
            block::CacheStatus::Cacheable => CacheStatus::Cacheable,
            block::CacheStatus::Cached => CacheStatus::Cached,
            block::CacheStatus::PerCall => CacheStatus::PerCall,
            block::CacheStatus::NotYet => CacheStatus::NotYet,
            block::CacheStatus::Never => CacheStatus::Never,
        },
        characters: saturating_u32(block.chars),
        tokens: saturating_u32(block.tokens),
        holds: block
            .holds
            .iter()
            .map(|content| LayerItem {
                kind: content.kind.to_owned(),
                count: saturating_u32(content.count),
            })
            .collect(),
    }
}

fn plan(plan: &CachePlan) -> PlanNote {
    PlanNote {
        rebuild: plan.rebuild,
        buffered_tokens: saturating_u32(plan.buffered_tokens),
        threshold: saturating_u32(plan.threshold),
        cached_turns: saturating_u32(plan.cached_turn_count),
        saved_tokens: saturating_u32(plan.saved_tokens),
    }
}

fn stage(entry: &TraceEntry) -> StageNote {
    StageNote {
        stage: entry.stage.name().to_owned(),
        micros: saturating_u32(entry.micros),
        added: entry.added.clone(),
    }
}

fn volatile(volatile: &Volatile) -> VolatileNote {
    VolatileNote {
        section: volatile.section.clone(),
        cause: match volatile.cause {
            Cause::Random => VolatileCause::Random,
            Cause::Variable => VolatileCause::Variable,
            Cause::Expression => VolatileCause::Expression,
        },
        at: saturating_u32(volatile.at),
        gain: saturating_u32(volatile.gain),
    }
}

fn cache(
    before: &RecentRequest,
    made: &RecentRequest,
    rolled: &dyn Fn(&str) -> bool,
    blocks: &[block::Block],
    count: &dyn Fn(&str) -> usize,
) -> CacheNote {
    let view = cache_view::compare(&before.spans, &made.spans, &count);
    let (old_text, new_text) = (joined(&before.spans), joined(&made.spans));
    CacheNote {
        before_at: before.at,
        shared_characters: saturating_u32(view.shared_chars),
        characters: saturating_u32(view.chars),
        shared_tokens: saturating_u32(view.shared_tokens),
        tokens: saturating_u32(view.tokens),
        share: view.share_chars,
        was: before.share,
        change: view.first_change.map(|change| {
            let authored = match &change.origin {
                SpanOrigin::Section { source } => Some(source.clone()),
                SpanOrigin::Argument { source, .. } => source.clone(),
                _ => None,
            };
            let section = authored.as_ref().map(|source| &*source.section);
            let names = |recent: &RecentRequest| {
                let names = section.and_then(|section| recent.items.get(section));
                names.cloned().unwrap_or_default()
            };
            let (old, new) = (names(before), names(made));
            let other = old != new;
            ChangedSpan {
                at: saturating_u32(change.at),
                kind: kind(&change.origin).to_owned(),
                words: change.source,
                block: block_at(blocks, change.at),
                rolled: other && section.is_some_and(rolled),
                source: authored.map(source),
                parts: text::excerpt(&old_text, &new_text, change.at_byte),
                items_before: if other { old } else { Vec::new() },
                items_after: if other { new } else { Vec::new() },
            }
        }),
    }
}

fn kind(origin: &SpanOrigin) -> &'static str {
    match origin {
        SpanOrigin::Tools => "tools",
        SpanOrigin::Section { .. } => "section",
        SpanOrigin::Argument { .. } => "argument",
        SpanOrigin::Glue => "glue",
        SpanOrigin::Message { .. } => "message",
        SpanOrigin::Layer { .. } => "layer",
        SpanOrigin::Template => "template",
    }
}

/// The block that contains a character, with the blocks that are sent laid end to end.
fn block_at(blocks: &[block::Block], at: usize) -> Option<String> {
    let mut end = 0;
    blocks
        .iter()
        .filter(|block| block.keep != block::CacheStatus::Cached)
        .find(|block| {
            end += block.chars;
            at < end
        })
        .map(|block| block.name.to_owned())
}
