//! Answers to questions in JSON about chat templates: one object in, one answer out. The
//! batches of `promptdeck chat` use it; the caller reads files and the clock.

use std::collections::HashMap;
use std::sync::Arc;

use promptdeck_jinja::{Error, Moment, Template};
use promptdeck_json::nearest::did_you_mean;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::capability::Capabilities;
use super::detect::ModelConfig;
use super::extract::{self, Extracted, Markers};
use super::factory;
use super::family::Family;
use super::format::ChatFormat;
use super::inspect::{Inspection, inspect};
use super::message;
use super::message_keys::{self, MessageFault};
use super::misspelled::{self, Misspelled};
use super::model_metadata::ModelMetadata;
use super::polyfill::{Step, polyfill};
use super::probe;
use super::request::{RenderError, Request};
use super::unread::{self, Reads, Tokens, UnreadVariable};
use crate::timestamp::{self as moment, MomentError};

/// Compiled templates that are kept for the next question.
const KEPT: usize = 128;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The question itself is wrong.
    #[error("{0}")]
    Question(String),
    /// The rendering failed.
    #[error(transparent)]
    Render(#[from] RenderError),
}

impl AskError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Question(_) => "invalid_question",
            Self::Render(error) => error.code(),
        }
    }

    /// The error of the template, when it is one.
    #[must_use]
    pub fn template_error(&self) -> Option<&Error> {
        match self {
            Self::Render(RenderError::Template(error)) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for AskError {
    fn from(error: Error) -> Self {
        Self::Render(error.into())
    }
}

/// A question for `chat render`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RenderQuestion {
    /// The text of a template.
    pub template: Option<String>,
    /// A family, for its builtin format.
    pub family: Option<String>,
    /// The conversation.
    pub messages: Vec<Json>,
    /// The tools offered.
    pub tools: Option<Json>,
    /// Whether the text ends where the model is to begin.
    pub add_generation_prompt: Option<bool>,
    /// The token texts begin with.
    pub bos_token: Option<String>,
    /// The token texts end with.
    pub eos_token: Option<String>,
    /// Further variables.
    pub extra: Option<Map<String, Json>>,
    /// Whether the model is to think; a variable in `extra` takes precedence.
    pub thinking: Option<bool>,
    /// The clock, in ISO 8601.
    pub now: Option<String>,
    /// `true`, or the name of a field.
    pub continue_final_message: Option<Json>,
    /// Whether the conversation is changed to what the template can show.
    pub polyfill: Option<bool>,
    /// The polyfills that are switched off, by name.
    pub off: Option<Vec<String>>,
    /// Whether reasoning is given under all of its names; it is when this is absent.
    pub alias_reasoning: Option<bool>,
}

/// The answer to a [`RenderQuestion`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RenderAnswer {
    ok: bool,
    /// The exact text.
    pub output: String,
    /// What is odd about the messages.
    #[serde(skip)]
    pub faults: Vec<MessageFault>,
}

/// The names in a conversation's template and in its further variables that do not fit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnmatchedNames {
    /// The names of the template that are probably misspelled.
    pub misspelled: Arc<[Misspelled]>,
    /// The further variables that have no effect.
    pub unread: Vec<UnreadVariable>,
}

/// The answer of `chat inspect`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InspectAnswer {
    ok: bool,
    /// The report.
    #[serde(flatten)]
    pub inspection: Inspection,
}

/// A question for `chat extract`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ExtractQuestion {
    /// The template whose markers count.
    pub template: Option<String>,
    /// The markers themselves: begin and end of the final channel, as an object or a pair.
    pub markers: Option<Json>,
    /// What the model wrote.
    pub output: String,
}

/// The answer to an [`ExtractQuestion`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExtractAnswer {
    ok: bool,
    /// The answer taken apart.
    #[serde(flatten)]
    pub extracted: Extracted,
}

/// How the clock of a question is read: the moment, and its offset from UTC in seconds if it has
/// one.
pub type ToLocal<'a> = &'a dyn Fn(Moment, i32) -> Moment;

/// Answers questions and remembers the templates it compiled.
#[derive(Default)]
pub struct Answerer {
    templates: HashMap<String, Arc<Template>>,
    capabilities: HashMap<String, Capabilities>,
    /// By template: the variables that were given, and what is misspelled beside them.
    misspelled: HashMap<String, (Vec<String>, Arc<[Misspelled]>)>,
    /// By template: the variables that it reads.
    reads: HashMap<String, Arc<[String]>>,
}

impl Answerer {
    fn template(&mut self, source: &str) -> Result<Arc<Template>, AskError> {
        if let Some(template) = self.templates.get(source) {
            return Ok(Arc::clone(template));
        }
        let template = Arc::new(Template::compile(source)?);
        if self.templates.len() >= KEPT {
            self.templates.clear();
            self.capabilities.clear();
            self.misspelled.clear();
            self.reads.clear();
        }
        self.templates
            .insert(source.to_owned(), Arc::clone(&template));
        Ok(template)
    }

