//! `chat inspect`: what a template, a model folder or a GGUF file can do, what it makes of a
//! conversation, and how it differs from another.

mod shown;

use std::{io, path::PathBuf, sync::Arc};

use clap::builder::PossibleValuesParser;
use promptdeck_core::chat::{
    Family,
    answer::{Answerer, AskError, InspectAnswer, RenderQuestion},
    brought::Brought,
    polyfill::Step,
};
use promptdeck_model::folder;
use promptdeck_service::{
    WallClock,
    chat::inspector::{Asked, Conversation, Inspector},
    wire::ChatTrial,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    args::Format,
    batch::{self, Worker},
    failure::Failure,
    input,
    object::Object,
    output::{Outcome, Output},
    tokenizer::ModelTokenizer,
};

/// The word for the builtin format of a model's own family.
const BUILTIN: &str = "builtin";

/// Flags of `chat inspect`.
#[derive(Debug, clap::Args)]
pub struct InspectArgs {
    /// A template, a model folder, a GGUF file, or the name of a model.
    #[arg(required_unless_present_any = ["batch", "conversation"], conflicts_with = "batch")]
    model: Option<PathBuf>,
    /// Write this conversation down and tell which message and which line of the template made
    /// every byte of it: a JSON file such as `chat render` takes; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    conversation: Option<PathBuf>,
    /// Switch a polyfill off; may be given several times.
    #[arg(long, value_name = "POLYFILL", requires = "conversation",
          value_parser = PossibleValuesParser::new(Step::ALL.map(Step::name)))]
    without: Vec<String>,
    /// Give reasoning under the name it was written with alone.
    #[arg(long, requires = "conversation")]
    no_alias_reasoning: bool,
    /// Compare with another template, model folder, GGUF file or name of a model, over the
    /// conversation and over test conversations; `builtin` is the family's builtin format.
    #[arg(long, value_name = "MODEL", conflicts_with = "batch")]
    against: Option<PathBuf>,
    /// Count tokens with this tokenizer: a `tokenizer.json`, `o200k_base`, `cl100k_base`, or an
    /// estimate. Without it the one in the model's folder or beside its file counts.
    #[arg(long, value_name = "FILE|NAME")]
    tokenizer: Option<String>,
    /// Answer questions given as JSON lines on standard input.
    #[arg(long)]
    batch: bool,
    /// How the report is printed.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// What is inspected.
#[derive(Debug, Default, Deserialize)]
struct Model {
    template: Option<String>,
    config: Option<Value>,
    model_path: Option<PathBuf>,
}

/// What a question asks beyond what the model can do.
#[derive(Debug, Default, Deserialize)]
struct More {
    messages: Option<Value>,
    family: Option<String>,
    #[serde(default)]
    off: Vec<String>,
    against: Option<Object<Model>>,
}

/// An answer: the report, and what was asked beyond it.
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
pub fn run(args: &InspectArgs, out: &mut Output) -> Result<Outcome, Failure> {
    let chosen = match &args.tokenizer {
        Some(name) => Some(Arc::new(ModelTokenizer::chosen(name)?)),
        None => None,
    };
    if args.batch {
        return batch::run(
            move || Lines {
                inspector: Inspector::default(),
                clock: WallClock::default(),
                chosen: chosen.clone(),
            },
            out,
        );
    }
    let (mut model, mut question) = (Model::default(), None);
    let mut more = More::default();
    if let Some(path) = &args.conversation {
        let bytes = input::read(path)?;
        let unreadable = |error: serde_json::Error| {
            let name = input::name_of(path);
            Failure::input(
                "invalid_json",
                format!("{name}: not a conversation: {error}"),
            )
        };
        Object(model) = serde_json::from_slice(&bytes).map_err(unreadable)?;
        Object(more) = serde_json::from_slice(&bytes).map_err(unreadable)?;
        let Object(mut asked): Object<RenderQuestion> =
            serde_json::from_slice(&bytes).map_err(unreadable)?;
        if args.no_alias_reasoning {
            asked.alias_reasoning = Some(false);
        }
        more.off.extend(args.without.iter().cloned());
        question = Some(asked);
    }
    if let Some(path) = &args.model {
        model = Model {
            model_path: Some(path.clone()),
            ..Model::default()
        };
        more.family = None;
    }
    if let Some(path) = &args.against {
        more.against = Some(Object(Model {
            model_path: Some(path.clone()),
            ..Model::default()
        }));
    }
    let tokenizer = match chosen {
        Some(chosen) => chosen,
        None => Arc::new(ModelTokenizer::of_model(model.model_path.as_deref())),
    };
    let asking = Asking {
        inspector: &Inspector::default(),
        clock: &WallClock::default(),
        tokenizer: &tokenizer,
    };
    let named = args.model.as_ref().or(args.conversation.as_ref());
    let named = named.map(|path| input::name_of(path)).unwrap_or_default();
    let brought = brought(model, more.family.as_deref())?;
    let source = brought.template.clone().unwrap_or_default();
    let answer = asking.answer(brought, question.as_ref(), &more, |error| {
        Failure::asked(&named, &source, error)
    })?;
    if let Some(why) = tokenizer.unusable() {
        crate::output::warning(&format!("tokens are estimated: {why}"));
    }
    match args.format {
        Format::Json => out.json(&answer)?,
        Format::Text => out.report(&shown::report(&answer))?,
    }
    let problem = answer.conversation.as_ref().map(Conversation::failed);
    Ok(match problem {
        Some(true) => Outcome::Problems,
        _ => Outcome::Done,
    })
}

