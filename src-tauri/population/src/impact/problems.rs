//! The problems that an edit adds and removes.

use std::collections::BTreeMap;

use promptdeck_core::{
    hydrate::{Call, Seed, State},
    lint,
    registry::Diagnostic,
};
use serde::Serialize;

use super::Side;

/// Problems of one version that the other has not.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Problems {
    /// Those of the new version alone.
    pub added: Vec<Diagnostic>,
    /// Those of the old version alone.
    pub removed: Vec<Diagnostic>,
}

/// The problems of two versions under a state. Two are the same if they say the same, wherever they
/// stand.
#[must_use]
pub fn problems(old: Side<'_>, new: Side<'_>, state: &State) -> Problems {
    let found = |side: Side<'_>| {
        let call = Call {
            state,
            route: side.route,
            seed: Seed::default(),
        };
        lint::summary(side.engine, &call)
    };
    let (old, new) = (found(old), found(new));
    Problems {
        added: without(&new, &old),
        removed: without(&old, &new),
    }
}

fn without(found: &[Diagnostic], others: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for other in others {
        *counts
            .entry((other.code.as_str(), &other.message))
            .or_default() += 1;
    }
    let alone = found.iter().filter(|own| {
        match counts.get_mut(&(own.code.as_str(), own.message.as_str())) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        }
    });
    alone.cloned().collect()
}
