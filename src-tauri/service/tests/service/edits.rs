//! Edits and their inverses: the cases the page runs as well, and the laws.

use promptdeck_service::edit::{apply, apply_all};
use promptdeck_service::wire::{Edit, Step};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn cases_shared_with_the_page() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../../../../ui/src/lib/ipc/edits.cases.json"))
            .expect("JSON");
    for case in &cases {
        let name = &case["name"];
        let edits: Vec<Edit> = serde_json::from_value(case["edits"].clone()).expect("edits");
        let mut tree = case["tree"].clone();
        let result = apply_all(&mut tree, &edits);
        if case["refused"] == json!(true) {
            assert!(result.is_err(), "{name}");
        } else {
            assert_eq!(tree.to_string(), case["after"].to_string(), "{name}");
            apply_all(&mut tree, &result.expect("applied")).expect("undone");
        }
        assert_eq!(tree.to_string(), case["tree"].to_string(), "{name}, undone");
    }
    assert!(cases.len() > 30);
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-d]",
        Just("ü🎲".to_owned()),
        Just("__proto__".to_owned()),
        Just(String::new())
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-zü🎲\u{1f}\n]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(
        prop_oneof![key().prop_map(Step::from), (0u32..4).prop_map(Step::from)],
        0..4,
    )
}

fn any_edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (steps(), value()).prop_map(|(path, value)| Edit::Set { path, value }),
        (steps(), value(), prop::option::of(0u32..4)).prop_map(|(path, value, position)| {
            Edit::Insert {
                path,
                value,
                position,
            }
        }),
        steps().prop_map(|path| Edit::Remove { path }),
        (steps(), 0u32..4, 0u32..4).prop_map(|(path, from, to)| Edit::Move { path, from, to }),
        (steps(), key(), key()).prop_map(|(path, from, to)| Edit::RenameKey { path, from, to }),
        (steps(), prop::collection::vec(key(), 0..4))
            .prop_map(|(path, keys)| Edit::ReorderKeys { path, keys }),
        (steps(), 0u32..6, 0u32..4, "[xü🎲]{0,3}").prop_map(|(path, at, delete, insert)| {
            Edit::Splice {
                path,
                at,
                delete,
                insert,
            }
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever fits, taking everything back gives the bytes there were, and doing it again the
    /// bytes there were then. What does not fit changes nothing.
    #[test]
    fn undoing_all_edits_restores_the_original(before in value(), edits in prop::collection::vec(any_edit(), 0..40)) {
        let mut tree = before.clone();
        let (mut done, mut inverses) = (Vec::new(), Vec::new());
        for edit in edits {
            let now = tree.to_string();
            if let Ok(inverse) = apply(&mut tree, &edit) {
                done.push(edit);
                inverses.push(inverse);
            } else {
                prop_assert_eq!(tree.to_string(), now);
            }
        }
        let after = tree.to_string();
        for inverse in inverses.iter().rev() {
            apply(&mut tree, inverse).expect("an inverse fits");
        }
        prop_assert_eq!(tree.to_string(), before.to_string());
        apply_all(&mut tree, &done).expect("what fitted fits again");
        prop_assert_eq!(tree.to_string(), after);
    }
}
