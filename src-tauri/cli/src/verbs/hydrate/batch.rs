//! `hydrate --batch`: one call per line. An inline registry is compiled once while consecutive
//! lines repeat it; the registry of `--registry` is compiled once.

use std::{borrow::Cow, io, sync::Arc};

use promptdeck_core::{
    hydrate::{Call, Engine, Entries, KnownEntries, LineReader, LineState, Seed, State, StateRef},
    registry::{Registry, check_json_bounds},
};
use promptdeck_request::document::DocumentKind;
use promptdeck_service::draw_seed;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Answer, Args, Explained, diagnostics_of};
use crate::{
    batch::{self, Worker},
    document::{Documents, wrong_line},
    failure::Failure,
    gaps::{self, GapRow, SetBy},
    input,
    output::{ExitStatus, Output},
    rendering,
    strict_object::StrictObject,
    warnings::{Warning, Warnings},
};

/// One line: the parts of a call. Unknown keys are errors here and send the line to the slower,
/// diagnosing reader.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    #[serde(borrow, default)]
    registry: Option<&'a RawValue>,
    #[serde(borrow, default)]
    state: Option<StrictObject<StateRef<'a>>>,
    #[serde(default)]
    route: Option<String>,
    #[serde(borrow, default)]
    seed: Option<&'a RawValue>,
}

/// A line with unknown keys, which were reported.
#[derive(Deserialize)]
struct LenientLine<'a> {
    #[serde(borrow, default)]
    registry: Option<&'a RawValue>,
    state: Option<StrictObject<State>>,
    route: Option<String>,
    #[serde(borrow, default)]
    seed: Option<&'a RawValue>,
}

/// Answers every line. The flags provide defaults for the lines.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let mut warnings = args.state.strict.warnings();
    let state = args.state.resolve(&mut warnings)?;
    let mut of_registry = args.state.strict.warnings();
    let shared = match &args.shared {
        Some(path) => {
            let (name, parsed) = (
                input::name_of(path),
                input::registry(path, &mut of_registry)?,
            );
            input::warn_of_defaults(&parsed, &name, &state.state, &mut of_registry)?;
            let registry = parsed.registry;
            rendering::warn_of_raw_template(&name, &registry, &mut of_registry)?;
            state.check(&registry, &mut warnings)?;
            Some(Engine::new(registry))
        }
        None => None,
    };
    of_registry.print();
    warnings.print();
    let defaults = Arc::new(Defaults {
        shared,
        of_shared: of_registry.all().cloned().collect(),
        state: state.state,
        route: args.call.route.clone(),
        seed: args.call.seed,
        explain: args.explain,
        documents: Documents::new(DocumentKind::Hydrate),
    });
    let make = move || Hydrator {
        defaults: Arc::clone(&defaults),
        last_inline: None,
        text: String::new(),
        names: KnownNames::default(),
        lines: LineReader::default(),
    };
    batch::run(make, args.state.strict, out)
}

/// Defaults from the flags.
struct Defaults {
    shared: Option<Engine>,
    /// The warnings about the shared registry. They are printed once; explained answers of the lines that
    /// use it list them.
    of_shared: Vec<Warning>,
    state: State,
    route: Option<String>,
    seed: Option<Seed>,
    explain: bool,
    documents: Documents,
}

/// State of a thread between lines.
struct Hydrator {
    defaults: Arc<Defaults>,
    /// The last inline registry.
    last_inline: Option<Inline>,
    text: String,
    names: KnownNames,
    /// Reads lines for the shared registry.
    lines: LineReader,
}

