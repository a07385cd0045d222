//! Tests of `polyfill`.

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
    let arguments = "c.function.arguments";
    let each =
        |of: &str| format!("{{% for k, v in {of} %}}<{{{{ k }}}}={{{{ v }}}}>{{% endfor %}}");
    // One prints what it finds in the function and goes through what it finds at the top.
    let top = format!(
        "{{% if c.arguments is defined %}}{}{{% else %}}{{{{ {arguments} }}}}{{% endif %}}",
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
    let (found, user_turn) = written(last, &messages);
    assert!(found.supports_system_role && found.drops_system_text);
    assert_eq!(user_turn, "[INST] S\n\nU [/INST]");
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
