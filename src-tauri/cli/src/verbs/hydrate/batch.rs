//! `hydrate --batch`: a call a line. A registry is compiled once for as long as the lines repeat
//! it, and once altogether when it is given by `--registry`.

use std::io;

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
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
};

/// One line: what a call is made of.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default)]
    registry: Option<&'a RawValue>,
    #[serde(default)]
    state: Option<Object<State>>,
    #[serde(default)]
    route: Option<String>,
    #[serde(default)]
    seed: Option<Seed>,
}

/// Answers every line; what the flags set is the default for lines that do not say.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let shared = match &args.shared {
        Some(path) => Some(Engine::new(input::registry(path)?.registry)),
        None => None,
    };
    let worker = Hydrator {
        shared,
        own: None,
        state: args.state.state()?,
        route: args.call.route.clone(),
        seed: args.call.seed,
        explain: args.explain,
        text: String::new(),
    };
    batch::run(move || worker.clone(), out)
}

/// What a thread keeps between lines.
#[derive(Clone)]
struct Hydrator {
    shared: Option<Engine>,
    own: Option<(String, Engine)>,
    state: State,
    route: Option<String>,
    seed: Option<Seed>,
    explain: bool,
    text: String,
}

impl Worker for Hydrator {
    fn answer(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
        let line: Line = batch::parse_line(line)?;
        let engine = match line.registry {
            Some(registry) => compiled(&mut self.own, registry.get())?,
            None => self.shared.as_ref().ok_or_else(|| {
                Failure::input(
                    "no_registry",
                    "the line has no \"registry\" and none was given with --registry",
                )
            })?,
        };
        let call = Call {
            state: line
                .state
                .as_ref()
                .map_or(&self.state, |Object(state)| state),
            route: line.route.as_deref().or(self.route.as_deref()),
            seed: line.seed.or(self.seed).map_or_else(draw_seed, Ok)?,
        };
        if self.explain {
            return write(&Answer::explained(&engine.hydrate(&call)?), answer);
        }
        self.text.clear();
        engine.hydrate_text_into(&call, &mut self.text)?;
        let (text, seed) = (&*self.text, call.seed.get());
        write(
            &Answer {
                ok: true,
                text,
                seed,
                explanation: None,
            },
            answer,
        )
    }
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

fn write(value: &Answer<'_>, answer: &mut Vec<u8>) -> Result<(), Failure> {
    Ok(serde_json::to_writer(answer, value).map_err(io::Error::from)?)
}
