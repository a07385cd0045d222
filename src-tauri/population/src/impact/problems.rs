//! The problems that an edit adds and removes.

use std::{borrow::Cow, collections::BTreeMap};

use promptdeck_core::{
    hydrate::{Call, Seed, State},
    lint,
    registry::{DataKey, Diagnostic},
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

/// The keys of amounts, which say how large a problem is.
const AMOUNTS: [DataKey; 4] = [
    DataKey::Characters,
    DataKey::Tokens,
    DataKey::Count,
    DataKey::Listed,
];

/// The problems of two versions under a state. Two are the same if they say the same, apart from
/// amounts, wherever they stand: an edit of a text changes how many characters follow a roll, and
/// that adds no problem.
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
    let mut counts: BTreeMap<Identity<'_>, usize> = BTreeMap::new();
    for other in others {
        *counts.entry(identity(other)).or_default() += 1;
    }
    let only_here = found
        .iter()
        .filter(|problem| match counts.get_mut(&identity(problem)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
    only_here.cloned().collect()
}

/// A code, and the message, or for one with an amount what else it names.
type Identity<'d> = (&'d str, Cow<'d, str>);

fn identity(problem: &Diagnostic) -> Identity<'_> {
    let is_amount = |key: &DataKey| AMOUNTS.contains(key);
    let data = || problem.data.iter();
    let message = match data().any(|(key, _)| is_amount(&key)) {
        false => Cow::Borrowed(problem.message.as_str()),
        true => {
            let named = data().filter(|(key, _)| !is_amount(key));
            Cow::Owned(format!("{:?}", named.collect::<Vec<_>>()))
        }
    };
    (problem.code.as_str(), message)
}

#[cfg(test)]
mod tests {
    use promptdeck_core::{
        hydrate::{Engine, State},
        registry,
    };

    use super::{Side, problems};

    #[test]
    fn an_amount_makes_no_other_problem() {
        let engine = |rolled: &str, words: usize| {
            let text = "word ".repeat(words);
            let deck = format!(
                r#"{{"assembly_order": ["{rolled}.text", "rules.text"],
                    "mood": {{"section_random": true, "items": [{{"id": "a", "text": "Calm."}}, {{"id": "b", "text": "Tense."}}]}},
                    "tone": {{"section_random": true, "items": [{{"id": "a", "text": "Calm."}}, {{"id": "b", "text": "Tense."}}]}},
                    "rules": {{"required": true, "items": [{{"id": "a", "text": "{text}end"}}]}}}}"#
            );
            Engine::new(
                registry::parse(deck.as_bytes())
                    .expect("a registry")
                    .registry,
            )
        };
        let codes = |old: &Engine, new: &Engine| {
            let side = |engine| Side {
                engine,
                route: None,
            };
            let found = problems(side(old), side(new), &State::default());
            [found.added, found.removed].map(|side| {
                let codes = side.iter().map(|problem| problem.code.as_str());
                codes.filter(|code| *code == "random_before_stable").count()
            })
        };
        let deck = engine("mood", 200);
        assert_eq!(codes(&deck, &engine("mood", 300)), [0, 0]);
        assert_eq!(codes(&deck, &engine("mood", 2)), [0, 1], "solved");
        assert_eq!(codes(&engine("mood", 2), &deck), [1, 0], "new");
        assert_eq!(
            codes(&deck, &engine("tone", 200)),
            [1, 1],
            "another section"
        );
    }
}
