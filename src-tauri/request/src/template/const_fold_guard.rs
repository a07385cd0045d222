//! The compiler computes constants while it compiles, before anything is counted. This module
//! computes how large a constant would become, so that `'x' * 99999999` is refused before that.

use minijinja::{
    Error,
    machinery::ast::{BinOpKind, Call, CallArg, Expr, Stmt},
};

use super::budget;

/// The longest text or list a constant expression may make, in bytes or entries.
const MAX_LENGTH: u128 = 1 << 16;

/// Upper bounds of a constant: its length when it is a text or list, its amount when a number.
#[derive(Clone, Copy, Default)]
struct Bound {
    length: u128,
    amount: u128,
}

/// Refuses a template with a constant that grows too large.
pub fn check(tree: &Stmt<'_>) -> Result<(), Error> {
    statement(tree)
}

fn statements(body: &[Stmt<'_>]) -> Result<(), Error> {
    body.iter().try_for_each(statement)
}

fn statement(stmt: &Stmt<'_>) -> Result<(), Error> {
    match stmt {
        Stmt::Template(node) => statements(&node.children),
        Stmt::EmitExpr(node) => expression(&node.expr).map(drop),
        Stmt::ForLoop(node) => {
            expression(&node.iter)?;
            node.filter_expr
                .iter()
                .try_for_each(|e| expression(e).map(drop))?;
            statements(&node.body)?;
            statements(&node.else_body)
        }
        Stmt::IfCond(node) => {
            expression(&node.expr)?;
            statements(&node.true_body)?;
            statements(&node.false_body)
        }
        Stmt::WithBlock(node) => {
            for (_, value) in &node.assignments {
                expression(value)?;
            }
            statements(&node.body)
        }
        Stmt::Set(node) => expression(&node.expr).map(drop),
        Stmt::SetBlock(node) => {
            node.filter
                .iter()
                .try_for_each(|e| expression(e).map(drop))?;
            statements(&node.body)
        }
        Stmt::AutoEscape(node) => {
            expression(&node.enabled)?;
            statements(&node.body)
        }
        Stmt::FilterBlock(node) => {
            expression(&node.filter)?;
            statements(&node.body)
        }
        Stmt::Block(node) => statements(&node.body),
        Stmt::Macro(node) => {
            node.defaults
                .iter()
                .try_for_each(|e| expression(e).map(drop))?;
            statements(&node.body)
        }
        Stmt::CallBlock(node) => {
            call(&node.call)?;
            node.macro_decl
                .defaults
                .iter()
                .try_for_each(|e| expression(e).map(drop))?;
            statements(&node.macro_decl.body)
        }
        Stmt::Do(node) => call(&node.call),
        Stmt::Extends(node) => expression(&node.name).map(drop),
        Stmt::Include(node) => expression(&node.name).map(drop),
        Stmt::Import(node) => expression(&node.expr).map(drop),
        Stmt::FromImport(node) => expression(&node.expr).map(drop),
        // No expression inside.
        Stmt::EmitRaw(_) => Ok(()),
    }
}

fn call(call: &Call<'_>) -> Result<(), Error> {
    expression(&call.expr)?;
    arguments(&call.args)
}

fn arguments(args: &[CallArg<'_>]) -> Result<(), Error> {
    args.iter().try_for_each(|arg| match arg {
        CallArg::Pos(value)
        | CallArg::Kwarg(_, value)
        | CallArg::PosSplat(value)
        | CallArg::KwargSplat(value) => expression(value).map(drop),
    })
}

/// The bound of an expression, `None` when it is not constant.
fn expression(expr: &Expr<'_>) -> Result<Option<Bound>, Error> {
    let bound = match expr {
        Expr::Const(node) => Some(Bound {
            length: node.value.as_str().map_or(0, |text| text.len() as u128),
            amount: i128::try_from(node.value.clone()).map_or(1, i128::unsigned_abs),
        }),
        Expr::List(node) => entries(node.items.iter())?,
        Expr::Tuple(node) => entries(node.items.iter())?,
        Expr::Map(node) => entries(node.keys.iter().chain(&node.values))?,
        Expr::UnaryOp(node) => expression(&node.expr)?,
        Expr::BinOp(node) => {
            let (left, right) = (expression(&node.left)?, expression(&node.right)?);
            left.zip(right)
                .map(|(left, right)| combined(node.op, left, right))
        }
        Expr::Compare(node) => {
            let mut constant = expression(&node.expr)?.is_some();
            for op in &node.ops {
                constant &= expression(&op.expr)?.is_some();
            }
            constant.then_some(Bound {
                length: 0,
                amount: 1,
            })
        }
        Expr::Var(_) => None,
        Expr::Slice(node) => {
            for part in [
                Some(&node.expr),
                node.start.as_ref(),
                node.stop.as_ref(),
                node.step.as_ref(),
            ] {
                part.map(expression).transpose()?;
            }
            None
        }
        Expr::IfExpr(node) => {
            for part in [
                Some(&node.test_expr),
                Some(&node.true_expr),
                node.false_expr.as_ref(),
            ] {
                part.map(expression).transpose()?;
            }
            None
        }
        Expr::Filter(node) => {
            node.expr.as_ref().map(expression).transpose()?;
            arguments(&node.args)?;
            None
        }
        Expr::Test(node) => {
            expression(&node.expr)?;
            arguments(&node.args)?;
            None
        }
        Expr::GetAttr(node) => {
            expression(&node.expr)?;
            None
        }
        Expr::GetItem(node) => {
            expression(&node.expr)?;
            expression(&node.subscript_expr)?;
            None
        }
        Expr::Call(node) => {
            call(node)?;
            None
        }
    };
    match bound {
        Some(bound) if bound.length > MAX_LENGTH => Err(budget::limit(&format!(
            "a constant longer than {} KiB",
            MAX_LENGTH >> 10
        ))),
        bound => Ok(bound),
    }
}

fn entries<'a, 'source: 'a>(
    mut items: impl Iterator<Item = &'a Expr<'source>>,
) -> Result<Option<Bound>, Error> {
    items.try_fold(Some(Bound::default()), |sum, item| {
        let item = expression(item)?;
        Ok(sum.zip(item).map(|(sum, item)| Bound {
            length: sum.length + item.length + 1,
            amount: 0,
        }))
    })
}

fn combined(op: BinOpKind, left: Bound, right: Bound) -> Bound {
    match op {
        BinOpKind::Mul => Bound {
            length: left
                .length
                .saturating_mul(right.amount)
                .max(right.length.saturating_mul(left.amount)),
            amount: left.amount.saturating_mul(right.amount),
        },
        BinOpKind::Pow => Bound {
            length: 0,
            amount: left
                .amount
                .saturating_pow(u32::try_from(right.amount).unwrap_or(u32::MAX)),
        },
        // A number written out takes 40 digits at most.
        _ => Bound {
            length: left.length.saturating_add(right.length).saturating_add(
                if matches!(op, BinOpKind::Concat) {
                    80
                } else {
                    0
                },
            ),
            amount: left.amount.saturating_add(right.amount),
        },
    }
}
