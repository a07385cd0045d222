//! What a state sets in a section, in the cases that the page's test `section-settings.test.ts`
//! reads too: the page builds its edits on its own copy of the document.

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry::Registry,
};
use serde::Deserialize;
use serde_json::{Value, json};

const CASES: &str = include_str!("../../../../tests/cases/section_settings.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    section: Value,
    #[serde(default)]
    state: State,
    selected: Vec<usize>,
    #[serde(default)]
    rolled: bool,
    slider: Option<Slider>,
    mode: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Slider {
    selected: f64,
    rolled: bool,
}

#[test]
fn settings_are_those_of_the_shared_cases() {
    let cases: Vec<Case> = serde_json::from_str(CASES).expect("a list of cases");
    for case in cases {
        let registry = json!({"assembly_order": ["s.f"], "s": case.section});
        let registry = registry.as_object().expect("an object");
        let engine = Engine::new(Registry::from_map(registry).expect("a registry"));
        let settings = engine.settings("s", &case.state).expect("a section");
        let name = &case.name;
        assert_eq!(settings.selected, case.selected, "{name}");
        assert_eq!(settings.rolled, case.rolled, "{name}");
        let slider = settings.slider.map(|set| (set.selected, set.rolled));
        let expected = case.slider.map(|set| (set.selected, set.rolled));
        assert_eq!(slider, expected, "{name}");
        let Some(mode) = case.mode else { continue };
        let call = Call {
            state: &case.state,
            route: None,
            seed: Seed::new(0).expect("a seed"),
        };
        let hydration = engine.hydrate(&call).expect("a prompt");
        assert_eq!(hydration.evaluation.arrays[0].mode, mode, "{name}");
    }
}
