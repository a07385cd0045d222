//! Conflicts between a changed file and unsaved edits: the differences and their resolution.

use promptdeck_core::registry::RESERVED_KEYS;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

use crate::diff::tree::alike;
use crate::file_version::{FileVersion, Found};
use crate::wire::{Choice, Conflict, ConflictRow, DiskState, Failure};

/// The other version, stored until the author resolves the conflict.
#[derive(Debug, Clone)]
pub struct Pending {
    /// Content of the file; `None` if it is missing or unreadable.
    pub disk: Option<FileVersion>,
    /// What was found in its place.
    pub found: Found,
    /// Why it cannot be read.
    pub problem: Option<Failure>,
    /// Time of detection, in milliseconds since 1970.
    pub seen_at: u64,
}

fn names(items: &Value) -> Vec<String> {
    let list = items.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .enumerate()
        .map(|(index, item)| {
            let named = |key| item.get(key).and_then(Value::as_str).map(str::to_owned);
            named("id")
                .or_else(|| named("name"))
                .unwrap_or_else(|| format!("#{}", index + 1))
        })
        .collect()
}

/// Wording for an entry that both versions have with different values: singular and plural.
struct Unlike {
    one: &'static str,
    several: &'static str,
}

/// The word where the common ancestor says which version was edited.
const EDITED: Unlike = Unlike {
    one: "edited",
    several: "edited",
};

/// The wording if it is unknown which version was edited.
const DIFFERS: Unlike = Unlike {
    one: "differs",
    several: "differ",
};

fn some(names: &[String], one: &str, several: &str) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("item {name} {one}")),
        [name, other] => Some(format!("items {name} and {other} {several}")),
        many => Some(format!("{} items {several}", many.len())),
    }
}

/// Summarizes the changes to the items of a section.
fn items_changed(before: &Value, after: &Value, unlike: &Unlike) -> Vec<String> {
    let (old, new) = (names(before), names(after));
    let added: Vec<_> = new
        .iter()
        .filter(|name| !old.contains(name))
        .cloned()
        .collect();
    let removed: Vec<_> = old
        .iter()
        .filter(|name| !new.contains(name))
        .cloned()
        .collect();
    let edited: Vec<_> = new
        .iter()
        .enumerate()
        .filter(|(index, name)| {
            let place = old.iter().position(|known| known == *name);
            place.is_some_and(|place| !alike(&before[place], &after[*index]))
        })
        .map(|(_, name)| name.clone())
        .collect();
    let parts = [
        some(&added, "added", "added"),
        some(&removed, "removed", "removed"),
        some(&edited, unlike.one, unlike.several),
    ];
    parts.into_iter().flatten().collect()
}

/// Summarizes the change of one key of the registry.
fn what_changed(before: Option<&Value>, after: Option<&Value>, unlike: &Unlike) -> String {
    match (before, after) {
        (None, None) => "absent".into(),
        (None, Some(_)) => "added".into(),
        (Some(_), None) => "removed".into(),
        (Some(before), Some(after)) if alike(before, after) => "unchanged".into(),
        (Some(Value::Object(before)), Some(Value::Object(after))) => {
            let mut parts = Vec::new();
            for key in after
                .keys()
                .chain(before.keys().filter(|key| !after.contains_key(*key)))
            {
                match (before.get(key), after.get(key)) {
                    (Some(old), Some(new)) if alike(old, new) => {}
                    (Some(old), Some(new)) if key == "items" => {
                        parts.extend(items_changed(old, new, unlike));
                    }
                    (None, _) => parts.push(format!("{key} added")),
                    (_, None) => parts.push(format!("{key} removed")),
                    _ => parts.push(format!("{key} {}", unlike.one)),
                }
            }
            match parts.as_slice() {
                [] => "reordered".into(),
                [one] => one.clone(),
                [one, two] => format!("{one}, {two}"),
                [one, two, more @ ..] => format!("{one}, {two} and {} more", more.len()),
            }
        }
        _ => unlike.one.into(),
    }
}

