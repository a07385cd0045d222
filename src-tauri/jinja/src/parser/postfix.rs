//! What follows an operand: attributes, subscripts, calls with their arguments, filters and tests.

use std::sync::Arc;

use super::super::ast::{Applied, Arguments, Attribute, Call, Expr, Item, Slice};
use super::super::error::{Error, ErrorKind, Result};
use super::super::lexer::Kind;
use super::super::methods;
use super::super::tests;
use super::super::value::Value;
use super::Parser;

impl Parser<'_> {
    pub(super) fn postfix(&mut self, mut expr: Expr) -> Result<Expr> {
        let mut count = 0;
        loop {
            count += 1;
            self.check_chain(count)?;
            let at = self.at();
            match self.kind() {
                Kind::Operator(".") => {
                    self.advance();
                    match self.advance() {
                        Kind::Name(name) => {
                            expr = Expr::Attribute(Box::new(Attribute {
                                object: expr,
                                plain: methods::is_plain(&name),
                                name,
                                at,
                            }));
                        }
                        Kind::Const(index @ (Value::Int(_) | Value::Big(_))) => {
                            expr = Expr::Item(Box::new(Item {
                                object: expr,
                                key: Expr::Const(index),
                                at,
                            }));
                        }
                        _ => return Err(self.error("expected name or number").at(at)),
                    }
                }
                Kind::Operator("[") => expr = self.subscript(expr, at)?,
                Kind::Operator("(") => expr = self.call(expr)?,
                _ => return Ok(expr),
            }
        }
    }

    pub(super) fn call(&mut self, callee: Expr) -> Result<Expr> {
        let at = self.at();
        let arguments = self.arguments()?;
        Ok(Expr::Call(Box::new(Call {
            callee,
            arguments,
            at,
        })))
    }

    pub(super) fn subscript(&mut self, object: Expr, at: u32) -> Result<Expr> {
        self.advance();
        let mut keys = Vec::new();
        while !self.is_operator("]") {
            if !keys.is_empty() {
                self.expect_operator(",")?;
            }
            let start = match self.is_operator(":") {
                true => None,
                false => Some(self.expression(true)?),
            };
            if !self.is_operator(":") {
                keys.extend(start);
                continue;
            }
            self.advance();
            let stop = match self.is_operator("]") || self.is_operator(":") {
                true => None,
                false => Some(self.expression(true)?),
            };
            let step = match self.skip_operator(":") && !self.is_operator("]") {
                true => Some(self.expression(true)?),
                false => None,
            };
            if !keys.is_empty() || !self.is_operator("]") {
                return Err(self.error("slices cannot be combined with other subscripts"));
            }
            self.advance();
            return Ok(Expr::Slice(Box::new(Slice {
                object,
                start,
                stop,
                step,
                at,
            })));
        }
        self.advance();
        let key = match keys.len() {
            1 => keys.remove(0),
            _ => Expr::Tuple(keys),
        };
        Ok(Expr::Item(Box::new(Item { object, key, at })))
    }

    pub(super) fn arguments(&mut self) -> Result<Arguments> {
        let at = self.at();
        self.expect_operator("(")?;
        let mut arguments = Arguments::default();
        let invalid = || {
            Error::new(
                ErrorKind::Syntax,
                "invalid syntax for function call expression",
            )
            .at(at)
        };
        let mut first = true;
        while !self.is_operator(")") {
            if !std::mem::take(&mut first) {
                self.expect_operator(",")?;
                if self.is_operator(")") {
                    break;
                }
            }
            if self.skip_operator("*") {
                if arguments.star.is_some() || arguments.star_star.is_some() {
                    return Err(invalid());
                }
                arguments.star = Some(Box::new(self.expression(true)?));
            } else if self.skip_operator("**") {
                if arguments.star_star.is_some() {
                    return Err(invalid());
                }
                arguments.star_star = Some(Box::new(self.expression(true)?));
            } else if let (Kind::Name(name), Kind::Operator("=")) = (self.kind(), self.peek()) {
                let name = Arc::clone(name);
                if arguments.star_star.is_some() {
                    return Err(invalid());
                }
                self.advance();
                self.advance();
                arguments.named.push((name, self.expression(true)?));
            } else {
                if arguments.star.is_some()
                    || arguments.star_star.is_some()
                    || !arguments.named.is_empty()
                {
                    return Err(invalid());
                }
                arguments.positional.push(self.expression(true)?);
            }
        }
        self.expect_operator(")")?;
        Ok(arguments)
    }

    pub(super) fn filters_and_tests(&mut self, mut expr: Expr) -> Result<Expr> {
        let mut count = 0;
        loop {
            count += 1;
            self.check_chain(count)?;
            if self.skip_operator("|") {
                expr = self.one_filter(Some(expr))?;
            } else if self.skip_name("is") {
                expr = self.test(expr)?;
            } else if self.is_operator("(") {
                expr = self.call(expr)?;
            } else {
                return Ok(expr);
            }
        }
    }

    pub(super) fn test(&mut self, subject: Expr) -> Result<Expr> {
        let negated = self.skip_name("not");
        let at = self.at();
        let name = self.dotted_name()?;
        let mut arguments = Arguments::default();
        match self.kind() {
            Kind::Operator("(") => arguments = self.arguments()?,
            Kind::Name(next) if matches!(&**next, "else" | "or" | "and") => {}
            Kind::Name(next) if &**next == "is" => {
                return Err(self.error("You cannot chain multiple tests with is"));
            }
            Kind::Name(_) | Kind::String(_) | Kind::Const(_) | Kind::Operator("[" | "{") => {
                let operand = self.primary()?;
                arguments.positional.push(self.postfix(operand)?);
            }
            _ => {}
        }
        let test = Expr::Test(Box::new(Applied {
            subject: Some(subject),
            function: tests::lookup(&name),
            holds: tests::plain(&name).filter(|_| arguments.is_empty()),
            name,
            arguments,
            at,
        }));
        Ok(if negated {
            Expr::Not(Box::new(test))
        } else {
            test
        })
    }
}
