//! Finds out what a template can do by rendering it over small conversations with needles in them
//! and looking where the needles went. Every finding keeps the rendering that proves it.

use promptdeck_jinja::{LimitPool, Moment, Template};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::capability::Capabilities;
use super::extract::{FINAL_CHANNEL, Markers};
use super::message::content_of;
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
    /// The rendering it was compared with, where the finding is that the two differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<String>,
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
    pool: &'a LimitPool,
    form: Form,
    /// The tools offered throughout, where nothing is shown without any.
    tools: Option<Json>,
    proofs: Vec<Proof>,
}

/// The form content is given in: that of the template, which may show no other.
#[derive(Clone, Copy)]
pub(super) struct Form {
    in_parts: bool,
}

impl Form {
    /// The form a template with these capabilities shows.
    pub(super) fn of(found: &Capabilities) -> Self {
        Self {
            in_parts: found.requires_typed_content,
        }
    }

    /// A message.
    pub(super) fn message(self, role: &str, text: &str) -> Json {
        json!({"role": role, "content": content_of(text, self.in_parts)})
    }

    /// A message of the assistant with calls.
    pub(super) fn calling(self, calls: Vec<Json>) -> Json {
        let mut message = self.assistant("");
        message["tool_calls"] = Json::Array(calls);
        message
    }

    /// The answer to the call with the id of that index.
    pub(super) fn answer(self, index: usize, name: &str, text: &str) -> Json {
        let mut message = self.message("tool", text);
        message["tool_call_id"] = json!(IDS[index]);
        message["name"] = json!(name);
        message
    }

    fn user(self) -> Json {
        self.message("user", USER)
    }

    fn assistant(self, text: &str) -> Json {
        self.message("assistant", text)
    }
}

/// A tool of that name.
pub(super) fn tool(name: &str) -> Json {
    json!({"type": "function", "function": {
        "name": name, "description": "A tool.",
        "parameters": {"type": "object", "properties": {
            "argument": {"type": "string", "description": "An argument."}},
            "required": ["argument"]},
    }})
}

/// A call with the id of that index.
pub(super) fn call(index: usize, name: &str, arguments: Json) -> Json {
    json!({"id": IDS[index], "type": "function",
           "function": {"name": name, "arguments": arguments}})
}

/// The same with its arguments as a text, and parsed at its top, where its name stands as well.
fn pair(index: usize, name: &str) -> Json {
    let mut call = call(index, name, Json::String(object().to_string()));
    call["name"] = json!(name);
    call["arguments"] = object();
    call
}

fn object() -> Json {
    json!({"argument": ARGUMENT})
}

/// The tools a template must be offered to show anything at all: one that goes through them without
/// asking whether there are any fails in every conversation without them, which says nothing of
/// what else it can do.
#[must_use]
pub fn needed_tools(template: &Template, pool: &LimitPool) -> Option<Json> {
    let needle_printed = |tools: Option<&Json>| {
        [false, true].into_iter().any(|in_parts| {
            let request = Request {
                messages: vec![Form { in_parts }.user()],
                tools: tools.cloned(),
                now: moment(),
                pool: Some(pool.clone()),
                ..Request::default()
            };
            request.render(template).is_ok()
        })
    };
    let tools = json!([tool(TOOL)]);
    (!needle_printed(None) && needle_printed(Some(&tools))).then_some(tools)
}

/// The pool of all renderings of an inspection: as much as one rendering may take.
#[must_use]
pub fn pool() -> LimitPool {
    LimitPool::new(1)
}

/// The capabilities of a template, each with its proof.
#[must_use]
pub fn probe(template: &Template) -> (Capabilities, Vec<Proof>) {
    let pool = pool();
    let tools = needed_tools(template, &pool);
    probe_within(template, tools, &pool)
}

/// The same with the tools the template needs, out of a pool that further renderings share. What
/// cannot be rendered any more does not hold.
#[must_use]
pub fn probe_within(
    template: &Template,
    tools: Option<Json>,
    pool: &LimitPool,
) -> (Capabilities, Vec<Proof>) {
    let mut probe = Probe {
        template,
        pool,
        form: Form { in_parts: false },
        tools,
        proofs: Vec::new(),
    };
    let mut found = Capabilities::default();
    // First, for everything else is asked in the form that is shown.
    probe.content(&mut found);
    probe.form = Form::of(&found);
    probe.roles(&mut found);
    probe.tools(&mut found);
    probe.null(&mut found);
    probe.thinking(&mut found);
    probe.text(&mut found);
    (found, probe.proofs)
}