/// Describes a conflict for the page. `base` is the common ancestor, if known.
#[must_use]
pub fn describe(
    pending: &Pending,
    base: Option<&Map<String, Value>>,
    mine: &Map<String, Value>,
) -> Conflict {
    let mut rows = Vec::new();
    let mut equal = 0;
    if let Some(disk) = &pending.disk {
        let others = disk.content.keys().filter(|key| !mine.contains_key(*key));
        for key in mine.keys().chain(others) {
            let section = !RESERVED_KEYS.contains(&key.as_str());
            let (my_value, disk_value) = (mine.get(key), disk.content.get(key));
            if let (Some(my_value), Some(disk_value)) = (my_value, disk_value)
                && alike(my_value, disk_value)
            {
                equal += u32::from(section);
                continue;
            }
            let before = base.map(|base| base.get(key));
            // Without a common ancestor each version is described by what the other one lacks, and nobody
            // knows which of them was edited.
            let describe = |value: Option<&Value>, other: Option<&Value>| match before {
                Some(before) => what_changed(before, value, &EDITED),
                None if value.is_some() && other.is_some() => what_changed(other, value, &DIFFERS),
                None if value.is_some() => "kept".to_owned(),
                None => "absent".to_owned(),
            };
            let changed = |after| {
                before.is_none_or(|before| what_changed(before, after, &EDITED) != "unchanged")
            };
            let (mine_changed, disk_changed) = (changed(my_value), changed(disk_value));
            rows.push(ConflictRow {
                key: key.clone(),
                section,
                mine: describe(my_value, disk_value),
                disk: describe(disk_value, my_value),
                proposal: if disk_changed && !mine_changed {
                    Choice::Disk
                } else {
                    Choice::Mine
                },
                both: mine_changed && disk_changed,
            });
        }
    }
    Conflict {
        seen_at: pending.seen_at,
        disk: match (&pending.disk, pending.found) {
            (Some(_), _) => DiskState::Changed,
            (None, Found::Nothing) => DiskState::Deleted,
            (None, Found::Bytes(_)) => DiskState::Damaged,
            (None, Found::Unreadable(_)) => DiskState::Unreadable,
        },
        problem: pending.problem.clone(),
        rows,
        equal,
    }
}

/// Merges the two versions: mine, with the keys from disk where the author chose them. A key
/// without a choice follows the proposal.
#[must_use]
pub fn merged(
    conflict: &Conflict,
    mine: &Map<String, Value>,
    disk: &Map<String, Value>,
    choices: &BTreeMap<String, Choice>,
) -> Map<String, Value> {
    let mut merged = mine.clone();
    for row in &conflict.rows {
        if choices.get(&row.key).copied().unwrap_or(row.proposal) == Choice::Mine {
            continue;
        }
        match disk.get(&row.key) {
            Some(value) => {
                merged.insert(row.key.clone(), value.clone());
            }
            None => {
                merged.shift_remove(&row.key);
            }
        }
    }
    // If every key comes from disk, the result is the file itself, including its key order.
    if merged.len() == disk.len()
        && disk.iter().all(|(key, value)| {
            merged
                .get(key)
                .is_some_and(|merged_value| alike(merged_value, value))
        })
    {
        return disk.clone();
    }
    merged
}

#[cfg(test)]
mod tests {
    use promptdeck_store::Hash;
    use serde_json::json;

    use super::*;

    fn content(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn names_of_the_author_are_kept_in_the_words_on_a_conflict() {
        let words = |base: Option<Value>, mine: Value, disk: Value| {
            let pending = Pending {
                disk: Some(FileVersion {
                    hash: Hash::of(b""),
                    content: content(&disk),
                    wrapper: None,
                    source_map: None,
                }),
                found: Found::Nothing,
                problem: None,
                seen_at: 0,
            };
            let base = base.as_ref().map(content);
            let conflict = describe(&pending, base.as_ref(), &content(&mine));
            conflict.rows[0].mine.clone()
        };
        let scenes = |names: &[&str], text: &str| {
            let items = names.iter().map(|name| json!({"id": name, "text": text}));
            json!({"scene": {"items": items.collect::<Vec<_>>()}})
        };
        let unknown = |names: &[&str]| words(None, scenes(names, "mine"), scenes(names, "disk"));
        assert_eq!(unknown(&["edited_scene"]), "item edited_scene differs");
        assert_eq!(unknown(&["a", "b"]), "items a and b differ");
        assert_eq!(unknown(&["a", "b", "c"]), "3 items differ");
        let known = |name: &str| {
            let base = Some(scenes(&[name], "base"));
            words(base, scenes(&[name], "mine"), scenes(&[name], "disk"))
        };
        assert_eq!(known("edited_scene"), "item edited_scene edited");
        let section = |key: &str| json!({"scene": {key: 1}});
        assert_eq!(
            words(None, section("edited"), json!({"scene": {"edited": 2}})),
            "edited differs"
        );
        assert_eq!(words(None, section("a"), json!({})), "kept");
        assert_eq!(
            words(None, json!({"scene": 1}), json!({"scene": 2})),
            "differs"
        );
    }
}
