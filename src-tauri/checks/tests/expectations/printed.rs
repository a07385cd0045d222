//! Expectations about what rolls print, and about problems.

use serde_json::json;

use super::case::{dry, fails, first, holds, twenty, verdict};

#[test]
fn printed_parts() {
    holds(twenty(), json!({"renders": "base"}));
    holds(twenty(), json!({"renders": "persona"}));
    holds(dry(), json!({"renders": "personas.dry"}));
    holds(dry(), json!({"renders": "personas.habits"}));
    fails(
        twenty(),
        json!({"renders": "personas.dry"}),
        first("loud"),
        "personas.dry printed",
        "personas uses loud (rolled)",
        &[],
    );
    fails(
        dry(),
        json!({"renders": "notes"}),
        3,
        "notes printed",
        "nothing is selected in the section",
        &[],
    );
    holds(
        json!({"route": "short"}),
        json!({"never_renders": "personas"}),
    );
    holds(twenty(), json!({"never_renders": "moods.calm"}));
    fails(
        dry(),
        json!({"never_renders": "personas.habits"}),
        3,
        "personas.habits not printed",
        "\"- Sigh.- Wait.\"",
        &["personas.dry.habits[0]", "personas.dry.habits[1]"],
    );
    holds(
        twenty(),
        json!({"share": "personas.dry", "min": 0.2, "max": 0.8}),
    );
    holds(twenty(), json!({"share": "base", "min": 1}));
    holds(twenty(), json!({"share": "notes", "max": 0}));
    fails(
        twenty(),
        json!({"share": "base", "max": 0.5}),
        0,
        "base printed in at most 50 % of the rolls",
        "printed in 20 of 20 rolls (100 %)",
        &["base.b.text", "base.b.text {name}"],
    );
    fails(
        dry(),
        json!({"share": "moods", "min": 0.5}),
        3,
        "moods printed in at least 50 % of the rolls",
        "printed in 0 of 1 rolls (0 %); not with this seed: nothing is selected in the section",
        &[],
    );
}

#[test]
fn problems() {
    holds(dry(), json!({"no_problems": true}));
    let bad = json!({"state": {"array_modes": {"personas": {"habits": "random:x"}}}, "variables": {"base::name": "Ada"}});
    let verdict = verdict(&json!({"given": bad, "expect": [{"no_problems": true}]}));
    let [failure] = verdict.failures() else {
        panic!("{verdict:?}")
    };
    assert!(
        failure.found.starts_with("mode_malformed: "),
        "{}",
        failure.found
    );
    holds(
        bad,
        json!({"no_problems": true, "allow": ["mode_malformed", "state_mode"]}),
    );
}
