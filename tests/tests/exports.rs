//! Exports: their invariants on generated registries, and the samples in promptlibretto 0.6.0.

use std::path::PathBuf;

use promptdeck_core::export;
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::{Document, Registry, canonical, parse};
use promptdeck_tests::hydrate_cases::Cases;
use promptdeck_tests::oracle;
use serde_json::{Value, json};

/// The prompt of a document, after checking that the same call on its export gives the same prompt.
fn hydrate(document: &Document, state: &State, route: Option<&str>, seed: Seed) -> String {
    let bytes = canonical::format(document).into_bytes();
    let registry = parse(&bytes)
        .expect("the canonical form is a registry")
        .registry;
    let call = Call { state, route, seed };
    Engine::new(registry)
        .hydrate_text(&call)
        .expect("a known route")
}

#[test]
fn an_export_hydrates_to_the_prompt_of_its_session() {
    let mut cases = Cases::new(5);
    for number in 0..1_000 {
        let case = cases.next_case();
        let document = parse(case.registry.to_string().as_bytes())
            .expect("a registry")
            .document;
        let mut state: State = serde_json::from_value(case.state.clone()).expect("a state");
        let seed = Seed::new(number).expect("a small number");
        // Differences that the comparison with the package must exclude belong here.
        for (index, name) in canonical::canonical_section_order(&document.registry)
            .into_iter()
            .enumerate()
        {
            if (number as usize + index).is_multiple_of(3) {
                state
                    .section_random
                    .insert(name.to_owned(), (number + 1) % 4 != 0);
                state.slider_random.insert(name.to_owned(), true);
            }
        }
        let exported = export::export(&document, &state);
        let reloaded = parse(exported.as_bytes())
            .expect("an export is a registry")
            .document;
        let left = State {
            template_vars: state.template_vars.clone(),
            ..State::default()
        };
        let route = case.route.as_deref();
        assert_eq!(
            hydrate(&reloaded, &left, route, seed),
            hydrate(&document, &state, route, seed),
            "{case:?}"
        );
        assert_eq!(export::export(&reloaded, &left), exported, "{case:?}");
    }
}

/// The sample registries.
fn samples() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../registries");
    let entries = std::fs::read_dir(folder).expect("the folder of samples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut samples: Vec<_> = paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .filter(|path| {
            let name = path.to_string_lossy();
            !name.ends_with(".schema.json") && !name.ends_with(".checks.json")
        })
        .map(|path| (path.clone(), std::fs::read(path).expect("a sample")))
        .collect();
    samples.sort();
    samples
}

/// Whether a token means the same in the package: no nested brackets, no slider except sentiment's,
/// no placement of injections (the package always prints them at the end).
fn is_shared(token: &Value) -> bool {
    let token = token.as_str().expect("a token");
    token.matches('[').count() < 2
        && (!token.ends_with(".scale") || token == "sentiment.scale")
        && token != "runtime_injections"
}

/// The document without tokens that intentionally differ.
fn shared(mut document: Document) -> Document {
    let keep = |order: Option<&mut Value>| {
        if let Some(Value::Array(order)) = order {
            order.retain(is_shared);
        }
    };
    keep(document.registry.get_mut("assembly_order"));
    if let Some(Value::Object(routes)) = document.registry.get_mut("routes") {
        routes
            .values_mut()
            .for_each(|route| keep(route.get_mut("assembly_order")));
    }
    document
}

/// The reproducible part of a call: the values that were selected, as plain settings.
fn settled(engine: &Engine, state: &State, seed: Seed) -> State {
    let call = Call {
        state,
        route: None,
        seed,
    };
    let evaluation = engine.hydrate(&call).expect("a prompt").evaluation;
    let mut settled = state.clone();
    for (name, section) in &evaluation.sections {
        let required = engine
            .registry()
            .section(name)
            .is_some_and(|section| section.required());
        let mut ids = section.items.iter().filter_map(|item| item.id.clone());
        let selection = if required {
            ids.next_back().map(|id| json!(id))
        } else {
            Some(json!(ids.collect::<Vec<_>>()))
        };
        if let Some(selection) = selection {
            let selection = serde_json::from_value(selection).expect("a selection");
            settled.selections.insert(name.clone(), selection);
        }
        settled.section_random.insert(name.clone(), false);
        settled.slider_random.insert(name.clone(), false);
        settled.sliders.insert(name.clone(), section.slider.value);
        let modes = settled.array_modes.entry(name.clone()).or_default();
        let section = engine
            .registry()
            .section(name)
            .expect("an evaluated section");
        for field in section.items().iter().flat_map(|item| item.fields().keys()) {
            let set = modes
                .get(field)
                .or_else(|| section.defaults().array_modes.get(field));
            let plain =
                set.filter(|mode| !mode.starts_with("random") && !mode.starts_with("indices"));
            let mode = plain.cloned().unwrap_or_else(|| "all".to_owned());
            modes.insert(field.clone(), mode);
        }
    }
    settled
}

