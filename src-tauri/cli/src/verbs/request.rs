//! `request`: builds the request of a call document for one of three targets; with `--against`,
//! reports what it shares with the request of another call document.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::ValueEnum;
use promptdeck_chat::Family;
use promptdeck_core::{
    hydrate::{self, Engine, Seed},
    registry::Registry,
};
use promptdeck_jinja::{self as jinja, Template};
use promptdeck_request::{
    build::{self, BuildContext, BuildError, BuiltRequest},
    cache_view::{self, CacheView},
    call_keys,
    document::DocumentKind,
    pipeline::StageClock,
    target::{FamilyFormat, ModelTemplate},
};
use promptdeck_service::WallClock;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    args::Format,
    call_file::{self, CallFile},
    chat_template::{self, ModelMetadata},
    document,
    failure::Failure,
    flags,
    gaps::SetBy,
    input,
    output::{self, ExitStatus, Output},
    rendering::{self, RenderingArgs},
    report::Report,
    tokenizer::{Counter, TokenizerArgs},
    warnings::{StrictArgs, Warnings},
};

/// Flags of `request`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The call document, a JSON file; `-` reads standard input. The path of its registry is
    /// resolved against the folder of the call document, or against the current folder for standard
    /// input.
    call: PathBuf,
    /// The target of the request.
    #[arg(long, value_enum, default_value_t)]
    target: Target,
    /// The chat template: a Jinja file, or a model folder or GGUF file that contains one.
    #[arg(long, value_name = "FILE", conflicts_with = "family")]
    template: Option<PathBuf>,
    #[arg(long, help = rendering::family_help())]
    family: Option<String>,
    #[command(flatten)]
    rendering: RenderingArgs,
    /// Send back what followed the call's message, for the same message: a JSON file such as
    /// `history` takes, with the assistant's calls and the responses of the tools.
    #[arg(long, value_name = "FILE")]
    follow_up: Option<PathBuf>,
    /// Compare with the request of this call document: what both share, and what changed first.
    #[arg(long, value_name = "CALL")]
    against: Option<PathBuf>,
    #[command(flatten)]
    tokenizer: TokenizerArgs,
    #[command(flatten)]
    strict: StrictArgs,
    /// Format: the body alone, or all facts about the request in JSON.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Target of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Chat completions, as `/v1/chat/completions` takes them.
    #[default]
    Openai,
    /// Gemini's `generateContent`, in layers: the prompt is a message of the user, as a role under
    /// "## Who you are", and a message with files, artifacts, to-dos and the present time precedes
    /// the conversation. `now` in the call document sets that time: without it, two calls give
    /// different bodies. `"layers": {"system_instruction": true}` sends the prompt as
    /// `systemInstruction`.
    Gemini,
    /// The text of a chat template, given with `--template`, or of a `--family`.
    ChatTemplate,
}

/// What followed a call's message.
#[derive(Deserialize)]
struct Turn {
    messages: Vec<Value>,
}

/// The answer, as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    ok: bool,
    #[serde(flatten)]
    built: &'a BuiltRequest,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_view: Option<&'a CacheView>,
}

