//! A mapping with Python's rules: insertion order, keys equal by value (`1`, `1.0` and `True` are
//! one key), the first key kept and the last value. Small mappings are searched, large ones hashed.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use smallvec::SmallVec;

use super::super::error::{Result, fail};
use super::super::limits::Budget;
use super::{MAX_DEPTH, Number, Size, Value, ViewKind, compare};

/// Up to this many entries a plain search is faster than a hash.
const SEARCHED: usize = 12;

/// Keys and values. Most messages have a role and a content: those need no separate allocation.
pub(crate) type Entries = SmallVec<[(Value, Value); 2]>;

/// A mapping.
#[derive(Default)]
pub struct Dict {
    entries: Entries,
    /// Indices of the entries by the hash of their key, for large mappings only.
    #[expect(
        clippy::box_collection,
        reason = "few dictionaries have one: it costs one word"
    )]
    index: Option<Box<HashMap<u64, Vec<u32>>>>,
    /// Of the keys and values.
    size: Size,
    depth: u16,
    holds_state: bool,
}

impl Dict {
    /// Collects pairs. Errors on a key that cannot be hashed, and when nesting too deep.
    pub(crate) fn from_pairs(pairs: impl IntoIterator<Item = (Value, Value)>) -> Result<Self> {
        let mut dict = Self {
            depth: 1,
            ..Self::default()
        };
        for (key, value) in pairs {
            dict.insert(key, value)?;
        }
        Ok(dict)
    }

    /// A mapping of texts, each of them once. Errors when nesting too deep.
    pub(crate) fn of_texts(entries: Entries) -> Result<Self> {
        if entries.len() > SEARCHED {
            return Self::from_pairs(entries);
        }
        let mut dict = Self {
            depth: 1,
            ..Self::default()
        };
        for (key, value) in &entries {
            dict.size.add(key.size());
            dict.note(value)?;
        }
        dict.entries = entries;
        Ok(dict)
    }

    /// Takes what a new key or value means for the whole.
    fn note(&mut self, part: &Value) -> Result<()> {
        if let Value::Str(_) = part {
            // Nearly all parts are texts, which hold nothing.
            self.size.add(part.size());
            return Ok(());
        }
        self.depth = self.depth.max(part.depth() + 1);
        self.holds_state |= part.holds_state();
        self.size.add(part.size());
        part.settle();
        if self.depth > MAX_DEPTH {
            return fail!(
                Limit,
                "the template nests values more than {MAX_DEPTH} deep"
            );
        }
        Ok(())
    }

    fn insert(&mut self, key: Value, value: Value) -> Result<()> {
        let hash = match &key {
            Value::Str(_) if self.index.is_none() && self.entries.len() < SEARCHED => 0,
            other => hash(other)?,
        };
        self.note(&key)?;
        self.note(&value)?;
        if let Some(at) = self.position(&key) {
            self.entries[at].1 = value;
            return Ok(());
        }
        if let Some(index) = &mut self.index {
            index
                .entry(hash)
                .or_default()
                .push(self.entries.len() as u32);
        }
        self.entries.push((key, value));
        if self.index.is_none() && self.entries.len() > SEARCHED {
            let mut index: HashMap<u64, Vec<u32>> = HashMap::new();
            for (at, (key, _)) in self.entries.iter().enumerate() {
                index.entry(self::hash(key)?).or_default().push(at as u32);
            }
            self.index = Some(Box::new(index));
        }
        Ok(())
    }

    fn position(&self, key: &Value) -> Option<usize> {
        let Some(index) = &self.index else {
            return self
                .entries
                .iter()
                .position(|(entry_key, _)| compare::key_equal(entry_key, key));
        };
        let candidates = index.get(&hash(key).ok()?)?;
        let found = candidates
            .iter()
            .find(|at| compare::key_equal(&self.entries[**at as usize].0, key))?;
        Some(*found as usize)
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &Value) -> Option<&Value> {
        self.position(key).map(|at| &self.entries[at].1)
    }

