//! Reads one check from its JSON. A fault names the value and what would be right; a check reports
//! all of its faults, so that each can be shown where it is.

use promptdeck_core::{
    hydrate::{Seed, State, schema::state as state_schema},
    registry::codes,
};
use promptdeck_json::{
    WrongValue, explain_all,
    nearest::{did_you_mean, hint, nearest},
};
use serde::Deserialize as _;
use serde_json::Value;

use super::{
    document::{Given, MAX_ROLLS, Subject},
    expectation::{Expectation, TokenLimit},
    fault::{Fault, Faults},
    fields::Fields,
    kind::{ExpectationKind, KINDS, SubjectKind},
    share::ShareRange,
};

/// The most faults reported of the state of one check.
pub(crate) const MAX_STATE_FAULTS: usize = 100;

/// A tokenizer that every check can name.
const SAMPLE_TOKENIZER: &str = "o200k_base";

/// What could be read of a check, and its faults.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadCheck {
    pub subject: Subject,
    /// The expectations with their places in the list.
    pub expect: Vec<(usize, Expectation)>,
    /// In the order of name, subject and expectations.
    pub faults: Vec<Fault>,
}

/// The name of a check, also of one that cannot be read.
pub(crate) fn name(index: usize, value: &Value) -> String {
    let name = value.get("name").and_then(Value::as_str);
    name.map_or_else(|| format!("check {}", index + 1), str::to_owned)
}

/// Reads the check at an index of the list.
///
/// # Errors
///
/// The fault of a value that is no object.
pub(crate) fn check(index: usize, value: &Value) -> Result<ReadCheck, Fault> {
    let fields = Fields::of(value, format!("/checks/{index}"))?;
    let mut faults = Faults::default();
    faults.note(name_fault(&fields));
    let subject = match fields.text("answer") {
        Ok(Some(answer)) => answer_subject(&fields, answer, &mut faults),
        Ok(None) => prompt_subject(&fields, &mut faults),
        Err(fault) => {
            faults.add(fault);
            answer_subject(&fields, "", &mut faults)
        }
    };
    let kind = SubjectKind::of(&subject);
    let mut expect = Vec::new();
    let entries = faults.note(expectations(&fields)).unwrap_or_default();
    let pointer = fields.pointer_to("expect");
    for (number, entry) in entries.iter().enumerate() {
        let Some(fields) = faults.note(Fields::of(entry, format!("{pointer}/{number}"))) else {
            continue;
        };
        let read = expectation(&fields, kind, &mut faults);
        expect.extend(read.map(|read| (number, read)));
    }
    Ok(ReadCheck {
        subject,
        expect,
        faults: faults.into_list(),
    })
}

fn name_fault(fields: &Fields<'_>) -> Result<(), Fault> {
    match fields.required("name", Fields::text)?.trim() {
        "" => Err(fields.fault("name", "a name has at least one character")),
        _ => Ok(()),
    }
}

fn expectations<'a>(fields: &Fields<'a>) -> Result<&'a [Value], Fault> {
    let entries = fields.required("expect", Fields::list)?;
    match entries.is_empty() {
        true => Err(fields.fault(
            "expect",
            "a check without an expectation always holds; add one",
        )),
        false => Ok(entries),
    }
}

fn answer_subject(fields: &Fields<'_>, answer: &str, faults: &mut Faults) -> Subject {
    let mut route = None;
    if let Some(given) = faults.note(fields.object("given")).flatten() {
        let used = |(key, value): &(&String, &Value)| *key != "route" && !value.is_null();
        for (key, _) in given.members.iter().filter(used) {
            faults.add(given.fault(
                key,
                "an answer is judged by a policy; only `route` selects it",
            ));
        }
        route = faults.note(given.text("route")).flatten();
    }
    Subject::Answer {
        text: answer.to_owned(),
        route: route.map(str::to_owned),
    }
}

