//! What a chat template is applied to, and the steps transformers takes around the rendering:
//! reasoning under all of its names, and a final message that is continued instead of closed.

use serde_json::{Map, Value as Json};

use promptdeck_jinja::{
    self as jinja, LimitPool, Limits, Moment, Rendered, Template, TextPool, Variables,
};

/// Put behind the final message so that the place to cut at is found again after rendering.
const CONTINUE_TAG: &str = "CONTINUE_FINAL_MESSAGE_TAG ";

/// The names under which templates ask whether the model is to think, the most common first.
pub const THINKING_SWITCHES: [&str; 2] = ["enable_thinking", "thinking"];

/// The names reasoning goes by, the standard one first.
pub const REASONING: [&str; 3] = ["reasoning_content", "thinking", "reasoning"];

/// Why a conversation cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The template failed.
    #[error(transparent)]
    Template(#[from] jinja::Error),
    /// A message is not an object.
    #[error("message {} is not an object with a role and a content", .index + 1)]
    NotAMessage {
        /// Index of the message, counted from 0.
        index: usize,
    },
    /// The final message cannot be continued.
    #[error("the final message cannot be continued: {0}")]
    Continue(String),
}

impl RenderError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Template(error) => error.code(),
            Self::NotAMessage { .. } => "not_a_message",
            Self::Continue(_) => "cannot_continue",
        }
    }
}

/// Everything a rendering depends on but the template.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The conversation, in the shape of the `OpenAI` API.
    pub messages: Vec<Json>,
    /// Tool definitions; `None` is given to the template as `none`.
    pub tools: Option<Json>,
    /// Whether the text ends where the model is to begin.
    pub add_generation_prompt: bool,
    /// The token texts begin with; not defined when `None`.
    pub bos_token: Option<String>,
    /// The token texts end with; not defined when `None`.
    pub eos_token: Option<String>,
    /// Further variables, such as `documents` or `enable_thinking`.
    pub extra: Map<String, Json>,
    /// Whether the model is to think; given to a template under every name of
    /// [`THINKING_SWITCHES`] that `extra` does not set. Not defined when `None`.
    pub thinking: Option<bool>,
    /// The clock of the rendering; a template that asks for the time fails without one.
    pub now: Option<Moment>,
    /// The field of the final message that the model continues, usually `content`.
    pub continue_field: Option<String>,
    /// Whether reasoning is given under all of its names, as transformers 5.2 does.
    pub alias_reasoning: bool,
    /// What the template may use at most.
    pub limits: Limits,
    /// What it may use together with other renderings, where it is one of several.
    pub pool: Option<LimitPool>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            messages: Vec::new(),
            tools: None,
            add_generation_prompt: false,
            bos_token: None,
            eos_token: None,
            extra: Map::new(),
            thinking: None,
            now: None,
            continue_field: None,
            alias_reasoning: true,
            limits: Limits::default(),
            pool: None,
        }
    }
}

/// The text to go on from, and the field it was found in.
struct Continued {
    text: String,
}

impl Request {
    /// A request over messages, everything else as transformers has it by default.
    #[must_use]
    pub fn of(messages: Vec<Json>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }

    /// Whether the model is to think: by a variable in `extra`, otherwise by `thinking`.
    #[must_use]
    pub fn thinking_switch(&self) -> Option<bool> {
        let set = |name: &&str| self.extra.get(*name).and_then(Json::as_bool);
        THINKING_SWITCHES.iter().find_map(set).or(self.thinking)
    }

    /// The text the template gives.
    ///
    /// # Errors
    /// Where transformers raises an error, and when a limit is reached.
    pub fn render(&self, template: &Template) -> Result<String, RenderError> {
        let (variables, continued) = self.prepare(template)?;
        let text = template.render_within(&variables, self.now, self.limits, self.pool.as_ref())?;
        match continued {
            Some(continued) => continued.cut(text),
            None => Ok(text),
        }
    }

