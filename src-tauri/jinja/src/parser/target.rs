//! What can be assigned to: names, tuples of them, attributes of namespaces.

use std::sync::Arc;

use super::super::ast::{Name, Slot, Target};
use super::super::error::{Error, ErrorKind, Result};
use super::super::lexer::Kind;
use super::Parser;

impl Parser<'_> {
    pub(super) fn store_name(&mut self) -> Result<Name> {
        let at = self.at();
        let name = self.expect_name()?;
        self.checked_name(name, at)
    }

    pub(super) fn checked_name(&self, name: Arc<str>, at: u32) -> Result<Name> {
        if matches!(
            &*name,
            "true" | "false" | "none" | "True" | "False" | "None"
        ) {
            return Err(Error::new(ErrorKind::Syntax, format!("can't assign to '{name}'")).at(at));
        }
        Ok(Name {
            name,
            slot: Slot::default(),
            at,
        })
    }

    /// What an assignment stores to. `namespaced` allows `name.attribute`.
    pub(super) fn target(
        &mut self,
        tuples: bool,
        ends: &[&str],
        namespaced: bool,
    ) -> Result<Target> {
        let at = self.at();
        let mut parts = Vec::new();
        let mut is_tuple = false;
        loop {
            if !parts.is_empty() {
                self.expect_operator(",")?;
            }
            if self.at_tuple_end(ends) || self.is_operator("=") {
                break;
            }
            parts.push(self.target_part(namespaced)?);
            if !(tuples && self.is_operator(",")) {
                break;
            }
            is_tuple = true;
        }
        match (is_tuple, parts.pop()) {
            (false, Some(only)) => Ok(only),
            (true, Some(last)) => {
                parts.push(last);
                Ok(Target::Tuple(parts, at))
            }
            (_, None) => Err(self.unexpected("name")),
        }
    }

    pub(super) fn target_part(&mut self, namespaced: bool) -> Result<Target> {
        let at = self.at();
        if self.skip_operator("(") {
            self.descend()?;
            let inner = self.target(true, &[], namespaced)?;
            self.rise();
            self.expect_operator(")")?;
            return Ok(inner);
        }
        let Kind::Name(name) = self.kind().clone() else {
            return Err(self.error(format!("can't assign to '{}'", self.described())));
        };
        self.advance();
        let name = self.checked_name(name, at)?;
        if namespaced && self.skip_operator(".") {
            let attribute = self.expect_name()?;
            return Ok(Target::Attribute {
                namespace: name,
                attribute,
            });
        }
        Ok(Target::Name(name))
    }

    pub(super) fn at_tuple_end(&self, ends: &[&str]) -> bool {
        match self.kind() {
            Kind::VariableEnd | Kind::BlockEnd => true,
            Kind::Operator(operator) => *operator == ")",
            Kind::Name(name) => ends.contains(&&**name),
            _ => false,
        }
    }
}
