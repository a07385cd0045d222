//! Writes what a `{{ }}` gives.

use super::ast::{Chain, Expr};
use super::error::Result;
use super::machine::Machine;
use super::value::{Operator, Value, binary, text};

impl Machine<'_> {
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
        if let Expr::Const(Value::Str(constant)) = expr {
            self.budget.make(constant.len())?;
            self.out.push_str(constant);
            return Ok(());
        }
        let value = self.eval(expr)?;
        text(&value, &mut self.out, &mut self.budget)
    }

    fn print_sum(&mut self, chain: &Chain) -> Result<()> {
        let mut rest = chain.rest.iter();
        let begin = self.out.len();
        let mut pending = self.eval(&chain.first)?;
        // While both sides are plain texts the left one can go out at once. Should an operand
        // print by itself meanwhile (no expression does) or fail, the rendering fails as a whole.
        while let Value::Str(left) = &pending {
            let Some((_, operand, at)) = rest.next() else {
                break;
            };
            let right = self.eval(operand)?;
            if matches!(right, Value::Str(_)) {
                self.budget.make(left.len())?;
                self.out.push_str(left);
                pending = right;
                continue;
            }
            let whole = Value::str(format!("{}{left}", &self.out[begin..]));
            self.out.truncate(begin);
            pending = binary(Operator::Add, &whole, &right, &mut self.budget)
                .map_err(|error| error.at(*at))?;
            break;
        }
        for (_, operand, at) in rest {
            let right = self.eval(operand)?;
            pending = binary(Operator::Add, &pending, &right, &mut self.budget)
                .map_err(|error| error.at(*at))?;
        }
        text(&pending, &mut self.out, &mut self.budget)
    }
}
