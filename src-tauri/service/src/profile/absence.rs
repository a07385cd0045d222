//! Why no roll prints something, in the words of the page.

use promptdeck_core::hydrate::{Incompatibility, Relation};
use promptdeck_core::unprinted::only_routes;
use promptdeck_population::profile::Absence;

use super::ProfileContext;
use crate::preview::dropped;
use crate::wire::{AbsenceReason, CoverageAbsence};

pub(super) fn of(absence: &Absence, context: &ProfileContext<'_>) -> CoverageAbsence {
    let (reason, words) = match absence {
        Absence::NotInAssembly { token, .. } => (
            AbsenceReason::NotInAssembly,
            match token {
                Some(token) => format!("in no entry of the assembly; {token} prints it"),
                None => "in no entry of the assembly".to_owned(),
            },
        ),
        Absence::OtherRoute { routes } => (AbsenceReason::NotInAssembly, only_routes(routes)),
        Absence::Filtered { by } => (
            AbsenceReason::Filtered,
            format!("filtered by {}", by.join(", ")),
        ),
        Absence::Mode { mode } => (AbsenceReason::Condition, format!("left out by mode {mode}")),
        Absence::Condition { variable } => (
            AbsenceReason::Condition,
            format!("its condition is never met: {variable} is not set"),
        ),
        Absence::Dropped { token, why: reason } => {
            let written = context.token(*token);
            let reason = dropped(*reason, written, context.engine.registry(), &[]);
            (
                AbsenceReason::Dropped,
                format!("dropped with {written}: {reason}"),
            )
        }
        Absence::NeverSelected => (AbsenceReason::NeverSelected, "never selected".to_owned()),
        Absence::SameIdentity { item } => (
            AbsenceReason::Excluded,
            format!("item {} of the same name is chosen in its place", item + 1),
        ),
        Absence::Excluded { because } => (AbsenceReason::Excluded, excluded(because)),
        Absence::Weightless => (
            AbsenceReason::NotRolled,
            "weight 0, rolled only where no other item can be".to_owned(),
        ),
        Absence::NotRolled => (
            AbsenceReason::NotRolled,
            "possible, not rolled in this sample".to_owned(),
        ),
        Absence::NotExamined => (
            AbsenceReason::NotExamined,
            "reason not determined".to_owned(),
        ),
        _ => (
            AbsenceReason::Dropped,
            "another text is printed in its place".to_owned(),
        ),
    };
    CoverageAbsence { reason, words }
}

/// The entry of `requires` or `excludes` that comes first, and how many more there are.
fn excluded(because: &[Incompatibility]) -> String {
    let more = match because.len() {
        0 | 1 => String::new(),
        several => format!(", and {} more", several - 1),
    };
    match because.first() {
        Some(one) => format!("never with what is always chosen: {}{more}", cause(one)),
        None => "excluded by what is always chosen".to_owned(),
    }
}

/// An entry of `requires` or `excludes`, as a sentence.
pub(super) fn cause(because: &Incompatibility) -> String {
    let item = match &because.id {
        Some(id) => id.clone(),
        None => format!("{} {}", because.section, because.item + 1),
    };
    let relation = match because.relation {
        Relation::Requires => "requires",
        Relation::Excludes => "excludes",
    };
    format!("{item} {relation} {}", because.reference)
}
