//! Running a call: hydrate once, then up to `retries` attempts of options, cleaning, judging.

use std::sync::Arc;

use promptdeck_chat::extract::Extracted;
use promptdeck_json::push_step;
use serde::Serialize;
use serde_json::{Map, Value};

use super::error::RunError;
use super::provider::{
    Input, Message, NoListener, Provider, Request, Response, RetriedError, Role, StreamListener,
    Timing, ToolCall, Usage,
};
use super::render::RenderPrompt;
use crate::hydrate::{Call, Engine, Evaluation, HydrateError, Hydration, JINJA, Seed};
use crate::output::{CompiledPolicy, GenerationConfig, OutputPolicy};
use crate::registry::{DataKey, Diagnostic, DiagnosticData, Registry, Severity, codes};

/// One response of the provider and the verdict of the policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attempt {
    /// The text as the provider gave it.
    pub raw: String,
    /// The channels of a raw completion; its content goes to the policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extracted: Option<Extracted>,
    /// The tool calls beside the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The text as the policy left it.
    pub cleaned: String,
    /// Whether the cleaned text passes.
    pub accepted: bool,
    /// The first rule it breaks, when it does not.
    pub reason: Option<String>,
    /// Tokens spent.
    pub usage: Usage,
    /// Timings.
    pub timing: Timing,
    /// The finish reason, in the provider's words, if known.
    pub finish: Option<String>,
    /// Failed tries of this attempt before the successful one, oldest first; the policy saw none.
    pub overcome: Vec<RetriedError>,
}

impl Attempt {
    /// Whether the model answered nothing: no text before or after the policy, and no tool call.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.raw.trim().is_empty() && self.cleaned.trim().is_empty() && !self.calls_tools()
    }

    /// Whether the answer is nothing but tool calls: its server separates them from the text, or its
    /// channels do. The policy, which judges texts, is not applied to it.
    #[must_use]
    pub fn only_calls(&self) -> bool {
        let extracted = self.extracted.as_ref();
        let content = extracted.map_or(&self.raw, |extracted| &extracted.content);
        self.calls_tools() && content.trim().is_empty()
    }

    fn calls_tools(&self) -> bool {
        let mut extracted = self.extracted.iter();
        !self.tool_calls.is_empty() || extracted.any(|extracted| !extracted.tool_calls.is_empty())
    }
}

/// The result of a run: the text of its last attempt, with its provenance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunResult {
    /// The cleaned text of the last attempt.
    pub text: String,
    /// Whether it passes the policy.
    pub accepted: bool,
    /// The first rule it breaks, when it does not.
    pub reason: Option<String>,
    /// The prompt that was sent; `None` if there was none.
    pub prompt: Option<String>,
    /// The route, if any.
    pub route: Option<String>,
    /// The seed, with which the roll can be repeated; `None` without a prompt.
    pub seed: Option<Seed>,
    /// What was used, and why; `None` without a prompt.
    pub evaluation: Option<Evaluation>,
    /// Every attempt, the last one included.
    pub attempts: Vec<Attempt>,
    /// Tokens of the last attempt.
    pub usage: Usage,
    /// Times of the last attempt.
    pub timing: Timing,
    /// The provider's own answer to the last attempt.
    pub raw: Value,
    /// Warnings about settings that were adjusted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

/// The settings of one registry and route, compiled once for any number of runs.
#[derive(Debug)]
pub struct Plan {
    route: Option<String>,
    generation: GenerationConfig,
    policy: CompiledPolicy,
    input: Option<Input>,
    /// Whether a prompt is made of the registry.
    is_hydrated: bool,
    /// Whether the texts of the registry are templates.
    is_template: bool,
    renderer: Option<Arc<dyn RenderPrompt>>,
    /// JSON pointer to the `retries` that count.
    retries_at: String,
}

/// How many attempts a run makes, and whether it streams.
#[derive(Debug, Clone, Copy)]
struct AttemptOptions {
    /// The most attempts, at least one.
    max_attempts: u32,
    stream: bool,
}

