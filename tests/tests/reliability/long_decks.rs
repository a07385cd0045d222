//! Decks longer than an author writes: what is asked of each section looks at no other.

use std::time::Duration;

use promptdeck_core::hydrate::{Call, Engine, Seed, State, variants};
use promptdeck_core::lint::lint;
use promptdeck_core::registry;
use serde_json::{Map, Value, json};

use crate::clock::timed;

/// How much longer the longer deck is.
const TIMES: usize = 4;
/// How much longer it may take: twice as long as linear work, half as long as quadratic.
const AT_MOST: f64 = 8.0;

fn engine(sections: Map<String, Value>) -> Engine {
    let order: Vec<String> = sections.keys().map(|name| format!("{name}.text")).collect();
    let mut deck = sections;
    deck.insert("assembly_order".to_owned(), json!(order));
    let text = Value::Object(deck).to_string();
    Engine::new(
        registry::parse(text.as_bytes())
            .expect("a registry")
            .registry,
    )
}

/// Sections that roll one of two texts.
fn of_sections(count: usize) -> Engine {
    let section = |number: usize| {
        let items = json!([{"id": "a", "text": "Yes."}, {"id": "b", "text": "No."}]);
        let section = json!({"required": true, "section_random": true, "items": items});
        (format!("part_{number}"), section)
    };
    engine((0..count).map(section).collect())
}

/// One section whose items exclude each other.
fn of_items(count: usize) -> Engine {
    let item = |number: usize| {
        let next = format!("part.i{}", (number + 1) % count);
        json!({"id": format!("i{number}"), "text": "Yes.", "excludes": [next]})
    };
    let items: Vec<Value> = (0..count).map(item).collect();
    let section = json!({"required": true, "items": items});
    engine(Map::from_iter([("part".to_owned(), section)]))
}

/// The clock of a thread may stand still for so long: work is done several times, to be longer.
const TICK: Duration = Duration::from_millis(4);
const REPEATS: usize = 20;

/// Holds the shortest of some runs with a deck against those with a longer one.
fn check(what: &str, deck: impl Fn(usize) -> Engine, count: usize, work: impl Fn(&Engine)) {
    let shortest = |count: usize| {
        let engine = deck(count);
        let run = |_| timed(|| (0..REPEATS).for_each(|_| work(&engine))).1;
        (0..3).map(run).min().unwrap_or(Duration::ZERO)
    };
    let (short, long) = (shortest(count).max(TICK), shortest(count * TIMES));
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    println!("{what}: {short:?}, {TIMES} times as much {long:?}, {ratio:.1}x");
    assert!(
        ratio < AT_MOST,
        "{what}: {short:?} and {long:?}, {ratio:.1}x"
    );
}

#[test]
fn the_time_grows_with_the_length_of_a_deck() {
    let state = State::default();
    let call = || Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    check("lint of sections", of_sections, 1_000, |engine| {
        assert!(lint(engine, &call()).is_empty());
    });
    check("lint of relations", of_items, 2_000, |engine| {
        let _ = lint(engine, &call());
    });
    check("count of variants", of_sections, 1_000, |engine| {
        variants::count(engine, &call()).expect("no route is asked for");
    });
}
