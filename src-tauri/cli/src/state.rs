//! Flags that define one call: a state file, single settings on top of it, route and seed. The
//! engine interprets them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use promptdeck_core::{
    hydrate::{Evaluation, Mode, Seed, State, StateEntry},
    registry::{
        DataKey, Diagnostic, Parsed, Registry, Selection, SourceMap, codes, read_json_object,
    },
};
use promptdeck_request::document::{Content, DocumentKind, FileKind};
use promptdeck_service::draw_seed;
use serde_json::Value;

use crate::{
    call_file::CallFile,
    document::{self, Documents},
    failure::Failure,
    flags, input, output,
    warnings::{StrictArgs, Warnings},
};

/// The state of the call.
#[derive(Debug, Default, clap::Args)]
pub struct StateArgs {
    /// Read the state from this JSON file; the flags below override single settings.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Select items of a section by id, or by name where they have no id; an empty list selects none of an
    /// optional section.
    #[arg(long, value_name = "SECTION=ID[,ID]", value_parser = select)]
    select: Vec<Select>,
    /// Use these entries of an array: all, none, index:N or indices:I,J, counted from 0, or random:K.
    #[arg(long, value_name = "SECTION.FIELD=MODE", value_parser = mode)]
    mode: Vec<ModeSetting>,
    /// Fill a template variable.
    #[arg(long, value_name = "SECTION::NAME=TEXT", value_parser = variable)]
    var: Vec<Variable>,
    /// Roll the item of a section.
    #[arg(long, value_name = "SECTION")]
    random: Vec<String>,
    /// Set the slider of a section.
    #[arg(long, value_name = "SECTION=NUMBER", value_parser = slider)]
    slider: Vec<Slider>,
    /// Roll the slider of a section.
    #[arg(long, value_name = "SECTION")]
    random_slider: Vec<String>,
    #[command(flatten)]
    pub strict: StrictArgs,
}

/// The registry of a verb and the state of the call.
pub struct Deck {
    /// The parsed registry.
    pub parsed: Parsed,
    /// The state.
    pub state: State,
    /// Where its entries are from.
    pub sources: StateSources,
    /// The warnings about both, already printed.
    pub warnings: Warnings,
}

/// The state from the flags, with the source of each entry.
pub struct SourcedState {
    /// The state.
    pub state: State,
    sources: StateSources,
}

/// The sources of the entries of a state.
#[derive(Default)]
pub struct StateSources {
    /// Name of the state file and positions of its values.
    file: Option<(String, SourceMap)>,
    /// Where the state is in that file: empty, or the pointer in a call document.
    within: &'static str,
    /// The flag that set an entry, by the entry's pointer.
    flags: BTreeMap<String, &'static str>,
}

impl StateArgs {
    /// Reads the registry and the state, and warns about ignored parts.
    pub fn open(&self, registry: &Path) -> Result<Deck, Failure> {
        self.open_for(registry, None)
    }

    /// As [`Self::open`]; `check` refuses registries, before the warnings about them are printed.
    pub fn open_checked(
        &self,
        registry: &Path,
        check: impl FnOnce(&Parsed, &mut Warnings) -> Result<(), Failure>,
    ) -> Result<Deck, Failure> {
        let mut warnings = self.strict.warnings();
        let parsed = input::registry(registry, &mut warnings)?;
        check(&parsed, &mut warnings)?;
        self.deck(parsed, &input::name_of(registry), None, warnings)
    }

    /// As [`Self::open`], with the state of a call document below the flags.
    pub fn open_for(&self, registry: &Path, call: Option<&CallFile>) -> Result<Deck, Failure> {
        let mut warnings = self.strict.warnings();
        let bytes = input::read(registry)?;
        if let Some(call) = call {
            call.warn_of_other_registry(registry, &bytes, &mut warnings)?;
        }
        let parsed = match call.is_some_and(|call| call.is_in(registry)) {
            true => input::registry_in_call(&bytes, &input::name_of(registry), &mut warnings)?,
            false => input::registry_of(&bytes, &input::name_of(registry), &mut warnings)?,
        };
        self.deck(parsed, &input::name_of(registry), call, warnings)
    }

    /// As [`Self::open`], of a call document that holds or names its registry; with the file of the
    /// registry.
    pub fn open_call(&self, call: &CallFile) -> Result<(Deck, PathBuf), Failure> {
        let mut warnings = self.strict.warnings();
        let (parsed, path) = call.open_registry(&mut warnings)?;
        let deck = self.deck(parsed, &input::name_of(&path), Some(call), warnings)?;
        Ok((deck, path))
    }

