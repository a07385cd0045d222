//! The items of a list or tuple. The list of messages may be watched while a template runs: whoever
//! looks at an item, at its end or at all of it, is noticed, so that it is known how much of what
//! was written would be the same had there been more messages, or other ones from some place on.
//! Items are private to this file, which is what makes that complete.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::error::{Result, fail};
use super::{MAX_DEPTH, Value};

/// How far anybody looked into a watched list. Shared by the list and its tails.
#[derive(Clone, Default)]
pub struct Look(Arc<AtomicUsize>);

/// Stands for having looked at the end.
const END: usize = usize::MAX;

impl Look {
    /// Somebody looked at the first `count` items, or at [`END`].
    pub(crate) fn at(&self, count: usize) {
        // One rendering is one thread: nothing is ordered by this.
        self.0.fetch_max(count, Ordering::Relaxed);
    }

    /// How many items somebody looked at, from the first on; `None` when it was the end.
    pub(crate) fn reach(&self) -> Option<usize> {
        Some(self.0.load(Ordering::Relaxed)).filter(|reach| *reach != END)
    }
}

/// Of a watched list: which item of the whole list its first one is.
struct Watch {
    offset: usize,
    look: Look,
}

/// Messages as values: a list that grows at its end, and that the lists made of it share.
#[derive(Clone, Default)]
pub struct Growing(Arc<Grown>);

#[derive(Clone, Default)]
struct Grown {
    items: Vec<Value>,
    depth: u16,
}

impl Growing {
    /// Adds an item. Those that are there are copied only while a list still shares them.
    pub fn push(&mut self, item: Value) {
        let own = Arc::make_mut(&mut self.0);
        own.depth = own.depth.max(item.depth());
        own.items.push(item);
    }

    /// Leaves the first `count` items.
    pub fn truncate(&mut self, count: usize) {
        if count < self.0.items.len() {
            let own = Arc::make_mut(&mut self.0);
            own.items.truncate(count);
            own.depth = own.items.iter().map(Value::depth).max().unwrap_or_default();
        }
    }
}

/// Where the items are.
enum Items {
    Own(Vec<Value>),
    /// From one index to another of what grows.
    Shared(Growing, usize, usize),
}

impl Items {
    #[inline]
    fn all(&self) -> &[Value] {
        match self {
            Self::Own(items) => items,
            Self::Shared(growing, from, to) => &growing.0.items[*from..*to],
        }
    }
}

/// The items of a list or tuple and how deep they nest.
pub struct Seq {
    items: Items,
    watch: Option<Box<Watch>>,
    /// Field names, for the pairs that `groupby` gives.
    pub(crate) fields: Option<&'static [&'static str]>,
    depth: u16,
    holds_state: bool,
}

impl Seq {
    /// Items of a list or tuple. Errors when they nest too deep.
    pub(super) fn new(items: Vec<Value>) -> Result<Self> {
        let (mut depth, mut holds_state) = (0, false);
        for item in &items {
            depth = depth.max(item.depth());
            holds_state |= item.holds_state();
            item.settle();
        }
        if depth >= MAX_DEPTH {
            return fail!(
                Limit,
                "the template nests values more than {MAX_DEPTH} deep"
            );
        }
        Ok(Self {
            items: Items::Own(items),
            watch: None,
            fields: None,
            depth: depth + 1,
            holds_state,
        })
    }

    /// Two items that are already inside a value whose depth was checked.
    pub(super) fn pair(
        first: Value,
        second: Value,
        fields: Option<&'static [&'static str]>,
    ) -> Self {
        first.settle();
        second.settle();
        Self {
            depth: first.depth().max(second.depth()) + 1,
            holds_state: first.holds_state() || second.holds_state(),
            items: Items::Own(vec![first, second]),
            watch: None,
            fields,
        }
    }

    /// A list of the first `count` messages, watched.
    pub(crate) fn watched(messages: &Growing, count: usize, look: &Look) -> Result<Self> {
        let own = &messages.0;
        if own.depth >= MAX_DEPTH {
            return fail!(
                Limit,
                "the template nests values more than {MAX_DEPTH} deep"
            );
        }
        Ok(Self {
            items: Items::Shared(messages.clone(), 0, count),
            watch: Some(Box::new(Watch {
                offset: 0,
                look: look.clone(),
            })),
            fields: None,
            depth: own.depth + 1,
            // Messages are data.
            holds_state: false,
        })
    }

    /// Of a watched list: the items from one on, watched as well; `None` of any other.
    pub(crate) fn tail(&self, from: usize) -> Option<Self> {
        let (Some(watch), Items::Shared(messages, begin, end)) = (&self.watch, &self.items) else {
            return None;
        };
        Some(Self {
            items: Items::Shared(messages.clone(), (begin + from).min(*end), *end),
            watch: Some(Box::new(Watch {
                offset: watch.offset + from,
                look: watch.look.clone(),
            })),
            ..*self
        })
    }

    /// Of a watched list: what is left when its items are let go, to be told again by where it
    /// begins; `None` of any other.
    pub(crate) fn husk(&self) -> Option<Self> {
        let watch = self.watch.as_ref()?;
        Some(Self {
            items: Items::Own(Vec::new()),
            watch: Some(Box::new(Watch {
                offset: watch.offset,
                look: watch.look.clone(),
            })),
            ..*self
        })
    }

    /// Of a watched list: which item of the whole one its first is.
    pub(crate) fn watched_from(&self) -> Option<usize> {
        self.watch.as_ref().map(|own| own.offset)
    }

    /// How many items there are at this time; for what is decided about a watched list from outside
    /// of the template.
    pub(crate) fn len_for_now(&self) -> usize {
        self.items.all().len()
    }

    /// The items from one on as they are at this time; from outside as well.
    pub(crate) fn items_for_now(&self, from: usize) -> &[Value] {
        self.items.all().get(from..).unwrap_or_default()
    }

    /// All items.
    pub(crate) fn items(&self) -> &[Value] {
        self.settle();
        self.items.all()
    }

    /// One item, if there are that many.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&Value> {
        let found = self.items.all().get(index);
        if let Some(own) = &self.watch {
            own.look.at(match found {
                Some(_) => own.offset + index + 1,
                None => END,
            });
        }
        found
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.get(0).is_none()
    }

    /// What is seen now is all there will be.
    pub(crate) fn settle(&self) {
        if let Some(own) = &self.watch {
            own.look.at(END);
        }
    }

    pub(super) fn depth(&self) -> u16 {
        self.depth
    }

    pub(super) fn holds_state(&self) -> bool {
        self.holds_state
    }
}
