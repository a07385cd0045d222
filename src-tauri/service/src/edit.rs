//! Applies edits to the tree of a session and returns their inverses.
//!
//! [`crate::wire::Edit`] defines the edits. This module does not check whether the tree is a valid
//! registry.

use promptdeck_json::push_step;
use serde_json::{Map, Value};

use crate::wire::{Edit, Path, Step};

/// Maximum depth of a tree; deeper ones could not be parsed again.
const DEEPEST: usize = 120;

/// An edit that does not fit its tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the edit at {place} does not fit: {why}; open the document again")]
pub struct BadEdit {
    /// JSON pointer into the tree.
    pub place: String,
    /// What does not fit.
    pub why: &'static str,
}

impl BadEdit {
    /// Stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "bad_edit"
    }
}

/// Formats a path as a JSON pointer.
#[must_use]
pub fn pointer(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Index(index) => push_step(&mut text, &index.to_string()),
            Step::Key(key) => push_step(&mut text, key),
        }
    }
    text
}

/// The value at a path.
#[must_use]
pub fn at<'a>(tree: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter()
        .try_fold(tree, |value, step| match (value, step) {
            (Value::Object(map), Step::Key(key)) => map.get(key),
            (Value::Array(list), Step::Index(index)) => list.get(*index as usize),
            _ => None,
        })
}

fn at_mut<'a>(tree: &'a mut Value, path: &[Step]) -> Option<&'a mut Value> {
    path.iter()
        .try_fold(tree, |value, step| match (value, step) {
            (Value::Object(map), Step::Key(key)) => map.get_mut(key),
            (Value::Array(list), Step::Index(index)) => list.get_mut(*index as usize),
            _ => None,
        })
}

fn bad(path: &[Step], reason: &'static str) -> BadEdit {
    BadEdit {
        place: pointer(path),
        why: reason,
    }
}

fn split(path: &[Step]) -> Result<(&[Step], &Step), BadEdit> {
    match path.split_last() {
        Some((end, parent)) => Ok((parent, end)),
        None => Err(bad(path, "the root itself is not edited")),
    }
}

fn list_at<'a>(tree: &'a mut Value, path: &[Step]) -> Result<&'a mut Vec<Value>, BadEdit> {
    match at_mut(tree, path) {
        Some(Value::Array(list)) => Ok(list),
        _ => Err(bad(path, "there is no list")),
    }
}