    /// As [`Self::open`]; a call around the registry is read as well, and its state is below the
    /// flags unless they name a file.
    pub fn open_with_call(&self, registry: &Path) -> Result<(Deck, Option<CallFile>), Failure> {
        let mut warnings = self.strict.warnings();
        let (bytes, name) = (input::read(registry)?, input::name_of(registry));
        let Content::Registry(parsed, FileKind::CallWithRegistry) = Content::of(&name, &bytes)
        else {
            let parsed = input::registry_of(&bytes, &name, &mut warnings)?;
            return Ok((self.deck(parsed, &name, None, warnings)?, None));
        };
        let call = CallFile::of(&bytes, registry, &mut warnings)?;
        input::warn_of_ignored(&parsed, &call.name, &mut warnings)?;
        let stated = self.state.is_none().then_some(&call);
        Ok((self.deck(*parsed, &name, stated, warnings)?, Some(call)))
    }

    fn deck(
        &self,
        parsed: Parsed,
        name: &str,
        call: Option<&CallFile>,
        mut warnings: Warnings,
    ) -> Result<Deck, Failure> {
        let resolved = match call {
            Some(call) => self.override_entries(SourcedState::of_call(call), &mut warnings)?,
            None => self.resolve(&mut warnings)?,
        };
        input::warn_of_defaults(&parsed, name, &resolved.state, &mut warnings)?;
        resolved.check(&parsed.registry, &mut warnings)?;
        warnings.print();
        Ok(Deck {
            parsed,
            state: resolved.state,
            sources: resolved.sources,
            warnings,
        })
    }

    /// The state of the file, if one is named, overridden by the single settings.
    pub fn resolve(&self, warnings: &mut Warnings) -> Result<SourcedState, Failure> {
        let read = SourcedState::read(self.state.as_deref(), warnings)?;
        self.override_entries(read, warnings)
    }

    fn override_entries(
        &self,
        mut resolved: SourcedState,
        warnings: &mut Warnings,
    ) -> Result<SourcedState, Failure> {
        for Select { section, selection } in &self.select {
            let part = "selections";
            resolved.mark(StateEntry::Section { part, section }, "--select", warnings)?;
            if resolved.state.section_random.get(section) == Some(&true) {
                resolved.warn_of_roll("section_random", section, "--select", warnings)?;
            }
            let selections = &mut resolved.state.selections;
            selections.insert(section.clone(), selection.clone());
        }
        for ModeSetting {
            section,
            field,
            mode,
        } in &self.mode
        {
            resolved.mark(StateEntry::Field { section, field }, "--mode", warnings)?;
            let modes = &mut resolved.state.array_modes;
            let modes = modes.entry(section.clone()).or_default();
            modes.insert(field.clone(), mode.clone());
        }
        for Variable { name, text } in &self.var {
            resolved.mark(StateEntry::Variable { key: name }, "--var", warnings)?;
            let variables = &mut resolved.state.template_vars;
            variables.insert(name.clone(), text.clone());
        }
        for section in &self.random {
            let part = "section_random";
            resolved.mark(StateEntry::Section { part, section }, "--random", warnings)?;
            resolved.warn_of_rolled(("selections", "--select"), section, "--random", warnings)?;
            resolved.state.section_random.insert(section.clone(), true);
        }
        for Slider { section, value } in &self.slider {
            let part = "sliders";
            resolved.mark(StateEntry::Section { part, section }, "--slider", warnings)?;
            if resolved.state.slider_random.get(section) == Some(&true) {
                resolved.warn_of_roll("slider_random", section, "--slider", warnings)?;
            }
            resolved.state.sliders.insert(section.clone(), *value);
        }
        for section in &self.random_slider {
            let entry = StateEntry::Section {
                part: "slider_random",
                section,
            };
            resolved.mark(entry, "--random-slider", warnings)?;
            resolved.warn_of_rolled(
                ("sliders", "--slider"),
                section,
                "--random-slider",
                warnings,
            )?;
            resolved.state.slider_random.insert(section.clone(), true);
        }
        Ok(resolved)
    }

