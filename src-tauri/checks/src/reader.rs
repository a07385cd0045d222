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
    document::{Check, Given, MAX_ROLLS, Subject},
    expectation::{Expectation, TokenLimit},
    fault::{Fault, Faults},
    fields::Fields,
    kind::{ExpectationKind, KINDS, SubjectKind},
    share::ShareRange,
};

/// The most faults reported of the state of one check.
const MAX_STATE_FAULTS: usize = 100;

/// The name of a check, also of one that cannot be read.
pub(crate) fn name(index: usize, value: &Value) -> String {
    let name = value.get("name").and_then(Value::as_str);
    name.map_or_else(|| format!("check {}", index + 1), str::to_owned)
}

/// Reads the check at an index of the list.
///
/// # Errors
///
/// All faults, in the order of name, subject and expectations.
pub(crate) fn check(index: usize, value: &Value) -> Result<Check, Vec<Fault>> {
    let fields = Fields::of(value, format!("/checks/{index}")).map_err(|fault| vec![fault])?;
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
        let read = Fields::of(entry, format!("{pointer}/{number}"));
        let read = read.and_then(|fields| expectation(&fields, kind));
        expect.extend(faults.note(read));
    }
    faults.or(Check { subject, expect })
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

fn expectation(fields: &Fields<'_>, subject: SubjectKind) -> Result<Expectation, Fault> {
    let kind = expectation_kind(fields)?;
    let key = kind.key;
    if let Some(message) = kind.refusal(subject) {
        return Err(fields.fault(key, message));
    }
    let text = || fields.required(key, Fields::text).map(str::to_owned);
    let limit = || token_limit(fields, key);
    Ok(match key {
        "contains" => Expectation::Contains(not_empty(fields, key)?),
        "not_contains" => Expectation::NotContains(not_empty(fields, key)?),
        "matches" => Expectation::Matches(not_empty(fields, key)?),
        "not_matches" => Expectation::NotMatches(not_empty(fields, key)?),
        "starts_with" => Expectation::StartsWith(not_empty(fields, key)?),
        "ends_with" => Expectation::EndsWith(not_empty(fields, key)?),
        "max_tokens" => Expectation::MaxTokens(limit()?),
        "min_tokens" => Expectation::MinTokens(limit()?),
        "max_characters" => Expectation::MaxCharacters(fields.required(key, Fields::count)?),
        "text" => Expectation::Text(text()?),
        "renders" => Expectation::Renders(not_empty(fields, key)?),
        "never_renders" => Expectation::NeverRenders(not_empty(fields, key)?),
        "share" => share(fields)?,
        "stable_prefix_tokens" => Expectation::StablePrefixTokens(limit()?),
        "no_problems" => no_problems(fields)?,
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
                Some((key, near)) => {
                    let message = format!("{key:?} is not an expectation{}", hint(Some(near)));
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

fn token_limit(fields: &Fields<'_>, key: &str) -> Result<TokenLimit, Fault> {
    let tokens = fields.required(key, Fields::count)?;
    let tokenizer = fields.required("tokenizer", Fields::text)?.to_owned();
    Ok(TokenLimit { tokens, tokenizer })
}

fn share(fields: &Fields<'_>) -> Result<Expectation, Fault> {
    let target = not_empty(fields, "share")?;
    let (min, max) = (fields.number("min")?, fields.number("max")?);
    if min.is_none() && max.is_none() {
        let message = "a share needs `min`, `max` or both, from 0 to 1";
        return Err(fields.fault("share", message));
    }
    let range = ShareRange::new(min, max).ok_or_else(|| {
        let key = if min.is_some() { "min" } else { "max" };
        fields.fault(key, "a share is from 0 to 1, and `min` is at most `max`")
    })?;
    Ok(Expectation::Share(target, range))
}

fn no_problems(fields: &Fields<'_>) -> Result<Expectation, Fault> {
    fields.only_true("no_problems")?;
    let mut allow = Vec::new();
    for (index, code) in fields.list("allow")?.unwrap_or_default().iter().enumerate() {
        let pointer = format!("{}/{index}", fields.pointer_to("allow"));
        let Value::String(code) = code else {
            return Err(WrongValue::new(pointer, "a text", Some(code)).into());
        };
        let known = || codes::ALL.iter().map(|code| code.as_str());
        if !known().any(|known| known == code) {
            let near = did_you_mean(code, known());
            return Err(Fault::new(
                pointer,
                format!("no problem has the code {code:?}{near}"),
            ));
        }
        allow.push(code.clone());
    }
    Ok(Expectation::NoProblems { allow })
}
