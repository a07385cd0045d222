//! Compares imported registries with their original programs: the original hydrated by
//! promptlibretto 0.5, 0.6, 0.7 or 0.8, the import by this engine, byte for byte unless the report
//! lists a difference.
//!
//! `PROMPTDECK_IMPORT_SEED` and `PROMPTDECK_IMPORT_CASES` select other or more cases.

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::import::{ConversionStatus, Dialect, Import, import};
use promptdeck_core::registry;
use promptdeck_tests::oracle;
use promptdeck_tests::{hydrate_cases, version_two_cases};
use serde_json::{Value, json};

const SEED: u64 = 22;
const CASES: u64 = 5_000;

fn number_from(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

fn imported(registry: &Value) -> Import {
    import(registry.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}: {registry}"))
}

/// The prompt of an imported registry.
fn ours(imported: &Import, state: &Value, route: Option<&str>) -> String {
    let registry = registry::parse(imported.text.as_bytes())
        .expect("an import is a registry")
        .registry;
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let call = Call {
        state: &state,
        route,
        seed: Seed::default(),
    };
    Engine::new(registry)
        .hydrate_text(&call)
        .expect("a known route")
}

/// Fails with the shortest differences.
fn settle(mut different: Vec<String>, compared: usize) {
    different.sort_by_key(String::len);
    assert!(
        different.is_empty(),
        "{} of {compared} differ, the shortest of them:\n{}",
        different.len(),
        different[..different.len().min(6)].join("\n\n")
    );
}

#[test]
fn version_two_prints_as_in_the_release_it_is_of() {
    let mut cases = version_two_cases::Cases::new(number_from("PROMPTDECK_IMPORT_SEED", SEED));
    let count = number_from("PROMPTDECK_IMPORT_CASES", CASES);
    let cases: Vec<_> = (0..count).map(|_| cases.next_case()).collect();
    let questions: Vec<Value> = cases
        .iter()
        .map(|case| json!({"registry": case.registry, "state": case.state, "route": case.route}))
        .collect();
    let seven = oracle::ask_release("0.7", "version_two_oracle.py", &questions);
    let eight = oracle::ask_release("0.8", "version_two_oracle.py", &questions);
    let (mut filled, mut alike, mut disputed, mut differing) = (0, 0, 0, 0);
    let mut different = Vec::new();
    for ((case, seven), eight) in cases.iter().zip(&seven).zip(&eight) {
        let imported = imported(&case.registry);
        let (of_release, other) = match imported.report.dialect() {
            Some(Dialect::V0_7) => (seven, eight),
            Some(Dialect::V0_8) => (eight, seven),
            // Nothing in it is of version 2, and it names no version.
            Some(Dialect::V0_6 | Dialect::Canonical) | None => continue,
        };
        if imported.report.has(ConversionStatus::NotSupported) {
            differing += 1;
            continue;
        }
        let ours = ours(&imported, &case.canonical_state, case.route);
        filled += usize::from(!ours.is_empty());
        let settled = !imported.report.has(ConversionStatus::Ambiguous);
        alike += usize::from(settled);
        disputed += usize::from(!settled);
        if of_release["text"] != ours.as_str() || (settled && other["text"] != ours.as_str()) {
            different.push(format!(
                "{}\n  state  {}\n  route {:?}\n  as     {}\n  ours   {ours:?}\n  0.7    {seven}\n  0.8    {eight}",
                case.registry, case.state, case.route, imported.text.replace('\n', " ")
            ));
        }
    }
    let compared = alike + disputed;
    println!(
        "{count} registries of version 2: {compared} compared, {filled} of them with a prompt that \
         is not empty; {alike} with both releases, {disputed} with the one that was followed; \
         {differing} reports tell of a difference"
    );
    settle(different, compared);
    assert!(filled * 10 > compared * 6, "only {filled} print anything");
    assert!(
        compared as u64 * 10 > count * 4,
        "only {compared} of {count} compared"
    );
}

#[test]
fn version_twenty_two_prints_as_in_its_releases() {
    let mut cases = hydrate_cases::Cases::new(number_from("PROMPTDECK_IMPORT_SEED", SEED) + 1);
    let questions: Vec<Value> = (0..2_000).map(|_| cases.next_case().question()).collect();
    let five = oracle::ask_release("0.5", "hydrate_oracle.py", &questions);
    let six = oracle::ask("hydrate_oracle.py", &questions);
    let (mut compared, mut filled) = (0, 0);
    let mut different = Vec::new();
    for ((question, five), six) in questions.iter().zip(&five).zip(&six) {
        let imported = imported(&question["registry"]);
        if imported.report.has(ConversionStatus::NotSupported) {
            continue;
        }
        let ours = ours(&imported, &question["state"], question["route"].as_str());
        compared += 1;
        filled += usize::from(!ours.is_empty());
        if five["text"] != ours.as_str() || six["text"] != ours.as_str() {
            different.push(format!(
                "{question}\n  ours {ours:?}\n  0.5 {five}\n  0.6 {six}"
            ));
        }
    }
    println!("2000 registries of version 22: {compared} compared, {filled} of them not empty");
    settle(different, compared);
    assert!(filled * 10 > compared * 6, "only {filled} print anything");
    assert!(compared > 1_000, "only {compared} compared");
}
