//! The variables of a rendering and how large they are together, which the limits grow with.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::data;
#[cfg(feature = "serde_json")]
use super::error::Result;
use super::value::{Seq, Size, Value};

/// Values by name.
pub(super) type Named = HashMap<Arc<str>, Value, FixedState>;

/// Named values for a template. Cloning is cheap: values are shared.
#[derive(Clone, Default)]
pub struct Variables {
    map: Named,
    size: Size,
    /// How many items of the shared messages were measured.
    measured: usize,
}

impl Variables {
    /// Sets a variable from JSON.
    ///
    /// # Errors
    /// When the value nests too deep.
    #[cfg(feature = "serde_json")]
    pub fn set_json(&mut self, name: &str, json: &serde_json::Value) -> Result<()> {
        self.set(name, data::Value::from_json(json)?);
        Ok(())
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: impl Into<data::Value>) {
        let data::Value(value) = value.into();
        self.measure(&value);
        self.map.insert(name.into(), value);
    }

    /// Sets a variable to shared messages: items that were measured are not measured again.
    pub(super) fn set_shared(&mut self, name: &str, list: &Arc<Seq>) {
        for item in list.items_for_now(self.measured) {
            self.measure(item);
        }
        self.measured = self.measured.max(list.len_for_now());
        self.map.insert(name.into(), Value::List(Arc::clone(list)));
    }

    /// Removes a variable.
    pub(super) fn remove(&mut self, name: &str) {
        self.map.remove(name);
    }

    /// The value of a variable.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.map.get(name)
    }

    /// Sizes only ever grow: replacing a value leaves a little more room than needed.
    fn measure(&mut self, value: &Value) {
        self.size.add(value.size());
    }

    pub(super) fn map(&self) -> &Named {
        &self.map
    }

    pub(super) fn values(&self) -> usize {
        self.size.values
    }

    pub(super) fn bytes(&self) -> usize {
        self.size.bytes
    }
}
