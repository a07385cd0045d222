//! Generation settings: the parameters of a request to a provider.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::object_reader::{FieldError, ObjectReader};

/// How a text is to be generated. Every field but the four optional ones always has a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GenerationConfig {
    /// The intended provider (informational).
    pub provider: String,
    /// The model's name, as the provider knows it.
    pub model: String,
    /// Sampling temperature.
    pub temperature: f64,
    /// Nucleus sampling, from 0 to 1.
    pub top_p: Option<f64>,
    /// Tokens that are candidates at each step.
    pub top_k: Option<u64>,
    /// The most tokens to generate.
    pub max_tokens: u64,
    /// Penalty for repeated tokens; 1 is none.
    pub repeat_penalty: Option<f64>,
    /// Milliseconds a provider may take for one attempt.
    pub timeout_ms: u64,
    /// Attempts while the output policy refuses the text; 0 counts as 1, and more than
    /// [`GenerationConfig::MAX_ATTEMPTS`] count as that many.
    pub retries: u32,
    /// Characters a prompt may have; a longer one is never sent.
    pub max_prompt_chars: Option<u64>,
}

impl Default for GenerationConfig {
    fn default() -> Self {
        Self {
            provider: "ollama".to_owned(),
            model: "default".to_owned(),
            temperature: 0.8,
            top_p: None,
            top_k: None,
            max_tokens: 256,
            repeat_penalty: None,
            timeout_ms: 60_000,
            retries: 1,
            max_prompt_chars: None,
        }
    }
}

impl GenerationConfig {
    /// The fields by their names in a registry.
    pub const FIELDS: [&str; 10] = [
        "provider",
        "model",
        "temperature",
        "top_p",
        "top_k",
        "max_tokens",
        "repeat_penalty",
        "timeout_ms",
        "retries",
        "max_prompt_chars",
    ];

    /// Parses a registry's `generation` object.
    ///
    /// # Errors
    ///
    /// [`FieldError`] for an unknown field or a value of the wrong type.
    pub fn from_map(map: &Map<String, Value>) -> Result<Self, FieldError> {
        let reader = ObjectReader {
            object: "generation",
            map,
        };
        reader.check_known(&Self::FIELDS)?;
        let default = Self::default();
        Ok(Self {
            provider: reader.text("provider")?.unwrap_or(default.provider),
            model: reader.text("model")?.unwrap_or(default.model),
            temperature: reader.number("temperature")?.unwrap_or(default.temperature),
            top_p: reader.number("top_p")?,
            top_k: reader.count("top_k")?,
            max_tokens: reader.count("max_tokens")?.unwrap_or(default.max_tokens),
            repeat_penalty: reader.number("repeat_penalty")?,
            timeout_ms: reader.count("timeout_ms")?.unwrap_or(default.timeout_ms),
            retries: reader.small_count("retries")?.unwrap_or(default.retries),
            max_prompt_chars: reader.count("max_prompt_chars")?,
        })
    }

    /// Parses `base` with each key of `overrides` in its place.
    ///
    /// # Errors
    ///
    /// [`FieldError`] for an unknown field or a value of the wrong type.
    pub fn layered(
        base: &Map<String, Value>,
        overrides: &Map<String, Value>,
    ) -> Result<Self, FieldError> {
        Self::from_map(&super::policy::overlay(base, overrides))
    }

    /// Whether the model is one. A registry that leaves it out, or has its default, names none.
    #[must_use]
    pub fn names_model(&self) -> bool {
        self.model != Self::default().model
    }

    /// The most attempts one run makes, whatever `retries` says: each is a request that costs
    /// money or a processor, and a typing error must not become a million of them.
    pub const MAX_ATTEMPTS: u32 = 20;

    /// How many attempts a run makes: at least once, at most [`GenerationConfig::MAX_ATTEMPTS`] times.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.retries.clamp(1, Self::MAX_ATTEMPTS)
    }
}
