//! Template variables: undeclared, unclosed, unused, not set though expected, or with their own name as
//! value.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use promptdeck_json::nearest::{hint, nearest};
use serde_json::Value;

use super::{
    DataKey, Diagnostic, DiagnosticCode, DiagnosticData, Findings, Grouping, Pointer, Section,
    Severity, codes,
    gaps::{has_value, if_placeholder},
    item_data, title,
};
use crate::{
    hydrate::{
        JINJA, SCALE_NAMES, State, TemplateNames, jinja_ranges, printed_texts, variables_in,
    },
    registry::{Registry, is_substituted},
    unprinted::Reach,
};

const UNDECLARED: DiagnosticCode = codes::VARIABLE_UNDECLARED;
const NOT_CLOSED: DiagnosticCode = codes::VARIABLE_NOT_CLOSED;
const ERROR: Severity = Severity::Error;
const WARNING: Severity = Severity::Warning;

/// Words in double braces that other languages give a meaning: they are no names of variables.
const KEYWORDS: [(&str, &[&str]); 2] = [
    ("a keyword of Handlebars", &["else", "this"]),
    // Without those that are as likely names, such as `description`.
    (
        "a macro of SillyTavern",
        &[
            "charPrompt",
            "charJailbreak",
            "date",
            "idle_duration",
            "isodate",
            "isotime",
            "lastCharMessage",
            "lastMessage",
            "lastMessageId",
            "lastUserMessage",
            "maxPrompt",
            "mesExamples",
            "newline",
            "noop",
            "time",
            "trim",
            "weekday",
        ],
    ),
];

/// More words than this between braces are prose.
const MOST_WORDS: usize = 4;

/// What a word in double braces is in another language.
fn keyword(word: &str) -> Option<&'static str> {
    let known = KEYWORDS.iter().find(|(_, words)| words.contains(&word));
    known.map(|(meaning, _)| *meaning)
}