fn object_at<'a>(
    tree: &'a mut Value,
    path: &[Step],
) -> Result<&'a mut Map<String, Value>, BadEdit> {
    match at_mut(tree, path) {
        Some(Value::Object(map)) => Ok(map),
        _ => Err(bad(path, "there is no object")),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn check_depth(path: &[Step], value: &Value) -> Result<(), BadEdit> {
    if path.len() + depth(value) > DEEPEST {
        return Err(bad(path, "it is nested too deep"));
    }
    Ok(())
}

/// Applies an edit and returns its inverse.
///
/// # Errors
/// [`BadEdit`] if the edit does not fit; the tree is unchanged then.
pub fn apply(tree: &mut Value, edit: &Edit) -> Result<Edit, BadEdit> {
    match edit {
        Edit::Set { path, value } => set(tree, path, value),
        Edit::Insert {
            path,
            value,
            position,
        } => insert(tree, path, value, *position),
        Edit::Remove { path } => remove(tree, path),
        Edit::Move { path, from, to } => shift(tree, path, *from, *to),
        Edit::RenameKey { path, from, to } => rename_key(tree, path, from, to),
        Edit::ReorderKeys { path, keys } => reorder_keys(tree, path, keys),
        Edit::Splice {
            path,
            at,
            delete,
            insert,
        } => splice(tree, path, (*at, *delete), insert),
    }
}

/// Applies a group of edits in order and returns its inverse.
///
/// # Errors
/// [`BadEdit`] if any edit does not fit; the tree is unchanged then.
pub fn apply_all(tree: &mut Value, edits: &[Edit]) -> Result<Vec<Edit>, BadEdit> {
    let mut inverses = Vec::with_capacity(edits.len());
    for edit in edits {
        match apply(tree, edit) {
            Ok(inverse) => inverses.push(inverse),
            Err(fault) => {
                take_back(tree, &inverses);
                return Err(fault);
            }
        }
    }
    inverses.reverse();
    Ok(inverses)
}

/// Undoes the edits applied so far, newest first.
fn take_back(tree: &mut Value, inverses: &[Edit]) {
    for inverse in inverses.iter().rev() {
        let undone = apply(tree, inverse);
        debug_assert!(undone.is_ok(), "an inverse always fits: {undone:?}");
    }
}

fn set(tree: &mut Value, path: &Path, value: &Value) -> Result<Edit, BadEdit> {
    check_depth(path, value)?;
    split(path)?;
    if let Some(slot) = at_mut(tree, path) {
        let old = std::mem::replace(slot, value.clone());
        return Ok(Edit::Set {
            path: path.clone(),
            value: old,
        });
    }
    let existing_depth = (0..path.len())
        .rev()
        .find(|&length| at(tree, &path[..length]).is_some())
        .unwrap_or(0);
    let missing = &path[existing_depth..];
    if !missing.iter().all(|step| matches!(step, Step::Key(_))) {
        return Err(bad(path, "there is no such entry"));
    }
    let map = object_at(tree, &path[..existing_depth])
        .map_err(|_| bad(path, "the value there cannot have such a key"))?;
    let mut new_value = value.clone();
    for step in missing[1..].iter().rev() {
        if let Step::Key(key) = step {
            new_value = Value::Object(Map::from_iter([(key.clone(), new_value)]));
        }
    }
    if let Step::Key(key) = &missing[0] {
        map.insert(key.clone(), new_value);
    }
    Ok(Edit::Remove {
        path: path[..=existing_depth].to_vec(),
    })
}

fn insert(
    tree: &mut Value,
    path: &Path,
    value: &Value,
    position: Option<u32>,
) -> Result<Edit, BadEdit> {
    check_depth(path, value)?;
    let (parent, end) = split(path)?;
    match (at_mut(tree, parent), end) {
        (Some(Value::Array(list)), Step::Index(index)) => {
            if *index as usize > list.len() {
                return Err(bad(path, "the index is past the end"));
            }
            list.insert(*index as usize, value.clone());
        }
        (Some(Value::Object(map)), Step::Key(key)) => {
            if map.contains_key(key) {
                return Err(bad(path, "the key already exists"));
            }
            let position = position.map_or(map.len(), |position| position as usize);
            if position > map.len() {
                return Err(bad(path, "the position is past the end"));
            }
            map.shift_insert(position, key.clone(), value.clone());
        }
        _ => return Err(bad(path, "there is no such place")),
    }
    Ok(Edit::Remove { path: path.clone() })
}

fn remove(tree: &mut Value, path: &Path) -> Result<Edit, BadEdit> {
    let (parent, end) = split(path)?;
    let (value, position) = match (at_mut(tree, parent), end) {
        (Some(Value::Array(list)), Step::Index(index)) if (*index as usize) < list.len() => {
            (list.remove(*index as usize), None)
        }
        (Some(Value::Object(map)), Step::Key(key)) => {
            let position = map.keys().position(|known| known == key);
            match map.shift_remove(key) {
                Some(value) => (value, position.map(|position| position as u32)),
                None => return Err(bad(path, "there is nothing")),
            }
        }
        _ => return Err(bad(path, "there is nothing")),
    };
    Ok(Edit::Insert {
        path: path.clone(),
        value,
        position,
    })
}

fn shift(tree: &mut Value, path: &Path, from: u32, to: u32) -> Result<Edit, BadEdit> {
    let list = list_at(tree, path)?;
    if from as usize >= list.len() || to as usize >= list.len() {
        return Err(bad(path, "the index is past the end"));
    }
    let moved = list.remove(from as usize);
    list.insert(to as usize, moved);
    Ok(Edit::Move {
        path: path.clone(),
        from: to,
        to: from,
    })
}

fn rename_key(tree: &mut Value, path: &Path, from: &str, to: &str) -> Result<Edit, BadEdit> {
    let map = object_at(tree, path)?;
    if from != to && map.contains_key(to) {
        return Err(bad(path, "the new key already exists"));
    }
    let position = map.keys().position(|key| key == from);
    match (position, map.shift_remove(from)) {
        (Some(position), Some(value)) => map.shift_insert(position, to.to_owned(), value),
        _ => return Err(bad(path, "the key is not there")),
    };
    Ok(Edit::RenameKey {
        path: path.clone(),
        from: to.to_owned(),
        to: from.to_owned(),
    })
}

fn reorder_keys(tree: &mut Value, path: &Path, keys: &[String]) -> Result<Edit, BadEdit> {
    let map = object_at(tree, path)?;
    let mut distinct: Vec<&String> = keys.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() != map.len()
        || keys.len() != map.len()
        || !keys.iter().all(|key| map.contains_key(key))
    {
        return Err(bad(
            path,
            "the keys must be a permutation of the existing keys",
        ));
    }
    let old: Vec<String> = map.keys().cloned().collect();
    let mut before = std::mem::take(map);
    for key in keys {
        if let Some((key, value)) = before.remove_entry(key) {
            map.insert(key, value);
        }
    }
    Ok(Edit::ReorderKeys {
        path: path.clone(),
        keys: old,
    })
}

/// Converts a UTF-16 offset to a byte offset, if it is at a character boundary.
pub(crate) fn byte_offset(text: &str, units: usize) -> Option<usize> {
    let mut seen = 0;
    for (offset, character) in text.char_indices() {
        if seen == units {
            return Some(offset);
        }
        seen += character.len_utf16();
    }
    (seen == units).then_some(text.len())
}

fn splice(
    tree: &mut Value,
    path: &Path,
    (at, delete): (u32, u32),
    insert: &str,
) -> Result<Edit, BadEdit> {
    let Some(Value::String(text)) = at_mut(tree, path) else {
        return Err(bad(path, "there is no text"));
    };
    let start = byte_offset(text, at as usize);
    let end = start.and_then(|start| Some(start + byte_offset(&text[start..], delete as usize)?));
    let (Some(start), Some(end)) = (start, end) else {
        return Err(bad(path, "the text range does not exist"));
    };
    let removed = text[start..end].to_owned();
    text.replace_range(start..end, insert);
    Ok(Edit::Splice {
        path: path.clone(),
        at,
        delete: insert.encode_utf16().count() as u32,
        insert: removed,
    })
}
