//! The engine: a registry compiled for many calls.

use std::sync::Arc;

use serde::Serialize;

use super::{
    ArrayEvaluation, Evaluation, Gap, HydrateError, SectionSettings, Seed, Segment, Settings,
    State, TokenReport,
    assembler::{Assembler, PinnedEntries},
    choose::{self, Choice, Choices, ItemSet, choices},
    delimiters::JINJA,
    evaluation_trace::EvaluationTrace,
    gap_trace::{GapTrace, UnsetVariable},
    injection_filter::Injections,
    program::SectionProgram,
    provenance::ProvenanceTrace,
    route_program::{OrderPrograms, RouteProgram},
    state_lint,
    trace::NoTrace,
    writer::Writer,
};
use crate::registry::{DataKey, Diagnostic, DiagnosticData, Item, Registry, Severity, codes};

/// The estimated output of one token: a text allocated with it is rarely reallocated.
const TOKEN_BYTES: usize = 96;

/// One call: a state, an optional route, a seed.
#[derive(Debug)]
pub struct Call<'a, S = State> {
    /// The settings of the call.
    pub state: &'a S,
    /// The route, or none for the registry's own assembly order.
    pub route: Option<&'a str>,
    /// The seed of every pick.
    pub seed: Seed,
}

/// A prompt with its provenance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hydration {
    /// The prompt.
    pub text: String,
    /// The prompt split into segments with their sources.
    pub segments: Vec<Segment>,
    /// The variables without a value, in the order of the prompt.
    pub gaps: Vec<Gap>,
    /// The values used, and why.
    pub evaluation: Evaluation,
    /// The outcome of each token.
    pub tokens: Vec<TokenReport>,
    /// Diagnostics about the call.
    pub diagnostics: Vec<Diagnostic>,
    /// The seed, so that the roll can be repeated.
    pub seed: Seed,
}

/// A prompt with what was used for it, and without the sources of its pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatedText {
    /// The prompt.
    pub text: String,
    /// The values used, and why.
    pub evaluation: Evaluation,
    /// Diagnostics about the call.
    pub diagnostics: Vec<Diagnostic>,
}

/// A registry compiled for many calls; cheap to clone, shareable between threads.
///
/// ```
/// use promptdeck_core::hydrate::{Call, Engine, Seed, State};
/// use promptdeck_core::registry;
///
/// let text = br#"{
///     "assembly_order": ["greeting", "topic"],
///     "greeting": {"items": [{"id": "hi", "text": "Hello {name}."}], "template_vars": ["name"]},
///     "topic": {"items": [{"id": "a", "text": "One."}, {"id": "b", "text": "Two."}]}
/// }"#;
/// let engine = Engine::new(registry::parse(text)?.registry);
/// let state: State = serde_json::from_str(
///     r#"{"selections": {"topic": "b"}, "template_vars": {"greeting::name": "Ada"}}"#,
/// )?;
/// let call = Call { state: &state, route: None, seed: Seed::new(7)? };
///
/// assert_eq!(engine.hydrate_text(&call)?, "Hello Ada.\n\nTwo.");
///
/// // With provenance: the segments concatenate to the prompt.
/// let hydration = engine.hydrate(&call)?;
/// let whole: String = hydration.segments.iter().map(|segment| segment.text.as_str()).collect();
/// assert_eq!(whole, hydration.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    program: Arc<Program>,
}

#[derive(Debug)]
struct Program {
    registry: Registry,
    sections: Vec<Arc<SectionProgram>>,
    orders: Arc<OrderPrograms>,
    /// Whether picks depend on each other.
    dependent: bool,
    /// The position of the section `runtime_injections`.
    injections: Option<u32>,
}

