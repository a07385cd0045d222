//! The text of a chat template from a call document. The caller supplies the template: this module
//! knows the messages, not the templates.

use promptdeck_chat::{
    self as chat, ChatFormat, Family, RenderError,
    answer::ToLocal,
    factory,
    message::text_of,
    misspelled,
    polyfill::{Change, Step, polyfill},
    probe,
    timestamp::Moment,
};
use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use promptdeck_jinja::{self as jinja, Template};
use serde_json::{Value, json};

use super::{Request, TargetError, TargetInput, openai};
use crate::{
    call_keys, codes, content_parts,
    pipeline::content_text,
    span::{Span, SpanOrigin},
    tools,
};

/// Renders messages to the text a model is given.
pub trait RenderChat {
    /// Renders a conversation with a generation prompt at its end. A template that reads the time
    /// gets the local time at `now`.
    ///
    /// # Errors
    /// [`TargetError`] if the conversation cannot be rendered.
    fn render(&self, conversation: &Conversation<'_>) -> Result<RenderedChat, TargetError>;

    /// The source of the template, if it is one.
    fn template(&self) -> Option<&str> {
        None
    }
}

/// What a chat format is given to render.
#[derive(Debug, Clone, Copy)]
pub struct Conversation<'a> {
    /// The messages.
    pub messages: &'a [Value],
    /// The tools offered.
    pub tools: &'a [Value],
    /// The moment of the call.
    pub now: Moment,
    /// Whether the model is to think; the format's default when it is not said.
    pub thinking: Option<bool>,
}

/// The text of a conversation, and what was changed for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenderedChat {
    /// The text.
    pub text: String,
    /// The polyfills applied to the messages.
    pub steps: Vec<Step>,
    /// The description of the tools, if one of the steps put it into a message.
    pub tools: Option<String>,
}

impl RenderedChat {
    /// A text, and the changes that were made to its messages.
    #[must_use]
    pub fn changed(text: String, changes: &[Change]) -> Self {
        Self {
            text,
            steps: changes.iter().map(|change| change.step).collect(),
            tools: changes.iter().find_map(tools_text),
        }
    }
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
    /// What the clock on the wall shows at a moment.
    pub to_local: ToLocal<'a>,
}

impl RenderChat for ModelTemplate<'_> {
    fn render(&self, conversation: &Conversation<'_>) -> Result<RenderedChat, TargetError> {
        let now = jinja::Moment::from_seconds(conversation.now.unix_seconds(), 0);
        let asked = chat::Request {
            bos_token: self.bos_token.clone(),
            eos_token: self.eos_token.clone(),
            alias_reasoning: self.alias_reasoning,
            now: now.map(|now| (self.to_local)(now, 0)),
            ..request(conversation)
        };
        let (capabilities, _) = probe::probe(self.template);
        let shown = polyfill(&asked, &capabilities, &self.off);
        let text = shown.request.render(self.template)?;
        Ok(RenderedChat::changed(text, &shown.changes))
    }

    fn template(&self) -> Option<&str> {
        Some(self.template.source())
    }
}

