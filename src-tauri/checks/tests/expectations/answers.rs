//! Expectations about the answer of a model.

use serde_json::{Value, json};

use super::case::verdict;

#[test]
fn answers() {
    let check = |answer: &str, expectation: Value| {
        verdict(&json!({"answer": answer, "expect": [expectation]}))
    };
    let passes = |answer, expectation| assert!(check(answer, expectation).holds());
    let found = |answer, expectation| {
        let verdict = check(answer, expectation);
        let failure = verdict.failures().first().expect("a failure").clone();
        assert_eq!((failure.seed, failure.sources.len()), (None, 0));
        failure.found
    };
    passes("Host:  Well done.", json!({"accepted": true}));
    passes("*winks* Correct!", json!({"rejected": true}));
    passes("*winks* Correct!", json!({"rejected": "forbidden pattern"}));
    passes("Host:  Well done.", json!({"cleaned": "Well done."}));
    passes("Host: Well done.", json!({"max_characters": 10}));
    assert_eq!(
        found("*winks*", json!({"accepted": true})),
        r"rejected: forbidden pattern: '\\*\\w+\\*'"
    );
    assert_eq!(
        found("Fine.", json!({"rejected": true})),
        "an accepted answer"
    );
    assert_eq!(
        found("*winks*", json!({"rejected": "too long"})),
        r"rejected: forbidden pattern: '\\*\\w+\\*'"
    );
    assert_eq!(
        found("Host: Hi", json!({"cleaned": "Ho"})),
        "a difference in line 1: \"Hi\" instead of \"Ho\""
    );
    let on_route = json!({"answer": "Well done.", "given": {"route": "short"}, "expect": [{"cleaned": "Well"}]});
    assert!(verdict(&on_route).holds());
}
