//! Samples of *Variants*: the rolls are those of the library, numbered and counted as on the command
//! line.

use promptdeck_core::hydrate::variants::{Sampler, enumerate};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry;
use promptdeck_service::wire::{SampleMode, SampleParams};
use promptdeck_service::{CancellationToken, ServiceError};
use serde_json::json;

use crate::home::{Home, group, set};

const DECK: &str = "deck.json";

fn params(mode: SampleMode) -> SampleParams {
    SampleParams {
        mode,
        seed: 9,
        from: 0,
        rolls: 40,
    }
}

fn deck() -> Home {
    let home = Home::new();
    let text = |id: &str| json!({"id": id, "text": id});
    let section = |ids: [&str; 3]| {
        let items: Vec<_> = ids.iter().map(|id| text(id)).collect();
        json!({"section_random": true, "items": items})
    };
    home.write(
        DECK,
        &json!({
            "assembly_order": ["who", "mood", "place"],
            "who": section(["ann", "bob", "cid"]),
            "mood": section(["calm", "wild", "odd"]),
            "place": section(["bar", "hall", "tent"]),
        }),
    );
    home
}

fn with_engine<T>(home: &Home, work: impl FnOnce(&Engine, &Call<'_>) -> T) -> T {
    let text = std::fs::read(home.path(DECK)).expect("read");
    let engine = Engine::new(registry::parse(&text).expect("a registry").registry);
    let state = State::default();
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::new(9).expect("a seed"),
    };
    work(&engine, &call)
}

#[test]
fn rolls_and_numbers_are_those_of_the_library() {
    let home = deck();
    let (studio, _) = home.open();
    let token = CancellationToken::new();
    let list = |mode| {
        let sampled = studio.sample_rolls(DECK, &params(mode), &token);
        sampled.expect("sampled")
    };
    let texts = |mode| -> Vec<String> {
        let rolls = list(mode).rolls;
        rolls.into_iter().map(|roll| roll.text).collect()
    };
    with_engine(&home, |engine, call| {
        let of = |mut sampler: Sampler<'_>| -> Vec<String> {
            let picks: Vec<_> = (0..40).map_while(|index| sampler.picks(index)).collect();
            let text = |picks| sampler.text(picks).expect("the default route");
            picks.iter().map(text).collect()
        };
        let pairs = Sampler::pairwise(engine, call, &|| false).expect("small");
        let coverage = pairs.coverage().expect("pairs");
        assert_eq!(texts(SampleMode::Pairwise), of(pairs));
        let listing = list(SampleMode::Pairwise);
        assert_eq!(listing.total, Some(coverage.rolls.to_string()));
        assert_eq!(listing.pairs.map(u64::from), Some(coverage.covered));
        assert_eq!(coverage.covered, 27);

        assert_eq!(
            texts(SampleMode::Shuffle),
            of(Sampler::shuffle(engine, call))
        );
        assert_eq!(list(SampleMode::Shuffle).total, None);

        let random: Vec<String> = (0..40)
            .map(|index| {
                let seed = Seed::new(9 + index).expect("a seed");
                let call = Call { seed, ..*call };
                engine.hydrate_text(&call).expect("the default route")
            })
            .collect();
        assert_eq!(texts(SampleMode::Random), random);

        let all = enumerate(engine, call, 40).map(|variant| variant.expect("a variant").text);
        assert_eq!(texts(SampleMode::Exhaustive), all.collect::<Vec<_>>());
        let samples = list(SampleMode::Exhaustive);
        assert_eq!(
            (samples.rolls.len(), samples.total),
            (27, Some("27".to_owned()))
        );
        assert_eq!(samples.rolls[0].picks.len(), 3);
    });
    let second = SampleParams {
        from: 25,
        ..params(SampleMode::Exhaustive)
    };
    let rest = studio.sample_rolls(DECK, &second, &token).expect("sampled");
    assert_eq!((rest.rolls.len(), rest.rolls[0].index), (2, 25));
}

#[test]
fn a_planned_roll_becomes_the_prompt_and_undo_takes_it_back() {
    let home = deck();
    let (studio, _) = home.open();
    let token = CancellationToken::new();
    let pairs = studio.sample_rolls(DECK, &params(SampleMode::Pairwise), &token);
    let wanted = pairs.expect("sampled").rolls[4].clone();
    assert!(wanted.usable);
    let roll = SampleParams {
        from: wanted.index,
        ..params(SampleMode::Pairwise)
    };
    studio.use_sampled(DECK, &roll).expect("used");
    // The prompt with the seed and the selections that are set now.
    let opened = studio.open_document(DECK).expect("open");
    let seed = opened.tree["seed"].as_u64().expect("a seed");
    assert_eq!(Some(seed), wanted.seed);
    let rolled = studio.roll_variants(DECK, seed, 1, &token).expect("rolled");
    assert_eq!(rolled[0].text, wanted.text);
    studio.undo(DECK).expect("undone");
    let again = studio.sample_rolls(DECK, &params(SampleMode::Pairwise), &token);
    assert_eq!(again.expect("sampled").rolls[4], wanted);
}

#[test]
fn too_many_values_for_pairs_and_evaluations_beyond_any_number() {
    let home = Home::new();
    let items: Vec<_> = (0..5_000)
        .map(|at| json!({"id": format!("i{at}"), "text": "x"}))
        .collect();
    let mut registry = json!({"assembly_order": []});
    for at in 0..9 {
        let name = format!("s{at}");
        registry["assembly_order"]
            .as_array_mut()
            .expect("a list")
            .push(json!(name));
        registry[name] = json!({"section_random": true, "items": items});
    }
    home.write(DECK, &registry);
    let (studio, _) = home.open();
    let token = CancellationToken::new();
    let list = |mode| studio.sample_rolls(DECK, &params(mode), &token);
    let fault = list(SampleMode::Pairwise).expect_err("too many");
    assert_eq!(fault.code(), "sample_too_large");
    // 5,000 to the power of 9.
    let all = list(SampleMode::Exhaustive).expect("sampled");
    assert_eq!(
        all.total.as_deref(),
        Some("1953125000000000000000000000000000")
    );
    assert_eq!(all.rolls.len(), 40);
    assert_eq!(list(SampleMode::Shuffle).expect("sampled").rolls.len(), 40);

    token.cancel();
    assert!(matches!(
        list(SampleMode::Random),
        Err(ServiceError::Superseded)
    ));
    let group = group(0, vec![set(json!(["route"]), json!("absent"))]);
    studio.apply(DECK, &group).expect("applied");
    let fresh = CancellationToken::new();
    let fault = studio.sample_rolls(DECK, &params(SampleMode::Random), &fresh);
    assert_eq!(fault.expect_err("no route").code(), "unknown_route");
}
