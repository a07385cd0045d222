//! What a request to Gemini reports of the `layers` of a call document.

use promptdeck_core::{
    hydrate::Engine,
    registry::{Diagnostic, DiagnosticData, Registry, Severity},
};
use promptdeck_request::{call::CallDocument, call_layers};

use super::Finding;

/// The findings, and the fault for which there is no such request. A registry that cannot be read is
/// reported elsewhere.
pub fn findings(
    file: &CallDocument,
    engine: Option<&Engine>,
) -> (Vec<Diagnostic>, Option<Finding>) {
    let empty = Engine::new(Registry::default());
    let error = match call_layers::lint(&file.call, engine.unwrap_or(&empty)) {
        Ok(found) => return (found, None),
        Err(error) => error,
    };
    let pointer = format!("/layers{}", error.pointer);
    let refused = Finding {
        severity: Severity::Error,
        code: error.code().to_owned(),
        message: format!(
            "{}; `promptdeck request --target gemini` refuses this call document",
            error.fault
        ),
        also: Vec::new(),
        data: DiagnosticData::none(),
        place: file.places.find(&pointer).or_else(|| {
            // What is missing has the place of what lacks it.
            let (parent, _) = pointer.rsplit_once('/')?;
            file.places.find(parent)
        }),
        pointer,
    };
    (Vec::new(), Some(refused))
}