/// Prints the request. Exit status 1 if the history breaks a rule, the prompt cannot be rendered,
/// or a diagnostic is an error.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    check_flags(args)?;
    let counter = args.tokenizer.counter()?;
    let mut warnings = args.strict.warnings();
    let template = match &args.template {
        Some(path) => Some(compiled(path)?),
        None => None,
    };
    if let Some((_, metadata)) = &template {
        args.rendering.template.note_unread(&metadata.source);
    }
    let clock = WallClock::of_the_system();
    let to_local = |moment: jinja::Moment, offset: i32| clock.local(moment, offset);
    let template_args = &args.rendering.template;
    let selected_template = template.as_ref().map(|(template, metadata)| ModelTemplate {
        template,
        bos_token: template_args
            .bos
            .clone()
            .or_else(|| metadata.bos_token.clone()),
        eos_token: template_args
            .eos
            .clone()
            .or_else(|| metadata.eos_token.clone()),
        alias_reasoning: !args.rendering.no_alias_reasoning,
        off: args.rendering.off(),
        to_local: &to_local,
    });
    let family = match args.family.as_deref() {
        None => None,
        Some(name) => {
            let format = FamilyFormat::named(name)
                .map_err(|error| Failure::input(error.code(), Family::unknown(name)))?;
            rendering::warn_of_generic_format(format.family(), &mut warnings)?;
            warnings.print();
            Some(format)
        }
    };
    let target = match (args.target, &selected_template, &family) {
        (Target::Openai, ..) => build::Target::OpenAi,
        (Target::Gemini, ..) => build::Target::Gemini,
        (Target::ChatTemplate, Some(model_template), _) => {
            build::Target::ChatTemplate(model_template)
        }
        (Target::ChatTemplate, None, Some(family)) => build::Target::ChatTemplate(family),
        (Target::ChatTemplate, None, None) => {
            return Err(Failure::input(
                "no_template",
                "a chat template is asked for: name its file with --template, or a family of \
                 models with --family",
            ));
        }
    };
    let turn = match &args.follow_up {
        Some(path) => turn(path, &mut warnings)?,
        None => Vec::new(),
    };
    let seed = promptdeck_service::draw_seed()?;
    let Some(built) = request(
        args,
        &args.call,
        &turn,
        target,
        seed,
        &counter,
        &mut warnings,
    )?
    else {
        return Ok(ExitStatus::Problems);
    };
    let view = match &args.against {
        None => None,
        // With the same seed, so that the documents are compared and not two rolls.
        Some(other) => match self::request(
            args,
            other,
            &[],
            target,
            built.seed,
            &counter,
            &mut warnings,
        )? {
            None => return Ok(ExitStatus::Problems),
            Some(before) => Some(cache_view::compare(
                &before.request.spans,
                &built.request.spans,
                &counter,
            )),
        },
    };
    Ok(match args.format {
        Format::Json => {
            out.json(&Answer {
                ok: ExitStatus::of(&built.request.diagnostics) == ExitStatus::Done,
                built: &built,
                cache_view: view.as_ref(),
            })?;
            ExitStatus::of(&built.request.diagnostics)
        }
        Format::Text => {
            let name = input::name_of(&args.call);
            let outcome = warnings.remarks_in(&name, &built.request.diagnostics);
            // Otherwise it is the call's.
            if built.seed == seed && built.evaluation.is_rolled() {
                output::message(&format!(
                    "rolled with seed {seed}; \"seed\": {seed} in the call document repeats it"
                ));
            }
            if let Some(view) = &view {
                output::messages(&comparison(view));
            }
            match built.request.body.get("prompt").and_then(Value::as_str) {
                Some(text) if args.target == Target::ChatTemplate => out.verbatim(text)?,
                _ => out.json(&built.request.body)?,
            }
            outcome
        }
    })
}

/// Rejects flags without effect.
fn check_flags(args: &Args) -> Result<(), Failure> {
    if args.target != Target::ChatTemplate {
        let template = flags::first(&[
            (args.template.is_some(), "--template"),
            (args.family.is_some(), "--family"),
        ]);
        let reason = "is about the text of a chat template: choose it with --target chat-template";
        flags::refuse(template, reason)?;
    }
    if args.against.is_none() && args.format == Format::Text {
        let reason = "has no effect, as the body alone has no counts: print them with --format json, or \
                   compare two requests with --against";
        flags::refuse(args.tokenizer.first_flag(), reason)?;
    }
    match (&args.template, &args.family) {
        (Some(_), _) => Ok(()),
        // A family that there is not is an error of its own.
        (None, Some(name)) => {
            Family::named(name).map_or(Ok(()), |family| args.rendering.refuse_unused_by(family))
        }
        (None, None) => flags::refuse(args.rendering.first_flag(), rendering::OF_TEMPLATE),
    }
}

/// The messages that followed a call's message.
fn turn(path: &Path, warnings: &mut Warnings) -> Result<Vec<Value>, Failure> {
    let turn: Turn = document::read(path, DocumentKind::History, warnings)?;
    if turn.messages.is_empty() {
        let message = "there is no message to send back: give the calls and their responses";
        return Err(Failure::input("empty_follow_up", message).in_file(path));
    }
    Ok(turn.messages)
}

