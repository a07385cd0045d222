//! `chat`: renders and inspects chat templates and parses model answers. The input is one JSON
//! document or a batch of JSON lines.

mod inspect;

use std::{io::Write as _, path::PathBuf};

use clap::Subcommand;
use promptdeck_chat::{
    Family,
    answer::{self, Answerer, ExtractQuestion, RenderAnswer, RenderQuestion, UnmatchedNames},
};
use promptdeck_core::registry::Diagnostic;
use promptdeck_jinja::Template;
use promptdeck_request::{call_keys, document::DocumentKind, tools};
use serde::Serialize;
use serde_json::Value;

use crate::{
    args::{Format, example, or_batch},
    batch,
    chat_template::{self, ModelMetadata},
    document::{self, Document},
    failure::Failure,
    flags, input,
    json_query::{self, QueryArgs},
    output::{ExitStatus, Output},
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

/// Verbs of `chat`.
#[derive(Debug, Subcommand)]
enum ChatVerb {
    /// Print the text that a template or a family renders from a conversation.
    #[command(override_usage = or_batch!("chat render", "DOCUMENT"), after_help = example!(
        "chat-render",
        r#"{"family": "QWEN_3_X", "messages": [{"role": "user", "content": "Hi"}], "add_generation_prompt": true}"#
    ))]
    Render(RenderArgs),
    /// Report the capabilities of a template and the renderings that prove them.
    #[command(after_help = example!(
        "chat-inspect",
        r#"{"messages": [{"role": "user", "content": "Hi"}], "model_path": "models/qwen3"}"#
    ))]
    Inspect(inspect::InspectArgs),
    /// Split a raw model answer into its parts: content, thinking, channels, tool calls.
    #[command(override_usage = or_batch!("chat extract", "DOCUMENT"), after_help = example!(
        "chat-extract",
        r#"{"output": "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>", "markers": ["<|channel|>final<|message|>", "<|return|>"]}"#
    ))]
    Extract(ExtractArgs),
}

/// Flags of `chat render`.
#[derive(Debug, clap::Args)]
struct RenderArgs {
    /// The document, a JSON file with the messages; `-` reads standard input. Required without
    /// --batch.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    document: Option<PathBuf>,
    /// Use this chat template instead of the template in the document or in each line: a Jinja file, or
    /// a model folder or GGUF file that contains one.
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    #[arg(long, conflicts_with = "template", help = rendering::family_help())]
    family: Option<String>,
    /// Adapt the conversation to the capabilities of the template.
    #[arg(long)]
    polyfill: bool,
    #[command(flatten)]
    rendering: RenderingArgs,
    #[arg(long, help = batch::HELP)]
    batch: bool,
    #[command(flatten)]
    strict: StrictArgs,
    /// Format of the result: the text alone, or the full answer in JSON.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Flags of `chat extract`.
#[derive(Debug, clap::Args)]
struct ExtractArgs {
    #[command(flatten)]
    question: QueryArgs,
    /// Format of the result: the content, or everything. The content is the final channel. If the
    /// template has no channels, it is the whole answer as it is, with its thinking and tool calls,
    /// which JSON also lists by themselves.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    match &args.verb {
        ChatVerb::Render(args) => render(args, out),
        ChatVerb::Inspect(args) => inspect::run(args, out),
        ChatVerb::Extract(args) => extract(args, out),
    }
}

fn render(args: &RenderArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    let flags = RenderFlags::of(args)?;
    let Some(path) = &args.document else {
        let make = move || {
            let (mut answerer, clock) = (Answerer::default(), WallClock::default());
            let flags = flags.clone();
            move |document: Document<'_>, warnings: &mut Warnings| {
                let question = flags.complete(document.into_shape()?, warnings)?;
                let local = |moment, offset| clock.local(moment, offset);
                let names = answerer.unmatched_names(&question);
                let of_input = of_input(&question, &names);
                warnings.diagnostics("", &of_input)?;
                let answer = answerer.render(question, clock.now(), &local)?;
                let conversation = RenderedConversation::new(answer, &names, of_input);
                warnings.diagnostics("", &conversation.diagnostics)?;
                Ok(conversation)
            }
        };
        return json_query::batch(DocumentKind::ChatRender, args.strict, out, make);
    };
    let mut warnings = args.strict.warnings();
    let question: RenderQuestion = document::read(path, DocumentKind::ChatRender, &mut warnings)?;
    let question = flags.complete(question, &mut warnings)?;
    warnings.print();
    let clock = WallClock::of_the_system();
    let template_file = match &args.template {
        Some(path) => input::name_of(path),
        None => format!("{}: /template", input::name_of(path)),
    };
    let source = question.template.clone().unwrap_or_default();
    let mut answerer = Answerer::default();
    let names = answerer.unmatched_names(&question);
    let of_input = of_input(&question, &names);
    let place = input::at(&input::name_of(path), None);
    // They may be why it cannot be rendered.
    warnings.diagnostics(&place, &of_input)?;
    warnings.print();
    let answer = answerer
        .render(question, clock.now(), &|moment, offset| {
            clock.local(moment, offset)
        })
        .map_err(|error| Failure::query(&template_file, &input::name_of(path), &source, error))?;
    let conversation = RenderedConversation::new(answer, &names, of_input);
    let outcome = warnings.report(&place, &conversation.diagnostics)?;
    match args.format {
        // The exact text, without an added line end.
        Format::Text => out.write_all(conversation.answer.output.as_bytes())?,
        Format::Json => out.json(&conversation)?,
    }
    Ok(outcome)
}

