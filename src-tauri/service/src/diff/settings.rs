//! The settings of a version by name, and those that differ between two.

use std::collections::{BTreeMap, VecDeque};

use promptdeck_core::hydrate::{Seed, State};

use crate::preview::value_label::{BETWEEN_ENTRIES, BETWEEN_LISTS};
use crate::wire::{Setting, ValueLabel};

/// Value of a setting that is rolled.
const ROLLED: &str = "rolled";

/// A setting and its value in one version.
pub(super) struct Used {
    /// Section; absent for the route and the seed.
    pub section: Option<String>,
    /// `item`, `slider`, an array field, a variable in braces, `route` or `seed`.
    pub name: String,
    pub value: ValueLabel,
    pub rolled: bool,
}

impl Used {
    /// The value for a table cell beside another one, whose end may be cut off: with indices if the
    /// words are equal, and from the first differing entry if several were rolled.
    fn text_beside(&self, other: &Self) -> String {
        let (text, others) = (&self.value.text, &other.value.text);
        if text == others {
            return self.value.detail.clone();
        }
        if !self.rolled || !other.rolled {
            return text.clone();
        }
        let common = text.chars().zip(others.chars());
        let common: usize = common
            .take_while(|(left, right)| left == right)
            .map(|(left, _)| left.len_utf8())
            .sum();
        let ends = [BETWEEN_ENTRIES, BETWEEN_LISTS].into_iter();
        ends.filter_map(|separator| Some(text[..common].rfind(separator)? + separator.len()))
            .max()
            .map_or_else(|| text.clone(), |at| format!("… {}", &text[at..]))
    }
}

/// The settings that no roll decides: variables, route and seed.
pub(super) fn of_call<'a>(
    state: &'a State,
    route: Option<&str>,
    seed: Seed,
) -> impl Iterator<Item = Used> + use<'a> {
    let variables = state.template_vars.iter().map(|(variable, value)| {
        let (section, name) = variable.split_once("::").unwrap_or(("", variable));
        Used {
            section: Some(section.to_owned()),
            name: format!("{{{name}}}"),
            value: ValueLabel::plain(value.clone()),
            rolled: false,
        }
    });
    let plain = |name: &str, value: String| Used {
        section: None,
        name: name.to_owned(),
        value: ValueLabel::plain(value),
        rolled: false,
    };
    let route = plain("route", route.unwrap_or("default").to_owned());
    variables.chain([route, plain("seed", seed.to_string())])
}

/// The settings as the author set them, with no roll in them: what is rolled is so on both sides.
pub(super) fn authored(state: &State, route: Option<&str>, seed: Seed) -> Vec<Used> {
    let mut all = Vec::new();
    let mut add = |section: &str, name: &str, value: String| {
        all.push(Used {
            section: Some(section.to_owned()),
            name: name.to_owned(),
            value: ValueLabel::plain(value),
            rolled: false,
        });
    };
    // What is selected and that it is rolled are one setting, as on the card.
    let mut items: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (section, selection) in &state.selections {
        let ids = selection.ids().iter().map(String::as_str);
        items.entry(section).or_default().extend(ids);
    }
    for (section, _) in state.section_random.iter().filter(|(_, rolled)| **rolled) {
        items.entry(section).or_default().push(ROLLED);
    }
    for (section, value) in items {
        add(section, "item", value.join(BETWEEN_ENTRIES));
    }
    let mut sliders: BTreeMap<&str, String> = BTreeMap::new();
    for (section, position) in &state.sliders {
        sliders.insert(section, position.to_string());
    }
    for (section, _) in state.slider_random.iter().filter(|(_, rolled)| **rolled) {
        sliders.entry(section).or_default().push_str(ROLLED);
    }
    for (section, value) in sliders {
        add(section, "slider", value);
    }
    for (section, modes) in &state.array_modes {
        for (field, mode) in modes {
            add(section, field, mode.clone());
        }
    }
    all.extend(of_call(state, route, seed));
    all
}

/// The settings that differ, in the order of the left side, then of the right; and how many were
/// compared.
pub(super) fn differing(old: Vec<Used>, new: Vec<Used>) -> (Vec<Setting>, u32) {
    let mut rows = Vec::new();
    let mut compared = 0;
    let empty = |like: &Used| Used {
        section: like.section.clone(),
        name: like.name.clone(),
        value: ValueLabel::default(),
        rolled: false,
    };
    let mut add = |left: &Used, right: &Used| {
        compared += 1;
        if left.value != right.value {
            rows.push(Setting {
                section: left.section.clone(),
                name: left.name.clone(),
                left: left.text_beside(right),
                left_rolled: left.rolled,
                left_detail: left.value.detail.clone(),
                right: right.text_beside(left),
                right_rolled: right.rolled,
                right_detail: right.value.detail.clone(),
            });
        }
    };
    // Both sides name them in nearly the same order, so that the search ends at once.
    let mut others = VecDeque::from(new);
    for used in old {
        let place = others
            .iter()
            .position(|other| other.section == used.section && other.name == used.name);
        match place.and_then(|place| others.remove(place)) {
            Some(other) => add(&used, &other),
            None => add(&used, &empty(&used)),
        }
    }
    for used in &others {
        add(&empty(used), used);
    }
    (rows, compared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolled_values_are_shown_from_the_first_entry_that_differs() {
        let used = |text: &str| Used {
            section: None,
            name: "nudges".into(),
            value: ValueLabel::plain(text.into()),
            rolled: true,
        };
        for (left, right, preview) in [
            ("Go on. · Stop.", "Go on. · Stay.", "… Stop."),
            ("Go on. / Stop.", "Go on. / Stay. · Go.", "… Stop."),
            ("Größe · Stop.", "Größe · Stay.", "… Stop."),
            ("Stop. · Go on.", "Stay. · Go on.", "Stop. · Go on."),
            ("Go on. · Stop.", "Go on.", "Go on. · Stop."),
        ] {
            assert_eq!(used(left).text_beside(&used(right)), preview, "{left}");
        }
        let set = Used {
            rolled: false,
            ..used("a · b")
        };
        assert_eq!(set.text_beside(&used("a · c")), "a · b");
    }
}
