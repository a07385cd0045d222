//! Runs and streams of the core's engine with the mock: attempts, verdicts, limits, cancellation,
//! errors.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

use std::time::{Duration, Instant};

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry;
use promptdeck_core::run::{
    Attempt, Control, Input, Plan, Provider, ProviderError, RunError, RunResult, StreamListener,
};
use promptdeck_provider::{Mock, Turn};
use serde_json::{Value, json};

fn registry_with(generation: Value, policy: Value) -> Value {
    json!({
        "assembly_order": ["base_context"],
        "base_context": {"required": true, "template_vars": [], "items": [{"name": "a", "text": "Say hello."}]},
        "generation": generation,
        "output_policy": policy,
        "routes": {"terse": {
            "assembly_order": ["base_context"],
            "generation": {"model": "small"},
            "output_policy": {"max_length": 2},
        }},
    })
}

fn texts(texts: &[&str]) -> Mock {
    Mock::scripted(texts.iter().map(|text| Turn::Text((*text).to_owned())))
}

struct Setup {
    engine: Engine,
    plan: Plan,
}

impl Setup {
    fn new(registry: &Value, route: Option<&str>) -> Result<Self, RunError> {
        let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
        let plan = Plan::new(&parsed.registry, route)?;
        Ok(Self {
            engine: Engine::new(parsed.registry),
            plan,
        })
    }

    fn run(&self, provider: &mut dyn Provider) -> Result<RunResult, RunError> {
        self.plan
            .run(&self.engine, &call(&State::default()), provider)
    }

    fn stream(
        &self,
        provider: &mut dyn Provider,
        listener: &mut dyn StreamListener,
    ) -> Result<RunResult, RunError> {
        self.plan
            .stream(&self.engine, &call(&State::default()), provider, listener)
    }
}

fn call(state: &State) -> Call<'_> {
    Call {
        state,
        route: None,
        seed: Seed::new(7).expect("a seed"),
    }
}

fn setup(generation: Value, policy: Value) -> Setup {
    Setup::new(&registry_with(generation, policy), None).expect("a plan")
}

