//! Compares output policies with promptlibretto 0.6.0: cleaned text, verdict and reason, byte for
//! byte, and the same errors for the same patterns.
//!
//! `PROMPTDECK_POLICY_SEED` and `PROMPTDECK_POLICY_CASES` select other or more cases.

use promptdeck_core::output::{CompiledPolicy, OutputPolicy};
use promptdeck_pattern::PatternErrorKind;
use promptdeck_tests::oracle;
use promptdeck_tests::policy_cases::Cases;
use serde_json::{Value, json};

const SEED: u64 = 22;
const CASES: u64 = 6_000;

fn number_from(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

/// Why a case cannot be compared.
enum Refusal {
    /// We reject a pattern that Python compiles.
    Unsupported(String),
    /// A search reached its limit.
    Limit(String),
}

/// Our result in the oracle's format.
fn ours(policy: &Value, text: &str) -> Result<Value, Refusal> {
    let policy = OutputPolicy::from_map(policy.as_object().expect("an object"))
        .unwrap_or_else(|error| panic!("{policy}: {error}"));
    match CompiledPolicy::new(policy) {
        Ok(compiled) => {
            let verdict = compiled
                .apply(text)
                .map_err(|limit| Refusal::Limit(limit.to_string()))?;
            Ok(json!({
                "text": verdict.text, "accepted": verdict.accepted, "reason": verdict.reason,
            }))
        }
        Err(fault) if fault.error.kind == PatternErrorKind::Malformed => Ok(json!({
            "refused": fault.pattern, "message": gist(&fault.error.message),
        })),
        Err(fault) => Err(Refusal::Unsupported(fault.to_string())),
    }
}

/// A message without the pattern it quotes: Python truncates escapes there.
fn gist(message: &str) -> &str {
    message.split_once('\\').map_or(message, |(gist, _)| gist)
}

/// Whether both reject the same pattern with different messages because Python before 3.13 still
/// parses the unused flag `t`.
fn told_by_a_flag_of_old(ours: &Value, theirs: &Value) -> bool {
    let pattern = ours["refused"].as_str();
    ours["refused"] == theirs["refused"] && pattern.is_some_and(|pattern| pattern.contains("(?t"))
}

/// Result of a comparison.
struct Compared {
    /// The oracle's answers.
    answers: Vec<Value>,
    /// Patterns that only we reject.
    unsupported: Vec<String>,
    /// Searches that reached our limits, with the number of Python's timeouts.
    limited: Vec<String>,
    given_up: usize,
}

/// Compares our answer to every question with the oracle's.
fn compare(questions: &[Value]) -> Compared {
    let mut answers = oracle::ask("policy_oracle.py", questions);
    let mut unsupported = Vec::new();
    let mut limited = Vec::new();
    let mut given_up = 0;
    let mut different = Vec::new();
    for (question, theirs) in questions.iter().zip(&mut answers) {
        let text = question["text"].as_str().expect("a text");
        let ours = ours(&question["policy"], text);
        if theirs.get("gave_up").is_some() {
            given_up += 1;
            continue;
        }
        let ours = match ours {
            Ok(ours) => ours,
            Err(Refusal::Limit(limit)) => {
                limited.push(limit);
                continue;
            }
            Err(Refusal::Unsupported(refusal)) => {
                if theirs.get("refused").is_none() {
                    unsupported.push(refusal);
                }
                continue;
            }
        };
        if let Some(message) = theirs.get("message").and_then(Value::as_str) {
            theirs["message"] = json!(gist(message));
        }
        if ours != *theirs && !told_by_a_flag_of_old(&ours, theirs) {
            different.push(format!("{question}\n  ours   {ours}\n  theirs {theirs}"));
        }
    }
    assert!(
        different.is_empty(),
        "{} of {} differ, the first of them:\n{}",
        different.len(),
        questions.len(),
        different[..different.len().min(12)].join("\n")
    );
    Compared {
        answers,
        unsupported,
        limited,
        given_up,
    }
}

#[test]
fn generated_policies_act_as_in_promptlibretto() {
    let mut cases = Cases::new(number_from("PROMPTDECK_POLICY_SEED", SEED));
    let count = number_from("PROMPTDECK_POLICY_CASES", CASES);
    let questions: Vec<Value> = (0..count)
        .map(|_| cases.next_case())
        .map(|case| json!({"policy": case.policy, "text": case.text}))
        .collect();
    let Compared {
        answers,
        unsupported,
        limited,
        given_up,
    } = compare(&questions);
    let changed = answers.iter().zip(&questions).filter(|(theirs, question)| {
        theirs
            .get("text")
            .is_some_and(|text| *text != question["text"])
    });
    let rejected = answers.iter().filter(|theirs| theirs["accepted"] == false);
    let malformed = answers
        .iter()
        .filter(|theirs| theirs.get("refused").is_some());
    println!(
        "{count} policies and texts: {} changed, {} rejected, {} malformed, {} not \
         supported here, {} ended by a limit, {given_up} that Python gave up",
        changed.count(),
        rejected.count(),
        malformed.count(),
        unsupported.len(),
        limited.len(),
    );
    assert!(unsupported.is_empty(), "refused: {unsupported:#?}");
    // A generated pattern may take exponential time; few do.
    assert!(
        limited.len() as u64 * 1000 <= count,
        "short texts met a limit: {limited:#?}"
    );
}

/// Letters with case mappings newer than the Unicode version of Python 3.11.
const YOUNGER_LETTERS: [char; 2] = ['\u{1C89}', '\u{1C8A}'];

#[test]
fn letter_case_is_what_python_takes_it_for() {
    let settled = |letter: &char| *letter < '\u{A7C0}' && !YOUNGER_LETTERS.contains(letter);
    let relatives = |letter: char| {
        let mut family = vec![letter];
        for _ in 0..3 {
            let forms: Vec<char> = family
                .iter()
                .flat_map(|known| known.to_lowercase().chain(known.to_uppercase()))
                .collect();
            family.extend(forms);
        }
        family.extend("iIıİsSſkK\u{212a}ßẞσςΣ".chars());
        family.into_iter().filter(settled).collect::<String>()
    };
    let questions: Vec<Value> = ('\u{41}'..'\u{A7C0}')
        .filter(settled)
        .filter(|letter| letter.is_lowercase() || letter.is_uppercase())
        .map(|letter| {
            let pattern = format!("(?i){letter}");
            json!({"policy": {"strip_patterns": [pattern]}, "text": relatives(letter)})
        })
        .collect();
    let found = compare(&questions);
    println!("{} letters", found.answers.len());
    assert!(
        found.unsupported.is_empty(),
        "refused: {:#?}",
        found.unsupported
    );
    assert!(
        found.limited.is_empty() && found.given_up == 0,
        "a letter takes no time"
    );
}
