//! One typed edit on the tree of a document session, and the path that names its place.
//!
//! The tree is `{"registry": …, "state": …, "route": …, "seed": …}`. How edits are applied and
//! inverted is in [`crate::edit`].

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// One step of a path: a key of an object or an index of an array.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum Step {
    /// An index of an array, from 0.
    Index(u32),
    /// A key of an object.
    Key(String),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<String> for Step {
    fn from(key: String) -> Self {
        Self::Key(key)
    }
}

impl From<u32> for Step {
    fn from(index: u32) -> Self {
        Self::Index(index)
    }
}

/// A place in the tree, from its root.
pub type Path = Vec<Step>;

/// A change at one place. Every edit has an inverse of the same kind or its opposite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Puts a value at the path. A key that is absent is appended to its object, and objects
    /// missing on the way there are made; an index must exist.
    Set {
        /// Where.
        path: Path,
        /// What is there afterwards.
        value: Value,
    },
    /// Puts a value before what is at the path: the path ends with an index (up to the length
    /// of the array) or with a key that is absent.
    Insert {
        /// Where the value is afterwards.
        path: Path,
        /// The value.
        value: Value,
        /// For a key: its position among the keys of its object; absent is the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        position: Option<u32>,
    },
    /// Takes away what is at the path.
    Remove {
        /// What goes.
        path: Path,
    },
    /// Moves an entry of the array at the path, so that it has the index `to` afterwards.
    Move {
        /// The array.
        path: Path,
        /// Index before.
        from: u32,
        /// Index after.
        to: u32,
    },
    /// Renames a key of the object at the path, keeping its position.
    RenameKey {
        /// The object.
        path: Path,
        /// The key that is there.
        from: String,
        /// The key that is not.
        to: String,
    },
    /// Puts the keys of the object at the path into another order.
    ReorderKeys {
        /// The object.
        path: Path,
        /// All its keys.
        keys: Vec<String>,
    },
    /// Replaces a stretch of the text at the path, measured in UTF-16 units as the page does.
    Splice {
        /// The text.
        path: Path,
        /// Where the stretch begins.
        at: u32,
        /// How long it is.
        delete: u32,
        /// What stands there instead.
        insert: String,
    },
}
