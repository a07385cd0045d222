//! `generation` and `output_policy`, of the registry and of its routes.

use serde_json::{Map, Value};

use super::{Findings, Pointer, Registry};
use crate::output::{CompiledPolicy, FieldError, GenerationConfig, OutputPolicy};

pub(super) fn check(registry: &Registry, findings: &mut Findings) {
    generation(registry.generation(), &Pointer::to("generation"), findings);
    let policy_at = Pointer::to("output_policy");
    policy(registry.output_policy(), &policy_at, findings);
    for (name, route) in registry.routes() {
        let at = Pointer::to("routes").key(name);
        generation(&route.generation, &at.key("generation"), findings);
        policy(&route.output_policy, &at.key("output_policy"), findings);
    }
}

fn generation(map: &Map<String, Value>, at: &Pointer, findings: &mut Findings) {
    let readable = each_field(map, at, findings, |field| {
        GenerationConfig::from_map(field).map(|_| ())
    });
    let note = GenerationConfig::from_map(&readable)
        .ok()
        .and_then(|config| config.retries_note());
    if let Some(message) = note {
        findings.warning("retries_capped", &at.key("retries"), message);
    }
}

fn policy(map: &Map<String, Value>, at: &Pointer, findings: &mut Findings) {
    let readable = each_field(map, at, findings, |field| {
        OutputPolicy::from_map(field).map(|_| ())
    });
    let Ok(policy) = OutputPolicy::from_map(&readable) else {
        return;
    };
    for fault in CompiledPolicy::faults(&policy) {
        let pointer = at.key(fault.field).index(fault.index);
        let message = format!("the pattern does not compile: {}", fault.error);
        findings.error("pattern", &pointer, message);
    }
}

/// Reads every field by itself, so that each fault is found; gives the fields without any.
fn each_field(
    map: &Map<String, Value>,
    at: &Pointer,
    findings: &mut Findings,
    read: impl Fn(&Map<String, Value>) -> Result<(), FieldError>,
) -> Map<String, Value> {
    let mut readable = Map::new();
    for (key, value) in map {
        let alone = Map::from_iter([(key.clone(), value.clone())]);
        match read(&alone) {
            Ok(()) => readable.extend(alone),
            Err(error) => {
                let code = match &error {
                    FieldError::Unknown { .. } => "setting_unknown",
                    FieldError::WrongType { .. } => "setting_wrong_type",
                };
                findings.error(code, &at.key(key), error.to_string());
            }
        }
    }
    readable
}
