//! `chat`: the exact text a chat template gives, what a template can do, and what an answer of a
//! model says. One question as a JSON file, or a batch of them as JSON lines.

mod inspect;

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use clap::Subcommand;
use promptdeck_core::{
    chat::answer::{Answerer, ExtractQuestion, RenderQuestion},
    document::DocumentKind,
};

use crate::{
    args::{Format, example},
    batch::{self, Worker},
    document::{self, Documents},
    failure::Failure,
    input,
    output::{Outcome, Output},
    rendering::{self, RenderingArgs},
    warnings::{StrictArgs, Warnings},
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
    #[command(after_help = example!(
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
    #[command(after_help = example!(
        "chat-extract",
        r#"{"output": "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>", "markers": ["<|channel|>final<|message|>", "<|return|>"]}"#
    ))]
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
    #[arg(long, conflicts_with_all = ["batch", "template"], help = rendering::family_help())]
    family: Option<String>,
    /// Change the conversation to what the template can show.
    #[arg(long, conflicts_with = "batch")]
    polyfill: bool,
    #[command(flatten)]
    rendering: RenderingArgs,
    /// Answer questions given as JSON lines on standard input.
    #[arg(long)]
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
    /// The question, a JSON file with the output; `-` reads standard input.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    document: Option<PathBuf>,
    /// Answer questions given as JSON lines on standard input.
    #[arg(long)]
    batch: bool,
    #[command(flatten)]
    strict: StrictArgs,
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

fn render(args: &RenderArgs, out: &mut Output) -> Result<Outcome, Failure> {
    let Some(path) = &args.document else {
        if let Some(flag) = args.rendering.given() {
            let message = format!("{flag} is for a single conversation; a line says it itself");
            return Err(Failure::input("wrong_usage", message));
        }
        return batch::run(Renderer::default, args.strict, out);
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
    Ok(Outcome::Done)
}

fn extract(args: &ExtractArgs, out: &mut Output) -> Result<Outcome, Failure> {
    let Some(path) = &args.document else {
        let make = || Extractor(Documents::new(DocumentKind::ChatExtract));
        return batch::run(make, args.strict, out);
    };
    let mut warnings = args.strict.warnings();
    let asked: ExtractQuestion = document::read(path, DocumentKind::ChatExtract, &mut warnings)?;
    warnings.print();
    let answer = Answerer::extract(&asked).map_err(|error| Failure::from(error).in_file(path))?;
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
struct Renderer {
    answerer: Answerer,
    clock: WallClock,
    documents: Documents,
}

impl Default for Renderer {
    fn default() -> Self {
        Self {
            answerer: Answerer::default(),
            clock: WallClock::default(),
            documents: Documents::new(DocumentKind::ChatRender),
        }
    }
}

impl Worker for Renderer {
    fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let asked: RenderQuestion = self.documents.line(line, warnings)?;
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
struct Extractor(Documents);

impl Worker for Extractor {
    fn answer(
        &mut self,
        line: &[u8],
        answer: &mut Vec<u8>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let given = Answerer::extract(&self.0.line(line, warnings)?)?;
        Ok(serde_json::to_writer(answer, &given).map_err(io::Error::from)?)
    }
}
