//! `hydrate --batch`: a call a line. A registry is compiled once for as long as the lines repeat
//! it, and once altogether when it is given by `--registry`.

use std::{io, sync::Arc};

use promptdeck_core::{
    hydrate::{Call, Engine, Hydration, Seed, State, StateRef},
    registry,
};
use promptdeck_service::draw_seed;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Answer, Args};
use crate::{
    batch::{self, Worker},
    failure::Failure,
    input,
    object::Object,
    output::{Outcome, Output},
    plain,
};

/// One line: what a call is made of, its state and seed read in the way that suits the answer.
#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>, N: Deserialize<'de>"))]
struct Line<'a, S, N> {
    #[serde(borrow, default)]
    registry: Option<&'a RawValue>,
    #[serde(default = "Option::default")]
    state: Option<Object<S>>,
    #[serde(default)]
    route: Option<String>,
    #[serde(default = "Option::default")]
    seed: Option<N>,
}

/// Answers every line; what the flags set is the default for lines that do not say.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let shared = match &args.shared {
        Some(path) => Some(Engine::new(input::registry(path)?.registry)),
        None => None,
    };
    let given = Arc::new(Given {
        shared,
        state: args.state.state()?,
        route: args.call.route.clone(),
        seed: args.call.seed,
        explain: args.explain,
    });
    let make = move || Hydrator {
        given: Arc::clone(&given),
        own: None,
        text: String::new(),
    };
    batch::run(make, out)
}

/// What the flags set for every line.
struct Given {
    shared: Option<Engine>,
    state: State,
    route: Option<String>,
    seed: Option<Seed>,
    explain: bool,
}

/// What a thread keeps between lines.
struct Hydrator {
    given: Arc<Given>,
    /// The last registry that stood in a line, compiled.
    own: Option<(String, Engine)>,
    text: String,
}

impl Worker for Hydrator {
    fn answer(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
        let Self { given, own, text } = self;
        if given.explain {
            let line: Line<'_, State, &RawValue> = batch::parse_line(line)?;
            let engine = given.engine(own, line.registry)?;
            let (route, seed) =
                given.route_and_seed(line.route.as_deref(), read_seed(line.seed)?)?;
            let state = line.state.as_ref().map_or(&given.state, |state| &state.0);
            let hydration = engine.hydrate(&Call { state, route, seed })?;
            return write_explained(&hydration, answer);
        }
        let (registry, state, route, seed) = if let Some((line, seed)) = plain_line(line) {
            (line.registry, line.state, line.route, Ok(Some(seed)))
        } else {
            let line: Line<'_, StateRef<'_>, &RawValue> = batch::parse_line(line)?;
            (line.registry, line.state, line.route, read_seed(line.seed))
        };
        let engine = given.engine(own, registry)?;
        let (route, seed) = given.route_and_seed(route.as_deref(), seed?)?;
        text.clear();
        match &state {
            Some(Object(state)) => engine.hydrate_text_into(&Call { state, route, seed }, text),
            None => {
                let state = &given.state;
                engine.hydrate_text_into(&Call { state, route, seed }, text)
            }
        }?;
        write_plain(text, seed, answer)
    }
}

/// A line as most are: plain JSON, with a seed.
fn plain_line(line: &[u8]) -> Option<(Line<'_, StateRef<'_>, u64>, Seed)> {
    let Object(line): Object<Line<'_, _, u64>> = plain::read(str::from_utf8(line).ok()?)?;
    let seed = Seed::new(line.seed?).ok()?;
    Some((line, seed))
}

impl Given {
    fn engine<'a>(
        &'a self,
        own: &'a mut Option<(String, Engine)>,
        registry: Option<&RawValue>,
    ) -> Result<&'a Engine, Failure> {
        match registry {
            Some(registry) => compiled(own, registry.get()),
            None => self.shared.as_ref().ok_or_else(|| {
                Failure::input(
                    "no_registry",
                    "the line has no \"registry\" and none was given with --registry",
                )
            }),
        }
    }

    /// Those of a line, where it says, else those of all lines.
    fn route_and_seed<'a>(
        &'a self,
        route: Option<&'a str>,
        seed: Option<Seed>,
    ) -> Result<(Option<&'a str>, Seed), Failure> {
        let seed = seed.or(self.seed);
        Ok((
            route.or(self.route.as_deref()),
            seed.map_or_else(draw_seed, Ok)?,
        ))
    }
}

/// A seed as JSON. Mostly it is digits, and those need no JSON reader.
fn read_seed(seed: Option<&RawValue>) -> Result<Option<Seed>, Failure> {
    let read = |json: &str| json.parse().or_else(|_| serde_json::from_str(json));
    seed.map(|seed| read(seed.get()))
        .transpose()
        .map_err(|error| batch::unreadable(&error))
}

fn compiled<'a>(kept: &'a mut Option<(String, Engine)>, text: &str) -> Result<&'a Engine, Failure> {
    let known = kept.take().filter(|(known, _)| known == text);
    let entry = if let Some(entry) = known {
        entry
    } else {
        let parsed = registry::parse(text.as_bytes())
            .map_err(|error| Failure::registry("registry", &error))?;
        (text.to_owned(), Engine::new(parsed.registry))
    };
    Ok(&kept.insert(entry).1)
}

fn write_explained(hydration: &Hydration, answer: &mut Vec<u8>) -> Result<(), Failure> {
    Ok(serde_json::to_writer(answer, &Answer::explained(hydration)).map_err(io::Error::from)?)
}

/// `Answer::plain`, its text escaped many bytes at a time.
fn write_plain(text: &str, seed: Seed, answer: &mut Vec<u8>) -> Result<(), Failure> {
    answer.extend_from_slice(br#"{"ok":true,"text":"#);
    json_escape_simd::escape_into(text, answer);
    answer.extend_from_slice(br#","seed":"#);
    serde_json::to_writer(&mut *answer, &seed.get()).map_err(io::Error::from)?;
    answer.push(b'}');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_answer_is_what_serde_json_writes() {
        let every: String = (0..=0x2fff).filter_map(char::from_u32).collect();
        let seed = Seed::new(Seed::MAX).expect("the largest seed");
        for text in ["", "plain", "\"", "\u{7f}\u{2028}😀\0", &every] {
            for start in text.char_indices().map(|(at, _)| at).step_by(101) {
                let mut answer = b"before".to_vec();
                write_plain(&text[start..], seed, &mut answer).expect("written");
                let plain = serde_json::to_string(&Answer::plain(&text[start..], seed));
                assert_eq!(
                    answer,
                    format!("before{}", plain.expect("JSON")).into_bytes()
                );
            }
        }
    }
}
