//! The text between the pieces: newlines, headings, bullets, merged lists, injections.

use serde_json::{Value, json};

use super::{deck, optional, prints, required};

/// Sections `a`, `b` and so on with one item each, printed in order.
#[track_caller]
fn row(items: &[Value], expected: &str) {
    let names = ["a", "b", "c", "d"];
    let mut sections = json!({});
    for (name, item) in names.iter().zip(items) {
        sections[name] = required(json!([item]));
    }
    prints(&deck(&names[..items.len()], sections), &json!({}), expected);
}

#[test]
fn tokens_of_one_section_stand_closer() {
    let sections = || json!({"a": required(json!([{"text": "T", "note": "N"}])), "b": required(json!([{"text": "B"}]))});
    let order =
        |order: &[&str], expected: &str| prints(&deck(order, sections()), &json!({}), expected);
    order(&["a", "b"], "T\n\nB");
    order(&["a", "a.note"], "T\nN");
    order(&["a", "b", "a.note"], "T\n\nB\n\nN");
    order(&["a", "a.nothing", "a.note"], "T\nN");
    order(&["a", "nowhere", "a.note"], "T\nN");
    order(&["a", "a"], "T\nT");
}

#[test]
fn blank_lines_are_never_more_than_one_and_the_ends_are_trimmed() {
    row(
        &[
            json!({"text": "\n\nA\n\n\n\nB\n"}),
            json!({"text": "\nC \u{1f}"}),
        ],
        "A\n\nB\n\nC",
    );
    row(
        &[json!({"text": " \u{1c}A"}), json!({"text": "B\u{3000}"})],
        "A\n\nB",
    );
    row(&[json!({"text": "A\r\n\r\n\r\nB"})], "A\r\n\r\n\r\nB");
    row(&[json!({"text": " "}), json!({"text": "B"})], "B");
}

#[test]
fn lists_have_bullets_with_a_heading_or_two_entries() {
    row(&[json!({"items": ["x"]})], "x");
    row(&[json!({"items": ["x", "y"]})], "- x\n- y");
    row(&[json!({"items": ["x"], "pre_context": "H:"})], "H:\n- x");
    row(&[json!({"items": ["x"], "pre_context:": "H:"})], "H:\n- x");
    row(&[json!({"items": ["x"], "pre_context": ""})], "x");
    row(&[json!({"items": [""]})], "");
    row(&[json!({"items": ["x", ""]})], "- x\n-");
    let field = |field: &str, expected: &str| {
        let item = json!({field: ["x", "y"], "pre_context": "H:"});
        let registry = deck(
            &[&format!("a.{field}")],
            json!({"a": required(json!([item]))}),
        );
        prints(&registry, &json!({}), expected);
    };
    field("examples", "H:\n- x\n- y");
    field("nudges", "- x\n- y");
}

#[test]
fn a_list_joins_the_list_with_a_heading_before_it() {
    let head = |entry: &str, heading: &str| json!({"items": [entry], "pre_context": heading});
    let bare = |entry: &str| json!({"items": [entry]});
    row(&[head("x", "H:"), head("y", "H:")], "H:\n- x\n- y");
    row(&[head("x", "H:"), bare("y")], "H:\n- x\n- y");
    row(&[head("x", "H:"), head("y", "I:")], "H:\n- x\n\nI:\n- y");
    row(&[bare("x"), bare("y")], "x\n\ny");
    row(&[bare("x"), head("y", "H:")], "x\n\nH:\n- y");
    row(
        &[head("x", "H:"), json!({"text": "T"}), bare("y")],
        "H:\n- x\n\nT\n\ny",
    );
    row(
        &[head("x", "H:"), json!({"text": null}), bare("y")],
        "H:\n- x\n- y",
    );
    row(
        &[head("x", "H:"), bare("y"), json!({"text": "T"})],
        "H:\n- x\n- y\n\nT",
    );
    let endings = json!({"a": required(json!([head("x", "H:")])), "prompt_endings": required(json!([bare("y")]))});
    prints(
        &deck(&["a", "prompt_endings"], endings.clone()),
        &json!({}),
        "H:\n- x\n\ny",
    );
    prints(
        &deck(&["prompt_endings", "a"], endings),
        &json!({}),
        "y\n\nH:\n- x",
    );
}

