//! The text of a chat template from a call document. The template is brought along: this module
//! knows the messages, not the templates.

use serde_json::{Map, Value, json};

use super::{Parts, Request, TargetError, openai};
use crate::{
    chat::{
        self, ChatFormat, Family, RenderError,
        answer::ToLocal,
        builtin::Builtin,
        detect::ModelConfig,
        factory,
        jinja::{self, Template},
        message::text_of,
        polyfill::{Change, Step, polyfill},
        probe,
    },
    registry::{Diagnostic, Severity},
    request::{
        moment::Moment,
        pipeline::content_text,
        span::{Span, SpanOrigin},
    },
};

/// Renders messages to the text a model is given.
pub trait RenderChat {
    /// Renders messages and tools, a generation prompt at the end; a template that asks what time it
    /// is gets what the clock on the wall shows at `now`.
    fn render(
        &self,
        messages: &[Value],
        tools: &[Value],
        now: Moment,
    ) -> Result<RenderedChat, TargetError>;
}

/// The text of a conversation, and what was changed for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenderedChat {
    /// The text.
    pub text: String,
    /// What changed the messages to what the format can show.
    pub steps: Vec<Step>,
    /// The words that tell of the tools, when one of the steps put them into a message.
    pub tools: Option<String>,
}

impl From<String> for RenderedChat {
    fn from(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

/// A model's own template and the tokens its texts begin and end with.
pub struct ModelTemplate<'a> {
    /// The template.
    pub template: &'a Template,
    /// The token texts begin with.
    pub bos_token: Option<String>,
    /// The token texts end with.
    pub eos_token: Option<String>,
    /// Whether reasoning is given under all the names templates look for.
    pub alias_reasoning: bool,
    /// The polyfills that are switched off.
    pub off: Vec<Step>,
    /// Whether the template is told to let the model think; it decides itself when this is `None`.
    pub thinking: Option<bool>,
    /// What the clock on the wall shows at a moment.
    pub to_local: ToLocal<'a>,
}

impl RenderChat for ModelTemplate<'_> {
    fn render(
        &self,
        messages: &[Value],
        tools: &[Value],
        now: Moment,
    ) -> Result<RenderedChat, TargetError> {
        let now = jinja::Moment::from_seconds(now.unix_seconds(), 0);
        let asked = chat::Request {
            bos_token: self.bos_token.clone(),
            eos_token: self.eos_token.clone(),
            alias_reasoning: self.alias_reasoning,
            now: now.map(|now| (self.to_local)(now, 0)),
            extra: thinking_variables(self.thinking),
            ..request(messages, tools)
        };
        let (capabilities, _) = probe::probe(self.template);
        let shown = polyfill(&asked, &capabilities, &self.off);
        Ok(RenderedChat {
            text: shown.request.render(self.template).map_err(refused)?,
            steps: shown.changes.iter().map(|change| change.step).collect(),
            tools: shown.changes.iter().find_map(told_tools),
        })
    }
}

/// The variables that templates read to know whether the model thinks.
#[must_use]
pub fn thinking_variables(thinking: Option<bool>) -> Map<String, Value> {
    let names = ["enable_thinking", "thinking"];
    let variable = |thinking: bool| names.map(|name| (name.to_owned(), Value::from(thinking)));
    thinking.map(variable).into_iter().flatten().collect()
}

/// What a step added to the system message, or made it of, to tell of the tools.
fn told_tools(change: &Change) -> Option<String> {
    let system = |messages: &[Value]| {
        let first = messages.first().filter(|own| own["role"] == "system")?;
        Some(text_of(&first["content"]))
    };
    if change.step != Step::ToolsIntoSystem {
        return None;
    }
    let before = system(&change.before).unwrap_or_default();
    let after = system(&change.after)?;
    Some(after.strip_prefix(&before)?.trim_start().to_owned())
}

/// The builtin format of a family of models, for those that bring no template.
pub struct FamilyFormat(Builtin);

impl FamilyFormat {
    /// The format of the family of that name, such as `QWEN_3_X` or `chatml`.
    pub fn named(name: &str) -> Result<Self, TargetError> {
        let family = Family::named(name).ok_or_else(|| TargetError::Chat {
            code: "unknown_family",
            message: Family::unknown(name),
        })?;
        Ok(Self(factory::builtin(&ModelConfig::of(family))))
    }

    /// The same format, with thinking switched on or off where the family can think.
    #[must_use]
    pub fn with_thinking(self, family: &str, thinking: Option<bool>) -> Self {
        let (Some(family), Some(thinking)) = (Family::named(family), thinking) else {
            return self;
        };
        Self(factory::builtin(&ModelConfig {
            supports_thinking_mode: family == Family::Qwen3,
            thinking,
            ..ModelConfig::of(family)
        }))
    }
}

