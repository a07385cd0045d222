//! What is wrong with the tool calls of messages, whatever they are sent to.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde_json::Value;

use super::{
    call::Call,
    call_arguments::{self, BadArguments},
    codes,
    content_parts::place,
    tools,
};

/// The diagnostics of the calls in the messages that are sent; `offered` are the tools they can name.
pub fn lint(
    call: &Call,
    messages: &[Value],
    offered: &[Value],
    is_sent: impl Fn(&Value) -> bool,
) -> Vec<Diagnostic> {
    let known = tools::names(offered);
    let mut found = Vec::new();
    let sent = messages.iter().enumerate();
    for (index, message) in sent.filter(|(_, message)| is_sent(message)) {
        let calls = message["tool_calls"].as_array();
        for (at, tool_call) in calls.into_iter().flatten().enumerate() {
            let name = tool_call.pointer("/function/name").and_then(Value::as_str);
            let pointer = place(call, index, &format!("tool_calls/{at}/function/name"));
            match name.filter(|name| !name.trim().is_empty()) {
                None => found.push(nameless(index, at, pointer)),
                Some(name) => {
                    let is_known =
                        |known: &Vec<String>| known.iter().any(|known_name| known_name == name);
                    if known.as_ref().is_some_and(|known| !is_known(known)) {
                        found.push(unknown(index, name, pointer));
                    }
                }
            }
            let checked = call_arguments::check_call(call, index, at, tool_call);
            found.extend(checked.err().map(bad_arguments));
        }
    }
    found
}

fn nameless(message: usize, at: usize, pointer: String) -> Diagnostic {
    let sentence = format!(
        "message {}: tool call {} has no name; give it that of the tool that is called",
        message + 1,
        at + 1
    );
    let data = DiagnosticData::of(DataKey::Turn, message).with(DataKey::Entry, at);
    Diagnostic::new(codes::CALL_NAME, Severity::Error, sentence, pointer, data)
}

fn unknown(message: usize, name: &str, pointer: String) -> Diagnostic {
    let sentence = format!(
        "message {}: there is no tool {name:?} among the tools of the call",
        message + 1
    );
    let data = DiagnosticData::of(DataKey::Turn, message).with(DataKey::Tool, name);
    Diagnostic::new(
        codes::CALL_UNKNOWN_TOOL,
        Severity::Warning,
        sentence,
        pointer,
        data,
    )
}

fn bad_arguments(bad: BadArguments) -> Diagnostic {
    let sentence = format!("message {}: {}", bad.message + 1, bad.sentence());
    let data = DiagnosticData::of(DataKey::Turn, bad.message)
        .with(DataKey::Tool, bad.name)
        .with(DataKey::Reason, bad.reason)
        .with(DataKey::Expected, call_arguments::SAMPLE);
    Diagnostic::new(
        codes::CALL_ARGUMENTS,
        Severity::Error,
        sentence,
        bad.pointer,
        data,
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(tool_call: &Value, tools: &Value, expected: &[(&str, Severity, &str)]) {
        let document = json!({"history": [{"role": "user", "content": "?"},
            {"role": "assistant", "tool_calls": [tool_call]}], "tools": tools});
        let call = Call::from_map(document.as_object().expect("an object")).expect("a call");
        let found = lint(&call, &call.messages(), &call.tools, |_| true);
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.code.as_str(), found.severity, found.pointer.as_str()))
            .collect();
        assert_eq!(found, expected, "{tool_call} with {tools}");
    }

    #[test]
    fn a_call_has_a_name_of_the_tools_and_an_object() {
        let name = "/history/1/tool_calls/0/function/name";
        let arguments = "/history/1/tool_calls/0/function/arguments";
        let tools = json!([{"name": "read"}]);
        let tool_call = |name: &str, arguments: &str| json!({"id": "1", "function": {"name": name, "arguments": arguments}});
        check(&tool_call("read", "{}"), &tools, &[]);
        check(
            &tool_call("", "{}"),
            &tools,
            &[("call_name", Severity::Error, name)],
        );
        check(
            &json!({"id": "1"}),
            &tools,
            &[("call_name", Severity::Error, name)],
        );
        let unknown = [("call_unknown_tool", Severity::Warning, name)];
        check(&tool_call("write", "{}"), &tools, &unknown);
        check(&tool_call("write", "{}"), &json!([]), &[]);
        check(
            &tool_call("write", "{}"),
            &json!([{"type": "web_search"}]),
            &[],
        );
        let bad = [("call_arguments", Severity::Error, arguments)];
        check(&tool_call("read", "{bad"), &tools, &bad);
        check(&tool_call("read", ""), &tools, &[]);
    }
}