impl Probe<'_> {
    fn request(&self, messages: Vec<Json>) -> Request {
        Request {
            tools: self.tools.clone(),
            ..self.bare(messages)
        }
    }

    /// A request that offers no tools.
    fn bare(&self, messages: Vec<Json>) -> Request {
        Request {
            messages,
            bos_token: Some("<needle-bos>".into()),
            eos_token: Some("<needle-eos>".into()),
            now: moment(),
            pool: Some(self.pool.clone()),
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
            compared: None,
        });
        holds
    }

    /// Notes a finding that two renderings differ, or do not.
    fn differs(
        &mut self,
        capability: &'static str,
        holds: bool,
        compared: &Result<String, String>,
        rendered: Result<String, String>,
    ) -> bool {
        self.note(capability, "", holds, rendered);
        if let Some(proof) = self.proofs.last_mut() {
            proof.compared = Some(compared.clone().unwrap_or_else(|error| error));
        }
        holds
    }

    /// Whether a needle is shown.
    fn shows(&mut self, capability: &'static str, needle: &str, request: &Request) -> bool {
        let rendered = self.render(request);
        let holds = rendered.as_ref().is_ok_and(|text| text.contains(needle));
        self.note(capability, needle, holds, rendered)
    }

    /// Whether content is shown as a text, and whether as a list of parts.
    fn content(&mut self, found: &mut Capabilities) {
        let request = |in_parts: bool| {
            let form = Form { in_parts };
            self.render(&self.request(vec![form.user()]))
        };
        let (plain, typed) = (request(false), request(true));
        let needle_printed = |rendered: &Result<String, String>| {
            // A list printed as Python prints it shows the needle, and is not what is meant.
            rendered.as_ref().is_ok_and(|text| {
                text.contains(USER) && !text.contains("'text'") && !text.contains("\"text\"")
            })
        };
        let (with_text, with_parts) = (needle_printed(&plain), needle_printed(&typed));
        found.supports_typed_content = self.note("supports_typed_content", USER, with_parts, typed);
        found.requires_typed_content = self.note(
            "requires_typed_content",
            USER,
            with_parts && !with_text,
            plain,
        );
    }

    fn roles(&mut self, found: &mut Capabilities) {
        let form = self.form;
        let system = form.message("system", SYSTEM);
        let request = self.request(vec![system, form.user()]);
        found.supports_system_role = self.shows("supports_system_role", SYSTEM, &request);
        let answered = self.request(vec![
            form.message("system", SYSTEM),
            form.user(),
            form.assistant(ANSWER),
        ]);
        let rendered = self.render(&answered);
        let dropped = found.supports_system_role
            && rendered
                .as_ref()
                .is_ok_and(|text| text.contains(ANSWER) && !text.contains(SYSTEM));
        found.drops_system_text = self.note("drops_system_text", SYSTEM, dropped, rendered);
        let developer = form.message("developer", SYSTEM);
        let request = self.request(vec![developer, form.user()]);
        found.supports_developer_role = self.shows("supports_developer_role", SYSTEM, &request);
        let one = self.render(&self.request(vec![form.user()]));
        let two = self.render(&self.request(vec![form.user(), form.user()]));
        let refused = one.is_ok() && two.is_err();
        found.requires_alternation = self.note("requires_alternation", "", refused, two);
    }

    fn tools(&mut self, found: &mut Capabilities) {
        let form = self.form;
        let empty = self.bare(Vec::new());
        let offered = |messages: Vec<Json>| Request {
            messages,
            tools: Some(json!([tool(TOOL)])),
            ..empty.clone()
        };
        found.supports_tools = self.shows("supports_tools", TOOL, &offered(vec![form.user()]));
        let closed = |message: Json| {
            offered(vec![
                form.user(),
                message,
                form.answer(0, TOOL, ANSWER),
                form.assistant("Done."),
            ])
        };
        let by_object = closed(form.calling(vec![call(0, "needle_called", object())]));
        let text = object().to_string();
        let by_text = closed(form.calling(vec![call(0, "needle_called", Json::String(text))]));
        let needle_printed = |rendered: &Result<String, String>| {
            rendered
                .as_ref()
                .is_ok_and(|text| text.contains("needle_called") && text.contains(ARGUMENT))
        };
        // An object printed through `tojson` twice is a text with escaped quotes in it.
        let plain = |rendered: &Result<String, String>| {
            needle_printed(rendered)
                && rendered
                    .as_ref()
                    .is_ok_and(|text| !text.contains("\\\"argument"))
        };
        let (object_text, string_text) = (self.render(&by_object), self.render(&by_text));
        let (with_object, with_string) =
            (needle_printed(&object_text), needle_printed(&string_text));
        let object_plain = plain(&object_text);
        // As the polyfill gives it: the text in the function, the name and the parsed arguments at
        // the top of the call. A template may read either.
        let pair_text = self.render(&closed(form.calling(vec![pair(0, "needle_called")])));
        let with_pair = needle_printed(&pair_text);
        found.supports_tool_calls = self.note(
            "supports_tool_calls",
            "needle_called",
            with_object || with_string || with_pair,
            match (with_object, with_string) {
                (true, _) => object_text.clone(),
                (false, true) => string_text,
                (false, false) => pair_text.clone(),
            },
        );
        found.requires_object_arguments = self.note(
            "requires_object_arguments",
            ARGUMENT,
            object_plain && !plain(&pair_text),
            pair_text,
        );
        found.requires_string_arguments = self.note(
            "requires_string_arguments",
            ARGUMENT,
            with_string && !with_object,
            object_text,
        );
        let text_only = found.requires_string_arguments;
        let call = |index: usize, name: &str| match (with_object, text_only) {
            (true, _) => call(index, name, object()),
            (false, true) => call(index, name, Json::String(object().to_string())),
            (false, false) => pair(index, name),
        };
        let one = closed(form.calling(vec![call(0, "needle_called")]));
        let responded = self.shows("supports_tool_responses", ANSWER, &one);
        let identified = self.shows("supports_tool_call_id", IDS[0], &one);
        let calls = vec![call(0, "needle_one"), call(1, "needle_two")];
        let both = offered(vec![
            form.user(),
            form.calling(calls),
            form.answer(0, TOOL, ANSWER),
            form.answer(1, TOOL, ANSWER),
            form.assistant("Done."),
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

    fn null(&mut self, found: &mut Capabilities) {
        let form = self.form;
        let empty = json!({"role": "assistant", "content": null});
        let rendered = self.render(&self.request(vec![form.user(), empty, form.user()]));
        let holds = rendered.as_ref().is_ok_and(|text| !text.contains("None"));
        found.supports_null_content = self.note("supports_null_content", "None", holds, rendered);
    }

    fn thinking(&mut self, found: &mut Capabilities) {
        let form = self.form;
        let switched = |on: bool| {
            let mut extra = Map::new();
            for name in ["enable_thinking", "thinking"] {
                extra.insert(name.into(), Json::Bool(on));
            }
            Request {
                extra,
                add_generation_prompt: true,
                ..self.request(vec![form.user()])
            }
        };
        let (on, off) = (self.render(&switched(true)), self.render(&switched(false)));
        let differs = on.is_ok() && on != off;
        found.supports_thinking = self.differs("supports_thinking", differs, &on, off);
        let mut reasoned = form.assistant("Yes.");
        reasoned["reasoning_content"] = json!(REASONING);
        let request = self.request(vec![
            form.user(),
            reasoned,
            form.user(),
            form.assistant("Done."),
        ]);
        found.keeps_reasoning = self.shows("keeps_reasoning", REASONING, &request);
        let inline = form.assistant(&format!("<think>\n{REASONING}\n</think>\n\nYes."));
        let rendered = self.render(&self.request(vec![form.user(), inline, form.user()]));
        let stripped = rendered
            .as_ref()
            .is_ok_and(|text| text.contains("Yes.") && !text.contains(REASONING));
        found.strips_inline_think = self.note("strips_inline_think", REASONING, stripped, rendered);
    }

    fn text(&mut self, found: &mut Capabilities) {
        let form = self.form;
        let template = self.template;
        let source = template.source();
        let markers = Markers::in_template(source);
        let channels = markers.is_some();
        if let Some(markers) = markers {
            found.channel_extract_marker = markers.extract;
            found.channel_end_marker = markers.end;
        }
        // These two are known of the source: the line that says so is the proof.
        let marked = source.lines().find(|line| line.contains(FINAL_CHANNEL));
        let tagged = template.generation_line();
        found.has_channels = self.note(
            "has_channels",
            FINAL_CHANNEL,
            channels,
            Ok(marked.unwrap_or_default().to_owned()),
        );
        found.has_generation_tag = self.note(
            "has_generation_tag",
            "{% generation %}",
            tagged.is_some(),
            Ok(tagged.unwrap_or_default().to_owned()),
        );
        found.writes_bos = self.shows(
            "writes_bos",
            "<needle-bos>",
            &self.request(vec![form.user()]),
        );
        // Asking for the time is no proof: some templates do so and print it for tools alone.
        let today = self.render(&self.request(vec![form.user()]));
        let later = self.render(&Request {
            now: Moment::new((2031, 12, 1), (17, 40, 59), 0),
            ..self.request(vec![form.user()])
        });
        let differs = today.is_ok() && today != later;
        found.uses_clock = self.differs("uses_clock", differs, &today, later);
        let rendered = self.render(&Request {
            add_generation_prompt: true,
            ..self.request(vec![form.user()])
        });
        let differs = rendered.is_ok() && rendered != today;
        found.writes_generation_prompt =
            self.differs("writes_generation_prompt", differs, &today, rendered);
    }
}

/// What a template adds when it is asked for a generation prompt; empty when it adds nothing.
#[must_use]
pub fn generation_prompt(template: &Template, found: &Capabilities, base: &Request) -> String {
    let rendered = |add_generation_prompt: bool| Request {
        messages: vec![Form::of(found).user()],
        add_generation_prompt,
        ..base.clone()
    };
    let (without, with) = (
        rendered(false).render(template),
        rendered(true).render(template),
    );
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
pub fn end_tag(template: &Template, found: &Capabilities, base: &Request) -> String {
    let form = Form::of(found);
    let request = Request {
        messages: vec![form.user(), form.assistant(ANSWER)],
        ..base.clone()
    };
    let Ok(text) = request.render(template) else {
        return String::new();
    };
    text.rfind(ANSWER)
        .map(|at| text[at + ANSWER.len()..].to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
