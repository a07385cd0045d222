//! `run`: hydrates, asks a provider, cleans and judges the answer, tries again when it is rejected.

use std::{io::Write, path::PathBuf};

use clap::ValueEnum;
use promptdeck_core::{
    engine::{Control, Deltas, Plan, Provider, RunError},
    hydrate::{Call, Engine},
};
use promptdeck_provider::Mock;

use crate::{
    args::Format,
    failure::Failure,
    input,
    output::{self, Outcome, Output},
    state::{CallArgs, StateArgs},
};

/// Flags of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    #[command(flatten)]
    call: CallArgs,
    /// Who generates the text.
    #[arg(long, value_enum, default_value_t)]
    provider: ProviderName,
    /// Print the text as it comes: a single attempt, cleaned and judged at its end.
    #[arg(long, conflicts_with = "format")]
    stream: bool,
    /// The text alone, or everything about the run.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The providers there are.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ProviderName {
    /// Needs no model; answers with a report of what it was asked.
    #[default]
    Mock,
}

impl ProviderName {
    fn open(self) -> Box<dyn Provider> {
        match self {
            Self::Mock => Box::new(Mock::new()),
        }
    }
}

/// Prints the text; 1 when the policy rejects the last attempt.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let parsed = input::registry(&args.registry)?;
    let state = args.state.state()?;
    let route = args.call.route.as_deref();
    let plan = Plan::new(&parsed.registry, route)?;
    let engine = Engine::new(parsed.registry);
    let call = Call {
        state: &state,
        route,
        seed: args.call.seed()?,
    };
    let mut provider = args.provider.open();
    let result = if args.stream {
        let mut printed = Printed { out, failed: None };
        let result = plan.stream(&engine, &call, provider.as_mut(), &mut printed);
        if let Some(failure) = printed.failed {
            return Err(failure);
        }
        let result = result?;
        out.text("")?;
        result
    } else {
        let result = plan.run(&engine, &call, provider.as_mut())?;
        match args.format {
            Format::Json => out.json(&result)?,
            Format::Text => out.text(&result.text)?,
        }
        result
    };
    let Some(reason) = result.reason else {
        return Ok(Outcome::Done);
    };
    output::message(&format!(
        "rejected after {} attempts: {reason}",
        result.attempts.len()
    ));
    Ok(Outcome::Problems)
}

/// Prints a text while it is generated, and stops it when nobody reads any more.
struct Printed<'a> {
    out: &'a mut Output,
    failed: Option<Failure>,
}

impl Deltas for Printed<'_> {
    fn delta(&mut self, text: &str) -> Control {
        match self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| Write::flush(self.out))
        {
            Ok(()) => Control::Continue,
            Err(error) => {
                self.failed = Some(error.into());
                Control::Stop
            }
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::input(error.code(), error.to_string())
    }
}