#[test]
fn the_first_text_that_passes_is_the_result() {
    let setup = setup(
        json!({"retries": 5}),
        json!({"min_length": 3, "strip_prefixes": ["Sure:"]}),
    );
    let mut mock = texts(&["ab", "Sure: no", "sure: hello", "never"]);
    let result = setup.run(&mut mock).expect("a result");
    assert_eq!(
        (result.text.as_str(), result.accepted, result.reason),
        ("hello", true, None)
    );
    let attempts: Vec<_> = result
        .attempts
        .iter()
        .map(|attempt| {
            (
                attempt.raw.as_str(),
                attempt.cleaned.as_str(),
                attempt.reason.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        attempts,
        [
            ("ab", "ab", Some("too short (<3)")),
            ("Sure: no", "no", Some("too short (<3)")),
            ("sure: hello", "hello", None),
        ]
    );
    assert_eq!(result.prompt.as_deref(), Some("Say hello."));
    assert_eq!((result.route, result.seed.map(Seed::get)), (None, Some(7)));
    assert_eq!(result.usage.completion_tokens, Some(2));
    assert_eq!(mock.requests().len(), 3);
}

#[test]
fn retries_bound_the_attempts() {
    for (retries, attempts) in [(0, 1), (1, 1), (3, 3)] {
        let setup = setup(
            json!({"retries": retries}),
            json!({"require_patterns": ["x"]}),
        );
        let mut mock = texts(&["a", "b", "c", "x"]);
        let result = setup.run(&mut mock).expect("a result");
        assert_eq!(
            (result.accepted, result.attempts.len()),
            (false, attempts),
            "{retries}"
        );
        assert_eq!(
            result.reason.as_deref(),
            Some("missing required pattern: 'x'")
        );
    }
}

#[test]
fn a_prompt_that_is_too_long_is_never_sent() {
    let registry = |most: usize| registry_with(json!({"max_prompt_chars": most}), json!({}));
    let mut mock = Mock::new();
    let fits = Setup::new(&registry(10), None).expect("a plan");
    assert!(fits.run(&mut mock).is_ok());
    let long = Setup::new(&registry(9), None).expect("a plan");
    let error = long.run(&mut mock).expect_err("refused");
    assert_eq!(
        error,
        RunError::PromptTooLong {
            length: 10,
            limit: 9
        }
    );
    assert_eq!(
        (error.code(), mock.requests().len()),
        ("prompt_too_long", 1)
    );
}

#[test]
fn a_route_replaces_settings_and_policy() {
    let registry = registry_with(
        json!({"model": "large", "top_k": 4}),
        json!({"append_suffix": "!"}),
    );
    let setup = Setup::new(&registry, Some("terse")).expect("a plan");
    let mut mock = texts(&["hello"]);
    let result = setup.run(&mut mock).expect("a result");
    assert_eq!(result.route.as_deref(), Some("terse"));
    assert_eq!(
        (result.text.as_str(), result.reason.as_deref()),
        ("he!", Some("too long (>2)"))
    );
    let sent = &mock.requests()[0].generation;
    assert_eq!((sent.model.as_str(), sent.top_k), ("small", Some(4)));
    let error = Setup::new(&registry, Some("none")).err().expect("refused");
    assert_eq!(error.code(), "unknown_route");
}

#[test]
fn streams_are_heard_and_judged() {
    let setup = setup(json!({"retries": 3}), json!({"min_length": 100}));
    let mut heard = Vec::new();
    let mut listener = |text: &str| {
        heard.push(text.to_owned());
        Control::Continue
    };
    let result = setup
        .stream(&mut texts(&["one two  three"]), &mut listener)
        .expect("a result");
    assert_eq!(heard, ["one ", "two ", " ", "three"]);
    assert_eq!(
        (result.text.as_str(), result.accepted),
        ("one two three", false)
    );
    assert_eq!(result.attempts.len(), 1);
}

#[test]
fn a_stream_can_be_stopped() {
    let setup = setup(json!({}), json!({}));
    let mut heard = 0;
    let mut listener = |_: &str| {
        heard += 1;
        if heard == 2 {
            Control::Stop
        } else {
            Control::Continue
        }
    };
    let error = setup
        .stream(&mut texts(&["a b c d"]), &mut listener)
        .expect_err("stopped");
    assert_eq!((error.code(), heard), ("cancelled", 2));
}

#[test]
fn the_words_of_a_stream_are_as_far_apart_as_asked_for() {
    let setup = setup(json!({}), json!({}));
    let pause = Duration::from_millis(20);
    let mut heard: Vec<Instant> = Vec::new();
    let mut listener = |_: &str| {
        heard.push(Instant::now());
        Control::Continue
    };
    let result = setup
        .stream(&mut texts(&["a b c d"]).with_pause(pause), &mut listener)
        .expect("a result");
    assert_eq!(heard.len(), 4);
    assert!(heard.windows(2).all(|pair| pair[1] - pair[0] >= pause));
    let total = result.attempts[0].timing.total_ms;
    assert!(total >= Some(80.0), "{total:?}");
}

#[test]
fn the_mock_reports_no_time_without_pauses() {
    let setup = setup(json!({}), json!({}));
    let result = setup.run(&mut texts(&["a b c d"])).expect("a result");
    assert_eq!(result.attempts[0].timing.total_ms, None);
}

#[test]
fn a_fault_keeps_the_attempts_before_it() {
    let setup = setup(json!({"retries": 3}), json!({"min_length": 5}));
    let fault = ProviderError::new("rate_limited", "slow down");
    let mut mock = Mock::scripted([Turn::Text("a".to_owned()), Turn::Error(fault.clone())]);
    match setup.run(&mut mock).expect_err("a fault") {
        RunError::Provider {
            provider,
            error,
            attempts,
        } => {
            assert_eq!(
                (provider.as_str(), *error, attempts.len()),
                ("mock", fault, 1)
            );
        }
        other => panic!("{other}"),
    }
}

#[test]
fn settings_that_make_no_sense_are_refused_before_anything_is_sent() {
    let plan = |generation, policy| {
        let error = Setup::new(&registry_with(generation, policy), None).err();
        error.map(|error| error.to_string())
    };
    assert_eq!(
        plan(json!({"temprature": 1}), json!({}))
            .as_deref()
            .map(|message| &message[..39]),
        Some("unknown generation field \"temprature\"; ")
    );
    assert_eq!(
        plan(json!({}), json!({"strip_patterns": ["("]})).as_deref(),
        Some(
            "output_policy strip_patterns[0] \"(\": missing ), unterminated subpattern at \
             character 0 of the pattern"
        )
    );
}

#[test]
fn the_mock_describes_its_input_the_same_way_each_time() {
    let setup = setup(json!({"model": "m", "temperature": 0.5}), json!({}));
    let result = setup.run(&mut Mock::new()).expect("a result");
    assert_eq!(
        result.text,
        "This is the mock provider: no model was asked. It was sent 10 characters in 1 line for \
         model m, at temperature 0.5. The prompt ends with: Say hello."
    );
    assert_eq!(setup.run(&mut Mock::new()), Ok(result));
}

/// Records pieces and verdicts in order.
#[derive(Default)]
struct EventLog(Vec<String>);

impl StreamListener for EventLog {
    fn delta(&mut self, text: &str) -> Control {
        self.0.push(text.to_owned());
        Control::Continue
    }

    fn judged(&mut self, attempt: &Attempt) {
        let verdict = attempt.reason.as_deref().unwrap_or("accepted");
        self.0.push(format!("[{verdict}]"));
    }
}

#[test]
fn a_run_with_a_listener_streams_every_attempt_and_its_verdict() {
    let setup = setup(json!({"retries": 3}), json!({"min_length": 3}));
    let state = State::default();
    let mut log = EventLog::default();
    let mut provider = texts(&["a", "b c", "d"]);
    let result = setup
        .plan
        .run_with_listener(&setup.engine, &call(&state), &mut provider, &mut log)
        .expect("a result");
    assert_eq!((result.text.as_str(), result.attempts.len()), ("b c", 2));
    assert_eq!(log.0, ["a", "[too short (<3)]", "b ", "c", "[accepted]"]);
}

#[test]
fn a_given_input_is_sent_and_counted_in_the_place_of_the_prompt() {
    let check = |input: Input, allowed: u64, expect: Result<(), &str>| {
        let setup = setup(json!({"max_prompt_chars": allowed}), json!({}));
        let plan = setup.plan.with_input(input.clone());
        let mut provider = texts(&["ok"]);
        let state = State::default();
        let result = plan.run(&setup.engine, &call(&state), &mut provider);
        let code = result.as_ref().map(|_| ()).map_err(RunError::code);
        assert_eq!(code, expect, "{input:?}");
        let sent: Vec<_> = provider
            .requests()
            .iter()
            .map(|request| &request.input)
            .collect();
        assert_eq!(sent, expect.map_or(vec![], |()| vec![&input]));
    };
    let setup = setup(json!({"max_prompt_chars": 2}), json!({}));
    let plan = setup.plan.with_other_input(Input::Text("Hi".to_owned()));
    let state = State::default();
    let result = plan.run(&setup.engine, &call(&state), &mut texts(&["ok"]));
    let result = result.expect("the prompt is not made, and not too long");
    assert_eq!(
        (result.prompt, result.seed, result.evaluation),
        (None, None, None)
    );
    let body = || Input::Body(json!({"contents": [{"text": "twelve chars", "n": 5}, "äö"]}));
    check(body(), 14, Ok(()));
    check(body(), 13, Err("prompt_too_long"));
    check(Input::Text("x".repeat(40)), 40, Ok(()));
    check(Input::Text("x".repeat(41)), 40, Err("prompt_too_long"));
}
