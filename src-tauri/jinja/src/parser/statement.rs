//! The statements of Jinja, each from its tag to its end tag.

use std::sync::Arc;

use super::super::ast::{
    Applied, Block, Body, CallBlock, Expr, For, LoopTest, Macro, SetBlock, Signature, Statement,
    With,
};
use super::super::error::{Error, ErrorKind, Result};
use super::super::filters;
use super::super::lexer::Kind;
use super::{Parser, quoted_list};

impl Parser<'_> {
    pub(super) fn statement(
        &mut self,
        ends: &[&'static str],
        into: &mut Vec<Statement>,
    ) -> Result<()> {
        let at = self.at();
        let Kind::Name(tag) = self.kind().clone() else {
            return Err(self.error("tag name expected"));
        };
        self.advance();
        into.push(match &*tag {
            "for" => self.for_loop(at)?,
            "if" => self.condition()?,
            "set" => self.set(at)?,
            "macro" => self.macro_definition()?,
            "call" => self.call_block(at)?,
            "filter" => self.filter_block()?,
            "with" => self.with()?,
            "block" => self.block()?,
            "print" => return self.print(at, into),
            "generation" => {
                let (body, _) = self.body_until(&["endgeneration"])?;
                Statement::Generation(plain(body), at)
            }
            "break" | "continue" if self.loops == 0 => {
                return Err(Error::new(ErrorKind::Syntax, format!("'{tag}' outside loop")).at(at));
            }
            "break" => Statement::Break,
            "continue" => Statement::Continue,
            "include" | "import" | "from" | "extends" => self.other_template(at)?,
            "autoescape" => {
                self.expression(true)?;
                self.body_until(&["endautoescape"])?;
                Statement::Autoescape(at)
            }
            other => {
                let message = if ends.is_empty() {
                    format!("Encountered unknown tag '{other}'.")
                } else {
                    format!(
                        "Encountered unknown tag '{other}'. Jinja was looking for the following \
                         tags: {}.",
                        quoted_list(ends)
                    )
                };
                return Err(Error::new(ErrorKind::Syntax, message).at(at));
            }
        });
        Ok(())
    }

    pub(super) fn other_template(&mut self, at: u32) -> Result<Statement> {
        while !matches!(self.kind(), Kind::BlockEnd) {
            if matches!(self.advance(), Kind::End) {
                return Err(self.unexpected("end of statement block"));
            }
        }
        Ok(Statement::OtherTemplate(at))
    }

    pub(super) fn print(&mut self, at: u32, into: &mut Vec<Statement>) -> Result<()> {
        let mut first = true;
        while !matches!(self.kind(), Kind::BlockEnd) {
            if !std::mem::take(&mut first) {
                self.expect_operator(",")?;
            }
            into.push(Statement::Print(self.expression(true)?, at));
        }
        Ok(())
    }

    pub(super) fn for_loop(&mut self, at: u32) -> Result<Statement> {
        let target = self.target(true, &["in"], false)?;
        if !self.skip_name("in") {
            return Err(self.unexpected("in"));
        }
        let iterable = self.tuple(false, &["recursive"], false)?;
        let test = match self.skip_name("if") {
            true => Some(Box::new(LoopTest {
                entry: Vec::new(),
                target: target.clone(),
                test: self.expression(true)?,
            })),
            false => None,
        };
        let recursive = self.skip_name("recursive");
        self.loops += 1;
        let (body, end) = self.body_until(&["endfor", "else"])?;
        self.loops -= 1;
        let otherwise = match end {
            "else" => Some(plain(self.body_until(&["endfor"])?.0)),
            _ => None,
        };
        Ok(Statement::For(Arc::new(For {
            target,
            iterable,
            test,
            recursive,
            loop_slot: None,
            guard: None,
            once: Vec::new(),
            body: plain(body),
            otherwise,
            function: 0,
            at,
        })))
    }

    pub(super) fn condition(&mut self) -> Result<Statement> {
        let mut branches = Vec::new();
        loop {
            let test = self.tuple(false, &[], false)?;
            let (body, end) = self.body_until(&["elif", "else", "endif"])?;
            branches.push((test, body));
            match end {
                "elif" => {}
                "else" => {
                    let (otherwise, _) = self.body_until(&["endif"])?;
                    return Ok(Statement::If(branches, otherwise));
                }
                _ => return Ok(Statement::If(branches, Vec::new())),
            }
        }
    }

    pub(super) fn set(&mut self, at: u32) -> Result<Statement> {
        let target = self.target(true, &[], true)?;
        if self.skip_operator("=") {
            let value = self.tuple(true, &[], false)?;
            return Ok(Statement::Set(target, value, at));
        }
        let mut filter = None;
        while self.skip_operator("|") {
            filter = Some(self.one_filter(filter)?);
        }
        let (body, _) = self.body_until(&["endset"])?;
        Ok(Statement::SetBlock(Box::new(SetBlock {
            target,
            filter,
            body: plain(body),
            at,
        })))
    }

    pub(super) fn signature(&mut self) -> Result<Signature> {
        let mut signature = Signature::default();
        self.expect_operator("(")?;
        while !self.is_operator(")") {
            if !signature.parameters.is_empty() {
                self.expect_operator(",")?;
            }
            let parameter = self.store_name()?;
            if self.skip_operator("=") {
                signature.defaults.push(self.expression(true)?);
            } else if !signature.defaults.is_empty() {
                return Err(self.error("non-default argument follows default argument"));
            }
            signature.parameters.push(parameter);
        }
        self.expect_operator(")")?;
        Ok(signature)
    }

    /// The body of a function: it is not inside the loops around it.
    pub(super) fn function_body(&mut self, end: &'static str) -> Result<Body> {
        let loops = std::mem::take(&mut self.loops);
        let (body, _) = self.body_until(&[end])?;
        self.loops = loops;
        Ok(plain(body))
    }

    pub(super) fn macro_definition(&mut self) -> Result<Statement> {
        let name = self.store_name()?;
        let mut signature = self.signature()?;
        signature.body = self.function_body("endmacro")?;
        Ok(Statement::Macro(Box::new(Macro {
            name,
            signature: Arc::new(signature),
        })))
    }

    pub(super) fn call_block(&mut self, at: u32) -> Result<Statement> {
        let mut signature = match self.is_operator("(") {
            true => self.signature()?,
            false => Signature::default(),
        };
        let call = self.expression(true)?;
        if !matches!(call, Expr::Call(_)) {
            return Err(Error::new(ErrorKind::Syntax, "expected call").at(at));
        }
        signature.body = self.function_body("endcall")?;
        Ok(Statement::CallBlock(Box::new(CallBlock {
            call,
            signature: Arc::new(signature),
            at,
        })))
    }

    pub(super) fn filter_block(&mut self) -> Result<Statement> {
        let mut filter = self.one_filter(None)?;
        while self.skip_operator("|") {
            filter = self.one_filter(Some(filter))?;
        }
        let (body, _) = self.body_until(&["endfilter"])?;
        match filter {
            Expr::Filter(filter) => Ok(Statement::FilterBlock(filter, plain(body))),
            _ => Err(self.error("expected a filter")),
        }
    }

    pub(super) fn with(&mut self) -> Result<Statement> {
        let mut with = With::default();
        while !matches!(self.kind(), Kind::BlockEnd) {
            if !with.targets.is_empty() {
                self.expect_operator(",")?;
            }
            with.targets.push(self.target(true, &[], false)?);
            self.expect_operator("=")?;
            with.values.push(self.expression(true)?);
        }
        let (body, _) = self.body_until(&["endwith"])?;
        with.body = plain(body);
        Ok(Statement::With(Box::new(with)))
    }

    pub(super) fn block(&mut self) -> Result<Statement> {
        let name = self.expect_name()?;
        self.skip_name("scoped");
        self.skip_name("required");
        let body = self.function_body("endblock")?;
        if self.is_name(&name) {
            self.advance();
        }
        Ok(Statement::Block(Box::new(Block { function: 0, body })))
    }

    /// One filter after its bar: name and arguments.
    pub(super) fn one_filter(&mut self, subject: Option<Expr>) -> Result<Expr> {
        let at = self.at();
        let name = self.dotted_name()?;
        let arguments = match self.is_operator("(") {
            true => self.arguments()?,
            false => super::super::ast::Arguments::default(),
        };
        Ok(Expr::Filter(Box::new(Applied {
            subject,
            function: filters::lookup(&name),
            holds: None,
            name,
            arguments,
            at,
        })))
    }

    pub(super) fn dotted_name(&mut self) -> Result<Arc<str>> {
        let mut name = self.expect_name()?;
        while self.skip_operator(".") {
            name = format!("{name}.{}", self.expect_name()?).into();
        }
        Ok(name)
    }
}

fn plain(statements: Vec<Statement>) -> Body {
    Body {
        entry: Vec::new(),
        statements,
    }
}
