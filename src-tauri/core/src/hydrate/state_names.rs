//! The names a state uses, and which of them mean nothing in a registry: sections, items, fields,
//! sliders and variables that are not there, each with the nearest name that is.

use super::{ALIASES, Token};
use crate::{
    nearest::did_you_mean,
    registry::{Diagnostic, Registry, Section, Severity, push_step},
};

/// One name that a state uses, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateName<'a> {
    /// A section that a part of the state sets.
    Section {
        /// The part, such as `selections`.
        part: &'static str,
        /// The section.
        section: &'a str,
    },
    /// A selected item.
    Item {
        /// The section.
        section: &'a str,
        /// The id or name.
        id: &'a str,
    },
    /// A field that is given a mode.
    Field {
        /// The section.
        section: &'a str,
        /// The field.
        field: &'a str,
    },
    /// A section whose slider is set or rolled.
    Slider {
        /// The section.
        section: &'a str,
    },
    /// A template variable, by its full key `section::variable`.
    Variable {
        /// The key.
        key: &'a str,
    },
}

/// What is wrong with a name of a state, when the registry does not know it.
#[must_use]
pub fn unknown_name(registry: &Registry, name: StateName<'_>) -> Option<Diagnostic> {
    let (code, section, message) = match name {
        StateName::Section { part, section } => unknown_section(registry, part, section)?,
        StateName::Item { section, id } => unknown_item(registry.section(section)?, id)?,
        StateName::Field { section, field } => unknown_field(registry.section(section)?, field)?,
        StateName::Slider { section } => unknown_slider(registry, registry.section(section)?)?,
        StateName::Variable { key } => unknown_variable(registry, key)?,
    };
    Some(warning(registry, code, section, message))
}

/// A warning about a state, at the section it names.
pub(super) fn warning(
    registry: &Registry,
    code: &'static str,
    section: &str,
    message: String,
) -> Diagnostic {
    let mut pointer = String::new();
    if registry.section(section).is_some() {
        push_step(&mut pointer, section);
    }
    Diagnostic::new(code, Severity::Warning, message, pointer)
}

/// Code, section and message.
type Unknown<'a> = (&'static str, &'a str, String);

fn sections(registry: &Registry) -> impl Iterator<Item = &str> {
    registry.sections().keys().map(String::as_str)
}

fn unknown_section<'a>(registry: &Registry, part: &str, name: &'a str) -> Option<Unknown<'a>> {
    if registry.section(name).is_some() {
        return None;
    }
    let near = did_you_mean(name, sections(registry));
    let message = format!("the state's {part} name {name:?}, which is no section here{near}");
    Some(("state_unknown_section", name, message))
}

fn unknown_item<'a>(section: &'a Section, id: &str) -> Option<Unknown<'a>> {
    let identities = || section.items().iter().filter_map(|item| item.identity());
    if identities().any(|identity| identity == id) {
        return None;
    }
    let name = section.name();
    let near = did_you_mean(id, identities());
    let message = format!("{name:?} has no item {id:?}; the selection leaves it out{near}");
    Some(("state_unknown_item", name, message))
}

fn unknown_field<'a>(section: &'a Section, field: &str) -> Option<Unknown<'a>> {
    let lists = || {
        let fields = section.items().iter().flat_map(|item| item.fields());
        fields
            .filter(|(_, value)| value.is_array())
            .map(|(field, _)| field.as_str())
    };
    if lists().any(|own| own == field) {
        return None;
    }
    let name = section.name();
    let near = did_you_mean(field, lists());
    let message = format!(
        "the state's array_modes set {name}.{field}, but no item of {name:?} has a list in that \
         field{near}"
    );
    Some(("state_unknown_field", name, message))
}

/// A slider that is set but can show in no prompt of the registry.
fn unknown_slider<'a>(registry: &Registry, section: &'a Section) -> Option<Unknown<'a>> {
    let name = section.name();
    let defaults = section.defaults();
    let routes = registry.routes().values();
    let mut orders = routes
        .filter_map(|route| route.assembly_order.as_deref())
        .chain([registry.assembly_order()]);
    let prints = |token: &String| Token::parse(token).is_ok_and(|token| is_scale(&token, name));
    let has_slider = name == "sentiment"
        || defaults.scale_template.is_some()
        || defaults.slider.is_some()
        || defaults.slider_random.is_some()
        || orders.any(|order| order.iter().any(prints));
    if has_slider {
        return None;
    }
    let message = format!(
        "the state sets the slider of {name:?}, which has none: it has no scale_template, and no \
         token prints \"{name}.scale\""
    );
    Some(("state_unknown_slider", name, message))
}

/// Whether a token, or the one in its brackets, prints the slider of the section.
fn is_scale(token: &Token, name: &str) -> bool {
    match token {
        Token::Dotted { section, field } => {
            field == "scale" && (section == name || ALIASES.contains(&(section.as_str(), name)))
        }
        Token::Bracket { inner, .. } => is_scale(inner, name),
        Token::Bare { .. } => false,
    }
}

fn unknown_variable<'a>(registry: &Registry, key: &'a str) -> Option<Unknown<'a>> {
    let code = "state_unknown_variable";
    let Some((name, variable)) = key.split_once("::") else {
        let message = format!("the state's template_vars name {key:?}; write SECTION::NAME");
        return Some((code, "", message));
    };
    let Some(section) = registry.section(name) else {
        let near = did_you_mean(name, sections(registry));
        let message = format!(
            "the state's template_vars name {key:?}, but {name:?} is no section here{near}"
        );
        return Some((code, name, message));
    };
    let declared = || section.template_vars().iter().map(String::as_str);
    if declared().any(|known| known == variable) {
        return None;
    }
    let near = did_you_mean(variable, declared());
    let message = format!(
        "the state fills {key:?}, but template_vars of {name:?} do not declare {variable:?}{near}"
    );
    Some((code, name, message))
}
