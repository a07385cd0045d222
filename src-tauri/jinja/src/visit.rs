//! Ways over the tree: the expressions inside an expression, the statements inside a statement,
//! and whether and how a name is read in them.

use std::collections::HashSet;

use super::ast::{Applied, Arguments, Expr, NO_LOADER, Statement, Target};
use super::error::Result;
use super::filters::refused;
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
            Self::Chain(chain) => {
                visit(&chain.first)?;
                chain
                    .rest
                    .iter()
                    .try_for_each(|(_, operand, _)| visit(operand))
            }
            Self::Compare(comparison) => {
                visit(&comparison.first)?;
                comparison
                    .rest
                    .iter()
                    .try_for_each(|(_, operand)| visit(operand))
            }
            Self::Condition(condition) => {
                visit(&condition.test)?;
                visit(&condition.then)?;
                condition.otherwise.iter().try_for_each(visit)
            }
            Self::Attribute(attribute) => visit(&attribute.object),
            Self::Item(item) => {
                visit(&item.object)?;
                visit(&item.key)
            }
            Self::Slice(slice) => {
                visit(&slice.object)?;
                slice.start.iter().try_for_each(&mut *visit)?;
                slice.stop.iter().try_for_each(&mut *visit)?;
                slice.step.iter().try_for_each(visit)
            }
            Self::Call(call) => {
                visit(&call.callee)?;
                call.arguments.each(visit)
            }
            Self::Filter(filter) | Self::Test(filter) => filter.each(visit),
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
            Self::Chain(chain) => {
                visit(&mut chain.first)?;
                chain
                    .rest
                    .iter_mut()
                    .try_for_each(|(_, operand, _)| visit(operand))
            }
            Self::Compare(comparison) => {
                visit(&mut comparison.first)?;
                comparison
                    .rest
                    .iter_mut()
                    .try_for_each(|(_, operand)| visit(operand))
            }
            Self::Condition(condition) => {
                visit(&mut condition.test)?;
                visit(&mut condition.then)?;
                condition.otherwise.iter_mut().try_for_each(visit)
            }
            Self::Attribute(attribute) => visit(&mut attribute.object),
            Self::Item(item) => {
                visit(&mut item.object)?;
                visit(&mut item.key)
            }
            Self::Slice(slice) => {
                visit(&mut slice.object)?;
                slice.start.iter_mut().try_for_each(&mut *visit)?;
                slice.stop.iter_mut().try_for_each(&mut *visit)?;
                slice.step.iter_mut().try_for_each(visit)
            }
            Self::Call(call) => {
                visit(&mut call.callee)?;
                call.arguments.each_mut(visit)
            }
            Self::Filter(filter) | Self::Test(filter) => {
                filter.subject.iter_mut().try_for_each(&mut *visit)?;
                filter.arguments.each_mut(visit)
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
            Self::For(for_loop) => {
                let mut bodies = vec![for_loop.body.statements.as_slice()];
                bodies.extend(
                    for_loop
                        .otherwise
                        .iter()
                        .map(|body| body.statements.as_slice()),
                );
                bodies
            }
            Self::SetBlock(set_block) => vec![&set_block.body.statements],
            Self::Macro(definition) => vec![&definition.signature.body.statements],
            Self::CallBlock(call_block) => vec![&call_block.signature.body.statements],
            Self::FilterBlock(_, body) | Self::Generation(body, _) => vec![&body.statements],
            Self::With(with_block) => vec![&with_block.body.statements],
            Self::Block(block) => vec![&block.body.statements],
            _ => Vec::new(),
        }
    }

    /// The expressions directly inside.
    pub(super) fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Print(expr, _) | Self::Set(_, expr, _) => vec![expr],
            Self::If(branches, _) => branches.iter().map(|(test, _)| test).collect(),
            Self::For(for_loop) => {
                let test = for_loop.test.iter().map(|test| &test.test);
                std::iter::once(&for_loop.iterable).chain(test).collect()
            }
            Self::SetBlock(set_block) => set_block.filter.iter().collect(),
            Self::Macro(definition) => definition.signature.defaults.iter().collect(),
            Self::CallBlock(call_block) => {
                let call = std::iter::once(&call_block.call);
                call.chain(&call_block.signature.defaults).collect()
            }
            Self::FilterBlock(filter, _) => {
                let named = filter.arguments.named.iter().map(|(_, value)| value);
                let all = filter.subject.iter().chain(&filter.arguments.positional);
                all.chain(named).collect()
            }
            Self::With(with_block) => with_block.values.iter().collect(),
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
            Self::For(for_loop) => {
                let mut entries = vec![&for_loop.once, &for_loop.body.entry];
                entries.extend(for_loop.otherwise.iter().map(|body| &body.entry));
                entries.extend(for_loop.test.iter().map(|test| &test.entry));
                entries
            }
            Self::SetBlock(set_block) => vec![&set_block.body.entry],
            Self::Macro(definition) => vec![&definition.signature.body.entry],
            Self::CallBlock(call_block) => vec![&call_block.signature.body.entry],
            Self::FilterBlock(_, body) | Self::Generation(body, _) => vec![&body.entry],
            Self::With(with_block) => vec![&with_block.body.entry],
            Self::Block(block) => vec![&block.body.entry],
            _ => Vec::new(),
        }
    }
}

