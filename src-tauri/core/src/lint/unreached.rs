//! Text that no assembly order prints, whatever is selected: it was written in vain.

use std::collections::BTreeMap;

use promptdeck_python::text::strip;
use serde_json::Value;

use super::{Diagnostic, Findings, Order, Pointer, Section, Severity, title};
use crate::{
    hydrate::{Engine, State},
    registry::Item,
    unprinted::{Reach, is_printable},
};

/// Texts of one field of a section that nothing prints.
struct Unreached {
    /// The first item that has such a text.
    item: usize,
    /// How many items have one.
    count: usize,
}

pub(super) fn check(engine: &Engine, orders: &[Order<'_>], state: &State, findings: &mut Findings) {
    let registry = engine.registry();
    let reaches: Vec<Reach<'_>> = orders
        .iter()
        .map(|order| Reach::new(registry, order.tokens))
        .collect();
    let (Some(used), Some(order)) = (reaches.first(), orders.first()) else {
        return;
    };
    for section in registry.sections().values() {
        // What is true of the section as a whole is said once (`section_not_rendered`).
        if !reaches.iter().any(|reach| reach.names(section)) {
            continue;
        }
        let rolled = engine
            .settings(section.name(), state)
            .is_some_and(|settings| settings.rolled);
        let single = section.required() || rolled;
        let mut unreached: BTreeMap<&str, Unreached> = BTreeMap::new();
        for (index, item) in section.items().iter().enumerate() {
            let texts = item.fields().iter();
            let texts = texts.filter(|(field, value)| is_printable(field) && has_text(value));
            let fields = texts.map(|(field, _)| field.as_str());
            let fragments = has_fragments(item).then_some("fragments");
            for field in fields.chain(fragments) {
                let printed = |reach: &Reach<'_>| {
                    let field = if field == "fragments" { "text" } else { field };
                    reach.prints(section, item, field, single)
                        || reach.passes_over(section, item, field)
                };
                if !reaches.iter().any(printed) {
                    let known = unreached.entry(field);
                    known
                        .and_modify(|known| known.count += 1)
                        .or_insert(Unreached {
                            item: index,
                            count: 1,
                        });
                }
            }
        }
        for (field, texts) in unreached {
            report(section, field, &texts, used, order, findings);
        }
        let authored = section.defaults().scale_template.is_some()
            || section.defaults().slider.is_some()
            || section.defaults().slider_random == Some(true);
        if authored && !reaches.iter().any(|reach| reach.prints_scale(section)) {
            report_slider(section, used, order, findings);
        }
    }
}

fn report(
    section: &Section,
    field: &str,
    texts: &Unreached,
    used: &Reach<'_>,
    order: &Order<'_>,
    findings: &mut Findings,
) {
    let Some(item) = section.items().get(texts.item) else {
        return;
    };
    let others = match texts.count - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let subject = format!(
        "the field {field:?} of {}{others}",
        title(section, texts.item)
    );
    let pointer = Pointer::item(section, texts.item).key(field);
    add(
        "text_not_in_assembly",
        &subject,
        (section, item, field),
        pointer,
        (used, order),
        findings,
    );
}

fn report_slider(section: &Section, used: &Reach<'_>, order: &Order<'_>, findings: &mut Findings) {
    let Some(item) = section.items().first() else {
        return;
    };
    let defaults = section.defaults();
    let key = if defaults.slider.is_some() {
        "slider"
    } else if defaults.scale_template.is_some() {
        "scale_template"
    } else {
        "slider_random"
    };
    add(
        "slider_not_in_assembly",
        &format!("the slider of {:?}", section.name()),
        (section, item, "scale"),
        Pointer::to(section.name()).key(key),
        (used, order),
        findings,
    );
}

fn add(
    code: &'static str,
    subject: &str,
    (section, item, field): (&Section, &Item, &str),
    pointer: Pointer,
    (used, order): (&Reach<'_>, &Order<'_>),
    findings: &mut Findings,
) {
    let insertion = used.insertion(section, item, field);
    let way_out = match &insertion {
        Some(insertion) => format!("add the entry \"{}\"", insertion.token),
        None => "rename the section so that an entry can name it".to_owned(),
    };
    let message = format!("no assembly order prints {subject}; {way_out}, or remove it");
    let mut found = Diagnostic::new(code, Severity::Warning, message, pointer.0);
    found.data.insert("section", section.name().to_owned());
    found.data.insert("field", field.to_owned());
    if let Some(insertion) = insertion {
        found.data.insert("token", insertion.token);
        found.data.insert("index", insertion.index.to_string());
        found.data.insert("order", order.pointer.0.clone());
    }
    findings.push(found);
}

fn has_text(value: &Value) -> bool {
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