fn prompt_subject(fields: &Fields<'_>, faults: &mut Faults) -> Subject {
    let mut read = Given {
        rolls: 1,
        ..Given::default()
    };
    if let Some(given) = faults.note(fields.object("given")).flatten() {
        read.state = state(&given, faults);
        if let Some(variables) = faults.note(given.object("variables")).flatten() {
            for key in variables.members.keys() {
                if let Some(text) = faults.note(variables.text(key)).flatten() {
                    let variables = &mut read.state.template_vars;
                    variables.insert(key.clone(), text.to_owned());
                }
            }
        }
        let route = faults.note(given.text("route")).flatten();
        read.route = route.map(str::to_owned);
        read.seed = faults.note(seed(&given)).unwrap_or_default();
        read.rolls = faults.note(rolls(&given)).unwrap_or(1);
    }
    Subject::Prompt(Box::new(read))
}

fn state(given: &Fields<'_>, faults: &mut Faults) -> State {
    let Some(value) = given.get("state") else {
        return State::default();
    };
    State::deserialize(value).unwrap_or_else(|error| {
        let pointer = given.pointer_to("state");
        for wrong in explain_all(&state_schema(), value, &error, MAX_STATE_FAULTS) {
            faults.add(Fault::new(pointer.clone() + &wrong.pointer, wrong.message));
        }
        State::default()
    })
}

fn seed(given: &Fields<'_>) -> Result<Seed, Fault> {
    match given.get("seed") {
        None => Ok(Seed::default()),
        Some(value) => {
            Seed::deserialize(value).map_err(|error| given.fault("seed", error.to_string()))
        }
    }
}

fn rolls(given: &Fields<'_>) -> Result<u64, Fault> {
    let rolls = given.count("rolls")?.unwrap_or(1);
    if (1..=MAX_ROLLS).contains(&rolls) {
        return Ok(rolls);
    }
    let message = format!("a check has 1 to {MAX_ROLLS} rolls, not {rolls}");
    Err(given.fault("rolls", message))
}

/// Reads an expectation; `None` if it has faults, all of which are noted.
fn expectation(
    fields: &Fields<'_>,
    subject: SubjectKind,
    faults: &mut Faults,
) -> Option<Expectation> {
    let kind = faults.note(expectation_kind(fields))?;
    let key = kind.key;
    if let Some(message) = kind.refusal(subject) {
        faults.add(fields.fault(key, message));
        return None;
    }
    match key {
        "max_tokens" => token_limit(fields, key, faults).map(Expectation::MaxTokens),
        "min_tokens" => token_limit(fields, key, faults).map(Expectation::MinTokens),
        "stable_prefix_tokens" => {
            token_limit(fields, key, faults).map(Expectation::StablePrefixTokens)
        }
        "share" => share(fields, faults),
        "no_problems" => no_problems(fields, faults),
        _ => faults.note(single_value(fields, key)),
    }
}

/// Reads an expectation whose only value is that of its key.
fn single_value(fields: &Fields<'_>, key: &str) -> Result<Expectation, Fault> {
    let text = || fields.required(key, Fields::text).map(str::to_owned);
    Ok(match key {
        "contains" => Expectation::Contains(not_empty(fields, key)?),
        "not_contains" => Expectation::NotContains(not_empty(fields, key)?),
        "matches" => Expectation::Matches(not_empty(fields, key)?),
        "not_matches" => Expectation::NotMatches(not_empty(fields, key)?),
        "starts_with" => Expectation::StartsWith(not_empty(fields, key)?),
        "ends_with" => Expectation::EndsWith(not_empty(fields, key)?),
        "max_characters" => Expectation::MaxCharacters(fields.required(key, Fields::count)?),
        "text" => Expectation::Text(text()?),
        "renders" => Expectation::Renders(not_empty(fields, key)?),
        "never_renders" => Expectation::NeverRenders(not_empty(fields, key)?),
        "accepted" => {
            fields.only_true(key)?;
            Expectation::Accepted
        }
        "rejected" => match fields.get(key) {
            Some(Value::Bool(true)) => Expectation::Rejected(None),
            Some(Value::String(reason)) => Expectation::Rejected(Some(reason.clone())),
            other => return Err(fields.wrong(key, "a text or true", other)),
        },
        _ => Expectation::Cleaned(text()?),
    })
}

