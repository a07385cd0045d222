//! Jinja's expressions, from the conditional down to names and literals.

use std::sync::Arc;

use super::super::ast::{
    Applied, Arguments, Attribute, Call, Chain, Comparison, Condition, Expr, Item, Name, Relation,
    Slice, Slot,
};
use super::super::error::{Error, ErrorKind, Result};
use super::super::lexer::Kind;
use super::super::tests;
use super::super::value::{Operator, Order, Value};
use super::{MAX_POSTFIX, Parser};

impl Parser<'_> {
    /// One expression; without the conditional form when `conditional` is false.
    pub(super) fn expression(&mut self, conditional: bool) -> Result<Expr> {
        self.descend()?;
        let expr = match conditional {
            true => self.conditional(),
            false => self.or(),
        };
        self.rise();
        expr
    }

    /// Expressions separated by commas make a tuple; a single one stands for itself.
    pub(super) fn tuple(
        &mut self,
        conditional: bool,
        ends: &[&str],
        parenthesized: bool,
    ) -> Result<Expr> {
        let mut items = Vec::new();
        let mut is_tuple = false;
        loop {
            if !items.is_empty() {
                self.expect_operator(",")?;
            }
            if self.at_tuple_end(ends) {
                break;
            }
            items.push(self.expression(conditional)?);
            if !self.is_operator(",") {
                break;
            }
            is_tuple = true;
        }
        if !is_tuple {
            if let Some(only) = items.pop() {
                return Ok(only);
            }
            if !parenthesized {
                return Err(self.error(format!(
                    "Expected an expression, got '{}'",
                    self.described()
                )));
            }
        }
        Ok(Expr::Tuple(items))
    }

    fn conditional(&mut self) -> Result<Expr> {
        let mut expr = self.or()?;
        let mut count = 0;
        loop {
            let at = self.at();
            if !self.skip_name("if") {
                return Ok(expr);
            }
            count += 1;
            self.check_chain(count)?;
            let test = self.or()?;
            let otherwise = match self.skip_name("else") {
                true => Some(self.expression(true)?),
                false => None,
            };
            expr = Expr::Condition(Box::new(Condition {
                test,
                then: expr,
                otherwise,
                line: self.line(at),
            }));
        }
    }

    fn check_chain(&self, count: usize) -> Result<()> {
        if count > MAX_POSTFIX {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("more than {MAX_POSTFIX} operations follow one another on one value"),
            )
            .at(self.at()));
        }
        Ok(())
    }

    fn or(&mut self) -> Result<Expr> {
        let first = self.and()?;
        let mut all = vec![first];
        while self.skip_name("or") {
            all.push(self.and()?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Expr::Or(all),
        })
    }

    fn and(&mut self) -> Result<Expr> {
        let first = self.not()?;
        let mut all = vec![first];
        while self.skip_name("and") {
            all.push(self.not()?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Expr::And(all),
        })
    }

    fn not(&mut self) -> Result<Expr> {
        if self.skip_name("not") {
            self.descend()?;
            let expr = self.not()?;
            self.rise();
            return Ok(Expr::Not(Box::new(expr)));
        }
        self.comparison()
    }

    fn relation(&mut self) -> Option<Relation> {
        let relation = match self.kind() {
            Kind::Operator("==") => Relation::Equal,
            Kind::Operator("!=") => Relation::NotEqual,
            Kind::Operator("<") => Relation::Order(Order::Less),
            Kind::Operator("<=") => Relation::Order(Order::LessEqual),
            Kind::Operator(">") => Relation::Order(Order::Greater),
            Kind::Operator(">=") => Relation::Order(Order::GreaterEqual),
            Kind::Name(name) if &**name == "in" => Relation::In,
            Kind::Name(name)
                if &**name == "not"
                    && matches!(self.peek(), Kind::Name(next) if &**next == "in") =>
            {
                self.advance();
                Relation::NotIn
            }
            _ => return None,
        };
        self.advance();
        Some(relation)
    }

    fn comparison(&mut self) -> Result<Expr> {
        let first = self.sum()?;
        let at = self.at();
        let mut rest = Vec::new();
        while let Some(relation) = self.relation() {
            rest.push((relation, self.sum()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr::Compare(Box::new(Comparison { first, rest, at })))
    }

    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Result<Expr>,
        operators: &[(&str, Operator)],
    ) -> Result<Expr> {
        let first = operand(self)?;
        let mut rest = Vec::new();
        loop {
            let at = self.at();
            let mut all = operators.iter();
            let Some((_, operator)) = all.find(|(sign, _)| self.is_operator(sign)) else {
                break;
            };
            self.advance();
            rest.push((*operator, operand(self)?, at));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr::Chain(Box::new(Chain { first, rest })))
    }

    fn sum(&mut self) -> Result<Expr> {
        self.chain(Self::concat, &[("+", Operator::Add), ("-", Operator::Sub)])
    }

    fn concat(&mut self) -> Result<Expr> {
        let first = self.product()?;
        let mut all = vec![first];
        while self.skip_operator("~") {
            all.push(self.product()?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Expr::Concat(all),
        })
    }

    fn product(&mut self) -> Result<Expr> {
        self.chain(
            Self::power,
            &[
                ("*", Operator::Mul),
                ("/", Operator::Div),
                ("//", Operator::FloorDiv),
                ("%", Operator::Mod),
            ],
        )
    }

    fn power(&mut self) -> Result<Expr> {
        self.chain(|parser| parser.unary(true), &[("**", Operator::Pow)])
    }

    fn unary(&mut self, filters: bool) -> Result<Expr> {
        let at = self.at();
        let mut expr = if self.skip_operator("-") {
            self.descend()?;
            let operand = self.unary(false)?;
            self.rise();
            Expr::Negate(Box::new(operand), at)
        } else if self.skip_operator("+") {
            self.descend()?;
            let operand = self.unary(false)?;
            self.rise();
            Expr::Positive(Box::new(operand), at)
        } else {
            self.primary()?
        };
        expr = self.postfix(expr)?;
        if filters {
            expr = self.filters_and_tests(expr)?;
        }
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr> {
        let at = self.at();
        match self.kind().clone() {
            Kind::Name(name) => {
                self.advance();
                Ok(match &*name {
                    "true" | "True" => Expr::Const(Value::Bool(true)),
                    "false" | "False" => Expr::Const(Value::Bool(false)),
                    "none" | "None" => Expr::Const(Value::None),
                    _ => Expr::Name(Name {
                        name,
                        slot: Slot::default(),
                        at,
                    }),
                })
            }
            Kind::String(text) => {
                self.advance();
                let mut whole = text;
                while let Kind::String(next) = self.kind().clone() {
                    self.advance();
                    whole = Arc::from(format!("{whole}{next}"));
                }
                Ok(Expr::Const(Value::Str(whole)))
            }
            Kind::Const(value) => {
                self.advance();
                Ok(Expr::Const(value))
            }
            Kind::Operator("(") => {
                self.advance();
                self.descend()?;
                let inner = self.tuple(true, &[], true)?;
                self.rise();
                self.expect_operator(")")?;
                Ok(inner)
            }
            Kind::Operator("[") => {
                self.advance();
                let items = self.separated("]", |parser| parser.expression(true))?;
                Ok(Expr::List(items))
            }
            Kind::Operator("{") => {
                self.advance();
                let pairs = self.separated("}", |parser| {
                    let key = parser.expression(true)?;
                    parser.expect_operator(":")?;
                    Ok((key, parser.expression(true)?))
                })?;
                Ok(Expr::Dict(pairs, at))
            }
            _ => Err(self.error(format!("unexpected '{}'", self.described()))),
        }
    }

    /// Items between commas up to the closing bracket; a trailing comma is fine.
    fn separated<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.is_operator(close) {
            if !items.is_empty() {
                self.expect_operator(",")?;
                if self.is_operator(close) {
                    break;
                }
            }
            items.push(item(self)?);
        }
        self.expect_operator(close)?;
        Ok(items)
    }

    fn postfix(&mut self, mut expr: Expr) -> Result<Expr> {
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

    fn call(&mut self, callee: Expr) -> Result<Expr> {
        let at = self.at();
        let arguments = self.arguments()?;
        Ok(Expr::Call(Box::new(Call {
            callee,
            arguments,
            at,
        })))
    }

    fn subscript(&mut self, object: Expr, at: u32) -> Result<Expr> {
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

    fn filters_and_tests(&mut self, mut expr: Expr) -> Result<Expr> {
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

    fn test(&mut self, subject: Expr) -> Result<Expr> {
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
