//! `hydrate`: prints the prompt of a registry and a state, optionally with an explanation; one call
//! from the arguments, or one call per line with `--batch`.

mod batch;
mod explain;

use std::path::PathBuf;

use promptdeck_core::hydrate::{
    Call, Engine, EvaluatedText, Evaluation, HydrateError, Hydration, Seed, Segment, TokenReport,
};
use promptdeck_core::registry::{Diagnostic, DiagnosticData, Parsed, Severity};
use promptdeck_request::prompt::{Prompt, PromptSpan};
use promptdeck_service::draw_seed;
use serde::Serialize;

use crate::{
    args::Format,
    call_file::CallFile,
    failure::Failure,
    gaps::{self, GapRow, SetBy},
    input,
    output::{self, ExitStatus, Output},
    rendering,
    state::{CallArgs, Deck, StateArgs, report_drawn_seed},
    warnings::Warning,
};

/// Flags of `hydrate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file. Required without --batch, and without --call, whose document has its
    /// own.
    #[arg(required_unless_present_any = ["batch", "document"],
          conflicts_with_all = ["batch", "shared"])]
    registry: Option<PathBuf>,
    #[command(flatten)]
    state: StateArgs,
    #[command(flatten)]
    call: CallArgs,
    /// Print the prompt that `request` sends for this call document: texts that are Jinja templates are
    /// rendered with its arguments, and its state, route and seed count where no flag sets them. Without
    /// REGISTRY, of the registry that it holds or names.
    #[arg(long = "call", value_name = "CALL", conflicts_with_all = ["batch", "state"])]
    document: Option<PathBuf>,
    /// Format of the prompt.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
    /// Also report which values were used and why: in JSON, or on standard error beside the text.
    #[arg(long)]
    explain: bool,
    #[arg(long, help = crate::batch::HELP)]
    batch: bool,
    /// With --batch: the registry of lines that have none.
    #[arg(long = "registry", value_name = "FILE", requires = "batch")]
    shared: Option<PathBuf>,
}

/// The answer to one call as JSON. `evaluation`, `segments` and `tokens` are set with `--explain`.
///
/// `rendered` says whether texts that are Jinja templates were rendered; other registries have no such
/// field. `gaps` lists the variables without a value that the prompt prints, and the expressions without a
/// value of a rendered prompt; `diagnostics` what else is warned about. Without `--explain`, both are
/// absent if there is nothing to list.
#[derive(Serialize)]
struct Answer<'a> {
    ok: bool,
    text: &'a str,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rendered: Option<bool>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    gaps: &'a [GapRow<'a>],
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<&'a Evaluation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<Pieces<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<&'a [TokenReport]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<Vec<Explained<'a>>>,
}

/// A diagnostic of the hydration, or a warning about the registry, the state or the line, which has its
/// position in its message.
#[derive(Serialize)]
#[serde(untagged)]
enum Explained<'a> {
    Hydration(&'a Diagnostic),
    Warning {
        code: &'a str,
        severity: Severity,
        message: &'a str,
        data: &'a DiagnosticData,
    },
}

/// The diagnostics of a hydration, and the warnings before it that say something else.
fn diagnostics_of<'a>(
    hydration: &'a Hydration,
    warnings: impl Iterator<Item = &'a Warning>,
) -> Vec<Explained<'a>> {
    let diagnostics = hydration.diagnostics.as_slice();
    let is_known = |warning: &Warning| {
        diagnostics.iter().any(|diagnostic| {
            warning.code == diagnostic.code.as_str()
                && warning.message.ends_with(&diagnostic.message)
        })
    };
    let others = warnings.filter(|warning| !is_known(warning));
    let others = others.map(Explained::from);
    diagnostics
        .iter()
        .map(Explained::Hydration)
        .chain(others)
        .collect()
}

impl<'a> From<&'a Warning> for Explained<'a> {
    fn from(warning: &'a Warning) -> Self {
        Self::Warning {
            code: &warning.code,
            severity: match warning.is_note {
                true => Severity::Note,
                false => Severity::Warning,
            },
            message: &warning.message,
            data: &warning.data,
        }
    }
}

/// What was hydrated.
enum Hydrated {
    /// The prompt alone.
    Text(EvaluatedText),
    /// With the sources of its pieces, which take many times its room.
    Explained(Box<Hydration>),
}

impl Hydrated {
    fn of(engine: &Engine, call: &Call<'_>, explain: bool) -> Result<Self, HydrateError> {
        Ok(match explain {
            true => Self::Explained(Box::new(engine.hydrate(call)?)),
            false => Self::Text(engine.hydrate_text_with_evaluation(call)?),
        })
    }

    fn explained(&self) -> Option<&Hydration> {
        match self {
            Self::Text(_) => None,
            Self::Explained(hydration) => Some(hydration),
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Text(plain) => &plain.text,
            Self::Explained(hydration) => &hydration.text,
        }
    }

    fn evaluation(&self) -> &Evaluation {
        match self {
            Self::Text(plain) => &plain.evaluation,
            Self::Explained(hydration) => &hydration.evaluation,
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Text(plain) => &plain.diagnostics,
            Self::Explained(hydration) => &hydration.diagnostics,
        }
    }
}

