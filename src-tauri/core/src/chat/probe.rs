//! Finds out what a template can do by rendering it over small conversations with needles in them
//! and looking where the needles went. Every finding keeps the rendering that proves it.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::capability::Capabilities;
use super::extract::Markers;
use super::jinja::{Moment, Template};
use super::request::Request;

/// A finding: the capability, whether it holds, and what shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// The name of the field of [`Capabilities`].
    pub capability: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// What was looked for; empty when it is not about a needle.
    pub needle: String,
    /// The rendering that decided, or the error of the template.
    pub rendered: String,
}

/// The clock of all probes.
#[must_use]
pub fn moment() -> Option<Moment> {
    Moment::new((2024, 7, 26), (9, 5, 3), 0)
}

const USER: &str = "NEEDLE-USER";
const SYSTEM: &str = "NEEDLE-SYSTEM";
const TOOL: &str = "needle_tool";
const ARGUMENT: &str = "NEEDLE-ARGUMENT";
const ANSWER: &str = "NEEDLE-ANSWER";
const REASONING: &str = "NEEDLE-REASONING";
/// Nine letters and digits: what the strictest templates take for the id of a call.
const IDS: [&str; 2] = ["needle001", "needle002"];

struct Probe<'a> {
    template: &'a Template,
    proofs: Vec<Proof>,
}

fn user() -> Json {
    json!({"role": "user", "content": USER})
}

fn assistant(content: &str) -> Json {
    json!({"role": "assistant", "content": content})
}

fn tool(name: &str) -> Json {
    json!({"type": "function", "function": {
        "name": name, "description": "A tool.",
        "parameters": {"type": "object", "properties": {
            "argument": {"type": "string", "description": "An argument."}},
            "required": ["argument"]},
    }})
}

fn call(index: usize, name: &str, arguments: Json) -> Json {
    json!({"id": IDS[index], "type": "function",
           "function": {"name": name, "arguments": arguments}})
}

fn calling(calls: Vec<Json>) -> Json {
    json!({"role": "assistant", "content": "", "tool_calls": calls})
}

fn object() -> Json {
    json!({"argument": ARGUMENT})
}

fn answer(index: usize, content: Json) -> Json {
    json!({"role": "tool", "tool_call_id": IDS[index], "name": TOOL, "content": content})
}

/// The capabilities of a template, each with its proof.
#[must_use]
pub fn probe(template: &Template) -> (Capabilities, Vec<Proof>) {
    let mut own = Probe {
        template,
        proofs: Vec::new(),
    };
    let mut found = Capabilities::default();
    own.roles(&mut found);
    own.tools(&mut found);
    own.content(&mut found);
    own.thinking(&mut found);
    own.text(&mut found);
    (found, own.proofs)
}

