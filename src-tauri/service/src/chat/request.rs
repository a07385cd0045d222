//! Builds the request of a setup, and tracks the identity of its messages through the polyfills.

use promptdeck_chat::Request;
use promptdeck_chat::polyfill::Step;
use promptdeck_core::registry::read_json;
use promptdeck_jinja::Moment;
use serde_json::{Map, Value as Json, json};

use crate::wire::{ChatMessage, ChatProblem, ChatSetup, PromptRole};

/// Key under which a message carries its number through the polyfills; removed before rendering.
const NUMBER: &str = "promptdeck message number";

/// A problem of the setup itself.
fn refused(code: &str, message: String) -> ChatProblem {
    ChatProblem {
        code: code.into(),
        message,
        place: None,
        line: None,
    }
}

/// Parses a text as JSON; `None` if it is empty.
fn parsed(text: &str, what: &str) -> Result<Option<Json>, ChatProblem> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    read_json(text.as_bytes())
        .map(|(value, _)| Some(value))
        .map_err(|fault| refused("chat_bad_json", format!("{what}: {fault}")))
}

fn object(text: &str, what: &str) -> Result<Map<String, Json>, ChatProblem> {
    match parsed(text, what)? {
        None => Ok(Map::new()),
        Some(Json::Object(map)) => Ok(map),
        Some(_) => Err(refused(
            "chat_not_an_object",
            format!("{what}: write an object in braces"),
        )),
    }
}

/// The message to send: typed JSON takes precedence over plain text.
fn message(number: usize, typed: &ChatMessage) -> Result<Json, ChatProblem> {
    let mut fields = Map::new();
    fields.insert("role".into(), Json::from(typed.role.as_str()));
    fields.insert("content".into(), Json::from(typed.content.as_str()));
    fields.extend(object(
        &typed.fields,
        &format!("fields of message {number}"),
    )?);
    Ok(Json::Object(fields))
}

/// The messages of a setup, starting with the prompt if there is one.
pub fn messages(setup: &ChatSetup, prompt: &str) -> Result<Vec<Json>, ChatProblem> {
    let role = match setup.role {
        PromptRole::System => "system",
        PromptRole::User => "user",
    };
    let first = (!prompt.is_empty()).then(|| Ok(json!({"role": role, "content": prompt})));
    let rest = setup.messages.iter().enumerate();
    first
        .into_iter()
        .chain(rest.map(|(index, typed)| message(index + 1, typed)))
        .collect()
}

/// The tools of a setup.
pub fn tools(setup: &ChatSetup) -> Result<Option<Json>, ChatProblem> {
    match parsed(&setup.tools, "tools")? {
        Some(Json::Array(tools)) if tools.is_empty() => Ok(None),
        Some(tools @ Json::Array(_)) => Ok(Some(tools)),
        Some(_) => Err(refused(
            "chat_tools_no_list",
            "tools: write a list of tools in brackets".into(),
        )),
        None => Ok(None),
    }
}

/// Whether the model is to think: by a variable, otherwise by the switch.
pub fn thinking(setup: &ChatSetup) -> bool {
    let request = Request {
        extra: object(&setup.variables, "variables").unwrap_or_default(),
        ..Request::default()
    };
    request.thinking_switch().unwrap_or(setup.thinking)
}

/// The request of a setup, before polyfills.
pub fn request(setup: &ChatSetup, prompt: &str, now: Moment) -> Result<Request, ChatProblem> {
    let mut extra = object(&setup.variables, "variables")?;
    for name in ["messages", "tools"] {
        if extra.contains_key(name) {
            return Err(refused(
                "chat_variable_given",
                format!("variables: {name} has its value from the conversation; leave it out here"),
            ));
        }
    }
    // Set as a variable it goes before the switch, as the one for thinking does.
    let generation_prompt = match extra.shift_remove("add_generation_prompt") {
        Some(given) => !matches!(given, Json::Bool(false) | Json::Null),
        None => setup.generation_prompt,
    };
    Ok(Request {
        messages: messages(setup, prompt)?,
        tools: tools(setup)?,
        add_generation_prompt: generation_prompt && !setup.continue_final,
        continue_field: setup.continue_final.then(|| "content".to_owned()),
        extra,
        alias_reasoning: setup.alias_reasoning,
        now: Some(now),
        ..Request::default()
    })
}

