//! Prompts that are too large to be printed.

use super::{DataKey, DiagnosticData, Findings, Order, codes};
use crate::hydrate::{HydrateError, MAX_PROMPT_PIECES, PromptLimit};

/// Reports the order that a prompt is too large with.
pub(super) fn check(error: &HydrateError, order: &Order<'_>, findings: &mut Findings) {
    let HydrateError::PromptTooLarge { entry, limit } = error else {
        return;
    };
    let mut data = DiagnosticData::none();
    let mut pointer = order.pointer.clone();
    if let Some((position, token)) = entry {
        data = data.with(DataKey::Token, &**token);
        pointer = pointer.index(*position);
    }
    if *limit == PromptLimit::Pieces {
        data = data.with(DataKey::Maximum, MAX_PROMPT_PIECES);
    }
    findings.error(codes::PROMPT_TOO_LARGE, &pointer, error.to_string(), data);
}
