//! Where each piece of a prompt comes from: adjacent pieces differ in one name at a time.

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry::Registry,
};
use serde_json::{Value, json};

use super::{deck, optional};

/// Each segment but glue, as its source and its text.
fn sources(registry: &Value, state: &Value) -> Vec<String> {
    let registry = Registry::from_map(registry.as_object().expect("an object"));
    let engine = Engine::new(registry.expect("a registry"));
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    let hydration = engine.hydrate(&call).expect("a prompt");
    let segments = hydration.segments.iter();
    segments
        .filter_map(|segment| {
            let source = segment.source.as_ref()?;
            let id = source.id.as_deref().unwrap_or("-");
            let mut line = format!("{}[{}={id}].{}", source.section, source.item, source.field);
            for (name, index) in [("entry", source.entry), ("fragment", source.fragment)] {
                line.extend(index.map(|index| format!(" {name} {index}")));
            }
            line.extend(source.variable.as_ref().map(|name| format!(" ={name}")));
            let token = source.token.map_or("-".into(), |token| token.to_string());
            Some(format!(
                "{token} {line} {:?} {:?}",
                source.part, segment.text
            ))
        })
        .collect()
}

#[test]
fn adjacent_pieces_have_the_names_of_their_own() {
    let registry = deck(
        &["rules", "tone.text", "tone.examples", "other.text"],
        json!({
            "rules": optional(json!([
                {"id": "a", "text": "A."}, {"name": "b", "text": "B."},
            ])),
            "tone": {"required": true, "template_vars": ["x", "y"], "items": [{
                "id": "warm", "text": "{x}{y}", "examples": ["1", "2"], "pre_context": "H:",
                "fragments": [
                    {"condition": "x", "text": "{y}"}, {"condition": "y", "text": "{x}"},
                ],
            }]},
            "other": {"required": true, "template_vars": ["z"], "items": [{"text": "{z}"}]},
            "runtime_injections": optional(json!([
                {"id": "i", "text": "I.", "include_sections": ["rules", "tone", "other"]},
                {"id": "j", "text": "J.", "include_sections": ["rules", "tone", "other"]},
            ])),
        }),
    );
    let state = json!({
        "selections": {"rules": ["a", "b"], "runtime_injections": ["i", "j"]},
        "template_vars": {"tone::x": "X", "tone::y": "Y", "other::z": "Z"},
    });
    let expected = [
        r#"0 rules[0=a].text Text "A.""#,
        r#"0 rules[1=b].text Text "B.""#,
        r#"1 tone[0=warm].text =x Text "X""#,
        r#"1 tone[0=warm].text =y Text "Y""#,
        r#"1 tone[0=warm].text fragment 0 =y Fragment "Y""#,
        r#"1 tone[0=warm].text fragment 1 =x Fragment "X""#,
        r#"2 tone[0=warm].examples Heading "H:""#,
        r#"2 tone[0=warm].examples entry 0 Entry "- ""#,
        r#"2 tone[0=warm].examples entry 0 Entry "1""#,
        r#"2 tone[0=warm].examples entry 1 Entry "- ""#,
        r#"2 tone[0=warm].examples entry 1 Entry "2""#,
        r#"3 other[0=-].text =z Text "Z""#,
        r#"- runtime_injections[0=i].text Injection "I.""#,
        r#"- runtime_injections[1=j].text Injection "J.""#,
    ];
    assert_eq!(sources(&registry, &state), expected);
}
