//! A session and the call document whose arguments its prompt is rendered with, for registries that
//! ask for Jinja. What a request makes of both is [`crate::request`]'s.

use std::sync::Arc;

use promptdeck_core::hydrate::Segment;
use promptdeck_request::call::Call;
use promptdeck_request::pipeline;
use promptdeck_request::prompt::Prompt;

use super::Session;
use crate::calls;
use crate::wire::Change;

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

    /// Uses the arguments of a call document, or none, and shows the prompt anew.
    pub fn use_call(&mut self, used: Option<(String, Arc<Call>)>) -> Change {
        self.used = used;
        if self.renders() {
            let patch = self.preview_again();
            self.answered(patch)
        } else {
            self.unchanged()
        }
    }

    /// The prompt with the arguments in use; without a call document those that are always there.
    pub(super) fn rendered(&self, segments: &[Segment]) -> Prompt {
        let none = Call::default();
        let call = self.used.as_ref().map_or(&none, |(_, call)| call.as_ref());
        let now = call.now.unwrap_or_else(calls::now);
        match pipeline::arguments_of(call, now) {
            Ok(arguments) => Prompt::rendered(segments, &arguments.context),
            // What is wrong with the arguments is said where the request is made.
            Err(_) => Prompt::plain(segments),
        }
    }
}
