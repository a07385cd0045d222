//! Compares incremental rendering with full rendering: every template over every conversation,
//! message by message and with other messages at the end, byte for byte. Also tests which templates can be rendered incrementally.

use promptdeck_chat::Request;
use promptdeck_chat::incremental::Incremental;
use promptdeck_jinja::{Moment, Template};
use promptdeck_tests::{chat_conversations, chat_sources};
use serde_json::{Value, json};

fn request(question: &Value) -> Request {
    let text = |name: &str| question[name].as_str().map(str::to_owned);
    Request {
        messages: question["messages"].as_array().cloned().unwrap_or_default(),
        tools: question.get("tools").cloned(),
        bos_token: text("bos_token"),
        eos_token: text("eos_token"),
        extra: question["extra"].as_object().cloned().unwrap_or_default(),
        now: Moment::parse("2024-07-26T09:05:03").map(|(moment, _)| moment),
        ..Request::default()
    }
}

/// The first `count` messages.
fn part(request: &Request, count: usize, add_generation_prompt: bool) -> Request {
    Request {
        messages: request.messages[..count].to_vec(),
        add_generation_prompt,
        ..request.clone()
    }
}

/// The conversation, message by message, and then as it is edited: the last message replaced, the last
/// ones removed, others in their place, and all of it again.
fn edits(request: &Request) -> Vec<Vec<Value>> {
    let all: Vec<Value> = request.messages.iter().take(24).cloned().collect();
    let mut steps: Vec<Vec<Value>> = (1..=all.len()).map(|end| all[..end].to_vec()).collect();
    let with = |removed: usize, others: &[Value]| {
        let prefix = &all[..all.len().saturating_sub(removed)];
        [prefix, others].concat()
    };
    let asks = json!({"role": "user", "content": "Another question?"});
    let answers =
        json!({"role": "assistant", "content": "<think>\nhm\n</think>\n\nAnother answer."});
    steps.push(with(1, std::slice::from_ref(&asks)));
    steps.push(with(1, std::slice::from_ref(&answers)));
    steps.push(with(2, &[]));
    steps.push(with(2, &[asks.clone(), answers.clone()]));
    steps.push(with(0, &[answers, asks.clone()]));
    steps.push(with(5, &[]));
    steps.push(with(4, std::slice::from_ref(&asks)));
    steps.push(with(0, &[asks]));
    steps.push(all);
    steps.retain(|messages| !messages.is_empty());
    steps
}

#[test]
fn an_edited_conversation_has_the_text_it_has_from_the_start() {
    let templates: Vec<(String, Template)> = chat_sources::fetched()
        .into_iter()
        .chain(chat_sources::repository_templates())
        .map(|(name, source)| (name, Template::compile(&source).expect("a template")))
        .collect();
    let (mut compared, mut reused, mut messages) = (0, 0, 0);
    for conversation in chat_conversations::all() {
        let request = request(&conversation.question);
        let steps = edits(&request);
        for (name, template) in &templates {
            let mut memory = Incremental::default();
            for (step, list) in steps.iter().enumerate() {
                for prompt in [false, true] {
                    let whole = Request {
                        messages: list.clone(),
                        add_generation_prompt: prompt,
                        ..request.clone()
                    };
                    let added = memory.add(template, &whole);
                    let count = list.len();
                    let earlier = part(&whole, count - 1, false).render(template);
                    let whole = whole.render(template);
                    let context = || format!("{name} over {}, step {step}", conversation.name);
                    match (added, whole) {
                        (Ok(added), Ok(whole)) => {
                            assert_eq!(added.text, whole, "{}", context());
                            let earlier = earlier.unwrap_or_default();
                            assert_eq!(
                                added.is_prefix,
                                whole.starts_with(&earlier),
                                "{}",
                                context()
                            );
                            assert!(added.text.is_char_boundary(added.from));
                            assert_eq!(added.text[..added.from], earlier[..added.from]);
                            reused += added.reused_messages;
                            messages += count;
                        }
                        (Err(added), Err(whole)) => {
                            assert_eq!(added.to_string(), whole.to_string(), "{}", context());
                        }
                        (added, whole) => panic!("{}: {added:?} and {whole:?}", context()),
                    }
                    compared += 1;
                }
            }
        }
    }
    println!(
        "{} templates: {compared} incremental renderings the same as from the start; {} % of the \
         messages were not rendered again",
        templates.len(),
        reused * 100 / messages.max(1)
    );
    assert!(compared > 20_000, "only {compared} were compared");
}

