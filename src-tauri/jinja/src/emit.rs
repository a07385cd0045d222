//! Writes what a `{{ }}` gives.

use super::ast::{Chain, Expr};
use super::error::Result;
use super::interpreter::Interpreter;
use super::value::{Operator, Value, binary, text};

impl Interpreter<'_> {
    /// Prints an expression. Texts added up are written one after the other, never joined first.
    pub(super) fn print(&mut self, expr: &Expr) -> Result<()> {
        if let Expr::Chain(chain) = expr
            && chain
                .rest
                .iter()
                .all(|(operator, ..)| *operator == Operator::Add)
        {
            return self.print_sum(chain);
        }
        if self.print_in_place(expr)? {
            return Ok(());
        }
        let value = self.eval(expr)?;
        text(&value, &mut self.out, &mut self.budget)
    }

    /// Prints an existing text without copying it; returns whether it was one.
    fn print_in_place(&mut self, expr: &Expr) -> Result<bool> {
        // A trace needs the accesses that evaluation records.
        if self.trace.is_some() {
            return Ok(false);
        }
        let Some((Value::Str(text), steps)) = self.frames.look(expr) else {
            return Ok(false);
        };
        self.budget.steps(steps)?;
        self.budget.make(text.len())?;
        self.out.push_str(text);
        Ok(true)
    }

    /// Texts go out at once. When something else comes up, what went out is taken back and added
    /// to as any value is. Should an operand fail, the rendering fails as a whole.
    fn print_sum(&mut self, chain: &Chain) -> Result<()> {
        let begin = self.out.len();
        let first = std::iter::once((&chain.first, 0));
        let rest = chain.rest.iter().map(|(_, operand, at)| (operand, *at));
        let mut sum: Option<Value> = None;
        for (index, (operand, at)) in first.chain(rest).enumerate() {
            if sum.is_none() && self.print_in_place(operand)? {
                continue;
            }
            let value = self.eval(operand)?;
            sum = match (sum, value) {
                (None, Value::Str(text)) => {
                    self.budget.make(text.len())?;
                    self.out.push_str(&text);
                    None
                }
                (None, value) if index == 0 => Some(value),
                (before, value) => {
                    let before = before.unwrap_or_else(|| Value::str(&self.out[begin..]));
                    self.out.truncate(begin);
                    let sum = binary(Operator::Add, &before, &value, &mut self.budget);
                    Some(sum.map_err(|error| error.at(at))?)
                }
            };
        }
        match sum {
            Some(sum) => text(&sum, &mut self.out, &mut self.budget),
            None => Ok(()),
        }
    }
}