#[test]
fn exported_samples_load_in_promptlibretto_and_print_the_same() {
    let mut questions = Vec::new();
    let mut expected = Vec::new();
    for (path, bytes) in samples() {
        let parsed = parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let document = shared(parsed.document);
        let registry = Registry::from_map(&document.registry).expect("a registry");
        let engine = Engine::new(registry);
        let routes = engine
            .registry()
            .routes()
            .keys()
            .cloned()
            .map(Some)
            .chain([None]);
        for route in routes {
            for seed in [1, 2, 3] {
                let seed = Seed::new(seed).expect("a small number");
                let mut state = State::default();
                for section in engine.registry().sections().values() {
                    for name in section.template_vars() {
                        let key = format!("{}::{name}", section.name());
                        state.template_vars.insert(key, format!("the {name}"));
                    }
                }
                let state = settled(&engine, &state, seed);
                let exported = export::export(&document, &state);
                let reloaded = parse(exported.as_bytes()).expect("an export is a registry");
                let call = Call {
                    state: &state,
                    route: route.as_deref(),
                    seed,
                };
                let text = Engine::new(reloaded.registry)
                    .hydrate_text(&call)
                    .expect("a prompt");
                let registry: Value = serde_json::from_str(&exported).expect("JSON");
                questions.push(json!({"registry": registry, "state": state, "route": route}));
                expected.push((path.clone(), text));
            }
        }
    }
    assert!(!questions.is_empty(), "no sample was compared");
    let answers = oracle::ask("hydrate_oracle.py", &questions);
    for (((path, ours), theirs), question) in expected.iter().zip(&answers).zip(&questions) {
        let route = &question["route"];
        assert_eq!(
            theirs["text"],
            ours.as_str(),
            "{} {route}: {theirs}",
            path.display()
        );
    }
    println!(
        "{} exports of {} samples compared",
        questions.len(),
        samples().len()
    );
}

#[test]
fn a_registry_with_weights_loads_in_promptlibretto() {
    let items = |weights: &[Value]| -> Value {
        let ids = ["a", "b", "c"].into_iter();
        ids.zip(weights)
            .map(|(id, weight)| json!({"id": id, "text": format!("{id}."), "weight": weight}))
            .collect()
    };
    let registry = json!({"registry": {
        "version": 22,
        "assembly_order": ["place", "mood"],
        "place": {"required": true, "section_random": true, "items": items(&[json!(2), json!(0), json!(0.5)])},
        "mood": {"required": false, "items": items(&[json!(1e9), json!("heavy"), json!(-1)])},
    }});
    let parsed = parse(registry.to_string().as_bytes()).expect("a registry");
    let engine = Engine::new(parsed.registry);
    let mut questions = Vec::new();
    let mut expected = Vec::new();
    for seed in 0..20 {
        let seed = Seed::new(seed).expect("a small number");
        let state = serde_json::from_value(json!({"selections": {"mood": ["b"]}}));
        let state = settled(&engine, &state.expect("a state"), seed);
        let exported = export::export(&parsed.document, &state);
        let reloaded = parse(exported.as_bytes()).expect("an export is a registry");
        let call = Call {
            state: &state,
            route: None,
            seed,
        };
        let text = Engine::new(reloaded.registry).hydrate_text(&call);
        expected.push(text.expect("a prompt"));
        let registry: Value = serde_json::from_str(&exported).expect("JSON");
        assert_eq!(
            registry["registry"]["place"]["items"][2]["weight"],
            json!(0.5)
        );
        questions.push(json!({"registry": registry, "state": state, "route": null}));
    }
    let answers = oracle::ask("hydrate_oracle.py", &questions);
    for (ours, theirs) in expected.iter().zip(&answers) {
        assert_eq!(theirs["text"], ours.as_str(), "{theirs}");
    }
}