impl Plan {
    /// Compiles the settings of `registry` for `route`.
    ///
    /// # Errors
    ///
    /// [`RunError`] for an unknown route, an invalid setting or a pattern that does not compile.
    pub fn new(registry: &Registry, route: Option<&str>) -> Result<Self, RunError> {
        let no_values = Map::new();
        let (generation, policy) = match route {
            None => (&no_values, &no_values),
            Some(name) => {
                let route = registry.routes().get(name).ok_or_else(|| {
                    let known = registry.routes().keys().cloned().collect();
                    HydrateError::UnknownRoute {
                        route: name.to_owned(),
                        known,
                    }
                })?;
                (&route.generation, &route.output_policy)
            }
        };
        let mut retries_at = String::new();
        if let Some(name) = route.filter(|_| generation.contains_key("retries")) {
            push_step(&mut retries_at, "routes");
            push_step(&mut retries_at, name);
        }
        retries_at.push_str("/generation/retries");
        Ok(Self {
            retries_at,
            route: route.map(str::to_owned),
            generation: GenerationConfig::layered(registry.generation(), generation)?,
            policy: CompiledPolicy::new(OutputPolicy::layered(registry.output_policy(), policy)?)?,
            input: None,
            is_hydrated: true,
            is_template: registry.template_engine() == Some(JINJA),
            renderer: None,
        })
    }

    /// The generation settings.
    #[must_use]
    pub fn generation(&self) -> &GenerationConfig {
        &self.generation
    }

    /// What is sent in the place of the prompt alone, if anything.
    #[must_use]
    pub fn input(&self) -> Option<&Input> {
        self.input.as_ref()
    }

    /// The same plan with other generation settings, for what a caller overrides.
    #[must_use]
    pub fn with_generation(mut self, generation: GenerationConfig) -> Self {
        self.generation = generation;
        self
    }

    /// The same plan sending `input` in the place of the prompt alone: a conversation, the text of
    /// a chat template or a layered body, built from the prompt by the caller.
    #[must_use]
    pub fn with_input(mut self, input: Input) -> Self {
        self.input = Some(input);
        self
    }

    /// As [`Plan::with_input`], of an input that has nothing to do with the registry: no prompt is made.
    #[must_use]
    pub fn with_other_input(mut self, input: Input) -> Self {
        self.is_hydrated = false;
        self.with_input(input)
    }

    /// The same plan with what renders the prompt, if the texts of the registry are templates.
    /// Without it, their prompt is not sent.
    #[must_use]
    pub fn with_renderer(mut self, renderer: Arc<dyn RenderPrompt>) -> Self {
        self.renderer = Some(renderer);
        self
    }

    /// The prompt of a hydration as it is sent.
    ///
    /// # Errors
    ///
    /// [`RunError`] if its texts are templates and are not rendered.
    pub fn prompt(&self, hydration: &Hydration) -> Result<String, RunError> {
        match &self.renderer {
            _ if !self.is_template => Ok(hydration.text.clone()),
            Some(renderer) => renderer.render(hydration).map_err(RunError::PromptTemplate),
            // The input was built from the prompt elsewhere, with arguments unknown here.
            None if self.input.is_some() => Ok(hydration.text.clone()),
            None => Err(RunError::TemplateNotRendered),
        }
    }

