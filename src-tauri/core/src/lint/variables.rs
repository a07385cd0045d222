//! Template variables: undeclared, unclosed, unused, or expected but not set.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use promptdeck_json::nearest::{hint, nearest};
use serde_json::Value;

use super::{
    DataKey, Diagnostic, DiagnosticCode, DiagnosticData, Findings, Grouping, Pointer, Section,
    Severity, codes, gaps::has_value, item_data, title,
};
use crate::{hydrate::State, registry::is_substituted};

const UNDECLARED: DiagnosticCode = codes::VARIABLE_UNDECLARED;
const NOT_CLOSED: DiagnosticCode = codes::VARIABLE_NOT_CLOSED;
const ERROR: Severity = Severity::Error;
const WARNING: Severity = Severity::Warning;

/// More words than this between braces are prose.
const MOST_WORDS: usize = 4;

pub(super) fn check(section: &Section, state: &State, findings: &mut Findings) {
    let declared: BTreeSet<&str> = section.template_vars().iter().map(String::as_str).collect();
    let mut used = BTreeSet::new();
    let mut undeclared = HashMap::new();
    let mut not_closed = HashMap::new();
    for (index, item) in section.items().iter().enumerate() {
        let pointer = Pointer::item(section, index);
        for (field, value) in item.fields() {
            if is_substituted(field) {
                let pointer = || pointer.key(field);
                texts(value, &pointer, &mut |text, pointer| {
                    if findings.grouping == Grouping::ByPlace {
                        undeclared.clear();
                        not_closed.clear();
                    }
                    for name in placeholders(text) {
                        let variable = &text[name];
                        // Words between braces may be prose.
                        let spaced = variable.contains(' ');
                        let severity = if spaced { WARNING } else { ERROR };
                        if declared.contains(variable) {
                            used.insert(variable);
                        } else if let Some(listed) = undeclared.get(variable) {
                            findings.repeat(*listed);
                        } else if let Some(listed) = findings.next_index(UNDECLARED, severity) {
                            undeclared.insert(variable, listed);
                            let joined = variable.replace(' ', "_");
                            let near = nearest(&joined, declared.iter().copied());
                            let way_out = if spaced && near.is_none() {
                                format!("; if it is a variable, write {{{joined}}}")
                            } else {
                                hint(near)
                            };
                            let near = near.or(spaced.then_some(joined.as_str()));
                            let message = format!(
                                "{{{variable}}} in {} is not declared in template_vars of {:?}: \
                                 it is printed as written{way_out}",
                                title(section, index),
                                section.name()
                            );
                            let pointer = pointer().0;
                            let data = item_data(section, index)
                                .with(DataKey::Name, variable)
                                .with_some(DataKey::Suggestion, near);
                            findings.list.push(Diagnostic::new(
                                UNDECLARED, severity, message, pointer, data,
                            ));
                        }
                    }
                    for name in unclosed(text) {
                        let variable = &text[name];
                        // The variable was intended, so it is not also reported as unused.
                        used.extend(declared.get(variable));
                        if let Some(listed) = not_closed.get(variable) {
                            findings.repeat(*listed);
                        } else if let Some(listed) = findings.next_index(NOT_CLOSED, WARNING) {
                            not_closed.insert(variable, listed);
                            let message = format!(
                                "{{{variable} in {} is not closed: it is printed as written; write \
                                 {{{variable}}}",
                                title(section, index)
                            );
                            let pointer = pointer().0;
                            let data = item_data(section, index).with(DataKey::Name, variable);
                            findings
                                .list
                                .push(Diagnostic::new(NOT_CLOSED, WARNING, message, pointer, data));
                        }
                    }
                });
            }
        }
        for (position, fragment) in item.fragments().enumerate() {
            let Some(condition) = fragment.if_var else {
                continue;
            };
            if declared.contains(condition) {
                used.insert(condition);
            } else {
                let message = format!(
                    "fragment {position} of {} has the condition {condition:?}, which template_vars of \
                     {:?} does not declare",
                    title(section, index),
                    section.name()
                );
                let pointer = pointer.key("fragments").index(position);
                let data = item_data(section, index)
                    .with(DataKey::Name, condition)
                    .with(DataKey::Fragment, position);
                findings.warning(codes::CONDITION_UNDECLARED, &pointer, message, data);
            }
        }
        coverage(section, index, state, findings);
    }
    for (position, variable) in section.template_vars().iter().enumerate() {
        if !used.contains(variable.as_str()) {
            let message = format!(
                "template variable {variable:?} of {:?} is declared but no text uses it",
                section.name()
            );
            let pointer = Pointer::to(section.name())
                .key("template_vars")
                .index(position);
            let data = DiagnosticData::of(DataKey::Name, variable.as_str())
                .with(DataKey::Section, section.name());
            findings.warning(codes::VARIABLE_UNUSED, &pointer, message, data);
        }
    }
}

