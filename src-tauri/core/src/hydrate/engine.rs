//! The engine: a registry compiled for many calls.

use std::sync::Arc;

use serde::Serialize;

use super::{
    ArrayEvaluation, Evaluation, HydrateError, Seed, Segment, Settings, State, TokenReport,
    choose::{Choice, Choices, Chosen, choices},
    delimiters::JINJA,
    explain::Explanation,
    oddities,
    program::SectionProgram,
    route_program::RouteProgram,
    trace::Silence,
    walk::{Injections, Pins, Walk},
    writer::Writer,
};
use crate::registry::{Diagnostic, Registry, Severity};

/// What a token prints, roughly: a text that starts with room for it grows seldom.
const TOKEN_BYTES: usize = 96;

/// One call: a state, an optional route, a seed.
#[derive(Debug)]
pub struct Call<'a, S = State> {
    /// What the caller sets.
    pub state: &'a S,
    /// The route, or none for the registry's own assembly order.
    pub route: Option<&'a str>,
    /// The seed of every pick.
    pub seed: Seed,
}

/// A prompt and everything known about how it came to be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hydration {
    /// The prompt.
    pub text: String,
    /// The prompt in pieces that know their source.
    pub segments: Vec<Segment>,
    /// What was used, and why.
    pub evaluation: Evaluation,
    /// What became of each token.
    pub tokens: Vec<TokenReport>,
    /// What is odd about the call.
    pub diagnostics: Vec<Diagnostic>,
    /// The seed, so that the roll can be repeated.
    pub seed: Seed,
}

/// A registry compiled for many calls; cheap to clone, shareable between threads.
#[derive(Clone, Debug)]
pub struct Engine {
    program: Arc<Program>,
}

#[derive(Debug)]
struct Program {
    registry: Registry,
    sections: Vec<Arc<SectionProgram>>,
    /// The default route, then the named ones; those that keep the default order have none.
    order: RouteProgram,
    routes: Vec<Option<RouteProgram>>,
    /// Whether picks depend on each other.
    dependent: bool,
    /// The position of the section `runtime_injections`.
    injections: Option<u32>,
}

impl Engine {
    /// Compiles a registry. Items are compiled when a call first needs them.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        Self::compile(registry, |_| None)
    }

    /// Compiles another version of the registry, reusing the sections both versions share.
    #[must_use]
    pub fn with_registry(&self, registry: Registry) -> Self {
        let own = &self.program;
        Self::compile(registry, |program| {
            let index = own.registry.sections().get_index_of(program)?;
            Some(&own.sections[index])
        })
    }

    fn compile<'e>(
        registry: Registry,
        earlier: impl Fn(&str) -> Option<&'e Arc<SectionProgram>>,
    ) -> Self {
        let jinja = registry.template_engine() == Some(JINJA);
        let sections = registry
            .sections()
            .iter()
            .map(|(name, section)| match earlier(name) {
                Some(program)
                    if Arc::ptr_eq(&program.section, section) && program.jinja == jinja =>
                {
                    Arc::clone(program)
                }
                _ => Arc::new(SectionProgram::new(Arc::clone(section), jinja)),
            });
        let routes = registry.routes().values().map(|route| {
            let order = route.assembly_order.as_deref();
            order.map(|order| RouteProgram::new(order, &registry))
        });
        let injections = registry.sections().get_index_of("runtime_injections");
        let program = Program {
            sections: sections.collect(),
            order: RouteProgram::new(registry.assembly_order(), &registry),
            routes: routes.collect(),
            dependent: registry
                .sections()
                .values()
                .any(|section| section.dependent()),
            injections: injections.map(|index| index as u32),
            registry,
        };
        Self {
            program: Arc::new(program),
        }
    }

    /// The registry.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.program.registry
    }

    /// Hydrates with full provenance.
    pub fn hydrate(&self, call: &Call<'_>) -> Result<Hydration, HydrateError> {
        let program = &*self.program;
        let route = program.route(call.route)?;
        let walk = program.walk(route, call);
        let mut diagnostics = oddities::of_state(&program.registry, call.state);
        for section in &program.sections {
            diagnostics.extend(oddities::of_baked(section, call.state));
        }
        let everything: Vec<u32> = (0..program.sections.len() as u32).collect();
        let choices = program.choices(&everything, call, |section| {
            diagnostics.push(program.unsettled(section));
        });
        let mut text = String::new();
        let mut writer = Writer::new(&mut text, Explanation::default());
        walk.run(&mut writer);
        let mut explanation = writer.trace;
        let segments = explanation.segments(&text, &walk);
        let evaluation = explanation.evaluation(&program.registry, &walk, &choices);
        diagnostics.extend(oddities::of_arrays(&evaluation.arrays));
        Ok(Hydration {
            segments,
            evaluation,
            tokens: explanation.tokens(&walk),
            diagnostics,
            seed: call.seed,
            text,
        })
    }

    /// Hydrates to the prompt alone: the same walk, with nobody listening.
    pub fn hydrate_text<S: Settings>(&self, call: &Call<'_, S>) -> Result<String, HydrateError> {
        let route = self.program.route(call.route)?;
        let mut text = String::with_capacity(TOKEN_BYTES * route.tokens.len());
        self.program
            .walk(route, call)
            .run(&mut Writer::new(&mut text, Silence));
        Ok(text)
    }

    /// Hydrates to the prompt alone, appended to what `out` holds.
    pub fn hydrate_text_into<S: Settings>(
        &self,
        call: &Call<'_, S>,
        out: &mut String,
    ) -> Result<(), HydrateError> {
        let route = self.program.route(call.route)?;
        let walk = self.program.walk(route, call);
        walk.run(&mut Writer::new(out, Silence));
        Ok(())
    }
}

