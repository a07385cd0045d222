//! Second half of scoping: writes the slots into the tree, frame by frame, and refuses filters and
//! tests that do not exist where Jinja does when it compiles.

use std::sync::Arc;

use super::super::ast::{Expr, For, Name, Signature, Statement, Target};
use super::super::error::{Error, ErrorKind, Result};
use super::super::idle;
use super::Scopes;

impl Scopes {
    pub(super) fn assign_statements(
        &mut self,
        frame: usize,
        statements: &mut [Statement],
    ) -> Result<()> {
        for statement in statements {
            self.assign_statement(frame, statement)?;
        }
        Ok(())
    }

    fn assign_statement(&mut self, frame: usize, statement: &mut Statement) -> Result<()> {
        match statement {
            Statement::Print(expr, _) => self.assign_expr(frame, expr),
            Statement::If(branches, otherwise) => {
                let soft = std::mem::replace(&mut self.frames[frame].soft, true);
                for (test, body) in branches {
                    self.assign_expr(frame, test)?;
                    self.assign_statements(frame, body)?;
                }
                self.assign_statements(frame, otherwise)?;
                self.frames[frame].soft = soft;
                Ok(())
            }
            Statement::For(for_loop) => match Arc::get_mut(for_loop) {
                Some(for_loop) => self.assign_for(frame, for_loop),
                None => Ok(()),
            },
            Statement::Set(target, value, _) => {
                self.assign_expr(frame, value)?;
                self.assign_target(frame, target)
            }
            Statement::SetBlock(set_block) => {
                let inner = self.inner(frame);
                self.analyze(inner, |symbols, scopes| {
                    scopes.statements(symbols, inner, &set_block.body.statements)
                })?;
                self.assign_statements(inner, &mut set_block.body.statements)?;
                if let Some(filter) = &mut set_block.filter {
                    // The arguments of the filter belong to the frame of the block.
                    self.analyze(inner, |symbols, scopes| scopes.expr(symbols, inner, filter))?;
                    self.assign_expr(inner, filter)?;
                }
                set_block.body.entry = self.entry(inner, |_| true);
                self.assign_target(frame, &mut set_block.target)
            }
            Statement::Macro(definition) => {
                if let Some(signature) = Arc::get_mut(&mut definition.signature) {
                    self.assign_signature(frame, signature)?;
                }
                self.assign_name(frame, &mut definition.name);
                Ok(())
            }
            Statement::CallBlock(call_block) => {
                if let Some(signature) = Arc::get_mut(&mut call_block.signature) {
                    self.assign_signature(frame, signature)?;
                }
                self.assign_expr(frame, &mut call_block.call)
            }
            Statement::FilterBlock(filter, body) => {
                let inner = self.inner(frame);
                let mut expr = Expr::Filter(filter.clone());
                self.analyze(inner, |symbols, scopes| {
                    scopes.statements(symbols, inner, &body.statements)?;
                    scopes.expr(symbols, inner, &expr)
                })?;
                self.assign_statements(inner, &mut body.statements)?;
                self.assign_expr(inner, &mut expr)?;
                if let Expr::Filter(resolved) = expr {
                    *filter = resolved;
                }
                body.entry = self.entry(inner, |_| true);
                Ok(())
            }
            Statement::With(with_block) => {
                for value in &mut with_block.values {
                    self.assign_expr(frame, value)?;
                }
                let inner = self.inner(frame);
                self.analyze(inner, |symbols, scopes| {
                    for target in &with_block.targets {
                        scopes.declare_target(symbols, inner, target)?;
                    }
                    scopes.statements(symbols, inner, &with_block.body.statements)
                })?;
                for target in &mut with_block.targets {
                    self.assign_target(inner, target)?;
                }
                self.assign_statements(inner, &mut with_block.body.statements)?;
                with_block.body.entry = self.entry(inner, |_| true);
                Ok(())
            }
            Statement::Generation(body, _) => {
                let inner = self.inner(frame);
                self.analyze(inner, |symbols, scopes| {
                    scopes.statements(symbols, inner, &body.statements)
                })?;
                self.assign_statements(inner, &mut body.statements)?;
                body.entry = self.entry(inner, |_| true);
                Ok(())
            }
            Statement::Block(block) => {
                block.function = self.function(self.frames[frame].function);
                let inner = self.frame(None, block.function);
                self.analyze(inner, |symbols, scopes| {
                    scopes.statements(symbols, inner, &block.body.statements)
                })?;
                self.assign_statements(inner, &mut block.body.statements)?;
                block.body.entry = self.entry(inner, |_| true);
                Ok(())
            }
            Statement::Text(..)
            | Statement::Break
            | Statement::Continue
            | Statement::Autoescape(_)
            | Statement::OtherTemplate(_) => Ok(()),
        }
    }

