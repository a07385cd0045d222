//! `chat`: the exact text a chat template gives, what a template can do, and what an answer of a
//! model says. One question as a JSON file, or a batch of them as JSON lines.

mod inspect;

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use clap::Subcommand;
use promptdeck_core::chat::answer::{Answerer, ExtractQuestion, RenderQuestion};
use serde::de::DeserializeOwned;

use crate::{
    args::Format,
    batch::{self, Worker},
    failure::Failure,
    input,
    object::Object,
    output::{Outcome, Output},
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
    Render(RenderArgs),
    /// Report what a template can do, and by which renderings that is known.
    Inspect(inspect::InspectArgs),
    /// Take the raw answer of a model apart: what the user is to see, thinking, channels, calls.
    Extract(ExtractArgs),
}

/// Flags of `chat render`.
#[derive(Debug, clap::Args)]
struct RenderArgs {
    /// The question, a JSON file with the messages; `-` reads standard input.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    document: Option<PathBuf>,
    /// The template, a file; in place of the one in the question.
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    template: Option<PathBuf>,
    /// The family whose builtin format is used, such as `QWEN_3_X`; in place of a template.
    #[arg(long, conflicts_with_all = ["batch", "template"])]
    family: Option<String>,
    /// Change the conversation to what the template can show.
    #[arg(long, conflicts_with = "batch")]
    polyfill: bool,
    /// Give reasoning under the name it was written with alone, not under all the names templates
    /// look for.
    #[arg(long, conflicts_with = "batch")]
    no_alias_reasoning: bool,
    /// Answer questions given as JSON lines on standard input.
    #[arg(long)]
    batch: bool,
    /// How the text is printed: as it is, or within the answer.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Flags of `chat extract`.
#[derive(Debug, clap::Args)]
struct ExtractArgs {
    /// The question, a JSON file with the output; `-` reads standard input.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    document: Option<PathBuf>,
    /// Answer questions given as JSON lines on standard input.
    #[arg(long)]
    batch: bool,
    /// How the answer is printed: what the user is to see, or everything.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Runs the verb.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    match &args.verb {
        ChatVerb::Render(args) => render(args, out),
        ChatVerb::Inspect(args) => inspect::run(args, out),
        ChatVerb::Extract(args) => extract(args, out),
    }
}

/// The one question of a verb, or that of a line.
fn question<T: DeserializeOwned>(line: &[u8]) -> Result<T, Failure> {
    let Object(question): Object<T> = batch::parse_line(line)?;
    Ok(question)
}

fn render(args: &RenderArgs, out: &mut Output) -> Result<Outcome, Failure> {
    let Some(path) = &args.document else {
        return batch::run(Renderer::default, out);
    };
    let mut asked: RenderQuestion = input::read_json(path, "a conversation with its messages")?;
    if let Some(path) = &args.template {
        asked.template = Some(text(path)?);
    }
    if let Some(family) = &args.family {
        (asked.template, asked.family) = (None, Some(family.clone()));
    }
    if args.polyfill {
        asked.polyfill = Some(true);
    }
    if args.no_alias_reasoning {
        asked.alias_reasoning = Some(false);
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
        .map_err(|error| Failure::asked(&named, &source, error))?;
    match args.format {
        // The exact text: no end of line is added to it.
        Format::Text => out.write_all(answer.output.as_bytes())?,
        Format::Json => out.json(&answer)?,
    }
    Ok(Outcome::Done)
}

fn extract(args: &ExtractArgs, out: &mut Output) -> Result<Outcome, Failure> {
    let Some(path) = &args.document else {
        return batch::run(|| Extractor, out);
    };
    let asked: ExtractQuestion = input::read_json(path, "an answer with its output")?;
    let answer = Answerer::extract(&asked)?;
    match args.format {
        Format::Text => out.answer(&answer.extracted.content)?,
        Format::Json => out.json(&answer)?,
    }
    Ok(Outcome::Done)
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

/// Renders lines; keeps the templates it compiled.
#[derive(Default)]
struct Renderer {
    answerer: Answerer,
    clock: WallClock,
}

impl Worker for Renderer {
    fn answer(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
        let asked: RenderQuestion = question(line)?;
        let clock = &self.clock;
        let given = self
            .answerer
            .render(asked, clock.now(), &|moment, offset| {
                clock.local(moment, offset)
            })?;
        Ok(serde_json::to_writer(answer, &given).map_err(io::Error::from)?)
    }
}

/// Takes the answers of lines apart.
struct Extractor;

impl Worker for Extractor {
    fn answer(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
        let given = Answerer::extract(&question(line)?)?;
        Ok(serde_json::to_writer(answer, &given).map_err(io::Error::from)?)
    }
}
