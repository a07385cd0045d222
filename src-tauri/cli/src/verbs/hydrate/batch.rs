//! `hydrate --batch`: a call a line. A registry is compiled once for as long as the lines repeat
//! it, and once altogether when it is given by `--registry`.

use std::{collections::HashMap, hash::BuildHasher, io, sync::Arc};

use foldhash::fast::FixedState;
use promptdeck_core::{
    hydrate::{Call, Engine, Entries, Hydration, Seed, State, StateRef, entry_fault},
    registry::{Diagnostic, Registry, check_json_bounds},
};
use promptdeck_request::document::DocumentKind;
use promptdeck_service::draw_seed;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Answer, Args};
use crate::{
    batch::{self, Worker},
    document::{Documents, wrong_line},
    failure::Failure,
    fast_json, input,
    output::{ExitStatus, Output},
    rendering,
    strict_object::StrictObject,
    warnings::{Warning, Warnings},
};

/// One line: what a call is made of, its state and seed read in the way that suits the answer. Keys
/// it does not know are refused, so that such a line is looked at closer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "S: Deserialize<'de>, N: Deserialize<'de>"))]
struct Line<'a, S, N> {
    #[serde(borrow, default)]
    registry: Option<&'a RawValue>,
    #[serde(default = "Option::default")]
    state: Option<StrictObject<S>>,
    #[serde(default)]
    route: Option<String>,
    #[serde(default = "Option::default")]
    seed: Option<N>,
}

/// A line with keys that no line has, which were told.
#[derive(Deserialize)]
struct OddLine<'a> {
    #[serde(borrow, default)]
    registry: Option<&'a RawValue>,
    state: Option<StrictObject<State>>,
    route: Option<String>,
    #[serde(borrow, default)]
    seed: Option<&'a RawValue>,
}

/// Answers every line; what the flags set is the default for lines that do not say.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let mut warnings = args.state.strict.warnings();
    let state = args.state.given(&mut warnings)?;
    let shared = match &args.shared {
        Some(path) => {
            let registry = input::registry(path, &mut warnings)?.registry;
            rendering::warn_of_raw_template(&input::name_of(path), &registry, &mut warnings)?;
            state.check(&registry, &mut warnings)?;
            Some(Engine::new(registry))
        }
        None => None,
    };
    warnings.print();
    let given = Arc::new(Given {
        shared,
        state: state.state,
        route: args.call.route.clone(),
        seed: args.call.seed,
        explain: args.explain,
        documents: Documents::new(DocumentKind::Hydrate),
    });
    let make = move || Hydrator {
        given: Arc::clone(&given),
        own: None,
        text: String::new(),
        names: KnownNames::default(),
    };
    batch::run(make, args.state.strict, out)
}

/// What the flags set for every line.
struct Given {
    shared: Option<Engine>,
    state: State,
    route: Option<String>,
    seed: Option<Seed>,
    explain: bool,
    documents: Documents,
}

/// What a thread keeps between lines.
struct Hydrator {
    given: Arc<Given>,
    /// The last registry that stood in a line.
    own: Option<Inline>,
    text: String,
    names: KnownNames,
}

/// A registry that stood in a line, compiled, and the warnings about it, which every line has.
struct Inline {
    text: String,
    engine: Engine,
    warnings: Vec<Warning>,
}

impl Worker for Hydrator {
    fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let Self {
            given,
            own,
            text,
            names,
        } = self;
        check_json_bounds(line).map_err(|error| Failure::input(error.code(), error.message))?;
        if given.explain {
            let line = given.odd_line(line, warnings)?;
            let engine = given.engine(own, line.registry, names, warnings)?;
            let (route, seed) =
                given.route_and_seed(line.route.as_deref(), read_seed(line.seed)?)?;
            let state = line.state.as_ref().map_or(&given.state, |state| &state.0);
            names.check(engine.registry(), state, warnings)?;
            let hydration = engine.hydrate(&Call { state, route, seed })?;
            return write_explained(&hydration, answer);
        }
        let (registry, state, route, seed) = if let Some((line, seed)) = plain_line(line) {
            (line.registry, line.state, line.route, Ok(Some(seed)))
        } else if let Some(line) = known_line(line) {
            (line.registry, line.state, line.route, read_seed(line.seed))
        } else {
            let line = given.odd_line(line, warnings)?;
            let engine = given.engine(own, line.registry, names, warnings)?;
            let (route, seed) =
                given.route_and_seed(line.route.as_deref(), read_seed(line.seed)?)?;
            let state = line.state.as_ref().map_or(&given.state, |state| &state.0);
            names.check(engine.registry(), state, warnings)?;
            text.clear();
            engine.hydrate_text_into(&Call { state, route, seed }, text)?;
            return write_plain(text, seed, answer);
        };
        let engine = given.engine(own, registry, names, warnings)?;
        let (route, seed) = given.route_and_seed(route.as_deref(), seed?)?;
        text.clear();
        match &state {
            Some(StrictObject(state)) => {
                names.check(engine.registry(), state, warnings)?;
                engine.hydrate_text_into(&Call { state, route, seed }, text)
            }
            None => {
                let state = &given.state;
                // Against the shared registry it was checked once, before the first line.
                if names.inline {
                    names.check(engine.registry(), state, warnings)?;
                }
                engine.hydrate_text_into(&Call { state, route, seed }, text)
            }
        }?;
        write_plain(text, seed, answer)
    }
}