    fn assign_for(&mut self, frame: usize, for_loop: &mut For) -> Result<()> {
        self.assign_expr(frame, &mut for_loop.iterable)?;
        if stores_loop(&for_loop.target) || for_loop.body.statements.iter().any(sets_loop) {
            return Err(Error::new(
                ErrorKind::Syntax,
                "Can't assign to special loop variable in for-loop target",
            )
            .at(for_loop.at));
        }
        let function = self.frames[frame].function;
        if let Some(test) = &mut for_loop.test {
            let inner = self.inner(frame);
            self.analyze(inner, |symbols, scopes| {
                scopes.declare_target(symbols, inner, &test.target)?;
                scopes.expr(symbols, inner, &test.test)
            })?;
            self.assign_target(inner, &mut test.target)?;
            self.assign_expr(inner, &mut test.test)?;
            test.entry = self.entry(inner, |_| true);
        }
        for_loop.function = match for_loop.recursive {
            true => self.function(function),
            false => function,
        };
        let inner = self.frame(Some(frame), for_loop.function);
        let name: Arc<str> = "loop".into();
        let extended =
            for_loop.recursive || for_loop.body.statements.iter().any(|one| one.reads("loop"));
        self.analyze(inner, |symbols, scopes| {
            if extended {
                scopes.parameter(symbols, inner, &name)?;
            }
            scopes.declare_target(symbols, inner, &for_loop.target)?;
            scopes.statements(symbols, inner, &for_loop.body.statements)
        })?;
        if extended {
            for_loop.loop_slot = Some(self.variable(inner, &name)?.index);
        }
        self.assign_target(inner, &mut for_loop.target)?;
        self.assign_statements(inner, &mut for_loop.body.statements)?;
        // What the body never stores is the same in every turn: fetched once, before the first.
        let stores = self.frames[inner].symbols.stores.clone();
        for_loop.once = self.entry(inner, |name| !stores.contains(name));
        for_loop.body.entry = self.entry(inner, |name| stores.contains(name));
        for_loop.guard = idle::guard(for_loop, &stores);
        if let Some(otherwise) = &mut for_loop.otherwise {
            let inner = self.frame(Some(frame), for_loop.function);
            self.analyze(inner, |symbols, scopes| {
                scopes.statements(symbols, inner, &otherwise.statements)
            })?;
            self.assign_statements(inner, &mut otherwise.statements)?;
            otherwise.entry = self.entry(inner, |_| true);
        }
        Ok(())
    }

    fn assign_signature(&mut self, frame: usize, signature: &mut Signature) -> Result<()> {
        signature.function = self.function(self.frames[frame].function);
        let inner = self.frame(Some(frame), signature.function);
        let special = ["caller", "kwargs", "varargs"].map(|name| {
            let named = signature
                .parameters
                .iter()
                .any(|parameter| &*parameter.name == name);
            !named
                && signature
                    .body
                    .statements
                    .iter()
                    .any(|statement| statement.reads(name))
        });
        self.analyze(inner, |symbols, scopes| {
            for parameter in &signature.parameters {
                scopes.parameter(symbols, inner, &parameter.name)?;
            }
            let names = ["caller", "kwargs", "varargs"];
            for (name, _) in names.iter().zip(special).filter(|(_, wanted)| *wanted) {
                scopes.parameter(symbols, inner, &Arc::from(*name))?;
            }
            for default in &signature.defaults {
                scopes.expr(symbols, inner, default)?;
            }
            scopes.statements(symbols, inner, &signature.body.statements)
        })?;
        for parameter in &mut signature.parameters {
            self.assign_name(inner, parameter);
        }
        for default in &mut signature.defaults {
            self.assign_expr(inner, default)?;
        }
        let mut slot = |name: &str, wanted: bool| -> Result<Option<u16>> {
            if !wanted {
                return Ok(None);
            }
            Ok(Some(self.variable(inner, &Arc::from(name))?.index))
        };
        signature.caller = slot("caller", special[0])?;
        signature.kwargs = slot("kwargs", special[1])?;
        signature.varargs = slot("varargs", special[2])?;
        self.assign_statements(inner, &mut signature.body.statements)?;
        signature.body.entry = self.entry(inner, |_| true);
        Ok(())
    }

    fn assign_name(&mut self, frame: usize, name: &mut Name) {
        let current_frame = &self.frames[frame];
        if let Some(variable) = self.find(&current_frame.symbols, frame, &name.name) {
            name.slot = self.slot(current_frame.function, variable);
        }
    }

    fn assign_target(&mut self, frame: usize, target: &mut Target) -> Result<()> {
        match target {
            Target::Name(name)
            | Target::Attribute {
                namespace: name, ..
            } => self.assign_name(frame, name),
            Target::Tuple(parts, _) => {
                for part in parts {
                    self.assign_target(frame, part)?;
                }
            }
        }
        Ok(())
    }

    fn assign_expr(&mut self, frame: usize, expr: &mut Expr) -> Result<()> {
        match expr {
            Expr::Name(name) => {
                self.assign_name(frame, name);
                return Ok(());
            }
            Expr::Filter(filter) if !self.frames[frame].soft && filter.function.is_none() => {
                return Err(missing("filter", &filter.name, filter.at));
            }
            Expr::Test(test) if !self.frames[frame].soft && test.function.is_none() => {
                return Err(missing("test", &test.name, test.at));
            }
            _ => {}
        }
        let conditional = matches!(expr, Expr::Condition(_));
        let soft = self.frames[frame].soft;
        self.frames[frame].soft |= conditional;
        let done = expr.each_mut(&mut |child| self.assign_expr(frame, child));
        self.frames[frame].soft = soft;
        done
    }
}

fn missing(what: &str, name: &str, at: u32) -> Error {
    Error::new(ErrorKind::Syntax, format!("No {what} named '{name}'.")).at(at)
}

fn stores_loop(target: &Target) -> bool {
    match target {
        Target::Name(name) => &*name.name == "loop",
        Target::Tuple(parts, _) => parts.iter().any(stores_loop),
        Target::Attribute { .. } => false,
    }
}

/// Whether a statement stores to the name `loop`, however deep.
fn sets_loop(statement: &Statement) -> bool {
    match statement {
        Statement::Set(target, ..) => stores_loop(target),
        Statement::SetBlock(set_block) => {
            stores_loop(&set_block.target) || set_block.body.statements.iter().any(sets_loop)
        }
        Statement::For(for_loop) => {
            stores_loop(&for_loop.target) || for_loop.body.statements.iter().any(sets_loop)
        }
        other => other.bodies().into_iter().flatten().any(sets_loop),
    }
}
