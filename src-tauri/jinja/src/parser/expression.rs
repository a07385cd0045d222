//! Jinja's expressions, from the conditional down to names and literals.

use std::sync::Arc;

use super::super::ast::{Chain, Comparison, Condition, Expr, Name, Relation, Slot};
use super::super::error::{Error, ErrorKind, Result};
use super::super::lexer::Kind;
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

    /// Expressions separated by commas make a tuple; a single one is returned as it is.
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

    pub(super) fn check_chain(&self, count: usize) -> Result<()> {
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
        let rest = joined(rest);
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

    pub(super) fn primary(&mut self) -> Result<Expr> {
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
}

/// Texts that are added one after the other are added at once: `x + 'a' + 'b'` as `x + 'ab'`, which
/// is the same for every `x`.
fn joined(rest: Vec<(Operator, Expr, u32)>) -> Vec<(Operator, Expr, u32)> {
    let constant = |one: &(Operator, Expr, u32)| match one {
        (Operator::Add, Expr::Const(Value::Str(text)), _) => Some(Arc::clone(text)),
        _ => None,
    };
    let mut all = Vec::with_capacity(rest.len());
    let mut rest = rest.into_iter().peekable();
    while let Some(one) = rest.next() {
        let next = rest.peek().and_then(constant);
        let (Some(first), Some(_)) = (constant(&one), next) else {
            all.push(one);
            continue;
        };
        let mut text = first.to_string();
        while let Some(more) = rest.peek().and_then(constant) {
            text.push_str(&more);
            rest.next();
        }
        all.push((Operator::Add, Expr::Const(Value::str(text)), one.2));
    }
    all
}
