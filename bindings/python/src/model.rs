//! Models: registries and exports, compiled once and hydrated from Python.

use std::cell::Cell;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use promptdeck_core::file_kind::{FileKind, recognize};
use promptdeck_core::hydrate::{
    Call, Engine, Entries, KnownEntries, Seed, Settings, State as CoreState, StateRef,
};
use promptdeck_core::lint;
use promptdeck_core::plural::plural;
use promptdeck_core::registry::{Diagnostic, MAX_BYTES, Parsed, Severity, parse, read_json_object};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString, PyTuple};
use serde_json::{Map, json};

use crate::batch::{self, OnError};
use crate::convert::{self, Place, text_of, text_of_argument};
use crate::fault::{Fault, Raised, unreadable};
use crate::input_columns::{SeedInput, TextInput};
use crate::path::path_of;
use crate::pickle::{self, Kind};
use crate::policy::Policy;
use crate::registry_warnings::RegistryWarnings;
use crate::result_columns::answered;
use crate::state_warnings::{BatchWarnings, StateLint, warn_of};
use crate::{state, work};

/// A registry or an exported model, compiled for many calls.
///
/// Made by `load` or `Model.from_json`. Never changes; threads may share it.
#[pyclass(frozen, eq, hash, module = "promptdeck")]
pub struct Model {
    engine: Engine,
    /// The file as it was read.
    json: Arc<str>,
    /// Another for each model of the process.
    number: u64,
    warnings: RegistryWarnings,
    /// Whether there is nothing to warn of in the prompts without a state.
    is_quiet_alone: bool,
}

/// The number of the next model; 0 is that of none.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

/// The same JSON makes the same model.
impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Hash for Model {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.json.hash(state);
    }
}

thread_local! {
    /// The text of a call before it is Python's: making room takes a good part of a short call.
    static BUFFER: Cell<String> = const { Cell::new(String::new()) };
}

/// The largest buffer that a thread keeps.
const MAX_BUFFER: usize = 1 << 16;

/// The states of a batch.
enum States {
    /// JSON text for each row.
    Column(TextInput),
    /// The same state in all rows.
    Same(Arc<CoreState>),
}