/// The request of a call document, with the messages of `turn` sent back; `None` if its history
/// breaks the rules or its prompt is not rendered, which is reported.
fn request(
    args: &Args,
    path: &Path,
    turn: &[Value],
    target: build::Target<'_>,
    seed: Seed,
    counter: &Counter,
    warnings: &mut Warnings,
) -> Result<Option<BuiltRequest>, Failure> {
    let mut file = CallFile::read(path, warnings)?;
    if let Some(thinking) = args.rendering.template.thinking {
        file.call.thinking = Some(thinking);
    }
    let engine = Engine::new(registry(&file, warnings)?);
    warnings.state(engine.registry(), &file.call.state, |entry| {
        file.state_place(entry)
    })?;
    warnings.print();
    let context = BuildContext {
        turn,
        now: call_file::now()?,
        seed,
        clock: &Stopwatch(Instant::now()),
        counter,
    };
    match build::build(&file.call, &engine, target, &context) {
        Ok(mut built) => {
            for found in &mut built.request.diagnostics {
                file.locate(found);
            }
            let call = hydrate::Call {
                state: &file.call.state,
                route: file.call.route.as_deref(),
                seed: built.seed,
            };
            let gaps = engine.hydrate_text_with_gaps(&call, &mut String::new())?;
            SetBy::State.warn(&gaps, warnings)?;
            warnings.diagnostics_at(&built.request.diagnostics, |found| match found.place {
                Some(_) => input::at(&file.name, found.place),
                None => String::new(),
            })?;
            if built.request.body["messages"] == json!([]) {
                let message = "the body has no message: give the call a message, a history or a \
                               registry";
                let message = format!("{}: {message}", input::name_of(path));
                warnings.add("no_message", message)?;
            }
            warnings.print();
            Ok(Some(built))
        }
        Err(BuildError::Stage(error)) if error.code() == "invalid_history" => {
            // A misspelled key may be why.
            let mut found = call_keys::lint(&file.call, &file.call.history, None);
            for found in &mut found {
                file.locate(found);
            }
            warnings.diagnostics_at(&found, |found| input::at(&file.name, found.place))?;
            warnings.print();
            output::message(&format!("{}: {error}", input::name_of(path)));
            Ok(None)
        }
        Err(BuildError::Template(error)) => {
            file.report_template(&error);
            Ok(None)
        }
        Err(error) => Err(Failure::input(
            error.code(),
            format!("{}: {error}", input::name_of(path)),
        )),
    }
}

/// Loads and compiles a chat template. Errors carry a position.
fn compiled(path: &Path) -> Result<(Template, ModelMetadata), Failure> {
    let metadata = chat_template::read(path)?;
    let template = Template::compile(&metadata.source)
        .map_err(|error| Failure::template(&input::name_of(path), &metadata.source, &error))?;
    Ok((template, metadata))
}

/// The registry of a call; an empty one if it has none.
fn registry(file: &CallFile, warnings: &mut Warnings) -> Result<Registry, Failure> {
    match file.call.registry {
        None => Ok(Registry::default()),
        Some(_) => {
            let (parsed, path) = file.open_registry(warnings)?;
            let name = input::name_of(&path);
            input::warn_of_defaults(&parsed, &name, &file.call.state, warnings)?;
            Ok(parsed.registry)
        }
    }
}

/// The comparison of two requests, on two lines.
fn comparison(view: &CacheView) -> Report {
    let mut report = Report::default();
    report.row(format_args!(
        "shared start: {} of {} characters ({:.1} %), {} of {} tokens ({:.1} %)",
        view.shared_chars,
        view.chars,
        view.share_chars * 100.0,
        view.shared_tokens,
        view.tokens,
        view.share_tokens * 100.0
    ));
    match &view.first_change {
        None => report.row("nothing changed"),
        Some(change) => report.row(format_args!(
            "first change: {}: {:?} became {:?}",
            change.source, change.before, change.after
        )),
    }
    report
}

/// Time since the start of the verb.
struct Stopwatch(Instant);

impl StageClock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
