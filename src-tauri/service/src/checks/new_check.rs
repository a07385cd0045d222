//! New checks made of what is on the screen: a prompt, a roll, a snapshot, an answer.

use promptdeck_checks::{ChecksDocument, Entry};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use serde_json::{Map, Value, json};

use crate::ServiceError;
use crate::wire::Verdict;

/// A check of the golden text that a call prints now.
///
/// # Errors
/// If the call cannot be hydrated.
pub(super) fn of_prompt(
    engine: &Engine,
    state: &State,
    route: Option<&str>,
    seed: Seed,
    name: &str,
) -> Result<Value, ServiceError> {
    let text = engine.hydrate_text(&Call { state, route, seed })?;
    let mut given = Map::new();
    if let Value::Object(mut state) = serde_json::to_value(state)? {
        state.retain(|_, table| table.as_object().is_none_or(|table| !table.is_empty()));
        if !state.is_empty() {
            given.insert("state".to_owned(), state.into());
        }
    }
    if let Some(route) = route {
        given.insert("route".to_owned(), route.into());
    }
    given.insert("seed".to_owned(), seed.get().into());
    Ok(json!({"name": name, "given": given, "expect": [{"text": text}]}))
}

/// A check of what the output policy makes of an answer.
pub(super) fn of_answer(text: &str, route: Option<&str>, verdict: &Verdict, name: &str) -> Value {
    let mut check = Map::new();
    check.insert("name".to_owned(), name.into());
    check.insert("answer".to_owned(), text.into());
    if let Some(route) = route {
        check.insert("given".to_owned(), json!({ "route": route }));
    }
    let mut expect = Vec::new();
    match &verdict.reason {
        Some(reason) => expect.push(json!({ "rejected": reason })),
        None => {
            expect.push(json!({ "accepted": true }));
            if verdict.text != text {
                expect.push(json!({ "cleaned": verdict.text }));
            }
        }
    }
    check.insert("expect".to_owned(), expect.into());
    check.into()
}

/// A name that no check of the file has.
pub(super) fn free_name(document: &ChecksDocument, wanted: &str) -> String {
    let is_taken = |name: &str| {
        let mut entries = document.entries().iter();
        entries.any(|Entry { name: existing, .. }| existing == name)
    };
    let mut numbered = (2..).map(|number: u32| format!("{wanted} {number}"));
    match is_taken(wanted) {
        false => wanted.to_owned(),
        true => numbered
            .find(|name| !is_taken(name))
            .unwrap_or_else(|| wanted.to_owned()),
    }
}
