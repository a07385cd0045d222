//! The entries of a state, and diagnostics about entries that a registry ignores or reads
//! differently: unknown names, each with the nearest known one, none or several items where one is
//! used, malformed modes, sliders at positions that they do not have.

use promptdeck_json::{
    nearest::{hint, nearest},
    push_step,
};
use serde_json::Value;

use super::{Mode, SCALE, Token, number, resolve_section, state_lint};
use crate::registry::{
    DataKey, Diagnostic, DiagnosticCode, DiagnosticData, Registry, Section, Severity, codes,
};

/// One thing a state sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateEntry<'a> {
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
    /// The selection of no item, or of several, in one section.
    Count {
        /// The section.
        section: &'a str,
        /// How many.
        count: usize,
    },
    /// A field that is given a mode.
    Field {
        /// The section.
        section: &'a str,
        /// The field.
        field: &'a str,
    },
    /// The mode that a field is given.
    Mode {
        /// The section.
        section: &'a str,
        /// The field.
        field: &'a str,
        /// The mode, as written.
        mode: &'a str,
    },
    /// A section whose slider is set or rolled.
    Slider {
        /// The part, `sliders` or `slider_random`.
        part: &'static str,
        /// The section.
        section: &'a str,
    },
    /// A position that a slider does not have: outside its scale, or between two whole numbers.
    Position {
        /// The section.
        section: &'a str,
        /// The bits of the position: entries are hashed, and a double is not.
        position: u64,
    },
    /// A template variable, by its full key `section::variable`.
    Variable {
        /// The key.
        key: &'a str,
    },
}

impl<'a> StateEntry<'a> {
    /// The entry of a selection of so many items, when it is not one.
    pub(super) fn count(section: &'a str, count: usize) -> Option<Self> {
        (count != 1).then_some(Self::Count { section, count })
    }

    /// The entry of a slider's position, when no slider has it.
    pub(super) fn position(section: &'a str, position: f64) -> Option<Self> {
        let is_odd = !SCALE.contains(&position) || position.fract() != 0.0;
        let position = is_odd.then_some(position.to_bits())?;
        Some(Self::Position { section, position })
    }

    /// JSON pointer to the entry within the state.
    #[must_use]
    pub fn pointer(&self) -> String {
        let steps: &[&str] = match self {
            Self::Section { part, section } | Self::Slider { part, section } => &[part, section],
            Self::Item { section, .. } | Self::Count { section, .. } => &["selections", section],
            Self::Field { section, field } | Self::Mode { section, field, .. } => {
                &["array_modes", section, field]
            }
            Self::Position { section, .. } => &["sliders", section],
            Self::Variable { key } => &["template_vars", key],
        };
        let mut pointer = String::new();
        for step in steps {
            push_step(&mut pointer, step);
        }
        pointer
    }
}

/// What is wrong with an entry of a state, if the registry does not take it as it is meant. The
/// diagnostic points to the section in the registry.
#[must_use]
pub fn entry_fault(registry: &Registry, entry: StateEntry<'_>) -> Option<Diagnostic> {
    let EntryFault {
        code,
        section,
        message,
        data,
    } = match entry {
        StateEntry::Section { part, section } => unknown_section(registry, part, section)?,
        StateEntry::Item { section, id } => unknown_item(registry.section(section)?, id)?,
        StateEntry::Count { section, count } => item_count(registry.section(section)?, count)?,
        StateEntry::Field { section, field } => unknown_field(registry.section(section)?, field)?,
        StateEntry::Mode {
            section,
            field,
            mode,
        } => mode_fault(
            registry.section(section).map(AsRef::as_ref),
            section,
            field,
            mode,
        )?,
        StateEntry::Slider { section, .. } => unknown_slider(registry, registry.section(section)?)?,
        StateEntry::Position { section, position } => {
            odd_position(registry.section(section)?, f64::from_bits(position))
        }
        StateEntry::Variable { key } => unknown_variable(registry, key)?,
    };
    let mut pointer = String::new();
    if registry.section(section).is_some() {
        push_step(&mut pointer, section);
    }
    Some(Diagnostic::new(
        code,
        Severity::Warning,
        message,
        pointer,
        data,
    ))
}

/// A fault, and the section that the diagnostic points to, if the registry has it.
struct EntryFault<'a> {
    code: DiagnosticCode,
    section: &'a str,
    message: String,
    data: DiagnosticData,
}

