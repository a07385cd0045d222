//! `run`: hydrates, sends the prompt to a provider, cleans and checks the answer, and retries
//! rejected ones; once, or for several seeds.

mod body;
mod print;
mod provider;

use std::{fmt::Display, path::PathBuf};

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    lint,
    plural::plural,
    registry::{Diagnostic, Parsed},
    run::{Attempt, Input, Plan, Provider, RetriedError, RunError, RunResult},
};
use promptdeck_provider::fault::FaultKind;
use promptdeck_request::prompt::Prompt;

use self::{print::Printer, provider::ProviderArgs};
use crate::{
    args::Format,
    failure::Failure,
    flags,
    gaps::SetBy,
    input,
    output::{self, ExitStatus, Output},
    state::{CallArgs, Deck, StateArgs, report_drawn_seed},
    warnings::{StrictArgs, Warnings},
    whole_number::whole_number,
};

/// Flags of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file. With --request, only its generation settings and output policy
    /// are used.
    registry: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    #[command(flatten)]
    call: CallArgs,
    #[command(flatten)]
    provider: ProviderArgs,
    /// Send this request body, as printed by `request` for the provider, instead of the prompt; `-`
    /// reads standard input. Missing generation settings and the output policy come from the
    /// registry. Nothing is rolled: --seed and the flags of a state are refused.
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// Print the text while it arrives. Only one attempt is made, and the answer is cleaned and
    /// checked at its end. In JSON, each piece is a line before the line of the result.
    #[arg(long)]
    stream: bool,
    /// Run this many seeds one after the other: the given one and its successors, or random ones.
    /// Seed 0 follows 9007199254740991. With --request, send the body this many times. After a run
    /// without an answer the others are made, unless they would fail alike, as with a key that is not
    /// accepted.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = whole_number::<u32>(1..=1000))]
    repeat: u32,
    /// Format: the text alone, or everything about each run in one line of JSON. The line of a run
    /// without an answer has its `error`.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Prints the texts; status 1 if the policy rejects the last attempt of any run, 2 if a run has no
/// answer.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    if args.request.is_some() {
        let seed = args.call.seed.map(|_| "--seed");
        let reason =
            "is for the prompt, and --request sends another body in its place: leave it out";
        flags::refuse(args.state.first_flag().or(seed), reason)?;
    }
    args.provider.check()?;
    let route = args.call.route.as_deref();
    let Deck {
        parsed,
        state,
        sources,
        mut warnings,
    } = args
        .state
        .open_checked(&args.registry, |parsed, warnings| {
            let checked = Plan::new(&parsed.registry, route);
            let checked = checked.map_err(|error| wrong_setting(&error, parsed, args, warnings));
            checked.map(drop)
        })?;
    if args.request.is_none() && Prompt::is_template(&parsed.registry) {
        let hint = "build the request with `promptdeck request` and send it with --request";
        return Err(Failure::from(RunError::TemplateNotRendered)
            .in_file(&args.registry)
            .with_hint(hint));
    }
    let plan = Plan::new(&parsed.registry, route)?;
    let generation = args.provider.generation(plan.generation());
    let mut plan = plan.with_generation(generation);
    if let Some(path) = &args.request {
        plan = plan.with_other_input(Input::Body(args.provider.body(path, &mut warnings)?));
    }
    let engine = Engine::new(parsed.registry);
    let mut provider = args.provider.open()?;
    args.provider.warn_of_model(&plan, &mut warnings)?;
    warnings.diagnostics("", &plan.diagnostics())?;
    warnings.print();
    let mut outcome = warnings.remarks(&plan.diagnostics(), |_| String::new());
    for number in 0..args.repeat {
        let call = Call {
            state: &state,
            route,
            seed: seed(args, number)?,
        };
        if args.request.is_none() {
            let prompt = engine.hydrate_text_with_evaluation(&call)?;
            let place = |found: &Diagnostic| sources.place_of(found);
            warnings.diagnostics_at(&prompt.diagnostics, place)?;
            let gaps = engine.hydrate_text_with_gaps(&call, &mut String::new())?;
            SetBy::Flag(&sources).warn(&gaps, &mut warnings)?;
            warnings.print();
            // Several seeds are in the headings.
            if args.call.seed.is_none() && args.repeat == 1 && args.format == Format::Text {
                report_drawn_seed(&prompt.evaluation, call.seed);
            }
        }
        let name = name_of_run(args, number, call.seed);
        let name = name.as_deref();
        let error = match one(args, &plan, &engine, &call, name, provider.as_mut(), out)? {
            Ok(false) => continue,
            Ok(true) if outcome == ExitStatus::Unreadable => continue,
            Ok(true) => {
                outcome = ExitStatus::Problems;
                continue;
            }
            Err(error) => error,
        };
        outcome = ExitStatus::Unreadable;
        let left = (args.repeat - number - 1) as usize;
        let ends = !depends_on_seed(&error);
        let failure = Failure::from(error);
        // No seed was used for a body that is given.
        let seed = args.request.is_none().then_some(call.seed);
        Printer::new(out, args.format).failed_run(seed, &failure)?;
        output::error(&match name {
            Some(name) => failure.of_input(name),
            None => failure,
        });
        if ends && left > 0 {
            let what = match args.request {
                Some(_) => "more request",
                None => "more seed",
            };
            let left = plural(left, what);
            output::note(&format!("skipped {left}, which would fail alike"));
            break;
        }
    }
    Ok(outcome)
}

