//! A conversation written down, with where every part of the text came from: which message, and
//! which place of the template. Knows nothing of how it is shown.

use std::ops::Range;

use promptdeck_chat::builtin::Builtin;
use promptdeck_chat::format::ChatFormat;
use promptdeck_chat::incremental::{RenderDelta, first_break};
use promptdeck_chat::{RenderError, Request, Tool};
use promptdeck_jinja::Template;

use super::format::Format;
use crate::preview::count;
use crate::wire::ChatPlace;

/// A part of the text, from the end of the part before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Byte after its last.
    pub end: usize,
    /// Index of the message of the request that made it; one beyond the last for a message that
    /// the format adds.
    pub message: Option<usize>,
    /// The place of the template that wrote it.
    pub place: Option<ChatPlace>,
}

/// A text and its parts.
#[derive(Debug)]
pub struct MarkedText {
    /// The exact text.
    pub text: String,
    /// Its parts in order, without gaps.
    pub marks: Vec<Mark>,
    /// Byte from which on it is what the model goes on from.
    pub generation: usize,
    /// The bytes the template marks as what the model writes.
    pub generated: Vec<Range<usize>>,
}

/// Where a conversation stops growing at its end.
#[derive(Debug)]
pub struct Unstable {
    /// The message of the request whose coming changes the text so far.
    pub message: usize,
    /// The first byte that changes.
    pub from: usize,
    /// The text before, from there on.
    pub before: String,
    /// The text after, from there on.
    pub after: String,
    /// Who wrote that byte.
    pub by: Option<Mark>,
}

/// Whether a conversation grows at its end alone.
#[derive(Debug)]
pub enum Growth {
    /// It does.
    Appends,
    /// It does over this many messages; the renderings for the rest went beyond their budget.
    AppendsUpTo(usize),
    /// It does not.
    Breaks(Unstable),
}

/// Turns byte offsets of a template into places.
struct Lines<'a> {
    source: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(source: &'a str) -> Self {
        let ends = source
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        Self {
            source,
            starts: starts.collect(),
        }
    }

    fn place(&self, at: usize) -> ChatPlace {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line.saturating_sub(1)];
        let before = self.source.get(start..at).unwrap_or_default();
        ChatPlace {
            line: count(line),
            column: count(before.chars().count() + 1),
        }
    }
}

/// Writes a request down.
pub fn write(format: &Format, request: &Request) -> Result<MarkedText, RenderError> {
    match format {
        Format::Template { format, .. } => templated(format.template(), request),
        Format::Builtin(format) => builtin(format, request),
    }
}

fn templated(template: &Template, request: &Request) -> Result<MarkedText, RenderError> {
    let rendered = request.trace(template)?;
    let lines = Lines::of(template.source());
    let marks = rendered.spans.iter().map(|span| Mark {
        end: span.end,
        message: span.message,
        place: Some(lines.place(span.at)),
    });
    let marks = marks.collect();
    let closed = without_generation(request).map(|closed| closed.render(template));
    let generation = match closed {
        Some(Ok(closed)) if rendered.text.starts_with(&closed) => closed.len(),
        _ => rendered.text.len(),
    };
    let generated = rendered.generations.into_iter();
    Ok(MarkedText {
        text: rendered.text,
        marks,
        generation,
        generated: generated.map(|(start, end)| start..end).collect(),
    })
}

fn without_generation(request: &Request) -> Option<Request> {
    request.add_generation_prompt.then(|| Request {
        add_generation_prompt: false,
        ..request.clone()
    })
}

/// The first messages of a request, without a generation prompt.
fn beginning(request: &Request, messages: usize) -> Request {
    Request {
        messages: request.messages[..messages].to_vec(),
        add_generation_prompt: false,
        continue_field: None,
        ..request.clone()
    }
}

/// A builtin format tells no places; what a message adds to the text is what it made.
fn builtin(format: &Builtin, request: &Request) -> Result<MarkedText, RenderError> {
    let text = format.format_conversation(request)?;
    let messages = request.messages.len();
    let mut marks: Vec<Mark> = Vec::with_capacity(messages);
    // A format that takes back what it wrote would give parts that overlap; they only ever grow.
    let mut reached = 0;
    let mut end_at = |end: usize, message: Option<usize>| {
        reached = boundary(&text, end).max(reached);
        marks.push(Mark {
            end: reached,
            message,
            place: None,
        });
    };
    let tools = Tool::all(request.tools.as_ref());
    for (message, grown) in format.growth(&request.messages, &tools).enumerate() {
        // What stands whole in front of the first message is of a system message nobody wrote.
        let unwritten = grown.is_prefix.then_some(messages);
        end_at(grown.from, message.checked_sub(1).or(unwritten));
    }
    let closed = format.format_conversation(&beginning(request, messages))?;
    let generation = RenderDelta::between(&closed, text.clone()).from;
    end_at(generation, messages.checked_sub(1));
    end_at(text.len(), None);
    Ok(MarkedText {
        text,
        marks,
        generation: match request.add_generation_prompt {
            true => generation,
            false => usize::MAX,
        },
        generated: Vec::new(),
    })
}