/// A selection of none or of several items in a section that takes one.
fn item_count(section: &Section, count: usize) -> Option<EntryFault<'_>> {
    let name = section.name();
    let (code, selects, used) = match count {
        0 => (codes::STATE_NO_ITEM, "none".to_owned(), "the first"),
        _ => (
            codes::STATE_SEVERAL_ITEMS,
            count.to_string(),
            "the first that exists",
        ),
    };
    section.required().then(|| EntryFault {
        code,
        section: name,
        message: format!(
            "{name:?} takes one item, and the state selects {selects}: {used} is used"
        ),
        data: DiagnosticData::of(DataKey::Section, name).with(DataKey::Count, count),
    })
}

/// A malformed mode, or one that rolls more entries than the longest list has.
fn mode_fault<'a>(
    known: Option<&Section>,
    section: &'a str,
    field: &str,
    mode: &str,
) -> Option<EntryFault<'a>> {
    let (parsed, fault) = Mode::parse(mode);
    // Made for a fault alone: a batch asks for each of its states.
    let subject = || format!("mode {mode:?} of {section}.{field}");
    let data = || {
        DiagnosticData::of(DataKey::Mode, mode)
            .with(DataKey::Section, section)
            .with(DataKey::Field, field)
    };
    if let Some(fault) = fault {
        return Some(EntryFault {
            code: codes::STATE_MODE,
            section,
            message: format!("{} {}", subject(), fault.consequence()),
            data: data(),
        });
    }
    let longest = longest_below(known?, field, &parsed)?;
    Some(EntryFault {
        code: codes::STATE_MODE_OUT_OF_RANGE,
        section,
        message: beyond_longest(&subject(), longest),
        data: data().with(DataKey::Count, longest),
    })
}

/// What is said of a mode, such as `mode "random:9" of lore.items`, for which [`longest_below`] found
/// something.
pub(crate) fn beyond_longest(subject: &str, longest: usize) -> String {
    format!(
        "{subject} rolls more entries than the longest list there has, which is {longest}: all are used"
    )
}

/// The length of the longest list in a field, if the mode rolls more entries than that.
pub(crate) fn longest_below(section: &Section, field: &str, mode: &Mode) -> Option<usize> {
    let Mode::Random(count) = mode else {
        return None;
    };
    let mut longest = None;
    for item in section.items() {
        let list = item.fields().get(field).and_then(Value::as_array);
        let length = list.map(Vec::len);
        if length.is_some_and(|length| length as u64 >= *count) {
            return None;
        }
        longest = longest.max(length);
    }
    longest
}

fn odd_position(section: &Section, position: f64) -> EntryFault<'_> {
    let name = section.name();
    let sets = format!("the state sets the slider of {name:?} to {position}");
    let (code, message) = if SCALE.contains(&position) {
        let printed = number::truncated(position);
        let message = format!("{sets}, which is no whole number: its sentence says {printed}");
        (codes::STATE_SLIDER_NOT_WHOLE, message)
    } else {
        let (start, end) = (SCALE.start(), SCALE.end());
        let message = format!("{sets}, outside its scale from {start} to {end}");
        (codes::STATE_SLIDER_OUT_OF_RANGE, message)
    };
    EntryFault {
        code,
        section: name,
        message,
        data: state_lint::slider_position(name, position),
    }
}

fn sections(registry: &Registry) -> impl Iterator<Item = &str> {
    registry.sections().keys().map(String::as_str)
}

fn unknown_section<'a>(registry: &Registry, part: &str, name: &'a str) -> Option<EntryFault<'a>> {
    if registry.section(name).is_some() {
        return None;
    }
    let suggestion = nearest(name, sections(registry));
    Some(EntryFault {
        code: codes::STATE_UNKNOWN_SECTION,
        section: name,
        message: format!(
            "the state's {part} name {name:?}, which is not a section here{}",
            hint(suggestion)
        ),
        data: DiagnosticData::of(DataKey::Section, name)
            .with(DataKey::Object, part)
            .with_some(DataKey::Suggestion, suggestion),
    })
}

