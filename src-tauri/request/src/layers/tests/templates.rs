//! The dynamic layer's JSON, and templates of the author's own.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{codes, full, layered, text};

#[test]
fn the_dynamic_layer_is_json() {
    let layered = layered(&full());
    let parsed: Value = serde_json::from_str(text(&layered, 1)).expect("JSON");
    assert_eq!(
        parsed,
        json!({
            "current_datetime": "2026-01-15T10:30:00Z",
            "file_references": [{"path": "plan.md", "content": "rows \"and\" more\n"}],
            "artifacts": [{"path": "out.md", "content": "x"}],
            "todos": [{"title": "weed", "checked": false}],
        })
    );
}

#[test]
fn templates_of_the_authors_own() {
    let mut document = full();
    document["templates"] = json!({
        "static.j2": "R={{ roles[0] }}, {{ cached_history|length }} turns",
        "dynamic.j2": "[{{ todos|tojson }}, {{ current_datetime|tojson }}]",
    });
    let with_templates = layered(&document);
    assert_eq!(text(&with_templates, 0), "R=You are a gardener, 2 turns");
    assert_eq!(
        text(&with_templates, 1),
        r#"[[{"title": "weed", "checked": false}], "2026-01-15T10:30:00Z"]"#
    );

    document["templates"] = json!({"static.j2": "{{ roles", "dynamic.j2": "no {{ todos }}"});
    let broken = layered(&document);
    assert_eq!(codes(&broken), ["static_template", "dynamic_template"]);
    assert_eq!(text(&broken, 0), text(&layered(&full()), 0));
    assert!(serde_json::from_str::<Value>(text(&broken, 1)).is_ok());
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,20}",
        "[\\x00-\\x1f\"\\\\{}%<>\u{2028}]{0,20}",
        Just("{{ 1/0 }}{% endraw %}".to_owned()),
    ]
}

proptest! {
    /// Whatever files and todos hold, the dynamic layer parses and holds just that.
    #[test]
    fn the_dynamic_layer_is_always_json(path in any_text(), content in any_text(), title in any_text(), number in any::<f64>()) {
        let files = json!([{"path": path, "content": content}]);
        let todos = json!([{"title": title, "n": number}]);
        let document = json!({"turns": [], "file_references": files, "todos": todos});
        let layered = layered(&document);
        let parsed: Value = serde_json::from_str(text(&layered, 0)).expect("JSON");
        prop_assert_eq!(&parsed["file_references"], &files);
        prop_assert_eq!(&parsed["todos"][0]["title"], &json!(title));
    }
}
