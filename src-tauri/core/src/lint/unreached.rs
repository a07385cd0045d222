//! Text that no assembly order prints, whatever is selected.

use std::collections::BTreeMap;

use promptdeck_python::text::strip;
use serde_json::Value;

use super::{
    DataKey, DiagnosticCode, DiagnosticData, Findings, Order, Pointer, Section, codes, item_data,
    misspelled_fields::{self, Fields, Spelling},
    reaches, title,
};
use crate::{
    hydrate::{Engine, State, is_slider_set},
    registry::Item,
    unprinted::{Insertion, Reach, is_printable},
};

/// Texts of one field of a section that nothing prints.
struct Unreached<'r> {
    /// The first item that has such a text.
    item: usize,
    /// How many items have one.
    count: usize,
    /// The field that the author probably misspelled.
    suggestion: Option<&'r str>,
}

pub(super) fn check(engine: &Engine, orders: &[Order<'_>], state: &State, findings: &mut Findings) {
    let registry = engine.registry();
    let reaches = reaches(registry, orders);
    let (Some(used), Some(order)) = (reaches.first(), orders.first()) else {
        return;
    };
    let mut spelling = Spelling::new(&reaches);
    misspelled_fields::check(registry, Fields::WithoutText, &mut spelling, findings);
    for section in registry.sections().values() {
        // A section that no token names is reported once, as `section_not_rendered`.
        if !reaches.iter().any(|reach| reach.names(section)) {
            continue;
        }
        let rolled = engine
            .settings(section.name(), state)
            .is_some_and(|settings| settings.rolled);
        let single = section.required() || rolled;
        let mut unreached: BTreeMap<&str, Unreached<'_>> = BTreeMap::new();
        for (index, item) in section.items().iter().enumerate() {
            let texts = item.fields().iter();
            let texts = texts.filter(|(field, value)| is_printable(field) && has_text(value));
            let fields = texts.map(|(field, _)| field.as_str());
            let fragments = has_fragments(item).then_some("fragments");
            for field in fields.chain(fragments) {
                let printed = |reach: &Reach<'_>| {
                    let holder = if field == "fragments" { "text" } else { field };
                    reach.prints(section, item, holder, single)
                        || reach.passes_over(section, item, field)
                };
                if !reaches.iter().any(printed) {
                    let known = unreached.entry(field);
                    known
                        .and_modify(|known| known.count += 1)
                        .or_insert(Unreached {
                            item: index,
                            count: 1,
                            suggestion: spelling.suggestion(section, item, field),
                        });
                }
            }
        }
        for (field, texts) in unreached {
            report(section, field, &texts, used, order, findings);
        }
        if is_slider_set(section, state) && !reaches.iter().any(|reach| reach.prints_scale(section))
        {
            report_slider(section, used, order, findings);
        }
    }
}

fn report(
    section: &Section,
    field: &str,
    texts: &Unreached<'_>,
    used: &Reach<'_>,
    order: &Order<'_>,
    findings: &mut Findings,
) {
    let Some(item) = section.items().get(texts.item) else {
        return;
    };
    let others = (texts.count > 1).then(|| texts.count - 1);
    let more = others.map_or_else(String::new, |more| format!(" and {more} more"));
    let subject = format!(
        "the field {field:?} of {}{more}",
        title(section, texts.item)
    );
    let pointer = Pointer::item(section, texts.item).key(field);
    add(
        codes::TEXT_NOT_IN_ASSEMBLY,
        &subject,
        (section, item, field),
        pointer,
        item_data(section, texts.item)
            .with_some(DataKey::Count, others)
            .with_some(DataKey::Suggestion, texts.suggestion),
        (used, order),
        findings,
    );
}

fn report_slider(section: &Section, used: &Reach<'_>, order: &Order<'_>, findings: &mut Findings) {
    let Some(item) = section.items().first() else {
        return;
    };
    let defaults = section.defaults();
    let keys = [
        ("slider", defaults.slider.is_some()),
        ("scale_template", defaults.scale_template.is_some()),
        ("slider_random", defaults.slider_random.is_some()),
    ];
    let pointer = Pointer::to(section.name());
    // A slider that is set in the state alone has no key in its section.
    let pointer = match keys.iter().find(|(_, is_written)| *is_written) {
        Some((key, _)) => pointer.key(key),
        None => pointer,
    };
    add(
        codes::SLIDER_NOT_IN_ASSEMBLY,
        &format!("the slider of {:?}", section.name()),
        (section, item, "scale"),
        pointer,
        DiagnosticData::none(),
        (used, order),
        findings,
    );
}

fn add(
    code: DiagnosticCode,
    subject: &str,
    (section, item, field): (&Section, &Item, &str),
    pointer: Pointer,
    data: DiagnosticData,
    (used, order): (&Reach<'_>, &Order<'_>),
    findings: &mut Findings,
) {
    let insertion = used.insertion(section, item, field);
    let way_out = match &insertion {
        Some(insertion) => format!("add the entry \"{}\"", insertion.token),
        None => "rename the section so that an entry can name it".to_owned(),
    };
    let rename_hint = data
        .text(DataKey::Suggestion)
        .map_or_else(String::new, |suggestion| {
            format!("rename it to {suggestion:?} if that was meant, ")
        });
    let message =
        format!("no assembly order prints {subject}; {rename_hint}{way_out}, or remove it");
    let data = data
        .with(DataKey::Section, section.name())
        .with(DataKey::Field, field)
        .and(insertion_data(insertion, order));
    findings.warning(code, &pointer, message, data);
}

/// The entry that would print a text, for programs.
pub(super) fn insertion_data(insertion: Option<Insertion>, order: &Order<'_>) -> DiagnosticData {
    insertion.map_or_else(DiagnosticData::none, |insertion| {
        DiagnosticData::of(DataKey::Insertion, insertion.token)
            .with(DataKey::Index, insertion.index)
            .with(DataKey::Order, order.pointer.0.clone())
    })
}

pub(super) fn has_text(value: &Value) -> bool {
    match value {
        Value::String(text) => !strip(text).is_empty(),
        Value::Array(entries) => entries
            .iter()
            .any(|entry| entry.as_str().is_some_and(|text| !strip(text).is_empty())),
        _ => false,
    }
}

fn has_fragments(item: &Item) -> bool {
    item.fragments()
        .any(|fragment| !strip(fragment.text).is_empty())
}