/// The kind whose key is there.
fn expectation_kind(fields: &Fields<'_>) -> Result<ExpectationKind, Fault> {
    let mut named = KINDS.iter().filter(|kind| fields.get(kind.key).is_some());
    match (named.next(), named.next()) {
        (Some(one), None) => Ok(*one),
        (Some(one), Some(other)) => {
            let message = format!(
                "`{}` and `{}` are two expectations; write one object for each",
                one.key, other.key
            );
            Err(fields.fault(other.key, message))
        }
        (None, _) => {
            let known = || KINDS.iter().map(|kind| kind.key);
            let guess = |key: &String| Some((key.clone(), nearest(key, known())?));
            match fields.members.keys().find_map(guess) {
                Some((key, suggestion)) => {
                    let message =
                        format!("{key:?} is not an expectation{}", hint(Some(suggestion)));
                    Err(fields.fault(&key, message))
                }
                None => {
                    let known: Vec<&str> = known().collect();
                    let message = format!("no expectation here; known are {}", known.join(", "));
                    Err(Fault::new(fields.pointer.clone(), message))
                }
            }
        }
    }
}

fn not_empty(fields: &Fields<'_>, key: &str) -> Result<String, Fault> {
    match fields.required(key, Fields::text)? {
        "" => Err(fields.fault(key, format!("`{key}` needs at least one character"))),
        text => Ok(text.to_owned()),
    }
}

fn token_limit(fields: &Fields<'_>, key: &str, faults: &mut Faults) -> Option<TokenLimit> {
    let tokens = faults.note(fields.required(key, Fields::count));
    let tokenizer = faults.note(tokenizer(fields, key));
    Some(TokenLimit {
        tokens: tokens?,
        tokenizer: tokenizer?.to_owned(),
    })
}

/// A check names its tokenizer, so that its verdict does not depend on where it runs.
fn tokenizer<'a>(fields: &Fields<'a>, key: &str) -> Result<&'a str, Fault> {
    let missing = || {
        let message = format!(
            "`{key}` counts with a tokenizer that it names; add \"tokenizer\": \"{SAMPLE_TOKENIZER}\""
        );
        fields.fault("tokenizer", message)
    };
    fields.text("tokenizer")?.ok_or_else(missing)
}

fn share(fields: &Fields<'_>, faults: &mut Faults) -> Option<Expectation> {
    let target = faults.note(not_empty(fields, "share"));
    let min = faults.note(fields.number("min"));
    let max = faults.note(fields.number("max"));
    let (min, max) = (min?, max?);
    if min.is_none() && max.is_none() {
        let message = "a share needs `min`, `max` or both, from 0 to 1";
        faults.add(fields.fault("share", message));
        return None;
    }
    let range = ShareRange::new(min, max).ok_or_else(|| {
        let key = if min.is_some() { "min" } else { "max" };
        fields.fault(key, "a share is from 0 to 1, and `min` is at most `max`")
    });
    let range = faults.note(range);
    Some(Expectation::Share(target?, range?))
}

fn no_problems(fields: &Fields<'_>, faults: &mut Faults) -> Option<Expectation> {
    let only_true = faults.note(fields.only_true("no_problems"));
    let codes = faults.note(fields.list("allow"))?.unwrap_or_default();
    let mut allow = Vec::new();
    for (index, code) in codes.iter().enumerate() {
        let pointer = format!("{}/{index}", fields.pointer_to("allow"));
        allow.extend(faults.note(allowed_code(code, pointer)));
    }
    let is_whole = only_true.is_some() && allow.len() == codes.len();
    is_whole.then_some(Expectation::NoProblems { allow })
}

fn allowed_code(code: &Value, pointer: String) -> Result<String, Fault> {
    let Value::String(code) = code else {
        return Err(WrongValue::new(pointer, "a text", Some(code)).into());
    };
    let known = || codes::ALL.iter().map(|code| code.as_str());
    if known().any(|known| known == code) {
        return Ok(code.clone());
    }
    let suggestion = did_you_mean(code, known());
    let message = format!("no problem has the code {code:?}{suggestion}");
    Err(Fault::new(pointer, message))
}
