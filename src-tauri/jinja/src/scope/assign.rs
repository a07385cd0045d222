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
            Statement::For(own) => match Arc::get_mut(own) {
                Some(own) => self.assign_for(frame, own),
                None => Ok(()),
            },
            Statement::Set(target, value, _) => {
                self.assign_expr(frame, value)?;
                self.assign_target(frame, target)
            }
            Statement::SetBlock(own) => {
                let inner = self.inner(frame);
                self.analyze(inner, |symbols, scopes| {
                    scopes.statements(symbols, inner, &own.body.statements)
                })?;
                self.assign_statements(inner, &mut own.body.statements)?;
                if let Some(filter) = &mut own.filter {
                    // The arguments of the filter belong to the frame of the block.
                    self.analyze(inner, |symbols, scopes| scopes.expr(symbols, inner, filter))?;
                    self.assign_expr(inner, filter)?;
                }
                own.body.entry = self.entry(inner, |_| true);
                self.assign_target(frame, &mut own.target)
            }
            Statement::Macro(own) => {
                if let Some(signature) = Arc::get_mut(&mut own.signature) {
                    self.assign_signature(frame, signature)?;
                }
                self.assign_name(frame, &mut own.name);
                Ok(())
            }
            Statement::CallBlock(own) => {
                if let Some(signature) = Arc::get_mut(&mut own.signature) {
                    self.assign_signature(frame, signature)?;
                }
                self.assign_expr(frame, &mut own.call)
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
            Statement::With(own) => {
                for value in &mut own.values {
                    self.assign_expr(frame, value)?;
                }
                let inner = self.inner(frame);
                self.analyze(inner, |symbols, scopes| {
                    for target in &own.targets {
                        scopes.declare_target(symbols, inner, target)?;
                    }
                    scopes.statements(symbols, inner, &own.body.statements)
                })?;
                for target in &mut own.targets {
                    self.assign_target(inner, target)?;
                }
                self.assign_statements(inner, &mut own.body.statements)?;
                own.body.entry = self.entry(inner, |_| true);
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
            Statement::Block(own) => {
                own.function = self.function(self.frames[frame].function);
                let inner = self.frame(None, own.function);
                self.analyze(inner, |symbols, scopes| {
                    scopes.statements(symbols, inner, &own.body.statements)
                })?;
                self.assign_statements(inner, &mut own.body.statements)?;
                own.body.entry = self.entry(inner, |_| true);
                Ok(())
            }
            Statement::Text(..)
            | Statement::Break
            | Statement::Continue
            | Statement::Autoescape(_)
            | Statement::OtherTemplate(_) => Ok(()),
        }
    }

    fn assign_for(&mut self, frame: usize, own: &mut For) -> Result<()> {
        self.assign_expr(frame, &mut own.iterable)?;
        if stores_loop(&own.target) || own.body.statements.iter().any(sets_loop) {
            return Err(Error::new(
                ErrorKind::Syntax,
                "Can't assign to special loop variable in for-loop target",
            )
            .at(own.at));
        }
        let function = self.frames[frame].function;
        if let Some(test) = &mut own.test {
            let inner = self.inner(frame);
            self.analyze(inner, |symbols, scopes| {
                scopes.declare_target(symbols, inner, &test.target)?;
                scopes.expr(symbols, inner, &test.test)
            })?;
            self.assign_target(inner, &mut test.target)?;
            self.assign_expr(inner, &mut test.test)?;
            test.entry = self.entry(inner, |_| true);
        }
        own.function = match own.recursive {
            true => self.function(function),
            false => function,
        };
        let inner = self.frame(Some(frame), own.function);
        let name: Arc<str> = "loop".into();
        let extended = own.recursive || own.body.statements.iter().any(|one| one.reads("loop"));
        self.analyze(inner, |symbols, scopes| {
            if extended {
                scopes.parameter(symbols, inner, &name)?;
            }
            scopes.declare_target(symbols, inner, &own.target)?;
            scopes.statements(symbols, inner, &own.body.statements)
        })?;
        if extended {
            own.loop_slot = Some(self.variable(inner, &name)?.index);
        }
        self.assign_target(inner, &mut own.target)?;
        self.assign_statements(inner, &mut own.body.statements)?;
        // What the body never stores is the same in every turn: fetched once, before the first.
        let stores = self.frames[inner].symbols.stores.clone();
        own.once = self.entry(inner, |name| !stores.contains(name));
        own.body.entry = self.entry(inner, |name| stores.contains(name));
        own.guard = idle::guard(own, &stores);
        if let Some(otherwise) = &mut own.otherwise {
            let inner = self.frame(Some(frame), own.function);
            self.analyze(inner, |symbols, scopes| {
                scopes.statements(symbols, inner, &otherwise.statements)
            })?;
            self.assign_statements(inner, &mut otherwise.statements)?;
            otherwise.entry = self.entry(inner, |_| true);
        }
        Ok(())
    }

    fn assign_signature(&mut self, frame: usize, own: &mut Signature) -> Result<()> {
        own.function = self.function(self.frames[frame].function);
        let inner = self.frame(Some(frame), own.function);
        let special = ["caller", "kwargs", "varargs"].map(|name| {
            let named = own
                .parameters
                .iter()
                .any(|parameter| &*parameter.name == name);
            !named
                && own
                    .body
                    .statements
                    .iter()
                    .any(|statement| statement.reads(name))
        });
        self.analyze(inner, |symbols, scopes| {
            for parameter in &own.parameters {
                scopes.parameter(symbols, inner, &parameter.name)?;
            }
            let names = ["caller", "kwargs", "varargs"];
            for (name, _) in names.iter().zip(special).filter(|(_, wanted)| *wanted) {
                scopes.parameter(symbols, inner, &Arc::from(*name))?;
            }
            for default in &own.defaults {
                scopes.expr(symbols, inner, default)?;
            }
            scopes.statements(symbols, inner, &own.body.statements)
        })?;
        for parameter in &mut own.parameters {
            self.assign_name(inner, parameter);
        }
        for default in &mut own.defaults {
            self.assign_expr(inner, default)?;
        }
        let mut slot = |name: &str, wanted: bool| -> Result<Option<u16>> {
            if !wanted {
                return Ok(None);
            }
            Ok(Some(self.variable(inner, &Arc::from(name))?.index))
        };
        own.caller = slot("caller", special[0])?;
        own.kwargs = slot("kwargs", special[1])?;
        own.varargs = slot("varargs", special[2])?;
        self.assign_statements(inner, &mut own.body.statements)?;
        own.body.entry = self.entry(inner, |_| true);
        Ok(())
    }

    fn assign_name(&mut self, frame: usize, name: &mut Name) {
        let own = &self.frames[frame];
        if let Some(variable) = self.find(&own.symbols, frame, &name.name) {
            name.slot = self.slot(own.function, variable);
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
            Expr::Filter(own) if !self.frames[frame].soft && own.function.is_none() => {
                return Err(missing("filter", &own.name, own.at));
            }
            Expr::Test(own) if !self.frames[frame].soft && own.function.is_none() => {
                return Err(missing("test", &own.name, own.at));
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
        Statement::SetBlock(own) => {
            stores_loop(&own.target) || own.body.statements.iter().any(sets_loop)
        }
        Statement::For(own) => {
            stores_loop(&own.target) || own.body.statements.iter().any(sets_loop)
        }
        other => other.bodies().into_iter().flatten().any(sets_loop),
    }
}
