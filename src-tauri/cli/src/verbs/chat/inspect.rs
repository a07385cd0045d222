//! `chat inspect`: reports the capabilities of a template, a model folder or a GGUF file, how it
//! renders a conversation, and how it differs from another.

mod print;

use std::{path::PathBuf, sync::Arc};

use promptdeck_chat::{
    Family,
    answer::{self, Answerer, AskError, InspectAnswer, RenderQuestion},
    model_metadata::ModelMetadata,
    polyfill::Step,
};
use promptdeck_model::model_dir;
use promptdeck_request::document::DocumentKind;
use promptdeck_service::{
    WallClock,
    chat::inspector::{Conversation, ConversationQuery, Inspector},
    wire::ChatTrial,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    args::Format,
    batch, chat_template,
    document::{Document, Documents},
    failure::Failure,
    flags, input, json_query,
    output::{ExitStatus, Output},
    rendering::{self, RenderingArgs},
    strict_object::StrictObject,
    tokenizer::ModelTokenizer,
    warnings::StrictArgs,
};

/// Value of `--against` for the built-in format of the model's family.
const BUILTIN: &str = "builtin";

/// Flags of `chat inspect`.
#[derive(Debug, clap::Args)]
pub struct InspectArgs {
    /// A template, a model folder or a GGUF file; `-` reads a template from standard input.
    /// Required without --name, --family, --conversation or --batch.
    #[arg(required_unless_present_any = ["batch", "conversation", "name", "family"],
          conflicts_with_all = ["batch", "name", "family"])]
    model: Option<PathBuf>,
    /// Inspect the built-in format of the family of a model with this name.
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["batch", "family"])]
    name: Option<String>,
    #[arg(long, conflicts_with = "batch", help = rendering::family_help())]
    family: Option<String>,
    /// Render this conversation and report which message and which template line produced each
    /// byte. The file is a JSON document as for `chat render`; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    conversation: Option<PathBuf>,
    #[command(flatten)]
    rendering: RenderingArgs,
    /// Compare with another template, model folder or GGUF file, over the conversation and over
    /// test conversations; `builtin` is the built-in format of the model's family.
    #[arg(long, value_name = "MODEL", conflicts_with = "batch")]
    against: Option<PathBuf>,
    /// Count tokens with this tokenizer: a `tokenizer.json`, `o200k_base`, `cl100k_base` or
    /// `estimate`. By default, the one in the model's folder or beside its file.
    #[arg(long, value_name = "FILE|NAME")]
    tokenizer: Option<String>,
    #[arg(long, help = batch::HELP)]
    batch: bool,
    #[command(flatten)]
    strict: StrictArgs,
    /// Format of the report.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// The model to inspect.
#[derive(Debug, Default, Clone, Deserialize)]
struct Model {
    template: Option<String>,
    config: Option<Value>,
    /// In a document, a path that does not exist is a model name.
    model_path: Option<PathBuf>,
    /// A path that must exist.
    #[serde(skip)]
    file: Option<PathBuf>,
    #[serde(skip)]
    name: Option<String>,
}

/// Parts of a document beyond the model.
#[derive(Debug, Default, Deserialize)]
struct More {
    family: Option<String>,
    off: Option<Vec<String>>,
    against: Option<StrictObject<Model>>,
}

/// An answer: the report, and the results of the other parts.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    report: InspectAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<Conversation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Vec<ChatTrial>>,
}

