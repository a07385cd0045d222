//! One edit on the tree of a document session, and its path.
//!
//! The tree is `{"registry": …, "state": …, "route": …, "seed": …}`. [`crate::edit`] applies and
//! inverts edits.

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

/// A position in the tree, from its root.
pub type Path = Vec<Step>;

/// A change at one position. The inverse of an edit has the same or the opposite kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Sets the value at the path. A missing key is appended to its object, and missing objects on
    /// the way are created; an index must exist.
    Set {
        /// Path of the value.
        path: Path,
        /// The new value.
        value: Value,
    },
    /// Inserts a value at the path, which ends with an index (up to the length of the array) or
    /// with a missing key.
    Insert {
        /// Path of the value afterwards.
        path: Path,
        /// The value.
        value: Value,
        /// For a key: its position among the keys of its object; by default the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        position: Option<u32>,
    },
    /// Removes the value at the path.
    Remove {
        /// Path of the value.
        path: Path,
    },
    /// Moves an entry of the array at the path to the index `to`.
    Move {
        /// The array.
        path: Path,
        /// Index before.
        from: u32,
        /// Index after.
        to: u32,
    },
    /// Renames a key of the object at the path and preserves its position.
    RenameKey {
        /// The object.
        path: Path,
        /// The existing key.
        from: String,
        /// The new key, which must not exist.
        to: String,
    },
    /// Reorders the keys of the object at the path.
    ReorderKeys {
        /// The object.
        path: Path,
        /// All its keys in the new order.
        keys: Vec<String>,
    },
    /// Replaces a range of the text at the path, in UTF-16 units as on the page.
    Splice {
        /// The text.
        path: Path,
        /// Start of the range.
        at: u32,
        /// Length of the range.
        delete: u32,
        /// The replacement.
        insert: String,
    },
}
