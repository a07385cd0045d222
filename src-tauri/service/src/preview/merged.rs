//! The lists that print below the list of another entry of the assembly order, under one heading.

use std::collections::BTreeMap;

use promptdeck_core::hydrate::{Hydration, Part, TokenOutcome};

use super::Preview;

/// By section and field: the entry whose list holds the entries of this one.
pub(crate) type Merged = BTreeMap<(String, String), String>;

/// Every list that the call merged into another.
pub(crate) fn of(hydration: &Hydration) -> Merged {
    let hosts: Vec<Option<&str>> = hydration
        .tokens
        .iter()
        .map(|report| match report.outcome {
            TokenOutcome::Merged { into } => {
                let host = hydration.tokens.get(into);
                host.map(|host| host.token.as_str())
            }
            _ => None,
        })
        .collect();
    let mut merged = Merged::new();
    // A keystroke in a prompt that merges nothing looks at no segment.
    if hosts.iter().all(Option::is_none) {
        return merged;
    }
    let sources = hydration.segments.iter();
    for source in sources.filter_map(|segment| segment.source.as_ref()) {
        let host = source.token.and_then(|token| *hosts.get(token)?);
        if let (Part::Entry, Some(host)) = (source.part, host) {
            let list = (source.section.to_string(), source.field.to_string());
            merged.entry(list).or_insert_with(|| host.to_owned());
        }
    }
    merged
}

impl Preview {
    /// The same with the lists that were merged into others.
    #[must_use]
    pub(crate) fn with_merged(mut self, mut merged: Merged) -> Self {
        if merged.is_empty() {
            return self;
        }
        for section in &mut self.sections {
            for array in &mut section.arrays {
                let list = (section.section.clone(), array.field.clone());
                array.merged_into = merged.remove(&list);
            }
        }
        self
    }
}