/// A line as most are: plain JSON, with a seed.
fn plain_line(line: &[u8]) -> Option<(Line<'_, StateRef<'_>, u64>, Seed)> {
    let StrictObject(line): StrictObject<Line<'_, _, u64>> =
        fast_json::read(str::from_utf8(line).ok()?)?;
    let seed = Seed::new(line.seed?).ok()?;
    Some((line, seed))
}

/// A line with nothing odd about it.
fn known_line(line: &[u8]) -> Option<Line<'_, StateRef<'_>, &RawValue>> {
    let StrictObject(line) = serde_json::from_str(str::from_utf8(line).ok()?).ok()?;
    Some(line)
}

/// The entries of states that were compared with the registry already, by their hashes, each with
/// what is wrong with it.
#[derive(Default)]
struct KnownNames {
    hasher: FixedState,
    /// Whether the registry at hand stood in a line; the shared one has other names.
    inline: bool,
    names: HashMap<u64, Option<Arc<Diagnostic>>, FixedState>,
}

/// So many names are remembered; beyond, they are compared anew.
const MAX_NAMES: usize = 1 << 16;

impl KnownNames {
    /// Tells of the names that the registry does not know.
    fn check(
        &mut self,
        registry: &Registry,
        state: &impl Entries,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        for entry in state.entries() {
            let hash = self.hasher.hash_one((self.inline, entry));
            if let Some(known) = self.names.get(&hash) {
                if let Some(found) = known {
                    warnings.diagnostic("", found)?;
                }
                continue;
            }
            let found = entry_fault(registry, entry).map(Arc::new);
            if self.names.len() >= MAX_NAMES {
                self.names.clear();
            }
            self.names.insert(hash, found.clone());
            if let Some(found) = found {
                warnings.diagnostic("", &found)?;
            }
        }
        Ok(())
    }
}

impl Given {
    /// A line that is read closely: what is wrong with it, and what of it is ignored.
    fn odd_line<'a>(
        &self,
        line: &'a [u8],
        warnings: &mut Warnings,
    ) -> Result<OddLine<'a>, Failure> {
        self.documents.open_line(line, warnings)?;
        let read = serde_json::from_slice(line);
        let StrictObject(line) =
            read.map_err(|error| wrong_line(DocumentKind::Hydrate, line, &error))?;
        Ok(line)
    }

    fn engine<'a>(
        &'a self,
        own: &'a mut Option<Inline>,
        registry: Option<&RawValue>,
        names: &mut KnownNames,
        warnings: &mut Warnings,
    ) -> Result<&'a Engine, Failure> {
        match registry {
            Some(registry) => compiled(own, registry.get(), names, warnings),
            None => {
                names.inline = false;
                self.shared.as_ref().ok_or_else(|| {
                    Failure::input(
                        "no_registry",
                        "the line has no \"registry\" and none was given with --registry",
                    )
                })
            }
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
    let read = |seed: &RawValue| {
        let json = seed.get();
        json.parse().or_else(|_| {
            serde_json::from_str(json).map_err(|error| {
                let line = format!("{{\"seed\":{json}}}");
                wrong_line(DocumentKind::Hydrate, line.as_bytes(), &error)
            })
        })
    };
    seed.map(read).transpose()
}

fn compiled<'a>(
    kept: &'a mut Option<Inline>,
    text: &str,
    names: &mut KnownNames,
    warnings: &mut Warnings,
) -> Result<&'a Engine, Failure> {
    names.inline = true;
    let known = kept.take().filter(|known| known.text == text);
    let inline = if let Some(known) = known {
        known
    } else {
        names.names.clear();
        let mut own = Warnings::default();
        let name = "registry";
        let registry = input::registry_of(text.as_bytes(), name, &mut own)?.registry;
        rendering::warn_of_raw_template(name, &registry, &mut own)?;
        Inline {
            text: text.to_owned(),
            engine: Engine::new(registry),
            warnings: own.take(),
        }
    };
    let inline = kept.insert(inline);
    for Warning { code, message } in &inline.warnings {
        warnings.add(code, message.clone())?;
    }
    Ok(&inline.engine)
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
