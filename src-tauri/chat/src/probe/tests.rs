//! Tests of `probe`.

use super::*;

fn probed(source: &str) -> (Template, Capabilities, Vec<Proof>) {
    let template = Template::compile(source).expect("a template");
    let (found, proofs) = probe(&template);
    (template, found, proofs)
}

#[test]
fn what_is_known_of_the_source_is_proved_by_its_line() {
    let source = "{# {% generation %} marks answers, <|channel|> does not. #}\n\
                  {% for m in messages %}\n\
                  {% generation %}{{ m.content }}{% endgeneration %}\n\
                  <|channel|>final<|message|>\n{% endfor %}";
    let (_, found, proofs) = probed(source);
    assert!(found.has_channels && found.has_generation_tag);
    let rendered = |capability: &str| {
        let proof = proofs.iter().find(|proof| proof.capability == capability);
        proof.map(|proof| proof.rendered.as_str())
    };
    assert_eq!(
        rendered("has_generation_tag"),
        Some("{% generation %}{{ m.content }}{% endgeneration %}")
    );
    assert_eq!(
        rendered("has_channels"),
        Some("<|channel|>final<|message|>")
    );
}

#[test]
fn a_difference_is_proved_by_both_renderings() {
    let source = "{{ strftime_now('%Y') }}{% if enable_thinking %}<think>{% endif %}\
                  {% if add_generation_prompt %}<a>{% endif %}";
    let (_, _, proofs) = probed(source);
    let check = |capability: &str, compared: &str, rendered: &str| {
        let proof = proofs.iter().find(|proof| proof.capability == capability);
        let proof = proof.expect("a proof");
        assert!(proof.holds, "{capability}");
        assert_eq!(proof.compared.as_deref(), Some(compared), "{capability}");
        assert_eq!(proof.rendered, rendered, "{capability}");
    };
    check("supports_thinking", "2024<think><a>", "2024<a>");
    check("uses_clock", "2024", "2031");
    check("writes_generation_prompt", "2024", "2024<a>");
}

#[test]
fn a_template_that_needs_tools_is_asked_with_tools() {
    let source = "{% for t in tools %}[{{ t.function.name }}]{% endfor %}\
                  {% for m in messages %}<{{ m.role }}>{{ m.content }}|{% endfor %}\
                  {% if add_generation_prompt %}<assistant>{% endif %}";
    let (template, found, _) = probed(source);
    assert!(found.supports_tools && found.supports_system_role);
    assert!(found.supports_tool_responses && found.writes_generation_prompt);
    assert!(!found.requires_typed_content);
    let base = Request {
        tools: needed_tools(&template, &pool()),
        ..Request::default()
    };
    assert_eq!(generation_prompt(&template, &found, &base), "<assistant>");
    assert_eq!(end_tag(&template, &found, &base), "|");
    // One that asks whether there are any is asked without.
    let guarded = source.replace("in tools", "in tools or []");
    let template = Template::compile(&guarded).expect("a template");
    assert_eq!(needed_tools(&template, &pool()), None);
    // Nor do tools help one that fails for another reason.
    let template = Template::compile("{{ raise_exception('no') }}").expect("a template");
    assert_eq!(needed_tools(&template, &pool()), None);
}

#[test]
fn a_system_text_that_needs_the_user_to_speak_last_is_found() {
    let last = "{% for m in messages %}{% if m.role == 'user' %}\
                {% if loop.last and messages[0].role == 'system' %}{{ messages[0].content }}\
                {% endif %}{% endif %}{% if m.role != 'system' %}{{ m.content }}{% endif %}\
                {% endfor %}";
    let (_, found, _) = probed(last);
    assert!(found.supports_system_role && found.drops_system_text);
    let (_, found, _) = probed("{% for m in messages %}{{ m.content }}{% endfor %}");
    assert!(found.supports_system_role && !found.drops_system_text);
    // One that never shows it has no system role at all.
    let never = "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}";
    let (_, found, _) = probed(never);
    assert!(!found.supports_system_role && !found.drops_system_text);
}

#[test]
fn a_template_of_parts_is_asked_in_parts() {
    let source = "{% for m in messages %}<{{ m.role }}>{% for p in m.content %}\
                  {% if p.type == 'text' %}{{ p.text }}{% endif %}{% endfor %}|\
                  {% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
    let (template, found, _) = probed(source);
    assert!(found.requires_typed_content && found.supports_typed_content);
    assert!(found.supports_system_role && found.supports_tool_responses);
    let base = Request::default();
    assert_eq!(generation_prompt(&template, &found, &base), "<assistant>");
    assert_eq!(end_tag(&template, &found, &base), "|");
}
