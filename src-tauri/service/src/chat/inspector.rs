//! The inspector without a window: what the *Chat* tab tells of a conversation, told of one that is
//! given as JSON and belongs to no document.

use std::ops::Range;

use promptdeck_chat::Request;
use promptdeck_chat::model_metadata::ModelMetadata;
use promptdeck_chat::polyfill::Step;
use serde::Serialize;

use super::comparison::{self, Question, Way};
use super::format::{Format, FormatCache, problem_of};
use super::inspection;
pub use super::report::Counter;
use super::report::{self, ReportInput};
use crate::preview::count;
use crate::wire::{
    ChatBlock, ChatBlockKind, ChatPlace, ChatPolyfill, ChatProblem, ChatRemark, ChatReport,
    ChatStability, ChatTrial, ChatVariable,
};

/// A conversation that is asked about.
#[derive(Debug, Clone)]
pub struct ConversationQuery {
    /// It, before polyfills.
    pub request: Request,
    /// The polyfills that are switched off.
    pub off: Vec<Step>,
}

/// A stretch of the text that one place of the template wrote for one message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// Index of the message; null for what no message of the author's made.
    pub message: Option<u32>,
    /// The place of the template that wrote it; null for builtin formats.
    pub place: Option<ChatPlace>,
    /// It is a special token.
    pub special: bool,
    /// The template marks it as what the model writes.
    pub generated: bool,
}

/// The stretch of the text that one message made, with what opens and closes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MessageSpan {
    /// Index of the message; null for the generation prompt and what a polyfill added.
    pub message: Option<u32>,
    /// Its role; empty without one.
    pub role: String,
    /// It is what the model goes on from.
    pub generation_prompt: bool,
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// Its tokens.
    pub tokens: u32,
    /// The polyfills that changed it.
    pub polyfills: Vec<String>,
}

/// A conversation, written down and looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conversation {
    /// The exact text; null when there is a problem.
    pub output: Option<String>,
    /// Why there is none.
    pub problem: Option<ChatProblem>,
    /// Who made which bytes, in order and without gaps.
    pub spans: Vec<Span>,
    /// The same by message.
    pub messages: Vec<MessageSpan>,
    /// The polyfills the format needs, and what they changed.
    pub polyfills: Vec<ChatPolyfill>,
    /// What else the template reads, and what each changes in this conversation.
    pub variables: Vec<ChatVariable>,
    /// Whether the text only ever grows at its end.
    pub stability: ChatStability,
    /// What an author should know.
    pub remarks: Vec<ChatRemark>,
    /// Characters of the text.
    pub characters: u32,
    /// Tokens of the text.
    pub tokens: u32,
    /// The tokens are counted by the model's own tokenizer.
    pub exact: bool,
    /// Name of the tokenizer.
    pub tokenizer: String,
}

impl Conversation {
    /// Whether it could not be written down.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.problem.is_some()
    }
}

/// Answers, and keeps the templates it compiled.
#[derive(Default)]
pub struct Inspector(FormatCache);

impl Inspector {
    /// What a format makes of a conversation.
    #[must_use]
    pub fn conversation(
        &self,
        brought: &ModelMetadata,
        asked: &ConversationQuery,
        counter: &Counter<'_>,
    ) -> Conversation {
        let last = asked.request.messages.len().saturating_sub(1);
        let format = match self.format(brought, &asked.request) {
            Ok(format) => format,
            Err(problem) => {
                let report = report::refused(problem, last, counter.tokens.name());
                return conversation_of(report, Vec::new());
            }
        };
        let request = format.with_tokens(asked.request.clone());
        let prepared = report::polyfilled(request, asked.off.clone(), 0, &format);
        let names = match &format {
            Format::Template { format, .. } => format.template().reads(),
            Format::Builtin(_) => Vec::new(),
        };
        let input = ReportInput {
            messages: asked.request.messages.clone(),
            first: 0,
            prompt: &[],
        };
        let mut report = report::report_of(&input, &prepared, &format, counter);
        // Last: the text and its check come first where the budget is short.
        let tried = inspection::variables(&names, &prepared.request, &format);
        report.remarks.extend(tried.remark());
        conversation_of(report, tried.variables)
    }

