//! The *Chat* tab: the prompt through builtin formats and templates, polyfills, problems with their
//! place, comparing, copying.

use std::fs;

use promptdeck_service::CancellationToken;
use promptdeck_service::wire::{
    CapabilityState, ChatBlockKind, ChatConversation, ChatForm, ChatMessage, ChatReport, ChatSetup,
    ChatSlot, ChatStability, ChatTemplate,
};

use crate::calls::{self, CALL};
use crate::home::{Home, group, prompt, set};
use serde_json::json;

/// `ChatML` that supports only content, and thinks if a variable says so.
pub const TEMPLATE: &str = "{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and not enable_thinking %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}
{%- endif %}";

pub fn with_template(text: &str) -> ChatSetup {
    ChatSetup {
        template: ChatTemplate::Own,
        text: text.into(),
        ..ChatSetup::default()
    }
}

pub fn message(role: &str, content: &str, fields: &str) -> ChatMessage {
    ChatMessage {
        role: role.into(),
        content: content.into(),
        fields: fields.into(),
    }
}

pub fn text(report: &ChatReport) -> String {
    let pieces = report.blocks.iter().flat_map(|block| &block.pieces);
    pieces.map(|piece| piece.text.as_str()).collect()
}

#[test]
fn the_prompt_comes_first_with_its_sections() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let report = studio
        .render_chat("deck.json", &ChatSetup::default())
        .expect("rendered");
    let expected = format!(
        "<|im_start|>system\n{}<|im_end|>\n<|im_start|>user\nHello.<|im_end|>\n\
         <|im_start|>assistant\n<think>\n\n</think>\n\n",
        prompt(&opened)
    );
    assert_eq!(text(&report), expected);
    let kinds: Vec<_> = report.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(
        kinds,
        [
            ChatBlockKind::Prompt,
            ChatBlockKind::Message,
            ChatBlockKind::Generation
        ]
    );
    let sections = report.blocks[0].pieces.iter();
    let mut sections: Vec<_> = sections
        .filter_map(|piece| piece.source.as_ref().map(|source| &*source.section))
        .collect();
    sections.dedup();
    assert_eq!(sections[..2], ["base_context", "personas"]);
    assert_eq!(report.stability, ChatStability::Stable);
    assert!(report.problem.is_none() && !report.exact);
    let sum: u32 = report.blocks.iter().map(|block| block.tokens).sum();
    assert_eq!(report.tokens, sum);

    let change = studio.apply(
        "deck.json",
        &group(
            0,
            vec![set(
                json!(["registry", "base_context", "items", 0, "text"]),
                json!("New."),
            )],
        ),
    );
    change.expect("applied");
    let report = studio
        .render_chat("deck.json", &ChatSetup::default())
        .expect("rendered");
    assert!(text(&report).starts_with("<|im_start|>system\nNew."));
}

#[test]
fn thinking_reaches_templates_that_ask_and_builtin_formats() {
    let home = Home::new();
    let (studio, _) = home.open();
    let ends = |setup: &ChatSetup| {
        let report = studio.render_chat("deck.json", setup).expect("rendered");
        text(&report).ends_with("</think>\n\n")
    };
    for setup in [with_template(TEMPLATE), ChatSetup::default()] {
        let thinking = ChatSetup {
            thinking: true,
            ..setup.clone()
        };
        assert_eq!((ends(&setup), ends(&thinking)), (true, false));
        let inspection = studio
            .inspect_chat("deck.json", &setup, &CancellationToken::new())
            .expect("inspected");
        assert!(inspection.thinks);
    }
}

#[test]
fn an_error_of_a_template_has_a_position() {
    let home = Home::new();
    let (studio, _) = home.open();
    let check = |template: &str, code: &str, line: u32, excerpt: &str| {
        let report = studio
            .render_chat("deck.json", &with_template(template))
            .expect("an answer");
        let problem = report.problem.expect("a problem");
        assert_eq!(
            (
                problem.code.as_str(),
                problem.place.map(|place| place.line),
                problem.line.as_deref()
            ),
            (code, Some(line), Some(excerpt)),
            "{template}"
        );
    };
    check("a\n{% for %}\n", "template_syntax", 2, "{% for %}");
    check(
        "a\n{{ messages[9].role.x }}",
        "template_undefined",
        2,
        "{{ messages[9].role.x }}",
    );
    check(
        "{{ raise_exception('No.') }}",
        "template_raised",
        1,
        "{{ raise_exception('No.') }}",
    );
    let inspection = studio
        .inspect_chat(
            "deck.json",
            &with_template("{% for %}"),
            &CancellationToken::new(),
        )
        .expect("an answer");
    assert_eq!(
        inspection.problem.map(|problem| problem.code).as_deref(),
        Some("template_syntax")
    );
}

