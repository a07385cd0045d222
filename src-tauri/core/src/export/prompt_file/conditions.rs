//! Fragments whose condition is a variable of the file: the texts that a prompt has only if the
//! variable has a value.
//!
//! Where a fragment goes, so does a separator beside it, and sometimes a whole section. What goes is
//! worked out for the prompt with all values, and is only used if it gives the prompt of the engine
//! for each choice of values that are set.

use std::collections::BTreeSet;

use crate::{
    hydrate::{Call, Engine, HydrateError, Hydration, Segment, State},
    registry::{Registry, Section},
};

use super::variables::{Open, Variables};

/// Most variables that conditions are written for: each doubles the prompts to be compared.
const MOST: usize = 6;

/// A prompt with texts that depend on variables.
pub(super) struct Conditional {
    /// The prompt with all of them.
    pub hydration: Hydration,
    /// For each segment, the variables of the file that it needs.
    pub needs: Vec<Vec<String>>,
    /// The variables that texts depend on.
    pub names: BTreeSet<String>,
}

impl Conditional {
    /// The prompt with all conditions as the call sets them.
    pub fn fixed(open: &Open) -> Self {
        Self {
            needs: vec![Vec::new(); open.hydration.segments.len()],
            hydration: open.hydration.clone(),
            names: BTreeSet::new(),
        }
    }
}

/// The prompt of a call with as many conditions as can be said exactly.
///
/// # Errors
///
/// [`HydrateError`] if the call names an unknown route.
pub(super) fn conditional(
    engine: &Engine,
    call: &Call<'_>,
    variables: &Variables,
    open: &Open,
) -> Result<Conditional, HydrateError> {
    let trial = Trial {
        engine,
        call,
        variables,
        open,
    };
    let mut names = BTreeSet::new();
    let mut best = None;
    for name in candidates(engine.registry(), variables) {
        if names.len() == MOST {
            break;
        }
        names.insert(name.clone());
        match trial.with(&names)? {
            Some(found) => best = Some(found),
            None => {
                names.remove(&name);
            }
        }
    }
    Ok(best.unwrap_or_else(|| Conditional::fixed(open)))
}

/// The names in the file of the variables that conditions read.
fn candidates(registry: &Registry, variables: &Variables) -> BTreeSet<String> {
    let conditions = registry.canonical_sections().flat_map(|section| {
        let fragments = section.items().iter().flat_map(|item| item.fragments());
        let names = fragments.filter_map(|fragment| fragment.if_var);
        names.filter_map(|name| variables.get(section.name(), name))
    });
    conditions.map(|variable| variable.name.clone()).collect()
}

struct Trial<'a> {
    engine: &'a Engine,
    call: &'a Call<'a>,
    variables: &'a Variables,
    open: &'a Open,
}