    /// The first flag that sets anything.
    pub fn first_flag(&self) -> Option<&'static str> {
        flags::first(&[
            (self.state.is_some(), "--state"),
            (!self.select.is_empty(), "--select"),
            (!self.mode.is_empty(), "--mode"),
            (!self.var.is_empty(), "--var"),
            (!self.random.is_empty(), "--random"),
            (!self.slider.is_empty(), "--slider"),
            (!self.random_slider.is_empty(), "--random-slider"),
        ])
    }

    /// Whether a flag fills a variable.
    pub fn fills_variables(&self) -> bool {
        !self.var.is_empty()
    }
}

impl SourcedState {
    fn of_call(file: &CallFile) -> Self {
        Self {
            state: file.call.state.clone(),
            sources: StateSources {
                file: Some((file.name.clone(), file.places.clone())),
                within: "/state",
                flags: BTreeMap::new(),
            },
        }
    }

    fn read(path: Option<&Path>, warnings: &mut Warnings) -> Result<Self, Failure> {
        let mut resolved = Self {
            state: State::default(),
            sources: StateSources::default(),
        };
        if let Some(path) = path {
            let bytes = input::read(path)?;
            refuse_other(path, &bytes)?;
            let documents = Documents::new(DocumentKind::State);
            let document = documents.open_file(path, &bytes, warnings)?;
            let places = document.places().cloned().unwrap_or_default();
            resolved.sources.file = Some((input::name_of(path), places));
            resolved.state = document.into_shape().map_err(|failure| {
                warnings.print();
                failure.in_file(path)
            })?;
        }
        Ok(resolved)
    }

    /// Records the flag that sets an entry; warns if another flag has set it.
    fn mark(
        &mut self,
        entry: StateEntry<'_>,
        flag: &'static str,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let pointer = entry.pointer();
        if self.sources.flags.insert(pointer.clone(), flag).is_some() {
            let message =
                format!("{flag} is given more than once for {pointer}: the last one counts");
            warnings.add("repeated_flag", message)?;
        }
        Ok(())
    }

    /// Warns if a flag rolls what another flag sets.
    fn warn_of_rolled(
        &self,
        (part, set): (&'static str, &'static str),
        section: &str,
        flag: &str,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let entry = StateEntry::Section { part, section };
        if self.sources.flags.get(&entry.pointer()) == Some(&set) {
            let message = format!("{flag} {section} rolls what {set} sets: {set} has no effect");
            warnings.add("overridden_flag", message)?;
        }
        Ok(())
    }

    /// Warns that the state which the flags override rolls what a flag sets.
    fn warn_of_roll(
        &self,
        part: &'static str,
        section: &str,
        flag: &str,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let place = self.sources.place(&StateEntry::Section { part, section });
        let message = format!(
            "{place}{part} rolls {section}: {flag} has no effect; set it to false or leave it out"
        );
        warnings.add("overridden_flag", message)
    }

    /// Warns about entries of the state that the registry ignores or reinterprets.
    pub fn check(&self, registry: &Registry, warnings: &mut Warnings) -> Result<(), Failure> {
        warnings.state(registry, &self.state, |entry| self.sources.place(entry))
    }
}

impl StateSources {
    /// The source of the entry that a diagnostic of a hydration is about, if it is about one.
    pub fn place_of(&self, found: &Diagnostic) -> String {
        let names = (
            found.data.text(DataKey::Section),
            found.data.text(DataKey::Field),
        );
        match names {
            (Some(section), Some(field)) if found.code == codes::STATE_MODE_OUT_OF_RANGE => {
                self.place(&StateEntry::Field { section, field })
            }
            _ => String::new(),
        }
    }

    /// Whether a flag sets a variable.
    pub fn sets_variable(&self, key: &str) -> bool {
        let pointer = StateEntry::Variable { key }.pointer();
        self.flags.contains_key(&pointer)
    }

    /// The source of an entry: a flag, or a position in the file.
    fn place(&self, entry: &StateEntry<'_>) -> String {
        let pointer = entry.pointer();
        let within = format!("{pointer}/");
        let mut flags = self.flags.iter();
        if let Some((_, flag)) = flags.find(|(set, _)| **set == pointer || set.starts_with(&within))
        {
            return format!("{flag}: ");
        }
        match &self.file {
            Some((name, places)) => {
                let pointer = format!("{}{pointer}", self.within);
                input::at(name, places.find_key(&pointer))
            }
            None => String::new(),
        }
    }
}