/// Prints the report, or answers the batch.
pub fn run(args: &InspectArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    if args.conversation.is_none() {
        let why = "is about a conversation: give one with --conversation";
        flags::refuse(args.rendering.given(), why)?;
        let counts = args.tokenizer.as_ref().filter(|_| !args.batch);
        flags::refuse(counts.map(|_| "--tokenizer"), why)?;
    }
    let chosen = match &args.tokenizer {
        Some(name) => Some(Arc::new(ModelTokenizer::chosen(name)?)),
        None => None,
    };
    if args.batch {
        let make = move || {
            let lines = Lines {
                inspector: Inspector::default(),
                clock: WallClock::default(),
                chosen: chosen.clone(),
            };
            move |document: Document<'_>| lines.answer(document)
        };
        return json_query::batch(DocumentKind::ChatInspect, args.strict, out, make);
    }
    let (mut model, mut question) = (Model::default(), None);
    let mut more = More::default();
    if let Some(path) = &args.conversation {
        let bytes = input::read(path)?;
        let mut warnings = args.strict.warnings();
        let documents = Documents::new(DocumentKind::ChatInspect);
        let document = documents.open_file(path, &bytes, &mut warnings)?;
        let named = |failure: Failure| failure.in_file(path);
        model = document.shape().map_err(named)?;
        more = document.shape().map_err(named)?;
        let mut asked: RenderQuestion = document.into_shape().map_err(named)?;
        warnings.print();
        args.rendering.apply(&mut asked);
        more.off.clone_from(&asked.off);
        question = Some(asked);
    }
    if let Some(path) = &args.model {
        model = Model {
            file: Some(path.clone()),
            ..Model::default()
        };
        more.family = None;
    }
    if args.name.is_some() || args.family.is_some() {
        model = Model {
            name: args.name.clone(),
            ..Model::default()
        };
        more.family.clone_from(&args.family);
    }
    if let Some(path) = &args.against {
        more.against = Some(StrictObject(Model {
            file: Some(path.clone()),
            ..Model::default()
        }));
    }
    let tokenizer = match chosen {
        Some(chosen) => chosen,
        None => Arc::new(ModelTokenizer::of_model(
            model.file.as_deref().or(model.model_path.as_deref()),
        )),
    };
    let asking = Asking {
        inspector: &Inspector::default(),
        clock: &WallClock::default(),
        tokenizer: &tokenizer,
    };
    let named = args.model.as_ref().or(args.conversation.as_ref());
    let named = named.map(|path| input::name_of(path)).unwrap_or_default();
    let asked_in = args.conversation.as_ref().or(args.model.as_ref());
    let asked_in = asked_in
        .map(|path| input::name_of(path))
        .unwrap_or_default();
    let brought = brought(&model, more.family.as_deref())?;
    let source = brought.template.clone().unwrap_or_default();
    if brought == ModelMetadata::default() {
        rendering::note_of_default_family("--name, --family or a model");
    }
    let answer = asking.answer(brought, question.as_ref(), &more, |error| {
        Failure::asked(&named, &asked_in, &source, error)
    })?;
    if let (Some(family), None) = (&args.family, &args.model) {
        rendering::warn_of_generic_format(family);
    }
    if let Some(why) = tokenizer.unusable() {
        crate::output::warning(&format!("tokens are estimated: {why}"));
    }
    match args.format {
        Format::Json => out.json(&answer)?,
        Format::Text => out.report(&print::report(&answer))?,
    }
    let problem = answer.conversation.as_ref().map(Conversation::failed);
    Ok(match problem {
        Some(true) => ExitStatus::Problems,
        _ => ExitStatus::Done,
    })
}

/// Loads the metadata of a model.
fn brought(model: &Model, family: Option<&str>) -> Result<ModelMetadata, Failure> {
    let mut brought = ModelMetadata {
        template: model.template.clone(),
        ..ModelMetadata::default()
    };
    if let Some(name) = family {
        brought.family = Some(answer::family_named(name)?);
    }
    if let Some(name) = &model.name {
        let own = ModelMetadata {
            name: name.clone(),
            ..ModelMetadata::default()
        };
        if own.config().family == Family::Generic {
            let message = format!(
                "no family is known for a model named {name:?}: give its folder or template, or a \
                 family with --family"
            );
            return Err(Failure::input("unknown_model", message));
        }
        brought = brought.or(own);
    }
    if let Some(config) = &model.config {
        brought = brought.or(ModelMetadata::from_config(config));
    }
    if let Some(path) = &model.file {
        brought = brought.or(chat_template::model(path)?);
    }
    if let Some(path) = &model.model_path {
        let found = model_dir::read(path)
            .map_err(|error| Failure::input(error.code(), error.to_string()))?;
        brought = brought.or(found);
    }
    Ok(brought)
}

