//! Errors of runs.

use thiserror::Error;

use super::attempts::Attempt;
use super::provider::ProviderError;
use crate::hydrate::HydrateError;
use crate::output::{FieldError, PolicyFault};

/// Why a run has no result. A text that the policy rejects is a result, not an error.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The call doesn't fit the registry.
    #[error(transparent)]
    Hydrate(#[from] HydrateError),
    /// `generation` or `output_policy` cannot be read.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A pattern of the output policy does not compile.
    #[error("output_policy {0}")]
    Policy(#[from] PolicyFault),
    /// The prompt is longer than the registry allows; nothing was sent.
    #[error(
        "the prompt has {length} characters, max_prompt_chars allows {limit}; nothing was sent"
    )]
    PromptTooLong {
        /// Characters of the prompt.
        length: u64,
        /// Characters allowed.
        limit: u64,
    },
    /// The texts are templates, and nothing renders them; nothing was sent.
    #[error("its texts are Jinja templates, which need the arguments of a call document")]
    TemplateNotRendered,
    /// A template was not rendered; nothing was sent.
    #[error("{0}; nothing was sent")]
    PromptTemplate(String),
    /// The provider returned no text.
    #[error("{provider}: {error}")]
    Provider {
        /// The provider's name.
        provider: String,
        /// The error.
        error: Box<ProviderError>,
        /// The attempts before, each rejected by the policy.
        attempts: Vec<Attempt>,
    },
}

impl RunError {
    /// The stable code of this error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Hydrate(error) => error.code(),
            Self::Field(error) => error.code(),
            Self::Policy(fault) => fault.code(),
            Self::PromptTooLong { .. } => "prompt_too_long",
            Self::TemplateNotRendered => "template_not_rendered",
            Self::PromptTemplate(_) => "prompt_template",
            Self::Provider { error, .. } => error.code,
        }
    }
}
