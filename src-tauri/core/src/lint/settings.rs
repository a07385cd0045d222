//! Checks `template_engine`, the names of routes, and `generation` and `output_policy` of the registry
//! and its routes.

use promptdeck_json::nearest::{hint, nearest};
use serde_json::{Map, Value};

use super::{DataKey, DiagnosticData, Findings, Pointer, Registry, codes};
use crate::{
    hydrate::JINJA,
    output::{CompiledPolicy, FieldError, GenerationConfig, OutputPolicy},
    registry::BUILT_IN_ROUTE,
    run::retries_capped,
};

pub(super) fn check(registry: &Registry, findings: &mut Findings) {
    template_engine(registry, findings);
    generation(registry.generation(), &Pointer::to("generation"), findings);
    let policy_at = Pointer::to("output_policy");
    policy(registry.output_policy(), &policy_at, findings);
    for (name, route) in registry.routes() {
        let at = Pointer::to("routes").key(name);
        if name == BUILT_IN_ROUTE {
            let message = format!(
                "route {name:?} has the name that stands for no route: give it another name"
            );
            let data = DiagnosticData::of(DataKey::Route, name.as_str());
            findings.warning(codes::ROUTE_NAMED_DEFAULT, &at, message, data);
        }
        generation(&route.generation, &at.key("generation"), findings);
        policy(&route.output_policy, &at.key("output_policy"), findings);
    }
    lengths(registry, findings);
}

/// The names of settings that no reader knows.
pub(super) fn unknown(registry: &Registry, findings: &mut Findings) {
    let mut all = Findings::new(findings.grouping);
    let mut check = |generation: &Map<String, Value>, policy: &Map<String, Value>, at: Pointer| {
        generation_fields(generation, &at.key("generation"), &mut all);
        policy_fields(policy, &at.key("output_policy"), &mut all);
    };
    let (generation, policy) = (registry.generation(), registry.output_policy());
    check(generation, policy, Pointer(String::new()));
    for (name, route) in registry.routes() {
        let at = Pointer::to("routes").key(name);
        check(&route.generation, &route.output_policy, at);
    }
    for found in all.list {
        if found.code == codes::SETTING_UNKNOWN {
            findings.add_found(found);
        }
    }
}

/// An unknown engine renders nothing.
pub(super) fn template_engine(registry: &Registry, findings: &mut Findings) {
    let Some(engine) = registry.template_engine() else {
        return;
    };
    if engine != JINJA {
        let suggestion = nearest(engine, [JINJA]);
        let message = format!(
            "template_engine {engine:?} is not known: no template is rendered{}",
            hint(suggestion)
        );
        let pointer = Pointer::to("template_engine");
        let data =
            DiagnosticData::of(DataKey::Found, engine).with_some(DataKey::Suggestion, suggestion);
        findings.warning(codes::TEMPLATE_ENGINE_UNKNOWN, &pointer, message, data);
    }
}

/// Checks for length limits that no text can satisfy, in the registry and in routes that change a
/// limit.
fn lengths(registry: &Registry, findings: &mut Findings) {
    let registry_policy = registry.output_policy();
    conflict(
        &Map::new(),
        registry_policy,
        &Pointer::to("output_policy"),
        findings,
    );
    for (name, route) in registry.routes() {
        let at = Pointer::to("routes").key(name).key("output_policy");
        conflict(registry_policy, &route.output_policy, &at, findings);
    }
}

fn conflict(
    base: &Map<String, Value>,
    overrides: &Map<String, Value>,
    at: &Pointer,
    findings: &mut Findings,
) {
    let mut keys = ["min_length", "max_length", "append_suffix"].into_iter();
    let Some(key) = keys.find(|key| overrides.contains_key(*key)) else {
        return;
    };
    let Ok(policy) = OutputPolicy::layered(base, overrides) else {
        return;
    };
    let (Some(least), Some(most)) = (policy.min_length, policy.max_length) else {
        return;
    };
    // The suffix is appended after truncation and counts towards the length.
    let suffix = policy.append_suffix.unwrap_or_default().chars().count();
    if least > most.saturating_add(suffix as u64) {
        let message = format!(
            "min_length {least} is more than max_length {most} leaves: every text is rejected"
        );
        let data = DiagnosticData::of(DataKey::Minimum, least).with(DataKey::Maximum, most);
        findings.error(codes::LENGTH_CONFLICT, &at.key(key), message, data);
    }
}

fn generation(map: &Map<String, Value>, at: &Pointer, findings: &mut Findings) {
    let readable = generation_fields(map, at, findings);
    let note = GenerationConfig::from_map(&readable)
        .ok()
        .and_then(|config| retries_capped(&config, at.key("retries").0));
    if let Some(note) = note {
        findings.add_found(note);
    }
}

fn policy(map: &Map<String, Value>, at: &Pointer, findings: &mut Findings) {
    let readable = policy_fields(map, at, findings);
    let Ok(policy) = OutputPolicy::from_map(&readable) else {
        return;
    };
    for fault in CompiledPolicy::faults(&policy) {
        let pointer = at.key(fault.field).index(fault.index);
        let reason = fault.error.to_string();
        let message = format!("the pattern does not compile: {reason}");
        let data = DiagnosticData::of(DataKey::Reason, reason);
        findings.error(codes::PATTERN, &pointer, message, data);
    }
}

/// What the error of a field names.
fn field_data(error: &FieldError) -> DiagnosticData {
    let member_data = |object: &str, field: &str| {
        DiagnosticData::of(DataKey::Object, object).with(DataKey::Key, field)
    };
    match error {
        FieldError::Unknown {
            object,
            field,
            known,
            nearest,
        } => member_data(object, field)
            .with(DataKey::Known, *known)
            .with_some(DataKey::Suggestion, *nearest),
        FieldError::WrongType {
            object,
            field,
            expected,
            found,
        } => member_data(object, field)
            .with(DataKey::Expected, *expected)
            .with(DataKey::Found, found.as_str()),
    }
}

/// Checks the fields of a `generation`; returns the valid ones.
fn generation_fields(
    map: &Map<String, Value>,
    at: &Pointer,
    findings: &mut Findings,
) -> Map<String, Value> {
    each_field(map, at, findings, |field| {
        GenerationConfig::from_map(field).map(|_| ())
    })
}

/// Checks the fields of an `output_policy`; returns the valid ones.
fn policy_fields(
    map: &Map<String, Value>,
    at: &Pointer,
    findings: &mut Findings,
) -> Map<String, Value> {
    each_field(map, at, findings, |field| {
        OutputPolicy::from_map(field).map(|_| ())
    })
}

/// Validates each field separately, so that every fault is found; returns the valid fields.
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
                    FieldError::Unknown { .. } => codes::SETTING_UNKNOWN,
                    FieldError::WrongType { .. } => codes::SETTING_WRONG_TYPE,
                };
                findings.error(code, &at.key(key), error.to_string(), field_data(&error));
            }
        }
    }
    readable
}
