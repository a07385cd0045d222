//! What a call prints otherwise than its author meant, found while it prints, without provenance:
//! cheap enough for every call of a program.

use promptdeck_python::text::strip;
use serde_json::Value;

use super::{
    ArrayEvaluation, Call, Engine, HydrateError, Mode, Settings, State, UnsetVariable,
    gap_trace::{GapTrace, is_placeholder},
    state_lint,
    trace::Trace,
    writer::Writer,
};
use crate::registry::{Diagnostic, Section};

/// The warnings about one printed prompt. Those about entries of its state are
/// [`super::entry_fault`]'s.
#[derive(Debug, Default)]
pub struct CallWarnings<'e> {
    /// The variables without a value of their own, in the order of the prompt.
    pub unset: Vec<UnsetVariable<'e>>,
    /// Modes of the state that name entries a printed list does not have, and rolled sections in
    /// which no item satisfies the constraints.
    pub others: Vec<Diagnostic>,
}

impl CallWarnings<'_> {
    /// Whether there is nothing to warn of.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unset.is_empty() && self.others.is_empty()
    }
}

#[derive(Default)]
struct WarningTrace {
    gaps: GapTrace,
    /// Lists whose mode names entries that they do not have.
    arrays: Vec<ArrayEvaluation>,
}

impl WarningTrace {
    /// Outside of the assembly, which is slower if it is longer.
    #[cold]
    #[inline(never)]
    fn missing(&mut self, array: impl FnOnce() -> ArrayEvaluation) {
        self.arrays.push(array());
    }
}

impl Trace<'_> for WarningTrace {
    const RECORDS: bool = false;
    const FINDS_GAPS: bool = true;

    #[inline]
    fn array(&mut self, names_missing: bool, array: impl FnOnce() -> ArrayEvaluation) {
        if names_missing {
            self.missing(array);
        }
    }

    fn gap(&mut self, section: u32, item: u32, variable: u32, is_placeholder: bool) {
        self.gaps.gap(section, item, variable, is_placeholder);
    }
}

impl Engine {
    /// What is wrong with the defaults that calls use whose state sets nothing: selections of unknown
    /// items, sliders outside their scale, malformed modes.
    #[must_use]
    pub fn default_warnings(&self) -> Vec<Diagnostic> {
        self.state_diagnostics(&State::default())
    }

    /// Whether [`Self::hydrate_text_with_warnings`] can find anything with a state, whatever the seed and
    /// the route. It may answer yes where nothing is found, and takes longer than a call.
    #[must_use]
    pub fn may_warn(&self, state: &State) -> bool {
        self.is_dependent()
            || self
                .registry()
                .sections()
                .values()
                .any(|section| may_have_gap(section, state) || may_miss_entries(section, state))
    }

    /// As [`Self::hydrate_text_into`], and returns what there is to warn of in what it prints.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt is too large.
    pub fn hydrate_text_with_warnings<S: Settings>(
        &self,
        call: &Call<'_, S>,
        out: &mut String,
    ) -> Result<CallWarnings<'_>, HydrateError> {
        let route = self.route(call.route)?;
        let mut conflicts = Vec::new();
        let assembler = self.assembler(route, call, |section| conflicts.push(section));
        let mut writer = Writer::new(out, WarningTrace::default());
        assembler.run(&mut writer)?;
        let WarningTrace { gaps, arrays } = writer.trace;
        if gaps.0.is_empty() && arrays.is_empty() && conflicts.is_empty() {
            return Ok(CallWarnings::default());
        }
        let others = conflicts.into_iter().map(|section| self.conflict(section));
        Ok(CallWarnings {
            unset: gaps.unset(self.sections()),
            others: others.chain(state_lint::of_arrays(&arrays)).collect(),
        })
    }
}

/// Whether a text of a section holds the name of a variable without a value of its own, outside of the
/// fragments that need one.
fn may_have_gap(section: &Section, state: &State) -> bool {
    let value = |name: &str| {
        let key = format!("{}::{name}", section.name());
        let set = state.template_vars.get(&key);
        let default = section.defaults().template_var_defaults.get(name);
        let value = set.filter(|text| !text.is_empty()).or(default);
        value.map_or("", String::as_str)
    };
    let is_blank = |name: &str| strip(value(name)).is_empty();
    let names = section.template_vars().iter().map(String::as_str);
    let unset: Vec<&str> = names
        .filter(|name| is_blank(name) || is_placeholder(value(name), name))
        .collect();
    if unset.is_empty() {
        return false;
    }
    let names_unset = |text: &str| unset.iter().any(|name| text.contains(name));
    section.items().iter().any(|item| {
        let mut printed = item
            .fragments()
            .filter(|fragment| !fragment.if_var.is_some_and(is_blank));
        let mut fields = item.fields().iter().filter(|(key, _)| *key != "fragments");
        printed.any(|fragment| names_unset(fragment.text))
            || fields.any(|(_, value)| holds(value, &names_unset))
    })
}

