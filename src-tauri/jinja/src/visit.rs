//! Ways over the tree: the expressions inside an expression, the statements inside a statement,
//! and whether and how a name is read in them.

use std::collections::HashSet;

use super::ast::{Applied, Arguments, Expr, NO_LOADER, Statement, Target};
use super::error::Result;
use super::filters::RANDOM;
use super::value::Value;

impl Arguments {
    /// Every argument, in the order written.
    pub(super) fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr) -> Result<()>) -> Result<()> {
        self.positional.iter().try_for_each(&mut *visit)?;
        self.named.iter().try_for_each(|(_, value)| visit(value))?;
        self.star.iter().try_for_each(|value| visit(value))?;
        self.star_star.iter().try_for_each(|value| visit(value))
    }

    fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Expr) -> Result<()>) -> Result<()> {
        self.positional.iter_mut().try_for_each(&mut *visit)?;
        self.named
            .iter_mut()
            .try_for_each(|(_, value)| visit(value))?;
        self.star.iter_mut().try_for_each(|value| visit(value))?;
        self.star_star.iter_mut().try_for_each(|value| visit(value))
    }
}

impl Expr {
    /// Every direct part of an expression, in the order of evaluation.
    pub(super) fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr) -> Result<()>) -> Result<()> {
        match self {
            Self::Const(_) | Self::Name(_) => Ok(()),
            Self::List(items)
            | Self::Tuple(items)
            | Self::And(items)
            | Self::Or(items)
            | Self::Concat(items) => items.iter().try_for_each(visit),
            Self::Dict(pairs, _) => pairs.iter().try_for_each(|(key, value)| {
                visit(key)?;
                visit(value)
            }),
            Self::Not(one) | Self::Negate(one, _) | Self::Positive(one, _) => visit(one),
            Self::Chain(own) => {
                visit(&own.first)?;
                own.rest
                    .iter()
                    .try_for_each(|(_, operand, _)| visit(operand))
            }
            Self::Compare(own) => {
                visit(&own.first)?;
                own.rest.iter().try_for_each(|(_, operand)| visit(operand))
            }
            Self::Condition(own) => {
                visit(&own.test)?;
                visit(&own.then)?;
                own.otherwise.iter().try_for_each(visit)
            }
            Self::Attribute(own) => visit(&own.object),
            Self::Item(own) => {
                visit(&own.object)?;
                visit(&own.key)
            }
            Self::Slice(own) => {
                visit(&own.object)?;
                own.start.iter().try_for_each(&mut *visit)?;
                own.stop.iter().try_for_each(&mut *visit)?;
                own.step.iter().try_for_each(visit)
            }
            Self::Call(own) => {
                visit(&own.callee)?;
                own.arguments.each(visit)
            }
            Self::Filter(own) | Self::Test(own) => own.each(visit),
        }
    }

    /// As [`Expr::each`], to change the parts.
    pub(super) fn each_mut(
        &mut self,
        visit: &mut dyn FnMut(&mut Expr) -> Result<()>,
    ) -> Result<()> {
        match self {
            Self::Const(_) | Self::Name(_) => Ok(()),
            Self::List(items)
            | Self::Tuple(items)
            | Self::And(items)
            | Self::Or(items)
            | Self::Concat(items) => items.iter_mut().try_for_each(visit),
            Self::Dict(pairs, _) => pairs.iter_mut().try_for_each(|(key, value)| {
                visit(key)?;
                visit(value)
            }),
            Self::Not(one) | Self::Negate(one, _) | Self::Positive(one, _) => visit(one),
            Self::Chain(own) => {
                visit(&mut own.first)?;
                own.rest
                    .iter_mut()
                    .try_for_each(|(_, operand, _)| visit(operand))
            }
            Self::Compare(own) => {
                visit(&mut own.first)?;
                own.rest
                    .iter_mut()
                    .try_for_each(|(_, operand)| visit(operand))
            }
            Self::Condition(own) => {
                visit(&mut own.test)?;
                visit(&mut own.then)?;
                own.otherwise.iter_mut().try_for_each(visit)
            }
            Self::Attribute(own) => visit(&mut own.object),
            Self::Item(own) => {
                visit(&mut own.object)?;
                visit(&mut own.key)
            }
            Self::Slice(own) => {
                visit(&mut own.object)?;
                own.start.iter_mut().try_for_each(&mut *visit)?;
                own.stop.iter_mut().try_for_each(&mut *visit)?;
                own.step.iter_mut().try_for_each(visit)
            }
            Self::Call(own) => {
                visit(&mut own.callee)?;
                own.arguments.each_mut(visit)
            }
            Self::Filter(own) | Self::Test(own) => {
                own.subject.iter_mut().try_for_each(&mut *visit)?;
                own.arguments.each_mut(visit)
            }
        }
    }

    /// Whether the name is read anywhere inside.
    pub(super) fn reads(&self, wanted: &str) -> bool {
        if let Self::Name(name) = self {
            return &*name.name == wanted;
        }
        let mut found = false;
        let _ = self.each(&mut |child| {
            found |= child.reads(wanted);
            Ok(())
        });
        found
    }
}

