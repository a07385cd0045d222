//! Sessions of the wrong shape.

use serde_json::json;

use super::super::Session;

#[test]
fn a_session_of_the_wrong_shape_is_refused_with_its_place() {
    for (document, message) in [
        (json!({}), "/turns: expected a list of turns"),
        (json!({"turns": {}}), "/turns: expected a list"),
        (
            json!({"turns": [1]}),
            "/turns/0: expected a turn with a type",
        ),
        (
            json!({"turns": [{}]}),
            "/turns/0/type: expected the type of the turn",
        ),
        (
            json!({"turns": [{"type": "user_task", "instruction": 1}]}),
            "/turns/0/instruction: expected text",
        ),
        (
            json!({"turns": [], "cached_turn_count": -1}),
            "/cached_turn_count: expected a whole number, 0 or more",
        ),
        (
            json!({"turns": [], "cache": 1}),
            "/cache: expected an object",
        ),
        (
            json!({"turns": [], "now": "x"}),
            "/now: \"x\" is not a date and time; write it like 2026-01-15T10:30:00Z",
        ),
    ] {
        let error = Session::read(document.as_object().expect("object")).expect_err("refused");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_turn_of_an_unknown_type_is_refused_with_the_nearest() {
    let turns = json!({"turns": [{"type": "user_task", "instruction": "q"}, {"type": "user_tsk"}]});
    let error = Session::read(turns.as_object().expect("object")).expect_err("refused");
    assert_eq!(error.code(), "unknown_turn");
    assert_eq!(
        error.to_string(),
        "/turns/1/type: there is no turn of type \"user_tsk\"; known are user_task, \
         model_response, function_calling, tool_response, compressed_history; did you mean \
         \"user_task\"?"
    );
}
