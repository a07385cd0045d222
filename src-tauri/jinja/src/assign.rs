//! Gives names, tuples of names and attributes of namespaces their values.

use std::sync::Arc;

use super::ast::{Name, Target};
use super::error::{Error, ErrorKind, Result, fail};
use super::interpreter::Interpreter;
use super::iterate::Iter;
use super::value::Value;

impl Interpreter<'_> {
    pub(super) fn store(&mut self, name: &Name, value: Value) {
        if let Some(exported) = &mut self.exported
            && self.frames.current == 0
        {
            exported.insert(Arc::clone(&name.name), value.clone());
        }
        self.set(name.slot, value);
    }

    /// Jinja looks whether a target is a namespace before it evaluates what is assigned.
    pub(super) fn check_namespaces(&self, target: &Target) -> Result<()> {
        match target {
            Target::Attribute { namespace, .. } => match self.get(namespace.slot) {
                Value::Namespace(_) => Ok(()),
                _ => fail!(Runtime, "cannot assign attribute on non-namespace object")
                    .map_err(|error| error.at(namespace.at)),
            },
            Target::Tuple(parts, _) => parts
                .iter()
                .try_for_each(|part| self.check_namespaces(part)),
            Target::Name(_) => Ok(()),
        }
    }

    pub(super) fn assign(&mut self, target: &Target, value: Value) -> Result<()> {
        match target {
            Target::Name(name) => self.store(name, value),
            Target::Attribute {
                namespace,
                attribute,
            } => {
                if let Value::Namespace(namespace) = self.get(namespace.slot) {
                    let namespace = Arc::clone(namespace);
                    self.budget.search(namespace.len())?;
                    namespace.set(attribute, value)?;
                }
            }
            Target::Tuple(parts, at) => {
                let mut iter = Iter::of(&value).map_err(|_| {
                    let message =
                        format!("cannot unpack non-iterable {} object", value.type_name());
                    Error::new(ErrorKind::Type, message).at(*at)
                })?;
                let mut items = Vec::with_capacity(parts.len());
                while let Some(item) = iter.next(self)? {
                    if items.len() == parts.len() {
                        return fail!(
                            Value,
                            "too many values to unpack (expected {})",
                            parts.len()
                        )
                        .map_err(|error| error.at(*at));
                    }
                    items.push(item);
                }
                if items.len() < parts.len() {
                    return fail!(
                        Value,
                        "not enough values to unpack (expected {}, got {})",
                        parts.len(),
                        items.len()
                    )
                    .map_err(|error| error.at(*at));
                }
                for (part, item) in parts.iter().zip(items) {
                    self.assign(part, item)?;
                }
            }
        }
        Ok(())
    }
}