/// Settings shared by all queries.
struct Asking<'a> {
    inspector: &'a Inspector,
    clock: &'a WallClock,
    tokenizer: &'a ModelTokenizer,
}

impl Asking<'_> {
    fn answer(
        &self,
        brought: ModelMetadata,
        question: Option<&RenderQuestion>,
        more: &More,
        failed: impl Fn(AskError) -> Failure,
    ) -> Result<Answer, Failure> {
        let report = Answerer::inspect(&brought).map_err(&failed)?;
        let asked = question
            .map(|question| self.asked(brought.own_template(), question, more))
            .transpose()
            .map_err(&failed)?;
        let conversation = asked.as_ref().map(|asked| {
            let counter = self.tokenizer.counter();
            self.inspector.conversation(&brought, asked, &counter)
        });
        let against = match &more.against {
            Some(StrictObject(other)) => Some(self.against(&brought, other, asked.as_ref())?),
            None => None,
        };
        Ok(Answer {
            report,
            conversation,
            against,
        })
    }

    fn asked(
        &self,
        template: Option<&str>,
        question: &RenderQuestion,
        more: &More,
    ) -> Result<ConversationQuery, AskError> {
        let clock = self.clock;
        let local = |moment, offset| clock.local(moment, offset);
        let off = match question.polyfill {
            Some(false) => Step::ALL.to_vec(),
            _ => answer::steps(more.off.as_deref().unwrap_or_default())?,
        };
        Ok(ConversationQuery {
            request: question.request(template, clock.now(), &local)?,
            off,
        })
    }

    fn against(
        &self,
        brought: &ModelMetadata,
        other: &Model,
        asked: Option<&ConversationQuery>,
    ) -> Result<Vec<ChatTrial>, Failure> {
        let is_builtin = |path: &PathBuf| path.as_os_str() == BUILTIN && !path.exists();
        let path = other.file.as_ref().or(other.model_path.as_ref());
        let right = if path.is_some_and(is_builtin) {
            ModelMetadata {
                family: Some(brought.config().family),
                ..ModelMetadata::default()
            }
        } else {
            self::brought(other, None)?
        };
        let base =
            RenderQuestion::default().request(None, self.clock.now(), &|moment, _| moment)?;
        let base = asked.map_or(base, |asked| asked.request.clone());
        Ok(self.inspector.against(brought, &right, asked, &base))
    }
}

/// Inspects batch lines and caches compiled templates.
struct Lines {
    inspector: Inspector,
    clock: WallClock,
    chosen: Option<Arc<ModelTokenizer>>,
}

impl Lines {
    fn answer(&self, document: Document<'_>) -> Result<Answer, Failure> {
        let model: Model = document.shape()?;
        let mut more: More = document.shape()?;
        let question: Option<RenderQuestion> = match document.has("messages") {
            true => Some(document.into_shape()?),
            false => None,
        };
        if question.is_none() {
            more.family = None;
        }
        let tokenizer = match &self.chosen {
            Some(chosen) => Arc::clone(chosen),
            None if question.is_some() => {
                Arc::new(ModelTokenizer::of_model(model.model_path.as_deref()))
            }
            None => Arc::new(ModelTokenizer::of_model(None)),
        };
        let asking = Asking {
            inspector: &self.inspector,
            clock: &self.clock,
            tokenizer: &tokenizer,
        };
        let brought = brought(&model, more.family.as_deref())?;
        asking.answer(brought, question.as_ref(), &more, Failure::from)
    }
}
