//! What a loop over the messages asks of the values that were there before it: nothing, how they
//! compare with integers, or everything. With other values the loop does the same as long as the
//! answers are the same.

use std::cmp::Ordering;
use std::sync::Arc;

use super::ast::{Chain, Comparison, Expr, Relation};
use super::interpreter::Interpreter;
use super::namespace::Namespace;
use super::value::{Order, Seq, Value};

/// What was asked of a value.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Asked {
    #[default]
    Nothing,
    /// Only comparisons with integers, which every integer from the first to the last answers alike.
    Between(i64, i64),
    Everything,
}

/// What happened to a variable or an attribute since the loop began.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    pub asked: Asked,
    /// It has a value of the loop: what is asked of that one does not matter.
    pub written: bool,
}

impl Seen {
    /// The value was read.
    #[inline]
    #[must_use]
    pub fn read(self) -> Self {
        Self {
            asked: match self.written {
                true => self.asked,
                false => Asked::Everything,
            },
            ..self
        }
    }

    /// The value was replaced.
    #[inline]
    #[must_use]
    pub fn replaced(self) -> Self {
        Self {
            written: true,
            ..self
        }
    }
}

/// Where a value is kept that may be compared.
enum Keeper {
    Variable(u16),
    Attribute(Arc<Namespace>, Arc<str>),
}

/// A comparison of a value that was there before the loop.
pub(super) struct Question {
    keeper: Keeper,
    /// What was asked of it before.
    asked: Asked,
    /// Whether it stands to the left.
    left: bool,
}

impl Interpreter<'_> {
    /// The question of a comparison, to be noted once its answer is known. Only for two operands of
    /// which the other one asks nothing of the same value.
    pub(super) fn question(&self, own: &Comparison) -> Option<Question> {
        self.recorder.as_ref()?;
        let [(relation, right)] = own.rest.as_slice() else {
            return None;
        };
        if matches!(relation, Relation::In | Relation::NotIn) {
            return None;
        }
        [(&own.first, right, true), (right, &own.first, false)]
            .into_iter()
            .filter(|(_, other, _)| self.is_number(other))
            .find_map(|(expr, _, left)| {
                let (keeper, seen) = self.keeper(expr)?;
                let asked = seen.asked;
                let open = !seen.written && asked != Asked::Everything;
                open.then_some(Question {
                    keeper,
                    asked,
                    left,
                })
            })
    }

    /// Notes what was asked instead of that everything was.
    pub(super) fn answered(
        &mut self,
        question: &Question,
        relation: Relation,
        (left, right): (&Value, &Value),
    ) {
        let (Value::Int(left), Value::Int(right)) = (left, right) else {
            return;
        };
        let (low, high) = match question.asked {
            Asked::Nothing => (i64::MIN, i64::MAX),
            Asked::Between(low, high) => (low, high),
            Asked::Everything => return,
        };
        let (own, other) = match question.left {
            true => (*left, *right),
            false => (*right, *left),
        };
        let (low, high) = narrowed(relation, question.left, (own, other), (low, high));
        self.note_asked(question, Asked::Between(low, high));
    }

    fn note_asked(&mut self, question: &Question, asked: Asked) {
        match &question.keeper {
            Keeper::Variable(index) => self.frames.note_asked(*index, asked),
            Keeper::Attribute(namespace, name) => namespace.note_asked(name, asked),
        }
    }

    /// Where an expression takes its value from, and what happened to that since the loop began.
    fn keeper(&self, expr: &Expr) -> Option<(Keeper, Seen)> {
        match expr {
            Expr::Name(name) => {
                let (index, seen) = self.frames.seen(name.slot)?;
                Some((Keeper::Variable(index), seen))
            }
            Expr::Attribute(own) => {
                let Expr::Name(name) = &own.object else {
                    return None;
                };
                let Value::Namespace(namespace) = self.frames.peek(name.slot) else {
                    return None;
                };
                let seen = namespace.seen(&own.name)?;
                let keeper = Keeper::Attribute(Arc::clone(namespace), Arc::clone(&own.name));
                Some((keeper, seen))
            }
            _ => None,
        }
    }

    /// Whether an operand is made of constants and positions in a loop.
    fn is_number(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(Value::Int(_)) => true,
            Expr::Attribute(own) => match &own.object {
                Expr::Name(name) => matches!(self.frames.peek(name.slot), Value::Loop(_)),
                _ => false,
            },
            Expr::Chain(chain) => {
                let Chain { first, rest } = &**chain;
                self.is_number(first) && rest.iter().all(|(_, operand, _)| self.is_number(operand))
            }
            _ => false,
        }
    }
}