/// Checks the runtime variables that neither the call nor a default sets.
fn coverage(section: &Section, index: usize, state: &State, findings: &mut Findings) {
    let item = &section.items()[index];
    for (position, variable) in item.runtime_variables().enumerate() {
        if !has_value(section, variable, state) {
            let message = format!(
                "{} expects {variable:?}, which has neither a value in the call nor a default",
                title(section, index)
            );
            let pointer = Pointer::item(section, index)
                .key("runtime_variables")
                .index(position);
            let data = item_data(section, index).with(DataKey::Name, variable);
            findings.note(codes::RUNTIME_VARIABLE_UNFILLED, &pointer, message, data);
        }
    }
}

/// Every text in a value with its path, which is built only on demand.
pub(super) fn texts<'v>(
    value: &'v Value,
    pointer: &dyn Fn() -> Pointer,
    visit: &mut dyn FnMut(&'v str, &dyn Fn() -> Pointer),
) {
    match value {
        Value::String(text) => visit(text, pointer),
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                texts(entry, &|| pointer().index(index), visit);
            }
        }
        Value::Object(members) => {
            // Of the objects in known fields, only fragments are printed, through their `text`.
            if let Some(text) = members.get("text") {
                texts(text, &|| pointer().key("text"), visit);
            }
        }
        _ => {}
    }
}

/// Where names stand in single braces that look like variables; the braces are left out.
pub(crate) fn braced(text: &str) -> impl Iterator<Item = Range<usize>> {
    in_braces(text, is_name)
}

/// Like [`braced`], and a few words, `{the visitor}`: prose as often as a variable.
pub(super) fn placeholders(text: &str) -> impl Iterator<Item = Range<usize>> {
    in_braces(text, |inside| match inside.split_once(' ') {
        None => is_name(inside),
        Some((first, more)) => {
            let in_word = |word: &str| !word.is_empty() && word.chars().all(in_name);
            is_name(first)
                && more.matches(' ').count() < MOST_WORDS - 1
                && more.split(' ').all(in_word)
        }
    })
}

/// What stands in single braces within a line and is accepted; the braces are left out.
fn in_braces(text: &str, accepts: impl Fn(&str) -> bool) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('{').filter_map(move |(open, _)| {
        let after = &text[open + 1..];
        let close = after.find(['}', '{', '\n'])?;
        let doubled = text[..open].ends_with('{') || after[close + 1..].starts_with('}');
        let closed = after[close..].starts_with('}') && !doubled;
        (closed && accepts(&after[..close])).then(|| open + 1..open + 1 + close)
    })
}

/// Ranges of names after braces that the text does not close, without the braces.
///
/// Braces are paired from the inside: in `{name, see {place}`, the first is unclosed. A brace
/// followed by white space, a quote or another brace is literal, as in JSON, and so are doubled
/// braces.
pub(super) fn unclosed(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut open = Vec::new();
    for (at, brace) in text.match_indices(['{', '}']) {
        if brace == "{" {
            open.push(at);
        } else {
            open.pop();
        }
    }
    open.into_iter().filter_map(move |open| {
        let after = &text[open + 1..];
        let end = after.find(|next| !in_name(next)).unwrap_or(after.len());
        let single = !text[..open].ends_with('{');
        (single && is_name(&after[..end])).then(|| open + 1..open + 1 + end)
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text.chars().all(in_name)
}

fn in_name(next: char) -> bool {
    next == '_' || next == '-' || next.is_alphanumeric()
}