/// The text by which a step describes the tools in the system message.
fn tools_text(change: &Change) -> Option<String> {
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
#[derive(Debug, Clone, Copy)]
pub struct FamilyFormat(Family);

impl FamilyFormat {
    /// The format of the family of that name, such as `QWEN_3_X` or `chatml`.
    ///
    /// # Errors
    /// [`TargetError::Chat`] if there is no such family.
    pub fn named(name: &str) -> Result<Self, TargetError> {
        let family = Family::named(name).ok_or_else(|| TargetError::Chat {
            code: "unknown_family",
            message: Family::unknown(name),
        })?;
        Ok(Self(family))
    }

    /// The family.
    #[must_use]
    pub fn family(self) -> Family {
        self.0
    }
}

impl RenderChat for FamilyFormat {
    fn render(&self, conversation: &Conversation<'_>) -> Result<RenderedChat, TargetError> {
        let request = request(conversation);
        let text = factory::builtin_for(self.0, &request).format_conversation(&request);
        Ok(RenderedChat::from(text?))
    }
}

/// What a chat format is asked for.
fn request(conversation: &Conversation<'_>) -> chat::Request {
    let tools = conversation.tools;
    chat::Request {
        tools: (!tools.is_empty()).then(|| Value::from(tools.to_vec())),
        add_generation_prompt: true,
        thinking: conversation.thinking,
        ..chat::Request::of(conversation.messages.to_vec())
    }
}

impl From<RenderError> for TargetError {
    fn from(error: RenderError) -> Self {
        Self::Chat {
            code: error.code(),
            message: error.to_string(),
        }
    }
}

/// Builds the request.
pub fn build(input: &TargetInput<'_>, chat: &dyn RenderChat) -> Result<Request, TargetError> {
    let messages = openai::messages(input);
    let tools = tools::in_openai_shape(&input.call.tools);
    let render = |messages: &[Value]| {
        chat.render(&Conversation {
            messages,
            tools: &tools,
            now: input.now,
            thinking: input.call.thinking,
        })
    };
    let rendered = render(&messages)?;
    let spans = spans(input, &rendered);
    let mut diagnostics = input.prepared.arguments.diagnostics.clone();
    diagnostics.extend(
        rendered
            .steps
            .iter()
            .copied()
            .map(changed_for_chat_template),
    );
    diagnostics.extend(openai::lint(input, chat.template()));
    let misspelled = misspelled_names(chat, &messages, &tools);
    if rendered.text.is_empty() && misspelled.is_empty() {
        diagnostics.push(call_keys::empty_text(""));
    }
    diagnostics.extend(misspelled);
    let (prompt, said) = messages.split_at(messages.len() - input.prepared.messages.len());
    let dropped = content_parts::without_effect(said, &rendered.text, |said| {
        let messages = [prompt, said].concat();
        Some(render(&messages).ok()?.text)
    });
    let why = "the chat template does not show it";
    diagnostics.extend(
        dropped
            .iter()
            .map(|part| content_parts::dropped(part, input.call, why)),
    );
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

/// The names of a template that are probably misspelled, and that the messages and tools do not have.
fn misspelled_names(chat: &dyn RenderChat, messages: &[Value], tools: &[Value]) -> Vec<Diagnostic> {
    let template = chat.template().map(Template::compile);
    let Some(Ok(template)) = template else {
        return Vec::new();
    };
    let mut found = misspelled::names(&template, &[]);
    found.retain(|found| {
        let mut values = messages.iter().chain(tools);
        !values.any(|value| misspelled::has_key(value, &found.name))
    });
    let found = found.iter();
    found
        .map(|found| call_keys::of_template(found, ""))
        .collect()
}

/// The diagnostic of a change made for the chat template.
#[must_use]
pub fn changed_for_chat_template(step: Step) -> Diagnostic {
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
    let data = DiagnosticData::of(DataKey::Step, step.name());
    Diagnostic::new(codes::CHAT_POLYFILL, Severity::Note, message, "", data)
}

/// The text cut where the prompt, the tools and the messages are found in it, in their order; what
/// is between is the template's.
fn spans(input: &TargetInput<'_>, rendered: &RenderedChat) -> Vec<Span> {
    let mut cut = Cut {
        text: &rendered.text,
        at: 0,
        spans: Vec::new(),
    };
    let prompt = input.prompt.spans.iter().map(Span::from);
    cut.take(&input.prompt.text, |_| prompt.collect());
    // Before the messages, whose text may also occur in the description of the tools.
    if let Some(tools) = &rendered.tools {
        cut.take(tools, |text| vec![Span::new(text, SpanOrigin::Tools)]);
    }
    for (index, message) in input.prepared.messages.iter().enumerate() {
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
