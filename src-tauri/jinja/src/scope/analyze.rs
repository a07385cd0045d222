//! First half of scoping: which names the statements of one frame read and store, in order.
//! Stops at every statement with a separate frame.

use super::super::ast::{Applied, Arguments, Expr, Statement, Target};
use super::super::error::Result;
use super::{Scopes, Symbols};

impl Scopes {
    pub(super) fn statements(
        &mut self,
        symbols: &mut Symbols,
        frame: usize,
        statements: &[Statement],
    ) -> Result<()> {
        for statement in statements {
            self.statement(symbols, frame, statement)?;
        }
        Ok(())
    }

    fn statement(
        &mut self,
        symbols: &mut Symbols,
        frame: usize,
        statement: &Statement,
    ) -> Result<()> {
        match statement {
            Statement::Print(expr, _) => self.expr(symbols, frame, expr),
            Statement::If(branches, otherwise) => {
                self.condition(symbols, frame, branches, otherwise)
            }
            Statement::For(for_loop) => self.expr(symbols, frame, &for_loop.iterable),
            Statement::Set(target, value, _) => {
                self.expr(symbols, frame, value)?;
                self.target(symbols, frame, target)
            }
            Statement::SetBlock(set_block) => self.target(symbols, frame, &set_block.target),
            Statement::Macro(definition) => self.store(symbols, frame, &definition.name.name),
            Statement::CallBlock(call_block) => self.expr(symbols, frame, &call_block.call),
            Statement::FilterBlock(filter, _) => self.applied(symbols, frame, filter),
            Statement::With(with_block) => {
                for value in &with_block.values {
                    self.expr(symbols, frame, value)?;
                }
                Ok(())
            }
            Statement::Text(..)
            | Statement::Generation(..)
            | Statement::Block(_)
            | Statement::Break
            | Statement::Continue
            | Statement::Autoescape(_)
            | Statement::OtherTemplate(_) => Ok(()),
        }
    }

    /// The branches of an `if` start with the same names and are joined; for names, an `elif` is a
    /// nested `if`.
    fn condition(
        &mut self,
        symbols: &mut Symbols,
        frame: usize,
        branches: &[(Expr, Vec<Statement>)],
        otherwise: &[Statement],
    ) -> Result<()> {
        let Some(((test, body), elifs)) = branches.split_first() else {
            return Ok(());
        };
        self.expr(symbols, frame, test)?;
        let mut first = self.branch(symbols)?;
        self.statements(&mut first, frame, body)?;
        let mut middle = self.branch(symbols)?;
        for branch in elifs {
            self.condition(&mut middle, frame, std::slice::from_ref(branch), &[])?;
        }
        let mut last = self.branch(symbols)?;
        self.statements(&mut last, frame, otherwise)?;
        self.join(symbols, frame, vec![first, middle, last]);
        Ok(())
    }

    pub(super) fn target(
        &mut self,
        symbols: &mut Symbols,
        frame: usize,
        target: &Target,
    ) -> Result<()> {
        match target {
            Target::Name(name) => self.store(symbols, frame, &name.name),
            Target::Tuple(parts, _) => {
                for part in parts {
                    self.target(symbols, frame, part)?;
                }
                Ok(())
            }
            Target::Attribute { namespace, .. } => self.load(symbols, frame, &namespace.name),
        }
    }

    /// Declares the names of a target that is assigned from outside, such as that of a loop.
    pub(super) fn declare_target(
        &mut self,
        symbols: &mut Symbols,
        frame: usize,
        target: &Target,
    ) -> Result<()> {
        match target {
            Target::Name(name) => self.parameter(symbols, frame, &name.name),
            Target::Tuple(parts, _) => {
                for part in parts {
                    self.declare_target(symbols, frame, part)?;
                }
                Ok(())
            }
            Target::Attribute { namespace, .. } => self.load(symbols, frame, &namespace.name),
        }
    }

    fn applied(
        &mut self,
        symbols: &mut Symbols,
        frame: usize,
        application: &Applied,
    ) -> Result<()> {
        if let Some(subject) = &application.subject {
            self.expr(symbols, frame, subject)?;
        }
        self.arguments(symbols, frame, &application.arguments)
    }

    fn arguments(
        &mut self,
        symbols: &mut Symbols,
        frame: usize,
        call_arguments: &Arguments,
    ) -> Result<()> {
        call_arguments.each(&mut |expr| self.expr(symbols, frame, expr))
    }

    pub(super) fn expr(&mut self, symbols: &mut Symbols, frame: usize, expr: &Expr) -> Result<()> {
        match expr {
            Expr::Name(name) => self.load(symbols, frame, &name.name),
            other => other.each(&mut |child| self.expr(symbols, frame, child)),
        }
    }
}