impl Engine {
    /// Compiles a registry. Items are compiled when a call first needs them.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        Self::compile(registry, None)
    }

    /// Compiles another version of the registry, reusing the sections and assembly orders both
    /// versions share.
    #[must_use]
    pub fn with_registry(&self, registry: Registry) -> Self {
        Self::compile(registry, Some(&self.program))
    }

    fn compile(registry: Registry, earlier: Option<&Program>) -> Self {
        let jinja = registry.template_engine() == Some(JINJA);
        let compiled = |name: &str| {
            let earlier = earlier?;
            let index = earlier.registry.sections().get_index_of(name)?;
            Some(&earlier.sections[index])
        };
        let sections = registry
            .sections()
            .iter()
            .map(|(name, section)| match compiled(name) {
                Some(program)
                    if Arc::ptr_eq(&program.section, section) && program.jinja == jinja =>
                {
                    Arc::clone(program)
                }
                _ => Arc::new(SectionProgram::new(Arc::clone(section), jinja)),
            });
        let orders = match earlier {
            Some(earlier) if earlier.registry.shares_orders(&registry) => {
                Arc::clone(&earlier.orders)
            }
            _ => Arc::new(OrderPrograms::new(&registry)),
        };
        let injections = registry.sections().get_index_of("runtime_injections");
        let program = Program {
            sections: sections.collect(),
            orders,
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

    /// What a state sets in a section, whatever the dice say; `None` if the registry has no such
    /// section.
    #[must_use]
    pub fn settings(&self, section: &str, state: &State) -> Option<SectionSettings> {
        let index = self.registry().sections().get_index_of(section)?;
        Some(choose::settings(&self.sections()[index], state))
    }

    /// Hydrates with full provenance.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt is too large.
    pub fn hydrate(&self, call: &Call<'_>) -> Result<Hydration, HydrateError> {
        let program = &*self.program;
        let assembler = program.assembler(program.route(call.route)?, call, |_| {});
        let (choices, mut diagnostics) = self.all_choices(call);
        let mut text = String::new();
        let mut writer = Writer::new(&mut text, ProvenanceTrace::default());
        assembler.run(&mut writer)?;
        let mut trace = writer.trace;
        let (segments, gaps) = trace.segments(&text, &assembler);
        let tokens = trace.tokens(&assembler);
        let used = trace.evaluation;
        let evaluation = used.into_evaluation(&program.registry, &assembler, &choices);
        diagnostics.extend(state_lint::of_arrays(&evaluation.arrays));
        Ok(Hydration {
            segments,
            gaps,
            evaluation,
            tokens,
            diagnostics,
            seed: call.seed,
            text,
        })
    }

    /// As [`Self::hydrate`], for those who read no segments: these take many times the room of the prompt.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt is too large.
    pub fn hydrate_text_with_evaluation(
        &self,
        call: &Call<'_>,
    ) -> Result<EvaluatedText, HydrateError> {
        let program = &*self.program;
        let assembler = program.assembler(program.route(call.route)?, call, |_| {});
        let (choices, mut diagnostics) = self.all_choices(call);
        let mut text = String::new();
        let mut writer = Writer::new(&mut text, EvaluationTrace::default());
        assembler.run(&mut writer)?;
        let used = writer.trace;
        let evaluation = used.into_evaluation(&program.registry, &assembler, &choices);
        diagnostics.extend(state_lint::of_arrays(&evaluation.arrays));
        Ok(EvaluatedText {
            text,
            evaluation,
            diagnostics,
        })
    }

    /// Hydrates to the prompt alone: the same assembly, without a trace.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt is too large.
    pub fn hydrate_text<S: Settings>(&self, call: &Call<'_, S>) -> Result<String, HydrateError> {
        let route = self.program.route(call.route)?;
        let mut text = String::with_capacity(TOKEN_BYTES * route.tokens.len());
        self.program
            .assembler(route, call, |_| {})
            .run(&mut Writer::new(&mut text, NoTrace))?;
        Ok(text)
    }

    /// Hydrates to the prompt alone and appends it to `out`.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt is too large.
    pub fn hydrate_text_into<S: Settings>(
        &self,
        call: &Call<'_, S>,
        out: &mut String,
    ) -> Result<(), HydrateError> {
        let route = self.program.route(call.route)?;
        let assembler = self.program.assembler(route, call, |_| {});
        assembler.run(&mut Writer::new(out, NoTrace))
    }

    /// As [`Self::hydrate_text_into`], and returns the variables without a value of their own in what
    /// it prints, in the order of the prompt.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt is too large.
    pub fn hydrate_text_with_gaps<S: Settings>(
        &self,
        call: &Call<'_, S>,
        out: &mut String,
    ) -> Result<Vec<UnsetVariable<'_>>, HydrateError> {
        let program = &*self.program;
        let route = program.route(call.route)?;
        let mut writer = Writer::new(out, GapTrace::default());
        program.assembler(route, call, |_| {}).run(&mut writer)?;
        Ok(writer.trace.unset(&program.sections))
    }
}

