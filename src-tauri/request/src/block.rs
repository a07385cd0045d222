//! A request of any target as a stack of blocks, from its first character to its last: Gemini's
//! layers, or the tools, the prompt, the messages so far and the new one. For display; bodies are
//! built elsewhere.

use serde::Serialize;

use super::{
    layers::{ContentCount, layer_contents},
    span::{Span, SpanOrigin},
    target::Request,
    tokens::CountTokens,
};

/// Whether a provider can take a block from its cache the next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheStatus {
    /// It stays as it is from call to call.
    Cacheable,
    /// It is in the provider's cache already.
    Cached,
    /// It is made anew for each call.
    PerCall,
    /// It will be, once a later call repeats it.
    NotYet,
    /// It is the new part of this call.
    Never,
}

/// A block of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// `static`, `dynamic`, `buffered`, `trigger`, or `tools`, `prompt`, `history`, `message`.
    pub name: &'static str,
    /// Whether it can be kept.
    pub keep: CacheStatus,
    /// Its size in Unicode scalar values.
    pub chars: usize,
    /// Its size in tokens.
    pub tokens: usize,
    /// What is in it.
    pub holds: Vec<ContentCount>,
}

/// The blocks of a request, in the order the model reads them.
#[must_use]
pub fn blocks(request: &Request, counter: &dyn CountTokens) -> Vec<Block> {
    if request.layers.is_empty() {
        return of_spans(&request.spans, counter);
    }
    // The tools are sent before the layers and belong to none of them.
    let tools = request
        .spans
        .iter()
        .take_while(|span| span.origin == SpanOrigin::Tools);
    let tools: Vec<Span> = tools.cloned().collect();
    let layers = request.layers.iter().map(|layer| Block {
        name: layer.name,
        keep: match layer.name {
            "static" if layer.cached => CacheStatus::Cached,
            "static" => CacheStatus::Cacheable,
            "dynamic" => CacheStatus::PerCall,
            "buffered" => CacheStatus::NotYet,
            _ => CacheStatus::Never,
        },
        chars: layer.chars,
        tokens: layer.tokens,
        holds: layer.holds.clone(),
    });
    of_spans(&tools, counter)
        .into_iter()
        .chain(layers)
        .collect()
}

/// Which block a span belongs to; a template's own text belongs to what follows it.
fn name_of(origin: &SpanOrigin, last_message: Option<usize>) -> Option<&'static str> {
    match origin {
        SpanOrigin::Tools => Some("tools"),
        SpanOrigin::Section { .. } | SpanOrigin::Argument { .. } | SpanOrigin::Glue => {
            Some("prompt")
        }
        SpanOrigin::Message { index, role } => {
            let is_question =
                Some(*index) == last_message && matches!(role.as_str(), "user" | "tool");
            Some(if is_question { "message" } else { "history" })
        }
        SpanOrigin::Layer { .. } | SpanOrigin::Template => None,
    }
}

fn of_spans(spans: &[Span], counter: &dyn CountTokens) -> Vec<Block> {
    let last_message = spans.iter().rev().find_map(|span| match &span.origin {
        SpanOrigin::Message { index, .. } => Some(*index),
        _ => None,
    });
    let mut stack: Vec<(&'static str, String, usize)> = Vec::new();
    let mut before = String::new();
    let mut message = None;
    for span in spans {
        let Some(name) = name_of(&span.origin, last_message) else {
            before.push_str(&span.text);
            continue;
        };
        if stack.last().is_none_or(|(open, ..)| *open != name) {
            stack.push((name, String::new(), 0));
        }
        if let Some((_, text, messages)) = stack.last_mut() {
            text.push_str(&std::mem::take(&mut before));
            text.push_str(&span.text);
            if let SpanOrigin::Message { index, .. } = &span.origin
                && message.replace(*index) != Some(*index)
            {
                *messages += 1;
            }
        }
    }
    match stack.last_mut() {
        Some((_, text, _)) => text.push_str(&before),
        None if before.is_empty() => {}
        None => stack.push(("prompt", before, 0)),
    }
    stack
        .into_iter()
        .map(|(name, text, messages)| Block {
            name,
            keep: match name {
                "message" => CacheStatus::NotYet,
                _ => CacheStatus::Cacheable,
            },
            chars: text.chars().count(),
            tokens: counter.count(&text),
            holds: layer_contents::non_zero([("messages", messages)]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(index: usize, role: &str, text: &str) -> Span {
        let role = role.to_owned();
        Span::new(text, SpanOrigin::Message { index, role })
    }

    fn check(spans: &[Span], expected: &[(&str, CacheStatus, usize, usize)]) {
        let found: Vec<_> = of_spans(spans, &|text: &str| text.len())
            .iter()
            .map(|block| {
                let messages = block.holds.first().map_or(0, |content| content.count);
                (block.name, block.keep, block.chars, messages)
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_chat_completion_is_tools_prompt_history_and_message() {
        check(&[], &[]);
        check(
            &[
                Span::new("[tool]", SpanOrigin::Tools),
                Span::new("Be kind.", SpanOrigin::Glue),
                message(0, "user", "hi"),
                message(1, "assistant", "ho"),
                message(2, "user", "and?"),
            ],
            &[
                ("tools", CacheStatus::Cacheable, 6, 0),
                ("prompt", CacheStatus::Cacheable, 8, 0),
                ("history", CacheStatus::Cacheable, 4, 2),
                ("message", CacheStatus::NotYet, 4, 1),
            ],
        );
    }

    #[test]
    fn template_text_belongs_to_the_block_that_follows_it() {
        check(
            &[
                Span::new("<s>", SpanOrigin::Template),
                Span::new("Be kind.", SpanOrigin::Glue),
                Span::new("<u>", SpanOrigin::Template),
                message(0, "user", "hi"),
                Span::new("<a>", SpanOrigin::Template),
            ],
            &[
                ("prompt", CacheStatus::Cacheable, 11, 0),
                ("message", CacheStatus::NotYet, 8, 1),
            ],
        );
        check(
            &[Span::new("<a>", SpanOrigin::Template)],
            &[("prompt", CacheStatus::Cacheable, 3, 0)],
        );
    }

    #[test]
    fn a_conversation_that_waits_for_nobody_is_history_alone() {
        check(
            &[message(0, "user", "hi"), message(1, "assistant", "ho")],
            &[("history", CacheStatus::Cacheable, 4, 2)],
        );
    }
}