/// The polyfills that are turned off.
pub fn switched_off(setup: &ChatSetup) -> Vec<Step> {
    let named = |step: &Step| setup.off.iter().any(|name| name == step.name());
    Step::ALL.into_iter().filter(named).collect()
}

/// Numbers the messages: the prompt is 0, the conversation starts at 1.
pub fn number(messages: &mut [Json], first: usize) {
    for (index, fields) in messages.iter_mut().enumerate() {
        if let Json::Object(fields) = fields {
            fields.insert(NUMBER.into(), Json::from(index + first));
        }
    }
}

/// Removes the numbers again. An added message has none.
pub fn numbers(messages: &mut [Json]) -> Vec<Option<usize>> {
    let mut message_numbers = Vec::with_capacity(messages.len());
    for fields in messages {
        let number = fields
            .as_object_mut()
            .and_then(|message| message.shift_remove(NUMBER));
        message_numbers.push(
            number
                .and_then(|number| number.as_u64())
                .and_then(|number| usize::try_from(number).ok()),
        );
    }
    message_numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(role: &str, content: &str, fields: &str) -> ChatMessage {
        ChatMessage {
            role: role.into(),
            content: content.into(),
            fields: fields.into(),
        }
    }

    fn setup(messages: Vec<ChatMessage>) -> ChatSetup {
        ChatSetup {
            messages,
            ..ChatSetup::default()
        }
    }

    #[test]
    fn the_prompt_comes_first_and_json_goes_before_text() {
        let chat_setup = setup(vec![typed(
            "assistant",
            "x",
            r#"{"content": null, "name": "a"}"#,
        )]);
        let expected = [
            json!({"role": "system", "content": "P"}),
            json!({"role": "assistant", "content": null, "name": "a"}),
        ];
        assert_eq!(
            messages(&chat_setup, "P").ok().as_deref(),
            Some(&expected[..])
        );
        assert_eq!(
            messages(&chat_setup, "")
                .map(|chat_setup| chat_setup.len())
                .ok(),
            Some(1)
        );
    }

    #[test]
    fn unfinished_json_is_named() {
        let code = |chat_setup: ChatSetup| {
            let now = Moment::default();
            request(&chat_setup, "P", now)
                .map_err(|problem| problem.code)
                .err()
        };
        let with = |part: fn(&mut ChatSetup)| {
            let mut setup = ChatSetup::default();
            part(&mut setup);
            code(setup)
        };
        assert_eq!(code(ChatSetup::default()), None);
        assert_eq!(
            with(|chat_setup| chat_setup.tools = "[".into()).as_deref(),
            Some("chat_bad_json")
        );
        assert_eq!(
            with(|chat_setup| chat_setup.tools = "{}".into()).as_deref(),
            Some("chat_tools_no_list")
        );
        assert_eq!(
            with(|chat_setup| chat_setup.variables = "1".into()).as_deref(),
            Some("chat_not_an_object")
        );
        assert_eq!(
            with(|chat_setup| chat_setup.variables = r#"{"messages": []}"#.into()).as_deref(),
            Some("chat_variable_given")
        );
        let bad = setup(vec![typed("user", "", "{\"a\"")]);
        let problem = request(&bad, "P", Moment::default()).err();
        assert!(
            problem
                .is_some_and(|chat_setup| chat_setup.message.starts_with("fields of message 1: "))
        );
    }

    #[test]
    fn the_variable_of_the_generation_prompt_goes_before_its_switch() {
        let generation_prompt = |variables: &str, switched: bool| {
            let setup = ChatSetup {
                variables: variables.into(),
                generation_prompt: switched,
                ..ChatSetup::default()
            };
            let built = request(&setup, "P", Moment::default()).expect("a request");
            assert!(built.extra.is_empty());
            built.add_generation_prompt
        };
        assert!(!generation_prompt(
            r#"{"add_generation_prompt": false}"#,
            true
        ));
        assert!(generation_prompt(
            r#"{"add_generation_prompt": true}"#,
            false
        ));
        assert!(generation_prompt("", true));
    }

    #[test]
    fn numbers_go_through_and_come_off() {
        let mut messages = vec![json!({"role": "user"}), json!({"role": "tool"})];
        let plain = messages.clone();
        number(&mut messages, 0);
        messages.insert(0, json!({"role": "system"}));
        assert_eq!(numbers(&mut messages), [None, Some(0), Some(1)]);
        assert_eq!(messages[1..], plain);
    }
}