#[test]
fn what_precedes_the_messages_follows_every_change() {
    let templates = [
        "{% set first = messages[0].content %}{% set ns = namespace(last=first) %}[{{ first }}]\
         {% set rest = messages[1:] %}{% for m in rest %}{{ ns.last }}>{{ m.content }};\
         {% set ns.last = m.content %}{% endfor %}{{ ns.last }} {{ rest | length }} {{ first }}",
        "{% macro says(m) %}<{{ m.content }}>{% endmacro %}{% set all = messages %}\
         {{ says(messages[0]) }}{% if messages[1] is defined %}{{ says(messages[1]) }}{% endif %}\
         {% for m in all %}{{ says(m) }}{% endfor %}{{ all[-1].content }}",
        "{% for t in ['a', 'b'] %}{{ t }}{{ messages[0].content }}{% endfor %}\
         {% set c = cycler('x', 'y') %}{{ c.next() }}{% for m in messages %}{{ c.next() }}\
         {{ m.content }}{% endfor %}{% for m in messages %}{{ loop.index }}{% endfor %}",
        "{% set n = messages | length %}{{ n }}{% for m in messages %}{{ m.content }}{% endfor %}",
    ];
    let conversations = [
        "a", "ab", "abc", "abcd", "abcde", "xbcde", "xbcd", "xycd", "xycdef", "a", "abc", "ab",
        "zb",
    ];
    for source in templates {
        let template = Template::compile(source).expect("a template");
        let mut memory = Incremental::default();
        for conversation in conversations {
            let message = |letter: char| json!({"role": "user", "content": letter.to_string()});
            let request = Request::of(conversation.chars().map(message).collect());
            match (memory.add(&template, &request), request.render(&template)) {
                (Ok(added), Ok(whole)) => {
                    assert_eq!(added.text, whole, "{source} over {conversation}");
                }
                (added, whole) => assert_eq!(added.is_err(), whole.is_err(), "{source}"),
            }
        }
    }
}

/// The number of 40 messages that are not rendered again after a 41st.
fn reused_of_40(source: &str) -> usize {
    let template = Template::compile(source).expect("a template");
    let messages: Vec<Value> = (0..41)
        .map(|index| {
            let role = if index % 2 == 0 { "user" } else { "assistant" };
            json!({"role": role, "content": format!("{index}")})
        })
        .collect();
    let request = Request::of(messages);
    let mut memory = Incremental::default();
    memory
        .add(&template, &part(&request, 39, false))
        .expect("a rendering");
    memory
        .add(&template, &part(&request, 40, false))
        .expect("a rendering");
    let added = memory.add(&template, &request).expect("a rendering");
    assert_eq!(added.text, request.render(&template).expect("a rendering"));
    added.reused_messages
}

#[test]
fn what_a_template_cannot_have_seen_is_not_rendered_again() {
    let check =
        |source: &str, expected: usize| assert_eq!(reused_of_40(source), expected, "{source}");
    // No look-ahead.
    check("{% for m in messages %}{{ m.content }}{% endfor %}", 40);
    check("{% for m in messages[1:] %}{{ m.content }}{% endfor %}", 40);
    check(
        "{% set turns = messages %}{% for m in turns %}{{ loop.index }}{{ m.content }}{% endfor %}",
        40,
    );
    check(
        "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{{ ns.n }}{% endfor %}",
        40,
    );
    check(
        "{% macro m(x) %}{{ x.content }}{% endmacro %}{% for x in messages %}{{ m(x) }}{% endfor %}",
        40,
    );
    check(
        "{% if messages[0].role == 'user' %}!{% endif %}{% for m in messages %}{{ loop.previtem }}{% endfor %}",
        40,
    );
    // One message of look-ahead: the last message is rendered again.
    check(
        "{% for m in messages %}{{ m.content }}{% if not loop.last %},{% endif %}{% endfor %}",
        39,
    );
    check("{% for m in messages %}{{ loop.nextitem }}{% endfor %}", 39);
    check(
        "{% for m in messages %}{% if messages[loop.index0 + 1] is defined %},{% endif %}{% endfor %}",
        39,
    );
    // What is looked at ahead of the loop is looked at again.
    check(
        "{{ messages | length }}{% for m in messages %}{{ m.content }}{% endfor %}",
        40,
    );
    check(
        "{{ messages[-1].content }}{% for m in messages %}{{ m.content }}{% endfor %}",
        40,
    );
    check(
        "{% for m in messages %}{% endfor %}{% for m in messages %}{{ m.content }}{% endfor %}",
        40,
    );
    check(
        "{% set all = [messages] %}{% for m in messages %}{{ m.content }}{% endfor %}",
        40,
    );
    check(
        "{% set ns = namespace(all=messages) %}{% for m in messages %}{{ m.content }}{% endfor %}",
        40,
    );
    check(
        "{{ messages | tojson }}{% for m in messages %}{{ m.content }}{% endfor %}",
        40,
    );
    // What was found at the end matters as far as the loop asks for it. The 40th message answers the
    // 39th, which is the last question until the 41st is asked.
    let search = "{% set ns = namespace(open=true, last=messages | length - 1) %}\
                  {% for m in messages[::-1] %}\
                  {% set index = (messages | length - 1) - loop.index0 %}\
                  {% if ns.open and m.role == 'user' %}\
                  {% set ns.open = false %}{% set ns.last = index %}{% endif %}{% endfor %}";
    let after = |printed: &str| format!("{search}{{% for m in messages %}}{printed}{{% endfor %}}");
    check(&after("{{ m.content }}"), 40);
    check(
        &after("{{ m.content }}{% if m.role != 'user' and loop.index0 > ns.last %}!{% endif %}"),
        39,
    );
    // The answer changes at the 39th message; no checkpoint as early as that is left.
    check(
        &after("{{ m.content }}{% if ns.last <= loop.index0 %}!{% endif %}"),
        0,
    );
    check(&after("{{ m.content }}{{ ns.last }}"), 0);
    check(
        &after("{{ m.content }}{% if ns.last - 1 > loop.index0 %}!{% endif %}"),
        0,
    );
    check(
        "{% set count = messages | length %}{% for m in messages %}{{ m.content }}\
         {% if loop.index == count %}!{% endif %}{% endfor %}",
        39,
    );
    check(
        "{% set last = messages[-1] %}{% for m in messages %}{{ m.content }}\
         {% if m == last %}!{% endif %}{% endfor %}",
        0,
    );
    // An attribute that the loop itself replaced is its own.
    check(
        "{% set ns = namespace(n=messages | length) %}{% for m in messages %}\
         {% set ns.n = loop.index %}{{ ns.n }}{{ m.content }}{% endfor %}",
        40,
    );
    check(
        "{% set ns = namespace(n=messages | length) %}{% for m in messages %}\
         {% set ns.n = ns.n + 1 %}{{ m.content }}{% endfor %}",
        0,
    );
    // Every message depends on all others.
    check("{% for m in messages %}{{ loop.length }}{% endfor %}", 0);
    check("{% for m in messages %}{{ loop.revindex }}{% endfor %}", 0);
    check(
        "{% for m in messages[::-1] %}{{ m.content }}{% endfor %}",
        0,
    );
    check("{% for m in messages[:3] %}{{ m.content }}{% endfor %}", 0);
    // State that cannot be restored.
    check(
        "{% set c = cycler('a', 'b') %}{% for m in messages %}{{ c.next() }}{% endfor %}",
        0,
    );
    check(
        "{% set j = joiner() %}{% for m in messages %}{{ j() }}{{ m.content }}{% endfor %}",
        0,
    );
}

