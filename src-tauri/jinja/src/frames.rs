//! The variables of the functions that are running, and looking along a path of names in place.

use std::cell::Cell;

use super::ast::{Expr, Slot};
use super::methods;
use super::observations::{Observed, SlotUse};
use super::trace::SlotAddress;
use super::value::Value;

/// The longest path that is looked up in place; real ones have two or three steps.
const LONGEST_PATH: u64 = 8;

/// The variables of one call of a function.
struct Activation {
    slots: Vec<Value>,
    /// The activation of the function it is written in.
    parent: usize,
    /// How many there were before it: unlike its place, no later one has it again.
    serial: usize,
}

/// All activations that something may still look at.
#[derive(Default)]
pub(super) struct Frames {
    activations: Vec<Activation>,
    entered: usize,
    pub current: usize,
    /// What happened to the variables of the template itself since the recorded loop began.
    uses: Option<Vec<Cell<SlotUse>>>,
}

impl Frames {
    /// A new activation of a function, made current; gives the one that was.
    pub fn enter(&mut self, slots: usize, parent: usize) -> usize {
        self.activations.push(Activation {
            slots: vec![Value::None; slots],
            parent,
            serial: self.entered,
        });
        self.entered += 1;
        std::mem::replace(&mut self.current, self.activations.len() - 1)
    }

    /// Ends the current activation; what something may still close over is kept.
    pub fn leave(&mut self, captured: bool, previous: usize) {
        let left = std::mem::replace(&mut self.current, previous);
        if captured {
            return;
        }
        if left + 1 == self.activations.len() {
            self.activations.pop();
        } else {
            self.activations[left].slots = Vec::new();
        }
    }

    /// Whether the template itself is the only activation.
    pub fn only_root(&self) -> bool {
        self.activations.len() == 1
    }

    /// The variables of the template itself, not noted as read.
    pub fn root_values(&self) -> &[Value] {
        self.activations.first().map_or(&[], |root| &root.slots)
    }

    /// Replaces the variables of the template itself.
    pub fn set_root_values(&mut self, values: Vec<Value>) {
        if let Some(root) = self.activations.first_mut() {
            root.slots = values;
        }
    }

    /// Begins to record what happens to the variables of the template itself.
    pub fn record(&mut self) {
        let slots = self.activations.first().map_or(0, |root| root.slots.len());
        self.uses = Some(vec![Cell::default(); slots]);
    }

    /// Ends recording.
    pub fn stop_recording(&mut self) {
        self.uses = None;
    }

    /// What happened to each variable of the template itself since recording began, with its value.
    pub fn recorded(&self) -> impl Iterator<Item = (u16, SlotUse, &Value)> {
        let root = self.activations.first().map(|root| root.slots.as_slice());
        let uses = self.uses.iter().flatten().zip(root.unwrap_or_default());
        (0..)
            .zip(uses)
            .map(|(index, (slot_use, value))| (index, slot_use.get(), value))
    }

    /// A variable of the template itself, not noted as read.
    pub fn root(&self, index: u16) -> Option<&Value> {
        self.activations.first()?.slots.get(usize::from(index))
    }

    /// Which variable of the template itself a slot is, and what happened to it, while recording.
    pub fn slot_use(&self, slot: Slot) -> Option<(u16, SlotUse)> {
        let slot_use = self.uses.as_ref()?.get(usize::from(slot.index))?;
        (self.activation(slot.hops) == 0).then(|| (slot.index, slot_use.get()))
    }

    /// Replaces what was observed of a variable of the template itself.
    pub fn set_observed(&mut self, index: u16, observed: Observed) {
        if let Some(uses) = &mut self.uses {
            uses[usize::from(index)].get_mut().observed = observed;
        }
    }

    /// The value of a variable, not noted as read.
    pub fn peek(&self, slot: Slot) -> &Value {
        &self.activations[self.activation(slot.hops)].slots[usize::from(slot.index)]
    }

    fn activation(&self, hops: u16) -> usize {
        let mut at = self.current;
        for _ in 0..hops {
            at = self.activations[at].parent;
        }
        at
    }

    /// Identifies a variable among those of all activations.
    pub fn slot_address(&self, slot: Slot) -> SlotAddress {
        let at = self.activation(slot.hops);
        SlotAddress::Variable(self.activations[at].serial, slot.index)
    }

    #[inline]
    pub fn get(&self, slot: Slot) -> &Value {
        let at = self.activation(slot.hops);
        if let (Some(uses), 0) = (&self.uses, at) {
            uses[usize::from(slot.index)].update(SlotUse::read);
        }
        &self.activations[at].slots[usize::from(slot.index)]
    }

    #[inline]
    pub fn set(&mut self, slot: Slot, value: Value) {
        let at = self.activation(slot.hops);
        if let (Some(uses), 0) = (&self.uses, at) {
            uses[usize::from(slot.index)].update(SlotUse::replaced);
        }
        self.activations[at].slots[usize::from(slot.index)] = value;
    }

    /// A variable of the current activation, about to be replaced.
    #[inline]
    pub fn local_mut(&mut self, index: u16) -> &mut Value {
        if let (Some(uses), 0) = (&self.uses, self.current) {
            uses[usize::from(index)].update(SlotUse::replaced);
        }
        &mut self.activations[self.current].slots[usize::from(index)]
    }

    /// What a constant, a name, or a path of keys from one leads to, and the steps that took;
    /// nothing is taken hold of on the way. None for everything else, and where the path ends
    /// early: the long way knows what is undefined, and what it is called.
    #[inline]
    pub fn look<'a>(&'a self, expr: &'a Expr) -> Option<(&'a Value, u64)> {
        match expr {
            Expr::Const(value) => Some((value, 0)),
            Expr::Name(name) => Some((self.get(name.slot), 0)),
            Expr::Attribute(_) | Expr::Item(_) => self.look_along(expr, 1),
            _ => None,
        }
    }

    fn look_along<'a>(&'a self, expr: &'a Expr, steps: u64) -> Option<(&'a Value, u64)> {
        let (object, key) = match expr {
            Expr::Attribute(attribute) if attribute.plain => {
                (&attribute.object, Ok(&*attribute.name))
            }
            Expr::Item(item) => match &item.key {
                Expr::Const(Value::Str(key)) if key.len() <= methods::LONGEST_PLAIN => {
                    (&item.object, Ok(&**key))
                }
                Expr::Const(Value::Int(index)) => (&item.object, Err(*index)),
                _ => return None,
            },
            _ => return None,
        };
        let (object, steps) = match object {
            Expr::Name(name) => (self.get(name.slot), steps),
            _ if steps >= LONGEST_PATH => return None,
            deeper => self.look_along(deeper, steps + 1)?,
        };
        let found = match (object, key) {
            (Value::Dict(dict), Ok(key)) => dict.get_str(key)?,
            (Value::List(seq), Err(index)) => seq.get(usize::try_from(index).ok()?)?,
            _ => return None,
        };
        Some((found, steps))
    }
}
