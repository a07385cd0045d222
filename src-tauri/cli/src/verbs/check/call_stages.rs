//! Why `request` refuses a call document that it can read: its history breaks a rule, or the arguments of
//! its templates cannot be built.

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::registry::{DataKey, DiagnosticData, Severity};
use promptdeck_request::{
    call::CallDocument,
    history,
    pipeline::{self, StageFault},
};

use super::Finding;

/// The rules that the messages of the call break. That they can be judged, the reader of the call found
/// out.
pub fn broken_rules(file: &CallDocument) -> Vec<Finding> {
    let messages = file.call.messages();
    let broken = history::validate(&messages, false).unwrap_or_default();
    let findings = broken.into_iter().map(|broken| {
        let pointer = match broken.index < file.call.history.len() {
            true => format!("/history/{}", broken.index),
            false => "/message".to_owned(),
        };
        Finding {
            severity: Severity::Error,
            code: broken.rule.code().to_owned(),
            message: broken.message,
            also: Vec::new(),
            data: DiagnosticData::of(DataKey::Turn, broken.index),
            place: file.places.find(&pointer),
            pointer,
        }
    });
    findings.collect()
}

/// The part of the call whose value no template can read.
pub fn unread(file: &CallDocument) -> Option<Finding> {
    // What is wrong does not depend on the moment.
    let fault = pipeline::arguments_of(&file.call, Moment::default()).err()?;
    let pointer = match &fault {
        StageFault::Arguments(error) => error.pointer(),
        StageFault::Rules(_) | StageFault::History(_) => "/history".to_owned(),
    };
    Some(Finding {
        severity: Severity::Error,
        code: fault.code().to_owned(),
        message: fault.to_string(),
        also: Vec::new(),
        data: DiagnosticData::none(),
        place: file.places.find(&pointer),
        pointer,
    })
}
