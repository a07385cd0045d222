//! The object that `namespace()` returns, and what a loop observes of it.

use std::sync::{Arc, Mutex};

use super::error::{Result, fail};
use super::object::locked;
use super::observations::{Observed, SlotUse};
use super::value::Value;

/// The object that `namespace()` returns: attributes that can be set.
#[derive(Default)]
pub struct Namespace(Mutex<Vec<Attribute>>);

/// One attribute of a namespace.
#[derive(Clone)]
pub(super) struct Attribute {
    pub name: Arc<str>,
    pub value: Value,
    /// What happened to it since the recorded loop began.
    pub slot_use: SlotUse,
}

impl Namespace {
    /// The attribute of that name.
    pub(super) fn get(&self, name: &str) -> Option<Value> {
        let mut attributes = locked(&self.0);
        let mut found = attributes.iter_mut();
        let attribute = found.find(|attribute| &*attribute.name == name)?;
        attribute.slot_use = attribute.slot_use.read();
        Some(attribute.value.clone())
    }

    /// Sets an attribute; names beginning with an underscore are refused, as transformers does.
    pub(super) fn set(&self, name: &Arc<str>, value: Value) -> Result<()> {
        if name.starts_with('_') {
            return fail!(
                Security,
                "Chat templates cannot store underscore-prefixed attributes on a namespace, but \
                 got '{name}'. Please rename the attribute."
            );
        }
        value.settle();
        self.put(name, value);
        Ok(())
    }

    fn put(&self, name: &Arc<str>, value: Value) {
        let mut attributes = locked(&self.0);
        match attributes
            .iter_mut()
            .find(|attribute| attribute.name == *name)
        {
            Some(attribute) => {
                attribute.value = value;
                attribute.slot_use = attribute.slot_use.replaced();
            }
            None => attributes.push(Attribute {
                name: Arc::clone(name),
                value,
                slot_use: SlotUse::default().replaced(),
            }),
        }
    }

    /// How many attributes there are.
    pub(super) fn len(&self) -> usize {
        locked(&self.0).len()
    }

    /// The attributes as they are.
    pub(super) fn snapshot(&self) -> Vec<Attribute> {
        locked(&self.0).clone()
    }

    /// Forgets what happened to the attributes, and gives them as they are.
    pub(super) fn record(&self) -> Vec<Attribute> {
        let mut attributes = locked(&self.0);
        for attribute in attributes.iter_mut() {
            attribute.slot_use = SlotUse::default();
        }
        attributes.clone()
    }

    /// Replaces all attributes.
    pub(super) fn restore(&self, attributes: &[Attribute]) {
        *locked(&self.0) = attributes.to_vec();
    }

    /// Restores the values written and the observations made since recording began.
    pub(super) fn replay(&self, attributes: &[Attribute]) {
        for attribute in attributes {
            if attribute.slot_use.written {
                self.put(&attribute.name, attribute.value.clone());
            }
            self.set_observed(&attribute.name, attribute.slot_use.observed);
        }
    }

    /// What happened to an attribute.
    pub(super) fn slot_use(&self, name: &str) -> Option<SlotUse> {
        let attributes = locked(&self.0);
        let mut found = attributes.iter();
        Some(found.find(|attribute| &*attribute.name == name)?.slot_use)
    }

    /// Replaces what was observed of an attribute.
    pub(super) fn set_observed(&self, name: &str, observed: Observed) {
        let mut attributes = locked(&self.0);
        if let Some(attribute) = attributes
            .iter_mut()
            .find(|attribute| &*attribute.name == name)
        {
            attribute.slot_use.observed = observed;
        }
    }

    /// A copy of the attributes as a mapping.
    pub(super) fn to_value(&self) -> Result<Value> {
        let mut attributes = locked(&self.0);
        for attribute in attributes.iter_mut() {
            attribute.slot_use = attribute.slot_use.read();
        }
        let pairs = attributes.clone().into_iter();
        drop(attributes);
        Value::dict(pairs.map(|attribute| (Value::Str(attribute.name), attribute.value)))
    }

    /// Forgets everything: called when a rendering ends, since a namespace may hold itself.
    pub(super) fn clear(&self) {
        let attributes = std::mem::take(&mut *locked(&self.0));
        drop(attributes);
    }
}