pub(super) fn check(
    section: &Section,
    state: &State,
    registry: &Registry,
    findings: &mut Findings,
) {
    let jinja = has_jinja(registry);
    let mut names = Undeclared::new(section, jinja);
    let mut used = used_variables(section, jinja);
    let mut not_closed = HashMap::new();
    for (index, item) in section.items().iter().enumerate() {
        let pointer = Pointer::item(section, index);
        for (field, value) in item.fields() {
            if is_substituted(field) {
                let pointer = || pointer.key(field);
                texts(value, &pointer, &mut |text, pointer| {
                    if findings.grouping == Grouping::ByPlace {
                        not_closed.clear();
                    }
                    names.check(text, index, pointer, findings);
                    for name in unclosed(text, jinja) {
                        let variable = &text[name];
                        // The variable was intended, so it is not also reported as unused.
                        used.extend(names.declared.get(variable));
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
        names.check_conditions(index, findings);
        used.extend(
            item.fragments()
                .filter_map(|fragment| names.declared.get(fragment.if_var?)),
        );
        coverage(section, index, state, findings);
    }
    scale_template(section, registry, findings);
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
        } else if let Some(found) = if_placeholder(section, position, state) {
            findings.add_found(found);
        }
    }
}

/// Finds the names that a section's texts and conditions use and its `template_vars` lack.
struct Undeclared<'r> {
    section: &'r Section,
    declared: BTreeSet<&'r str>,
    jinja: bool,
    /// The findings of names in texts, by the name with its braces.
    listed: HashMap<&'r str, usize>,
}

impl<'r> Undeclared<'r> {
    fn new(section: &'r Section, jinja: bool) -> Self {
        Self {
            section,
            declared: section.template_vars().iter().map(String::as_str).collect(),
            jinja,
            listed: HashMap::new(),
        }
    }

    /// Whether a text has such a name.
    fn is_in(&self, text: &str) -> bool {
        let mut names = placeholders(text, self.jinja);
        names.any(|name| !self.declared.contains(&text[name.range]))
    }

    /// Reports the names in a text of an item.
    fn check(
        &mut self,
        text: &'r str,
        index: usize,
        pointer: &dyn Fn() -> Pointer,
        findings: &mut Findings,
    ) {
        let section = self.section;
        if findings.grouping == Grouping::ByPlace {
            self.listed.clear();
        }
        for name in placeholders(text, self.jinja) {
            let variable = &text[name.range.clone()];
            if self.declared.contains(variable) {
                continue;
            }
            // Words between braces may be prose, doubled braces another template.
            let spaced = variable.contains(' ');
            let certain = !spaced && !name.beside_brace;
            let severity = if certain { ERROR } else { WARNING };
            let found = &text[name.braced()];
            if let Some(listed) = self.listed.get(found) {
                findings.repeat(*listed);
            } else if let Some(listed) = findings.next_index(UNDECLARED, severity) {
                self.listed.insert(found, listed);
                let joined = variable.replace(' ', "_");
                let keyword = keyword(variable).filter(|_| name.doubled);
                let suggestion = nearest(&joined, self.declared.iter().copied());
                let suggestion = suggestion.filter(|_| keyword.is_none());
                let rewritten = (spaced || name.doubled) && keyword.is_none();
                let way_out = if let Some(keyword) = keyword {
                    format!(", like any text: {variable} is {keyword}")
                } else if rewritten && suggestion.is_none() {
                    format!("; if it is a variable, write {{{joined}}}")
                } else {
                    hint(suggestion)
                };
                let suggestion = suggestion.or(rewritten.then_some(joined.as_str()));
                let message = format!(
                    "{found} in {} is not declared in template_vars of {:?}: it is printed as \
                     written{way_out}",
                    title(section, index),
                    section.name()
                );
                let data = item_data(section, index)
                    .with(DataKey::Name, variable)
                    .with(DataKey::Found, found)
                    .with_some(DataKey::Suggestion, suggestion)
                    .with_some(DataKey::Reason, keyword);
                let pointer = pointer().0;
                findings.list.push(Diagnostic::new(
                    UNDECLARED, severity, message, pointer, data,
                ));
            }
        }
    }

    /// Reports the conditions of an item's fragments.
    fn check_conditions(&self, index: usize, findings: &mut Findings) {
        let section = self.section;
        for (position, fragment) in section.items()[index].fragments().enumerate() {
            let Some(condition) = fragment.if_var else {
                continue;
            };
            if self.declared.contains(condition) {
                continue;
            }
            let suggestion = nearest(condition, self.declared.iter().copied());
            let message = format!(
                "fragment {} of {} has the condition {condition:?}, which template_vars of {:?} does not \
                 declare{}",
                position + 1,
                title(section, index),
                section.name(),
                hint(suggestion)
            );
            let pointer = Pointer::item(section, index)
                .key("fragments")
                .index(position);
            let data = item_data(section, index)
                .with(DataKey::Name, condition)
                .with(DataKey::Fragment, position)
                .with_some(DataKey::Suggestion, suggestion);
            findings.warning(codes::CONDITION_UNDECLARED, &pointer, message, data);
        }
    }
}

/// The undeclared names in the texts that some entry prints, and in conditions.
pub(super) fn undeclared(
    section: &Section,
    registry: &Registry,
    reaches: &[Reach<'_>],
    findings: &mut Findings,
) {
    let mut names = Undeclared::new(section, has_jinja(registry));
    for (index, item) in section.items().iter().enumerate() {
        let at = Pointer::item(section, index);
        for (field, value) in item.fields() {
            if !is_substituted(field) {
                continue;
            }
            let printed_field = if field == "fragments" { "text" } else { field };
            let prints = |reach: &Reach<'_>| {
                [true, false]
                    .into_iter()
                    .any(|single| reach.prints(section, item, printed_field, single))
            };
            let mut is_printed = None;
            texts(value, &|| at.key(field), &mut |text, pointer| {
                if names.is_in(text)
                    && *is_printed.get_or_insert_with(|| reaches.iter().any(prints))
                {
                    names.check(text, index, pointer, findings);
                }
            });
        }
        names.check_conditions(index, findings);
    }
}

/// The names in a slider's sentence that the engine does not fill in.
pub(super) fn scale_template(section: &Section, registry: &Registry, findings: &mut Findings) {
    let Some(template) = section.defaults().scale_template.as_deref() else {
        return;
    };
    let mut listed = BTreeSet::new();
    for name in placeholders(template, has_jinja(registry)) {
        let variable = &template[name.range.clone()];
        let found = &template[name.braced()];
        if SCALE_NAMES.contains(&variable) || !listed.insert(found) {
            continue;
        }
        let suggestion = nearest(variable, SCALE_NAMES);
        let [value, emotion] = SCALE_NAMES;
        let message = format!(
            "{found} in scale_template of {:?} is printed as written: only {{{value}}} and \
             {{{emotion}}} are filled in{}",
            section.name(),
            hint(suggestion)
        );
        let certain = !variable.contains(' ') && !name.beside_brace;
        let data = DiagnosticData::of(DataKey::Section, section.name())
            .with(DataKey::Name, variable)
            .with(DataKey::Found, found)
            .with(DataKey::Known, &SCALE_NAMES[..])
            .with_some(DataKey::Suggestion, suggestion);
        let pointer = Pointer::to(section.name()).key("scale_template");
        let severity = if certain { ERROR } else { WARNING };
        findings.add(codes::SCALE_NAME_UNKNOWN, severity, &pointer, message, data);
    }
}

/// Whether double braces are expressions of Jinja, which the engine leaves to it.
pub(super) fn has_jinja(registry: &Registry) -> bool {
    registry.template_engine() == Some(JINJA)
}

/// The declared variables that the engine fills in in some text of the section.
fn used_variables(section: &Section, jinja: bool) -> BTreeSet<&str> {
    let declared = section.template_vars();
    let names = TemplateNames::new(declared);
    let mut used = BTreeSet::new();
    let mut add = |text: &str| {
        let variables = variables_in(text, &names, jinja);
        used.extend(variables.iter().map(|number| &*declared[*number as usize]));
    };
    for item in section.items() {
        for (field, value) in item.fields() {
            if is_substituted(field) && field != "fragments" {
                printed_texts(value).for_each(|text| add(&text));
            }
        }
        item.fragments().for_each(|fragment| add(fragment.text));
    }
    used
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

/// The ranges of names in single braces that look like variables, without the braces.
pub(crate) fn braced(text: &str) -> impl Iterator<Item = Range<usize>> {
    let single = in_braces(text).filter(|name| !name.beside_brace);
    let names = single.map(|name| name.range);
    names.filter(move |name| is_name(&text[name.clone()]))
}

/// What looks like a variable in a text.
pub(super) struct Placeholder {
    /// The name, without braces.
    pub range: Range<usize>,
    /// Whether another brace stands before or behind its braces.
    pub beside_brace: bool,
    /// Whether its braces are doubled, as in `{{name}}`.
    pub doubled: bool,
}

impl Placeholder {
    /// The name with its braces.
    pub fn braced(&self) -> Range<usize> {
        let braces = 1 + usize::from(self.doubled);
        self.range.start - braces..self.range.end + braces
    }
}

/// Names in braces as in [`braced`], also beside other braces, and a few words, `{the visitor}`: prose
/// as often as a variable. In Jinja, what stands between its delimiters is left out.
pub(super) fn placeholders(text: &str, jinja: bool) -> impl Iterator<Item = Placeholder> {
    let taken = taken_by_jinja(text, jinja);
    let names = in_braces(text).filter(move |name| {
        let inside = &text[name.range.clone()];
        is_name(inside) || (!name.beside_brace && is_words(inside))
    });
    names.filter(move |name| !is_within(&taken, name.range.start))
}

/// The ranges of a text that belong to Jinja, in order.
fn taken_by_jinja(text: &str, jinja: bool) -> Vec<Range<usize>> {
    if jinja {
        jinja_ranges(text)
    } else {
        Vec::new()
    }
}

/// Whether one of the ranges, which are in order, has the position.
fn is_within(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.contains(&at))
}

/// Whether a text is a few words.
fn is_words(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(first, more)| {
        let in_word = |word: &str| !word.is_empty() && word.chars().all(in_name);
        is_name(first) && more.matches(' ').count() < MOST_WORDS - 1 && more.split(' ').all(in_word)
    })
}

/// The text between braces within a line.
fn in_braces(text: &str) -> impl Iterator<Item = Placeholder> {
    text.match_indices('{').filter_map(move |(open, _)| {
        let after = &text[open + 1..];
        let close = after.find(['}', '{', '\n'])?;
        let before = text[..open].ends_with('{');
        let behind = after[close + 1..].starts_with('}');
        after[close..].starts_with('}').then(|| Placeholder {
            range: open + 1..open + 1 + close,
            beside_brace: before || behind,
            doubled: before && behind,
        })
    })
}

/// Ranges of names after braces that the text does not close, without the braces.
///
/// Braces are paired from the inside: in `{name, see {place}`, the first is unclosed. A brace
/// followed by white space, a quote or another brace is literal, as in JSON, and so are doubled
/// braces and what belongs to Jinja.
pub(super) fn unclosed(text: &str, jinja: bool) -> impl Iterator<Item = Range<usize>> {
    let taken = taken_by_jinja(text, jinja);
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
        let single = !text[..open].ends_with('{') && !is_within(&taken, open);
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
