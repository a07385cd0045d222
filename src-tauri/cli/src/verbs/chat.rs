//! `chat`: the exact text a chat template gives, what a template can do, and what an answer of a
//! model says. One question as a JSON file, or a batch of them as JSON lines.

mod inspect;

use std::{io::Write as _, path::PathBuf};

use clap::Subcommand;
use promptdeck_chat::answer::{Answerer, ExtractQuestion, RenderQuestion};
use promptdeck_request::document::DocumentKind;

use crate::{
    args::{Format, example, or_batch},
    batch,
    document::{self, Document},
    failure::Failure,
    flags, input,
    json_query::{self, QueryArgs},
    output::{ExitStatus, Output},
    rendering::{self, RenderingArgs},
    warnings::StrictArgs,
};

use promptdeck_service::WallClock;

/// Flags of `chat`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: ChatVerb,
}

/// What is asked of a chat template.
#[derive(Debug, Subcommand)]
enum ChatVerb {
    /// Print the text a template or a family gives a conversation.
    #[command(override_usage = or_batch!("chat render", "DOCUMENT"), after_help = example!(
        "chat-render",
        r#"{"family": "QWEN_3_X", "messages": [{"role": "user", "content": "Hi"}], "add_generation_prompt": true}"#
    ))]
    Render(RenderArgs),
    /// Report what a template can do, and by which renderings that is known.
    #[command(after_help = example!(
        "chat-inspect",
        r#"{"messages": [{"role": "user", "content": "Hi"}], "model_path": "models/qwen3"}"#
    ))]
    Inspect(inspect::InspectArgs),
    /// Take the raw answer of a model apart: what the user is to see, thinking, channels, calls.
    #[command(override_usage = or_batch!("chat extract", "DOCUMENT"), after_help = example!(
        "chat-extract",
        r#"{"output": "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>", "markers": ["<|channel|>final<|message|>", "<|return|>"]}"#
    ))]
    Extract(ExtractArgs),
}

/// Flags of `chat render`.
#[derive(Debug, clap::Args)]
struct RenderArgs {
    /// The question, a JSON file with the messages; `-` reads standard input. Required without
    /// --batch.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    document: Option<PathBuf>,
    /// The template, a file; in place of the one in the question.
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    template: Option<PathBuf>,
    #[arg(long, conflicts_with_all = ["batch", "template"], help = rendering::family_help())]
    family: Option<String>,
    /// Change the conversation to what the template can show.
    #[arg(long, conflicts_with = "batch")]
    polyfill: bool,
    #[command(flatten)]
    rendering: RenderingArgs,
    #[arg(long, help = batch::HELP)]
    batch: bool,
    #[command(flatten)]
    strict: StrictArgs,
    /// How the text is printed: as it is, or within the answer.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Flags of `chat extract`.
#[derive(Debug, clap::Args)]
struct ExtractArgs {
    #[command(flatten)]
    question: QueryArgs,
    /// How the answer is printed: what the user is to see, or everything.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Runs the verb.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    match &args.verb {
        ChatVerb::Render(args) => render(args, out),
        ChatVerb::Inspect(args) => inspect::run(args, out),
        ChatVerb::Extract(args) => extract(args, out),
    }
}

fn render(args: &RenderArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    let Some(path) = &args.document else {
        let why = "is for a single conversation; a line says it itself";
        flags::refuse(args.rendering.given(), why)?;
        let make = || {
            let (mut answerer, clock) = (Answerer::default(), WallClock::default());
            move |document: Document<'_>| {
                let local = |moment, offset| clock.local(moment, offset);
                Ok(answerer.render(document.into_shape()?, clock.now(), &local)?)
            }
        };
        return json_query::batch(DocumentKind::ChatRender, args.strict, out, make);
    };
    let mut warnings = args.strict.warnings();
    let mut asked: RenderQuestion = document::read(path, DocumentKind::ChatRender, &mut warnings)?;
    warnings.print();
    if let Some(path) = &args.template {
        asked.template = Some(text(path)?);
    }
    if let Some(family) = &args.family {
        (asked.template, asked.family) = (None, Some(family.clone()));
    }
    if args.polyfill {
        asked.polyfill = Some(true);
    }
    args.rendering.apply(&mut asked);
    match (&asked.template, &asked.family) {
        (Some(_), _) => {}
        (None, Some(family)) => rendering::warn_of_generic_format(family),
        (None, None) => rendering::note_of_default_family("--template or --family"),
    }
    if !args.rendering.without.is_empty() && asked.polyfill != Some(true) {
        let message = "--without switches a polyfill off, and they are all off without --polyfill";
        return Err(Failure::input("wrong_usage", message));
    }
    let clock = WallClock::of_the_system();
    let named = match &args.template {
        Some(path) => input::name_of(path),
        None => format!("{}: /template", input::name_of(path)),
    };
    let source = asked.template.clone().unwrap_or_default();
    let answer = Answerer::default()
        .render(asked, clock.now(), &|moment, offset| {
            clock.local(moment, offset)
        })
        .map_err(|error| Failure::asked(&named, &input::name_of(path), &source, error))?;
    match args.format {
        // The exact text: no end of line is added to it.
        Format::Text => out.write_all(answer.output.as_bytes())?,
        Format::Json => out.json(&answer)?,
    }
    Ok(ExitStatus::Done)
}

fn extract(args: &ExtractArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    let kind = DocumentKind::ChatExtract;
    let Some(path) = args.question.file() else {
        let ask = |document: Document<'_>| Ok(Answerer::extract(&document.into_shape()?)?);
        return json_query::batch(kind, args.question.strict, out, move || ask);
    };
    let asked: ExtractQuestion = args.question.read(path, kind)?;
    let answer = Answerer::extract(&asked).map_err(|error| Failure::from(error).in_file(path))?;
    match args.format {
        Format::Text => out.answer(&answer.extracted.content)?,
        Format::Json => out.json(&answer)?,
    }
    Ok(ExitStatus::Done)
}

/// A text file.
fn text(path: &std::path::Path) -> Result<String, Failure> {
    String::from_utf8(input::read(path)?).map_err(|_| {
        Failure::input(
            "not_utf8",
            format!("{} is no text in UTF-8", input::name_of(path)),
        )
    })
}
