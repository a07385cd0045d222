//! Makes up for what a template cannot do, by changing the conversation before it is rendered. Each
//! step has a name, can be switched off, and tells what it changed.

use promptdeck_python::json::dumps;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::capability::Capabilities;
use super::message::{Tool, content_of, parsed_arguments, text_of};
use super::request::Request;

/// One step. They are taken in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Arguments given as a text become an object.
    ParseArguments,
    /// Name and arguments stand at the top of a call as well, there the arguments as an object: a
    /// template finds them as the text in the function and parsed at the top.
    CallFieldsOnTop,
    /// A list of text parts becomes one text.
    FlattenContent,
    /// The role `developer` becomes `system`.
    DeveloperToSystem,
    /// The tools are described in the system message.
    ToolsIntoSystem,
    /// Calls become JSON in the content.
    CallsAsContent,
    /// The answer of a tool becomes a message of the user.
    AnswersAsUser,
    /// The system message moves into the first message of the user.
    SystemIntoUser,
    /// A text becomes a list of one text part. The one step without a counterpart in the
    /// specification: templates of some models that see images show nothing else.
    TextIntoParts,
}

impl Step {
    /// All steps in their order.
    pub const ALL: [Self; 9] = [
        Self::ParseArguments,
        Self::CallFieldsOnTop,
        Self::FlattenContent,
        Self::DeveloperToSystem,
        Self::ToolsIntoSystem,
        Self::CallsAsContent,
        Self::AnswersAsUser,
        Self::SystemIntoUser,
        Self::TextIntoParts,
    ];

    /// The stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ParseArguments => "parse_arguments",
            Self::CallFieldsOnTop => "call_fields_on_top",
            Self::FlattenContent => "flatten_content",
            Self::DeveloperToSystem => "developer_to_system",
            Self::ToolsIntoSystem => "tools_into_system",
            Self::CallsAsContent => "calls_as_content",
            Self::AnswersAsUser => "answers_as_user",
            Self::SystemIntoUser => "system_into_user",
            Self::TextIntoParts => "text_into_parts",
        }
    }

    /// The step of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    /// Whether a template with these capabilities needs the step.
    #[must_use]
    pub fn is_needed(self, capabilities: &Capabilities) -> bool {
        match self {
            // A text that is shown as it is keeps its spelling, numbers and blanks included.
            Self::ParseArguments => capabilities.requires_object_arguments,
            Self::CallFieldsOnTop => capabilities.supports_tool_calls,
            Self::FlattenContent => !capabilities.supports_typed_content,
            Self::DeveloperToSystem => !capabilities.supports_developer_role,
            Self::ToolsIntoSystem => !capabilities.supports_tools,
            Self::CallsAsContent => !capabilities.supports_tool_calls,
            Self::AnswersAsUser => !capabilities.supports_tool_responses,
            Self::SystemIntoUser => {
                !capabilities.supports_system_role || capabilities.drops_system_text
            }
            Self::TextIntoParts => capabilities.requires_typed_content,
        }
    }

    /// Takes the step for a template with these capabilities.
    fn apply(self, request: &mut Request, capabilities: &Capabilities) {
        match self {
            Self::ParseArguments => each_call(request, |call| {
                if let Some(arguments) = function_of(call).get_mut("arguments") {
                    *arguments = parsed_arguments(arguments);
                }
            }),
            Self::CallFieldsOnTop => each_call(request, |call| {
                let function = function_of(call).clone();
                for name in ["name", "arguments"] {
                    if let (Some(value), false) = (function.get(name), call.contains_key(name)) {
                        call.insert(name.to_owned(), parsed_arguments(value));
                    }
                }
            }),
            Self::FlattenContent => each_message(request, |message| {
                if let Some(content @ Json::Array(_)) = message.get_mut("content") {
                    *content = Json::String(text_of(content));
                }
            }),
            Self::DeveloperToSystem => each_message(request, |message| {
                if message.get("role") == Some(&json!("developer")) {
                    message.insert("role".into(), json!("system"));
                }
            }),
            Self::ToolsIntoSystem => tools_into_system(request),
            Self::CallsAsContent => each_message(request, calls_as_content),
            Self::AnswersAsUser => answers_as_user(request, capabilities.requires_alternation),
            // Where it is shown as it is, it stays where the template wants it.
            Self::SystemIntoUser
                if capabilities.supports_system_role && user_speaks_last(request) => {}
            Self::SystemIntoUser => system_into_user(request),
            Self::TextIntoParts => each_message(request, |message| {
                if let Some(content @ Json::String(_)) = message.get_mut("content") {
                    *content = content_of(&text_of(content), true);
                }
            }),
        }
    }
}