impl Applied {
    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr) -> Result<()>) -> Result<()> {
        self.subject.iter().try_for_each(&mut *visit)?;
        self.arguments.each(visit)
    }
}

impl Statement {
    /// The lists of statements directly inside.
    pub(super) fn bodies(&self) -> Vec<&[Statement]> {
        match self {
            Self::If(branches, otherwise) => {
                let mut bodies: Vec<&[Self]> =
                    branches.iter().map(|(_, body)| body.as_slice()).collect();
                bodies.push(otherwise);
                bodies
            }
            Self::For(own) => {
                let mut bodies = vec![own.body.statements.as_slice()];
                bodies.extend(own.otherwise.iter().map(|body| body.statements.as_slice()));
                bodies
            }
            Self::SetBlock(own) => vec![&own.body.statements],
            Self::Macro(own) => vec![&own.signature.body.statements],
            Self::CallBlock(own) => vec![&own.signature.body.statements],
            Self::FilterBlock(_, body) | Self::Generation(body, _) => vec![&body.statements],
            Self::With(own) => vec![&own.body.statements],
            Self::Block(own) => vec![&own.body.statements],
            _ => Vec::new(),
        }
    }

    /// The expressions directly inside.
    pub(super) fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Print(expr, _) | Self::Set(_, expr, _) => vec![expr],
            Self::If(branches, _) => branches.iter().map(|(test, _)| test).collect(),
            Self::For(own) => {
                let test = own.test.iter().map(|test| &test.test);
                std::iter::once(&own.iterable).chain(test).collect()
            }
            Self::SetBlock(own) => own.filter.iter().collect(),
            Self::Macro(own) => own.signature.defaults.iter().collect(),
            Self::CallBlock(own) => {
                let call = std::iter::once(&own.call);
                call.chain(&own.signature.defaults).collect()
            }
            Self::FilterBlock(filter, _) => {
                let named = filter.arguments.named.iter().map(|(_, value)| value);
                let all = filter.subject.iter().chain(&filter.arguments.positional);
                all.chain(named).collect()
            }
            Self::With(own) => own.values.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the name is read anywhere inside; blocks are looked past, as Jinja does.
    pub(super) fn reads(&self, wanted: &str) -> bool {
        !matches!(self, Self::Block(_))
            && (self
                .expressions()
                .into_iter()
                .any(|expr| expr.reads(wanted))
                || self
                    .bodies()
                    .into_iter()
                    .flatten()
                    .any(|one| one.reads(wanted)))
    }
}

impl Statement {
    /// How the frames directly inside are entered.
    pub(super) fn entries(&self) -> Vec<&super::ast::Entry> {
        match self {
            Self::For(own) => {
                let mut entries = vec![&own.once, &own.body.entry];
                entries.extend(own.otherwise.iter().map(|body| &body.entry));
                entries.extend(own.test.iter().map(|test| &test.entry));
                entries
            }
            Self::SetBlock(own) => vec![&own.body.entry],
            Self::Macro(own) => vec![&own.signature.body.entry],
            Self::CallBlock(own) => vec![&own.signature.body.entry],
            Self::FilterBlock(_, body) | Self::Generation(body, _) => vec![&body.entry],
            Self::With(own) => vec![&own.body.entry],
            Self::Block(own) => vec![&own.body.entry],
            _ => Vec::new(),
        }
    }
}

/// The first statement that reads another template or filter that gives another text every time, which
/// no engine of ours renders: why, and where.
pub(super) fn unsupported(statements: &[Statement]) -> Option<(&'static str, u32)> {
    statements.iter().find_map(|statement| {
        let filter = |own: &Applied| (&*own.name == "random").then_some((RANDOM, own.at));
        match statement {
            Statement::OtherTemplate(at) => return Some((NO_LOADER, *at)),
            Statement::FilterBlock(own, _) if let Some(found) = filter(own) => return Some(found),
            _ => {}
        }
        let in_expressions = || {
            let mut expressions = statement.expressions().into_iter();
            expressions.find_map(Expr::random)
        };
        let in_bodies = || statement.bodies().into_iter().find_map(unsupported);
        in_expressions().or_else(in_bodies)
    })
}

