//! What a call document sets for its registry that the registry does not have: its route, and names and
//! values of its state.

use promptdeck_core::hydrate::{Engine, Entries as _, entry_fault};
use promptdeck_core::registry::{DiagnosticData, Severity};
use promptdeck_request::call::CallDocument;

use super::Finding;

/// The findings, as `request` has them for the same call.
pub fn findings(engine: &Engine, file: &CallDocument) -> Vec<Finding> {
    let state = &file.call.state;
    let unusual = state.entries().filter_map(|entry| {
        let mut found = entry_fault(engine.registry(), entry)?;
        found.pointer = format!("/state{}", entry.pointer());
        found.place = file.places.find_key(&found.pointer);
        Some(Finding::from(found))
    });
    let route = engine.check_route(file.call.route.as_deref());
    let unknown_route = route.err().map(|error| Finding {
        severity: Severity::Error,
        code: error.code().to_owned(),
        message: error.to_string(),
        pointer: "/route".to_owned(),
        also: Vec::new(),
        data: DiagnosticData::default(),
        place: file.places.find("/route"),
    });
    unusual.chain(unknown_route).collect()
}