/// What a step changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The step.
    pub step: Step,
    /// The messages before it.
    pub before: Vec<Json>,
    /// The messages after it.
    pub after: Vec<Json>,
}

/// A request changed for a template, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyfilled {
    /// The request to render.
    pub request: Request,
    /// The steps that changed something, in order.
    pub changes: Vec<Change>,
}

/// Takes all steps a template needs but those that are switched off.
#[must_use]
pub fn polyfill(request: &Request, capabilities: &Capabilities, off: &[Step]) -> Polyfilled {
    let mut request = request.clone();
    let mut changes = Vec::new();
    let wanted = |step: &&Step| step.is_needed(capabilities) && !off.contains(step);
    for step in Step::ALL.iter().filter(wanted) {
        let before = request.messages.clone();
        step.apply(&mut request, capabilities);
        if request.messages != before {
            changes.push(Change {
                step: *step,
                before,
                after: request.messages.clone(),
            });
        }
    }
    Polyfilled { request, changes }
}

fn each_message(request: &mut Request, mut change: impl FnMut(&mut Map<String, Json>)) {
    request
        .messages
        .iter_mut()
        .filter_map(Json::as_object_mut)
        .for_each(&mut change);
}

fn each_call(request: &mut Request, change: impl Fn(&mut Map<String, Json>)) {
    each_message(request, |message| {
        let calls = message.get_mut("tool_calls").and_then(Json::as_array_mut);
        for call in calls.into_iter().flatten().filter_map(Json::as_object_mut) {
            change(call);
        }
    });
}

/// The object with the name and the arguments of a call: its function, or the call itself.
fn function_of(call: &mut Map<String, Json>) -> &mut Map<String, Json> {
    if !call.get("function").is_some_and(Json::is_object) {
        return call;
    }
    match &mut call["function"] {
        Json::Object(function) => function,
        _ => unreachable!("looked at just before"),
    }
}

fn tools_into_system(request: &mut Request) {
    let tools = Tool::all(request.tools.as_ref());
    request.tools = None;
    if tools.is_empty() {
        return;
    }
    let lines: Vec<String> = tools
        .iter()
        .map(|tool| {
            dumps(&json!({
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }), None)
        })
        .collect();
    let described = format!(
        "You can call these tools, one JSON object for each:\n{}\n\nTo call one, answer with JSON \
         alone: {{\"tool_calls\": [{{\"name\": \"tool name\", \"arguments\": {{...}}}}]}}",
        lines.join("\n")
    );
    match request.messages.first_mut() {
        Some(first) if first["role"] == "system" => {
            let content = text_of(&first["content"]);
            first["content"] = Json::String(format!("{content}\n\n{described}"));
        }
        _ => {
            let system = json!({"role": "system", "content": described});
            request.messages.insert(0, system);
        }
    }
}

fn calls_as_content(message: &mut Map<String, Json>) {
    let Some(Json::Array(calls)) = message.remove("tool_calls") else {
        return;
    };
    if calls.is_empty() {
        return;
    }
    let written: Vec<Json> = calls
        .iter()
        .map(|call| {
            let function = call.get("function").unwrap_or(call);
            let mut entry = json!({
                "name": function["name"], "arguments": parsed_arguments(&function["arguments"]),
            });
            if let Some(id) = call.get("id") {
                entry["id"] = id.clone();
            }
            entry
        })
        .collect();
    let content = text_of(message.get("content").unwrap_or(&Json::Null));
    let calls = dumps(&json!({"tool_calls": written}), None);
    let joined = match content.is_empty() {
        true => calls,
        false => format!("{content}\n{calls}"),
    };
    message.insert("content".into(), Json::String(joined));
}

/// Where messages must alternate, answers that follow each other become one message of the user.
fn answers_as_user(request: &mut Request, alternating: bool) {
    let mut kept: Vec<Json> = Vec::with_capacity(request.messages.len());
    let mut after_answer = false;
    for mut message in std::mem::take(&mut request.messages) {
        let is_answer = message.as_object_mut().is_some_and(answer_as_user);
        match kept.last_mut() {
            Some(last) if is_answer && after_answer && alternating => {
                let joined = format!(
                    "{}\n{}",
                    text_of(&last["content"]),
                    text_of(&message["content"])
                );
                last["content"] = Json::String(joined);
            }
            _ => kept.push(message),
        }
        after_answer = is_answer;
    }
    request.messages = kept;
}