impl Trial<'_> {
    /// The prompt with conditions on these variables; `None` if it cannot be said exactly.
    fn with(&self, names: &BTreeSet<String>) -> Result<Option<Conditional>, HydrateError> {
        let all = self.hydrate(names, names)?;
        let Some(all) = all else { return Ok(None) };
        let needs = self.needs(&all.segments, names);
        let list: Vec<&String> = names.iter().collect();
        for choice in 0..1_usize << list.len() {
            let is_chosen = |(number, name): (usize, &&String)| {
                (choice >> number & 1 == 1).then(|| (*name).clone())
            };
            let set = list.iter().enumerate().filter_map(is_chosen).collect();
            let Some(expected) = self.hydrate(names, &set)? else {
                return Ok(None);
            };
            let is_set = |name: &str| !names.contains(name) || set.contains(name);
            if self.printed(&all.segments, &needs, is_set, false) != expected.text {
                return Ok(None);
            }
        }
        // As the call sets them, it is the prompt of the call.
        let is_set = |name: &str| {
            !names.contains(name)
                || self
                    .variables
                    .named(name)
                    .all(|variable| variable.value.is_some())
        };
        let call_prompt = self.printed(&all.segments, &needs, is_set, true);
        Ok((call_prompt == self.open.text).then_some(Conditional {
            hydration: all,
            needs,
            names: names.clone(),
        }))
    }

    /// The prompt with values for these of the variables `names`, and as it is for all others; `None`
    /// if one of them has a default and is never without a value.
    fn hydrate(
        &self,
        names: &BTreeSet<String>,
        set: &BTreeSet<String>,
    ) -> Result<Option<Hydration>, HydrateError> {
        let mut state: State = self.open.state.clone();
        for name in names {
            if self
                .variables
                .named(name)
                .any(|variable| variable.has_default)
            {
                return Ok(None);
            }
            for (key, text) in self.variables.texts(name) {
                if set.contains(name) {
                    state.template_vars.insert(key, text);
                } else {
                    state.template_vars.shift_remove(&key);
                }
            }
        }
        let hydration = self.engine.hydrate(&Call {
            state: &state,
            route: self.call.route,
            seed: self.open.hydration.seed,
        })?;
        Ok(Some(hydration))
    }

    /// The variables that each segment needs: those of the fragment it belongs to, and for a separator
    /// those of the fragment that it goes with.
    fn needs(&self, segments: &[Segment], names: &BTreeSet<String>) -> Vec<Vec<String>> {
        let conditions: Vec<Option<&str>> = segments
            .iter()
            .map(|segment| self.condition(segment))
            .map(|name| name.filter(|name| names.contains(*name)))
            .collect();
        let mut needs: Vec<Vec<String>> = conditions
            .iter()
            .map(|name| name.iter().map(|&name| name.to_owned()).collect())
            .collect();
        let mut start = 0;
        while start < segments.len() {
            let Some(name) = conditions[start] else {
                start += 1;
                continue;
            };
            let fragment = |at: usize| segments[at].source.as_ref().map(|source| source.fragment);
            let same =
                |at: &usize| conditions[*at] == Some(name) && fragment(*at) == fragment(start);
            let end = (start..segments.len()).take_while(same).count() + start;
            if let Some(separator) = separator(segments, start, end)
                && !needs[separator].iter().any(|known| known == name)
            {
                needs[separator].push(name.to_owned());
            }
            start = end;
        }
        needs
    }

    /// The name in the file of the variable that a segment's fragment waits for.
    fn condition(&self, segment: &Segment) -> Option<&str> {
        let source = segment.source.as_ref()?;
        let section: &Section = self.engine.registry().section(&source.section)?;
        let mut fragments = section.items().get(source.item)?.fragments();
        let name = fragments.nth(source.fragment?)?.if_var?;
        Some(&self.variables.get(&source.section, name)?.name)
    }

    /// What the file prints; `own` prints what the call does for variables without a value.
    fn printed(
        &self,
        segments: &[Segment],
        needs: &[Vec<String>],
        is_set: impl Fn(&str) -> bool,
        print_unset_as_call: bool,
    ) -> String {
        let segments = segments.iter().zip(needs);
        let segments = segments.filter(|(_, needs)| needs.iter().all(|name| is_set(name)));
        segments
            .map(|(segment, _)| match self.variables.printed_by(segment) {
                Some(variable) if !is_set(&variable.name) => "",
                Some(variable) if print_unset_as_call && variable.value.is_none() => {
                    &variable.printed
                }
                _ => &segment.text,
            })
            .collect()
    }
}

/// The separator that goes with the segments of a fragment: within their item the one before or else
/// behind them, otherwise the one that parts their section from the text before or behind.
fn separator(segments: &[Segment], start: usize, end: usize) -> Option<usize> {
    let is_glue = |at: usize| {
        segments
            .get(at)
            .is_some_and(|segment| segment.source.is_none())
    };
    let of_item = |at: usize| {
        let source = segments.get(at)?.source.as_ref()?;
        Some((source.token, &source.section, source.item))
    };
    let item = of_item(start);
    let before = start.checked_sub(1).filter(|at| is_glue(*at));
    let behind = Some(end).filter(|at| is_glue(*at));
    let inside = before.filter(|at| at.checked_sub(1).and_then(of_item) == item);
    let inside = inside.or_else(|| behind.filter(|at| of_item(at + 1) == item));
    inside.or(before).or(behind)
}
