//! Edits that transform one registry object into another, by whole top-level keys.
//!
//! For changes that were not made as edits: another version on disk, a snapshot.

use serde_json::{Map, Value};

use crate::wire::{Edit, Step};

/// Whether two values are equal, including the order of keys.
#[must_use]
pub fn alike(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => alike_maps(left, right),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| alike(left, right))
        }
        _ => left == right,
    }
}

/// Whether two objects are equal, including the order of keys.
#[must_use]
pub fn alike_maps(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|((left_key, left), (right_key, right))| {
                left_key == right_key && alike(left, right)
            })
}

/// The keys whose values differ, of both objects; their order is not compared.
#[must_use]
pub fn differing_keys(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<String> {
    let key = |edit: Edit| match edit {
        Edit::Set { path, .. } | Edit::Remove { path } => match path.last() {
            Some(Step::Key(key)) => Some(key.clone()),
            _ => None,
        },
        _ => None,
    };
    let edits = edits_below(&[], old, new);
    edits.into_iter().filter_map(key).collect()
}

/// The edits on `registry` in a session's tree that transform `old` into `new`.
#[must_use]
pub fn edits(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<Edit> {
    edits_below(&["registry".into()], old, new)
}

/// The edits on the object at a path that transform `old` into `new`.
#[must_use]
pub fn edits_below(at: &[Step], old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<Edit> {
    let path = |key: &str| [at, &[key.into()]].concat();
    let mut edits = Vec::new();
    let mut order: Vec<&String> = Vec::new();
    for key in old.keys() {
        if new.contains_key(key) {
            order.push(key);
        } else {
            edits.push(Edit::Remove { path: path(key) });
        }
    }
    for (key, value) in new {
        match old.get(key) {
            Some(known) if alike(known, value) => {}
            Some(_) => edits.push(Edit::Set {
                path: path(key),
                value: value.clone(),
            }),
            None => {
                order.push(key);
                edits.push(Edit::Set {
                    path: path(key),
                    value: value.clone(),
                });
            }
        }
    }
    if !order.iter().copied().eq(new.keys()) {
        edits.push(Edit::ReorderKeys {
            path: at.to_vec(),
            keys: new.keys().cloned().collect(),
        });
    }
    edits
}
