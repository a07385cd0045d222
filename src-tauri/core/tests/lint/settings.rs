//! `template_engine`, `generation` and `output_policy`.

use super::check;
use serde_json::json;

#[test]
fn engines_that_are_not_known() {
    check(json!({"template_engine": "jinja"}), &[]);
    check(json!({"template_engine": null}), &[]);
    check(
        json!({"template_engine": "jnja"}),
        &["Warning template_engine_unknown /template_engine"],
    );
}

#[test]
fn a_route_named_like_the_call_without_one() {
    check(json!({"routes": {"defaults": {}}}), &[]);
    check(
        json!({"routes": {"default": {}}}),
        &["Warning route_named_default /routes/default"],
    );
}

#[test]
fn lengths_that_no_text_has() {
    let policy = |least: u64, most: u64, suffix: &str| json!({"min_length": least, "max_length": most, "append_suffix": suffix});
    check(json!({"output_policy": policy(5, 5, "")}), &[]);
    check(json!({"output_policy": policy(8, 5, "...")}), &[]);
    check(
        json!({"output_policy": policy(9, 5, "...")}),
        &["Error length_conflict /output_policy/min_length"],
    );
    check(
        json!({
            "output_policy": {"min_length": 9},
            "routes": {
                "same": {"output_policy": {"collapse_whitespace": false}},
                "short": {"output_policy": {"max_length": 8}},
                "long": {"output_policy": {"max_length": 9}},
            },
        }),
        &["Error length_conflict /routes/short/output_policy/max_length"],
    );
}

#[test]
fn settings() {
    check(
        json!({"generation": {"temprature": 1, "top_k": "x", "model": "m"}}),
        &[
            "Error setting_unknown /generation/temprature",
            "Error setting_wrong_type /generation/top_k",
        ],
    );
    check(
        json!({"output_policy": {"maximum": 1, "strip_patterns": ["a", "("], "require_patterns": ["\\N{DASH}"]}}),
        &[
            "Error setting_unknown /output_policy/maximum",
            "Error pattern /output_policy/strip_patterns/1",
            "Error pattern /output_policy/require_patterns/0",
        ],
    );
    check(
        json!({"routes": {"r": {"generation": {"x": 1}, "output_policy": {"min_length": -1}}}}),
        &[
            "Error setting_unknown /routes/r/generation/x",
            "Error setting_wrong_type /routes/r/output_policy/min_length",
        ],
    );
    check(json!({"generation": {"retries": 20}}), &[]);
    check(
        json!({"generation": {"retries": 21, "x": 1}, "routes": {"r": {"generation": {"retries": 1_000_000_000}}}}),
        &[
            "Error setting_unknown /generation/x",
            "Warning retries_capped /generation/retries",
            "Warning retries_capped /routes/r/generation/retries",
        ],
    );
}