/// The first statement that reads another template or filter that is refused: why, and where.
pub(super) fn unsupported(statements: &[Statement]) -> Option<(&'static str, u32)> {
    statements.iter().find_map(|statement| {
        let filter = |applied: &Applied| Some((refused(&applied.name)?, applied.at));
        match statement {
            Statement::OtherTemplate(at) => return Some((NO_LOADER, *at)),
            Statement::FilterBlock(applied, _) if let Some(found) = filter(applied) => {
                return Some(found);
            }
            _ => {}
        }
        let in_expressions = || {
            let mut expressions = statement.expressions().into_iter();
            expressions.find_map(Expr::refused_filter)
        };
        let in_bodies = || statement.bodies().into_iter().find_map(unsupported);
        in_expressions().or_else(in_bodies)
    })
}

impl Expr {
    /// Where a filter is that is refused, and why.
    fn refused_filter(&self) -> Option<(&'static str, u32)> {
        if let Self::Filter(filter) = self
            && let Some(why) = refused(&filter.name)
        {
            return Some((why, filter.at));
        }
        let mut found = None;
        let _ = self.each(&mut |child| {
            found = found.or_else(|| child.refused_filter());
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
            Expr::Filter(filter) if matches!(&*filter.name, "default" | "d") => {
                if let Some(Expr::Name(name)) = &filter.subject {
                    self.with.insert(&name.name);
                } else if let Some(subject) = &filter.subject {
                    self.expr(subject);
                }
                let _ = filter.arguments.each(&mut |argument| {
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
        if let Expr::Call(call) = expr
            && let Expr::Attribute(method) = &call.callee
        {
            // The name of a method is no key, but `get` is called with one.
            self.expr(&method.object);
            let key = call.arguments.positional.first();
            let key = key.filter(|_| &*method.name == "get");
            self.read.extend(key.and_then(constant));
            let _ = call.arguments.each(&mut |argument| {
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
            Expr::Attribute(attribute) if !is_loop(&attribute.object) => {
                self.read.push(&attribute.name);
            }
            Expr::Item(item) => self.read.extend(constant(&item.key)),
            Expr::Dict(pairs, _) => {
                let keys = pairs.iter().filter_map(|(key, _)| constant(key));
                self.made.extend(keys);
            }
            Expr::Call(call) => {
                if let Expr::Name(name) = &call.callee
                    && matches!(&*name.name, "namespace" | "dict")
                {
                    let named = call.arguments.named.iter();
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
