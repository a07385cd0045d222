//! Nothing is lost without a word: each value of a file is in the document it becomes, or an entry of
//! the report says that it is left out or converted. What the report calls preserved is in the document.

use std::{collections::BTreeSet, fs};

use promptdeck_core::import::{
    ConversionStatus, Import, ReportEntry, SourceKind, dynamic_prompt::Wildcards, import_as,
};
use serde_json::Value;

use crate::formats::files;

/// Marks of a format and its numbering, which say nothing of a prompt.
const MARKS: [&str; 5] = ["spec", "spec_version", "type", "uid", "id"];

/// Lines of prompt files that say where a message begins, or that a model has messages.
const STRUCTURE: [&str; 3] = ["{{role ", "{{history}}", "api: chat"];

/// Numbers that a lorebook's entries have without being set.
const DEFAULTS: [(&str, u64); 3] = [("depth", 4), ("groupWeight", 100), ("probability", 100)];

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|next: char| !next.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Every text and number in a value, with its pointer.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                leaves(value, &format!("{pointer}/{key}"), found);
            }
        }
        Value::Array(entries) => {
            for (index, value) in entries.iter().enumerate() {
                leaves(value, &format!("{pointer}/{index}"), found);
            }
        }
        Value::String(text) => found.push((pointer.to_owned(), text.clone())),
        Value::Number(number) => found.push((pointer.to_owned(), number.to_string())),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The words of all texts, numbers and keys of a document.
fn words_of(document: &str) -> BTreeSet<String> {
    let value = serde_json::from_str(document).expect("JSON");
    let mut found = Vec::new();
    leaves(&value, "", &mut found);
    let texts = found.iter().flat_map(|(pointer, text)| [pointer, text]);
    texts.flat_map(|text| words(text)).collect()
}

/// Whether an entry says that the value at a pointer is not in the document as it was. One about a
/// list of entries names the fields that it is about.
fn covers(entry: &ReportEntry, pointer: &str, key: &str) -> bool {
    let below = format!("{}/", entry.pointer);
    let is_above = entry.pointer == pointer || pointer.starts_with(&below);
    entry.status != ConversionStatus::Unread
        && is_above
        && !entry.pointer.is_empty()
        && (!entry.pointer.ends_with("/entries") || entry.message.contains(key))
}

fn is_mark(pointer: &str, key: &str, text: &str) -> bool {
    let default = |(name, value): &(&str, u64)| key == *name && text == value.to_string();
    MARKS.contains(&key) || pointer.contains("/entries/") && DEFAULTS.iter().any(default)
}

/// The values of a JSON file that are neither in its document nor reported, and those that are
/// reported as preserved but are not there.
fn lost(source: &Value, import: &Import) -> Vec<String> {
    let document = words_of(&import.text);
    let is_imported = |text: &str| words(text).all(|word| document.contains(&word));
    let mut found = Vec::new();
    leaves(source, "", &mut found);
    let entries = &import.report.entries;
    let silent = found.iter().filter(|(pointer, text)| {
        let steps = pointer.rsplit('/');
        let mut names = steps.filter(|step| step.parse::<usize>().is_err());
        let key = names.next().unwrap_or_default();
        !is_imported(text)
            && !is_mark(pointer, key, text)
            && !entries.iter().any(|entry| covers(entry, pointer, key))
    });
    let mut lost: Vec<String> = silent
        .map(|(pointer, text)| format!("{pointer}: {text}"))
        .collect();
    for entry in entries {
        let value = source.pointer(&entry.pointer);
        if let Some(value) = value.filter(|_| entry.status == ConversionStatus::Unread) {
            let mut found = Vec::new();
            leaves(value, &entry.pointer, &mut found);
            let absent = found
                .iter()
                .filter(|(pointer, text)| !is_imported(text) && !pointer.contains("/entries/"));
            lost.extend(absent.map(|(pointer, _)| format!("{pointer} is called preserved")));
        }
    }
    lost
}

/// The lines of a text file of which a word is neither in the document nor on a line that the report
/// names.
fn lost_lines(text: &str, import: &Import) -> Vec<String> {
    let document = words_of(&import.text);
    let entries = import.report.entries.iter();
    let reported: BTreeSet<u32> = entries
        .filter(|entry| entry.status != ConversionStatus::Unread)
        .filter_map(|entry| Some(entry.place?.line))
        .collect();
    (1..)
        .zip(text.lines())
        .filter(|(number, line)| {
            // Of a setting, the value: its name may have become another.
            let value = line.trim().trim_start_matches("- ");
            let value = match value.split_once(": ") {
                Some((name, value)) if !name.contains(' ') => value,
                _ => value.trim_end_matches(':'),
            };
            let is_name = value.len() < line.trim().len() && line.trim().ends_with(':');
            !is_name
                && !value.starts_with('#')
                && !STRUCTURE.iter().any(|mark| line.trim().starts_with(mark))
                && !reported.contains(number)
                && !words(value).all(|word| document.contains(&word))
        })
        .map(|(number, line)| format!("line {number}: {line}"))
        .collect()
}

#[test]
fn each_value_of_a_file_is_in_its_document_or_in_the_report() {
    let mut kinds = BTreeSet::new();
    let mut all = Vec::new();
    for path in files("tests/import/fixtures", "") {
        let name = path.file_name().expect("a name").to_string_lossy();
        if name.ends_with(".expected") || name.ends_with(".png") {
            continue;
        }
        let bytes = fs::read(&path).expect("a fixture");
        let kind = SourceKind::detect(&name, &bytes);
        kinds.insert(kind.name());
        let import = import_as(kind, &name, &bytes, &Wildcards::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let lost = match serde_json::from_slice::<Value>(&bytes) {
            Ok(source) => lost(&source, &import),
            Err(_) => lost_lines(std::str::from_utf8(&bytes).expect("a text"), &import),
        };
        all.extend(lost.into_iter().map(|lost| format!("{name}: {lost}")));
    }
    assert!(all.is_empty(), "{all:#?}");
    let expected = [
        "card",
        "dotprompt",
        "jinja",
        "lorebook",
        "messages",
        "plain",
        "prompty",
        "wildcards",
    ];
    assert!(
        expected.iter().all(|kind| kinds.contains(kind)),
        "{kinds:?}"
    );
}
