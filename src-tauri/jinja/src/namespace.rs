//! The object that `namespace()` returns, and what a loop observes of it.

use std::sync::{Arc, Mutex};

use super::error::{Result, fail};
use super::object::locked;
use super::observations::{Observed, Seen};
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
    pub seen: Seen,
}

impl Namespace {
    /// The attribute of that name.
    pub(super) fn get(&self, name: &str) -> Option<Value> {
        let mut attributes = locked(&self.0);
        let mut found = attributes.iter_mut();
        let own = found.find(|own| &*own.name == name)?;
        own.seen = own.seen.read();
        Some(own.value.clone())
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
        match attributes.iter_mut().find(|own| own.name == *name) {
            Some(own) => {
                own.value = value;
                own.seen = own.seen.replaced();
            }
            None => attributes.push(Attribute {
                name: Arc::clone(name),
                value,
                seen: Seen::default().replaced(),
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
        for own in attributes.iter_mut() {
            own.seen = Seen::default();
        }
        attributes.clone()
    }

    /// Restores the values written and the observations made since recording began.
    pub(super) fn replay(&self, attributes: &[Attribute]) {
        for own in attributes {
            if own.seen.written {
                self.put(&own.name, own.value.clone());
            }
            self.set_observed(&own.name, own.seen.observed);
        }
    }

    /// What happened to an attribute.
    pub(super) fn seen(&self, name: &str) -> Option<Seen> {
        let attributes = locked(&self.0);
        let mut found = attributes.iter();
        Some(found.find(|own| &*own.name == name)?.seen)
    }

    /// Replaces what was observed of an attribute.
    pub(super) fn set_observed(&self, name: &str, observed: Observed) {
        let mut attributes = locked(&self.0);
        if let Some(own) = attributes.iter_mut().find(|own| &*own.name == name) {
            own.seen.observed = observed;
        }
    }

    /// A copy of the attributes as a mapping.
    pub(super) fn to_value(&self) -> Result<Value> {
        let mut attributes = locked(&self.0);
        for own in attributes.iter_mut() {
            own.seen = own.seen.read();
        }
        let pairs = attributes.clone().into_iter();
        drop(attributes);
        Value::dict(pairs.map(|own| (Value::Str(own.name), own.value)))
    }

    /// Forgets everything: called when a rendering ends, since a namespace may hold itself.
    pub(super) fn clear(&self) {
        let attributes = std::mem::take(&mut *locked(&self.0));
        drop(attributes);
    }
}
