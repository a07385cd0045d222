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
    output::{self, ExitStatus, Output},
    rendering::{self, RenderingArgs},
    strict_object::StrictObject,
    tokenizer::ModelTokenizer,
    warnings::{StrictArgs, Warnings},
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

impl Model {
    /// The path of a document, if it leads to no file and is the name of no known model.
    fn unknown_path(&self) -> Option<String> {
        let path = self.model_path.as_ref().filter(|path| !path.exists())?;
        let name = path.display().to_string();
        (named(&name).config().family == Family::Generic).then_some(name)
    }

    /// Whether it stands for the built-in format of the family of the model it is compared with.
    fn is_builtin_format(&self) -> bool {
        let path = self.file.as_ref().or(self.model_path.as_ref());
        path.is_some_and(|path| path.as_os_str() == BUILTIN && !path.exists())
    }
}

/// Parts of a document beyond the model.
#[derive(Debug, Default, Deserialize)]
struct Extras {
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
        let reason = "is about a conversation: give one with --conversation";
        flags::refuse(args.rendering.first_flag(), reason)?;
        let counts = args.tokenizer.as_ref().filter(|_| !args.batch);
        flags::refuse(counts.map(|_| "--tokenizer"), reason)?;
    }
    let tokenizer_override = match &args.tokenizer {
        Some(name) => Some(Arc::new(ModelTokenizer::by_name(name)?)),
        None => None,
    };
    if args.batch {
        let make = move || {
            let lines = Lines {
                inspector: Inspector::default(),
                clock: WallClock::default(),
                tokenizer_override: tokenizer_override.clone(),
            };
            move |document: Document<'_>, warnings: &mut Warnings| lines.answer(document, warnings)
        };
        return json_query::batch(DocumentKind::ChatInspect, args.strict, out, make);
    }
    let (mut model, mut question) = (Model::default(), None);
    let mut extras = Extras::default();
    if let Some(path) = &args.conversation {
        let bytes = input::read(path)?;
        let mut warnings = args.strict.warnings();
        let documents = Documents::new(DocumentKind::ChatInspect);
        let document = documents.open_file(path, &bytes, &mut warnings)?;
        let in_file = |failure: Failure| failure.in_file(path);
        model = document.shape().map_err(in_file)?;
        extras = document.shape().map_err(in_file)?;
        if !document.has("messages") {
            let message = "/messages: expected a list, found nothing; `promptdeck chat inspect --help` \
                           shows an example";
            let failure = Failure::input("invalid_json", message).at("/messages".to_owned());
            warnings.print();
            return Err(in_file(failure));
        }
        let mut render_question: RenderQuestion = document.into_shape().map_err(in_file)?;
        warnings.print();
        args.rendering.apply(&mut render_question);
        extras.off.clone_from(&render_question.off);
        question = Some(render_question);
    }
    if let Some(path) = &args.model {
        model = Model {
            file: Some(path.clone()),
            ..Model::default()
        };
        extras.family = None;
    }
    if args.name.is_some() || args.family.is_some() {
        model = Model {
            name: args.name.clone(),
            ..Model::default()
        };
        extras.family.clone_from(&args.family);
    }
    if let Some(path) = &args.against {
        extras.against = Some(StrictObject(Model {
            file: Some(path.clone()),
            ..Model::default()
        }));
    }
    let tokenizer = match tokenizer_override {
        Some(tokenizer_override) => tokenizer_override,
        None => Arc::new(ModelTokenizer::of_model(
            model.file.as_deref().or(model.model_path.as_deref()),
        )),
    };
    let context = InspectContext {
        inspector: &Inspector::default(),
        clock: &WallClock::default(),
        tokenizer: &tokenizer,
    };
    let template_file = args.model.as_ref().or(args.conversation.as_ref());
    let template_file = template_file
        .map(|path| input::name_of(path))
        .unwrap_or_default();
    let question_file = args.conversation.as_ref().or(args.model.as_ref());
    let question_file = question_file
        .map(|path| input::name_of(path))
        .unwrap_or_default();
    let metadata = load_metadata(&model, extras.family.as_deref())?;
    let source = metadata.template.clone().unwrap_or_default();
    if metadata == ModelMetadata::default() {
        output::note(&rendering::default_family("--name, --family or a model"));
    }
    if metadata.own_template().is_none() && extras.against.is_none() {
        args.rendering.refuse_unused_by(metadata.config().family)?;
    }
    if let Some(source) = metadata.own_template() {
        args.rendering.template.note_unread(source);
    }
    let mut warnings = args.strict.warnings();
    warn_of_unknown_paths(&model, &extras, &mut warnings)?;
    warn_of_generic_format(&metadata, &extras, &mut warnings)?;
    warnings.print();
    let answer = context.answer(metadata, question.as_ref(), &extras, |error| {
        Failure::query(&template_file, &question_file, &source, error)
    })?;
    if let Some(reason) = tokenizer.unusable() {
        output::warning(&format!("tokens are estimated: {reason}"));
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
fn load_metadata(model: &Model, family: Option<&str>) -> Result<ModelMetadata, Failure> {
    let mut metadata = ModelMetadata {
        template: model.template.clone(),
        ..ModelMetadata::default()
    };
    if let Some(name) = family {
        metadata.family = Some(answer::family_named(name)?);
    }
    if let Some(name) = &model.name {
        let named_model = named(name);
        if named_model.config().family == Family::Generic {
            let message = format!(
                "no family is known for a model named {name:?}: give its folder or template, or a \
                 family with --family"
            );
            return Err(Failure::input("unknown_model", message));
        }
        metadata = metadata.or(named_model);
    }
    if let Some(config) = &model.config {
        metadata = metadata.or(ModelMetadata::from_config(config));
    }
    if let Some(path) = &model.file {
        metadata = metadata.or(chat_template::model(path)?);
    }
    if let Some(path) = &model.model_path {
        let found = match model.unknown_path() {
            Some(path) if metadata == ModelMetadata::default() => {
                let message = format!(
                    "model_path {path:?}: there is no such file, and no family is known for a model of \
                     that name; check the path, or give a \"template\""
                );
                return Err(Failure::input("unknown_model", message));
            }
            _ if path.exists() => chat_template::model_file(path)?,
            _ => named(&path.display().to_string()),
        };
        metadata = metadata.or(found);
    }
    Ok(metadata)
}

/// The metadata of which only the name is known.
fn named(name: &str) -> ModelMetadata {
    ModelMetadata {
        name: name.to_owned(),
        ..ModelMetadata::default()
    }
}

/// Warns about paths of no file and no known model beside what describes a model otherwise; without, they
/// are errors.
fn warn_of_unknown_paths(
    model: &Model,
    extras: &Extras,
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    let other = extras.against.as_ref().map(|StrictObject(other)| other);
    let other = other.filter(|other| other.template.is_some() || other.config.is_some());
    let models = [model].into_iter().chain(other);
    for path in models.filter_map(Model::unknown_path) {
        let message = format!(
            "model_path {path:?} is neither a file nor the name of a known model: nothing is read from \
             it"
        );
        warnings.add("unknown_model", message)?;
    }
    Ok(())
}

/// Warns if the built-in format of the model's family is inspected or compared with, and it has none.
fn warn_of_generic_format(
    metadata: &ModelMetadata,
    extras: &Extras,
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    let other = extras.against.as_ref();
    let compared = other.is_some_and(|StrictObject(other)| other.is_builtin_format());
    match metadata.own_template().is_none() || compared {
        true => rendering::warn_of_generic_format(metadata.config().family, warnings),
        false => Ok(()),
    }
}

/// Settings shared by all queries.
struct InspectContext<'a> {
    inspector: &'a Inspector,
    clock: &'a WallClock,
    tokenizer: &'a ModelTokenizer,
}

