//! Any splice in any prompt of the samples.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::generated::text;
use crate::session::Session;
use crate::splice::splice_prints;

/// The samples, by file name.
fn samples() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries");
    let files = std::fs::read_dir(folder).expect("the samples");
    let mut found: Vec<(String, Value)> = files
        .filter_map(|file| {
            let path = file.expect("a file").path();
            let name = path.file_name()?.to_str()?.to_owned();
            let is_sample = name.ends_with(".json") && name.matches('.').count() == 1;
            is_sample.then(|| {
                let bytes = std::fs::read(&path).expect("read");
                let file: Value = serde_json::from_slice(&bytes).expect("JSON");
                (name, file.get("registry").unwrap_or(&file).clone())
            })
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert!(found.len() >= 5, "{found:?}");
    found
}

/// A sample, alone or with everything rolled that can be.
fn session() -> impl Strategy<Value = Session> {
    (prop::sample::select(samples()), any::<bool>()).prop_map(|((_, registry), rolled)| {
        let mut state = json!({});
        if rolled {
            let sections = registry.as_object().expect("an object");
            let sections = sections
                .iter()
                .filter(|(_, value)| value.get("items").is_some());
            for (name, _) in sections {
                state["section_random"][name] = true.into();
                state["slider_random"][name] = true.into();
            }
        }
        Session::new(registry, state)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn a_splice_in_a_sample_prints_as_it_was_made_or_is_refused(
        session in session(),
        seed in 0..32_u64,
        segment in any::<prop::sample::Index>(),
        ends in any::<[prop::sample::Index; 2]>(),
        inserted in prop_oneof![text(), Just(String::new()), "[a-z ]{1,3}", "[0-9😀\\n{}]{1,3}"],
    ) {
        splice_prints(&session, seed, segment, ends, &inserted)?;
    }
}