    fn capabilities(&mut self, source: &str, template: &Template) -> Capabilities {
        if let Some(known) = self.capabilities.get(source) {
            return known.clone();
        }
        let (found, _) = probe::probe(template);
        self.capabilities.insert(source.to_owned(), found.clone());
        found
    }

    fn reads(&mut self, source: &str, template: &Template) -> Arc<[String]> {
        if let Some(known) = self.reads.get(source) {
            return Arc::clone(known);
        }
        let found: Arc<[String]> = template.reads().into();
        self.reads.insert(source.to_owned(), Arc::clone(&found));
        found
    }

    fn misspelled(
        &mut self,
        source: &str,
        template: &Template,
        given: Option<&Map<String, Json>>,
    ) -> Arc<[Misspelled]> {
        let given = || given.into_iter().flat_map(Map::keys);
        if let Some((known, found)) = self.misspelled.get(source)
            && known.iter().eq(given())
        {
            return Arc::clone(found);
        }
        let names: Vec<&str> = given().map(String::as_str).collect();
        let found: Arc<[Misspelled]> = misspelled::names(template, &names).into();
        let given = given().cloned().collect();
        self.misspelled
            .insert(source.to_owned(), (given, Arc::clone(&found)));
        found
    }

    /// The names of a conversation that do not fit. The template may fail because of them.
    pub fn unmatched_names(&mut self, question: &RenderQuestion) -> UnmatchedNames {
        let none = Map::new();
        let extra = question.extra.as_ref().unwrap_or(&none);
        let tokens = Tokens {
            bos: question.bos_token.as_deref(),
            eos: question.eos_token.as_deref(),
        };
        let Some(source) = &question.template else {
            let family = question
                .family
                .as_deref()
                .map_or(Some(Family::Generic), Family::named);
            let unread = family.map(|family| {
                let format = factory::builtin(&ModelConfig::of(family));
                let thinks = format.capabilities().supports_thinking;
                unread::variables(extra, tokens, Reads::Builtin { thinks })
            });
            return UnmatchedNames {
                unread: unread.unwrap_or_default(),
                ..UnmatchedNames::default()
            };
        };
        // A template that does not compile, as a family that there is not, is an error of its own.
        let Ok(template) = self.template(source) else {
            return UnmatchedNames::default();
        };
        let mut misspelled = self.misspelled(source, &template, question.extra.as_ref());
        if misspelled.iter().any(|name| question.has_key(&name.name)) {
            let own = misspelled.iter().cloned();
            misspelled = own.filter(|name| !question.has_key(&name.name)).collect();
        }
        let reads = self.reads(source, &template);
        let mut unread = unread::variables(extra, tokens, Reads::Template(&reads));
        // Of a variable and the name that means it one is reported.
        let is_meant = |name: &str| misspelled.iter().any(|found| found.nearest == name);
        unread.retain(|unread| !is_meant(&unread.name));
        UnmatchedNames { misspelled, unread }
    }

    /// Renders a conversation. `now` is the clock of questions without one of their own.
    ///
    /// # Errors
    /// When the question is wrong or the template fails.
    pub fn render(
        &mut self,
        question: RenderQuestion,
        now: Moment,
        to_local: ToLocal<'_>,
    ) -> Result<RenderAnswer, AskError> {
        let request = question.request(question.template.as_deref(), now, to_local)?;
        let wanted = question.polyfill.unwrap_or_default();
        let off = steps(question.off.as_deref().unwrap_or_default())?;
        let output = match &question.template {
            Some(source) => {
                let template = self.template(source)?;
                if wanted {
                    let capabilities = self.capabilities(source, &template);
                    polyfill(&request, &capabilities, &off)
                        .request
                        .render(&template)?
                } else {
                    request.render(&template)?
                }
            }
            None => {
                let family = match &question.family {
                    Some(name) => family_named(name)?,
                    None => Family::Generic,
                };
                factory::builtin_for(family, &request).format_conversation(&request)?
            }
        };
        Ok(RenderAnswer {
            ok: true,
            output,
            faults: message_keys::lint(&question.messages, question.template.as_deref()),
        })
    }

    /// Inspects the template and the metadata of a model.
    ///
    /// # Errors
    /// When the template does not compile.
    pub fn inspect(metadata: &ModelMetadata) -> Result<InspectAnswer, AskError> {
        let inspection = inspect(
            metadata.template.as_deref(),
            &metadata.config(),
            metadata.bos_token.as_deref(),
            metadata.eos_token.as_deref(),
        )?;
        Ok(InspectAnswer {
            ok: true,
            inspection,
        })
    }

    /// Takes an answer of a model apart.
    ///
    /// # Errors
    /// When the markers have no known shape.
    pub fn extract(question: &ExtractQuestion) -> Result<ExtractAnswer, AskError> {
        let markers = match (&question.markers, &question.template) {
            (Some(markers), _) if !markers.is_null() => Some(markers_of(markers)?),
            (_, Some(source)) => Markers::in_template(source),
            _ => None,
        };
        Ok(ExtractAnswer {
            ok: true,
            extracted: extract::extract(&question.output, markers.as_ref()),
        })
    }
}