/// What a model brings, by what is said of it.
fn brought(model: Model, family: Option<&str>) -> Result<Brought, Failure> {
    let mut brought = Brought {
        template: model.template,
        ..Brought::default()
    };
    if let Some(name) = family {
        let known = Family::named(name);
        brought.family = Some(known.ok_or_else(|| {
            AskError::Question(format!(
                "there is no family {name:?}; give one such as QWEN_2_X, or a template"
            ))
        })?);
    }
    if let Some(config) = &model.config {
        brought = brought.or(Brought::from_config(config));
    }
    if let Some(path) = &model.model_path {
        let found =
            folder::read(path).map_err(|error| Failure::input(error.code(), error.to_string()))?;
        brought = brought.or(found);
    }
    Ok(brought)
}

/// What questions are answered with.
struct Asking<'a> {
    inspector: &'a Inspector,
    clock: &'a WallClock,
    tokenizer: &'a ModelTokenizer,
}

impl Asking<'_> {
    fn answer(
        &self,
        brought: Brought,
        question: Option<&RenderQuestion>,
        more: &More,
        failed: impl Fn(AskError) -> Failure,
    ) -> Result<Answer, Failure> {
        let report = Answerer::inspect(&brought).map_err(failed)?;
        let asked = question
            .map(|question| self.asked(question, more))
            .transpose()?;
        let conversation = asked.as_ref().map(|asked| {
            let counter = self.tokenizer.counter();
            self.inspector.conversation(&brought, asked, &counter)
        });
        let against = match &more.against {
            Some(Object(other)) => Some(self.against(&brought, other, asked.as_ref())?),
            None => None,
        };
        Ok(Answer {
            report,
            conversation,
            against,
        })
    }

    fn asked(&self, question: &RenderQuestion, more: &More) -> Result<Asked, Failure> {
        let clock = self.clock;
        let local = |moment, offset| clock.local(moment, offset);
        let named = |name: &String| {
            Step::named(name).ok_or_else(|| {
                let known = Step::ALL.map(Step::name).join(", ");
                AskError::Question(format!("there is no polyfill {name:?}; there are {known}"))
            })
        };
        let off = match question.polyfill {
            Some(false) => Step::ALL.to_vec(),
            _ => more.off.iter().map(named).collect::<Result<_, _>>()?,
        };
        Ok(Asked {
            request: question.request(clock.now(), &local)?,
            off,
        })
    }

    fn against(
        &self,
        brought: &Brought,
        other: &Model,
        asked: Option<&Asked>,
    ) -> Result<Vec<ChatTrial>, Failure> {
        let is_builtin = |path: &PathBuf| path.as_os_str() == BUILTIN && !path.exists();
        let right = if other.model_path.as_ref().is_some_and(is_builtin) {
            Brought {
                family: Some(brought.config().family),
                ..Brought::default()
            }
        } else {
            self::brought(
                Model {
                    template: other.template.clone(),
                    config: other.config.clone(),
                    model_path: other.model_path.clone(),
                },
                None,
            )?
        };
        let base = RenderQuestion::default().request(self.clock.now(), &|moment, _| moment)?;
        let base = asked.map_or(base, |asked| asked.request.clone());
        Ok(self.inspector.against(brought, &right, asked, &base))
    }
}

/// Inspects lines; keeps the templates it compiled.
struct Lines {
    inspector: Inspector,
    clock: WallClock,
    chosen: Option<Arc<ModelTokenizer>>,
}

impl Worker for Lines {
    fn answer(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
        let model: Model = super::question(line)?;
        let mut more: More = super::question(line)?;
        let own = more.messages.as_ref().is_some_and(|own| !own.is_null());
        let question: Option<RenderQuestion> = match own {
            true => Some(super::question(line)?),
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
        let brought = brought(model, more.family.as_deref())?;
        let given = asking.answer(brought, question.as_ref(), &more, Failure::from)?;
        Ok(serde_json::to_writer(answer, &given).map_err(io::Error::from)?)
    }
}