/// Makes an answer a message of the user; false for any other message.
fn answer_as_user(message: &mut Map<String, Json>) -> bool {
    if message.get("role") != Some(&json!("tool")) {
        return false;
    }
    let content = message.get("content").cloned().unwrap_or(Json::Null);
    let mut answer = Map::new();
    for (from, to) in [("name", "tool"), ("tool_call_id", "tool_call_id")] {
        if let Some(value) = message.remove(from) {
            answer.insert(to.to_owned(), value);
        }
    }
    answer.insert("content".into(), Json::String(text_of(&content)));
    let written = dumps(&json!({"tool_response": answer}), None);
    message.insert("role".into(), json!("user"));
    message.insert("content".into(), Json::String(written));
    true
}

fn user_speaks_last(request: &Request) -> bool {
    request
        .messages
        .last()
        .is_some_and(|last| last["role"] == "user")
}

fn system_into_user(request: &mut Request) {
    let mut pending = String::new();
    let mut kept = Vec::new();
    for mut message in std::mem::take(&mut request.messages) {
        if message["role"] == "system" {
            if !pending.is_empty() {
                pending.push('\n');
            }
            pending.push_str(&text_of(&message["content"]));
            continue;
        }
        if !pending.is_empty() && message["role"] == "user" {
            let content = std::mem::take(&mut pending);
            match &mut message["content"] {
                Json::Array(parts) => parts.insert(0, json!({"type": "text", "text": content})),
                own => *own = Json::String(format!("{content}\n\n{}", text_of(own))),
            }
        } else if !pending.is_empty() {
            kept.push(json!({"role": "user", "content": std::mem::take(&mut pending)}));
        }
        kept.push(message);
    }
    if !pending.is_empty() {
        kept.push(json!({"role": "user", "content": pending}));
    }
    request.messages = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe;
    use promptdeck_jinja::Template;

    fn step(step: Step, messages: Json, expected: Json) {
        let mut request = Request::of(messages.as_array().cloned().unwrap_or_default());
        step.apply(&mut request, &Capabilities::default());
        assert_eq!(Json::Array(request.messages), expected, "{step:?}");
    }

    #[test]
    fn steps() {
        step(
            Step::ParseArguments,
            json!([{"tool_calls": [{"function": {"name": "f", "arguments": "{\"a\": 1}"}}]}]),
            json!([{"tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]}]),
        );
        step(
            Step::CallFieldsOnTop,
            json!([{"tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]}]),
            json!([{"tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{\"a\": 1}"},
                                    "name": "f", "arguments": {"a": 1}}]}]),
        );
        step(
            Step::FlattenContent,
            json!([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]),
            json!([{"role": "user", "content": "a\nb"}]),
        );
        step(
            Step::DeveloperToSystem,
            json!([{"role": "developer", "content": "x"}, {"role": "user", "content": "y"}]),
            json!([{"role": "system", "content": "x"}, {"role": "user", "content": "y"}]),
        );
        step(
            Step::CallsAsContent,
            json!([{"role": "assistant", "content": null, "tool_calls": [
                {"id": "1", "function": {"name": "f", "arguments": {}}}]}]),
            json!([{"role": "assistant",
                    "content": "{\"tool_calls\": [{\"name\": \"f\", \"arguments\": {}, \"id\": \"1\"}]}"}]),
        );
        step(
            Step::AnswersAsUser,
            json!([{"role": "tool", "name": "f", "tool_call_id": "1", "content": "r"}]),
            json!([{"role": "user",
                    "content": "{\"tool_response\": {\"tool\": \"f\", \"tool_call_id\": \"1\", \"content\": \"r\"}}"}]),
        );
        step(
            Step::TextIntoParts,
            json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": ""},
                   {"role": "user", "content": [{"type": "image"}]},
                   {"role": "assistant", "content": null}]),
            json!([{"role": "user", "content": [{"type": "text", "text": "a"}]},
                   {"role": "assistant", "content": [{"type": "text", "text": ""}]},
                   {"role": "user", "content": [{"type": "image"}]},
                   {"role": "assistant", "content": null}]),
        );
        step(
            Step::SystemIntoUser,
            json!([{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]),
            json!([{"role": "user", "content": "s\n\nu"}]),
        );
        step(
            Step::SystemIntoUser,
            json!([{"role": "system", "content": "s"}, {"role": "assistant", "content": "a"}]),
            json!([{"role": "user", "content": "s"}, {"role": "assistant", "content": "a"}]),
        );
    }

    #[test]
    fn tools_are_described_in_the_system_message() {
        let mut request = Request {
            tools: Some(json!([{"function": {"name": "f", "description": "d", "parameters": {}}}])),
            ..Request::of(vec![json!({"role": "user", "content": "u"})])
        };
        Step::ToolsIntoSystem.apply(&mut request, &Capabilities::default());
        assert_eq!(request.tools, None);
        assert_eq!(request.messages.len(), 2);
        let system = request.messages[0]["content"].as_str().expect("a text");
        assert!(system.contains("{\"name\": \"f\", \"description\": \"d\", \"parameters\": {}}"));
    }

    #[test]
    fn a_capable_template_is_given_what_the_author_wrote() {
        let able = Capabilities {
            supports_tools: true,
            supports_tool_responses: true,
            supports_system_role: true,
            supports_developer_role: true,
            supports_typed_content: true,
            supports_tool_calls: true,
            requires_string_arguments: true,
            ..Capabilities::default()
        };
        let messages = vec![
            json!({"role": "system", "content": "s"}),
            json!({"role": "tool", "content": [{"type": "text", "text": "r"}]}),
        ];
        let done = polyfill(&Request::of(messages.clone()), &able, &[]);
        assert_eq!((done.request.messages, done.changes.len()), (messages, 0));
    }

    /// What a template makes of messages that were changed for it.
    #[track_caller]
    fn written(template: &str, messages: &Json) -> (Capabilities, String) {
        let template = Template::compile(template).expect("a template");
        let (found, _) = probe::probe(&template);
        let request = Request::of(messages.as_array().cloned().unwrap_or_default());
        let done = polyfill(&request, &found, &[]);
        let text = done.request.render(&template).expect("a text");
        (found, text)
    }

    fn calls(arguments: &str) -> Json {
        json!([
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": arguments}}]},
        ])
    }

    #[test]
    fn arguments_keep_their_spelling_where_a_text_is_shown_as_it_is() {
        let either = "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}\
                      {{ c.function.name }}{% set a = c.function.arguments %}\
                      {{ a if a is string else a | tojson }}{% endfor %}{% endfor %}";
        let (found, text) = written(either, &calls("{\"a\":1.0}"));
        assert!(!found.requires_object_arguments);
        assert_eq!(text, "uf{\"a\":1.0}");
    }

    #[test]
    fn arguments_are_there_as_a_text_and_parsed() {
        let each = "{% for k, v in c.arguments | items %}<{{ k }}={{ v }}>{% endfor %}";
        let template = |body: &str| {
            format!(
                "{{% for m in messages %}}{{{{ m.content }}}}{{% for c in m.tool_calls or [] %}}\
                 {body}{{% endfor %}}{{% endfor %}}"
            )
        };
        // One that reads both, and one that reads the top of a call alone.
        let both = template(&format!(
            "{{{{ c.function.name }}}}{{{{ c.function.arguments }}}}{each}"
        ));
        let (_, text) = written(&both, &calls("{\"a\":1.0}"));
        assert_eq!(text, "uf{\"a\":1.0}<a=1.0>");
        let top = template(&format!("{{{{ c.name }}}}{each}"));
        let (found, text) = written(&top, &calls("{\"a\":1.0}"));
        assert!(found.supports_tool_calls && !found.requires_object_arguments);
        assert_eq!(text, "uf<a=1.0>");
    }

    #[test]
    fn a_template_that_goes_through_the_arguments_gets_an_object() {
        let own = "c.function.arguments";
        let each =
            |of: &str| format!("{{% for k, v in {of} %}}<{{{{ k }}}}={{{{ v }}}}>{{% endfor %}}");
        // One prints what it finds in the function and goes through what it finds at the top.
        let top = format!(
            "{{% if c.arguments is defined %}}{}{{% else %}}{{{{ {own} }}}}{{% endif %}}",
            each("c.arguments | items")
        );
        for through in [
            each("c.function.arguments | items"),
            each("c.function.arguments.items()"),
            top,
        ] {
            let template = format!(
                "{{% for m in messages %}}{{{{ m.content }}}}{{% for c in m.tool_calls or [] %}}\
                 {{{{ c.function.name }}}}{through}{{% endfor %}}{{% endfor %}}"
            );
            let (found, text) = written(&template, &calls("{\"a\": 1.0}"));
            assert!(found.supports_tool_calls, "{through}");
            assert_eq!(text, "uf<a=1.0>", "{through}");
        }
    }

    #[test]
    fn answers_to_two_calls_are_one_message_where_messages_alternate() {
        let alternating = "{% for m in messages %}\
                           {% if (m.role == 'user') != (loop.index0 % 2 == 0) %}\
                           {{ raise_exception('alternate') }}{% endif %}\
                           <{{ m.role }}>{{ m.content }}{% endfor %}";
        let answer = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": id});
        let messages = json!([
            {"role": "user", "content": "u"}, {"role": "assistant", "content": "a"},
            answer("1"), answer("2"), {"role": "assistant", "content": "b"},
        ]);
        let (found, text) = written(alternating, &messages);
        assert!(found.requires_alternation);
        assert_eq!(
            text,
            "<user>u<assistant>a<user>\
             {\"tool_response\": {\"tool_call_id\": \"1\", \"content\": \"1\"}}\n\
             {\"tool_response\": {\"tool_call_id\": \"2\", \"content\": \"2\"}}<assistant>b"
        );
        // Elsewhere they stay two messages.
        let free = "{% for m in messages %}{% if m.role != 'tool' %}<{{ m.role }}>{% endif %}\
                    {% endfor %}";
        let (_, text) = written(free, &messages);
        assert_eq!(text, "<user><assistant><user><user><assistant>");
    }

    #[test]
    fn a_system_text_is_kept_where_a_tool_answers_last() {
        // As older templates of Mistral do it.
        let last = "{% set system = messages[0].content if messages[0].role == 'system' else none %}\
                    {% for m in messages if m.role != 'system' %}{% if m.role == 'user' %}[INST] \
                    {% if loop.last and system %}{{ system }}\n\n{% endif %}{{ m.content }} [/INST]\
                    {% elif m.role == 'tool' %}[RESULT]{{ m.content }}{% else %}{{ m.content }}\
                    {% for c in m.tool_calls or [] %}[CALL]{{ c | tojson }}{% endfor %}{% endif %}\
                    {% endfor %}";
        let mut messages = json!([
            {"role": "system", "content": "S"}, {"role": "user", "content": "U"},
        ]);
        let (found, asked) = written(last, &messages);
        assert!(found.supports_system_role && found.drops_system_text);
        assert_eq!(asked, "[INST] S\n\nU [/INST]");
        let more = json!([{"role": "assistant", "content": "A"}, {"role": "tool", "content": "R"}]);
        let more = more.as_array().cloned().unwrap_or_default();
        messages.as_array_mut().expect("a list").extend(more);
        let (_, answered) = written(last, &messages);
        assert_eq!(answered, "[INST] S\n\nU [/INST]A[RESULT]R");
    }

    #[test]
    fn a_template_of_parts_loses_no_text() {
        let parts = "{% for m in messages %}<{{ m.role }}>{% for p in m.content %}\
                     {% if p.type == 'text' %}{{ p.text }}{% endif %}{% endfor %}{% endfor %}";
        let (found, text) = written(
            parts,
            &json!([{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]),
        );
        assert!(found.requires_typed_content && found.supports_system_role);
        assert_eq!(text, "<system>s<user>u");
        // Without a system role the text goes into the message of the user, in its form.
        let strict = format!(
            "{{% if messages[0].role == 'system' %}}{{{{ raise_exception('no') }}}}{{% endif %}}{parts}"
        );
        let (found, text) = written(
            &strict,
            &json!([{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]),
        );
        assert!(!found.supports_system_role);
        assert_eq!(text, "<user>s\n\nu");
    }

    #[test]
    fn a_step_switched_off_is_not_taken_and_the_others_tell_what_they_changed() {
        let messages = vec![
            json!({"role": "developer", "content": "s"}),
            json!({"role": "user", "content": "u"}),
        ];
        let request = Request::of(messages);
        let none = Capabilities::default();
        let steps = |off: &[Step]| -> Vec<Step> {
            polyfill(&request, &none, off)
                .changes
                .iter()
                .map(|change| change.step)
                .collect()
        };
        assert_eq!(steps(&[]), [Step::DeveloperToSystem, Step::SystemIntoUser]);
        assert_eq!(steps(&[Step::SystemIntoUser]), [Step::DeveloperToSystem]);
        assert_eq!(steps(&[Step::DeveloperToSystem]), []);
    }
}
