//! What is wrong in a file of checks: the value at fault, its position and the reason.

use promptdeck_core::registry::{Position, SourceMap};
use promptdeck_json::WrongValue;
use serde::Serialize;

/// Why a check cannot run, or what is probably a mistake.
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

/// The faults of one check while it is read.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub fn add(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    /// The value, or `None` once its fault is noted.
    pub fn note<T>(&mut self, read: Result<T, Fault>) -> Option<T> {
        read.map_err(|fault| self.add(fault)).ok()
    }

    /// All that were noted.
    pub fn into_list(self) -> Vec<Fault> {
        self.0
    }
}

impl From<WrongValue> for Fault {
    fn from(wrong: WrongValue) -> Self {
        Self::new(wrong.pointer, wrong.message)
    }
}

/// Faults with their positions.
pub(crate) fn located(faults: Vec<Fault>, places: &SourceMap) -> Vec<Fault> {
    let faults = faults.into_iter();
    faults.map(|fault| fault.located(places)).collect()
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
