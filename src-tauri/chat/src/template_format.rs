//! The format of a model with a chat template.

use std::sync::{Mutex, PoisonError};

use promptdeck_jinja::{LimitPool, Template};
use serde_json::{Value as Json, json};

use super::capability::Capabilities;
use super::detect::ModelConfig;
use super::family::Family;
use super::format::ChatFormat;
use super::incremental::{Incremental, RenderDelta};
use super::message::{Message, Tool};
use super::probe::{self, Proof};
use super::request::{RenderError, Request};

/// A format made of a template, probed once when it is made.
pub struct TemplateFormat {
    template: Template,
    config: ModelConfig,
    bos_token: Option<String>,
    eos_token: Option<String>,
    capabilities: Capabilities,
    proofs: Vec<Proof>,
    generation_prompt: String,
    end_tag: String,
    /// What probing has left of an inspection's budget.
    pool: LimitPool,
    /// Whether the probes needed more than their part of it, so that not all were made.
    probes_stopped: bool,
    incremental: Mutex<Incremental>,
}

/// How many renderings, at their limits, an inspection may take: those of the template alone, and
/// those of a conversation (its text without and with a generation prompt, the check message by
/// message, and the variables).
const INSPECTION: u64 = 5;

/// How many of them the probes may take.
const PROBES: u64 = 1;

impl TemplateFormat {
    /// Makes the format of a template.
    #[must_use]
    pub fn new(
        template: Template,
        config: ModelConfig,
        eos_token: Option<&str>,
        bos_token: Option<&str>,
    ) -> Self {
        let budget = LimitPool::new(INSPECTION);
        let pool = budget.part(PROBES);
        let tools = probe::needed_tools(&template, &pool);
        let (capabilities, proofs) = probe::probe_within(&template, tools.clone(), &pool);
        let base = Request {
            bos_token: bos_token.map(str::to_owned),
            eos_token: eos_token.map(str::to_owned),
            now: probe::moment(),
            tools,
            pool: Some(pool.clone()),
            ..Request::default()
        };
        Self {
            generation_prompt: probe::generation_prompt(&template, &capabilities, &base),
            end_tag: probe::end_tag(&template, &capabilities, &base),
            bos_token: base.bos_token,
            eos_token: base.eos_token,
            template,
            config,
            capabilities,
            proofs,
            probes_stopped: pool.is_exhausted(),
            pool: budget,
            incremental: Mutex::default(),
        }
    }

    /// The template.
    #[must_use]
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// What the capabilities were told by.
    #[must_use]
    pub fn proofs(&self) -> &[Proof] {
        &self.proofs
    }

    /// The special tokens: of the beginning and of the end.
    pub(super) fn tokens(&self) -> (Option<&str>, Option<&str>) {
        (self.bos_token.as_deref(), self.eos_token.as_deref())
    }

    /// The budget of one inspection: what its report and everything that is rendered about a
    /// conversation may take together. The probes have been charged to it.
    #[must_use]
    pub fn inspection_pool(&self) -> LimitPool {
        self.pool.fork()
    }

    /// Whether the budget stopped the probes, so that what is not proved may still be supported.
    pub(super) fn probes_stopped(&self) -> bool {
        self.probes_stopped
    }

    fn form(&self) -> probe::Form {
        probe::Form::of(&self.capabilities)
    }

    fn request(&self, messages: Vec<Json>, tools: &[Tool]) -> Request {
        let tools: Vec<Json> = tools
            .iter()
            .map(|tool| {
                json!({"type": "function", "function": {
                    "name": tool.name, "description": tool.description,
                    "parameters": tool.parameters,
                }})
            })
            .collect();
        Request {
            messages,
            tools: (!tools.is_empty()).then_some(Json::Array(tools)),
            bos_token: self.bos_token.clone(),
            eos_token: self.eos_token.clone(),
            now: probe::moment(),
            ..Request::default()
        }
    }

    /// A request with the tokens of the model where the author gives none.
    fn completed(&self, request: &Request) -> Request {
        Request {
            bos_token: request.bos_token.clone().or_else(|| self.bos_token.clone()),
            eos_token: request.eos_token.clone().or_else(|| self.eos_token.clone()),
            ..request.clone()
        }
    }
}

impl ChatFormat for TemplateFormat {
    fn family(&self) -> Family {
        self.config.family
    }

    fn format_message(&self, message: &Message) -> Result<String, RenderError> {
        if message.role == "assistant" {
            return Ok(message.content.clone());
        }
        let mut json = self.form().message(&message.role, &message.content);
        for (field, value) in [
            ("name", &message.name),
            ("tool_call_id", &message.tool_call_id),
            ("reasoning_content", &message.reasoning_content),
        ] {
            if let Some(value) = value {
                json[field] = Json::from(value.as_str());
            }
        }
        self.request(vec![json], &[]).render(&self.template)
    }

    fn format_system_message(&self, content: &str, tools: &[Tool]) -> Result<String, RenderError> {
        let system = self.form().message("system", content);
        self.request(vec![system], tools).render(&self.template)
    }

    fn generation_prompt(&self) -> String {
        self.generation_prompt.clone()
    }

    fn assistant_end_tag(&self) -> String {
        self.end_tag.clone()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn format_conversation(&self, request: &Request) -> Result<String, RenderError> {
        self.completed(request).render(&self.template)
    }

    fn format_message_incremental(&self, request: &Request) -> Result<RenderDelta, RenderError> {
        // A poisoned memory is at worst an empty one.
        let mut incremental = self
            .incremental
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        incremental.add(&self.template, &self.completed(request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_brings_its_name_and_the_call_it_answers() {
        let source = "{% for m in messages %}<{{ m.role }} {{ m.name }} {{ m.tool_call_id }}>\
                      {{ m.content }}{% if m.name is not defined %}!{% endif %}{% endfor %}";
        let template = Template::compile(source).expect("a template");
        let format = TemplateFormat::new(template, ModelConfig::of(Family::Generic), None, None);
        let text = |message: &Message| format.format_message(message).expect("a text");
        let answer = Message {
            name: Some("get_weather".into()),
            tool_call_id: Some("c1".into()),
            ..Message::new("tool", "sunny")
        };
        assert_eq!(text(&answer), "<tool get_weather c1>sunny");
        // What a message does not have is not there for the template either.
        assert_eq!(text(&Message::new("user", "Hi")), "<user  >Hi!");
    }
}
