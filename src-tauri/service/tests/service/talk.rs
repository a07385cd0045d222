//! Conversations with the deck: what is sent is what the Request tab shows, and the tree of turns outlives a
//! kill.

use std::fs;

use promptdeck_service::wire::{
    ChatForm, ChatSetup, ChatSlot, ChatTemplate, Event, PartKind, RequestParams, RequestTarget,
    RunStep, SchemaStatus, Severity, TalkMessage, TalkParams, TalkTurn, ToolVerdict, TurnState,
};
use promptdeck_service::{ServiceError, Studio};
use promptdeck_tests::servers::Canned;
use serde_json::{Value, json};

use crate::home::{Events, Home, connection, group, set};

pub const CALL: &str = "calls/talk.json";
const TARGETS: [(RequestTarget, Option<&str>); 4] = [
    (RequestTarget::Gemini, None),
    (RequestTarget::Openai, None),
    (RequestTarget::ChatTemplate, None),
    (RequestTarget::ChatTemplate, Some("llama3")),
];

pub fn home() -> Home {
    let home = Home::new();
    fs::create_dir(home.path("calls")).expect("made");
    let tool = json!({"type": "function", "function": {"name": "look", "parameters": {}}});
    home.write(
        CALL,
        &json!({
            "registry": "../deck.json",
            "now": "2026-01-15T10:30:00Z",
            "history": [
                {"role": "user", "content": "Hello?"},
                {"role": "assistant", "content": "Good evening."},
            ],
            "message": {"text": "What is new?", "language": "en"},
            "tools": [tool],
            "own": {"kept": 1.50},
        }),
    );
    home
}

pub fn open(home: &Home) -> (Studio, Events) {
    let (studio, events) = home.open();
    studio.open_call(CALL).expect("opened");
    (studio, events)
}

pub fn params(leaf: Option<u32>) -> TalkParams {
    TalkParams {
        call: Some(CALL.to_owned()),
        target: RequestTarget::Openai,
        family: None,
        connection: None,
        leaf,
        beside: None,
    }
}

pub fn message(role: &str, content: &str) -> TalkMessage {
    TalkMessage {
        role: role.to_owned(),
        content: content.to_owned(),
        answers: None,
    }
}

fn result(call: &str, content: &str) -> TalkMessage {
    TalkMessage {
        answers: Some(call.to_owned()),
        ..message("tool", content)
    }
}

/// Sends messages and waits for the answer.
pub fn send(
    studio: &Studio,
    events: &Events,
    params: &TalkParams,
    messages: &[TalkMessage],
) -> TalkTurn {
    let started = studio.send_turns("deck.json", params, messages, true);
    let wanted = started.expect("started").batch.expect("a batch");
    events.wait("the end of an answer", |event| match event {
        Event::Run {
            batch,
            step: RunStep::Over { problem, .. },
            ..
        } if *batch == wanted => {
            assert_eq!(*problem, None);
            Some(())
        }
        _ => None,
    });
    turns(studio).pop().expect("a turn")
}

pub fn turns(studio: &Studio) -> Vec<TalkTurn> {
    let talk = studio.talk("deck.json", Some(CALL)).expect("a tree");
    assert_eq!(talk.damaged, 0);
    talk.turns
}

/// The body that the run of an answer sent.
pub fn sent(studio: &Studio, answer: &TalkTurn) -> Value {
    let run = studio.run(answer.run.expect("a run")).expect("found");
    run.body["input"]["body"].clone()
}

#[test]
fn what_is_sent_is_what_the_request_shows_to_the_byte() {
    for (target, family) in TARGETS {
        let home = home();
        let (studio, events) = open(&home);
        let to = |leaf: Option<u32>| TalkParams {
            target,
            family: family.map(str::to_owned),
            ..params(leaf)
        };
        let check = |leaf: Option<u32>, messages: &[TalkMessage]| -> TalkTurn {
            let view = studio.talk_request("deck.json", &to(leaf), messages);
            let request_view = view.expect("a view").request;
            assert_eq!(request_view.problem, None);
            let answer = send(&studio, &events, &to(leaf), messages);
            assert_eq!(answer.state, TurnState::Complete, "{answer:?}");
            let sent = serde_json::to_string_pretty(&sent(&studio, &answer)).expect("JSON");
            assert_eq!(sent, request_view.body, "{target:?}");
            // The same conversation as a call document makes the same request.
            let before = answer.parent.map(|parent| to(Some(parent)));
            studio
                .keep_call("deck.json", &before.unwrap_or_else(|| to(None)), CALL)
                .expect("kept");
            let request = RequestParams {
                call: Some(CALL.to_owned()),
                target,
                family: family.map(str::to_owned),
            };
            let request = studio.request("deck.json", &request).expect("a request");
            assert_eq!(request.body, sent, "{target:?}");
            studio.undo_call(CALL).expect("undone");
            answer
        };
        let first = check(None, &[message("user", "Tell me more.")]);
        let second = check(Some(first.id), &[message("user", "And then?")]);
        check(Some(second.id), &[message("system", "Be brief.")]);
    }
}