#[pymethods]
impl Model {
    /// Reads a registry or an exported model from JSON text. What nothing reads in it is a warning.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Self> {
        Self::restored(py, text)?.warned(py)
    }

    /// Reads a registry or an exported model from a dictionary. What nothing reads in it is a warning.
    #[staticmethod]
    fn from_dict(py: Python<'_>, registry: &Bound<'_, PyAny>) -> PyResult<Self> {
        let registry = convert::dictionary("registry", registry)?;
        let members = convert::object(&registry, Place::Root, Raised::Registry)?;
        let read = || Self::parsed(&serde_json::Value::Object(members).to_string());
        work::detached(py, read)?.warned(py)
    }

    /// The prompt of a state. What the registry ignores in the state and what leaves a gap in the
    /// prompt is a warning; if `strict`, that and what nothing reads in the registry is an error.
    #[pyo3(signature = (state=None, *, seed=None, route=None, strict=false))]
    fn hydrate<'py>(
        &self,
        py: Python<'py>,
        state: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        route: Option<&Bound<'_, PyString>>,
        strict: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let prepared = state.and_then(|state| state.cast::<state::State>().ok());
        let is_missing = state.is_none_or(PyAnyMethods::is_none);
        let state = state::read(state)?;
        let seed = state::seed(seed)?;
        let route = text_of_argument("route", route, Raised::Call)?;
        if strict {
            self.warnings.refuse_all()?;
            self.warnings.refuse(&*state)?;
        }
        let lint = StateLint::new(self.engine.registry(), strict);
        if !prepared.is_some_and(|state| state.get().is_clean_for(self.number)) {
            let is_clean = lint.of_call(py, &*state)?;
            if let (Some(prepared), true) = (prepared, is_clean) {
                let may_warn = self.engine.may_warn(&state);
                prepared.get().note_clean_for(self.number, may_warn);
            }
        }
        // To look for warnings takes a tenth of a call.
        let is_quiet = match prepared {
            Some(prepared) => prepared.get().is_quiet_for(self.number),
            None => is_missing && self.is_quiet_alone,
        };
        let mut text = BUFFER.take();
        text.clear();
        let warnings = work::detached(py, || {
            let state = &*state;
            let call = Call { state, route, seed };
            let mut warnings = Vec::new();
            if is_quiet {
                self.engine.hydrate_text_into(&call, &mut text)?;
                return Ok(warnings);
            }
            let found = self.engine.hydrate_text_with_warnings(&call, &mut text)?;
            if !found.is_empty() {
                lint.of_prompt(&found, state, |fault| warnings.push(fault))?;
            }
            Ok(warnings)
        })?;
        let prompt = PyString::new(py, &text);
        if text.capacity() <= MAX_BUFFER {
            BUFFER.set(text);
        }
        if !warnings.is_empty() {
            warn_of(py, warnings)?;
        }
        Ok(prompt)
    }

    /// The prompt of a state with what was used and why. If `strict`, what `hydrate` refuses then is an
    /// error.
    #[pyo3(signature = (state=None, *, seed=None, route=None, strict=false))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        state: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        route: Option<&Bound<'_, PyString>>,
        strict: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let route = text_of_argument("route", route, Raised::Call)?;
        let state = state::read(state)?;
        let seed = state::seed(seed)?;
        let json = work::detached(py, || {
            let state = &*state;
            let call = Call { state, route, seed };
            if strict {
                self.refuse(&call)?;
            }
            let hydration = self.engine.hydrate(&call)?;
            serde_json::to_string(&hydration)
                .map_err(|error| Fault::of_json(Raised::Internal, "the explanation", &error))
        })?;
        convert::python(py, &json)
    }

    /// What looks like a mistake in the registry or the state: a list of diagnostics. If `strict`, the
    /// first of them that is no note is an error.
    #[pyo3(signature = (state=None, *, seed=None, route=None, strict=false))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        state: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        route: Option<&Bound<'_, PyString>>,
        strict: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let route = text_of_argument("route", route, Raised::Call)?;
        let has_call = state.is_some_and(|state| !state.is_none());
        let state = state::read(state)?;
        let seed = seed.filter(|seed| !seed.is_none());
        let seed = seed.map_or_else(|| Ok(Seed::default()), |seed| state::seed(Some(seed)))?;
        let json = work::detached(py, || {
            let state = &*state;
            let call = Call { state, route, seed };
            // The document and its positions take more room than the file: they are read when they
            // are asked for.
            let Parsed {
                document,
                source_map,
                ..
            } = parse(self.json.as_bytes())?;
            let mut found = lint::unknown_keys(&document);
            found.extend(self.engine.hydrate_text_with_evaluation(&call)?.diagnostics);
            let mut more = lint::lint(&self.engine, &call);
            if has_call {
                more.extend(lint::gaps(&self.engine, &call));
            }
            more.retain(|one| !found.contains(one));
            found.extend(more);
            let found: Vec<Diagnostic> = found
                .into_iter()
                .map(|found| found.located(&source_map))
                .collect();
            let mut refused = found
                .iter()
                .filter(|found| strict && found.severity != Severity::Note);
            if let Some(refused) = refused.next() {
                return Err(Fault::of_call(refused.clone()));
            }
            serde_json::to_string(&found)
                .map_err(|error| Fault::of_json(Raised::Internal, "the diagnostics", &error))
        })?;
        convert::python(py, &json)
    }

    /// The prompts of many states. What the registry ignores in a state is a warning, once for all
    /// rows that have it, and an error of its row if `strict`.
    #[pyo3(signature = (
        *, states=None, seeds=None, route=None, strict=false, on_error="raise", threads=None
    ))]
    fn hydrate_batch<'py>(
        &self,
        py: Python<'py>,
        states: Option<&Bound<'py, PyAny>>,
        seeds: Option<&Bound<'py, PyAny>>,
        route: Option<&Bound<'py, PyString>>,
        strict: bool,
        on_error: &str,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let on_error = OnError::named(on_error)?;
        let route = text_of_argument("route", route, Raised::Call)?;
        let states = match states {
            Some(states) if !is_one_state(states) => {
                States::Column(TextInput::read("states", states)?)
            }
            one => States::Same(state::read(one)?),
        };
        let seeds = seeds.filter(|seeds| !seeds.is_none());
        let seeds = seeds
            .map(|seeds| SeedInput::read("seeds", seeds))
            .transpose()?;
        let rows = rows(&states, seeds.as_ref())?;
        // A route that is not there would be the fault of every row.
        self.route(route)?;
        let refused = strict.then_some(&self.warnings);
        if let Some(refused) = refused {
            // So would what no state replaces.
            refused.refuse_all()?;
        }
        let lint = StateLint::new(self.engine.registry(), strict);
        if let States::Same(state) = &states {
            if let Some(refused) = refused {
                refused.refuse(&**state)?;
            }
            lint.of_call(py, &**state)?;
        }
        let is_quiet = match &states {
            States::Same(state) => !self.engine.may_warn(state),
            States::Column(_) => false,
        };
        let warnings = BatchWarnings::default();
        let threads = work::threads(py, threads)?;
        let answers = batch::run(
            py,
            rows,
            threads,
            on_error,
            KnownEntries::default,
            |known, row, text| {
                let seed = match &seeds {
                    Some(seeds) => seeds.get(row)?,
                    None => state::drawn_seed()?,
                };
                let mut check = Check {
                    lint,
                    refused,
                    row,
                    known,
                    warnings: &warnings,
                };
                match &states {
                    States::Same(state) if is_quiet => {
                        let state = &**state;
                        let call = Call { state, route, seed };
                        Ok(self.engine.hydrate_text_into(&call, text)?)
                    }
                    States::Same(state) => self.hydrate_row(&**state, (route, seed), &check, text),
                    States::Column(column) => {
                        self.hydrate_json(column.get(row)?, (route, seed), &mut check, text)
                    }
                }
            },
        )?;
        warnings.warn(py)?;
        answered(py, answers, on_error)
    }

    /// The output policy of the registry.
    #[getter]
    fn policy(&self, py: Python<'_>) -> PyResult<Policy> {
        self.policy_for(py, None)
    }

    /// The output policy of a route: that of the registry with each field of the route in its place.
    #[pyo3(signature = (route=None))]
    fn policy_for(&self, py: Python<'_>, route: Option<&Bound<'_, PyString>>) -> PyResult<Policy> {
        let route = text_of_argument("route", route, Raised::Call)?;
        self.route(route)?;
        let registry = self.engine.registry();
        let none = Map::new();
        let of_route = route.and_then(|route| registry.routes().get(route));
        let of_route = of_route.map_or(&none, |route| &route.output_policy);
        work::detached(py, || Policy::of(registry.output_policy(), of_route))
    }

    /// The generation settings of a route, as they are in the registry.
    #[pyo3(signature = (route=None))]
    fn generation<'py>(
        &self,
        py: Python<'py>,
        route: Option<&Bound<'_, PyString>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let route = text_of_argument("route", route, Raised::Call)?;
        self.route(route)?;
        let registry = self.engine.registry();
        let mut settings = registry.generation().clone();
        if let Some(route) = route.and_then(|route| registry.routes().get(route)) {
            settings.extend(route.generation.clone());
        }
        convert::python(py, &json!(settings).to_string())
    }

    /// The title of the registry.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.engine.registry().title()
    }

    /// The names of the sections, in the order of the file.
    #[getter]
    fn sections(&self) -> Vec<&str> {
        let sections = self.engine.registry().sections();
        sections.keys().map(String::as_str).collect()
    }

    /// The names of the routes, in the order of the file.
    #[getter]
    fn routes(&self) -> Vec<&str> {
        let routes = self.engine.registry().routes();
        routes.keys().map(String::as_str).collect()
    }

    /// The JSON text that the model was read from.
    fn to_json(&self) -> &str {
        &self.json
    }

    fn __repr__(&self) -> String {
        let title = self
            .title()
            .map_or_else(String::new, |title| format!(" {title:?}"));
        let sections = plural(self.sections().len(), "section");
        format!("<promptdeck.Model{title} of {sections}>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduced(py, Kind::Model, self.json.to_string())
    }
}