/// A compiled inline registry and its warnings, which apply to every line that has it.
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
            defaults,
            last_inline,
            text,
            names,
            lines,
        } = self;
        check_json_bounds(line).map_err(|error| Failure::input(error.code(), error.message))?;
        if defaults.explain {
            let lenient_line = defaults.lenient_line(line, warnings)?;
            let (engine, call) =
                defaults.call_of(&lenient_line, line, last_inline, names, warnings)?;
            let hydration = engine.hydrate(&call)?;
            text.clear();
            let gaps = engine.hydrate_text_with_gaps(&call, text)?;
            SetBy::State.warn(&gaps, warnings)?;
            let gaps = gaps::rows(&gaps);
            let of_registry = match names.is_inline {
                true => &[][..],
                false => &defaults.of_shared,
            };
            let diagnostics = diagnostics_of(&hydration, of_registry.iter().chain(warnings.all()));
            let explained = Answer::explained(&hydration, raw_marker(engine), &gaps, diagnostics);
            return Ok(serde_json::to_writer(answer, &explained).map_err(io::Error::from)?);
        }
        let common = defaults.shared.as_ref().and_then(|engine| {
            let line = str::from_utf8(line).ok()?;
            lines.read(line, engine.registry())
        });
        let (registry, state, route, seed) = if let Some(line) = common {
            let route = line.route.map(Cow::Borrowed);
            (None, line.state, route, Ok(Some(line.seed)))
        } else if let Some(known) = known_line(line) {
            let state = known
                .state
                .map(|StrictObject(state)| LineState::Read(state));
            let route = known.route.map(Cow::Owned);
            (known.registry, state, route, read_seed(known.seed, line))
        } else {
            let lenient_line = defaults.lenient_line(line, warnings)?;
            let (engine, call) =
                defaults.call_of(&lenient_line, line, last_inline, names, warnings)?;
            text.clear();
            let of_input: Vec<Warning> = warnings.all().cloned().collect();
            let gaps = engine.hydrate_text_with_gaps(&call, text)?;
            SetBy::State.warn(&gaps, warnings)?;
            let gaps = gaps::rows(&gaps);
            return write_plain(
                text,
                call.seed,
                raw_marker(engine),
                &gaps,
                &of_input,
                answer,
            );
        };
        let engine = defaults.engine(last_inline, registry, names, warnings)?;
        let (route, seed) = defaults.route_and_seed(route.as_deref(), seed?)?;
        text.clear();
        match &state {
            Some(LineState::Read(state)) => names.check(engine.registry(), state, warnings)?,
            // Names of the shared registry were checked once, before the first line.
            None if names.is_inline => names.check(engine.registry(), &defaults.state, warnings)?,
            _ => {}
        }
        let of_input: Vec<Warning> = warnings.all().cloned().collect();
        let gaps = match &state {
            Some(state) => engine.hydrate_line(state, route, seed, text),
            None => {
                let state = &defaults.state;
                engine.hydrate_text_with_gaps(&Call { state, route, seed }, text)
            }
        }?;
        SetBy::State.warn(&gaps, warnings)?;
        let gaps = gaps::rows(&gaps);
        write_plain(text, seed, raw_marker(engine), &gaps, &of_input, answer)
    }
}

/// Reads a line without unknown keys.
fn known_line(line: &[u8]) -> Option<Line<'_>> {
    let StrictObject(line) = serde_json::from_str(str::from_utf8(line).ok()?).ok()?;
    Some(line)
}

/// The state entries that were checked, with the warning for each.
#[derive(Default)]
struct KnownNames {
    /// Whether the current registry is inline; the shared one has other names.
    is_inline: bool,
    shared: KnownEntries,
    inline: KnownEntries,
}

impl KnownNames {
    /// Warns about names that the registry does not have.
    fn check(
        &mut self,
        registry: &Registry,
        state: &impl Entries,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let known = match self.is_inline {
            true => &mut self.inline,
            false => &mut self.shared,
        };
        let mut faults = state
            .entries()
            .filter_map(|entry| known.fault(registry, entry));
        faults.try_for_each(|found| warnings.diagnostic("", &found))
    }
}

impl Defaults {
    /// Reads a line in detail to report its errors and ignored parts.
    fn lenient_line<'a>(
        &self,
        line: &'a [u8],
        warnings: &mut Warnings,
    ) -> Result<LenientLine<'a>, Failure> {
        self.documents.open_line(line, warnings)?;
        let read = serde_json::from_slice(line);
        let StrictObject(line) =
            read.map_err(|error| wrong_line(DocumentKind::Hydrate, line, &error))?;
        Ok(line)
    }

    /// The engine and the call of such a line, whose names are checked.
    fn call_of<'a>(
        &'a self,
        lenient_line: &'a LenientLine<'_>,
        line: &[u8],
        last_inline: &'a mut Option<Inline>,
        names: &mut KnownNames,
        warnings: &mut Warnings,
    ) -> Result<(&'a Engine, Call<'a>), Failure> {
        let engine = self.engine(last_inline, lenient_line.registry, names, warnings)?;
        let seed = read_seed(lenient_line.seed, line)?;
        let (route, seed) = self.route_and_seed(lenient_line.route.as_deref(), seed)?;
        let line_state = lenient_line.state.as_ref().map(|StrictObject(state)| state);
        let state = line_state.unwrap_or(&self.state);
        // Names of the shared registry and state were checked once, before the first line.
        if line_state.is_some() || names.is_inline {
            names.check(engine.registry(), state, warnings)?;
        }
        Ok((engine, Call { state, route, seed }))
    }

    fn engine<'a>(
        &'a self,
        last_inline: &'a mut Option<Inline>,
        registry: Option<&RawValue>,
        names: &mut KnownNames,
        warnings: &mut Warnings,
    ) -> Result<&'a Engine, Failure> {
        match registry {
            Some(registry) => compiled(last_inline, registry.get(), names, warnings),
            None => {
                names.is_inline = false;
                self.shared.as_ref().ok_or_else(|| {
                    Failure::input(
                        "no_registry",
                        "the line has no \"registry\" and none was given with --registry",
                    )
                })
            }
        }
    }

    /// Route and seed of a line, with the flags as defaults.
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