    /// As [`Request::render`], over messages that are values already, in the place of
    /// [`Request::messages`]. Their reasoning stands under the names of [`REASONING`] that the caller
    /// gave, and the final message is not continued.
    ///
    /// # Errors
    /// As [`Request::render`].
    pub fn render_values(
        &self,
        template: &Template,
        messages: Vec<jinja::Value>,
    ) -> Result<String, RenderError> {
        let mut variables = self.variables_around()?;
        variables.set("messages", jinja::Value::list(messages)?);
        let pool = self.pool.as_ref();
        Ok(template.render_within(&variables, self.now, self.limits, pool)?)
    }

    /// The value of a message as a template sees it: with [`Request::alias_reasoning`], its reasoning
    /// under all of its names.
    ///
    /// # Errors
    /// When it nests too deep.
    pub fn value_of(&self, message: &Map<String, Json>) -> Result<jinja::Value, RenderError> {
        let aliased = self
            .alias_reasoning
            .then(|| with_aliases(message))
            .flatten();
        let message = Json::Object(aliased.unwrap_or_else(|| message.clone()));
        Ok(jinja::Value::from_json(&message)?)
    }

    /// As [`Request::render`], with where every part of the text came from. The spans and
    /// what is marked as generated end where a continued message is cut.
    ///
    /// # Errors
    /// As [`Request::render`].
    pub fn trace(&self, template: &Template) -> Result<Rendered, RenderError> {
        let (variables, continued) = self.prepare(template)?;
        let mut rendered = template.trace(&variables, self.now, self.limits, self.pool.as_ref())?;
        if let Some(continued) = continued {
            rendered.text = continued.cut(rendered.text)?;
            let end = rendered.text.len();
            rendered.spans.retain(|span| span.start < end);
            for span in &mut rendered.spans {
                span.end = span.end.min(end);
            }
            rendered.generations.retain(|(start, _)| *start < end);
            for (_, generation_end) in &mut rendered.generations {
                *generation_end = (*generation_end).min(end);
            }
        }
        Ok(rendered)
    }

    /// Refuses messages that are no objects.
    ///
    /// # Errors
    /// With the index of the first one.
    pub(super) fn check_messages(&self) -> Result<(), RenderError> {
        match self
            .messages
            .iter()
            .position(|message| !message.is_object())
        {
            Some(index) => Err(RenderError::NotAMessage { index }),
            None => Ok(()),
        }
    }

    /// A message as the template sees it.
    pub(super) fn message_value(
        &self,
        index: usize,
        texts: &mut TextPool,
    ) -> Result<jinja::Value, RenderError> {
        let message = self.messages.get(index);
        let Some(message @ Json::Object(fields)) = message else {
            return Err(RenderError::NotAMessage { index });
        };
        Ok(
            match self.alias_reasoning.then(|| with_aliases(fields)).flatten() {
                Some(aliased) => jinja::Value::from_json_with(&Json::Object(aliased), texts)?,
                None => jinja::Value::from_json_with(message, texts)?,
            },
        )
    }

    /// Everything the template is given but the messages.
    pub(super) fn variables_around(&self) -> Result<Variables, RenderError> {
        let mut variables = Variables::default();
        variables.set_json("documents", &Json::Null)?;
        if let Some(thinking) = self.thinking {
            for name in THINKING_SWITCHES {
                variables.set_json(name, &Json::Bool(thinking))?;
            }
        }
        for (name, value) in &self.extra {
            variables.set_json(name, value)?;
        }
        for (name, token) in [
            ("bos_token", &self.bos_token),
            ("eos_token", &self.eos_token),
        ] {
            if let Some(token) = token {
                variables.set(name, token.as_str());
            }
        }
        variables.set_json("tools", self.tools.as_ref().unwrap_or(&Json::Null))?;
        variables.set_json(
            "add_generation_prompt",
            &Json::Bool(self.add_generation_prompt),
        )?;
        Ok(variables)
    }

