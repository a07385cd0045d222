//! From a call document and its registry to a request: the stages, the hydration, the rendering of
//! the prompt and the body for a receiver, in that order. What comes from outside (the moment, the
//! seed, a clock, a token counter, a chat template) is passed in.

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::{
    hydrate::{self, Engine, Evaluation, HydrateError, Seed},
    lint,
    registry::Diagnostic,
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    call::Call,
    codes,
    pipeline::{self, StageClock, StageError, TraceEntry},
    prompt::Prompt,
    target::{self, RenderChat, Request, TargetError, TargetInput},
    template::TemplateError,
    tokens::CountTokens,
    volatile::{self, Volatile},
};

/// Who the request is for.
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// Chat completions in `OpenAI`'s shape.
    OpenAi,
    /// Gemini's `generateContent`.
    Gemini,
    /// The text of a chat template.
    ChatTemplate(&'a dyn RenderChat),
}

/// What a call needs from outside.
#[derive(Clone, Copy)]
pub struct BuildContext<'a> {
    /// What followed the user's message and is to be sent back: the assistant's calls and the
    /// responses of the tools. Empty for a request that sends the message itself.
    pub turn: &'a [Value],
    /// The moment, when the call doesn't say.
    pub now: Moment,
    /// The seed, if the call has none.
    pub seed: Seed,
    /// Times the stages.
    pub clock: &'a dyn StageClock,
    /// Counts tokens.
    pub counter: &'a dyn CountTokens,
}

/// A request, and how it came to be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuiltRequest {
    /// The request.
    #[serde(flatten)]
    pub request: Request,
    /// The stages that ran.
    pub trace: Vec<TraceEntry>,
    /// The parts of the prompt that prevent caching.
    pub volatile: Vec<Volatile>,
    /// The seed of the hydration.
    pub seed: Seed,
    /// What the hydration used, and why.
    #[serde(skip)]
    pub evaluation: Evaluation,
}

/// A call that makes no request.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A stage failed.
    #[error(transparent)]
    Stage(#[from] Box<StageError>),
    /// The registry can't be hydrated.
    #[error(transparent)]
    Hydrate(#[from] HydrateError),
    /// The prompt is not rendered; its template is no request.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The receiver can't be served.
    #[error(transparent)]
    Target(#[from] TargetError),
}

impl BuildError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Stage(error) => error.code(),
            Self::Hydrate(error) => error.code(),
            Self::Template(_) => codes::PROMPT_TEMPLATE.as_str(),
            Self::Target(error) => error.code(),
        }
    }
}

/// Builds the request of a call.
///
/// # Errors
/// [`BuildError`] if a stage, the hydration, the rendering of the prompt or the target fails.
pub fn build(
    call: &Call,
    engine: &Engine,
    target: Target<'_>,
    context: &BuildContext<'_>,
) -> Result<BuiltRequest, BuildError> {
    let now = call.now.unwrap_or(context.now);
    let seed = call.seed.unwrap_or(context.seed);
    let prepared = match context.turn {
        [] => pipeline::request(call, now, context.clock)?,
        turn => pipeline::tool_follow_up(call, turn, now, context.clock)?,
    };
    let hydrated = hydrate::Call {
        state: &call.state,
        route: call.route.as_deref(),
        seed,
    };
    let hydration = engine.hydrate(&hydrated)?;
    let registry = engine.registry();
    let prompt = Prompt::of(registry, &hydration.segments, &prepared.arguments.context);
    if let Some(error) = &prompt.error {
        return Err(error.clone().into());
    }
    let generation = generation(engine, call.route.as_deref());
    let parts = TargetInput {
        call,
        prepared: &prepared,
        prompt: &prompt,
        generation: &generation,
        now,
        counter: context.counter,
    };
    let mut request = match target {
        Target::OpenAi => target::openai(&parts),
        Target::Gemini => target::gemini(&parts)?,
        Target::ChatTemplate(renderer) => target::chat_template(&parts, renderer)?,
    };
    let mut diagnostics: Vec<Diagnostic> = hydration.diagnostics;
    diagnostics.append(&mut lint::unset(engine, &hydrated));
    diagnostics.extend(prompt.warnings());
    diagnostics.append(&mut request.diagnostics);
    request.diagnostics = diagnostics;
    Ok(BuiltRequest {
        request,
        trace: prepared.trace,
        volatile: volatile::early(&prompt.spans, &hydration.evaluation),
        seed,
        evaluation: hydration.evaluation,
    })
}

/// The registry's settings, the route's on top of them.
fn generation(engine: &Engine, route: Option<&str>) -> Map<String, Value> {
    let registry = engine.registry();
    let mut generation = registry.generation().clone();
    let route = route.and_then(|route| registry.routes().get(route));
    for (name, value) in route.into_iter().flat_map(|route| &route.generation) {
        generation.insert(name.clone(), value.clone());
    }
    generation
}
