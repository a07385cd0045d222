//! Runs, conversations and requests of a registry whose texts are Jinja templates: they send what the
//! preview prints, or nothing.

use std::fs;

use promptdeck_service::wire::{
    ChatSetup, Event, RequestParams, RequestTarget, RunDetail, RunParams, RunStep, TalkMessage,
    TalkParams,
};
use promptdeck_service::{ServiceError, Studio};
use serde_json::json;

use crate::home::{Events, Home};

const CALL: &str = "calls/guest.json";

/// A home whose prompt is this template, with a call document that names a guest.
fn home_of(template: &str) -> Home {
    let home = Home::new();
    fs::create_dir(home.path("calls")).expect("made");
    home.write(
        "deck.json",
        &json!({"registry": {
            "template_engine": "jinja",
            "assembly_order": ["greeting"],
            "greeting": {"required": true, "items": [{"id": "hello", "text": template}]},
        }}),
    );
    let call = json!({
        "registry": "../deck.json",
        "args": {"guest": "Bob"},
        "message": {"text": "Hi"},
    });
    home.write(CALL, &call);
    home
}

fn open(home: &Home) -> (Studio, Events) {
    let (studio, events) = home.open();
    studio.open_call(CALL).expect("opened");
    (studio, events)
}

/// Runs the document; returns how many of its runs ended, and the code and message of its problem.
fn run(studio: &Studio, events: &Events) -> (u32, Option<(String, String)>) {
    let params = RunParams {
        connection: None,
        seeds: 1,
    };
    let started = studio.start_runs("deck.json", &params).expect("started");
    events.wait("the end of a batch", |event| match event {
        Event::Run {
            batch,
            step: RunStep::Over { done, problem },
            ..
        } if *batch == started.batch => Some((
            *done,
            problem
                .clone()
                .map(|problem| (problem.code, problem.message)),
        )),
        _ => None,
    })
}

fn last_run(studio: &Studio) -> RunDetail {
    let history = studio.runs("deck.json", 0, 1).expect("a history");
    studio.run(history.runs[0].id).expect("a run")
}

fn talk_params(call: Option<&str>) -> TalkParams {
    TalkParams {
        call: call.map(str::to_owned),
        target: RequestTarget::Openai,
        family: None,
        connection: None,
        leaf: None,
        beside: None,
    }
}

fn message() -> TalkMessage {
    TalkMessage {
        role: "user".to_owned(),
        content: "Hello".to_owned(),
        answers: None,
    }
}

#[test]
fn a_run_sends_what_the_preview_prints() {
    let home = home_of("Greet {{ args.guest }}.{% if args.guest %} Sing.{% endif %}");
    let (studio, events) = open(&home);
    for (call, printed) in [(None, "Greet ."), (Some(CALL), "Greet Bob. Sing.")] {
        let change = studio.use_call("deck.json", call).expect("used");
        assert_eq!(change.preview.characters as usize, printed.len());
        assert_eq!(run(&studio, &events), (1, None));
        let detail = last_run(&studio);
        assert_eq!(
            detail.body["input"]["messages"][0]["content"],
            json!(printed)
        );
        assert_eq!(detail.prompt, printed);
    }
}

#[test]
fn an_answer_records_the_prompt_that_it_sent() {
    let home = home_of("Greet {{ args.guest }}.");
    let (studio, events) = open(&home);
    for (call, printed) in [(None, "Greet ."), (Some(CALL), "Greet Bob.")] {
        let started = studio
            .send_turns("deck.json", &talk_params(call), &[message()], true)
            .expect("started");
        events.wait("the end of an answer", |event| match event {
            Event::Run {
                batch,
                step: RunStep::Over { .. },
                ..
            } if Some(*batch) == started.batch => Some(()),
            _ => None,
        });
        let detail = last_run(&studio);
        assert_eq!(
            detail.body["input"]["body"]["messages"][0]["content"],
            json!(printed)
        );
        assert_eq!(detail.prompt, printed);
    }
}

#[test]
fn a_prompt_that_is_not_rendered_is_not_sent() {
    let home = home_of("Greet {% include 'tail.j2' %}.");
    let (studio, events) = open(&home);
    let why = "the prompt is not rendered: template not found: tried to include non-existing \
               template 'tail.j2' (line 1, column 10 of the prompt)";
    let sent = (
        "prompt_template".to_owned(),
        format!("{why}; nothing was sent"),
    );
    assert_eq!(run(&studio, &events), (0, Some(sent)));
    let preview = studio
        .use_call("deck.json", Some(CALL))
        .expect("used")
        .preview;
    let unrendered = preview.unrendered.expect("a reason");
    assert_eq!((unrendered.message.as_str(), preview.characters), (why, 0));
    let history = studio.runs("deck.json", 0, 1).expect("a history");
    assert_eq!(history.total, 0);
    for call in [None, Some(CALL)] {
        let answer = studio.send_turns("deck.json", &talk_params(call), &[message()], true);
        let Err(ServiceError::Build(fault)) = answer else {
            panic!("{answer:?}");
        };
        assert_eq!(
            (fault.code(), fault.to_string().as_str()),
            ("prompt_template", why)
        );
        for target in [
            RequestTarget::Openai,
            RequestTarget::Gemini,
            RequestTarget::ChatTemplate,
        ] {
            let params = RequestParams {
                call: call.map(str::to_owned),
                target,
                family: None,
            };
            let view = studio.request("deck.json", &params).expect("a view");
            let problem = view.problem.expect("a problem");
            assert_eq!((view.body.as_str(), problem.message.as_str()), ("", why));
            assert_eq!((problem.line, problem.column.is_some()), (Some(1), true));
        }
        let talk = studio.talk("deck.json", call).expect("a tree");
        assert!(talk.turns.is_empty(), "nothing is added either");
    }
}

#[test]
fn arguments_that_cannot_be_built_are_reported_before_a_run() {
    let home = home_of("Greet {{ args.guest }}.");
    let call = json!({
        "registry": "../deck.json",
        "assistant": {"name": ["Bob"]},
        "message": {"text": "Hi"},
    });
    home.write(CALL, &call);
    let (studio, _) = open(&home);
    let preview = studio
        .use_call("deck.json", Some(CALL))
        .expect("used")
        .preview;
    let unrendered = preview.unrendered.expect("a reason");
    let params = RequestParams {
        call: Some(CALL.to_owned()),
        target: RequestTarget::Openai,
        family: None,
    };
    let view = studio.request("deck.json", &params).expect("a view");
    let params = RunParams {
        connection: None,
        seeds: 1,
    };
    let fault = studio
        .start_runs("deck.json", &params)
        .expect_err("refused");
    assert_eq!(fault.to_string(), unrendered.message);
    assert_eq!(view.problem, Some(unrendered));
    let report = studio
        .render_chat("deck.json", &ChatSetup::default())
        .expect("a report");
    assert_eq!(
        report.problem.expect("a problem").message,
        fault.to_string()
    );
}