/// Whether a text in a value is one that is looked for.
fn holds(value: &Value, is_one: &impl Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => is_one(text),
        Value::Array(items) => items.iter().any(|item| holds(item, is_one)),
        Value::Object(members) => members.values().any(|member| holds(member, is_one)),
        _ => false,
    }
}

/// Whether the state names entries that a list of a section does not have.
fn may_miss_entries(section: &Section, state: &State) -> bool {
    let modes = state.array_modes.get(section.name());
    modes.into_iter().flatten().any(|(field, mode)| {
        let wanted = match Mode::parse(mode).0 {
            Mode::Index(index) => vec![index],
            Mode::Indices(indices) => indices,
            Mode::All | Mode::None | Mode::Random(_) => return false,
        };
        section.items().iter().any(|item| {
            let list = item.fields().get(field).and_then(Value::as_array);
            let length = list.map_or(0, Vec::len);
            let exists = |index: &i64| usize::try_from(*index).is_ok_and(|at| at < length);
            !wanted.iter().all(exists)
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::hydrate::{Seed, State};
    use crate::registry::Registry;

    fn warnings(registry: &Value, state: Value) -> (String, Vec<String>, Vec<String>) {
        let registry = Registry::from_map(registry.as_object().expect("an object"));
        let engine = Engine::new(registry.expect("a registry"));
        let state: State = serde_json::from_value(state).expect("a state");
        let call = Call {
            state: &state,
            route: None,
            seed: Seed::default(),
        };
        let mut text = String::new();
        let found = engine
            .hydrate_text_with_warnings(&call, &mut text)
            .expect("hydrated");
        assert_eq!(engine.hydrate_text(&call).as_deref(), Ok(text.as_str()));
        let with_gaps = engine.hydrate_text_with_gaps(&call, &mut String::new());
        assert_eq!(with_gaps.expect("hydrated").len(), found.unset.len());
        assert_eq!(engine.may_warn(&state), !found.is_empty());
        let explained = engine.hydrate(&call).expect("hydrated").diagnostics;
        assert!(found.others.iter().all(|one| explained.contains(one)));
        let unset = found.unset.iter().map(|one| one.name().to_owned());
        let others = found.others.iter().map(|one| one.code.as_str().to_owned());
        (text, unset.collect(), others.collect())
    }

    #[test]
    fn a_printed_gap_a_missing_entry_and_a_conflict_are_warnings() {
        let registry = json!({
            "assembly_order": ["a", "a.list", "b"],
            "a": {
                "items": [{"id": "x", "text": "Hi {name}.", "list": ["one", "two"]}],
                "template_vars": ["name"],
            },
            "b": {"items": [{"id": "y", "text": "B", "requires": ["a.z"]}], "section_random": true},
            "unprinted": {"items": [{"text": "{gap}"}], "template_vars": ["gap"]},
        });
        let (text, unset, others) = warnings(
            &registry,
            json!({"array_modes": {"a": {"list": "indices:0,5"}}}),
        );
        assert_eq!(text, "Hi .\none\n\nB");
        assert_eq!(unset, ["name"]);
        assert_eq!(others, ["roll_disagrees", "state_mode_out_of_range"]);
    }

    #[test]
    fn a_prompt_as_it_was_meant_has_none() {
        let registry = json!({
            "assembly_order": ["a"],
            "a": {
                "items": [{"id": "x", "text": "Hi {name}.", "list": ["{name}", "two"], "fragments": [
                    {"if_var": "topic", "text": "On {topic}."},
                ]}],
                "template_vars": ["name", "topic"],
            },
        });
        let state = json!({
            "template_vars": {"a::name": "Ada"}, "array_modes": {"a": {"list": "index:1"}},
        });
        let none = || Vec::<String>::new();
        assert_eq!(
            warnings(&registry, state),
            ("Hi Ada.".to_owned(), none(), none())
        );
    }
}
