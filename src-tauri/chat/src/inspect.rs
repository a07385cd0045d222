//! The report on a template: its family, its capabilities with their proofs, what it writes around
//! an answer, what it reads, and what an author should know before using it.

use promptdeck_jinja::{LimitPool, Template};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::capability::Capabilities;
use super::detect::ModelConfig;
use super::factory::{self, ModelFormat};
use super::family::Family;
use super::format::ChatFormat;
use super::incremental::{Break, PrefixCheck, first_break};
use super::misspelled::{self, Misspelled};
use super::polyfill::Step;
use super::probe::{self, Proof};
use super::request::{RenderError, Request};
use super::template_format::TemplateFormat;

/// What every template is given, or Jinja and transformers define.
pub const STANDARD_VARIABLES: [&str; 18] = [
    "messages",
    "tools",
    "documents",
    "add_generation_prompt",
    "bos_token",
    "eos_token",
    "strftime_now",
    "raise_exception",
    "namespace",
    "range",
    "dict",
    "lipsum",
    "cycler",
    "joiner",
    "loop",
    "caller",
    "varargs",
    "kwargs",
];

/// Something an author should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// Stable name.
    pub code: &'static str,
    /// One line.
    pub message: String,
}

impl From<&Misspelled> for Remark {
    fn from(found: &Misspelled) -> Self {
        Self {
            code: found.code(),
            message: found.sentence(),
        }
    }
}

/// Whether the text of the test conversation only ever grows at its end. In JSON these are fields of
/// the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "stability", rename_all = "snake_case")]
pub enum Stability {
    /// It does.
    Stable,
    /// A message changes what was written before it.
    Unstable {
        /// The first one that does.
        instability: Break,
    },
    /// Unknown: the template refuses the test conversation.
    Unknown {
        /// What it says.
        stability_error: Fault,
    },
}

/// Why a question about a template has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Stable code.
    pub code: &'static str,
    /// One line.
    pub message: String,
}

impl Stability {
    fn of(template: &Template, conversation: &Request) -> Self {
        match first_break(template, conversation) {
            Ok(PrefixCheck {
                first_break: Some(instability),
                ..
            }) => Self::Unstable { instability },
            Ok(PrefixCheck { stopped: None, .. }) => Self::Stable,
            Ok(PrefixCheck {
                stopped: Some(error),
                ..
            })
            | Err(error) => Self::Unknown {
                stability_error: Fault {
                    code: error.code(),
                    message: error.to_string(),
                },
            },
        }
    }
}

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// The family.
    pub family: Family,
    /// Whether the model can think before it answers.
    pub supports_thinking_mode: bool,
    /// What the format can do.
    pub capabilities: Capabilities,
    /// The renderings that tell so; empty for a builtin format.
    pub proofs: Vec<Proof>,
    /// The text that the model continues.
    pub generation_prompt: String,
    /// What ends a message of the assistant.
    pub assistant_end_tag: String,
    /// The polyfills it needs.
    pub polyfills: Vec<Step>,
    /// The variables it reads.
    pub variables: Vec<String>,
    /// Whether what was written before a message stays when it comes. Builtin formats are made so.
    #[serde(flatten)]
    pub stability: Stability,
    /// What an author should know.
    pub remarks: Vec<Remark>,
}

/// Inspects a template, or the builtin format of a family when there is none.
///
/// # Errors
/// When the template does not compile.
pub fn inspect(
    template: Option<&str>,
    config: &ModelConfig,
    bos_token: Option<&str>,
    eos_token: Option<&str>,
) -> Result<Inspection, RenderError> {
    let format = factory::create(template, config, eos_token, bos_token)?;
    Ok(match format {
        ModelFormat::Template(format) => inspect_format(&format, config, &format.inspection_pool()),
        ModelFormat::Builtin(format) => report(&format, config, Vec::new()),
    })
}