    /// Two formats over the test conversations, and over the author's own before them when there is
    /// one.
    #[must_use]
    pub fn against(
        &self,
        left: &ModelMetadata,
        right: &ModelMetadata,
        asked: Option<&ConversationQuery>,
        base: &Request,
    ) -> Vec<ChatTrial> {
        let own = asked.map(|asked| Question {
            name: "This conversation".to_owned(),
            request: Ok(asked.request.clone()),
        });
        let mut questions: Vec<Question> = own.into_iter().collect();
        questions.extend(comparison::tests(&Ok(base.clone()), &[]));
        let way = Way {
            off: asked.map(|asked| asked.off.clone()).unwrap_or_default(),
            thinking: None,
            first: 0,
        };
        let (left, right) = (self.format(left, base), self.format(right, base));
        comparison::trials(questions, &way, &left, &right)
    }

    /// The format of what a model brings. A builtin one is told by the request whether to think.
    fn format(&self, brought: &ModelMetadata, request: &Request) -> Result<Format, ChatProblem> {
        let mut brought = brought.clone();
        brought.thinking = request.thinking_switch().or(brought.thinking);
        self.0.format(brought).map_err(|fault| problem_of(&fault))
    }
}

fn length(block: &ChatBlock) -> usize {
    block.pieces.iter().map(|piece| piece.text.len()).sum()
}

fn conversation_of(report: ChatReport, variables: Vec<ChatVariable>) -> Conversation {
    let mut output = String::new();
    let mut spans = Vec::new();
    let mut messages = Vec::with_capacity(report.blocks.len());
    for block in &report.blocks {
        let start = output.len();
        for piece in &block.pieces {
            let Range { start, end } = output.len()..output.len() + piece.text.len();
            output.push_str(&piece.text);
            spans.push(Span {
                start,
                end,
                message: block.message,
                place: piece.place,
                special: piece.special,
                generated: piece.generated,
            });
        }
        messages.push(MessageSpan {
            message: block.message,
            role: block.role.clone(),
            generation_prompt: block.kind == ChatBlockKind::Generation,
            start,
            end: start + length(block),
            tokens: block.tokens,
            polyfills: block.polyfills.clone(),
        });
    }
    debug_assert_eq!(report.characters, count(output.chars().count()));
    Conversation {
        output: report.problem.is_none().then_some(output),
        problem: report.problem,
        spans,
        messages,
        polyfills: report.polyfills,
        variables,
        stability: report.stability,
        remarks: report.remarks,
        characters: report.characters,
        tokens: report.tokens,
        exact: report.exact,
        tokenizer: report.tokenizer,
    }
}

#[cfg(test)]
mod tests {
    use promptdeck_chat::family::Family;
    use promptdeck_model::tokenizer::Estimate;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::chat::rendering;

    const MARKED: &str = "{% for m in messages %}<|{{ m.role }}|>\n{% if m.role == 'assistant' %}\
                          {% generation %}{{ m.content }}<|end|>{% endgeneration %}{% else %}\
                          {{ m.content }}<|end|>{% endif %}{% endfor %}";

    fn brought(template: &str) -> ModelMetadata {
        ModelMetadata {
            template: Some(template.into()),
            family: Some(Family::Generic),
            ..ModelMetadata::default()
        }
    }

    fn asked(messages: &Json) -> ConversationQuery {
        ConversationQuery {
            request: Request::of(messages.as_array().cloned().unwrap_or_default()),
            off: Vec::new(),
        }
    }

    fn looked_at(template: &str, asked: &ConversationQuery) -> Conversation {
        let counter = Counter {
            tokens: &Estimate,
            own: false,
        };
        Inspector::default().conversation(&brought(template), asked, &counter)
    }

