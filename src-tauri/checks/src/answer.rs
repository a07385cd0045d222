//! Judges a model's answer by the output policy of the registry, and the verdict by a check.

use promptdeck_core::output::Verdict as PolicyVerdict;
use promptdeck_core::registry::Registry;

use super::{
    explain::Location,
    fault::Fault,
    judge::{Finding, Searches, Text},
    prepare::{Rule, Test, policy},
};

/// What does not hold for an answer, in the order of the rules.
///
/// # Errors
///
/// [`Fault`] if the policy cannot be used, or does not come to an end on this answer.
pub(crate) fn judge<'r>(
    registry: &Registry,
    answer: &str,
    route: Option<&str>,
    rules: &'r [Rule],
    pointer: &str,
) -> Result<Vec<(&'r Rule, Finding)>, Fault> {
    let pointer = format!("{pointer}/answer");
    let policy = policy(registry, route, &pointer)?;
    let verdict = policy
        .apply(answer)
        .map_err(|limit| Fault::new(&pointer, limit.to_string()))?;
    let text = Text::new(&verdict.text);
    let judged = rules.iter().filter_map(|rule| {
        let finding = match &rule.test {
            Test::Text(test) | Test::Cleaned(test) => {
                let mut finding = test.judge(&text, &mut Searches::default())?;
                // Nothing of an answer comes from the registry.
                finding.location = Location::Nowhere;
                finding
            }
            Test::Accepted => accepted(&verdict)?,
            Test::Rejected(reason) => rejected(&verdict, reason.as_deref())?,
            // The reader refuses expectations about prompts here.
            _ => return None,
        };
        Some((rule, finding))
    });
    Ok(judged.collect())
}

fn accepted(verdict: &PolicyVerdict) -> Option<Finding> {
    let reason = verdict.reason.as_deref()?;
    Some(Finding::new(
        format!("rejected: {reason}"),
        Location::Nowhere,
    ))
}

fn rejected(verdict: &PolicyVerdict, wanted: Option<&str>) -> Option<Finding> {
    match (&verdict.reason, wanted) {
        (None, _) => Some(Finding::new("an accepted answer", Location::Nowhere)),
        (Some(reason), Some(wanted)) if !reason.contains(wanted) => Some(Finding::new(
            format!("rejected: {reason}"),
            Location::Nowhere,
        )),
        _ => None,
    }
}
