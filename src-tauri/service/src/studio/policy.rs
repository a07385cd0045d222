//! Applies a document's output policy to a text on trial.

use promptdeck_core::output::{CompiledPolicy, OutputPolicy};

use crate::open_documents::lock;
use crate::studio::Studio;
use crate::wire::Verdict;
use crate::{CancellationToken, ServiceError};

impl Studio {
    /// Applies the output policy in use, including that of the route, to a text.
    ///
    /// # Errors
    /// If the document is not open, the policy is invalid, or the request is cancelled.
    pub fn try_policy(
        &self,
        document: &str,
        text: &str,
        cancel: &CancellationToken,
    ) -> Result<Verdict, ServiceError> {
        let session = self.inner.session(document)?;
        let (registry, route) = {
            let session = lock(&session);
            (
                session.engine().registry().clone(),
                session.route().map(str::to_owned),
            )
        };
        let none = serde_json::Map::new();
        let over = route.and_then(|route| registry.routes().get(&route));
        let over = over.map_or(&none, |route| &route.output_policy);
        let refused = |fault: String| ServiceError::Policy(fault);
        let policy = OutputPolicy::layered(registry.output_policy(), over)
            .map_err(|fault| refused(fault.to_string()))?;
        let policy = CompiledPolicy::new(policy).map_err(|fault| refused(fault.to_string()))?;
        let verdict = policy
            .apply_unless(text, &|| cancel.is_cancelled())
            .map_err(|fault| refused(fault.to_string()))?
            .ok_or(ServiceError::Superseded)?;
        Ok(Verdict {
            text: verdict.text,
            accepted: verdict.accepted,
            reason: verdict.reason,
        })
    }
}
