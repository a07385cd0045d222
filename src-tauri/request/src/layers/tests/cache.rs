//! What a live cache replaces, and when to rebuild it.

use serde_json::json;

use super::super::content_hash;
use super::{codes, contents_of, full, layered, text};

#[test]
fn a_cache_with_equal_content_replaces_the_static_layer_and_the_tools() {
    let plain = layered(&full());
    let hash = plain.layers[0].content_hash.clone().expect("a hash");
    assert_eq!(
        hash,
        content_hash(text(&plain, 0), full()["tools"].as_array().expect("tools"))
    );
    let good = json!({"name": "cachedContents/abc", "model": "gemini-3-pro", "content_hash": hash, "expires": "2026-01-15T10:30:01Z"});
    let mut document = full();
    document["cache"] = good.clone();
    let hit = layered(&document);
    assert_eq!(hit.request["cachedContent"], json!("cachedContents/abc"));
    assert!(!hit.request.contains_key("tools"));
    assert_eq!(contents_of(&hit), [vec![], vec![0], vec![1, 2, 3], vec![4]]);
    assert!(hit.layers[0].cached);

    for (field, value, reason) in [
        ("model", json!("gemini-2"), "model"),
        ("expires", json!("2026-01-15T10:30:00Z"), "expired"),
        ("expires", json!("soon"), "expires"),
        ("content_hash", json!("00"), "not what it was made of"),
        ("name", json!(""), "name"),
    ] {
        let mut document = full();
        document["cache"] = good.clone();
        document["cache"][field] = value;
        let miss = layered(&document);
        assert!(!miss.request.contains_key("cachedContent"), "{field}");
        assert!(miss.request.contains_key("tools"));
        assert_eq!(codes(&miss), ["cache_miss"]);
        assert!(
            miss.diagnostics[0].message.contains(reason),
            "{}",
            miss.diagnostics[0].message
        );
    }
    for (field, value) in [
        ("tools", json!([])),
        ("roles", json!(["Other"])),
        ("cached_turn_count", json!(1)),
    ] {
        let mut document = full();
        document["cache"] = good.clone();
        document[field] = value;
        assert!(
            !layered(&document).request.contains_key("cachedContent"),
            "{field}"
        );
    }
}

#[test]
fn a_cache_is_planned_up_to_the_exchange_under_way() {
    let mut document = full();
    document["cached_turn_count"] = json!(0);
    document["usage"] = json!({"cached_tokens": 100, "prompt_tokens": 1100});
    document["cache_threshold"] = json!(500);
    let plan = layered(&document).plan.expect("a plan");
    assert!(plan.rebuild);
    assert_eq!(plan.cached_turn_count, 3);
    assert!(
        (1..=1000).contains(&plan.buffered_tokens),
        "the dynamic layer is not counted: {plan:?}"
    );
    assert_eq!(plan.saved_tokens, 3 + 3 + 4);

    document["cache_threshold"] = json!(5000);
    let plan = layered(&document).plan.expect("a plan");
    assert_eq!(
        (plan.rebuild, plan.cached_turn_count, plan.saved_tokens),
        (false, 0, 0)
    );
    document["usage"]["cached_tokens"] = json!(2000);
    assert_eq!(codes(&layered(&document)), ["bad_usage"]);
}

#[test]
fn turns_over_the_threshold_move_to_the_static_layer_and_it_is_said() {
    let mut document = full();
    document["cached_turn_count"] = json!(0);
    document["cache_threshold"] = json!(5);
    for usage in [
        json!(null),
        json!({"cached_tokens": 100, "prompt_tokens": 1100}),
    ] {
        document["usage"] = usage;
        let moved = layered(&document);
        let plan = moved.plan.as_ref().expect("a plan");
        assert!(plan.rebuild && plan.cached_turn_count == 3, "{plan:?}");
        assert_eq!(codes(&moved), ["cache_rebuild"]);
        let message = &moved.diagnostics[0].message;
        assert!(
            message.contains("turns 1 to 3") && message.contains("cached_turn_count to 3"),
            "{message}"
        );
        // The same as if the caller had counted them.
        let mut counted = full();
        counted["cached_turn_count"] = json!(3);
        assert_eq!(moved.request, layered(&counted).request);
        assert!(text(&moved, 0).contains("Much happened"));
    }
    document["cache_threshold"] = json!(5000);
    let below = layered(&document);
    assert_eq!(codes(&below), Vec::<&str>::new());
    assert_eq!(below.layers[2].contents.len(), 5);
}

#[test]
fn a_call_and_its_response_are_never_parted_by_the_cache() {
    let mut document = full();
    document["cached_turn_count"] = json!(5);
    let clamped = layered(&document);
    document["cached_turn_count"] = json!(4);
    assert_eq!(clamped.request, layered(&document).request);
    let last = clamped.layers[3].contents[0];
    let response = &clamped.request["contents"][last]["parts"][0]["functionResponse"];
    assert_eq!(response["name"], json!("read_file"));
}
