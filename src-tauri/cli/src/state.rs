//! The flags that set up one call: a state from a file, single settings on top of it, route and
//! seed. What they mean is the engine's affair.

use std::path::PathBuf;

use promptdeck_core::{
    document::DocumentKind,
    hydrate::{Seed, State},
    registry::{Registry, Selection},
};
use promptdeck_service::draw_seed;

use crate::{
    document,
    failure::Failure,
    warnings::{StrictArgs, Warnings},
};

/// The state of the call.
#[derive(Debug, Default, clap::Args)]
pub struct StateArgs {
    /// The state of the call, a JSON file; the flags below change single settings of it.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Select items of a section, by id or name; nothing after `=` selects none.
    #[arg(long, value_name = "SECTION=ID[,ID]", value_parser = select)]
    select: Vec<Select>,
    /// Which entries of an array are used: all, none, index:N, indices:I,J or random:K.
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

impl StateArgs {
    /// The state of the file, if one was named, with the single settings put on top.
    pub fn state(&self, warnings: &mut Warnings) -> Result<State, Failure> {
        let mut state: State = match &self.state {
            Some(path) => document::read(path, DocumentKind::State, warnings)?,
            None => State::default(),
        };
        for Select { section, selection } in &self.select {
            state.selections.insert(section.clone(), selection.clone());
        }
        for ModeSetting {
            section,
            field,
            mode,
        } in &self.mode
        {
            let modes = state.array_modes.entry(section.clone()).or_default();
            modes.insert(field.clone(), mode.clone());
        }
        for Variable { name, text } in &self.var {
            state.template_vars.insert(name.clone(), text.clone());
        }
        for section in &self.random {
            state.section_random.insert(section.clone(), true);
        }
        for Slider { section, value } in &self.slider {
            state.sliders.insert(section.clone(), *value);
        }
        for section in &self.random_slider {
            state.slider_random.insert(section.clone(), true);
        }
        Ok(state)
    }
}

impl StateArgs {
    /// The same for a registry, the names it does not know told of.
    pub fn state_for(&self, registry: &Registry) -> Result<State, Failure> {
        let mut warnings = self.strict.warnings();
        let state = self.state(&mut warnings)?;
        warnings.state(registry, &state)?;
        warnings.print();
        Ok(state)
    }

    /// Whether a variable is filled by a flag.
    pub fn fills_variables(&self) -> bool {
        !self.var.is_empty()
    }
}

/// Route and seed of the call.
#[derive(Debug, Default, clap::Args)]
pub struct CallArgs {
    /// Take a route of the registry instead of its own assembly order.
    #[arg(long, value_name = "ROUTE")]
    pub route: Option<String>,
    /// Repeat the picks of this seed, an integer below 2^53; drawn when not given.
    #[arg(long, value_name = "N")]
    pub seed: Option<Seed>,
}

impl CallArgs {
    /// The seed given, or a drawn one.
    pub fn seed(&self) -> Result<Seed, Failure> {
        Ok(self.seed.map_or_else(draw_seed, Ok)?)
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
        _ => Err(format!("{value:?} is not a number")),
    }
}
