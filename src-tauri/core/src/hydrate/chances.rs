//! The exact chances of picks, where they do not depend on each other. What is printed is not known
//! here; a caller combines the chances with what each choice prints.

use std::collections::{BTreeSet, HashMap};

use super::{
    Engine, State,
    choose::slider_is_rolled,
    variants::{SectionOdds, odds, related_sections},
};

/// How likely each value of a pick is under a state.
///
/// # Examples
///
/// ```
/// use promptdeck_core::hydrate::{Chances, Engine, State};
/// use promptdeck_core::registry;
///
/// let text = br#"{
///     "assembly_order": ["topic"],
///     "topic": {"section_random": true, "items": [{"id": "a", "text": "One."}, {"id": "b", "text": "Two."}]}
/// }"#;
/// let engine = Engine::new(registry::parse(text)?.registry);
/// let state = State::default();
/// assert_eq!(Chances::new(&engine, &state).items(0), Some(vec![0.5, 0.5]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Chances<'e> {
    engine: &'e Engine,
    state: &'e State,
    /// The sections that `requires` and `excludes` lead from or to.
    related: Vec<BTreeSet<usize>>,
    odds: HashMap<String, SectionOdds>,
}

impl<'e> Chances<'e> {
    /// The chances under a state.
    #[must_use]
    pub fn new(engine: &'e Engine, state: &'e State) -> Self {
        Self {
            engine,
            state,
            related: related_sections(engine.registry()),
            odds: odds(engine, state)
                .into_iter()
                .map(|odds| (odds.section.clone(), odds))
                .collect(),
        }
    }

    /// Whether `requires` or `excludes` lead from or to the section, so that its pick depends on
    /// others.
    #[must_use]
    pub fn is_related(&self, section: usize) -> bool {
        let related = self.related.get(section);
        related.is_some_and(|others| !others.is_empty())
    }

    /// The chance of each item of a rolled section to be chosen; `None` if the section is not
    /// rolled, or its pick depends on others.
    #[must_use]
    pub fn items(&self, section: usize) -> Option<Vec<f64>> {
        let (name, _) = self.engine.registry().sections().get_index(section)?;
        let odds = self.odds.get(name.as_str())?;
        if !odds.rolled || self.is_related(section) {
            return None;
        }
        odds.items.clone()
    }

    /// The chance of each position of a rolled slider; `None` if it is not rolled.
    #[must_use]
    pub fn slider(&self, section: usize) -> Option<f64> {
        let program = self.engine.sections().get(section)?;
        slider_is_rolled(program, self.state).then_some(0.1)
    }

    /// The chance of each entry of an array to be among the rolled ones.
    #[must_use]
    pub fn entry(rolled: u32, total: u32) -> f64 {
        if total == 0 {
            return 0.0;
        }
        f64::from(rolled.min(total)) / f64::from(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrate::{Roller, Seed};
    use crate::registry;

    fn engine(text: &str) -> Engine {
        Engine::new(
            registry::parse(text.as_bytes())
                .expect("a registry")
                .registry,
        )
    }

    #[test]
    fn items_with_one_identity_share_a_draw() {
        let engine = engine(
            r#"{"assembly_order": ["a"], "a": {"section_random": true,
                "items": [{"id": "x", "text": "1"}, {"id": "x", "text": "2"}, {"id": "y", "text": "3"}]}}"#,
        );
        let state = State::default();
        let chances = Chances::new(&engine, &state).items(0);
        assert_eq!(chances, Some(vec![0.5, 0.0, 0.5]));
        let mut roller = Roller::new(&engine, &state, None).expect("the default route");
        for seed in 0..200 {
            assert_ne!(roller.roll(Seed::from_bits(seed)).text, "2");
        }
    }

    #[test]
    fn weights_are_chances() {
        let engine = engine(
            r#"{"assembly_order": ["a"], "a": {"section_random": true, "items": [
                {"id": "x", "text": "1", "weight": 3}, {"id": "y", "text": "2"}, {"id": "z", "text": "3", "weight": 0}]}}"#,
        );
        let state = State::default();
        let chances = Chances::new(&engine, &state).items(0);
        assert_eq!(chances, Some(vec![0.75, 0.25, 0.0]));
    }

    #[test]
    fn relations_make_picks_dependent() {
        let engine = engine(
            r#"{"assembly_order": ["a", "b", "c"],
                "a": {"section_random": true, "items": [{"id": "x", "text": "1", "excludes": ["b.y"]}, {"id": "z", "text": "2"}]},
                "b": {"section_random": true, "items": [{"id": "y", "text": "1"}, {"id": "z", "text": "2"}]},
                "c": {"section_random": true, "items": [{"id": "y", "text": "1"}, {"id": "z", "text": "2"}]}}"#,
        );
        let state = State::default();
        let chances = Chances::new(&engine, &state);
        assert_eq!(chances.items(0), None);
        assert_eq!(chances.items(1), None);
        assert_eq!(chances.items(2), Some(vec![0.5, 0.5]));
    }
}
