//! What the *Chat* tab says of a conversation that a format or template does not print as written.

use promptdeck_service::wire::{ChatReport, ChatSetup, ChatStability, ChatTemplate};
use serde_json::json;

use crate::calls::{self, CALL};
use crate::chat::{TEMPLATE, message, text, with_template};
use crate::home::Home;

#[test]
fn what_an_author_should_know_of_a_conversation() {
    let home = Home::new();
    let (studio, _) = home.open();
    let codes = |setup: &ChatSetup| -> Vec<String> {
        let report = studio.render_chat("deck.json", setup).expect("rendered");
        report
            .remarks
            .into_iter()
            .map(|remark| remark.code)
            .collect()
    };
    assert_eq!(codes(&with_template(TEMPLATE)), [""; 0]);
    let mut setup = with_template(TEMPLATE);
    setup.messages = vec![message("user", "It ends <|im_end|> here.", "")];
    assert_eq!(codes(&setup), ["token_in_content"]);
    let setup = with_template("{{ messages[0].content }}");
    assert_eq!(codes(&setup), ["dropped_message"]);
    let setup = ChatSetup {
        template: ChatTemplate::Own,
        text: "{% for m in messages %}{% if loop.last %}!{% endif %}{{ m.content }}\n{% endfor %}"
            .into(),
        ..ChatSetup::default()
    };
    let report = studio.render_chat("deck.json", &setup).expect("rendered");
    let ChatStability::Unstable { broken } = report.stability else {
        panic!("{:?}", report.stability);
    };
    assert_eq!(
        (broken.message, broken.changed, broken.from),
        (1, Some(0), 0)
    );
    assert_eq!(broken.place.map(|place| place.line), Some(1));
}

#[test]
fn what_cannot_be_written_message_by_message_is_not_called_stable() {
    let home = Home::new();
    let (studio, _) = home.open();
    let asking = "{% if not add_generation_prompt %}{{ raise_exception('Ask me.') }}{% endif %}\
                  {% for m in messages %}{{ m.content }}{% endfor %}";
    let report = studio
        .render_chat("deck.json", &with_template(asking))
        .expect("rendered");
    assert_eq!(report.problem, None);
    let ChatStability::Unknown { problem } = report.stability else {
        panic!("{:?}", report.stability);
    };
    assert_eq!(
        (problem.code.as_str(), problem.message.as_str()),
        ("template_raised", "Ask me.")
    );
}

#[test]
fn a_part_without_text_is_not_dropped_in_silence() {
    let home = Home::new();
    let (studio, _) = home.open();
    let parts = r#"{"content": [{"type": "text", "text": "What is it?"}, {"type": "image"}]}"#;
    let remarks = |setup: ChatSetup| -> Vec<(String, String)> {
        let setup = ChatSetup {
            messages: vec![message("user", "", parts)],
            ..setup
        };
        let report = studio.render_chat("deck.json", &setup).expect("rendered");
        let remarks = report.remarks.into_iter();
        remarks
            .map(|remark| (remark.code, remark.message))
            .collect()
    };
    let expected = "message 1 (user) has a part without text (image) that is dropped: the format \
                accepts only text";
    let expected = [("dropped_part".to_owned(), expected.to_owned())];
    assert_eq!(remarks(with_template(TEMPLATE)), expected);
    assert_eq!(remarks(ChatSetup::default()), expected);
    // A template that takes parts is given the image; what it does with it is its own.
    let able = "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}\
                {% for p in m.content %}{{ p.text or '<image>' }}{% endfor %}{% endif %}{% endfor %}";
    assert_eq!(remarks(with_template(able)).len(), 0);
}

#[test]
fn variables_that_the_format_does_not_read_are_named() {
    let home = Home::new();
    let (studio, _) = home.open();
    let report = |setup: ChatSetup, variables: &str| {
        let setup = ChatSetup {
            variables: variables.into(),
            ..setup
        };
        studio.render_chat("deck.json", &setup).expect("rendered")
    };
    let remarks = |report: &ChatReport| -> Vec<String> {
        let unread = report.remarks.iter();
        let unread = unread.filter(|remark| remark.code == "unread_variable");
        unread.map(|remark| remark.message.clone()).collect()
    };
    let found = report(
        with_template(TEMPLATE),
        r#"{"enable_thinkin": false, "mood": 1}"#,
    );
    assert_eq!(
        remarks(&found),
        [
            "the template reads no variable \"enable_thinkin\"; did you mean \"enable_thinking\"?",
            "the template reads no variable \"mood\"",
        ]
    );
    assert_eq!(
        remarks(&report(
            with_template(TEMPLATE),
            r#"{"enable_thinking": false}"#
        ))
        .len(),
        0
    );
    // It may be why the template fails.
    let failing = with_template("{{ persona.name }}");
    let found = report(failing, r#"{"persna": {"name": "Eve"}}"#);
    assert!(
        found.problem.is_some() && remarks(&found).len() == 1,
        "{found:?}"
    );
    // A built-in format reads whether to think.
    let thinks = report(ChatSetup::default(), r#"{"enable_thinking": true}"#);
    assert!(!text(&thinks).contains("<think>"), "{}", text(&thinks));
    assert_eq!(remarks(&thinks).len(), 0);
}

#[test]
fn a_generation_prompt_that_is_not_added_is_reported() {
    let home = Home::new();
    let (studio, _) = home.open();
    let once = "{% for m in messages %}{{ m.content }}|{% endfor %}\
                {% if add_generation_prompt and messages[-1].role != 'assistant' %}<a>{% endif %}";
    let codes = |role: &str, generation_prompt: bool| -> Vec<String> {
        let setup = ChatSetup {
            messages: vec![message(role, "Hello.", "")],
            generation_prompt,
            ..with_template(once)
        };
        let report = studio.render_chat("deck.json", &setup).expect("rendered");
        report
            .remarks
            .into_iter()
            .map(|remark| remark.code)
            .collect()
    };
    assert_eq!(codes("assistant", true), ["no_generation_prompt"]);
    assert_eq!(codes("assistant", false), [""; 0]);
    assert_eq!(codes("user", true), [""; 0]);
}

#[test]
fn a_template_that_refuses_the_conversation_of_the_call_says_why() {
    let home = calls::home();
    let mut call = calls::talk();
    call["history"].as_array_mut().expect("a list").truncate(3);
    call["message"] = json!({"text": ""});
    home.write(CALL, &call);
    let (studio, _) = calls::open(&home);
    studio.use_call("deck.json", Some(CALL)).expect("used");
    let template = "{% if 'Nobody.' in messages[-1].content %}{{ raise_exception('A tool ends it.') }}\
                    {% endif %}{{ messages[-1].content }}";
    let setup = with_template(template);
    let report = studio.render_chat("deck.json", &setup).expect("an answer");
    let problem = report.problem.expect("a problem");
    assert_eq!(problem.code, "template_raised");
    assert!(
        problem.message.contains("A tool ends it."),
        "{}",
        problem.message
    );
}
