//! The preview of a registry whose texts are Jinja templates: rendered with the arguments of a call
//! document. [`crate::request`] builds requests from the two.

use std::collections::BTreeSet;
use std::sync::Arc;

use promptdeck_core::hydrate::{Gap, Segment};
use promptdeck_core::registry::{DataKey, Diagnostic};
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

    /// That call document's content.
    #[must_use]
    pub(crate) fn used_call(&self) -> Option<&Arc<Call>> {
        self.used.as_ref().map(|(_, call)| call)
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

    /// What finds the names that its templates read and its call does not set; none if the prompt is not
    /// rendered.
    #[must_use]
    pub(crate) fn unset_arguments(&self) -> Option<UnsetArguments> {
        let call = self.used.as_ref().map(|(_, call)| Arc::clone(call));
        self.renders().then_some(UnsetArguments { call })
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

/// The call of a document, for a search that takes as long as parsing all of the prompt's templates.
pub(crate) struct UnsetArguments {
    call: Option<Arc<Call>>,
}

impl UnsetArguments {
    /// A note for each name that the templates of these segments read and the call does not set. With a
    /// call document, a warning for each expression without a value instead, where it leaves a gap, and
    /// for each loop over a text.
    pub fn of(&self, segments: &[Segment]) -> Vec<Diagnostic> {
        let Ok(prompts) = renderer(self.call.as_deref()) else {
            return Vec::new();
        };
        let mut found = prompts.unset(segments);
        if self.call.is_some() {
            let prompt = prompts.of(segments);
            let gaps = prompt.gaps.iter();
            let warned: BTreeSet<_> = gaps.filter_map(|gap| gap.argument.as_deref()).collect();
            found.retain(|note| {
                let name = note.data.text(DataKey::Name);
                !name.is_some_and(|name| warned.contains(name))
            });
            found.extend(prompt.warnings());
        }
        found
    }
}

/// A prompt as a call renders it.
pub(super) struct RenderedPrompt {
    pub prompt: Prompt,
    /// The error with which a run and a request refuse the prompt, which is the template then.
    pub unrendered: Option<ServiceError>,
}

/// The prompt with the arguments of a call; without one, with the built-in ones.
pub(super) fn rendered(call: Option<&Call>, segments: &[Segment], gaps: &[Gap]) -> RenderedPrompt {
    match renderer(call) {
        Ok(prompts) => {
            let prompt = prompts.with_gaps(segments, gaps);
            let fault = prompt.error.clone().map(BuildError::from);
            RenderedPrompt {
                prompt,
                unrendered: fault.map(Into::into),
            }
        }
        Err(fault) => RenderedPrompt {
            prompt: Prompt::plain_with_gaps(segments, gaps),
            unrendered: Some(fault),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use promptdeck_core::hydrate::{Seed, State};
    use serde_json::json;

    use super::*;
    use crate::analysis::Subject;
    use crate::open_documents::FileDocument as _;
    use crate::tree;
    use crate::working_copy::{Start, WorkingCopy};

    fn session(text: &str) -> Session {
        let registry = json!({
            "template_engine": "jinja",
            "assembly_order": ["a"],
            "a": {"required": true, "items": [{"id": "x", "text": text}]},
        });
        let disk = Session::parse("a.json", registry.to_string().as_bytes()).expect("a registry");
        let tree = tree::build(&disk.content, &State::default(), None, Seed::default());
        Session::new(
            WorkingCopy::new(Start {
                document: "a.json".to_owned(),
                path: PathBuf::from("a.json"),
                disk,
                tree,
                modified: false,
            })
            .expect("a working copy"),
        )
    }

    #[test]
    fn names_that_no_argument_sets_are_left_to_the_analysis() {
        let session = session("{% if admin %}Hi.{% endif %} You.");
        let (preview, _) = session.preview();
        assert_eq!(preview.diagnostics, []);
        let lint = Subject::of(&session).lint();
        let codes: Vec<_> = lint.diagnostics.iter().map(|note| &note.code[..]).collect();
        assert_eq!(codes, ["argument_unset"]);
    }

    #[test]
    fn a_text_that_is_looped_over_is_a_warning() {
        let mut session = session("{% for town in towns %}{{ town }}{% endfor %}");
        let call = json!({"args": {"towns": "Rye"}});
        let call = Call::from_map(call.as_object().expect("an object")).expect("a call");
        session.use_call(Some(("c.call.json".to_owned(), Arc::new(call))));
        let lint = Subject::of(&session).lint();
        let codes: Vec<_> = lint.diagnostics.iter().map(|note| &note.code[..]).collect();
        assert_eq!(codes, ["text_looped"]);
    }

    #[test]
    fn with_a_call_what_leaves_a_gap_is_a_warning_instead() {
        let mut session = session("{{ user.name }} {{ town }}{% if admin %}.{% endif %}");
        let found = |session: &Session| -> Vec<_> {
            let notes = Subject::of(session).lint().diagnostics.into_iter();
            notes.map(|note| (note.code, note.message)).collect()
        };
        let unset = |name: &str| {
            let message =
                format!("the name {name} has no value: set it in args of a call document");
            ("argument_unset".to_owned(), message)
        };
        assert_eq!(found(&session), ["admin", "town", "user"].map(unset));
        let call = json!({"args": {"user": {}}});
        let call = Call::from_map(call.as_object().expect("an object")).expect("a call");
        session.use_call(Some(("c.call.json".to_owned(), Arc::new(call))));
        let gap = |name: &str| {
            let message = format!(
                "{name} of a has no value and leaves a gap in the prompt: set it in args of the call \
                 document"
            );
            ("expression_gap".to_owned(), message)
        };
        assert_eq!(
            found(&session),
            [gap("user.name"), gap("town"), unset("admin")]
        );
    }
}
