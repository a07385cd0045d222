//! `hydrate`: prints the prompt of a registry and a state, optionally with an explanation; one call
//! from the arguments, or one call per line with `--batch`.

mod batch;
mod explain;

use std::path::PathBuf;

use promptdeck_core::hydrate::{
    Call, Engine, Evaluation, Hydration, Origin, Seed, Segment, TokenReport,
};
use promptdeck_core::registry::Diagnostic;
use serde::Serialize;

use crate::{
    args::Format,
    failure::Failure,
    input,
    output::{self, ExitStatus, Output},
    rendering,
    state::{CallArgs, Deck, StateArgs},
};

/// Flags of `hydrate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file. Required without --batch.
    #[arg(required_unless_present = "batch", conflicts_with_all = ["batch", "shared"])]
    registry: Option<PathBuf>,
    #[command(flatten)]
    state: StateArgs,
    #[command(flatten)]
    call: CallArgs,
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

/// The answer to one call as JSON. The last four fields are set with `--explain`.
#[derive(Serialize)]
struct Answer<'a> {
    ok: bool,
    text: &'a str,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<&'a Evaluation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<&'a [Segment]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<&'a [TokenReport]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<&'a [Diagnostic]>,
}

impl<'a> Answer<'a> {
    fn plain(text: &'a str, seed: Seed) -> Self {
        Self {
            ok: true,
            text,
            seed: seed.get(),
            evaluation: None,
            segments: None,
            tokens: None,
            diagnostics: None,
        }
    }

    fn explained(hydration: &'a Hydration) -> Self {
        Self {
            evaluation: Some(&hydration.evaluation),
            segments: Some(&hydration.segments),
            tokens: Some(&hydration.tokens),
            diagnostics: Some(&hydration.diagnostics),
            ..Self::plain(&hydration.text, hydration.seed)
        }
    }
}

/// Prints the prompt, or answers the batch.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let Some(path) = &args.registry else {
        return batch::run(args, out);
    };
    let Deck {
        parsed,
        state,
        mut warnings,
    } = args.state.open(path)?;
    rendering::warn_of_raw_template(&input::name_of(path), &parsed.registry, &mut warnings)?;
    warnings.print();
    let call = Call {
        state: &state,
        route: args.call.route.as_deref(),
        seed: args.call.seed()?,
    };
    let hydration = Engine::new(parsed.registry)
        .hydrate(&call)
        .map_err(|error| Failure::from(error).in_file(path))?;
    warnings.refuse_odd(&hydration.diagnostics)?;
    let outcome = match args.format {
        Format::Json if args.explain => {
            out.json(&Answer::explained(&hydration))?;
            ExitStatus::of(&hydration.diagnostics)
        }
        Format::Json => {
            let outcome = warnings.remarks(&hydration.diagnostics);
            out.json(&Answer::plain(&hydration.text, hydration.seed))?;
            outcome
        }
        Format::Text => {
            let outcome = warnings.remarks(&hydration.diagnostics);
            if args.explain {
                output::messages(&explain::table(&hydration));
            } else if args.call.seed.is_none() && rolled(&hydration.evaluation) {
                output::message(&format!("rolled with --seed {}", hydration.seed));
            }
            out.verbatim(&hydration.text)?;
            outcome
        }
    };
    Ok(outcome)
}

/// Whether any part of the evaluation depends on the seed.
fn rolled(evaluation: &Evaluation) -> bool {
    let sections = evaluation.sections.values();
    sections
        .into_iter()
        .any(|section| section.origin == Origin::Random || section.slider.origin == Origin::Random)
        || evaluation
            .arrays
            .iter()
            .any(|array| array.origin == Origin::Random)
}