/// The nearest place between two characters at or before a byte.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Whether the text so far is a prefix of the text after every message.
pub fn growth(format: &Format, request: &Request) -> Result<Growth, RenderError> {
    let messages = request.messages.len();
    match format {
        Format::Template { format, .. } => {
            let template = format.template();
            let found = first_break(template, &beginning(request, messages))?;
            if let Some(first) = found.first_break {
                let longer = templated(template, &beginning(request, first.message + 1))?;
                return Ok(Growth::Breaks(Unstable {
                    message: first.message,
                    from: first.from,
                    before: first.before,
                    after: first.after,
                    by: longer.marks.into_iter().find(|mark| mark.end > first.from),
                }));
            }
            match found.stopped {
                // One text alone was compared with none.
                Some(fault) if found.checked < 2 => Err(fault),
                Some(_) => Ok(Growth::AppendsUpTo(found.checked)),
                None => Ok(Growth::Appends),
            }
        }
        Format::Builtin(format) => {
            let tools = Tool::all(request.tools.as_ref());
            let is_system = |message: usize| {
                let role = request.messages[message]["role"].as_str();
                matches!(role, Some("system" | "developer"))
            };
            // A system message alone is closed early by some; nobody sends one.
            let grown = format.growth(&request.messages, &tools).enumerate().skip(1);
            let mut breaks = grown.filter(|(at, own)| !own.is_prefix && !is_system(at - 1));
            Ok(match breaks.next() {
                None => Growth::Appends,
                Some((message, own)) => Growth::Breaks(Unstable {
                    message,
                    from: own.from,
                    before: String::new(),
                    after: own.added.chars().take(80).collect(),
                    by: None,
                }),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::chat::format::FormatCache;
    use promptdeck_chat::family::Family;
    use promptdeck_chat::model_metadata::ModelMetadata;

    const TEMPLATE: &str = "{%- for message in messages %}\n<|{{ message.role }}|>\n\
        {{ message.content }}\n{% endfor %}\n{%- if add_generation_prompt %}<|a|>{% endif %}";

    fn format(template: Option<&str>, family: Family) -> Format {
        let brought = ModelMetadata {
            template: template.map(str::to_owned),
            family: Some(family),
            ..ModelMetadata::default()
        };
        FormatCache::default().format(brought).expect("a format")
    }

    fn request() -> Request {
        Request {
            add_generation_prompt: true,
            ..Request::of(vec![
                json!({"role": "system", "content": "S"}),
                json!({"role": "user", "content": "U"}),
            ])
        }
    }

    /// The text of each part with its message.
    fn parts(written: &MarkedText) -> Vec<(String, Option<usize>)> {
        let mut joined: Vec<(String, Option<usize>)> = Vec::new();
        let mut start = 0;
        for mark in &written.marks {
            let text = &written.text[start..mark.end];
            start = mark.end;
            match joined.last_mut() {
                Some((open, message)) if *message == mark.message => open.push_str(text),
                _ if text.is_empty() => {}
                _ => joined.push((text.to_owned(), mark.message)),
            }
        }
        assert_eq!(start, written.text.len());
        joined
    }

    fn part(text: &str, message: Option<usize>) -> (String, Option<usize>) {
        (text.to_owned(), message)
    }

    #[test]
    fn a_template_tells_message_and_place() {
        let written = write(&format(Some(TEMPLATE), Family::Generic), &request()).expect("a text");
        assert_eq!(
            parts(&written),
            [
                part("<|system|>\nS\n", Some(0)),
                part("<|user|>\nU\n", Some(1)),
                part("<|a|>", None),
            ]
        );
        assert_eq!(&written.text[written.generation..], "<|a|>");
        let content = written.marks.iter().find(|mark| mark.end == 12);
        let place = content.and_then(|mark| mark.place);
        assert_eq!(place, Some(ChatPlace { line: 3, column: 1 }));
    }

    #[test]
    fn a_text_kept_in_a_variable_is_still_of_its_message() {
        let check = |keep: &str, print: &str| {
            let template = std::format!(
                "{{%- set ns = namespace() %}}{keep}<|sys|>{{{{ {print} }}}}{{%- for m in \
                 messages[1:] %}}<|{{{{ m.role }}}}|>{{{{ m.content }}}}{{%- endfor %}}"
            );
            let format = format(Some(&template), Family::Generic);
            let mut request = request();
            request.add_generation_prompt = false;
            let written = write(&format, &request).expect("a text");
            let expected = [part("<|sys|>S", Some(0)), part("<|user|>U", Some(1))];
            assert_eq!(parts(&written), expected, "{keep}");
        };
        check("{%- set head = messages[0].content | trim %}", "head");
        check("{%- set ns.head = messages[0].content %}", "ns.head");
        check(
            "{%- set head = messages[0].content %}{%- set more = head + '' %}",
            "more",
        );
    }

    #[test]
    fn what_one_namespace_kept_is_not_taken_for_what_a_later_one_holds() {
        let template = "{%- macro line(mark, text) %}{%- set ns = namespace(own=mark) %}\
                        {{ ns.own }}{%- set ns.own = text %}{{ ns.own }}{%- endmacro %}\
                        {%- for m in messages %}{{ line('<', m.content) }}{%- endfor %}";
        let format = format(Some(template), Family::Generic);
        let mut request = request();
        request.add_generation_prompt = false;
        let written = write(&format, &request).expect("a text");
        assert_eq!(parts(&written), [part("<S", Some(0)), part("<U", Some(1))]);
    }

    #[test]
    fn what_one_macro_kept_is_not_taken_for_an_argument_of_another() {
        let template = "{%- macro keeps(m) %}{%- set own = m.content %}{{ own }}{%- endmacro %}\
                        {%- macro prints(a, b) %}{{ a ~ b }}{%- endmacro %}\
                        {{ keeps(messages[0]) }}\
                        {%- for m in messages[1:] %}{{ prints('<', '|>') }}{{ m.content }}\
                        {%- endfor %}";
        let format = format(Some(template), Family::Generic);
        let mut request = request();
        request.add_generation_prompt = false;
        let written = write(&format, &request).expect("a text");
        assert_eq!(parts(&written), [part("S", Some(0)), part("<|>U", Some(1))]);
    }

    #[test]
    fn a_builtin_format_tells_what_each_message_added() {
        let check = |family, expected: &[(String, Option<usize>)]| {
            let written = write(&format(None, family), &request()).expect("a text");
            assert_eq!(parts(&written), expected, "{family:?}");
        };
        check(
            Family::Qwen2,
            &[
                part("<|im_start|>system\nS<|im_end|>\n", Some(0)),
                part("<|im_start|>user\nU<|im_end|>\n", Some(1)),
                part("<|im_start|>assistant\n", None),
            ],
        );
        check(
            Family::Llama2,
            &[
                part("<s>[INST] <<SYS>>\nS\n<</SYS>>\n\n", Some(0)),
                part("U [/INST]", Some(1)),
            ],
        );
    }

    #[test]
    fn a_system_message_nobody_wrote_is_of_no_message() {
        let mut request = request();
        request.messages.remove(0);
        let written = write(&format(None, Family::Glm4), &request).expect("a text");
        let parts = parts(&written);
        let messages: Vec<_> = parts.iter().map(|(_, message)| *message).collect();
        assert_eq!(messages, [Some(1), Some(0), None]);
        assert!(parts[0].0.starts_with("<|system|>\n"), "{parts:?}");
        assert_eq!(parts[1].0, "<|user|>\nU");
    }

    #[test]
    fn what_rewrites_the_text_so_far_is_found() {
        let last_only =
            "{% for m in messages %}{% if loop.last %}!{% endif %}{{ m.content }}\n{% endfor %}";
        let found = growth(&format(Some(last_only), Family::Generic), &request());
        let Ok(Growth::Breaks(found)) = found else {
            panic!("{found:?}");
        };
        assert_eq!((found.message, found.from), (1, 0));
        assert_eq!(found.by.and_then(|mark| mark.message), Some(0));
        for family in [Family::Qwen3, Family::Llama2, Family::Llama3, Family::Glm4] {
            let found = growth(&format(None, family), &request());
            assert!(matches!(found, Ok(Growth::Appends)), "{family:?}");
        }
    }
}