impl Engine {
    /// The compiled sections, in registry order.
    pub(super) fn sections(&self) -> &[Arc<SectionProgram>] {
        &self.program.sections
    }

    /// The first item of a section, by position, that has this identity.
    pub(crate) fn item(&self, section: u32, identity: &str) -> Option<&Item> {
        let program = self.sections().get(section as usize)?;
        let first = *program.find(identity).first()?;
        let item = program.section.items().get(first as usize);
        item.map(AsRef::as_ref)
    }

    /// Whether the registry has a route, or none is asked for.
    ///
    /// # Errors
    /// [`HydrateError::UnknownRoute`] if it has not.
    pub fn check_route(&self, name: Option<&str>) -> Result<(), HydrateError> {
        self.route(name).map(drop)
    }

    /// The compiled order of a route.
    pub(super) fn route(&self, name: Option<&str>) -> Result<&RouteProgram, HydrateError> {
        self.program.route(name)
    }

    /// The choices of all sections, and the diagnostics about the state and about them.
    fn all_choices(&self, call: &Call<'_>) -> (Choices, Vec<Diagnostic>) {
        let program = &*self.program;
        let mut diagnostics = self.state_diagnostics(call.state);
        let all: Vec<u32> = (0..program.sections.len() as u32).collect();
        let choices = program.choices(&all, call, |section| {
            diagnostics.push(program.conflict(section));
        });
        (choices, diagnostics)
    }

    /// Diagnostics about a state and the defaults that it does not replace.
    pub(super) fn state_diagnostics(&self, state: &State) -> Vec<Diagnostic> {
        let mut diagnostics = state_lint::of_state(self.registry(), state);
        for section in self.sections() {
            diagnostics.extend(state_lint::of_baked(section, state));
        }
        diagnostics
    }

    /// That no item of a rolled section satisfies the constraints.
    pub(super) fn conflict(&self, section: u32) -> Diagnostic {
        self.program.conflict(section)
    }

    /// Whether picks depend on each other.
    pub(super) fn is_dependent(&self) -> bool {
        self.program.dependent
    }

    /// The position of the section `runtime_injections`.
    pub(super) fn injections_section(&self) -> Option<u32> {
        self.program.injections
    }

    /// The choices of some sections, in the order requested. Calls `on_conflict` with each rolled
    /// section in which no item satisfies the constraints.
    pub(super) fn choices<S: Settings>(
        &self,
        wanted: &[u32],
        call: &Call<'_, S>,
        on_conflict: impl FnMut(u32),
    ) -> Choices {
        self.program.choices(wanted, call, on_conflict)
    }

    /// The assembly of a call. Calls `on_conflict` as [`Self::choices`] does.
    #[inline]
    pub(super) fn assembler<'p, 'c, S: Settings>(
        &'p self,
        route: &'p RouteProgram,
        call: &Call<'c, S>,
        on_conflict: impl FnMut(u32),
    ) -> Assembler<'p, 'c, S> {
        self.program.assembler(route, call, on_conflict)
    }

