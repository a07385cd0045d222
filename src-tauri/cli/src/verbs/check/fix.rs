//! `check --fix`: adds the entries that print what no assembly order prints.
//!
//! A field that is probably misspelled gets no entry: printing it would hide the mistake.

use std::path::Path;

use promptdeck_core::{
    plural::plural,
    registry::{DataKey, Diagnostic, Document, canonical, codes},
};
use promptdeck_service::{files::Expected, store::Hash};
use serde_json::Value;

use crate::{failure::Failure, input, output, output_file};

/// An entry to add: the pointer of its order, its position there, its text.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Insertion {
    order: String,
    index: usize,
    token: String,
}

/// Adds the entries that the findings name to `document`, each once, and writes it in canonical form
/// over the `bytes` it was read from. Returns whether it wrote anything.
///
/// # Errors
///
/// [`Failure`] if the file changed since it was read or can't be written.
pub fn fix(
    path: &Path,
    bytes: &[u8],
    mut document: Document,
    findings: &[Diagnostic],
) -> Result<bool, Failure> {
    let added = insert(&mut document, findings);
    if added.is_empty() {
        return Ok(false);
    }
    let text = canonical::format(&document);
    output_file::replace(path, &text, Expected::Content(Hash::of(bytes)))?;
    output::message(&format!(
        "{}: added {}: {}",
        input::name_of(path),
        plural(added.len(), "entry"),
        added.join(", ")
    ));
    Ok(true)
}

/// Whether [`fix`] would add an entry to this registry.
pub fn adds(mut document: Document, findings: &[Diagnostic]) -> bool {
    !insert(&mut document, findings).is_empty()
}

fn insert(document: &mut Document, findings: &[Diagnostic]) -> Vec<String> {
    let mut insertions: Vec<Insertion> = findings.iter().filter_map(insertion).collect();
    // From the end of each order, so that no insertion moves the place of the next one; of two at
    // one place the first found stays before the second.
    insertions.reverse();
    insertions.sort_by_key(|insertion| std::cmp::Reverse(insertion.index));
    let mut registry = Value::Object(std::mem::take(&mut document.registry));
    let mut added = Vec::new();
    for insertion in insertions {
        let Some(Value::Array(order)) = registry.pointer_mut(&insertion.order) else {
            continue;
        };
        let token = Value::String(insertion.token.clone());
        if !order.contains(&token) {
            order.insert(insertion.index.min(order.len()), token);
            added.push(insertion.token);
        }
    }
    if let Value::Object(registry) = registry {
        document.registry = registry;
    }
    added.reverse();
    added
}

/// The entry that a finding names, unless its field is probably misspelled, or a whole section is left
/// out, which may be meant.
fn insertion(found: &Diagnostic) -> Option<Insertion> {
    if found.data.text(DataKey::Suggestion).is_some() || found.code == codes::SECTION_NOT_RENDERED {
        return None;
    }
    Some(Insertion {
        order: found.data.text(DataKey::Order)?.to_owned(),
        index: found.data.number(DataKey::Index)?,
        token: found.data.text(DataKey::Insertion)?.to_owned(),
    })
}