/// Reads a seed. Almost all are plain digits, which need no JSON parser.
fn read_seed(seed: Option<&RawValue>, line: &[u8]) -> Result<Option<Seed>, Failure> {
    let read = |seed: &RawValue| {
        let json = seed.get();
        json.parse().or_else(|_| {
            serde_json::from_str(json)
                .map_err(|error| wrong_line(DocumentKind::Hydrate, line, &error))
        })
    };
    seed.map(read).transpose()
}

fn compiled<'a>(
    last_inline: &'a mut Option<Inline>,
    text: &str,
    names: &mut KnownNames,
    warnings: &mut Warnings,
) -> Result<&'a Engine, Failure> {
    names.is_inline = true;
    if text.starts_with('"') {
        let message = "registry: not a registry but a JSON text; the line holds the registry itself, or \
                       --registry names its file";
        return Err(Failure::input("not_a_registry", message));
    }
    let known = last_inline.take().filter(|known| known.text == text);
    let inline = if let Some(known) = known {
        known
    } else {
        names.inline = KnownEntries::default();
        let mut inline_warnings = Warnings::default();
        let name = "registry";
        let parsed = input::registry_of(text.as_bytes(), name, &mut inline_warnings)?;
        input::warn_of_defaults(&parsed, name, &State::default(), &mut inline_warnings)?;
        let registry = parsed.registry;
        rendering::warn_of_raw_template(name, &registry, &mut inline_warnings)?;
        Inline {
            text: text.to_owned(),
            engine: Engine::new(registry),
            warnings: inline_warnings.take(),
        }
    };
    let inline = last_inline.insert(inline);
    for Warning {
        code,
        message,
        data,
        ..
    } in &inline.warnings
    {
        warnings.add_naming(code, message.clone(), data)?;
    }
    Ok(&inline.engine)
}

/// The field that marks texts which are Jinja templates: a line has no arguments to render them with.
fn raw_marker(engine: &Engine) -> Option<bool> {
    rendering::is_rendered(engine.registry(), false)
}

/// Writes [`Answer`] as it is without `--explain`, escaping many bytes of the text at a time.
fn write_plain(
    text: &str,
    seed: Seed,
    rendered: Option<bool>,
    gaps: &[GapRow<'_>],
    warnings: &[Warning],
    answer: &mut Vec<u8>,
) -> Result<(), Failure> {
    answer.extend_from_slice(br#"{"ok":true,"text":"#);
    json_escape_simd::escape_into(text, answer);
    answer.extend_from_slice(br#","seed":"#);
    serde_json::to_writer(&mut *answer, &seed.get()).map_err(io::Error::from)?;
    if let Some(rendered) = rendered {
        answer.extend_from_slice(br#","rendered":"#);
        serde_json::to_writer(&mut *answer, &rendered).map_err(io::Error::from)?;
    }
    if !gaps.is_empty() {
        answer.extend_from_slice(br#","gaps":"#);
        serde_json::to_writer(&mut *answer, gaps).map_err(io::Error::from)?;
    }
    if !warnings.is_empty() {
        answer.extend_from_slice(br#","diagnostics":"#);
        let warnings: Vec<Explained<'_>> = warnings.iter().map(Explained::from).collect();
        serde_json::to_writer(&mut *answer, &warnings).map_err(io::Error::from)?;
    }
    answer.push(b'}');
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plain_answer_is_what_serde_json_writes() {
        let every: String = (0..=0x2fff).filter_map(char::from_u32).collect();
        let seed = Seed::new(Seed::MAX).expect("the largest seed");
        let registry = json!({"assembly_order": ["s"], "s": {
            "required": true, "template_vars": ["v"], "items": [{"text": "On {v}."}],
        }});
        let registry = Registry::from_map(registry.as_object().expect("an object"));
        let engine = Engine::new(registry.expect("a registry"));
        let call = Call {
            state: &State::default(),
            route: None,
            seed,
        };
        let empty = engine.hydrate_text_with_gaps(&call, &mut String::new());
        let empty = empty.expect("hydrated");
        let mut warnings = Warnings::default();
        warnings.note("some_code", "A \"message\".".to_owned());
        let warnings: Vec<Warning> = warnings.all().cloned().collect();
        for text in ["", "plain", "\"", "\u{7f}\u{2028}😀\0", &every] {
            for start in text.char_indices().map(|(at, _)| at).step_by(101) {
                let mut answer = b"before".to_vec();
                let rendered = (start % 2 == 0).then_some(false);
                let gaps = gaps::rows(&empty[..start % 2]);
                let (text, warnings) = (&text[start..], &warnings[start % 2..]);
                write_plain(text, seed, rendered, &gaps, warnings, &mut answer).expect("written");
                let plain = Answer::plain(text, seed, rendered, &gaps, warnings);
                let plain = serde_json::to_string(&plain);
                assert_eq!(
                    answer,
                    format!("before{}", plain.expect("JSON")).into_bytes()
                );
            }
        }
    }
}