/// The text in pieces: as it was hydrated, or rendered.
#[derive(Serialize)]
#[serde(untagged)]
enum Pieces<'a> {
    Hydrated(&'a [Segment]),
    Rendered(&'a [PromptSpan]),
}

impl<'a> Answer<'a> {
    fn plain(
        text: &'a str,
        seed: Seed,
        rendered: Option<bool>,
        gaps: &'a [GapRow<'a>],
        warnings: &'a [Warning],
    ) -> Self {
        let diagnostics: Vec<Explained<'_>> = warnings.iter().map(Explained::from).collect();
        Self {
            ok: true,
            text,
            seed: seed.get(),
            rendered,
            gaps,
            evaluation: None,
            segments: None,
            tokens: None,
            diagnostics: Some(diagnostics).filter(|listed| !listed.is_empty()),
        }
    }

    fn explained(
        hydration: &'a Hydration,
        rendered: Option<bool>,
        gaps: &'a [GapRow<'a>],
        diagnostics: Vec<Explained<'a>>,
    ) -> Self {
        Self {
            evaluation: Some(&hydration.evaluation),
            segments: Some(Pieces::Hydrated(&hydration.segments)),
            tokens: Some(&hydration.tokens),
            diagnostics: Some(diagnostics),
            ..Self::plain(&hydration.text, hydration.seed, rendered, gaps, &[])
        }
    }

    fn of_prompt(self, prompt: &'a Prompt) -> Self {
        Self {
            text: &prompt.text,
            segments: self.segments.map(|_| Pieces::Rendered(&prompt.spans)),
            ..self
        }
    }
}

/// Prints the prompt, or answers the batch.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let file = CallFile::given(args.document.as_deref(), args.state.strict)?;
    let (deck, path) = match (&args.registry, &file) {
        (None, None) => return batch::run(args, out),
        (None, Some(file)) => args.state.open_call(file)?,
        (Some(path), _) => (args.state.open_for(path, file.as_ref())?, path.clone()),
    };
    let path = path.as_path();
    let Deck {
        parsed,
        state,
        sources,
        mut warnings,
    } = deck;
    if file.is_none() {
        rendering::warn_of_raw_template(&input::name_of(path), &parsed.registry, &mut warnings)?;
    }
    warnings.print();
    let (route, seed) = match &file {
        Some(CallFile { call, .. }) => (call.route.as_deref(), call.seed),
        None => (None, None),
    };
    let seed = args.call.seed.or(seed);
    let call = Call {
        state: &state,
        route: args.call.route.as_deref().or(route),
        seed: seed.map_or_else(draw_seed, Ok)?,
    };
    let Parsed {
        registry,
        document,
        source_map,
    } = parsed;
    // They take as much room as the registry, and nothing reads them from here on.
    drop((document, source_map));
    let engine = Engine::new(registry);
    // The pieces are rendered.
    let has_pieces = args.explain || file.is_some();
    let hydrated = Hydrated::of(&engine, &call, has_pieces)
        .map_err(|error| Failure::from(error).in_file(path))?;
    let registry = engine.registry();
    let prompt = match (&file, hydrated.explained()) {
        (Some(file), Some(hydration)) => match file.prompt(registry, hydration)? {
            None => return Ok(ExitStatus::Problems),
            prompt => prompt,
        },
        _ => None,
    };
    let rendered = rendering::is_rendered(registry, file.is_some());
    let diagnostics = hydrated.diagnostics();
    warnings.diagnostics_at(diagnostics, |found| sources.place_of(found))?;
    let of_input: Vec<Warning> = warnings.all().cloned().collect();
    let gaps = engine.hydrate_text_with_gaps(&call, &mut String::new())?;
    SetBy::Flag(&sources).warn(&gaps, &mut warnings)?;
    let expressions = prompt.as_ref().map_or(&[][..], |prompt| &prompt.gaps);
    for found in prompt.iter().flat_map(Prompt::warnings) {
        warnings.diagnostic("", &found)?;
    }
    warnings.print();
    let mut gaps = gaps::rows(&gaps);
    gaps.extend(gaps::rows_of_prompt(expressions));
    let text = prompt
        .as_ref()
        .map_or(hydrated.text(), |prompt| prompt.text.as_str());
    let remarks = || warnings.remarks(diagnostics, |found| sources.place_of(found));
    let explained = hydrated.explained().filter(|_| args.explain);
    let outcome = match args.format {
        Format::Json => {
            let (outcome, answer) = if let Some(hydration) = explained {
                let found = diagnostics_of(hydration, warnings.all());
                let answer = Answer::explained(hydration, rendered, &gaps, found);
                (ExitStatus::of(diagnostics), answer)
            } else {
                let answer = Answer::plain(text, call.seed, rendered, &gaps, &of_input);
                (remarks(), answer)
            };
            match &prompt {
                Some(prompt) => out.json(&answer.of_prompt(prompt))?,
                None => out.json(&answer)?,
            }
            outcome
        }
        Format::Text => {
            let outcome = remarks();
            if let Some(hydration) = explained {
                output::messages(&explain::table(hydration));
            } else if seed.is_none() {
                report_drawn_seed(hydrated.evaluation(), call.seed);
            }
            out.verbatim(text)?;
            outcome
        }
    };
    Ok(outcome)
}