    /// The value of a text key, without making a value of the key.
    pub(crate) fn get_str(&self, name: &str) -> Option<&Value> {
        let named = |(key, _): &&(Value, Value)| key.as_str() == Some(name);
        match &self.index {
            None => self.entries.iter().find(named).map(|(_, value)| value),
            Some(index) => {
                let candidates = index.get(&hash_str(name))?;
                let mut found = candidates.iter().map(|at| &self.entries[*at as usize]);
                found.find(named).map(|(_, value)| value)
            }
        }
    }

    /// The entry at an index below [`Dict::len`].
    pub(crate) fn entry(&self, index: usize) -> (&Value, &Value) {
        let (key, value) = &self.entries[index];
        (key, value)
    }

    /// The entries in insertion order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// How many entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn holds_state(&self) -> bool {
        self.holds_state
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn depth(&self) -> u16 {
        self.depth.max(1)
    }
}

/// The identity of objects that are equal to themselves only: their address.
fn identity(value: &Value) -> usize {
    fn address<T>(shared: &Arc<T>) -> usize {
        Arc::as_ptr(shared).addr()
    }
    match value {
        Value::List(list) => address(list),
        Value::Dict(dict) => address(dict),
        Value::View(view) => address(view),
        Value::Generator(generator) => address(generator),
        Value::Macro(macro_value) => address(macro_value),
        Value::Loop(loop_value) => address(loop_value),
        Value::Namespace(namespace) => address(namespace),
        Value::Cycler(cycler) => address(cycler),
        Value::Joiner(joiner) => address(joiner),
        Value::Range(range) if range.len == 0 => 0,
        Value::Range(range) => range.len.wrapping_add(range.start as usize),
        // Equal when the receivers are, and then the names have the same hash.
        Value::Bound(method) => match &method.receiver {
            Value::Str(text) | Value::Markup(text) => hash_str(text) as usize,
            receiver => identity(receiver),
        },
        _ => 0,
    }
}

/// The work of hashing a key and of comparing it with its like. A tuple that holds another one many
/// times is as large as it prints.
pub(crate) fn charge_key(key: &Value, budget: &mut Budget) -> Result<()> {
    match key {
        Value::Str(text) | Value::Markup(text) => budget.steps(text.len() as u64 / 32),
        Value::Tuple(seq) => {
            budget.steps(4)?;
            seq.items()
                .iter()
                .try_for_each(|item| charge_key(item, budget))
        }
        Value::Bound(method) => charge_key(&method.receiver, budget),
        Value::Big(number) => budget.steps(number.bits() / 512),
        _ => Ok(()),
    }
}

fn hash_str(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A hash that is equal for equal values. Errors for what Python cannot hash.
pub(crate) fn hash(value: &Value) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    match value {
        Value::Str(text) | Value::Markup(text) => return Ok(hash_str(text)),
        Value::Undefined(_) => 2u8.hash(&mut hasher),
        Value::None => 3u8.hash(&mut hasher),
        Value::Tuple(seq) => {
            for item in seq.items() {
                hash(item)?.hash(&mut hasher);
            }
        }
        Value::List(_) | Value::Dict(_) => {
            return fail!(Type, "unhashable type: '{}'", value.type_name());
        }
        Value::View(view) if view.kind != ViewKind::Values => {
            return fail!(Type, "unhashable type: '{}'", value.type_name());
        }
        other => match Number::of(other) {
            Some(Number::Int(value)) => BigInt::from(value).hash(&mut hasher),
            Some(Number::Big(value)) => value.hash(&mut hasher),
            Some(Number::Float(value)) => match Number::exact(value) {
                Some(integer) => integer.hash(&mut hasher),
                None => value.to_bits().hash(&mut hasher),
            },
            None => identity(other).hash(&mut hasher),
        },
    }
    Ok(hasher.finish())
}