    /// What of the settings is not taken at its word, such as more attempts than a run makes.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let capped = retries_capped(&self.generation, self.retries_at.clone());
        capped.into_iter().collect()
    }

    /// The output policy.
    #[must_use]
    pub fn policy(&self) -> &CompiledPolicy {
        &self.policy
    }

    /// Hydrates once and generates until a text is accepted or the attempts are used up.
    ///
    /// `call.route` has to be the plan's.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the call can't be hydrated, the prompt is too long, or the provider fails.
    pub fn run(
        &self,
        engine: &Engine,
        call: &Call<'_>,
        provider: &mut dyn Provider,
    ) -> Result<RunResult, RunError> {
        let options = AttemptOptions {
            max_attempts: self.generation.attempts(),
            stream: false,
        };
        self.attempts(engine, call, provider, options, &mut NoListener)
    }

    /// As [`Plan::run`], but streams: the deltas of every attempt and its verdict go to `listener`.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the call can't be hydrated, the prompt is too long, or the provider fails.
    pub fn run_with_listener(
        &self,
        engine: &Engine,
        call: &Call<'_>,
        provider: &mut dyn Provider,
        listener: &mut dyn StreamListener,
    ) -> Result<RunResult, RunError> {
        let options = AttemptOptions {
            max_attempts: self.generation.attempts(),
            stream: true,
        };
        self.attempts(engine, call, provider, options, listener)
    }

    /// As [`Plan::run`], with one attempt whose deltas go to `listener` as they arrive. Deltas are the
    /// provider's text; the policy validates the whole text at the end.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the call can't be hydrated, the prompt is too long, or the provider fails.
    pub fn stream(
        &self,
        engine: &Engine,
        call: &Call<'_>,
        provider: &mut dyn Provider,
        listener: &mut dyn StreamListener,
    ) -> Result<RunResult, RunError> {
        let options = AttemptOptions {
            max_attempts: 1,
            stream: true,
        };
        self.attempts(engine, call, provider, options, listener)
    }

    /// The request for an input.
    #[must_use]
    pub fn request(&self, input: Input, stream: bool) -> Request {
        Request {
            input,
            generation: self.generation.clone(),
            stream,
        }
    }

    fn attempts(
        &self,
        engine: &Engine,
        call: &Call<'_>,
        provider: &mut dyn Provider,
        options: AttemptOptions,
        listener: &mut dyn StreamListener,
    ) -> Result<RunResult, RunError> {
        let call = Call {
            route: self.route.as_deref(),
            ..*call
        };
        let sent = if self.is_hydrated {
            let hydration = engine.hydrate(&call)?;
            let prompt = self.prompt(&hydration)?;
            self.check_length(prompt.chars().count() as u64)?;
            Some((prompt, hydration))
        } else {
            None
        };
        self.check_input()?;
        let message = || {
            Input::Messages(vec![Message {
                role: Role::User,
                content: sent
                    .as_ref()
                    .map_or_else(String::new, |(prompt, _)| prompt.clone()),
            }])
        };
        let input = self.input.clone().unwrap_or_else(message);
        let request = self.request(input, options.stream);
        let mut attempts = Vec::new();
        loop {
            let response = match provider.generate(&request, listener) {
                Ok(response) => response,
                Err(error) => {
                    return Err(RunError::Provider {
                        provider: provider.name().to_owned(),
                        error: Box::new(error),
                        attempts,
                    });
                }
            };
            let attempt = self.judge(&response);
            listener.judged(&attempt);
            let done = attempt.accepted || attempts.len() + 1 >= options.max_attempts as usize;
            attempts.push(attempt.clone());
            if done {
                return Ok(self.result(sent, attempt, attempts, response.raw));
            }
        }
    }

    /// Checks the length of an input that is not the prompt of a roll.
    ///
    /// # Errors
    ///
    /// [`RunError::PromptTooLong`] if nothing would be sent.
    pub fn check_input(&self) -> Result<(), RunError> {
        match &self.input {
            Some(input) => self.check_length(input.characters()),
            None => Ok(()),
        }
    }

    fn check_length(&self, length: u64) -> Result<(), RunError> {
        match self.generation.max_prompt_chars {
            Some(limit) if length > limit => Err(RunError::PromptTooLong { length, limit }),
            _ => Ok(()),
        }
    }

    /// A text that exceeds the search limit of a pattern is rejected, not lost. An answer that only
    /// calls tools has no text to judge.
    fn judge(&self, response: &Response) -> Attempt {
        let unjudged = Attempt {
            raw: response.text.clone(),
            extracted: response.extracted.clone(),
            tool_calls: response.tool_calls.clone(),
            cleaned: String::new(),
            accepted: true,
            reason: None,
            usage: response.usage,
            timing: response.timing,
            finish: response.finish.clone(),
            overcome: response.overcome.clone(),
        };
        if unjudged.only_calls() {
            return unjudged;
        }
        let extracted = response.extracted.as_ref();
        let content = extracted.map_or(&response.text, |extracted| &extracted.content);
        let (cleaned, reason) = match self.policy.apply(content) {
            Ok(verdict) => (verdict.text, verdict.reason),
            Err(limit) => (content.clone(), Some(limit.to_string())),
        };
        Attempt {
            cleaned,
            accepted: reason.is_none(),
            reason,
            ..unjudged
        }
    }

    fn result(
        &self,
        sent: Option<(String, Hydration)>,
        last: Attempt,
        attempts: Vec<Attempt>,
        raw: Value,
    ) -> RunResult {
        let (prompt, hydration) = sent.unzip();
        let (seed, evaluation) = hydration
            .map(|hydration| (hydration.seed, hydration.evaluation))
            .unzip();
        RunResult {
            text: last.cleaned,
            accepted: last.accepted,
            reason: last.reason,
            prompt,
            route: self.route.clone(),
            seed,
            evaluation,
            attempts,
            usage: last.usage,
            timing: last.timing,
            raw,
            diagnostics: self.diagnostics(),
        }
    }
}

/// A warning if `retries`, which stands at `pointer`, exceeds the attempts that a run makes.
pub(crate) fn retries_capped(config: &GenerationConfig, pointer: String) -> Option<Diagnostic> {
    const MOST: u32 = GenerationConfig::MAX_ATTEMPTS;
    (config.retries > MOST).then(|| {
        Diagnostic::new(
            codes::RETRIES_CAPPED,
            Severity::Warning,
            format!(
                "retries is {}, but a run makes at most {MOST} attempts; lower it",
                config.retries
            ),
            pointer,
            DiagnosticData::of(DataKey::Count, config.retries).with(DataKey::Maximum, MOST),
        )
    })
}