impl Engine {
    /// The compiled sections, in registry order.
    pub(super) fn sections(&self) -> &[Arc<SectionProgram>] {
        &self.program.sections
    }

    /// Hydrates with choices, one for each section, and entries of arrays made elsewhere: the
    /// prompt, and every array rendered.
    pub(super) fn hydrate_settled<S: Settings>(
        &self,
        call: &Call<'_, S>,
        choices: &[Choice],
        pins: &Pins,
    ) -> Result<(String, Vec<ArrayEvaluation>), HydrateError> {
        let route = self.program.route(call.route)?;
        let walk = self.program.walk_settled(route, call, choices, pins);
        let mut text = String::new();
        let mut writer = Writer::new(&mut text, Explanation::default());
        walk.run(&mut writer);
        let arrays = writer.trace.into_arrays();
        Ok((text, arrays))
    }
}

impl Program {
    fn route(&self, name: Option<&str>) -> Result<&RouteProgram, HydrateError> {
        let Some(name) = name else {
            return Ok(&self.order);
        };
        match self.registry.routes().get_index_of(name) {
            Some(index) => Ok(self.routes[index].as_ref().unwrap_or(&self.order)),
            None => Err(HydrateError::UnknownRoute {
                route: name.to_owned(),
                known: self.registry.routes().keys().cloned().collect(),
            }),
        }
    }

    fn walk<'p, 'c, S: Settings>(
        &'p self,
        route: &'p RouteProgram,
        call: &Call<'c, S>,
    ) -> Walk<'p, 'c, S> {
        let injections = self.injections.and_then(|section| {
            let choices = self.choices(&[section], call, |_| {});
            self.injections_of(section, &choices[0].chosen)
        });
        Walk {
            sections: &self.sections,
            route,
            state: call.state,
            seed: call.seed,
            pins: None,
            choices: self.choices(&route.slots, call, |_| {}),
            injections,
        }
    }

    /// A walk whose choices, one for each section, and entries of arrays are made elsewhere.
    fn walk_settled<'p, 'c, S: Settings>(
        &'p self,
        route: &'p RouteProgram,
        call: &Call<'c, S>,
        choices: &[Choice],
        pins: &'c Pins,
    ) -> Walk<'p, 'c, S> {
        let chosen = |section: &u32| choices[*section as usize].clone();
        Walk {
            sections: &self.sections,
            route,
            state: call.state,
            seed: call.seed,
            pins: Some(pins),
            choices: route.slots.iter().map(chosen).collect(),
            injections: self
                .injections
                .and_then(|section| self.injections_of(section, &chosen(&section).chosen)),
        }
    }

    fn injections_of(&self, section: u32, chosen: &Chosen) -> Option<Injections> {
        let find = |name: &str| {
            let index = self.registry.sections().get_index_of(name);
            index.map(|index| index as u32)
        };
        Injections::new(section, &self.sections[section as usize], chosen, find)
    }

    fn choices<S: Settings>(
        &self,
        wanted: &[u32],
        call: &Call<'_, S>,
        unsettled: impl FnMut(u32),
    ) -> Choices {
        choices(
            &self.registry,
            &self.sections,
            self.dependent,
            wanted,
            call.state,
            call.seed,
            unsettled,
        )
    }

    fn unsettled(&self, section: u32) -> Diagnostic {
        let name = self.sections[section as usize].name();
        let mut pointer = String::new();
        crate::registry::push_step(&mut pointer, name);
        let message =
            format!("no item of {name:?} satisfies requires and excludes; the best match is used");
        Diagnostic::new("roll_disagrees", Severity::Warning, message, pointer)
    }
}
