//! The report on a template: its family, its capabilities with their proofs, what it writes around
//! an answer, what it reads, and what an author should know before using it.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::capability::Capabilities;
use super::detect::ModelConfig;
use super::family::Family;
use super::format::ChatFormat;
use super::incremental::{Break, first_break};
use super::jinja::Template;
use super::polyfill::Step;
use super::probe::{self, Proof};
use super::request::{RenderError, Request};
use super::{factory, templated::Templated};

/// Something an author should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// Stable name.
    pub code: &'static str,
    /// One line.
    pub message: String,
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
    /// What the model goes on from.
    pub generation_prompt: String,
    /// What ends a message of the assistant.
    pub assistant_end_tag: String,
    /// The polyfills it needs.
    pub polyfills: Vec<Step>,
    /// The variables it reads.
    pub variables: Vec<String>,
    /// The first message of a test conversation that changes what was written before; null when
    /// the text only ever grows at its end.
    pub instability: Option<Break>,
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
    let Some(source) = template.filter(|source| !source.trim().is_empty()) else {
        let format = factory::builtin(config);
        return Ok(report(&format, config, Vec::new()));
    };
    let template = Template::compile(source)?;
    let format = Templated::new(template, config.clone(), eos_token, bos_token);
    let mut report = report(&format, config, format.proofs().to_vec());
    let template = format.template();
    report.variables = template.reads();
    let conversation = stability_conversation(&report.capabilities, bos_token, eos_token);
    report.instability = first_break(template, &conversation).unwrap_or_default();
    report.remarks = remarks(template, &report.capabilities, bos_token);
    Ok(report)
}

fn report(format: &dyn ChatFormat, config: &ModelConfig, proofs: Vec<Proof>) -> Inspection {
    let capabilities = format.capabilities().clone();
    let needed = Step::ALL
        .into_iter()
        .filter(|step| step.is_needed(&capabilities));
    Inspection {
        family: format.family(),
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
        instability: None,
        remarks: Vec::new(),
    }
}

/// A conversation with everything in it the template can show, to look how it grows.
fn stability_conversation(
    capabilities: &Capabilities,
    bos_token: Option<&str>,
    eos_token: Option<&str>,
) -> Request {
    let mut messages: Vec<Json> = Vec::new();
    if capabilities.supports_system_role {
        messages.push(json!({"role": "system", "content": "You are helpful."}));
    }
    messages.push(json!({"role": "user", "content": "First question?"}));
    messages.push(json!({
        "role": "assistant", "content": "First answer.", "reasoning_content": "First thought.",
    }));
    messages.push(json!({"role": "user", "content": "Second question?"}));
    messages.push(json!({"role": "assistant", "content": "Second answer."}));
    messages.push(json!({"role": "user", "content": "Third question?"}));
    Request {
        messages,
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
        "the text begins with the BOS token: tell the tokenizer not to add another one",
    );
    add(
        !found.writes_bos && bos_token.is_some(),
        "no_bos",
        "the text does not begin with the BOS token: the tokenizer must add it",
    );
    add(
        found.requires_object_arguments,
        "string_arguments",
        "arguments of calls given as a text are escaped twice or fail: give them as objects",
    );
    add(
        !found.supports_null_content,
        "printed_none",
        "a message without content is refused, or shown as the word None",
    );
    let dropped = !found.supports_system_role || !found.supports_tool_responses;
    add(
        dropped,
        "dropped_messages",
        "messages of some roles are dropped or refused: see the polyfills",
    );
    add(
        found.uses_clock,
        "clock",
        "the text holds the date: it changes every day, and a cached prefix with it",
    );
    add(
        !template.has_generation(),
        "no_generation_tag",
        "what the model wrote is not marked, so that it cannot be trained on alone",
    );
    remarks
}
