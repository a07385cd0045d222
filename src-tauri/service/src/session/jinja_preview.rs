//! The preview of a registry whose texts are Jinja templates: rendered with the arguments of a call
//! document. [`crate::request`] builds requests from the two.

use std::sync::Arc;

use promptdeck_core::hydrate::Segment;
use promptdeck_core::registry::Diagnostic;
use promptdeck_request::build::BuildError;
use promptdeck_request::call::Call;
use promptdeck_request::call_prompt::CallPrompt;
use promptdeck_request::prompt::Prompt;

use super::Session;
use crate::wire::Change;
use crate::{ServiceError, calls};

impl Session {
    /// Whether the prompt is rendered with arguments.
    #[must_use]
    pub fn renders(&self) -> bool {
        Prompt::is_template(self.engine().registry())
    }

    /// The call document whose arguments are used.
    #[must_use]
    pub fn call_used(&self) -> Option<&str> {
        self.used.as_ref().map(|(name, _)| name.as_str())
    }

    /// Uses the arguments of a call document, or none, and renders the prompt again.
    pub fn use_call(&mut self, used: Option<(String, Arc<Call>)>) -> Change {
        self.used = used;
        if self.renders() {
            let patch = self.preview_again();
            self.without_edits(patch)
        } else {
            self.unchanged()
        }
    }

    /// What renders the prompt as the preview does.
    ///
    /// # Errors
    /// If the arguments of the call document cannot be built.
    pub fn renderer(&self) -> Result<CallPrompt, ServiceError> {
        renderer(self.arguments())
    }

    /// The call document whose arguments the prompt is rendered with.
    pub(super) fn arguments(&self) -> Option<&Call> {
        self.used.as_ref().map(|(_, call)| call.as_ref())
    }
}

/// What renders prompts with the arguments of a call; without one, with the built-in ones.
fn renderer(call: Option<&Call>) -> Result<CallPrompt, ServiceError> {
    let none = Call::default();
    Ok(CallPrompt::new(call.unwrap_or(&none), calls::now())?)
}

/// A prompt as a call renders it.
pub(super) struct RenderedPrompt {
    pub prompt: Prompt,
    /// The error with which a run and a request refuse the prompt, which is the template then.
    pub unrendered: Option<ServiceError>,
    /// A note for each name that the template reads and the call does not set.
    pub unset: Vec<Diagnostic>,
}

/// The prompt with the arguments of a call; without one, with the built-in ones.
pub(super) fn rendered(call: Option<&Call>, segments: &[Segment]) -> RenderedPrompt {
    match renderer(call) {
        Ok(prompts) => {
            let prompt = prompts.of(segments);
            let fault = prompt.error.clone().map(BuildError::from);
            RenderedPrompt {
                prompt,
                unrendered: fault.map(Into::into),
                unset: prompts.unset(segments),
            }
        }
        Err(fault) => RenderedPrompt {
            prompt: Prompt::plain(segments),
            unrendered: Some(fault),
            unset: Vec::new(),
        },
    }
}
