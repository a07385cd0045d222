//! Evaluates expressions. Calls and attributes are in separate files.

use std::sync::Arc;

use super::ast::{Applied, Comparison, Condition, Expr, Relation};
use super::error::{Result, fail};
use super::interpreter::Interpreter;
use super::iterate::Iter;
use super::undefined::Undefined;
use super::value::{Value, binary, charge_key, compare, contains, equal, negate, positive, text};

impl Interpreter<'_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, expr: &Expr) -> Result<Value> {
        match expr {
            Expr::Const(value) => Ok(value.clone()),
            Expr::Name(name) => {
                if let Some(trace) = &mut self.trace {
                    trace.read_slot(&self.frames.slot_address(name.slot));
                }
                Ok(self.get(name.slot).clone())
            }
            Expr::Attribute(_) | Expr::Item(_) if self.trace.is_none() => {
                if let Some((value, steps)) = self.frames.look(expr) {
                    self.budget.steps(steps)?;
                    return Ok(value.clone());
                }
                self.eval_deeper(expr)
            }
            _ => self.eval_deeper(expr),
        }
    }

    fn eval_deeper(&mut self, expr: &Expr) -> Result<Value> {
        self.budget.step()?;
        self.budget.descend()?;
        let value = self.eval_composite(expr)?;
        self.budget.rise();
        Ok(value)
    }

    fn eval_composite(&mut self, expr: &Expr) -> Result<Value> {
        match expr {
            Expr::Const(value) => Ok(value.clone()),
            Expr::Name(name) => Ok(self.get(name.slot).clone()),
            Expr::Attribute(attribute) => {
                let object = self.eval(&attribute.object)?;
                self.attribute(&object, &attribute.name)
                    .map_err(|error| error.at(attribute.at))
            }
            Expr::Item(item) => {
                let object = self.eval(&item.object)?;
                if let Expr::Const(key) = &item.key {
                    return self.item(&object, key).map_err(|error| error.at(item.at));
                }
                let key = self.eval(&item.key)?;
                self.item(&object, &key).map_err(|error| error.at(item.at))
            }
            Expr::Slice(_) => self.eval_slice(expr),
            Expr::Call(call) => self.call_expr(call, None),
            Expr::Filter(filter) => {
                let subject = match &filter.subject {
                    Some(subject) => self.eval(subject)?,
                    None => Value::str(""),
                };
                self.apply(filter, subject, "filter")
            }
            Expr::Test(test) => self.eval_test(test),
            Expr::Compare(comparison) => self.eval_comparison(comparison).map(Value::Bool),
            Expr::Not(operand) => Ok(Value::Bool(!self.condition(operand)?)),
            Expr::And(operands) => self.eval_until(operands, false),
            Expr::Or(operands) => self.eval_until(operands, true),
            Expr::Condition(condition) => self.eval_condition(condition),
            Expr::Chain(chain) => {
                let mut value = self.eval(&chain.first)?;
                for (operator, operand, at) in &chain.rest {
                    let right = self.eval(operand)?;
                    value = binary(*operator, &value, &right, &mut self.budget)
                        .map_err(|error| error.at(*at))?;
                }
                Ok(value)
            }
            Expr::Concat(operands) => {
                let values = self.eval_all(operands)?;
                let mut joined = String::new();
                for value in &values {
                    text(value, &mut joined, &mut self.budget)?;
                }
                Ok(Value::str(joined))
            }
            Expr::List(items) => Value::list(self.eval_all(items)?),
            Expr::Tuple(items) => Value::tuple(self.eval_all(items)?),
            Expr::Dict(pairs, at) => {
                self.budget.make_entries(pairs.len())?;
                let mut evaluated = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    let key = self.eval(key)?;
                    charge_key(&key, &mut self.budget)?;
                    evaluated.push((key, self.eval(value)?));
                }
                Value::dict(evaluated).map_err(|error| error.at(*at))
            }
            Expr::Negate(operand, at) => {
                let value = self.eval(operand)?;
                negate(&value).map_err(|error| error.at(*at))
            }
            Expr::Positive(operand, at) => {
                let value = self.eval(operand)?;
                positive(&value).map_err(|error| error.at(*at))
            }
        }
    }

    pub(super) fn eval_all(&mut self, items: &[Expr]) -> Result<Vec<Value>> {
        self.budget.make_items(items.len())?;
        items.iter().map(|item| self.eval(item)).collect()
    }

    /// The truth of an expression, without making a value of what is only looked at.
    pub(super) fn condition(&mut self, expr: &Expr) -> Result<bool> {
        match expr {
            Expr::Name(_) | Expr::Attribute(_) | Expr::Item(_) if self.trace.is_none() => {
                if let Some((value, steps)) = self.frames.look(expr) {
                    self.budget.steps(1 + steps)?;
                    return Ok(value.truth());
                }
                Ok(self.eval(expr)?.truth())
            }
            Expr::Not(operand) => Ok(!self.condition(operand)?),
            Expr::Compare(comparison) => self.eval_comparison(comparison),
            Expr::And(operands) => {
                for operand in operands {
                    if !self.condition(operand)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Expr::Or(operands) => {
                for operand in operands {
                    if self.condition(operand)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            other => Ok(self.eval(other)?.truth()),
        }
    }

    /// The first operand whose truth is `wanted`, or the last.
    fn eval_until(&mut self, operands: &[Expr], wanted: bool) -> Result<Value> {
        let mut last = Value::None;
        for operand in operands {
            last = self.eval(operand)?;
            if last.truth() == wanted {
                break;
            }
        }
        Ok(last)
    }

    fn eval_condition(&mut self, condition: &Condition) -> Result<Value> {
        if self.condition(&condition.test)? {
            return self.eval(&condition.then);
        }
        match &condition.otherwise {
            Some(otherwise) => self.eval(otherwise),
            None => Ok(Value::Undefined(Undefined::hint(format!(
                "the inline if-expression on line {} evaluated to false and no else section was \
                 defined.",
                condition.line
            )))),
        }
    }

    fn eval_comparison(&mut self, compared: &Comparison) -> Result<bool> {
        // Against a constant text, which is what nearly all comparisons are.
        if let [(relation @ (Relation::Equal | Relation::NotEqual), Expr::Const(constant))] =
            compared.rest.as_slice()
        {
            self.budget.step()?;
            let evaluated;
            let left = match self.frames.look(&compared.first) {
                Some((value, steps)) if self.trace.is_none() => {
                    self.budget.steps(steps)?;
                    value
                }
                _ => {
                    evaluated = self.eval(&compared.first)?;
                    &evaluated
                }
            };
            let same = match (left, constant) {
                (Value::Str(a), Value::Str(b)) => {
                    self.budget.compare(a, b)?;
                    a == b
                }
                _ => equal(left, constant, &mut self.budget)?,
            };
            return Ok(same == (*relation == Relation::Equal));
        }
        let comparison = self.observed_comparison(compared);
        let mut left = self.eval(&compared.first)?;
        for (relation, operand) in &compared.rest {
            let right = self.eval(operand)?;
            let holds = self
                .related(*relation, &left, &right)
                .map_err(|error| error.at(compared.at))?;
            if let Some(comparison) = &comparison {
                self.record_comparison(comparison, *relation, (&left, &right));
            }
            if !holds {
                return Ok(false);
            }
            left = right;
        }
        Ok(true)
    }

    fn related(&mut self, relation: Relation, left: &Value, right: &Value) -> Result<bool> {
        match relation {
            Relation::Equal => equal(left, right, &mut self.budget),
            Relation::NotEqual => equal(left, right, &mut self.budget).map(|same| !same),
            Relation::Order(order) => compare(order, left, right, &mut self.budget),
            Relation::In => self.is_in(right, left),
            Relation::NotIn => self.is_in(right, left).map(|found| !found),
        }
    }

    /// `needle in haystack`; a generator is used up to the item found.
    pub(super) fn is_in(&mut self, haystack: &Value, needle: &Value) -> Result<bool> {
        if let Value::Generator(_) = haystack {
            let mut iter = Iter::of(haystack)?;
            while let Some(item) = iter.next(self)? {
                if equal(&item, needle, &mut self.budget)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        contains(haystack, needle, &mut self.budget)
    }

    fn eval_test(&mut self, applied: &Applied) -> Result<Value> {
        if let (Some(holds), Some(subject)) = (applied.holds, &applied.subject) {
            if self.trace.is_none()
                && let Some((value, steps)) = self.frames.look(subject)
            {
                self.budget.steps(steps)?;
                return Ok(Value::Bool(holds(value)));
            }
            return Ok(Value::Bool(holds(&self.eval(subject)?)));
        }
        let subject = match &applied.subject {
            Some(subject) => self.eval(subject)?,
            None => Value::None,
        };
        self.apply(applied, subject, "test")
    }

    fn apply(&mut self, applied: &Applied, subject: Value, what: &str) -> Result<Value> {
        let Some(function) = applied.function else {
            return fail!(Runtime, "No {what} named '{}' found.", applied.name)
                .map_err(|error| error.at(applied.at));
        };
        let args = self.arguments(&applied.arguments)?;
        function(self, subject, args).map_err(|error| error.at(applied.at))
    }

    /// The filters of a block, the innermost on what the block wrote.
    pub(super) fn filter_chain(&mut self, applied: &Applied, captured: String) -> Result<Value> {
        let subject = match &applied.subject {
            Some(Expr::Filter(inner)) => self.filter_chain(inner, captured)?,
            _ => Value::str(captured),
        };
        self.apply(applied, subject, "filter")
    }

    /// Follows a path of names and indices, as filters with an `attribute` do.
    pub(super) fn path(
        &mut self,
        item: Value,
        parts: &[Value],
        default: Option<&Value>,
    ) -> Result<Value> {
        let mut item = item;
        self.budget.steps(parts.len() as u64)?;
        for part in parts {
            item = self.item(&item, part)?;
            if let (Value::Undefined(_), Some(default)) = (&item, default) {
                item = default.clone();
            }
        }
        Ok(item)
    }

    /// `str(value)`.
    pub(super) fn text_of(&mut self, value: &Value) -> Result<Arc<str>> {
        if let Value::Str(text) | Value::Markup(text) = value {
            return Ok(Arc::clone(text));
        }
        let mut out = String::new();
        text(value, &mut out, &mut self.budget)?;
        Ok(out.into())
    }
}