/// Looks for warnings about a row.
struct Check<'a> {
    lint: StateLint<'a>,
    /// Those about the registry, if they are errors.
    refused: Option<&'a RegistryWarnings>,
    row: usize,
    known: &'a mut KnownEntries,
    warnings: &'a BatchWarnings,
}

impl Check<'_> {
    fn state(&mut self, state: &impl Entries) -> Result<(), Fault> {
        if let Some(refused) = self.refused {
            refused.refuse(state)?;
        }
        self.lint.of_row(self.row, state, self.known, self.warnings)
    }
}

impl Model {
    /// Reads a model from JSON text, of which the caller was warned before.
    pub fn restored(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Self> {
        let text = text_of(text, Place::Root, Raised::Registry)?;
        work::detached(py, || Self::parsed(text))
    }

    /// Warns the caller about the registry.
    fn warned(self, py: Python<'_>) -> PyResult<Self> {
        warn_of(py, self.warnings.faults())?;
        Ok(self)
    }

    fn parsed(text: &str) -> Result<Self, Fault> {
        let (members, source_map) = read_json_object(text.as_bytes(), "a registry")?;
        let kind = recognize(&members);
        let other = |kind: FileKind| {
            Fault::new(Raised::Registry, "not_a_registry", kind.why_no_registry()).at("")
        };
        if let FileKind::Call | FileKind::Checks | FileKind::Schema = kind {
            return Err(other(kind));
        }
        let parsed = Parsed::from_object(members, source_map)?;
        if parsed.registry.sections().is_empty() {
            return Err(other(FileKind::Other));
        }
        let engine = Engine::new(parsed.registry);
        let warnings = RegistryWarnings::of(&engine, &parsed.document, &parsed.source_map, kind);
        Ok(Self {
            is_quiet_alone: !engine.may_warn(&CoreState::default()),
            engine,
            warnings,
            json: text.into(),
            number: NEXT_NUMBER.fetch_add(1, Ordering::Relaxed),
        })
    }

    /// Refuses what a call warns of.
    fn refuse(&self, call: &Call<'_, CoreState>) -> Result<(), Fault> {
        self.warnings.refuse_all()?;
        self.warnings.refuse(call.state)?;
        let lint = StateLint::new(self.engine.registry(), true);
        lint.refuse(call.state)?;
        let found = self
            .engine
            .hydrate_text_with_warnings(call, &mut String::new())?;
        lint.of_prompt(&found, call.state, |_| ())
    }

    /// Hydrates a state of a row that was checked.
    fn hydrate_row<S: Settings + Entries>(
        &self,
        state: &S,
        (route, seed): (Option<&str>, Seed),
        check: &Check<'_>,
        text: &mut String,
    ) -> Result<(), Fault> {
        let call = Call { state, route, seed };
        let found = self.engine.hydrate_text_with_warnings(&call, text)?;
        let add = |fault| check.warnings.add(check.row, fault);
        check.lint.of_prompt(&found, state, add)
    }

    /// Hydrates a state from its JSON text.
    fn hydrate_json(
        &self,
        json: &str,
        (route, seed): (Option<&str>, Seed),
        check: &mut Check<'_>,
        text: &mut String,
    ) -> Result<(), Fault> {
        // A derived reader would take a list of the fields as well.
        let plain = json.trim_start().starts_with('{');
        let plain = plain
            .then(|| serde_json::from_str::<StateRef<'_>>(json).ok())
            .flatten();
        if let Some(state) = plain {
            check.state(&state)?;
            return self.hydrate_row(&state, (route, seed), check, text);
        }
        let state = state::from_json(json)?;
        check.state(&state)?;
        self.hydrate_row(&state, (route, seed), check, text)
    }

    /// Refuses a route that the registry does not have, as hydration does.
    fn route(&self, route: Option<&str>) -> Result<(), Fault> {
        Ok(self.engine.check_route(route)?)
    }
}

/// Reads a registry or an exported model from a file.
#[pyfunction]
pub fn load(py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<Model> {
    let path = path_of(path, Raised::Registry)?;
    let mut bytes = Vec::new();
    let read = py.detach(|| {
        let file = File::open(&path)?;
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)
    });
    read.map_err(|error| unreadable(&path, &error))?;
    let name = path.display().to_string();
    let model = work::detached(py, || {
        // The reader names the place of what is not UTF-8.
        match str::from_utf8(&bytes) {
            Ok(text) => Model::parsed(text),
            Err(_) => Err(parse(&bytes).err().map_or_else(
                || Fault::new(Raised::Registry, "encoding", "not UTF-8"),
                Fault::from,
            )),
        }
        .map_err(|fault| {
            let message = format!("{name}: {}", fault.message);
            Fault { message, ..fault }
        })
    })?;
    Model {
        warnings: model.warnings.in_file(&name),
        ..model
    }
    .warned(py)
}

/// Whether the states of a batch are one state, for all rows.
fn is_one_state(states: &Bound<'_, PyAny>) -> bool {
    states.is_none()
        || states.is_instance_of::<state::State>()
        || states.cast::<PyMapping>().is_ok()
}

fn rows(states: &States, seeds: Option<&SeedInput>) -> Result<usize, Fault> {
    match (states, seeds) {
        (States::Column(states), None) => Ok(states.len()),
        (States::Same(_), Some(seeds)) => Ok(seeds.len()),
        (States::Column(states), Some(seeds)) if states.len() == seeds.len() => Ok(states.len()),
        (States::Column(states), Some(seeds)) => {
            let message = format!("{} states and {} seeds", states.len(), seeds.len());
            Err(Fault::new(Raised::Column, "different_lengths", message))
        }
        (States::Same(_), None) => {
            let message = "a batch needs a column of states, of seeds, or of both";
            Err(Fault::new(Raised::Column, "wrong_argument", message))
        }
    }
}