#[test]
fn polyfills_show_what_they_change_and_can_be_switched_off() {
    let home = Home::new();
    let (studio, _) = home.open();
    let mut setup = with_template(TEMPLATE);
    setup.messages = vec![
        message("developer", "Be brief.", ""),
        message("user", "Rain?", ""),
        message(
            "assistant",
            "",
            r#"{"tool_calls": [{"id": "call00001", "type": "function",
            "function": {"name": "weather", "arguments": "{}"}}]}"#,
        ),
    ];
    setup.tools = r#"[{"type": "function", "function": {"name": "weather"}}]"#.into();
    let on = studio.render_chat("deck.json", &setup).expect("rendered");
    let names: Vec<_> = on.polyfills.iter().map(|one| one.name.as_str()).collect();
    assert!(
        names.contains(&"tools_into_system") && names.contains(&"calls_as_content"),
        "{names:?}"
    );
    let calls = on
        .blocks
        .iter()
        .find(|block| block.message == Some(3))
        .expect("a block");
    assert_eq!(
        (calls.calls, calls.polyfills.as_slice()),
        (1, &["calls_as_content".to_owned()][..])
    );
    let changed = on
        .polyfills
        .iter()
        .find(|one| one.name == "calls_as_content");
    let changed: Vec<_> = changed.iter().flat_map(|one| &one.changes).collect();
    assert_eq!(
        changed.iter().map(|one| one.message).collect::<Vec<_>>(),
        [Some(3)]
    );
    assert!(text(&on).contains("\"name\": \"weather\""));

    setup.off = vec!["calls_as_content".into(), "tools_into_system".into()];
    let off = studio.render_chat("deck.json", &setup).expect("rendered");
    assert!(!text(&off).contains("weather"));
    assert!(
        off.polyfills
            .iter()
            .any(|one| one.name == "calls_as_content" && !one.on)
    );
}

#[test]
fn a_template_of_parts_is_given_parts() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let setup = with_template(
        "{% for m in messages %}<{{ m.role }}>{% for p in m.content %}\
                     {% if p.type == 'text' %}{{ p.text }}{% endif %}{% endfor %}{% endfor %}",
    );
    let report = studio.render_chat("deck.json", &setup).expect("rendered");
    assert_eq!(
        text(&report),
        format!("<system>{}<user>Hello.", prompt(&opened))
    );
    let names: Vec<_> = report
        .polyfills
        .iter()
        .map(|polyfill| polyfill.name.as_str())
        .collect();
    assert!(names.contains(&"text_into_parts"), "{names:?}");
    assert!(!names.contains(&"system_into_user"), "{names:?}");
    let inspection = studio
        .inspect_chat("deck.json", &setup, &CancellationToken::new())
        .expect("inspected");
    let found = inspection
        .capabilities
        .iter()
        .find(|capability| capability.name == "text_content");
    let found = found.expect("asked about");
    assert_eq!(
        (found.state, found.polyfill.as_deref()),
        (CapabilityState::Polyfilled, Some("text_into_parts"))
    );
}

#[test]
fn capabilities_come_with_their_proof() {
    let home = Home::new();
    let (studio, _) = home.open();
    let inspection = studio
        .inspect_chat(
            "deck.json",
            &with_template(TEMPLATE),
            &CancellationToken::new(),
        )
        .expect("inspected");
    let capability = |name: &str| {
        let found = inspection
            .capabilities
            .iter()
            .find(|one| one.name == name)
            .expect(name);
        (
            found.state,
            found.polyfill.as_deref(),
            found.rendered.as_deref().unwrap_or_default(),
        )
    };
    let (system, _, proof) = capability("supports_system_role");
    assert_eq!(system, CapabilityState::Yes);
    assert!(proof.contains("<|im_start|>system\nNEEDLE-SYSTEM"));
    assert_eq!(capability("supports_tools").0, CapabilityState::Polyfilled);
    assert_eq!(capability("supports_tools").1, Some("tools_into_system"));
    assert_eq!(capability("requires_alternation").0, CapabilityState::No);
    let thinking = inspection
        .variables
        .iter()
        .find(|one| one.name == "enable_thinking");
    let thinking = thinking.expect("read");
    assert_eq!(thinking.value.as_deref(), Some("false"));
    assert!(
        thinking
            .parts
            .iter()
            .any(|part| part.text.contains("<think>"))
    );
}