#[test]
fn rolling_again_and_editing_make_siblings_and_lose_nothing() {
    let home = home();
    let (studio, events) = open(&home);
    let first = send(&studio, &events, &params(None), &[message("user", "One")]);
    let user = first.parent.expect("a turn");
    let again = send(&studio, &events, &params(Some(user)), &[]);
    assert_eq!(
        (again.parent, again.role.as_str()),
        (Some(user), "assistant")
    );
    assert_eq!(again.accepted, Some(true));
    let edited = send(&studio, &events, &params(None), &[message("user", "Two")]);
    let all = turns(&studio);
    assert_eq!(all.len(), 5);
    assert_eq!(all.iter().filter(|turn| turn.parent.is_none()).count(), 2);
    let by_hand = studio.send_turns(
        "deck.json",
        &params(edited.parent),
        &[message("assistant", "By hand.")],
        false,
    );
    let by_hand = by_hand.expect("added");
    assert_eq!(by_hand.batch, None);
    assert_eq!(
        (by_hand.turns[0].run, by_hand.turns[0].accepted),
        (None, Some(true))
    );
    let parts = studio
        .compare_turns(edited.id, by_hand.turns[0].id)
        .expect("compared");
    assert!(parts.iter().any(|part| part.kind == PartKind::Added));
    // Another program on the same store has the same tree.
    let before = turns(&studio);
    drop(studio);
    let (other, _) = open(&home);
    assert_eq!(turns(&other), before);
    assert_eq!(other.talk("deck.json", None).expect("a tree").turns, []);
}