    #[test]
    fn every_byte_has_its_message_and_place() {
        let own = looked_at(
            MARKED,
            &asked(&json!([
                {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"},
            ])),
        );
        let output = own.output.expect("a text");
        assert_eq!(output, "<|user|>\nHi<|end|><|assistant|>\nHo<|end|>");
        let mut reached = 0;
        for span in &own.spans {
            assert_eq!(span.start, reached);
            reached = span.end;
        }
        assert_eq!(reached, output.len());
        let texts = |of: &dyn Fn(&Span) -> bool| -> String {
            let spans = own.spans.iter().filter(|span| of(span));
            spans.map(|span| &output[span.start..span.end]).collect()
        };
        assert_eq!(texts(&|span| span.generated), "Ho<|end|>");
        assert_eq!(
            texts(&|span| span.message == Some(1)),
            "<|assistant|>\nHo<|end|>"
        );
        let place = own.spans.iter().find(|span| span.start == 9);
        let line = place.and_then(|span| span.place).map(|place| place.line);
        assert_eq!(line, Some(2));
        let bytes: Vec<_> = own.messages.iter().map(|one| one.start..one.end).collect();
        assert_eq!(bytes, [0..18, 18..41]);
    }

    #[test]
    fn polyfills_are_shown_and_can_be_switched_off() {
        let system_refused = "{% for m in messages %}{% if m.role == 'system' %}\
                              {{ raise_exception('no system') }}{% endif %}{{ m.content }}|\
                              {% endfor %}";
        let mut asked = asked(&json!([
            {"role": "system", "content": "S"}, {"role": "user", "content": "U"},
        ]));
        let own = looked_at(system_refused, &asked);
        assert_eq!(own.output.as_deref(), Some("S\n\nU|"));
        let changed = own
            .polyfills
            .iter()
            .find(|own| own.name == "system_into_user");
        assert_eq!(
            changed.map(|own| (own.on, own.changes.len())),
            Some((true, 2))
        );
        asked.off.push(Step::SystemIntoUser);
        let own = looked_at(system_refused, &asked);
        let problem = own.problem.expect("refused");
        assert_eq!((problem.message.as_str(), own.output), ("no system", None));
    }

    #[test]
    fn a_variable_is_only_there_when_it_is_given() {
        let template = "{{ 'set' if enable_thinking is defined else 'unset' }}";
        let mut asked = asked(&json!([{"role": "user", "content": "U"}]));
        let own = looked_at(template, &asked);
        assert_eq!(own.output.as_deref(), Some("unset"));
        assert_eq!(own.variables[0].name, "enable_thinking");
        assert_eq!(own.variables[0].value.as_deref(), Some("true"));
        asked.request.thinking = Some(false);
        let own = looked_at(template, &asked);
        assert_eq!(own.output.as_deref(), Some("set"));
        assert_eq!(own.variables[0].value.as_deref(), Some("true"));
        asked.request.thinking = None;
        let extra = &mut asked.request.extra;
        extra.insert("enable_thinking".into(), json!(false));
        assert_eq!(looked_at(template, &asked).output.as_deref(), Some("set"));
    }

    #[test]
    fn all_that_is_rendered_of_a_conversation_takes_from_one_budget() {
        const SPIN: &str = "{% for i in range(60000) %}{% if i %}{% endif %}{% endfor %}\
                            {{ a }}{{ b }}{% for m in messages %}{{ m.content }}{% endfor %}";
        let asked = asked(&json!([{"role": "user", "content": "Hi"}]));
        let format = Inspector::default().format(&brought(SPIN), &asked.request);
        let format = format.expect("a format");
        let prepared = report::polyfilled(asked.request.clone(), Vec::new(), 0, &format);
        let names = ["a".to_owned(), "b".to_owned()];
        let tried = inspection::variables(&names, &prepared.request, &format);
        assert_eq!(tried.remark(), None, "two variables are within the budget");
        for _ in 0..1_000 {
            if rendering::write(&format, &prepared.request).is_err() {
                break;
            }
        }
        let tried = inspection::variables(&names, &prepared.request, &format);
        assert_eq!(tried.remark().expect("a remark").code, "inspection_limit");
        let growth = rendering::growth(&format, &prepared.request);
        assert_eq!(growth.expect_err("stopped").code(), "template_limit");
        let report = inspection::inspection(&format, Ok(&prepared.request));
        assert_eq!(report.remarks[0].code, "inspection_limit");
        // The next question about the same template has a budget of its own.
        let report = looked_at(SPIN, &asked);
        assert!(
            report.output.is_some() && report.remarks.is_empty(),
            "{report:?}"
        );
    }

    #[test]
    fn two_formats_are_compared_over_the_own_and_the_test_conversations() {
        let other = MARKED.replace("<|end|>", "<|stop|>");
        let own = asked(&json!([{"role": "user", "content": "Hi"}]));
        let against = |right: &str, own: Option<&ConversationQuery>| {
            let base = Request::default();
            Inspector::default().against(&brought(MARKED), &brought(right), own, &base)
        };
        assert!(against(MARKED, None).iter().all(|trial| trial.same));
        let trials = against(&other, Some(&own));
        assert_eq!(trials[0].name, "This conversation");
        assert!(trials.len() > 8 && trials.iter().all(|trial| !trial.same));
    }
}
