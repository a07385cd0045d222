//! The JSON tree of an open registry, `{"registry", "state", "route", "seed"}`, and the typed parts
//! read from it. Edits change the tree alone; [`EditScope`] lists the parts they changed.

use std::sync::OnceLock;

use promptdeck_core::hydrate::{Seed, State};
use promptdeck_core::registry::{RESERVED_KEYS, WELL_KNOWN_SECTIONS};
use promptdeck_json::explain;
use promptdeck_request::document::DocumentKind;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::wire::{Edit, Step};

const PARTS: [&str; 6] = [
    "selections",
    "array_modes",
    "section_random",
    "sliders",
    "slider_random",
    "template_vars",
];

/// A part of the tree with the wrong type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part} of the session is not valid: {why}")]
pub struct BadPart {
    /// `state`, `route`, `seed` or `registry`.
    pub part: &'static str,
    /// What is wrong.
    pub why: String,
}

/// Builds a tree; its state has all six tables.
#[must_use]
pub fn build(
    registry: &Map<String, Value>,
    state: &State,
    route: Option<&str>,
    seed: Seed,
) -> Value {
    json!({
        "registry": registry,
        "state": whole_state(state),
        "route": route,
        "seed": seed.get(),
    })
}

/// A state as JSON with all six tables, empty ones included.
#[must_use]
pub fn whole_state(state: &State) -> Value {
    let mut value = serde_json::to_value(state).unwrap_or_default();
    if let Value::Object(map) = &mut value {
        for part in PARTS {
            map.entry(part).or_insert_with(|| json!({}));
        }
    }
    value
}

/// The registry object of a tree; empty if the tree has none, which [`check`] refuses.
#[must_use]
pub fn registry(tree: &Value) -> &Map<String, Value> {
    object_at(tree, &["registry"])
}

/// The object at the end of a path of keys; empty if there is none.
#[must_use]
pub fn object_at<'a>(tree: &'a Value, keys: &[&str]) -> &'a Map<String, Value> {
    static EMPTY: OnceLock<Map<String, Value>> = OnceLock::new();
    let found = keys.iter().try_fold(tree, |value, key| value.get(*key));
    found
        .and_then(Value::as_object)
        .unwrap_or_else(|| EMPTY.get_or_init(Map::new))
}

/// The state of a tree.
pub fn state(tree: &Value) -> Result<State, BadPart> {
    let part = tree.get("state").unwrap_or(&Value::Null);
    State::deserialize(part).map_err(|fault| BadPart {
        part: "state",
        why: explain(&DocumentKind::State.schema(), part, &fault).to_string(),
    })
}

/// The route of a tree.
pub fn route(tree: &Value) -> Result<Option<String>, BadPart> {
    match tree.get("route") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(route)) => Ok(Some(route.clone())),
        Some(_) => Err(BadPart {
            part: "route",
            why: "it is neither null nor text".into(),
        }),
    }
}

/// The seed of a tree.
pub fn seed(tree: &Value) -> Result<Seed, BadPart> {
    let part = tree.get("seed").unwrap_or(&Value::Null);
    Seed::deserialize(part).map_err(|fault| BadPart {
        part: "seed",
        why: explain(&json!({}), part, &fault).to_string(),
    })
}

/// Refuses a tree with other than the four keys, or a registry that is not an object.
pub fn check(tree: &Value) -> Result<(), BadPart> {
    let known = ["registry", "state", "route", "seed"];
    match tree {
        Value::Object(map)
            if map.keys().all(|key| known.contains(&key.as_str()))
                && map.get("registry").is_some_and(Value::is_object) =>
        {
            Ok(())
        }
        _ => Err(BadPart {
            part: "registry",
            why: "the tree holds registry, state, route, seed".into(),
        }),
    }
}

/// Whether edits change what a save writes. Well-known sections and reserved keys have a canonical
/// position in the file, whatever their order in the tree.
#[must_use]
pub fn changes_file(tree: &Value, edits: &[Edit]) -> bool {
    let placed = |key: &str| RESERVED_KEYS.contains(&key) || WELL_KNOWN_SECTIONS.contains(&key);
    edits.iter().any(|edit| match edit {
        Edit::ReorderKeys { path, keys } if *path == ["registry".into()] => {
            let before = registry(tree).keys().filter(|key| !placed(key));
            !before.eq(keys.iter().filter(|key| !placed(key)))
        }
        _ => EditScope::of(std::slice::from_ref(edit)).in_registry(),
    })
}

/// The parts of a tree that a group of edits changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
// Independent flags.
#[allow(clippy::struct_excessive_bools)]
pub struct EditScope {
    /// Sections whose content changed.
    pub sections: Vec<String>,
    /// The registry changed otherwise: sections were added, removed or moved, or a reserved key
    /// changed.
    pub registry: bool,
    /// The state changed.
    pub state: bool,
    /// The route or the seed changed.
    pub call: bool,
    /// A key at the root of the tree changed.
    pub top: bool,
}

impl EditScope {
    /// Finds the parts that these edits change.
    #[must_use]
    pub fn of(edits: &[Edit]) -> Self {
        let mut scope = Self::default();
        for edit in edits {
            scope.add(edit);
        }
        scope
    }

    /// Whether the registry changed in any way.
    #[must_use]
    pub fn in_registry(&self) -> bool {
        self.registry || self.top || !self.sections.is_empty()
    }

    fn add(&mut self, edit: &Edit) {
        let (path, below) = match edit {
            Edit::Set { path, .. }
            | Edit::Insert { path, .. }
            | Edit::Remove { path }
            | Edit::Splice { path, .. } => (path, 0),
            Edit::Move { path, .. }
            | Edit::RenameKey { path, .. }
            | Edit::ReorderKeys { path, .. } => (path, 1),
        };
        let key = |place: usize| match path.get(place) {
            Some(Step::Key(key)) => Some(key.as_str()),
            _ => None,
        };
        match key(0) {
            Some("state") => self.state = true,
            Some("route" | "seed") => self.call = true,
            Some("registry") => match key(1) {
                Some(name) if path.len() + below > 2 && !RESERVED_KEYS.contains(&name) => {
                    if !self.sections.iter().any(|known| known == name) {
                        self.sections.push(name.to_owned());
                    }
                }
                _ => self.registry = true,
            },
            _ => self.top = true,
        }
    }
}