/// A rendered conversation, and what is odd about it.
#[derive(Serialize)]
struct RenderedConversation {
    #[serde(flatten)]
    answer: RenderAnswer,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Diagnostic>,
}

impl RenderedConversation {
    fn new(answer: RenderAnswer, names: &UnmatchedNames, of_input: Vec<Diagnostic>) -> Self {
        let mut diagnostics = call_keys::of_conversation(&answer, names);
        diagnostics.extend(of_input);
        Self {
            answer,
            diagnostics,
        }
    }
}

/// What is wrong with the tools and the names of a conversation.
fn of_input(question: &RenderQuestion, names: &UnmatchedNames) -> Vec<Diagnostic> {
    let mut found = match &question.tools {
        Some(Value::Array(tools)) => {
            tools::lint_as_written(tools, "/tools", question.template.as_deref())
        }
        _ => Vec::new(),
    };
    found.extend(call_keys::of_names(names));
    found
}

/// The flags that replace parts of a conversation's document, or of each line of a batch.
#[derive(Debug, Clone)]
struct RenderFlags {
    /// The template, and the tokens of its model.
    template: Option<ModelMetadata>,
    family: Option<String>,
    polyfill: bool,
    rendering: RenderingArgs,
    is_batch: bool,
}

impl RenderFlags {
    /// Reads the template file. One that does not compile, or a family that there is not, would
    /// fail every line of a batch, so both are errors here.
    fn of(args: &RenderArgs) -> Result<Self, Failure> {
        let template = args.template.as_deref().map(chat_template::read);
        let template = template.transpose()?;
        if let (Some(path), Some(ModelMetadata { source, .. })) = (&args.template, &template) {
            Template::compile(source)
                .map_err(|error| Failure::template(&input::name_of(path), source, &error))?;
        }
        if let Some(name) = &args.family {
            answer::family_named(name)?;
        }
        Ok(Self {
            template,
            family: args.family.clone(),
            polyfill: args.polyfill,
            rendering: args.rendering.clone(),
            is_batch: args.batch,
        })
    }

    /// A document with its parts replaced by those of the flags.
    fn complete(
        &self,
        mut question: RenderQuestion,
        warnings: &mut Warnings,
    ) -> Result<RenderQuestion, Failure> {
        if question.template.is_some() && question.family.is_some() {
            let message = "the document has a template and a family: the family is not used";
            warnings.add("unused_family", message.to_owned())?;
        }
        if let Some(model) = &self.template {
            question.template = Some(model.source.clone());
            let tokens = [
                (&mut question.bos_token, &model.bos_token),
                (&mut question.eos_token, &model.eos_token),
            ];
            for (token, of_model) in tokens {
                if token.is_none() {
                    token.clone_from(of_model);
                }
            }
        }
        if self.family.is_some() {
            question.template = None;
            question.family.clone_from(&self.family);
        }
        if question.template.is_none() && question.family.is_none() {
            let note = rendering::default_family("--template or --family");
            warnings.note("default_family", note);
        }
        if self.polyfill {
            question.polyfill = Some(true);
        }
        self.rendering.apply(&mut question);
        if let Some(source) = &question.template {
            for note in self.rendering.template.unread_by(source) {
                warnings.note("unread_flag", note);
            }
        }
        if !self.rendering.without.is_empty() && question.polyfill != Some(true) {
            let message =
                "--without switches a polyfill off, and they are all off without --polyfill";
            return Err(Failure::input("wrong_usage", message));
        }
        let family = match question.family.as_deref() {
            Some(name) => Family::named(name),
            None => Some(Family::Generic),
        };
        if let (None, Some(family)) = (&question.template, family) {
            self.check_unused_by(family, warnings)?;
            if question.family.is_some() {
                rendering::warn_of_generic_format(family, warnings)?;
            }
        }
        Ok(question)
    }
}

impl RenderFlags {
    /// Rejects the flags that the built-in format of a family does not use. In a batch they may be for
    /// other lines.
    fn check_unused_by(&self, family: Family, warnings: &mut Warnings) -> Result<(), Failure> {
        let polyfill = flags::refuse(
            self.polyfill.then_some("--polyfill"),
            rendering::OF_TEMPLATE,
        );
        let unused = polyfill.and_then(|()| self.rendering.refuse_unused_by(family));
        match unused {
            Err(failure) if self.is_batch => warnings.add("unused_flag", failure.to_string()),
            unused => unused,
        }
    }
}

fn extract(args: &ExtractArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    let kind = DocumentKind::ChatExtract;
    let Some(path) = args.question.file() else {
        let ask = |document: Document<'_>, _: &mut Warnings| {
            Ok(Answerer::extract(&document.into_shape()?)?)
        };
        return json_query::batch(kind, args.question.strict, out, move || ask);
    };
    let question: ExtractQuestion = args.question.read(path, kind)?;
    let answer =
        Answerer::extract(&question).map_err(|error| Failure::from(error).in_file(path))?;
    match args.format {
        Format::Text => out.answer(&answer.extracted.content)?,
        Format::Json => out.json(&answer)?,
    }
    Ok(ExitStatus::Done)
}