impl Probe<'_> {
    fn request(messages: Vec<Json>) -> Request {
        Request {
            messages,
            bos_token: Some("<needle-bos>".into()),
            eos_token: Some("<needle-eos>".into()),
            now: moment(),
            ..Request::default()
        }
    }

    fn render(&self, request: &Request) -> Result<String, String> {
        request
            .render(self.template)
            .map_err(|error| error.to_string())
    }

    fn note(
        &mut self,
        capability: &'static str,
        needle: &str,
        holds: bool,
        rendered: Result<String, String>,
    ) -> bool {
        self.proofs.push(Proof {
            capability,
            holds,
            needle: needle.to_owned(),
            rendered: rendered.unwrap_or_else(|error| error),
        });
        holds
    }

    /// Whether a needle is shown.
    fn shows(&mut self, capability: &'static str, needle: &str, request: &Request) -> bool {
        let rendered = self.render(request);
        let holds = rendered.as_ref().is_ok_and(|text| text.contains(needle));
        self.note(capability, needle, holds, rendered)
    }

    fn roles(&mut self, found: &mut Capabilities) {
        let system = json!({"role": "system", "content": SYSTEM});
        let request = Self::request(vec![system, user()]);
        found.supports_system_role = self.shows("supports_system_role", SYSTEM, &request);
        let developer = json!({"role": "developer", "content": SYSTEM});
        let request = Self::request(vec![developer, user()]);
        found.supports_developer_role = self.shows("supports_developer_role", SYSTEM, &request);
        let one = self.render(&Self::request(vec![user()]));
        let two = self.render(&Self::request(vec![user(), user()]));
        let refused = one.is_ok() && two.is_err();
        found.requires_alternation = self.note("requires_alternation", "", refused, two);
    }

    fn tools(&mut self, found: &mut Capabilities) {
        let offered = |messages: Vec<Json>| Request {
            tools: Some(json!([tool(TOOL)])),
            ..Self::request(messages)
        };
        found.supports_tools = self.shows("supports_tools", TOOL, &offered(vec![user()]));
        let closed = |message: Json| {
            offered(vec![
                user(),
                message,
                answer(0, json!(ANSWER)),
                assistant("Done."),
            ])
        };
        let by_object = closed(calling(vec![call(0, "needle_called", object())]));
        let text = object().to_string();
        let by_text = closed(calling(vec![call(0, "needle_called", Json::String(text))]));
        let shown = |rendered: &Result<String, String>| {
            rendered
                .as_ref()
                .is_ok_and(|text| text.contains("needle_called") && text.contains(ARGUMENT))
        };
        // An object printed through `tojson` twice is a text with escaped quotes in it.
        let plain = |rendered: &Result<String, String>| {
            shown(rendered)
                && rendered
                    .as_ref()
                    .is_ok_and(|text| !text.contains("\\\"argument"))
        };
        let (object_text, string_text) = (self.render(&by_object), self.render(&by_text));
        let (with_object, with_string) = (shown(&object_text), shown(&string_text));
        let (object_plain, string_plain) = (plain(&object_text), plain(&string_text));
        found.supports_tool_calls = self.note(
            "supports_tool_calls",
            "needle_called",
            with_object || with_string,
            if with_object {
                object_text.clone()
            } else {
                string_text.clone()
            },
        );
        found.requires_object_arguments = self.note(
            "requires_object_arguments",
            ARGUMENT,
            object_plain && !string_plain,
            string_text,
        );
        found.requires_string_arguments = self.note(
            "requires_string_arguments",
            ARGUMENT,
            with_string && !with_object,
            object_text,
        );
        let arguments = || match found.requires_string_arguments {
            true => Json::String(object().to_string()),
            false => object(),
        };
        let one = closed(calling(vec![call(0, "needle_called", arguments())]));
        let responded = self.shows("supports_tool_responses", ANSWER, &one);
        let identified = self.shows("supports_tool_call_id", IDS[0], &one);
        let calls = vec![
            call(0, "needle_one", arguments()),
            call(1, "needle_two", arguments()),
        ];
        let both = offered(vec![
            user(),
            calling(calls),
            answer(0, json!(ANSWER)),
            answer(1, json!(ANSWER)),
            assistant("Done."),
        ]);
        let rendered = self.render(&both);
        let parallel = rendered
            .as_ref()
            .is_ok_and(|text| text.contains("needle_one") && text.contains("needle_two"));
        found.supports_tool_responses = responded;
        found.supports_tool_call_id = identified;
        found.supports_parallel_tool_calls = self.note(
            "supports_parallel_tool_calls",
            "needle_two",
            parallel,
            rendered,
        );
    }

    fn content(&mut self, found: &mut Capabilities) {
        let parts = json!({"role": "user", "content": [{"type": "text", "text": USER}]});
        let plain = self.render(&Self::request(vec![user()]));
        let typed = self.render(&Self::request(vec![parts]));
        let shown = |rendered: &Result<String, String>| {
            // A list printed as Python prints it shows the needle, and is not what is meant.
            rendered.as_ref().is_ok_and(|text| {
                text.contains(USER) && !text.contains("'text'") && !text.contains("\"text\"")
            })
        };
        let (with_text, with_parts) = (shown(&plain), shown(&typed));
        found.supports_typed_content = self.note("supports_typed_content", USER, with_parts, typed);
        found.requires_typed_content = self.note(
            "requires_typed_content",
            USER,
            with_parts && !with_text,
            plain,
        );
        let empty = json!({"role": "assistant", "content": null});
        let rendered = self.render(&Self::request(vec![user(), empty, user()]));
        let holds = rendered.as_ref().is_ok_and(|text| !text.contains("None"));
        found.supports_null_content = self.note("supports_null_content", "None", holds, rendered);
    }

    fn thinking(&mut self, found: &mut Capabilities) {
        let switched = |on: bool| {
            let mut extra = Map::new();
            for name in ["enable_thinking", "thinking"] {
                extra.insert(name.into(), Json::Bool(on));
            }
            Request {
                extra,
                add_generation_prompt: true,
                ..Self::request(vec![user()])
            }
        };
        let (on, off) = (self.render(&switched(true)), self.render(&switched(false)));
        let differs = on.is_ok() && on != off;
        found.supports_thinking = self.note("supports_thinking", "", differs, off);
        let reasoned =
            json!({"role": "assistant", "content": "Yes.", "reasoning_content": REASONING});
        let request = Self::request(vec![user(), reasoned, user(), assistant("Done.")]);
        found.keeps_reasoning = self.shows("keeps_reasoning", REASONING, &request);
        let inline = assistant(&format!("<think>\n{REASONING}\n</think>\n\nYes."));
        let rendered = self.render(&Self::request(vec![user(), inline, user()]));
        let stripped = rendered
            .as_ref()
            .is_ok_and(|text| text.contains("Yes.") && !text.contains(REASONING));
        found.strips_inline_think = self.note("strips_inline_think", REASONING, stripped, rendered);
    }

    fn text(&mut self, found: &mut Capabilities) {
        let source = self.template.source();
        let markers = Markers::in_template(source);
        let channels = markers.is_some();
        if let Some(markers) = markers {
            found.channel_extract_marker = markers.extract;
            found.channel_end_marker = markers.end;
        }
        let generation = self.template.has_generation();
        found.has_channels = self.note(
            "has_channels",
            "<|channel|>final",
            channels,
            Ok(String::new()),
        );
        found.has_generation_tag = self.note(
            "has_generation_tag",
            "{% generation %}",
            generation,
            Ok(String::new()),
        );
        found.writes_bos = self.shows("writes_bos", "<needle-bos>", &Self::request(vec![user()]));
        // Asking for the time is no proof: some templates do so and print it for tools alone.
        let today = self.render(&Self::request(vec![user()]));
        let later = self.render(&Request {
            now: Moment::new((2031, 12, 1), (17, 40, 59), 0),
            ..Self::request(vec![user()])
        });
        let differs = today.is_ok() && today != later;
        found.uses_clock = self.note("uses_clock", "", differs, later);
        let asked = self.render(&Request {
            add_generation_prompt: true,
            ..Self::request(vec![user()])
        });
        let differs = asked.is_ok() && asked != today;
        found.writes_generation_prompt = self.note("writes_generation_prompt", "", differs, asked);
    }
}

/// What a template adds when it is asked for a generation prompt; empty when it adds nothing.
#[must_use]
pub fn generation_prompt(template: &Template, base: &Request) -> String {
    let asked = |add_generation_prompt: bool| Request {
        messages: vec![user()],
        add_generation_prompt,
        ..base.clone()
    };
    let (without, with) = (asked(false).render(template), asked(true).render(template));
    match (without, with) {
        (Ok(without), Ok(with)) => with
            .strip_prefix(without.as_str())
            .unwrap_or_default()
            .to_owned(),
        _ => String::new(),
    }
}

/// What a template writes behind the last message of the assistant.
#[must_use]
pub fn end_tag(template: &Template, base: &Request) -> String {
    let request = Request {
        messages: vec![user(), assistant(ANSWER)],
        ..base.clone()
    };
    let Ok(text) = request.render(template) else {
        return String::new();
    };
    text.rfind(ANSWER)
        .map(|at| text[at + ANSWER.len()..].to_owned())
        .unwrap_or_default()
}