#[test]
fn what_substitutes_to_nothing_still_stands_between_lists() {
    let mut between = required(json!([{"text": "{v}"}]));
    between["template_vars"] = json!(["v"]);
    let mut heading = required(json!([{"items": ["y"], "pre_context": "{v}"}]));
    heading["template_vars"] = json!(["v"]);
    let head = required(json!([{"items": ["x"], "pre_context": "H:"}]));
    let bare = required(json!([{"items": ["z"]}]));
    let sections = json!({"a": head, "b": between, "c": bare, "d": heading});
    prints(
        &deck(&["a", "b", "c"], sections.clone()),
        &json!({}),
        "H:\n- x\n\nz",
    );
    prints(&deck(&["a", "d"], sections), &json!({}), "H:\n- x\n\ny");
}

#[test]
fn several_chosen_items_are_one_list_or_stand_apart() {
    let chosen = |items: Value, expected: &str| {
        let registry = deck(&["a.items"], json!({"a": optional(items)}));
        prints(
            &registry,
            &json!({"selections": {"a": ["x", "y"]}}),
            expected,
        );
    };
    chosen(
        json!([{"id": "x", "items": ["p"]}, {"id": "y", "items": ["q"]}]),
        "- p\n- q",
    );
    chosen(
        json!([{"id": "x", "items": ["p"]}, {"id": "y", "items": ["q"], "pre_context": "H:"}]),
        "H:\n- p\n- q",
    );
    chosen(
        json!([{"id": "x", "items": ["p"], "pre_context": "G:"}, {"id": "y", "items": ["q"], "pre_context": "H:"}]),
        "G:\n- p\n- q",
    );
    chosen(
        json!([{"id": "x", "items": ["p"]}, {"id": "z", "items": ["q"]}]),
        "p",
    );
}

#[test]
fn several_chosen_lists_join_the_list_before_them_by_their_heading() {
    let after = |heading: &str, expected: &str| {
        let items = json!([
            {"id": "x", "items": ["p"], "pre_context": heading},
            {"id": "y", "items": ["q"], "pre_context": "I:"},
        ]);
        let head = required(json!([{"items": ["o"], "pre_context": "H:"}]));
        let registry = deck(&["a", "b.items"], json!({"a": head, "b": optional(items)}));
        let state = json!({"selections": {"b": ["x", "y"]}});
        prints(&registry, &state, expected);
    };
    after("H:", "H:\n- o\n- p\n- q");
    after("G:", "H:\n- o\n\nG:\n- p\n- q");
    after("", "H:\n- o\n\nI:\n- p\n- q");
}

#[test]
fn injections_filter_and_print_at_the_end_or_where_their_token_stands() {
    let sections = || {
        json!({
            "a": required(json!([{"text": "A"}])),
            "b": required(json!([{"text": "B"}])),
            "runtime_injections": {"required": false, "template_vars": ["v"], "items": [
                {"id": "raid", "text": " Raid {v}!\n", "include_sections": ["a"]},
                {"id": "calm", "text": "Calm.", "include_sections": ["b"]},
                {"id": "mute", "include_sections": []},
            ]},
        })
    };
    let table = |order: &[&str], chosen: &[&str], expected: &str| {
        let state = json!({"selections": {"runtime_injections": chosen}, "template_vars": {"runtime_injections::v": "on"}});
        prints(&deck(order, sections()), &state, expected);
    };
    table(&["a", "b"], &[], "A\n\nB");
    table(&["a", "b"], &["raid"], "A\n\nRaid on!");
    table(
        &["a", "b"],
        &["calm", "raid"],
        "A\n\nB\n\nRaid on!\n\nCalm.",
    );
    table(&["a", "b"], &["mute"], "");
    table(&["runtime_injections", "a"], &["raid"], "Raid on!\n\nA");
    table(
        &["runtime_injections.text", "a"],
        &["raid"],
        "Raid on!\n\nA",
    );
    table(&["a", "runtime_injections", "b"], &["calm"], "Calm.\n\nB");
    table(&["a", "b", "runtime_injections"], &[], "A\n\nB");
    let mut always = sections();
    always["runtime_injections"]["required"] = json!(true);
    prints(
        &deck(&["a", "b"], always),
        &json!({"selections": {"runtime_injections": "raid"}}),
        "A\n\nB",
    );
}