    fn prepare(&self, template: &Template) -> Result<(Variables, Option<Continued>), RenderError> {
        let mut messages = Vec::with_capacity(self.messages.len());
        let mut texts = TextPool::default();
        for index in 0..self.messages.len() {
            messages.push(self.message_value(index, &mut texts)?);
        }
        let continued = match &self.continue_field {
            None => None,
            Some(_) if self.add_generation_prompt => {
                return Err(RenderError::Continue(
                    "a generation prompt is set as well; use only one of the two".into(),
                ));
            }
            Some(field) => {
                let Some(Json::Object(last)) = self.messages.last() else {
                    return Err(RenderError::Continue("there is no message".into()));
                };
                let aliased = self.alias_reasoning.then(|| with_aliases(last)).flatten();
                let mut last = aliased.unwrap_or_else(|| last.clone());
                let continued = tag_final(&mut last, field, template)?;
                messages.pop();
                messages.push(jinja::Value::from_json(&Json::Object(last))?);
                Some(continued)
            }
        };
        let mut variables = self.variables_around()?;
        variables.set("messages", jinja::Value::list(messages)?);
        Ok((variables, continued))
    }
}

/// A message whose reasoning stands under all the names templates look for, `thinking` first;
/// `None` when it has none.
fn with_aliases(message: &Map<String, Json>) -> Option<Map<String, Json>> {
    // Going through the few fields of a message is faster than looking for three.
    message.keys().find(|name| REASONING.contains(&&***name))?;
    let mut values = REASONING.iter().filter_map(|name| message.get(*name));
    let reasoning = values.find(|value| !value.is_null()).cloned()?;
    let mut aliased = Map::with_capacity(message.len() + 2);
    aliased.insert("thinking".into(), reasoning.clone());
    for (name, value) in message {
        aliased.insert(name.clone(), value.clone());
    }
    aliased.insert("reasoning_content".into(), reasoning);
    Some(aliased)
}

/// Tags the end of the final message.
fn tag_final(
    message: &mut Map<String, Json>,
    field: &str,
    template: &Template,
) -> Result<Continued, RenderError> {
    let refuse = |reason: &str| Err(RenderError::Continue(reason.to_owned()));
    let Some(content) = message.get(field).filter(|value| !value.is_null()).cloned() else {
        return refuse(&format!("it has no {field}"));
    };
    let fields: Vec<&str> = match REASONING.contains(&field) {
        true => {
            let same = |name: &&&str| message.get(**name) == Some(&content);
            REASONING.iter().filter(same).copied().collect()
        }
        false => vec![field],
    };
    if !fields.iter().any(|name| template.source().contains(name)) {
        return refuse(&format!("the template does not use its {field}"));
    }
    match content {
        Json::String(text) => {
            for name in fields {
                message.insert(
                    name.to_owned(),
                    Json::String(format!("{text}{CONTINUE_TAG}")),
                );
            }
            Ok(Continued { text })
        }
        Json::Array(mut parts) => {
            let mut texts = parts.iter_mut().rev().filter_map(Json::as_object_mut);
            let Some(part) = texts.find(|part| part.contains_key("text")) else {
                return refuse("no part of it is text");
            };
            let Some(Json::String(text)) = part.get("text").cloned() else {
                return refuse("the text of its last part is not a text");
            };
            part.insert("text".into(), Json::String(format!("{text}{CONTINUE_TAG}")));
            message.insert(field.to_owned(), Json::Array(parts));
            Ok(Continued { text })
        }
        _ => refuse(&format!("its {field} is not a text")),
    }
}

impl Continued {
    /// Cuts the text where the final message ends.
    fn cut(&self, text: String) -> Result<String, RenderError> {
        let tag = CONTINUE_TAG.trim_end();
        let found = text.rfind(tag).filter(|_| text.contains(self.text.trim()));
        let Some(at) = found else {
            return Err(RenderError::Continue(
                "the template does not print it in full".to_owned(),
            ));
        };
        let retained_text = &text[..at];
        Ok(if text[at..].starts_with(CONTINUE_TAG) {
            retained_text.to_owned()
        } else {
            // The template trimmed the message, so its own trailing space is gone as well.
            retained_text.trim_end().to_owned()
        })
    }
}