    /// An assembly whose choices are made: first those of the route's slots, in their order.
    /// `injections` is the choice of the section `runtime_injections`.
    pub(super) fn assembler_with<'p, 'c, S: Settings>(
        &'p self,
        route: &'p RouteProgram,
        call: &Call<'c, S>,
        choices: Choices,
        injections: Option<&ItemSet>,
        pinned: Option<&'c PinnedEntries>,
    ) -> Assembler<'p, 'c, S> {
        let program = &*self.program;
        let section = program.injections.zip(injections);
        Assembler {
            sections: &program.sections,
            route,
            state: call.state,
            seed: call.seed,
            pinned,
            injections: section.and_then(|(section, chosen)| program.injections(section, chosen)),
            choices,
        }
    }

    /// Hydrates with given choices, one for each section, and given entries of arrays: the prompt, and
    /// every array rendered.
    pub(super) fn hydrate_with_choices<S: Settings>(
        &self,
        call: &Call<'_, S>,
        choices: &[Choice],
        pinned: &PinnedEntries,
    ) -> Result<(String, Vec<ArrayEvaluation>), HydrateError> {
        let route = self.program.route(call.route)?;
        let assembler = self
            .program
            .assembler_with_choices(route, call, choices, pinned);
        let mut text = String::new();
        let mut writer = Writer::new(&mut text, EvaluationTrace::default());
        assembler.run(&mut writer)?;
        let EvaluationTrace { arrays } = writer.trace;
        Ok((text, arrays))
    }
}

impl Program {
    fn route(&self, name: Option<&str>) -> Result<&RouteProgram, HydrateError> {
        let Some(name) = name else {
            return Ok(&self.orders.default);
        };
        match self.registry.routes().get_index_of(name) {
            Some(index) => {
                let route_order = self.orders.routes[index].as_ref();
                Ok(route_order.unwrap_or(&self.orders.default))
            }
            None => Err(HydrateError::UnknownRoute {
                route: name.to_owned(),
                known: self.registry.routes().keys().cloned().collect(),
            }),
        }
    }

    #[inline]
    fn assembler<'p, 'c, S: Settings>(
        &'p self,
        route: &'p RouteProgram,
        call: &Call<'c, S>,
        mut on_conflict: impl FnMut(u32),
    ) -> Assembler<'p, 'c, S> {
        let injections = self.injections.and_then(|section| {
            let choices = self.choices(&[section], call, |_| {});
            self.injections(section, &choices[0].chosen)
        });
        Assembler {
            sections: &self.sections,
            route,
            state: call.state,
            seed: call.seed,
            pinned: None,
            choices: self.choices(&route.slots, call, &mut on_conflict),
            injections,
        }
    }

    /// A walk whose choices, one for each section, and entries of arrays are made elsewhere.
    fn assembler_with_choices<'p, 'c, S: Settings>(
        &'p self,
        route: &'p RouteProgram,
        call: &Call<'c, S>,
        choices: &[Choice],
        pinned: &'c PinnedEntries,
    ) -> Assembler<'p, 'c, S> {
        let chosen = |section: &u32| choices[*section as usize].clone();
        Assembler {
            sections: &self.sections,
            route,
            state: call.state,
            seed: call.seed,
            pinned: Some(pinned),
            choices: route.slots.iter().map(chosen).collect(),
            injections: self
                .injections
                .and_then(|section| self.injections(section, &chosen(&section).chosen)),
        }
    }

    fn injections(&self, section: u32, chosen: &ItemSet) -> Option<Injections> {
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
        on_conflict: impl FnMut(u32),
    ) -> Choices {
        choices(
            &self.registry,
            &self.sections,
            self.dependent,
            wanted,
            call.state,
            call.seed,
            on_conflict,
        )
    }

    fn conflict(&self, section: u32) -> Diagnostic {
        let name = self.sections[section as usize].name();
        let mut pointer = String::new();
        promptdeck_json::push_step(&mut pointer, name);
        let message =
            format!("no item of {name:?} satisfies requires and excludes; the best match is used");
        let data = DiagnosticData::of(DataKey::Section, name);
        Diagnostic::new(
            codes::ROLL_DISAGREES,
            Severity::Warning,
            message,
            pointer,
            data,
        )
    }
}
