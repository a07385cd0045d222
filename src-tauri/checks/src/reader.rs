//! Reads one check from its JSON. A fault names the value and what would be right.

use promptdeck_core::{
    hydrate::{Seed, State, schema::state as state_schema},
    registry::codes,
};
use promptdeck_json::{
    WrongValue, explain,
    nearest::{did_you_mean, hint, nearest},
    push_step,
};
use serde::Deserialize as _;
use serde_json::{Map, Number, Value};

use super::{
    document::{Check, Given, MAX_ROLLS, Subject},
    expectation::{About, Expectation, KEYS, TokenLimit},
    fault::Fault,
    share::ShareRange,
};

/// The name of a check, also of one that cannot be read.
pub(crate) fn name(index: usize, value: &Value) -> String {
    let name = value.get("name").and_then(Value::as_str);
    name.map_or_else(|| format!("check {}", index + 1), str::to_owned)
}

/// Reads the check at an index of the list.
pub(crate) fn check(index: usize, value: &Value) -> Result<Check, Fault> {
    let fields = Fields::of(value, format!("/checks/{index}"))?;
    if fields.required("name", Fields::text)?.trim().is_empty() {
        return Err(fields.fault("name", "a name has at least one character"));
    }
    let (subject, about) = match fields.text("answer")? {
        Some(answer) => (answer_subject(&fields, answer)?, About::Answer),
        None => (Subject::Prompt(Box::new(given(&fields)?)), About::Prompt),
    };
    let entries = fields.required("expect", Fields::list)?;
    if entries.is_empty() {
        return Err(fields.fault(
            "expect",
            "a check without an expectation always holds; add one",
        ));
    }
    let pointer = fields.pointer_to("expect");
    let read = |(index, entry): (usize, &Value)| {
        let fields = Fields::of(entry, format!("{pointer}/{index}"))?;
        expectation(&fields, about)
    };
    let expect: Vec<Expectation> = entries
        .iter()
        .enumerate()
        .map(read)
        .collect::<Result<_, _>>()?;
    if matches!(&subject, Subject::Prompt(given) if given.rolls > 1) {
        let golden = |own: &Expectation| matches!(own, Expectation::Text(_));
        if let Some(index) = expect.iter().position(golden) {
            let message = "a golden text needs one roll; leave out `rolls` and name a `seed`";
            return Err(Fault::new(format!("{pointer}/{index}/text"), message));
        }
    }
    Ok(Check { subject, expect })
}

fn answer_subject(fields: &Fields<'_>, answer: &str) -> Result<Subject, Fault> {
    let mut route = None;
    if let Some(given) = fields.object("given")? {
        let used = |(key, value): &(&String, &Value)| *key != "route" && !value.is_null();
        if let Some((key, _)) = given.members.iter().find(used) {
            return Err(given.fault(
                key,
                "an answer is judged by a policy; only `route` selects it",
            ));
        }
        route = given.text("route")?.map(str::to_owned);
    }
    Ok(Subject::Answer {
        text: answer.to_owned(),
        route,
    })
}

fn given(fields: &Fields<'_>) -> Result<Given, Fault> {
    let Some(given) = fields.object("given")? else {
        return Ok(Given {
            rolls: 1,
            ..Given::default()
        });
    };
    let mut state = State::default();
    if let Some(value) = given.get("state") {
        state = State::deserialize(value).map_err(|error| {
            let wrong = explain(&state_schema(), value, &error);
            Fault::new(given.pointer_to("state") + &wrong.pointer, wrong.message)
        })?;
    }
    if let Some(variables) = given.object("variables")? {
        for key in variables.members.keys() {
            if let Some(text) = variables.text(key)? {
                state.template_vars.insert(key.clone(), text.to_owned());
            }
        }
    }
    let seed = match given.get("seed") {
        None => Seed::default(),
        Some(value) => {
            Seed::deserialize(value).map_err(|error| given.fault("seed", error.to_string()))?
        }
    };
    let rolls = given.count("rolls")?.unwrap_or(1);
    if !(1..=MAX_ROLLS).contains(&rolls) {
        let message = format!("a check has 1 to {MAX_ROLLS} rolls, not {rolls}");
        return Err(given.fault("rolls", message));
    }
    if seed.get() + (rolls - 1) > Seed::MAX {
        let message = format!(
            "the last of {rolls} seeds from {seed} on is above {}",
            Seed::MAX
        );
        return Err(given.fault("seed", message));
    }
    Ok(Given {
        state,
        route: given.text("route")?.map(str::to_owned),
        seed,
        rolls,
    })
}