/// The family of that name.
///
/// # Errors
/// When there is none.
pub fn family_named(name: &str) -> Result<Family, AskError> {
    Family::named(name).ok_or_else(|| AskError::Question(Family::unknown(name)))
}

impl RenderQuestion {
    /// Whether its messages, tools or further variables have this key: a template may read it.
    fn has_key(&self, key: &str) -> bool {
        let extra = self.extra.iter().flat_map(Map::values);
        let values = self.messages.iter().chain(&self.tools).chain(extra);
        values
            .into_iter()
            .any(|value| misspelled::has_key(value, key))
    }

    /// The request that is asked for, before polyfills. `template` is the one that renders it, if
    /// one does; `now` is the clock of a question without one of its own.
    ///
    /// # Errors
    /// When a message, the clock or the field to continue has no known shape.
    pub fn request(
        &self,
        template: Option<&str>,
        now: Moment,
        to_local: ToLocal<'_>,
    ) -> Result<Request, AskError> {
        message::check(&self.messages, template)
            .map_err(|wrong| AskError::Question(wrong.to_string()))?;
        let now = match &self.now {
            None => now,
            Some(text) => match moment::parse_wall_clock(text) {
                Some((moment, None)) => moment,
                Some((moment, Some(offset))) => to_local(moment, offset),
                None => {
                    return Err(AskError::Question(format!(
                        "/now: {} (ISO 8601)",
                        MomentError::of(text)
                    )));
                }
            },
        };
        let continue_field = match &self.continue_final_message {
            None | Some(Json::Null | Json::Bool(false)) => None,
            Some(Json::Bool(true)) => Some("content".to_owned()),
            Some(Json::String(field)) => Some(field.clone()),
            Some(_) => {
                return Err(AskError::Question(
                    "continue_final_message is neither true nor the name of a field".into(),
                ));
            }
        };
        Ok(Request {
            messages: self.messages.clone(),
            tools: self.tools.clone().filter(|tools| !tools.is_null()),
            add_generation_prompt: self.add_generation_prompt.unwrap_or_default(),
            bos_token: self.bos_token.clone(),
            eos_token: self.eos_token.clone(),
            extra: self.extra.clone().unwrap_or_default(),
            thinking: self.thinking,
            now: Some(now),
            continue_field,
            alias_reasoning: self.alias_reasoning.unwrap_or(true),
            ..Request::default()
        })
    }
}

/// The polyfills of those names.
///
/// # Errors
/// When there is no such polyfill.
pub fn steps(names: &[String]) -> Result<Vec<Step>, AskError> {
    let named = |name: &String| {
        Step::named(name).ok_or_else(|| {
            let known = Step::ALL.map(Step::name);
            AskError::Question(format!(
                "there is no polyfill {name:?}; there are {}{}",
                known.join(", "),
                did_you_mean(name, known)
            ))
        })
    };
    names.iter().map(named).collect()
}

/// What the marker that begins the final channel is called.
const BEGIN_NAMES: [&str; 3] = ["channel_extract_marker", "extract", "start"];
/// What the marker that ends it is called.
const END_NAMES: [&str; 3] = ["channel_end_marker", "end", "stop"];

fn markers_of(markers: &Json) -> Result<Markers, AskError> {
    let found = match markers {
        Json::Array(pair) => match pair.as_slice() {
            [Json::String(extract), Json::String(end)] => Markers {
                extract: extract.clone(),
                end: end.clone(),
            },
            _ => {
                return Err(AskError::Question(
                    "a list of markers is a pair of texts, begin and end of the final channel"
                        .to_owned(),
                ));
            }
        },
        Json::Object(members) => {
            let known = || BEGIN_NAMES.into_iter().chain(END_NAMES);
            for (name, marker) in members {
                if !known().any(|known| known == name) {
                    return Err(AskError::Question(format!(
                        "markers have no {name:?}: they are channel_extract_marker and \
                         channel_end_marker{}",
                        did_you_mean(name, known())
                    )));
                }
                if !marker.is_string() && !marker.is_null() {
                    return Err(AskError::Question(format!(
                        "{name} of the markers is a text"
                    )));
                }
            }
            let text = |names: [&str; 3]| {
                let found = names.iter().find_map(|name| members.get(*name)?.as_str());
                found.unwrap_or_default().to_owned()
            };
            Markers {
                extract: text(BEGIN_NAMES),
                end: text(END_NAMES),
            }
        }
        _ => {
            return Err(AskError::Question(
                "markers are an object or a pair of texts".to_owned(),
            ));
        }
    };
    if found.extract.is_empty() {
        return Err(AskError::Question(
            "markers name no channel_extract_marker, such as <|channel|>final<|message|>".into(),
        ));
    }
    Ok(found)
}