/// The error of settings with which nothing is sent, at its position if lint finds it too. Prints the
/// warnings about the registry that say something else.
fn wrong_setting(
    error: &RunError,
    parsed: &Parsed,
    args: &Args,
    warnings: &mut Warnings,
) -> Failure {
    let message = error.to_string();
    warnings.print_beside(&message);
    let engine = Engine::new(parsed.registry.clone());
    let call = Call {
        state: &State::default(),
        route: args.call.route.as_deref(),
        seed: Seed::default(),
    };
    let is_same = |found: &Diagnostic| match error {
        RunError::Policy(fault) => {
            let end = format!("/output_policy/{}/{}", fault.field, fault.index);
            found.pointer.ends_with(&end)
        }
        _ => found.message == message,
    };
    let found = lint::summary(&engine, &call).into_iter().find(is_same);
    let failure = Failure::input(error.code(), message.as_str());
    match found.map(|found| found.located(&parsed.source_map)) {
        Some(found) => {
            let name = input::at(&input::name_of(&args.registry), found.place);
            let failure = failure.at(found.pointer).with_data(found.data);
            failure.of_input(name.trim_end_matches(": "))
        }
        None => failure.in_file(&args.registry),
    }
}

/// Whether another seed may get an answer where this one got the error.
fn depends_on_seed(error: &RunError) -> bool {
    match error {
        RunError::PromptTooLong { .. } => true,
        RunError::Provider { error, .. } => !FaultKind::concerns_connection(error.code),
        _ => false,
    }
}

/// What names one of several runs: its seed, or its number where nothing is rolled.
fn name_of_run(args: &Args, number: u32, seed: Seed) -> Option<String> {
    (args.repeat > 1).then(|| match args.request {
        Some(_) => format!("run {}", number + 1),
        None => format!("seed {seed}"),
    })
}

/// Makes one run, named if there are several; returns whether the policy or `--strict` refuses its
/// text, or why there is none.
fn one(
    args: &Args,
    plan: &Plan,
    engine: &Engine,
    call: &Call<'_>,
    name: Option<&str>,
    provider: &mut dyn Provider,
    out: &mut Output,
) -> Result<Result<bool, RunError>, Failure> {
    let mut printer = Printer::new(out, args.format);
    if let Some(name) = name {
        printer.heading(name)?;
    }
    let before = name.map_or_else(String::new, |name| format!("{name}: "));
    let result = if args.stream {
        let result = plan.stream(engine, call, provider, &mut printer);
        printer.failure()?;
        result
    } else {
        plan.run(engine, call, provider)
    };
    let result = match result {
        Ok(result) => result,
        Err(error) => {
            printer.end_of_line()?;
            report_fault(&before, &error);
            return Ok(Err(error));
        }
    };
    printer.result(&result, args.stream)?;
    let is_refused = report(&before, &result, plan, args.state.strict);
    Ok(Ok(is_refused))
}

fn seed(args: &Args, number: u32) -> Result<Seed, Failure> {
    match args.call.seed {
        None if args.request.is_some() => Ok(Seed::default()),
        None => args.call.seed(),
        Some(first) => Ok(first.after(u64::from(number))),
    }
}

/// What servers call the token limit as the reason of an answer's end.
const TOKEN_LIMIT: [&str; 2] = ["length", "MAX_TOKENS"];

/// Prints notes on a result, besides its text, each after `before`. Returns whether it is refused.
fn report(before: &str, result: &RunResult, plan: &Plan, strict: StrictArgs) -> bool {
    for attempt in &result.attempts {
        report_overcome(before, &attempt.overcome);
    }
    let last = result.attempts.last();
    let calls_tool = |name: &str, arguments: &dyn Display| {
        output::note(&format!("{before}the answer calls {name} with {arguments}"));
    };
    for call in last.map_or(&[][..], |last| &last.tool_calls) {
        calls_tool(&call.name, &call.arguments);
    }
    for call in last
        .and_then(|last| last.extracted.as_ref())
        .map_or(&[][..], |extracted| &extracted.tool_calls)
    {
        calls_tool(&call.name, &call.arguments);
    }
    if last.is_some_and(Attempt::only_calls) && plan.policy().policy().rejects_texts() {
        output::note(&format!(
            "{before}the output policy judges texts: an answer of tool calls alone is not judged"
        ));
    }
    let mut is_refused = result.reason.is_some();
    if let Some(finish) = last.and_then(|last| last.finish.as_deref())
        && TOKEN_LIMIT.contains(&finish)
    {
        let message = format!(
            "{before}the answer was cut at the token limit (finish reason {finish}); raise \
             generation.max_tokens, which is {}",
            plan.generation().max_tokens
        );
        is_refused |= strict.refuses_done("answer_cut", message);
    }
    if result.accepted && last.is_some_and(Attempt::is_empty) {
        let message = format!(
            "{before}the model answered nothing; no rule of the output policy rejects that"
        );
        is_refused |= strict.refuses_done("answer_empty", message);
    }
    if let Some(reason) = &result.reason {
        let attempts = plural(result.attempts.len(), "attempt");
        output::message(&format!("{before}rejected after {attempts}: {reason}"));
    }
    is_refused
}

fn report_fault(before: &str, error: &RunError) {
    if let RunError::Provider { error, .. } = error {
        report_overcome(before, &error.overcome);
    }
}

fn report_overcome(before: &str, overcome: &[RetriedError]) {
    for RetriedError { message, .. } in overcome {
        output::note(&format!("{before}tried again after {message}"));
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::input(error.code(), error.to_string())
    }
}