#[test]
fn reasoning_has_its_aliases_unless_they_are_switched_off() {
    let home = Home::new();
    let (studio, _) = home.open();
    let asked = |alias_reasoning: bool| {
        let setup = ChatSetup {
            messages: vec![message("assistant", "A", r#"{"reasoning_content": "R"}"#)],
            alias_reasoning,
            ..with_template("{{ messages[-1].thinking }}|{{ messages[-1].reasoning_content }}")
        };
        text(&studio.render_chat("deck.json", &setup).expect("rendered"))
    };
    assert_eq!((asked(true), asked(false)), ("R|R".into(), "|R".into()));
}

#[test]
fn text_that_a_template_marks_as_generated_is_marked() {
    let home = Home::new();
    let (studio, _) = home.open();
    let setup = ChatSetup {
        messages: vec![message("user", "Q", ""), message("assistant", "A", "")],
        generation_prompt: false,
        ..with_template(
            "{% for m in messages %}<|{{ m.role }}|>{% if m.role == 'assistant' %}\
               {% generation %}{{ m.content }}<|end|>{% endgeneration %}{% else %}\
               {{ m.content }}{% endif %}{% endfor %}",
        )
    };
    let report = studio.render_chat("deck.json", &setup).expect("rendered");
    let pieces = report.blocks.iter().flat_map(|block| &block.pieces);
    let generated: String = pieces
        .filter(|piece| piece.generated)
        .map(|piece| piece.text.as_str())
        .collect();
    assert_eq!(generated, "A<|end|>");
}

#[test]
fn two_formats_are_compared_conversation_by_conversation() {
    let home = Home::new();
    let (studio, _) = home.open();
    let family = |family: &str| ChatTemplate::Family {
        family: family.into(),
    };
    let trials = |setup: &ChatSetup, with: &ChatTemplate| {
        studio
            .compare_chat("deck.json", setup, with, &CancellationToken::new())
            .expect("compared")
    };
    let same = trials(&ChatSetup::default(), &family("QWEN_3_X"));
    assert!(
        same.len() > 8
            && same
                .iter()
                .all(|trial| trial.same && trial.parts.is_empty())
    );
    let plain = trials(&with_template(TEMPLATE), &family("QWEN_3_X"));
    let named = |name: &str| {
        plain
            .iter()
            .find(|trial| trial.name == name)
            .expect("there")
    };
    assert!(named("One question").same);
    assert!(!named("Tools offered").same && !named("Tools offered").parts.is_empty());
    let broken = trials(&with_template("{% for %}"), &family("LLAMA_3_X"));
    assert!(
        broken
            .iter()
            .all(|trial| !trial.same && trial.left.is_some() && trial.right.is_none())
    );

    // Both fail everywhere, one for this reason and the other for that.
    let refusing = |why: &str| format!("{{{{ raise_exception('{why}') }}}}");
    fs::write(home.path("other.jinja"), refusing("two")).expect("written");
    studio
        .choose_chat_model("deck.json", ChatSlot::Other, &home.path("other.jinja"))
        .expect("read");
    let alike = |why: &str| {
        let trials = trials(&with_template(&refusing(why)), &ChatTemplate::Other);
        assert!(
            trials
                .iter()
                .all(|trial| trial.left.is_some() && trial.right.is_some())
        );
        trials.iter().filter(|trial| trial.same).count()
    };
    assert_eq!(alike("one"), 0);
    assert!(alike("two") > 8);
}

#[test]
fn a_conversation_is_copied_in_three_forms() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let copied = |setup: &ChatSetup, form| studio.copied_chat("deck.json", setup, form);
    let setup = ChatSetup::default();
    let report = studio.render_chat("deck.json", &setup).expect("rendered");
    assert_eq!(copied(&setup, ChatForm::Text).ok(), Some(text(&report)));
    let messages = copied(&setup, ChatForm::Messages).expect("copied");
    let messages: serde_json::Value = serde_json::from_str(&messages).expect("JSON");
    assert_eq!(
        messages,
        json!({"messages": [{"role": "system", "content": prompt(&opened)},
            {"role": "user", "content": "Hello."}]})
    );
    let curl = copied(&setup, ChatForm::Curl).expect("copied");
    assert!(curl.starts_with("curl http://localhost:8080/v1/completions "));
    assert!(curl.contains(r#""stop":["<|im_end|>"]"#));
    let fault =
        copied(&with_template("{% for %}"), ChatForm::Text).map_err(|fault| fault.to_string());
    assert!(fault.is_err_and(|fault| fault.contains("template line 1")));
}

#[test]
fn the_conversation_of_the_call_document_in_use_takes_the_place_of_the_example() {
    let home = calls::home();
    let mut call = calls::talk();
    call["tools"] = json!([{"name": "look", "description": "Looks around."}]);
    home.write(CALL, &call);
    let (studio, _) = calls::open(&home);
    let setup = ChatSetup::default();
    let rendered_text = |setup: &ChatSetup| {
        let report = studio.render_chat("deck.json", setup).expect("rendered");
        assert_eq!(report.problem, None);
        text(&report)
    };
    assert!(rendered_text(&setup).contains("Hello."));
    studio.use_call("deck.json", Some(CALL)).expect("used");
    let with_call = rendered_text(&setup);
    assert!(!with_call.contains("Hello."), "{with_call}");
    for part in ["Hello?", "Nobody is there.", "Look again.", "Looks around."] {
        assert!(with_call.contains(part), "{part}: {with_call}");
    }
    let copied = studio
        .copied_chat("deck.json", &setup, ChatForm::Text)
        .expect("copied");
    assert_eq!(copied, with_call);
    studio
        .apply_call(CALL, &calls::typed(0, 0, "Now: "))
        .expect("applied");
    assert!(rendered_text(&setup).contains("Now: Look again."));
    let example = ChatSetup {
        conversation: ChatConversation::Example,
        ..setup.clone()
    };
    assert!(rendered_text(&example).contains("Hello."));
    studio.use_call("deck.json", None).expect("used");
    assert_eq!(rendered_text(&setup), rendered_text(&example));
}