impl Expr {
    /// Where the filter `random` is, and why it is refused.
    fn random(&self) -> Option<(&'static str, u32)> {
        if let Self::Filter(own) = self
            && &*own.name == "random"
        {
            return Some((RANDOM, own.at));
        }
        let mut found = None;
        let _ = self.each(&mut |child| {
            found = found.or_else(|| child.random());
            Ok(())
        });
        found
    }
}

/// The names that are used, by whether the filter `default` is put on them.
#[derive(Default)]
pub(super) struct Defaults<'t> {
    with: HashSet<&'t str>,
    without: HashSet<&'t str>,
}

impl<'t> Defaults<'t> {
    /// Takes note of the names that statements use.
    pub(super) fn statements(&mut self, statements: &'t [Statement]) {
        for statement in statements {
            for expr in statement.expressions() {
                self.expr(expr);
            }
            for body in statement.bodies() {
                self.statements(body);
            }
        }
    }

    fn expr(&mut self, expr: &'t Expr) {
        match expr {
            Expr::Name(name) => {
                self.without.insert(&name.name);
            }
            Expr::Filter(own) if matches!(&*own.name, "default" | "d") => {
                if let Some(Expr::Name(name)) = &own.subject {
                    self.with.insert(&name.name);
                } else if let Some(subject) = &own.subject {
                    self.expr(subject);
                }
                let _ = own.arguments.each(&mut |argument| {
                    self.expr(argument);
                    Ok(())
                });
            }
            _ => {
                let _ = expr.each(&mut |part| {
                    self.expr(part);
                    Ok(())
                });
            }
        }
    }

    /// Whether every use of a name has a default.
    pub(super) fn has(&self, name: &str) -> bool {
        self.with.contains(name) && !self.without.contains(name)
    }
}

/// The attributes and constant keys that are read of values, and the names that the template gives to
/// values of its own.
#[derive(Default)]
pub(super) struct Attributes<'t> {
    read: Vec<&'t str>,
    made: HashSet<&'t str>,
}

impl<'t> Attributes<'t> {
    /// Takes note of those in statements.
    pub(super) fn statements(&mut self, statements: &'t [Statement]) {
        for statement in statements {
            if let Statement::Set(Target::Attribute { attribute, .. }, ..) = statement {
                self.made.insert(attribute);
            }
            for expr in statement.expressions() {
                self.expr(expr);
            }
            for body in statement.bodies() {
                self.statements(body);
            }
        }
    }

    fn expr(&mut self, expr: &'t Expr) {
        if let Expr::Call(own) = expr
            && let Expr::Attribute(method) = &own.callee
        {
            // The name of a method is no key, but `get` is called with one.
            self.expr(&method.object);
            let key = own.arguments.positional.first();
            let key = key.filter(|_| &*method.name == "get");
            self.read.extend(key.and_then(constant));
            let _ = own.arguments.each(&mut |argument| {
                self.expr(argument);
                Ok(())
            });
            return;
        }
        let _ = expr.each(&mut |part| {
            self.expr(part);
            Ok(())
        });
        match expr {
            Expr::Attribute(own) if !is_loop(&own.object) => self.read.push(&own.name),
            Expr::Item(own) => self.read.extend(constant(&own.key)),
            Expr::Dict(pairs, _) => {
                let keys = pairs.iter().filter_map(|(key, _)| constant(key));
                self.made.extend(keys);
            }
            Expr::Call(own) => {
                if let Expr::Name(name) = &own.callee
                    && matches!(&*name.name, "namespace" | "dict")
                {
                    let named = own.arguments.named.iter();
                    self.made.extend(named.map(|(name, _)| &**name));
                }
            }
            _ => {}
        }
    }

    /// Those that the template does not make itself, each once, in the order of appearance.
    pub(super) fn into_names(self) -> Vec<String> {
        let mut seen = self.made;
        let mut names = self.read;
        names.retain(|name| seen.insert(name));
        names.into_iter().map(str::to_owned).collect()
    }
}

fn is_loop(object: &Expr) -> bool {
    matches!(object, Expr::Name(name) if &*name.name == "loop")
}

fn constant(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Const(Value::Str(text)) => Some(text),
        _ => None,
    }
}
