//! Applies a document's output policy to a text on trial.

use promptdeck_core::output::{CompiledPolicy, OutputPolicy};
use promptdeck_core::registry::Registry;

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
        apply(&registry, route.as_deref(), text, &|| cancel.is_cancelled())?
            .ok_or(ServiceError::Superseded)
    }
}

/// What the output policy of a route makes of a text; `None` once `is_cancelled` returns true.
pub(crate) fn apply(
    registry: &Registry,
    route: Option<&str>,
    text: &str,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Option<Verdict>, ServiceError> {
    let none = serde_json::Map::new();
    let over = route.and_then(|route| registry.routes().get(route));
    let over = over.map_or(&none, |route| &route.output_policy);
    let refused = |fault: String| ServiceError::Policy(fault);
    let policy = OutputPolicy::layered(registry.output_policy(), over)
        .map_err(|fault| refused(fault.to_string()))?;
    let policy = CompiledPolicy::new(policy).map_err(|fault| refused(fault.to_string()))?;
    let verdict = policy
        .apply_unless(text, is_cancelled)
        .map_err(|fault| refused(fault.to_string()))?;
    Ok(verdict.map(|verdict| Verdict {
        text: verdict.text,
        accepted: verdict.accepted,
        reason: verdict.reason,
    }))
}