/// Inspects a format that was made of a template. What is rendered here is taken from `pool`, as a
/// rule [`TemplateFormat::inspection_pool`]; a remark says so when too little was left in it.
#[must_use]
pub fn inspect_format(
    format: &TemplateFormat,
    config: &ModelConfig,
    pool: &LimitPool,
) -> Inspection {
    let mut report = report(format, config, format.proofs().to_vec());
    report.family = config.family;
    let template = format.template();
    let (bos_token, eos_token) = format.tokens();
    report.variables = template.reads();
    let pool = pool.part(STABILITY);
    let conversation = Request {
        pool: Some(pool.clone()),
        ..stability_conversation(&report.capabilities, bos_token, eos_token)
    };
    report.stability = Stability::of(template, &conversation);
    report.remarks = remarks(template, &report.capabilities, bos_token);
    let misspelled = misspelled::names(template, &[]);
    report.remarks.extend(misspelled.iter().map(Remark::from));
    if format.probes_stopped() || pool.is_exhausted() {
        report.remarks.insert(0, limit_remark());
    }
    report
}

/// How many renderings, at their limits, the check of the test conversation may take.
const STABILITY: u64 = 1;

/// The remark on an inspection that was stopped by its limits.
fn limit_remark() -> Remark {
    Remark {
        code: "inspection_limit",
        message: "the inspection was stopped: the template used up the steps or the memory of all \
                  its renderings; what is not proved counts as not supported"
            .to_owned(),
    }
}

fn report(format: &dyn ChatFormat, config: &ModelConfig, proofs: Vec<Proof>) -> Inspection {
    let capabilities = format.capabilities().clone();
    let needed = Step::ALL
        .into_iter()
        .filter(|step| step.is_needed(&capabilities));
    Inspection {
        // Families without a built-in format use the generic one.
        family: match format.family() {
            Family::Generic => config.family,
            detected => detected,
        },
        supports_thinking_mode: config.supports_thinking_mode,
        polyfills: if proofs.is_empty() {
            Vec::new()
        } else {
            needed.collect()
        },
        generation_prompt: format.generation_prompt(),
        assistant_end_tag: format.assistant_end_tag(),
        capabilities,
        proofs,
        variables: Vec::new(),
        stability: Stability::Stable,
        remarks: Vec::new(),
    }
}

/// A conversation with everything in it the template can show, to look how it grows.
fn stability_conversation(
    capabilities: &Capabilities,
    bos_token: Option<&str>,
    eos_token: Option<&str>,
) -> Request {
    let form = probe::Form::of(capabilities);
    let message = |role: &str, text: &str| form.message(role, text);
    let mut messages: Vec<Json> = Vec::new();
    if capabilities.supports_system_role {
        messages.push(message("system", "You are helpful."));
    }
    messages.push(message("user", "First question?"));
    let mut reasoned = message("assistant", "First answer.");
    reasoned["reasoning_content"] = json!("First thought.");
    messages.push(reasoned);
    messages.push(message("user", "Second question?"));
    messages.push(message("assistant", "Second answer."));
    messages.push(message("user", "Third question?"));
    // Calls without answers, and answers without calls, are refused by many.
    let calls = capabilities.supports_tool_calls && capabilities.supports_tool_responses;
    if calls {
        let arguments = json!({"argument": "value"});
        let arguments = match capabilities.requires_string_arguments {
            true => Json::String(arguments.to_string()),
            false => arguments,
        };
        messages.push(form.calling(vec![probe::call(0, "look_up", arguments)]));
        messages.push(form.answer(0, "look_up", "Found."));
        messages.push(message("assistant", "Third answer."));
        messages.push(message("user", "Fourth question?"));
    }
    let tools = json!([probe::tool("look_up")]);
    Request {
        messages,
        tools: capabilities.supports_tools.then_some(tools),
        bos_token: bos_token.map(str::to_owned),
        eos_token: eos_token.map(str::to_owned),
        now: probe::moment(),
        ..Request::default()
    }
}

