//! Why a check cannot run: the value at fault, its position and the reason.

use promptdeck_core::registry::{Position, SourceMap};
use promptdeck_json::WrongValue;
use serde::Serialize;

/// Why a check cannot run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// JSON pointer to the value at fault, from the document.
    pub pointer: String,
    /// What is wrong and what would be right, in one line.
    pub message: String,
    /// The position in the file, when there is a file.
    #[serde(flatten)]
    pub place: Option<Position>,
}

impl Fault {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
            place: None,
        }
    }

    /// The same fault with its position; a missing value has that of its parent.
    pub(crate) fn located(mut self, places: &SourceMap) -> Self {
        self.place = place(places, &self.pointer);
        self
    }
}

impl From<WrongValue> for Fault {
    fn from(wrong: WrongValue) -> Self {
        Self::new(wrong.pointer, wrong.message)
    }
}

/// The position of a value, or of the nearest value around it that exists.
pub(crate) fn place(places: &SourceMap, pointer: &str) -> Option<Position> {
    let mut pointer = pointer;
    loop {
        if let Some(place) = places.find(pointer) {
            return Some(place);
        }
        pointer = pointer.rsplit_once('/')?.0;
    }
}
