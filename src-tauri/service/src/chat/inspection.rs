//! The capabilities of a format, each with its proof, and the effects of the variables that a
//! template reads on a conversation.

use promptdeck_chat::capability::Capabilities;
use promptdeck_chat::inspect::{Inspection, STANDARD_VARIABLES, inspect_format};
use promptdeck_chat::polyfill::Step;
use promptdeck_chat::probe::Proof;
use promptdeck_chat::request::THINKING_SWITCHES;
use promptdeck_chat::{ChatFormat as _, Request};
use promptdeck_jinja::LimitPool;
use serde_json::{Value as Json, json};

use super::format::Format;
use super::report::needed;
use crate::diff::text;
use crate::saturating::saturating_u32;
use crate::wire::{
    CapabilityState, ChatCapability, ChatInspection, ChatProblem, ChatRemark, ChatVariable,
};

/// A capability that is asked about: its name, its value, and the polyfill for when it is missing.
type CapabilityRow = (&'static str, fn(&Capabilities) -> bool, Option<Step>);

/// In the order they are shown.
const CAPABILITY_ROWS: [CapabilityRow; 21] = [
    (
        "supports_system_role",
        |capabilities| capabilities.supports_system_role,
        Some(Step::SystemIntoUser),
    ),
    (
        "system_text",
        |capabilities| !capabilities.drops_system_text,
        Some(Step::SystemIntoUser),
    ),
    (
        "supports_tools",
        |capabilities| capabilities.supports_tools,
        Some(Step::ToolsIntoSystem),
    ),
    (
        "supports_tool_calls",
        |capabilities| capabilities.supports_tool_calls,
        Some(Step::CallsAsContent),
    ),
    (
        "supports_parallel_tool_calls",
        |capabilities| capabilities.supports_parallel_tool_calls,
        None,
    ),
    (
        "supports_tool_responses",
        |capabilities| capabilities.supports_tool_responses,
        Some(Step::AnswersAsUser),
    ),
    (
        "supports_typed_content",
        |capabilities| capabilities.supports_typed_content,
        Some(Step::FlattenContent),
    ),
    (
        "text_content",
        |capabilities| !capabilities.requires_typed_content,
        Some(Step::TextIntoParts),
    ),
    (
        "string_arguments",
        |capabilities| !capabilities.requires_object_arguments,
        Some(Step::ParseArguments),
    ),
    (
        "supports_null_content",
        |capabilities| capabilities.supports_null_content,
        None,
    ),
    (
        "supports_thinking",
        |capabilities| capabilities.supports_thinking,
        None,
    ),
    (
        "keeps_reasoning",
        |capabilities| capabilities.keeps_reasoning,
        None,
    ),
    (
        "strips_inline_think",
        |capabilities| capabilities.strips_inline_think,
        None,
    ),
    (
        "supports_developer_role",
        |capabilities| capabilities.supports_developer_role,
        Some(Step::DeveloperToSystem),
    ),
    (
        "has_generation_tag",
        |capabilities| capabilities.has_generation_tag,
        None,
    ),
    (
        "requires_alternation",
        |capabilities| capabilities.requires_alternation,
        None,
    ),
    ("uses_clock", |capabilities| capabilities.uses_clock, None),
    (
        "supports_tool_call_id",
        |capabilities| capabilities.supports_tool_call_id,
        None,
    ),
    (
        "has_channels",
        |capabilities| capabilities.has_channels,
        None,
    ),
    ("writes_bos", |capabilities| capabilities.writes_bos, None),
    (
        "writes_generation_prompt",
        |capabilities| capabilities.writes_generation_prompt,
        None,
    ),
];

/// The report on a format; variables are tried in the conversation `request`.
pub fn inspection(format: &Format, request: Result<&Request, ChatProblem>) -> ChatInspection {
    match format {
        Format::Template {
            format: template_format,
            metadata,
        } => {
            let pool = request
                .as_ref()
                .ok()
                .and_then(|request| request.pool.clone());
            let pool = pool.unwrap_or_else(|| template_format.inspection_pool());
            let found = inspect_format(template_format, &metadata.config(), &pool);
            let tried = request
                .map(|request| variables(&found.variables, request, format))
                .unwrap_or_default();
            let mut inspection = of_template(&found);
            inspection.thinks = format.thinks();
            inspection.remarks.extend(tried.remark());
            inspection.variables = tried.variables;
            inspection
        }
        Format::Builtin(builtin) => ChatInspection {
            family: builtin.family().name().to_owned(),
            proofs: 0,
            capabilities: capabilities(builtin.capabilities(), &[], &[]),
            thinks: format.thinks(),
            remarks: Vec::new(),
            variables: Vec::new(),
            problem: None,
        },
    }
}

/// The report on a template that does not compile.
pub fn refused(problem: ChatProblem) -> ChatInspection {
    ChatInspection {
        family: String::new(),
        proofs: 0,
        capabilities: Vec::new(),
        thinks: false,
        remarks: Vec::new(),
        variables: Vec::new(),
        problem: Some(problem),
    }
}

fn of_template(found: &Inspection) -> ChatInspection {
    let steps = needed(&found.capabilities);
    ChatInspection {
        family: found.family.name().to_owned(),
        proofs: saturating_u32(found.proofs.len()),
        capabilities: capabilities(&found.capabilities, &steps, &found.proofs),
        thinks: false,
        remarks: found
            .remarks
            .iter()
            .map(|remark| ChatRemark {
                code: remark.code.to_owned(),
                message: remark.message.clone(),
            })
            .collect(),
        variables: Vec::new(),
        problem: None,
    }
}

fn capabilities(found: &Capabilities, steps: &[Step], proofs: &[Proof]) -> Vec<ChatCapability> {
    let capability = |(name, holds, step): &CapabilityRow| {
        let polyfill = step.filter(|step| steps.contains(step) && !holds(found));
        let state = match (holds(found), polyfill) {
            (true, _) => CapabilityState::Yes,
            (false, Some(_)) => CapabilityState::Polyfilled,
            (false, None) => CapabilityState::No,
        };
        let named = match *name {
            "string_arguments" => "requires_object_arguments",
            "system_text" => "drops_system_text",
            "text_content" => "requires_typed_content",
            name => name,
        };
        let proof = proofs.iter().find(|proof| proof.capability == named);
        ChatCapability {
            name: (*name).to_owned(),
            state,
            polyfill: polyfill.map(|step| step.name().to_owned()),
            needle: proof.map(|proof| proof.needle.clone()).unwrap_or_default(),
            rendered: proof.map(|proof| proof.rendered.clone()),
            compared: proof.and_then(|proof| proof.compared.clone()),
        }
    };
    CAPABILITY_ROWS.iter().map(capability).collect()
}

/// What each variable changes, tried with the values templates ask for. `names` are those that the
/// template reads.
pub fn variables(names: &[String], request: &Request, format: &Format) -> VariableTrials {
    let Format::Template { format, .. } = format else {
        return VariableTrials::default();
    };
    let template = format.template();
    // As variables, so that each switch can be removed separately.
    let mut request = request.clone();
    if let Some(thinking) = request.thinking.take() {
        for name in THINKING_SWITCHES {
            let variable = request.extra.entry(name);
            variable.or_insert_with(|| thinking.into());
        }
    }
    let pool = match &request.pool {
        Some(pool) => pool.part(TRIALS),
        None => LimitPool::new(TRIALS),
    };
    let names = names
        .iter()
        .filter(|name| !STANDARD_VARIABLES.contains(&name.as_str()));
    let variables = names
        .map_while(|name| {
            if pool.is_exhausted() {
                return None;
            }
            let with = |value: Option<Json>| {
                let mut request = request.clone();
                request.pool = Some(pool.clone());
                request.extra.shift_remove(name);
                if let Some(value) = value {
                    request.extra.insert(name.clone(), value);
                }
                request.render(template).ok()
            };
            let without = with(None).unwrap_or_default();
            let tried = [json!(true), json!(false), json!("high"), json!(["high"])];
            let changes = tried.into_iter().find_map(|value| {
                let text = with(Some(value.clone()))?;
                (text != without).then_some((value, text))
            });
            Some(ChatVariable {
                name: name.clone(),
                value: changes.as_ref().map(|(value, _)| value.to_string()),
                parts: changes
                    .map(|(_, text)| text::lines(&without, &text))
                    .unwrap_or_default(),
            })
        })
        .collect();
    VariableTrials {
        variables,
        stopped: pool.is_exhausted(),
    }
}

/// Budget of all variables, in renderings of the conversation at their limits.
const TRIALS: u64 = 2;

/// Result of trying variables.
#[derive(Default)]
pub struct VariableTrials {
    /// The variables that were tried.
    pub variables: Vec<ChatVariable>,
    stopped: bool,
}

impl VariableTrials {
    /// Says so when not all were tried.
    pub fn remark(&self) -> Option<ChatRemark> {
        self.stopped.then(|| ChatRemark {
            code: "inspection_limit".to_owned(),
            message: "not all variables were tried: the template used up the steps or the memory \
                      of all these renderings"
                .to_owned(),
        })
    }
}