/// The integers within limits that compare with the other operand as the own one does.
fn narrowed(
    relation: Relation,
    left: bool,
    (own, other): (i64, i64),
    (low, high): (i64, i64),
) -> (i64, i64) {
    match (relation, left) {
        // own < other, other > own, and what is true when they are not.
        (Relation::Order(Order::Less | Order::GreaterEqual), true)
        | (Relation::Order(Order::Greater | Order::LessEqual), false) => match own < other {
            true => (low, high.min(other - 1)),
            false => (low.max(other), high),
        },
        (Relation::Order(_), _) => match own > other {
            true => (low.max(other + 1), high),
            false => (low, high.min(other)),
        },
        _ => match own.cmp(&other) {
            Ordering::Less => (low, high.min(other - 1)),
            Ordering::Equal => (other, other),
            Ordering::Greater => (low.max(other + 1), high),
        },
    }
}

/// Whether a rendering does the same with either value, the namespaces of each being those that stand
/// at the same place of the two lists.
pub(super) fn interchangeable(
    (a, among): (&Value, &[Arc<Namespace>]),
    (b, others): (&Value, &[Arc<Namespace>]),
) -> bool {
    let alike = |a: &Value, b: &Value| interchangeable((a, among), (b, others));
    let items = |a: &Arc<Seq>, b: &Arc<Seq>| {
        let (mine, theirs) = (a.items_for_now(0), b.items_for_now(0));
        Arc::ptr_eq(a, b)
            || a.fields == b.fields
                && mine.len() == theirs.len()
                && mine.iter().zip(theirs).all(|(a, b)| alike(a, b))
    };
    match (a, b) {
        (Value::None, Value::None) => true,
        (Value::Undefined(a), Value::Undefined(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Big(a), Value::Big(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::Str(a), Value::Str(b)) | (Value::Markup(a), Value::Markup(b)) => a == b,
        // Whatever is asked of a watched list is noted by the list.
        (Value::List(a), Value::List(b)) => match (a.watched_from(), b.watched_from()) {
            (None, None) => items(a, b),
            (a, b) => a == b,
        },
        (Value::Tuple(a), Value::Tuple(b)) => items(a, b),
        (Value::Dict(a), Value::Dict(b)) => {
            Arc::ptr_eq(a, b)
                || a.len() == b.len()
                    && a.iter()
                        .zip(b.iter())
                        .all(|((k, v), (l, w))| alike(k, l) && alike(v, w))
        }
        (Value::Builtin(a), Value::Builtin(b)) => a == b,
        (Value::Bound(a), Value::Bound(b)) => a.name == b.name && alike(&a.receiver, &b.receiver),
        (Value::Macro(a), Value::Macro(b)) => {
            a.name == b.name && a.home == b.home && Arc::ptr_eq(&a.signature, &b.signature)
        }
        (Value::Namespace(a), Value::Namespace(b)) => {
            let at = |own: &Arc<Namespace>, all: &[Arc<Namespace>]| {
                all.iter().position(|one| Arc::ptr_eq(one, own))
            };
            at(a, among).is_some_and(|place| at(b, others) == Some(place))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_within_the_limits_give_the_same_answer() {
        let orders = [
            Order::Less,
            Order::LessEqual,
            Order::Greater,
            Order::GreaterEqual,
        ];
        let relations = orders.map(Relation::Order).into_iter();
        for relation in relations.chain([Relation::Equal, Relation::NotEqual]) {
            let holds = |left: i64, right: i64| match relation {
                Relation::Order(Order::Less) => left < right,
                Relation::Order(Order::LessEqual) => left <= right,
                Relation::Order(Order::Greater) => left > right,
                Relation::Order(Order::GreaterEqual) => left >= right,
                Relation::NotEqual => left != right,
                _ => left == right,
            };
            for (own, other, left) in (-3..=3).flat_map(|own| {
                (-3..=3).flat_map(move |other| [(own, other, true), (own, other, false)])
            }) {
                let answer = |value: i64| match left {
                    true => holds(value, other),
                    false => holds(other, value),
                };
                let (low, high) = narrowed(relation, left, (own, other), (-5, 5));
                assert!((low..=high).contains(&own));
                assert!((low..=high).all(|value| answer(value) == answer(own)));
                // None is left out that follows without a gap.
                assert!(low == -5 || answer(low - 1) != answer(own));
                assert!(high == 5 || answer(high + 1) != answer(own));
            }
        }
    }
}
