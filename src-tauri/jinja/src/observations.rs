//! What a loop over the messages observes of values set before it: nothing, how they compare with
//! integers, or the whole value. The loop does the same with other values of the same observations.

use std::cmp::Ordering;
use std::sync::Arc;

use super::ast::{Chain, Comparison, Expr, Relation};
use super::interpreter::Interpreter;
use super::namespace::Namespace;
use super::value::{Order, Seq, Value};

/// What a loop has observed of a value.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Observed {
    #[default]
    Nothing,
    /// Only comparisons with integers; all have the same result for every integer in this range.
    IntRange(i64, i64),
    Value,
}

/// What happened to a variable or an attribute since the loop began.
#[derive(Clone, Copy, Default)]
pub(super) struct SlotUse {
    pub observed: Observed,
    /// The loop has assigned it; observations of that value do not count.
    pub written: bool,
}

impl SlotUse {
    /// The value was read.
    #[inline]
    #[must_use]
    pub fn read(self) -> Self {
        Self {
            observed: match self.written {
                true => self.observed,
                false => Observed::Value,
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

/// The variable or attribute whose value is compared.
enum ComparedSlot {
    Variable(u16),
    Attribute(Arc<Namespace>, Arc<str>),
}

/// A comparison of a value that was set before the loop.
pub(super) struct ObservedComparison {
    slot: ComparedSlot,
    /// What had been observed of it.
    observed: Observed,
    /// Whether it is the left operand.
    left: bool,
}

impl Interpreter<'_> {
    /// What to observe of a comparison once its result is known. None unless it has two operands, of
    /// which one is a value set before the loop and the other does not depend on it.
    pub(super) fn observed_comparison(
        &self,
        comparison: &Comparison,
    ) -> Option<ObservedComparison> {
        self.recorder.as_ref()?;
        let [(relation, right)] = comparison.rest.as_slice() else {
            return None;
        };
        if matches!(relation, Relation::In | Relation::NotIn) {
            return None;
        }
        [
            (&comparison.first, right, true),
            (right, &comparison.first, false),
        ]
        .into_iter()
        .filter(|(_, other, _)| self.is_number(other))
        .find_map(|(expr, _, left)| {
            let (slot, slot_use) = self.compared_slot(expr)?;
            let observed = slot_use.observed;
            let open = !slot_use.written && observed != Observed::Value;
            open.then_some(ObservedComparison {
                slot,
                observed,
                left,
            })
        })
    }

    /// Narrows the observed range by a comparison's operands. Evaluating the operand has marked its
    /// whole value as observed, which this replaces.
    pub(super) fn record_comparison(
        &mut self,
        comparison: &ObservedComparison,
        relation: Relation,
        (left, right): (&Value, &Value),
    ) {
        let (Value::Int(left), Value::Int(right)) = (left, right) else {
            return;
        };
        let (low, high) = match comparison.observed {
            Observed::Nothing => (i64::MIN, i64::MAX),
            Observed::IntRange(low, high) => (low, high),
            Observed::Value => return,
        };
        let (observed, other) = match comparison.left {
            true => (*left, *right),
            false => (*right, *left),
        };
        let (low, high) = narrowed(relation, comparison.left, (observed, other), (low, high));
        self.set_observed(comparison, Observed::IntRange(low, high));
    }

    fn set_observed(&mut self, comparison: &ObservedComparison, observed: Observed) {
        match &comparison.slot {
            ComparedSlot::Variable(index) => self.frames.set_observed(*index, observed),
            ComparedSlot::Attribute(namespace, name) => namespace.set_observed(name, observed),
        }
    }

    /// The slot that an expression reads, and what happened to it since the loop began.
    fn compared_slot(&self, expr: &Expr) -> Option<(ComparedSlot, SlotUse)> {
        match expr {
            Expr::Name(name) => {
                let (index, slot_use) = self.frames.slot_use(name.slot)?;
                Some((ComparedSlot::Variable(index), slot_use))
            }
            Expr::Attribute(attribute) => {
                let Expr::Name(name) = &attribute.object else {
                    return None;
                };
                let Value::Namespace(namespace) = self.frames.peek(name.slot) else {
                    return None;
                };
                let slot_use = namespace.slot_use(&attribute.name)?;
                let slot =
                    ComparedSlot::Attribute(Arc::clone(namespace), Arc::clone(&attribute.name));
                Some((slot, slot_use))
            }
            _ => None,
        }
    }

    /// Whether an operand is made of constants and positions in a loop.
    fn is_number(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(Value::Int(_)) => true,
            Expr::Attribute(attribute) => match &attribute.object {
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

/// The integers of a range for which the comparison has the same result as for `own`.
fn narrowed(
    relation: Relation,
    left: bool,
    (compared, other): (i64, i64),
    (low, high): (i64, i64),
) -> (i64, i64) {
    match (relation, left) {
        // own < other, other > own, and what is true when they are not.
        (Relation::Order(Order::Less | Order::GreaterEqual), true)
        | (Relation::Order(Order::Greater | Order::LessEqual), false) => match compared < other {
            true => (low, high.min(other - 1)),
            false => (low.max(other), high),
        },
        (Relation::Order(_), _) => match compared > other {
            true => (low.max(other + 1), high),
            false => (low, high.min(other)),
        },
        _ => match compared.cmp(&other) {
            Ordering::Less => (low, high.min(other - 1)),
            Ordering::Equal => (other, other),
            Ordering::Greater => (low.max(other + 1), high),
        },
    }
}

/// Whether a rendering does the same with either value. Namespaces correspond if they are at the same
/// index of the two lists.
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
        // A watched list records its own accesses.
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
            let at = |namespace: &Arc<Namespace>, all: &[Arc<Namespace>]| {
                all.iter().position(|one| Arc::ptr_eq(one, namespace))
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
    fn every_integer_of_the_narrowed_range_gives_the_same_result() {
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
            for (observed, other, left) in (-3..=3).flat_map(|observed| {
                (-3..=3).flat_map(move |other| [(observed, other, true), (observed, other, false)])
            }) {
                let answer = |value: i64| match left {
                    true => holds(value, other),
                    false => holds(other, value),
                };
                let (low, high) = narrowed(relation, left, (observed, other), (-5, 5));
                assert!((low..=high).contains(&observed));
                assert!((low..=high).all(|value| answer(value) == answer(observed)));
                // The range is as wide as possible.
                assert!(low == -5 || answer(low - 1) != answer(observed));
                assert!(high == 5 || answer(high + 1) != answer(observed));
            }
        }
    }
}