#[test]
fn a_tool_call_is_answered_by_hand() {
    let home = home();
    let (studio, events) = open(&home);
    let asks = send(
        &studio,
        &events,
        &params(None),
        &[message("user", "Please look.")],
    );
    assert_eq!((asks.calls.len(), asks.accepted), (1, Some(true)));
    let call = &asks.calls[0];
    assert_eq!(
        (call.name.as_str(), call.id.as_str()),
        ("look", format!("call_{}_1", asks.id).as_str())
    );
    // Without the result the request breaks the history rules, and nothing is added.
    let refused = studio.send_turns(
        "deck.json",
        &params(Some(asks.id)),
        &[message("user", "Well?")],
        true,
    );
    assert_eq!(
        refused.map_err(|fault| fault.code()).err(),
        Some("invalid_history")
    );
    assert_eq!(turns(&studio).len(), 2);
    let answer = send(
        &studio,
        &events,
        &params(Some(asks.id)),
        &[result(&call.id, r#"{"seen":3}"#)],
    );
    assert_eq!((answer.calls.len(), answer.state), (0, TurnState::Complete));
    let messages = sent(&studio, &answer)["messages"].clone();
    let last = messages.as_array().and_then(|all| all.last()).cloned();
    let expected = json!({"role": "tool", "tool_call_id": call.id, "content": r#"{"seen":3}"#});
    assert_eq!(last, Some(expected));
}

#[test]
fn tool_calls_of_the_call_document_are_answered_by_hand() {
    let home = home();
    let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": arguments}});
    let asks = json!({
        "role": "assistant",
        "content": null,
        "tool_calls": [call("c1", "{}"), call("c2", "{")],
    });
    let history = json!([{"role": "user", "content": "Look twice."}, asks]);
    let tool = json!({"type": "function", "function": {"name": "look", "parameters": {}}});
    home.write(CALL, &json!({"history": history, "tools": [tool]}));
    let (studio, events) = open(&home);
    let typed = [result("c2", "3")];
    let view = studio.talk_request("deck.json", &params(None), &typed);
    let view = view.expect("a view");
    let of = |verdict: &ToolVerdict| {
        let result = verdict.result.as_ref().map(|result| result.status);
        (
            verdict.turn,
            verdict.call.clone(),
            verdict.arguments.status,
            result,
        )
    };
    let found: Vec<_> = view.verdicts.iter().map(of).collect();
    assert_eq!(
        found,
        [
            (None, "c1".to_owned(), SchemaStatus::Valid, None),
            (
                None,
                "c2".to_owned(),
                SchemaStatus::NotJson,
                Some(SchemaStatus::NoSchema)
            ),
        ]
    );
    let problem = view.request.problem.expect("a problem").message;
    assert_eq!(
        problem,
        "message 2: no response to tool call \"c1\"; add one before anything else is said"
    );
    let first = studio.send_turns("deck.json", &params(None), &[result("c1", "1")], false);
    let first = first.expect("added").turns[0].id;
    let answer = send(&studio, &events, &params(Some(first)), &[result("c2", "2")]);
    assert_eq!(answer.state, TurnState::Complete);
    let messages = sent(&studio, &answer)["messages"].clone();
    let ids = messages.as_array().into_iter().flatten();
    let ids: Vec<_> = ids
        .filter_map(|message| message["tool_call_id"].as_str())
        .collect();
    assert_eq!(ids, ["c1", "c2"]);
    // Tool results of the call document name their call.
    let branch = params(Some(answer.parent.expect("a turn")));
    studio.keep_call("deck.json", &branch, CALL).expect("kept");
    let before = studio.talk_request("deck.json", &params(None), &[]);
    let before = before.expect("a view").before;
    let answers: Vec<_> = before
        .iter()
        .map(|message| message.answers.as_deref())
        .collect();
    assert_eq!(answers, [None, None, Some("c1"), Some("c2")]);
}

#[test]
fn tool_calls_without_end_are_refused_after_some_rounds() {
    let home = home();
    let (studio, events) = open(&home);
    let body = r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"look","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
    let server = Canned::answering(
        "200 OK",
        "Content-Type: text/event-stream\r\n",
        &format!("data: {body}\n\ndata: [DONE]\n\n"),
    );
    studio
        .keep_connection(&connection("openai", server.address()), None)
        .expect("kept");
    let to = |leaf| TalkParams {
        connection: Some("work".to_owned()),
        ..params(leaf)
    };
    let mut last = send(&studio, &events, &to(None), &[message("user", "Go")]);
    for _ in 0..8 {
        assert_eq!(last.calls.len(), 1, "{last:?}");
        last = send(&studio, &events, &to(Some(last.id)), &[result("a", "{}")]);
    }
    let more = studio.send_turns("deck.json", &to(Some(last.id)), &[result("a", "{}")], true);
    let fault = more.expect_err("refused");
    assert!(
        matches!(&fault, ServiceError::Talk(why) if why.contains("9 times")),
        "{fault}"
    );
    assert_eq!(turns(&studio).len(), 18);
}

#[test]
fn a_message_that_cannot_be_sent_is_not_added() {
    let home = home();
    let (studio, _events) = open(&home);
    let gemini = "https://generativelanguage.googleapis.com";
    studio
        .keep_connection(&connection("gemini", gemini), None)
        .expect("kept");
    let to = TalkParams {
        target: RequestTarget::Gemini,
        connection: Some("work".to_owned()),
        ..params(None)
    };
    let refusal = |to: &TalkParams| {
        let messages = [message("user", "One"), message("user", "Two")];
        let sent = studio.send_turns("deck.json", to, &messages, true);
        assert_eq!(turns(&studio), []);
        sent.expect_err("refused").code().to_owned()
    };
    assert_eq!(refusal(&to), "key_required");

    let limit = json!({"max_prompt_chars": 5});
    let limited = group(0, vec![set(json!(["registry", "generation"]), limit)]);
    studio.apply("deck.json", &limited).expect("applied");
    assert_eq!(refusal(&params(None)), "prompt_too_long");
}

/// Waits for the end of an answer.
pub fn over(events: &Events, wanted: u32) {
    events.wait("the end of an answer", |event| match event {
        Event::Run {
            batch,
            step: RunStep::Over { .. },
            ..
        } if *batch == wanted => Some(()),
        _ => None,
    });
}

/// Asks a server of OpenAI's protocol once and gives the turn of the answer.
fn answer_of(server: &Canned) -> (Home, Studio, TalkTurn) {
    let home = home();
    let (studio, events) = open(&home);
    studio
        .keep_connection(&connection("openai", server.address()), None)
        .expect("kept");
    let to = TalkParams {
        connection: Some("work".to_owned()),
        ..params(None)
    };
    let started = studio.send_turns("deck.json", &to, &[message("user", "Go")], true);
    over(&events, started.expect("started").batch.expect("a batch"));
    let all = turns(&studio);
    assert_eq!(all.len(), 2, "{all:?}");
    (home, studio, all[1].clone())
}

#[test]
fn an_answer_that_cannot_be_read_fails_its_turn_and_leaves_the_tree() {
    let sse = "Content-Type: text/event-stream\r\n";
    let call = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{"}}]}}]}

"#;
    for (server, code) in [
        (Canned::answering("200 OK", sse, "data: {\n\n"), "truncated"),
        (Canned::answering("200 OK", sse, call), "truncated"),
        (
            Canned::answering("400 Bad Request", "", "no"),
            "bad_request",
        ),
    ] {
        let (_home, studio, turn) = answer_of(&server);
        let fault = turn.fault.as_ref().map(|fault| fault.code.as_str());
        assert_eq!((turn.state, fault), (TurnState::Failed, Some(code)));
        assert_eq!(turn.calls, [], "a call that is not whole is not answered");
        // The branch goes on from the message before.
        let before = studio.talk_request("deck.json", &params(turn.parent), &[]);
        assert_eq!(before.expect("a view").request.problem, None);
    }
}

#[test]
fn calls_of_one_answer_have_ids_of_their_own_and_verdicts() {
    let call =
        |arguments: &str| json!({"id": "a", "function": {"name": "look", "arguments": arguments}});
    let body = json!({"choices": [{
        "message": {"content": null, "tool_calls": [call("{}"), call("{"), call("[]")]},
        "finish_reason": "tool_calls",
    }]});
    let server = Canned::answering(
        "200 OK",
        "Content-Type: text/event-stream\r\n",
        &format!("data: {body}\n\ndata: [DONE]\n\n"),
    );
    let (_home, studio, turn) = answer_of(&server);
    let ids: Vec<&str> = turn.calls.iter().map(|call| call.id.as_str()).collect();
    let numbered = |number: u32| format!("call_{}_{number}", turn.id);
    assert_eq!(ids, ["a", &numbered(2), &numbered(3)]);
    let typed = [result(&numbered(2), "{}"), result(&numbered(3), "plain")];
    let view = studio.talk_request("deck.json", &params(Some(turn.id)), &typed);
    let view = view.expect("a view");
    // The arguments are the model's: no author can mend them.
    let found = view.request.diagnostics.iter();
    let found: Vec<_> = found
        .filter(|found| found.code == "call_arguments")
        .map(|found| found.severity)
        .collect();
    assert_eq!(found, [Severity::Note, Severity::Note]);
    let verdicts = view.verdicts;
    let statuses: Vec<_> = verdicts
        .iter()
        .map(|call| {
            (
                call.turn,
                call.arguments.status,
                call.result.as_ref().map(|result| result.status),
            )
        })
        .collect();
    assert_eq!(
        statuses,
        [
            (Some(turn.id), SchemaStatus::Valid, None),
            (
                Some(turn.id),
                SchemaStatus::NotJson,
                Some(SchemaStatus::NoSchema)
            ),
            (
                Some(turn.id),
                SchemaStatus::Valid,
                Some(SchemaStatus::NotJson)
            ),
        ]
    );
}

#[test]
fn a_receiver_that_does_not_take_the_target_is_refused_before_sending() {
    let home = home();
    let (studio, _) = open(&home);
    studio
        .keep_connection(&connection("ollama", "http://localhost:1"), None)
        .expect("kept");
    let to = TalkParams {
        target: RequestTarget::Gemini,
        connection: Some("work".to_owned()),
        ..params(None)
    };
    let view = studio.talk_request("deck.json", &to, &[]).expect("a view");
    assert_eq!(view.targets, [RequestTarget::Openai]);
    assert_eq!(
        view.problem.map(|problem| problem.code),
        Some("talk_refused".to_owned())
    );
    let refused = studio.send_turns("deck.json", &to, &[message("user", "One")], true);
    assert!(refused.is_err());
    assert_eq!(turns(&studio), []);
}

#[test]
fn a_template_chosen_in_chat_receives_what_chat_shows() {
    let home = Home::new();
    let (studio, events) = home.open();
    // Without a system role, so that a polyfill has to change the messages.
    let template = "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}\
        {{ raise_exception('no system') }}{% endif %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>\
        {% endfor %}{% if add_generation_prompt %}<assistant>{{ mood }}{% endif %}";
    let config = json!({"chat_template": template, "bos_token": "<s>", "eos_token": "</s>"});
    fs::create_dir(home.path("model")).expect("made");
    home.write("model/tokenizer_config.json", &config);
    studio
        .choose_chat_model("deck.json", ChatSlot::Model, &home.path("model"))
        .expect("chosen");
    let setup = ChatSetup {
        template: ChatTemplate::Model,
        variables: json!({"mood": "calm"}).to_string(),
        ..ChatSetup::default()
    };
    studio.save_chat("deck.json", &setup).expect("stored");
    let copied = studio
        .copied_chat("deck.json", &setup, ChatForm::Text)
        .expect("rendered");
    assert!(
        copied.starts_with("<s><user>") && copied.ends_with("<assistant>calm"),
        "{copied}"
    );
    let to = TalkParams {
        call: None,
        target: RequestTarget::ChatTemplate,
        family: Some("chosen".to_owned()),
        ..params(None)
    };
    let messages = [message("user", &setup.messages[0].content)];
    let started = studio
        .send_turns("deck.json", &to, &messages, true)
        .expect("started");
    over(&events, started.batch.expect("a batch"));
    let answer = studio.talk("deck.json", None).expect("a tree").turns.pop();
    let body = sent(&studio, &answer.expect("an answer"));
    assert_eq!(body["prompt"], copied);
    let view = studio
        .talk_request("deck.json", &to, &messages)
        .expect("a view");
    assert_eq!(view.request.problem, None);

    // A server for raw completions gets the very text; one for messages does not.
    let server = Canned::answering(
        "200 OK",
        "Content-Type: text/event-stream\r\n",
        "data: {\"choices\":[{\"text\":\"Hi.\",\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    );
    studio
        .keep_connection(&connection("completions", server.address()), None)
        .expect("kept");
    let raw = TalkParams {
        connection: Some("work".to_owned()),
        ..to.clone()
    };
    let started = studio
        .send_turns("deck.json", &raw, &messages, true)
        .expect("started");
    over(&events, started.batch.expect("a batch"));
    let request = server.requests().pop().expect("a request");
    let sent: Value =
        serde_json::from_str(request.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
    assert_eq!(sent["prompt"], copied);
    studio
        .keep_connection(&connection("openai", server.address()), Some("work"))
        .expect("kept");
    let fault = studio
        .send_turns("deck.json", &raw, &messages, true)
        .expect_err("refused");
    assert!(fault.to_string().contains("no raw text"), "{fault}");
}

#[test]
fn what_the_policy_adds_to_an_answer_is_told_from_what_the_model_wrote() {
    let home = home();
    let (studio, events) = open(&home);
    let (written, signed) = ("Good evening.", "Good evening. The desk");
    let policy = |suffix: &str| {
        let edit = set(
            json!(["registry", "output_policy"]),
            json!({"append_suffix": suffix}),
        );
        let revision = studio
            .open_document("deck.json")
            .expect("open")
            .status
            .revision;
        let applied = studio.apply("deck.json", &group(revision, vec![edit]));
        applied.expect("applied");
    };
    policy("");
    let plain = send(&studio, &events, &params(None), &[message("user", written)]);
    assert_eq!(plain.changes, []);
    policy(" The desk");
    let answer = send(&studio, &events, &params(None), &[message("user", signed)]);
    assert!(answer.content.ends_with(" The desk"), "{}", answer.content);
    let of = |wanted: &[PartKind]| -> String {
        let parts = answer.changes.iter();
        parts
            .filter(|part| wanted.contains(&part.kind))
            .map(|part| part.text.as_str())
            .collect()
    };
    assert_eq!(of(&[PartKind::Same, PartKind::Added]), answer.content);
    assert_eq!(of(&[PartKind::Added]).trim(), "The desk");
    drop(studio);
    let (studio, _) = home.open();
    assert_eq!(turns(&studio).pop(), Some(answer));
}