fn unknown_item<'a>(section: &'a Section, id: &str) -> Option<EntryFault<'a>> {
    let identities = || section.items().iter().filter_map(|item| item.identity());
    if identities().any(|identity| identity == id) {
        return None;
    }
    let name = section.name();
    // An item with an id is not found by its name.
    let mut named = section.items().iter();
    let named = named.find(|item| item.fields().get("name").is_some_and(|name| name == id));
    let named = named.and_then(|item| item.identity());
    let suggestion = named.or_else(|| nearest(id, identities()));
    Some(EntryFault {
        code: codes::STATE_UNKNOWN_ITEM,
        section: name,
        message: format!(
            "{name:?} has no item {id:?}; the selection leaves it out{}",
            hint(suggestion)
        ),
        data: DiagnosticData::of(DataKey::Section, name)
            .with(DataKey::Item, id)
            .with_some(DataKey::Suggestion, suggestion),
    })
}

fn unknown_field<'a>(section: &'a Section, field: &str) -> Option<EntryFault<'a>> {
    let lists = || {
        let fields = section.items().iter().flat_map(|item| item.fields());
        fields
            .filter(|(_, value)| value.is_array())
            .map(|(field, _)| field.as_str())
    };
    if lists().any(|list| list == field) {
        return None;
    }
    let name = section.name();
    let suggestion = nearest(field, lists());
    Some(EntryFault {
        code: codes::STATE_UNKNOWN_FIELD,
        section: name,
        message: format!(
            "the state's array_modes set {name}.{field}, but no item of {name:?} has a list in \
             that field{}",
            hint(suggestion)
        ),
        data: DiagnosticData::of(DataKey::Section, name)
            .with(DataKey::Field, field)
            .with_some(DataKey::Suggestion, suggestion),
    })
}

/// Why a section has no slider that could show in a prompt of the registry.
#[must_use]
pub fn without_slider(registry: &Registry, section: &Section) -> Option<String> {
    let name = section.name();
    let routes = registry.routes().values();
    let mut orders = routes
        .filter_map(|route| route.assembly_order.as_deref())
        .chain([registry.assembly_order()]);
    let prints = |token: &String| {
        Token::parse(token).is_ok_and(|token| prints_slider(&token, name, registry))
    };
    if section.has_slider() || orders.any(|order| order.iter().any(prints)) {
        return None;
    }
    Some(format!(
        "it has no scale_template, and no entry prints \"{name}.scale\""
    ))
}

/// A slider that is set but can show in no prompt of the registry.
fn unknown_slider<'a>(registry: &Registry, section: &'a Section) -> Option<EntryFault<'a>> {
    let name = section.name();
    let reason = without_slider(registry, section)?;
    Some(EntryFault {
        code: codes::STATE_UNKNOWN_SLIDER,
        section: name,
        message: format!("the state sets the slider of {name:?}, which has none: {reason}"),
        data: DiagnosticData::of(DataKey::Section, name)
            .with(DataKey::Token, format!("{name}.scale")),
    })
}

/// Whether a token, or the one in its brackets, prints the slider of the section.
fn prints_slider(token: &Token, name: &str, registry: &Registry) -> bool {
    match token {
        Token::Dotted { section, field } => {
            let exists = |name: &str| registry.section(name).is_some();
            field == "scale" && resolve_section(section, exists) == Some(name)
        }
        Token::Bracket { inner, .. } => prints_slider(inner, name, registry),
        Token::Bare { .. } => false,
    }
}

fn unknown_variable<'a>(registry: &Registry, key: &'a str) -> Option<EntryFault<'a>> {
    let fault = |section, message, data: DiagnosticData| EntryFault {
        code: codes::STATE_UNKNOWN_VARIABLE,
        section,
        message,
        data: data.with(DataKey::Key, key),
    };
    let Some((name, variable)) = key.split_once("::") else {
        let message = format!("the state's template_vars name {key:?}; write SECTION::NAME");
        return Some(fault("", message, DiagnosticData::none()));
    };
    let data = DiagnosticData::of(DataKey::Section, name).with(DataKey::Name, variable);
    let Some(section) = registry.section(name) else {
        let suggestion = nearest(name, sections(registry));
        let message = format!(
            "the state's template_vars name {key:?}, but {name:?} is not a section here{}",
            hint(suggestion)
        );
        return Some(fault(
            name,
            message,
            data.with_some(DataKey::Suggestion, suggestion),
        ));
    };
    let declared = || section.template_vars().iter().map(String::as_str);
    if declared().any(|known| known == variable) {
        return None;
    }
    let suggestion = nearest(variable, declared());
    let message = format!(
        "the state fills {key:?}, but template_vars of {name:?} do not declare {variable:?}{}",
        hint(suggestion)
    );
    Some(fault(
        name,
        message,
        data.with_some(DataKey::Suggestion, suggestion),
    ))
}