impl RenderChat for FamilyFormat {
    fn render(
        &self,
        messages: &[Value],
        tools: &[Value],
        _now: Moment,
    ) -> Result<RenderedChat, TargetError> {
        let text = self.0.format_conversation(&request(messages, tools));
        text.map(RenderedChat::from).map_err(refused)
    }
}

/// What a chat format is asked for.
fn request(messages: &[Value], tools: &[Value]) -> chat::Request {
    chat::Request {
        tools: (!tools.is_empty()).then(|| Value::from(tools.to_vec())),
        add_generation_prompt: true,
        ..chat::Request::of(messages.to_vec())
    }
}

fn refused(error: RenderError) -> TargetError {
    TargetError::Chat {
        code: error.code(),
        message: error.to_string(),
    }
}

/// Builds the request.
pub fn build(parts: &Parts<'_>, chat: &dyn RenderChat) -> Result<Request, TargetError> {
    let messages = openai::messages(parts);
    let tools = openai::tools(&parts.call.tools);
    let rendered = chat.render(&messages, &tools, parts.now)?;
    let spans = spans(parts, &rendered);
    let mut diagnostics = parts.prepared.arguments.diagnostics.clone();
    diagnostics.extend(rendered.steps.iter().copied().map(changed));
    Ok(Request {
        body: json!({
            "messages": messages,
            "tools": tools,
            "prompt": rendered.text,
        }),
        spans,
        layers: Vec::new(),
        plan: None,
        diagnostics,
    })
}

/// What is said of a step.
fn changed(step: Step) -> Diagnostic {
    let how = match step {
        Step::ParseArguments => "arguments of calls are given as objects",
        Step::CallFieldsOnTop => "name and arguments stand at the top of calls as well",
        Step::FlattenContent => "content in parts becomes one text",
        Step::DeveloperToSystem => "the role developer becomes system",
        Step::ToolsIntoSystem => "the tools are described in the system message",
        Step::CallsAsContent => "calls are written into the content as JSON",
        Step::AnswersAsUser => "answers of tools become messages of the user",
        Step::SystemIntoUser => "the system message goes into the first message of the user",
        Step::TextIntoParts => "texts become lists of one part",
    };
    let message = format!("changed for the chat template: {how} ({})", step.name());
    Diagnostic::new("chat-polyfill", Severity::Note, message, "")
}

/// The text cut where the prompt, the tools and the messages are found in it, in their order; what
/// is between is the template's.
fn spans(parts: &Parts<'_>, rendered: &RenderedChat) -> Vec<Span> {
    let mut cut = Cut {
        text: &rendered.text,
        at: 0,
        spans: Vec::new(),
    };
    let prompt = parts.prompt.spans.iter().map(Span::from);
    cut.take(&parts.prompt.text, |_| prompt.collect());
    // Before the messages, lest a word of theirs be taken for found in what tells of the tools.
    if let Some(tools) = &rendered.tools {
        cut.take(tools, |text| vec![Span::new(text, SpanOrigin::Tools)]);
    }
    for (index, message) in parts.prepared.messages.iter().enumerate() {
        let content = message.get("content").unwrap_or(&Value::Null);
        let of_message = |text: &str| vec![Span::new(text, openai::origin(index, message))];
        // Templates write the parts of a content behind each other, a polyfill one to a line; what
        // became JSON for a template has its quotes and line ends escaped.
        for whole in [content_text(content).unwrap_or_default(), text_of(content)] {
            let whole = whole.trim();
            let quoted = Value::from(whole).to_string();
            if cut.take(whole, of_message) || cut.take(&quoted[1..quoted.len() - 1], of_message) {
                break;
            }
        }
    }
    cut.end()
}

/// A text being cut, and how far that is done.
struct Cut<'a> {
    text: &'a str,
    at: usize,
    spans: Vec<Span>,
}

impl Cut<'_> {
    /// Cuts at the next place where a text is found, which then is made of these spans.
    fn take(&mut self, needle: &str, spans: impl FnOnce(&str) -> Vec<Span>) -> bool {
        let rest = &self.text[self.at..];
        let Some(found) = rest.find(needle).filter(|_| !needle.is_empty()) else {
            return false;
        };
        if found > 0 {
            let between = Span::new(&rest[..found], SpanOrigin::Template);
            self.spans.push(between);
        }
        self.at += found + needle.len();
        self.spans.extend(spans(needle));
        true
    }

    /// The spans, what is left being the template's.
    fn end(mut self) -> Vec<Span> {
        if self.at < self.text.len() {
            let rest = Span::new(&self.text[self.at..], SpanOrigin::Template);
            self.spans.push(rest);
        }
        self.spans
    }
}