fn expectation(fields: &Fields<'_>, about: About) -> Result<Expectation, Fault> {
    let key = expectation_key(fields)?;
    let (key, kind) = key;
    let misplaced = match (kind, about) {
        (About::Prompt, About::Answer) => Some("about prompts; this check holds an `answer`"),
        (About::Answer, About::Prompt) => Some("about answers; add an `answer` to the check"),
        _ => None,
    };
    if let Some(misplaced) = misplaced {
        return Err(fields.fault(key, format!("`{key}` is {misplaced}")));
    }
    let text = || fields.required(key, Fields::text).map(str::to_owned);
    let limit = || token_limit(fields, key);
    Ok(match key {
        "contains" => Expectation::Contains(text()?),
        "not_contains" => Expectation::NotContains(not_empty(fields, key)?),
        "matches" => Expectation::Matches(text()?),
        "not_matches" => Expectation::NotMatches(not_empty(fields, key)?),
        "starts_with" => Expectation::StartsWith(text()?),
        "ends_with" => Expectation::EndsWith(text()?),
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

/// The one key that says what is expected.
fn expectation_key(fields: &Fields<'_>) -> Result<(&'static str, About), Fault> {
    let mut named = KEYS.iter().filter(|(key, _)| fields.get(key).is_some());
    match (named.next(), named.next()) {
        (Some(one), None) => Ok(*one),
        (Some((one, _)), Some((other, _))) => {
            let message =
                format!("`{one}` and `{other}` are two expectations; write one object for each");
            Err(fields.fault(other, message))
        }
        (None, _) => {
            let known = || KEYS.iter().map(|(key, _)| *key);
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

/// The members of an object and its place. A member that is null counts as missing.
struct Fields<'a> {
    members: &'a Map<String, Value>,
    pointer: String,
}

impl<'a> Fields<'a> {
    fn of(value: &'a Value, pointer: String) -> Result<Self, Fault> {
        match value {
            Value::Object(members) => Ok(Self { members, pointer }),
            other => Err(WrongValue::new(pointer, "an object", Some(other)).into()),
        }
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    fn pointer_to(&self, key: &str) -> String {
        let mut pointer = self.pointer.clone();
        push_step(&mut pointer, key);
        pointer
    }

    fn fault(&self, key: &str, message: impl Into<String>) -> Fault {
        Fault::new(self.pointer_to(key), message)
    }

    fn wrong(&self, key: &str, expected: &str, found: Option<&Value>) -> Fault {
        WrongValue::new(self.pointer_to(key), expected, found).into()
    }

    /// A member that may not be missing.
    fn required<T>(
        &self,
        key: &str,
        read: impl Fn(&Self, &str) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        let expected = match key {
            "name" => "a name",
            "expect" => "a list of expectations",
            "tokenizer" => "the name of a tokenizer",
            _ => "a value",
        };
        read(self, key)?.ok_or_else(|| self.wrong(key, expected, None))
    }

    fn text(&self, key: &str) -> Result<Option<&'a str>, Fault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            other => Err(self.wrong(key, "a text", other)),
        }
    }

    fn list(&self, key: &str) -> Result<Option<&'a [Value]>, Fault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            other => Err(self.wrong(key, "a list", other)),
        }
    }

    fn object(&self, key: &str) -> Result<Option<Self>, Fault> {
        let value = self.get(key);
        value
            .map(|value| Self::of(value, self.pointer_to(key)))
            .transpose()
    }

    fn number(&self, key: &str) -> Result<Option<&'a Number>, Fault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(number)),
            other => Err(self.wrong(key, "a number", other)),
        }
    }

    fn count(&self, key: &str) -> Result<Option<u64>, Fault> {
        let Some(number) = self.number(key)? else {
            return Ok(None);
        };
        let refused = || {
            self.fault(
                key,
                format!("expected an integer of 0 or more, found {number}"),
            )
        };
        number.as_u64().map(Some).ok_or_else(refused)
    }

    fn only_true(&self, key: &str) -> Result<(), Fault> {
        match self.get(key) {
            Some(Value::Bool(true)) => Ok(()),
            Some(Value::Bool(false)) => Err(self.fault(key, format!("`{key}` can only be true"))),
            other => Err(self.wrong(key, "true", other)),
        }
    }
}