impl InspectContext<'_> {
    fn answer(
        &self,
        metadata: ModelMetadata,
        question: Option<&RenderQuestion>,
        extras: &Extras,
        failed: impl Fn(AskError) -> Failure,
    ) -> Result<Answer, Failure> {
        let report = Answerer::inspect(&metadata).map_err(&failed)?;
        let request = question
            .map(|question| self.build_request(metadata.own_template(), question, extras))
            .transpose()
            .map_err(&failed)?;
        let conversation = request.as_ref().map(|request| {
            let counter = self.tokenizer.counter();
            self.inspector.conversation(&metadata, request, &counter)
        });
        let against = match &extras.against {
            Some(StrictObject(other)) => Some(self.against(&metadata, other, request.as_ref())?),
            None => None,
        };
        Ok(Answer {
            report,
            conversation,
            against,
        })
    }

    fn build_request(
        &self,
        template: Option<&str>,
        question: &RenderQuestion,
        extras: &Extras,
    ) -> Result<ConversationQuery, AskError> {
        let clock = self.clock;
        let local = |moment, offset| clock.local(moment, offset);
        let off = match question.polyfill {
            Some(false) => Step::ALL.to_vec(),
            _ => answer::steps(extras.off.as_deref().unwrap_or_default())?,
        };
        Ok(ConversationQuery {
            request: question.request(template, clock.now(), &local)?,
            off,
        })
    }

    fn against(
        &self,
        metadata: &ModelMetadata,
        other: &Model,
        request: Option<&ConversationQuery>,
    ) -> Result<Vec<ChatTrial>, Failure> {
        let right = if other.is_builtin_format() {
            ModelMetadata {
                family: Some(metadata.config().family),
                ..ModelMetadata::default()
            }
        } else {
            load_metadata(other, None)?
        };
        let base =
            RenderQuestion::default().request(None, self.clock.now(), &|moment, _| moment)?;
        let base = request.map_or(base, |request| request.request.clone());
        Ok(self.inspector.against(metadata, &right, request, &base))
    }
}

/// Inspects batch lines and caches compiled templates.
struct Lines {
    inspector: Inspector,
    clock: WallClock,
    tokenizer_override: Option<Arc<ModelTokenizer>>,
}

impl Lines {
    fn answer(&self, document: Document<'_>, warnings: &mut Warnings) -> Result<Answer, Failure> {
        let model: Model = document.shape()?;
        let mut extras: Extras = document.shape()?;
        let question: Option<RenderQuestion> = match document.has("messages") {
            true => Some(document.into_shape()?),
            false => None,
        };
        if question.is_none() {
            extras.family = None;
        }
        let tokenizer = match &self.tokenizer_override {
            Some(tokenizer_override) => Arc::clone(tokenizer_override),
            None if question.is_some() => {
                Arc::new(ModelTokenizer::of_model(model.model_path.as_deref()))
            }
            None => Arc::new(ModelTokenizer::of_model(None)),
        };
        let context = InspectContext {
            inspector: &self.inspector,
            clock: &self.clock,
            tokenizer: &tokenizer,
        };
        let metadata = load_metadata(&model, extras.family.as_deref())?;
        if metadata == ModelMetadata::default() && question.is_none() {
            let message =
                "nothing names a model: give a \"template\", a \"config\" or a \"model_path\"";
            return Err(Failure::input("unknown_model", message));
        }
        warn_of_unknown_paths(&model, &extras, warnings)?;
        warn_of_generic_format(&metadata, &extras, warnings)?;
        context.answer(metadata, question.as_ref(), &extras, Failure::from)
    }
}
