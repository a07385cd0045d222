//! Times the functions between a keystroke and its preview, and between a file and its prompt: on a
//! sample, and on a registry of 200 sections and 5,000 items.

use divan::{Bencher, black_box};
use promptdeck_core::export;
use promptdeck_core::hydrate::{Call, Engine, Seed, State, StateRef};
use promptdeck_core::output::{CompiledPolicy, OutputPolicy};
use promptdeck_core::unprinted::unprinted;
use promptdeck_core::{
    lint,
    registry::{Parsed, parse},
};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

const SIZES: [Size; 2] = [Size::Sample, Size::Large];

/// Registry to measure with.
#[derive(Clone, Copy, Debug)]
enum Size {
    /// The sample `night_stream`.
    Sample,
    /// 200 sections of 25 items, each section rendered.
    Large,
}

impl Size {
    fn text(self) -> String {
        match self {
            Self::Sample => include_str!("../../registries/night_stream.json").to_owned(),
            Self::Large => large().to_string(),
        }
    }

    fn parsed(self) -> Parsed {
        parse(self.text().as_bytes()).expect("a registry")
    }

    fn engine(self) -> Engine {
        Engine::new(self.parsed().registry)
    }
}

fn large() -> Value {
    let name = |section: usize| format!("part_{section:03}");
    let item = |section: usize, item: usize| {
        json!({
            "id": format!("item-{item}"),
            "text": format!("Passage {item} of part {section}: the {{mood}} lantern is lit."),
            "rules": (0..3).map(|rule| format!("Rule {rule} of passage {item}.")).collect::<Vec<_>>(),
        })
    };
    let order: Vec<String> = (0..200)
        .flat_map(|section| [name(section) + ".text", name(section) + ".rules"])
        .collect();
    let mut registry = json!({ "assembly_order": order });
    for section in 0..200 {
        registry[name(section)] = json!({
            "required": true,
            "template_vars": ["mood"],
            "template_var_defaults": { "mood": "green" },
            "items": (0..25).map(|each| item(section, each)).collect::<Vec<_>>(),
        });
    }
    registry
}

fn seed() -> Seed {
    Seed::from_bits(7)
}

fn call<S>(state: &S) -> Call<'_, S> {
    Call {
        state,
        route: None,
        seed: seed(),
    }
}

#[divan::bench(args = SIZES)]
fn read_a_file(bencher: Bencher, size: Size) {
    let text = size.text();
    bencher.bench(|| parse(black_box(text.as_bytes())));
}

#[divan::bench(args = SIZES)]
fn compile(bencher: Bencher, size: Size) {
    let registry = size.parsed().registry;
    bencher
        .with_inputs(|| registry.clone())
        .bench_values(Engine::new);
}

/// A letter typed into an item: parses and compiles its section again, then hydrates everything.
#[divan::bench(args = SIZES)]
fn type_into_an_item(bencher: Bencher, size: Size) {
    let Parsed {
        document, registry, ..
    } = size.parsed();
    let (name, _) = registry.sections().get_index(0).expect("a section");
    let value = &document.registry[name];
    let engine = Engine::new(registry.clone());
    let state = State::default();
    bencher.bench(|| {
        let changed = registry.with_section(name, black_box(value)).expect("read");
        engine.with_registry(changed).hydrate(&call(&state))
    });
}

/// A change of the assembly order: unchanged parts are found by comparison.
#[divan::bench(args = SIZES)]
fn change_the_assembly_order(bencher: Bencher, size: Size) {
    let Parsed {
        document, registry, ..
    } = size.parsed();
    let engine = Engine::new(registry.clone());
    let state = State::default();
    bencher.bench(|| {
        let changed = registry.with_map(black_box(&document.registry));
        engine
            .with_registry(changed.expect("read"))
            .hydrate(&call(&state))
    });
}

#[divan::bench(args = SIZES)]
fn hydrate_with_provenance(bencher: Bencher, size: Size) {
    let engine = size.engine();
    let state = State::default();
    bencher.bench(|| engine.hydrate(&call(black_box(&state))));
}

/// What the marks on the cards cost a keystroke, beside `hydrate_with_provenance`: with one item of
/// 25 in use, and with all 5,000, of which no rule is printed.
#[divan::bench(args = [false, true])]
fn explain_unprinted_text(bencher: Bencher, all_in_use: bool) {
    let mut registry = large();
    if all_in_use {
        let sections = registry.as_object_mut().expect("an object");
        sections["assembly_order"] = sections
            .keys()
            .filter(|name| *name != "assembly_order")
            .map(|name| json!(format!("{name}.text")))
            .collect();
        for (_, section) in sections.iter_mut().skip(1) {
            section["required"] = json!(false);
            section["selected"] = (0..25).map(|item| json!(format!("item-{item}"))).collect();
        }
    }
    let engine = Engine::new(
        parse(registry.to_string().as_bytes())
            .expect("read")
            .registry,
    );
    let state = State::default();
    let call = call(&state);
    let hydration = engine.hydrate(&call).expect("a prompt");
    bencher.bench(|| unprinted(&engine, &call, black_box(&hydration)));
}

#[divan::bench(args = SIZES)]
fn hydrate_text(bencher: Bencher, size: Size) {
    let engine = size.engine();
    let state = State::default();
    bencher.bench(|| engine.hydrate_text(&call(black_box(&state))));
}

#[divan::bench]
fn read_a_state(bencher: Bencher) {
    let state = r#"{"selections": {"personas": "regular", "examples": ["short", "long"]},
        "array_modes": {"personas": {"nudges": "random:2"}}, "sliders": {"sentiment": 7},
        "template_vars": {"base_context::location": "the harbour"}}"#;
    bencher.bench(|| serde_json::from_str::<StateRef<'_>>(black_box(state)));
}

#[divan::bench(args = SIZES)]
fn check(bencher: Bencher, size: Size) {
    let engine = size.engine();
    let state = State::default();
    bencher.bench(|| lint::lint(black_box(&engine), &call(&state)));
}

#[divan::bench(args = SIZES)]
fn export(bencher: Bencher, size: Size) {
    let Parsed { document, .. } = size.parsed();
    let state = State::default();
    bencher.bench(|| export::export(black_box(&document), &state));
}

#[divan::bench]
fn judge_an_answer(bencher: Bencher) {
    let Parsed { registry, .. } = Size::Sample.parsed();
    let policy = OutputPolicy::from_map(registry.output_policy()).expect("a policy");
    let policy = CompiledPolicy::new(policy).expect("patterns that compile");
    let answer = "  \"He said: the second lantern, not the first.\"  \n".repeat(8);
    bencher.bench(|| policy.apply(black_box(&answer)));
}