/// Refuses a document that would set nothing: one of another kind, or one that has a state beside route
/// and seed, as `snapshot restore` prints it. That state alone would be rolled with another seed.
fn refuse_other(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let Ok((members, _)) = read_json_object(bytes, DocumentKind::State.title()) else {
        return Ok(());
    };
    let schema = DocumentKind::State.schema();
    if !members.get("state").is_some_and(Value::is_object)
        || members
            .keys()
            .any(|key| !schema["properties"][key].is_null())
    {
        return document::refuse_other(DocumentKind::State, &members)
            .map_err(|failure| failure.in_file(path));
    }
    let mut way_out = "give the value of its \"state\" to --state".to_owned();
    for (key, flag) in [("route", "--route"), ("seed", "--seed")] {
        match members.get(key) {
            Some(Value::String(value)) => way_out.push_str(&format!(", {flag} {value:?}")),
            Some(Value::Number(value)) => way_out.push_str(&format!(", {flag} {value}")),
            _ => {}
        }
    }
    let message = "not a state, but an object with one, such as `snapshot restore` prints";
    Err(Failure::input("wrong_document", message)
        .in_file(path)
        .with_hint(&way_out))
}

/// Route and seed of the call.
#[derive(Debug, Default, clap::Args)]
pub struct CallArgs {
    /// Use this route of the registry instead of its assembly order.
    #[arg(long, value_name = "ROUTE")]
    pub route: Option<String>,
    /// Use this seed, an integer below 2^53; random by default.
    #[arg(long, value_name = "N")]
    pub seed: Option<Seed>,
}

impl CallArgs {
    /// The given seed, or a random one.
    pub fn seed(&self) -> Result<Seed, Failure> {
        Ok(self.seed.map_or_else(draw_seed, Ok)?)
    }
}

/// Says which seed was drawn if anything was rolled with it, so that the roll can be repeated.
pub fn report_drawn_seed(evaluation: &Evaluation, seed: Seed) {
    if evaluation.is_rolled() {
        output::message(&format!("rolled with --seed {seed}"));
    }
}

#[derive(Debug, Clone)]
struct Select {
    section: String,
    selection: Selection,
}

#[derive(Debug, Clone)]
struct ModeSetting {
    section: String,
    field: String,
    mode: String,
}

#[derive(Debug, Clone)]
struct Variable {
    name: String,
    text: String,
}

#[derive(Debug, Clone)]
struct Slider {
    section: String,
    value: f64,
}

fn setting<'a>(text: &'a str, form: &str) -> Result<(&'a str, &'a str), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("write {form}"))?;
    if name.is_empty() {
        Err(format!("write {form}"))
    } else {
        Ok((name, value))
    }
}

fn select(text: &str) -> Result<Select, String> {
    let (section, ids) = setting(text, "SECTION=ID or SECTION=ID,ID")?;
    let mut ids: Vec<String> = ids
        .split(',')
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
        .collect();
    let selection = if ids.len() == 1 {
        Selection::One(ids.remove(0))
    } else {
        Selection::Many(ids)
    };
    Ok(Select {
        section: section.to_owned(),
        selection,
    })
}

fn mode(text: &str) -> Result<ModeSetting, String> {
    let form = "SECTION.FIELD=MODE";
    let (name, mode) = setting(text, form)?;
    if let (_, Some(_)) = Mode::parse(mode) {
        return Err(format!(
            "{mode:?} is not a mode: write all, none, index:N or indices:I,J, counted from 0, or random:K, \
             at least 1"
        ));
    }
    match name.split_once('.') {
        Some((section, field)) if !section.is_empty() && !field.is_empty() => Ok(ModeSetting {
            section: section.to_owned(),
            field: field.to_owned(),
            mode: mode.to_owned(),
        }),
        _ => Err(format!("write {form}")),
    }
}

fn variable(text: &str) -> Result<Variable, String> {
    let form = "SECTION::NAME=TEXT";
    let (name, value) = setting(text, form)?;
    match name.split_once("::") {
        Some((section, variable)) if !section.is_empty() && !variable.is_empty() => Ok(Variable {
            name: name.to_owned(),
            text: value.to_owned(),
        }),
        _ => Err(format!("write {form}")),
    }
}

fn slider(text: &str) -> Result<Slider, String> {
    let (section, value) = setting(text, "SECTION=NUMBER")?;
    match value.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Slider {
            section: section.to_owned(),
            value,
        }),
        // Digits, and not the word infinity.
        Ok(_) if value.ends_with(|last: char| last.is_ascii_digit()) => {
            Err(format!("{value:?} is a number too large for a double"))
        }
        _ => Err(format!("{value:?} is not a number")),
    }
}