#[test]
fn the_cache_is_matched_by_content() {
    let source = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{{ tools }}";
    let template = Template::compile(source).expect("a template");
    let turn = |content: &str| json!({"role": "user", "content": content});
    let mut memory = Incremental::default();
    let mut check = |request: &Request, reused: usize| {
        let added = memory.add(&template, request).expect("a rendering");
        assert_eq!(added.text, request.render(&template).expect("a rendering"));
        assert_eq!(added.reused_messages, reused, "{}", added.text);
    };
    let of = |texts: &[&str]| Request::of(texts.iter().map(|text| turn(text)).collect());
    check(&of(&["a", "b", "c"]), 2);
    check(&of(&["a", "b", "c", "d"]), 3);
    // The same number of messages, with a change in the middle.
    check(&of(&["a", "x", "c", "d"]), 3);
    // A changed last message.
    check(&of(&["a", "x", "c", "e"]), 3);
    // Fewer messages.
    check(&of(&["a"]), 0);
    check(&of(&["a", "x"]), 1);
    // A changed setting.
    let tools = Request {
        tools: Some(json!([{"b": 1, "a": 2}])),
        ..of(&["a", "x"])
    };
    check(&tools, 1);
    let reordered = Request {
        tools: Some(json!([{"a": 2, "b": 1}])),
        ..of(&["a", "x"])
    };
    check(&reordered, 1);
}

#[test]
fn what_was_looked_at_ahead_counts_as_seen() {
    let source = "{% for m in messages %}{{ m.content }}\
                  {{ loop.nextitem.content if not loop.last }}{% endfor %}";
    let template = Template::compile(source).expect("a template");
    let of = |texts: &[&str]| {
        let turn = |text: &&str| json!({"role": "user", "content": text});
        Request::of(texts.iter().map(turn).collect())
    };
    let mut memory = Incremental::default();
    for texts in [
        &["a", "b", "c"],
        &["a", "b", "x"],
        &["a", "y", "x"],
        &["z", "y", "x"],
    ] {
        let added = memory.add(&template, &of(texts)).expect("a rendering");
        let whole = of(texts).render(&template).expect("a rendering");
        assert_eq!(added.text, whole);
    }
}

#[test]
fn the_clock_matters_to_those_who_ask() {
    let at = |text: &str| Moment::parse(text).map(|(moment, _)| moment);
    let dated = Template::compile(
        "{{ strftime_now('%d') }}{% for m in messages %}{{ m.content }}{% endfor %}",
    )
    .expect("a template");
    let messages = vec![
        json!({"role": "user", "content": "a"}),
        json!({"role": "user", "content": "b"}),
    ];
    let mut memory = Incremental::default();
    for now in ["2024-07-26T09:05:03", "2024-07-27T09:05:03"] {
        let request = Request {
            now: at(now),
            ..Request::of(messages.clone())
        };
        let added = memory.add(&dated, &request).expect("a rendering");
        assert_eq!(added.text, request.render(&dated).expect("a rendering"));
    }
}
