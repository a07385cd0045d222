//! The template variables of a prompt file: their names there, and which can be left open.

use std::collections::{BTreeMap, BTreeSet};

use promptdeck_python::text::strip;

use crate::{
    hydrate::{Call, Engine, HydrateError, Hydration, Segment, State, without_space},
    import::prompt_file::{TemplateEngine, is_free},
    registry::Registry,
};

/// One template variable.
pub(super) struct Variable {
    /// Its name in the file.
    pub name: String,
    /// Its value in the call, or its default.
    pub value: Option<String>,
    /// Whether it has a value in every call.
    pub has_default: bool,
    /// What the call prints for it.
    pub printed: String,
}

/// A prompt with variables open, and what gave it.
pub(super) struct Open {
    pub hydration: Hydration,
    /// The state that gave it.
    pub state: State,
    /// The prompt of the call itself.
    pub text: String,
    /// Whether whitespace beside variables without a value differs from that prompt.
    pub is_spaced: bool,
}

/// The template variables of a registry, by section and name.
pub(super) struct Variables(BTreeMap<(String, String), Variable>);

impl Variables {
    /// Names them for the file: variables of one name and value are one.
    pub fn of(registry: &Registry, state: &State, engine: TemplateEngine) -> Self {
        let mut taken_names: BTreeMap<String, (&str, Option<&String>)> = BTreeMap::new();
        let mut variables = BTreeMap::new();
        for section in registry.canonical_sections() {
            for variable_name in section.template_vars() {
                let key = format!("{}::{variable_name}", section.name());
                let set = state
                    .template_vars
                    .get(&key)
                    .filter(|text| !text.is_empty());
                let default = section.defaults().template_var_defaults.get(variable_name);
                let value = set.or(default.filter(|text| !text.is_empty()));
                let fits = |name: &str| {
                    let other = taken_names.get(name);
                    is_free(name, engine)
                        && other.is_none_or(|other| *other == (variable_name, value))
                };
                let mut name = identifier(variable_name);
                if is_free(&name, engine) && !fits(&name) {
                    name = format!("{}_{name}", identifier(section.name()));
                }
                while !fits(&name) {
                    name.push('_');
                }
                taken_names.insert(name.clone(), (variable_name, value));
                let variable = Variable {
                    name,
                    value: value.cloned(),
                    has_default: default.is_some_and(|text| !strip(text).is_empty()),
                    printed: set.or(default).cloned().unwrap_or_default(),
                };
                variables.insert((section.name().to_owned(), variable_name.clone()), variable);
            }
        }
        Self(variables)
    }

    pub fn get(&self, section: &str, name: &str) -> Option<&Variable> {
        self.0.get(&(section.to_owned(), name.to_owned()))
    }

    /// The variable whose value a segment is.
    pub fn printed_by(&self, segment: &Segment) -> Option<&Variable> {
        let source = segment.source.as_ref()?;
        self.get(&source.section, source.variable.as_deref()?)
    }

    /// The variables that have a name in the file.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Variable> {
        self.0
            .values()
            .filter(move |variable| variable.name == name)
    }

    /// The keys in a state of the variables that have a name in the file, each with its value in the
    /// call or a text in its place.
    pub fn texts(&self, file_name: &str) -> impl Iterator<Item = (String, String)> {
        let variables = self
            .0
            .iter()
            .filter(move |(_, variable)| variable.name == file_name);
        variables.map(|((section, name), variable)| {
            let text = variable
                .value
                .clone()
                .unwrap_or_else(|| format!("{{{name}}}"));
            (format!("{section}::{name}"), text)
        })
    }

    /// The prompt of the call with as many variables open as possible. One without a value leaves a
    /// place only if it gets some text, and that text can also make a condition true or keep a section
    /// that is else left out. So the prompt without these texts is compared with the call's own.
    pub fn hydrate(&self, engine: &Engine, call: &Call<'_>) -> Result<Open, HydrateError> {
        let call_hydration = engine.hydrate(call)?;
        let conditions = condition_variables(engine.registry());
        let mut spaced = None;
        for opens_conditions in [true, false] {
            let is_open = |key: &(String, String)| opens_conditions || !conditions.contains(key);
            let state = self.state(call.state, is_open);
            let hydration = engine.hydrate(&Call {
                state: &state,
                route: call.route,
                seed: call_hydration.seed,
            })?;
            let printed = self.printed(&hydration);
            // The assembly cuts whitespace beside a variable without a value; a file has it in any case.
            let is_spaced = printed != call_hydration.text;
            if is_spaced && without_space(&printed) != without_space(&call_hydration.text) {
                continue;
            }
            let open = Open {
                hydration,
                state,
                text: call_hydration.text.clone(),
                is_spaced,
            };
            if !is_spaced {
                return Ok(open);
            }
            spaced.get_or_insert(open);
        }
        if let Some(open) = spaced {
            return Ok(open);
        }
        Ok(Open {
            text: call_hydration.text.clone(),
            hydration: call_hydration,
            state: call.state.clone(),
            is_spaced: false,
        })
    }

    /// The state of the call, with a text for the variables without a value that are to be open.
    fn state(&self, state: &State, is_open: impl Fn(&(String, String)) -> bool) -> State {
        let mut state = state.clone();
        let without = self
            .0
            .iter()
            .filter(|(_, variable)| variable.value.is_none());
        for ((section, name), _) in without.filter(|(key, _)| is_open(key)) {
            let text = format!("{{{name}}}");
            state
                .template_vars
                .insert(format!("{section}::{name}"), text);
        }
        state
    }

    /// The prompt with what the call prints for its variables.
    fn printed(&self, hydration: &Hydration) -> String {
        let value = |segment: &Segment| {
            let variable = self.printed_by(segment)?;
            variable.value.is_none().then_some(&*variable.printed)
        };
        let texts = hydration.segments.iter();
        texts
            .map(|segment| value(segment).unwrap_or(&segment.text))
            .collect()
    }
}

/// A name that template engines can read.
fn identifier(name: &str) -> String {
    let part = |next: char| if next.is_alphanumeric() { next } else { '_' };
    let name: String = name.chars().map(part).collect();
    match name.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("_{name}"),
        false => name,
    }
}

/// The variables that conditions of fragments read, by section and name.
fn condition_variables(registry: &Registry) -> BTreeSet<(String, String)> {
    let sections = registry.canonical_sections();
    let read = sections.flat_map(|section| {
        let fragments = section.items().iter().flat_map(|item| item.fragments());
        let names = fragments.filter_map(|fragment| fragment.if_var);
        names.map(|name| (section.name().to_owned(), name.to_owned()))
    });
    read.collect()
}