fn remarks(template: &Template, found: &Capabilities, bos_token: Option<&str>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut add = |holds: bool, code: &'static str, message: &str| {
        if holds {
            remarks.push(Remark {
                code,
                message: message.to_owned(),
            });
        }
    };
    add(
        found.writes_bos,
        "double_bos",
        "the text begins with the BOS token: configure the tokenizer not to add a second one",
    );
    add(
        !found.writes_bos && bos_token.is_some(),
        "no_bos",
        "the text does not begin with the BOS token: the tokenizer must add it",
    );
    add(
        found.requires_object_arguments,
        "string_arguments",
        "tool call arguments passed as text are escaped twice or fail: pass them as objects",
    );
    add(
        !found.supports_null_content,
        "printed_none",
        "a message without content is rejected or printed as None",
    );
    let dropped = !found.supports_system_role || !found.supports_tool_responses;
    add(
        dropped,
        "dropped_messages",
        "messages of some roles are dropped or rejected: see the polyfills",
    );
    add(
        found.uses_clock,
        "clock",
        "the text contains the date: a cached prefix becomes invalid every day",
    );
    add(
        !template.has_generation(),
        "no_generation_tag",
        "model output is not marked with {% generation %}, so training cannot be limited to it",
    );
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Family;

    fn inspected(template: &str) -> Inspection {
        let config = ModelConfig::of(Family::Generic);
        inspect(Some(template), &config, None, None).expect("a report")
    }

    #[test]
    fn a_template_that_refuses_the_conversation_is_not_called_stable() {
        let report = inspected("{{ raise_exception('x') }}");
        let Stability::Unknown { stability_error } = &report.stability else {
            panic!("{:?}", report.stability);
        };
        assert_eq!(stability_error.code, "template_raised");
        assert!(stability_error.message.contains('x'), "{stability_error:?}");
        let report_json = serde_json::to_value(&report).expect("JSON");
        assert_eq!(report_json["stability"], "unknown");
        assert_eq!(report_json["stability_error"]["code"], "template_raised");
    }

    #[test]
    fn misspelled_variables_are_remarked_on_and_others_are_not() {
        let check = |template: &str, expected: &[&str]| {
            let remarks = inspected(template).remarks.into_iter();
            let found = remarks.filter(|remark| remark.code == "unknown_variable");
            let found: Vec<_> = found.map(|remark| remark.message).collect();
            assert_eq!(found, expected, "{template}");
        };
        check(
            "{% for m in mesages %}{{ m.content }}{% endfor %}{{ eos_tokne }}",
            &[
                "the variable \"mesages\" of the template is unknown; did you mean \"messages\"?",
                "the variable \"eos_tokne\" of the template is unknown; did you mean \"eos_token\"?",
            ],
        );
        check(
            "{% if enable_thinknig %}{% endif %}",
            &[
                "the variable \"enable_thinknig\" of the template is unknown; did you mean \"enable_thinking\"?",
            ],
        );
        check(
            "{% for message in messages %}{{ message.role }}{% endfor %}{{ date_string }}\
             {{ pad_token }}{% set tool = 1 %}{{ tool }}",
            &[],
        );
    }

    #[test]
    fn stable_and_unstable_are_told_apart() {
        let check = |template: &str, stability: &str, message: Json| {
            let report_json = serde_json::to_value(inspected(template)).expect("JSON");
            assert_eq!(report_json["stability"], stability, "{template}");
            assert_eq!(report_json["instability"]["message"], message, "{template}");
        };
        check(
            "{% for m in messages %}{{ m.role }}{{ m.content }}{% endfor %}",
            "stable",
            Json::Null,
        );
        check(
            "{% for m in messages %}{% if loop.last %}!{% endif %}{{ m.content }}{% endfor %}",
            "unstable",
            json!(1),
        );
    }

    #[test]
    fn calls_written_differently_at_the_end_are_seen() {
        let calls = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% if m.tool_calls %}\
                     {% if loop.last %}...{% endif %}{{ m.tool_calls | tojson }}{% endif %}\
                     {% endfor %}";
        let report_json = serde_json::to_value(inspected(calls)).expect("JSON");
        assert_eq!(report_json["stability"], "unstable");
        // The system message, five of the conversation, the call; its answer is the eighth.
        assert_eq!(report_json["instability"]["message"], 7);
    }
}
