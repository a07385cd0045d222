//! `export`: the model JSON for a runtime, with the settings of a state applied to the sections, or
//! a prompt file of another program.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use promptdeck_core::{
    export::{
        self,
        prompt_file::{PromptFile, PromptFileFormat},
    },
    hydrate::{Call, Engine},
};
use promptdeck_request::document::without_call;

use crate::{
    call_file::CallFile,
    failure::Failure,
    flags,
    output::{self, ExitStatus, Output},
    output_file::Destination,
    state::{CallArgs, Deck, StateArgs, report_drawn_seed},
};

/// Flags of `export`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    /// What is written. Without it, the name of the output decides: a prompt file for .prompt and
    /// .prompty, else the model JSON.
    #[arg(long, value_enum)]
    to: Option<Target>,
    #[command(flatten)]
    state: StateArgs,
    #[command(flatten)]
    call: CallArgs,
    /// Write the messages and arguments of this call document into a prompt file, with the prompt of its
    /// state, route and seed. Without it, the call around the registry in its file is written.
    #[arg(long = "call", value_name = "CALL", conflicts_with = "state")]
    document: Option<PathBuf>,
    /// Write to this file instead of standard output. An existing file is replaced as a whole, and what
    /// it held is kept beside it as NAME.replaced-1.json; a device or a pipe is written to directly.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What an export writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// The model JSON: the registry with the state applied to it.
    Model,
    /// A dotprompt file (.prompt) of the prompt.
    Dotprompt,
    /// A Prompty file (.prompty) of the prompt.
    Prompty,
}

impl Target {
    /// The format of a prompt file; none for the model JSON.
    pub fn prompt_file(self) -> Option<PromptFileFormat> {
        match self {
            Self::Model => None,
            Self::Dotprompt => Some(PromptFileFormat::Dotprompt),
            Self::Prompty => Some(PromptFileFormat::Prompty),
        }
    }

    /// What a file of this name holds.
    pub fn of(output: Option<&Path>) -> Self {
        let extension = output.and_then(Path::extension);
        let extension = extension.and_then(OsStr::to_str).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "prompt" => Self::Dotprompt,
            "prompty" => Self::Prompty,
            _ => Self::Model,
        }
    }
}

/// Prints or writes the export. With `--strict`, one that leaves something out is not written.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let target = args.to;
    let target = target.unwrap_or_else(|| Target::of(args.output.as_deref()));
    match target.prompt_file() {
        None => model(args, out),
        Some(format) => prompt_file(args, format, out),
    }
}

fn prompt_file(
    args: &Args,
    format: PromptFileFormat,
    out: &mut Output,
) -> Result<ExitStatus, Failure> {
    let destination = Destination::of(args.output.as_deref())?.other_than(&args.registry)?;
    let (deck, document) = match CallFile::given(args.document.as_deref(), args.state.strict)? {
        None => args.state.open_with_call(&args.registry)?,
        Some(file) => (
            args.state.open_for(&args.registry, Some(&file))?,
            Some(file),
        ),
    };
    let Deck { parsed, state, .. } = deck;
    let (wrapper, route, seed) = match document {
        Some(CallFile { call, members, .. }) => (Some(members), call.route, call.seed),
        None => (parsed.document.wrapper, None, None),
    };
    let seed = args.call.seed.or(seed);
    let call = Call {
        state: &state,
        route: args.call.route.as_deref().or(route.as_deref()),
        seed: seed.map_or_else(|| args.call.seed(), Ok)?,
    };
    let wrapper = wrapper.unwrap_or_default();
    let engine = Engine::new(parsed.registry);
    let file = export::prompt_file::prompt_file(&engine, &call, &wrapper, format)?;
    warn_of_omissions(&file);
    if args.state.strict.refuses(file.omissions.len()) {
        return Ok(ExitStatus::Problems);
    }
    if seed.is_none() {
        let prompt = engine.hydrate_text_with_evaluation(&call)?;
        report_drawn_seed(&prompt.evaluation, call.seed);
    }
    destination.write(&file.text, out)?;
    Ok(ExitStatus::Done)
}

/// Names what a prompt file does not say.
pub fn warn_of_omissions(file: &PromptFile) {
    for omission in &file.omissions {
        output::warning(&format!("not in the file: {omission}"));
    }
}

fn model(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let given = flags::first(&[
        (args.call.route.is_some(), "--route"),
        (args.call.seed.is_some(), "--seed"),
        (args.document.is_some(), "--call"),
    ]);
    flags::refuse(
        given,
        "is for prompt files; give --to dotprompt or --to prompty",
    )?;
    if args.state.fills_variables() {
        return Err(Failure::input(
            "var_not_exported",
            "--var fills a variable for one call, and an export keeps variables open: put the text \
             into template_var_defaults of the section, or use `promptdeck hydrate`",
        ));
    }
    let destination = Destination::of(args.output.as_deref())?.other_than(&args.registry)?;
    let Deck { parsed, state, .. } = args.state.open(&args.registry)?;
    if !state.template_vars.is_empty() {
        output::warning(
            "the template_vars of the state stay out of an export, which keeps them open",
        );
        if args.state.strict.refuses(state.template_vars.len()) {
            return Ok(ExitStatus::Problems);
        }
    }
    let model = export::export(&without_call(&parsed.document), &state);
    destination.write(&model, out)?;
    Ok(ExitStatus::Done)
}
