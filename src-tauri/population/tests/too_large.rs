//! A sample in which a roll is too large has no counts, but an error that names the entry.

use promptdeck_core::hydrate::{Call, Engine, HydrateError, Seed, State};
use promptdeck_core::registry::Registry;
use promptdeck_population::{
    Partial as _, Survey as _, Worker as _,
    impact::{ImpactOptions, ImpactPlan, Side},
    measure,
    profile::{ProfileOptions, ProfilePlan},
};
use serde_json::json;

const ROLLS: u64 = 8;

/// Rolls a short text or, where `is_large`, one that is too large.
fn engine(is_large: bool) -> Engine {
    let long = match is_large {
        true => "{v}".repeat(70),
        false => "Other.".to_owned(),
    };
    let registry = json!({"assembly_order": ["a"], "a": {
        "section_random": true, "template_vars": ["v"], "template_var_defaults": {"v": "x".repeat(1 << 20)},
        "items": [{"id": "short", "text": "Short."}, {"id": "long", "text": long}],
    }});
    let registry = Registry::from_map(registry.as_object().expect("an object"));
    Engine::new(registry.expect("a registry"))
}

/// The first seed whose roll is short and is followed by one that is too large.
fn seed(engine: &Engine) -> Seed {
    let state = State::default();
    let is_large = |seed: u64| {
        let seed = Seed::from_bits(seed);
        let (state, route) = (&state, None);
        engine.hydrate_text(&Call { state, route, seed }).is_err()
    };
    let first = (0..1_000).find(|seed| !is_large(*seed) && is_large(seed + 1));
    Seed::from_bits(first.expect("a seed"))
}

#[track_caller]
fn check<T: std::fmt::Debug>(found: Result<T, HydrateError>) {
    let error = found.expect_err("too large");
    assert_eq!(
        error.to_string(),
        "the prompt is too large: with the entry \"a\" of the assembly order it is more than 64 MiB"
    );
}

#[test]
fn of_a_profile() {
    let (engine, state) = (engine(true), State::default());
    let call = Call {
        state: &state,
        route: None,
        seed: seed(&engine),
    };
    let options = ProfileOptions {
        rolls: ROLLS,
        ..ProfileOptions::default()
    };
    let plan = ProfilePlan::new(&engine, &call, options).expect("a first roll");
    check(plan.profile(measure(&plan).expect("a route"), &|| false));
    let part = |rolls| {
        let mut worker = plan.worker().expect("a route");
        worker.run(rolls, &mut |_| true);
        worker.into_partial()
    };
    let mut merged = part(0..1);
    merged.merge(part(1..ROLLS));
    check(plan.profile(merged, &|| false));
}

#[test]
fn of_an_impact() {
    let (large, other) = (engine(true), engine(false));
    let (state, seed) = (State::default(), seed(&large));
    let side = |engine| Side {
        engine,
        route: None,
    };
    for (old, new) in [(&large, &other), (&other, &large)] {
        let options = ImpactOptions {
            rolls: ROLLS,
            seed,
            ..ImpactOptions::default()
        };
        let plan = ImpactPlan::new(side(old), side(new), &state, options).expect("a first roll");
        check(plan.impact(measure(&plan).expect("a route")));
    }
}
