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
    let mut converted: Vec<Json> = Vec::with_capacity(request.messages.len());
    let mut after_answer = false;
    for mut message in std::mem::take(&mut request.messages) {
        let is_answer = message.as_object_mut().is_some_and(answer_as_user);
        match converted.last_mut() {
            Some(last) if is_answer && after_answer && alternating => {
                let joined = format!(
                    "{}\n{}",
                    text_of(&last["content"]),
                    text_of(&message["content"])
                );
                last["content"] = Json::String(joined);
            }
            _ => converted.push(message),
        }
        after_answer = is_answer;
    }
    request.messages = converted;
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
    let mut converted = Vec::new();
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
                other_content => {
                    *other_content =
                        Json::String(format!("{content}\n\n{}", text_of(other_content)));
                }
            }
        } else if !pending.is_empty() {
            converted.push(json!({"role": "user", "content": std::mem::take(&mut pending)}));
        }
        converted.push(message);
    }
    if !pending.is_empty() {
        converted.push(json!({"role": "user", "content": pending}));
    }
    request.messages = converted;
}

#[cfg(test)]
mod tests;
