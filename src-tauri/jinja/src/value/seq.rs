//! The items of a list or tuple. The list of messages may be watched while a template runs: every
//! access to an item, to its end or to all of it raises a watermark, which says how much of the output
//! would be the same with more messages, or with other ones from some position on. Items are private
//! to this file, so no access goes unrecorded.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::error::{Result, fail};
use super::{MAX_DEPTH, Size, Value};

/// How far a watched list was accessed. Shared by the list and its tails.
#[derive(Clone, Default)]
pub struct AccessWatermark(Arc<AtomicUsize>);

/// The watermark of an access to the end.
const END: usize = usize::MAX;

impl AccessWatermark {
    /// Records an access to the first `count` items, or to [`END`].
    pub(crate) fn raise(&self, count: usize) {
        // A rendering runs on one thread: no other memory access is ordered by this one.
        self.0.fetch_max(count, Ordering::Relaxed);
    }

    /// Forgets all accesses.
    pub(crate) fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// How many items were accessed, from the first on; `None` after an access to the end.
    pub(crate) fn reach(&self) -> Option<usize> {
        Some(self.0.load(Ordering::Relaxed)).filter(|reach| *reach != END)
    }
}

/// Of a watched list: which item of the whole list its first one is.
struct Watch {
    offset: usize,
    watermark: AccessWatermark,
}

/// Messages as values: an append-only list shared by the lists derived from it.
#[derive(Clone, Default)]
#[doc(hidden)]
pub struct SharedMessages(Arc<MessageList>);

#[derive(Clone, Default)]
struct MessageList {
    items: Vec<Value>,
    depth: u16,
}

impl SharedMessages {
    /// Adds an item. The present ones are copied only while a list still shares them.
    pub(crate) fn push_item(&mut self, item: Value) {
        let items = Arc::make_mut(&mut self.0);
        items.depth = items.depth.max(item.depth());
        items.items.push(item);
    }

    /// Leaves the first `count` items.
    pub fn truncate(&mut self, count: usize) {
        if count < self.0.items.len() {
            let inner = Arc::make_mut(&mut self.0);
            inner.items.truncate(count);
            inner.depth = inner
                .items
                .iter()
                .map(Value::depth)
                .max()
                .unwrap_or_default();
        }
    }
}

/// Where the items are.
enum Items {
    Own(Vec<Value>),
    /// From one index to another of the shared messages.
    Shared(SharedMessages, usize, usize),
}

impl Items {
    #[inline]
    fn all(&self) -> &[Value] {
        match self {
            Self::Own(items) => items,
            Self::Shared(shared, from, to) => &shared.0.items[*from..*to],
        }
    }
}

/// The items of a list or tuple and how deep they nest.
pub struct Seq {
    items: Items,
    watch: Option<Box<Watch>>,
    /// Field names, for the pairs that `groupby` gives.
    pub(crate) fields: Option<&'static [&'static str]>,
    /// Of the items; none of a watched list.
    size: Size,
    depth: u16,
    holds_state: bool,
}

impl Seq {
    /// Items of a list or tuple. Errors when they nest too deep.
    pub(super) fn new(items: Vec<Value>) -> Result<Self> {
        let (mut depth, mut holds_state, mut size) = (0, false, Size::default());
        for item in &items {
            size.add(item.size());
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
            size,
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
        let mut size = first.size();
        size.add(second.size());
        Self {
            size,
            depth: first.depth().max(second.depth()) + 1,
            holds_state: first.holds_state() || second.holds_state(),
            items: Items::Own(vec![first, second]),
            watch: None,
            fields,
        }
    }

    /// A list of the first `count` messages, watched.
    pub(crate) fn watched(
        messages: &SharedMessages,
        count: usize,
        watermark: &AccessWatermark,
    ) -> Result<Self> {
        let inner = &messages.0;
        if inner.depth >= MAX_DEPTH {
            return fail!(
                Limit,
                "the template nests values more than {MAX_DEPTH} deep"
            );
        }
        Ok(Self {
            items: Items::Shared(messages.clone(), 0, count),
            watch: Some(Box::new(Watch {
                offset: 0,
                watermark: watermark.clone(),
            })),
            fields: None,
            size: Size::default(),
            depth: inner.depth + 1,
            // Messages are data.
            holds_state: false,
        })
    }

    /// Of a watched list: the items from one on, watched as well; `None` of any other.
    pub(crate) fn tail(&self, from: usize) -> Option<Self> {
        let (Some(watch), Items::Shared(messages, begin, end)) = (&self.watch, &self.items) else {
            return None;
        };
        // Other lists may have fewer items than the tail begins behind.
        watch.watermark.raise(watch.offset + from);
        Some(Self {
            items: Items::Shared(messages.clone(), (begin + from).min(*end), *end),
            watch: Some(Box::new(Watch {
                offset: watch.offset + from,
                watermark: watch.watermark.clone(),
            })),
            ..*self
        })
    }

    /// Of a watched list: a list without items that remembers where it began, to be compared with
    /// another one; `None` of any other.
    pub(crate) fn placeholder(&self) -> Option<Self> {
        let watch = self.watch.as_ref()?;
        Some(Self {
            items: Items::Own(Vec::new()),
            watch: Some(Box::new(Watch {
                offset: watch.offset,
                watermark: watch.watermark.clone(),
            })),
            ..*self
        })
    }

    /// Of a watched list: which item of the whole one its first is.
    pub(crate) fn watched_from(&self) -> Option<usize> {
        self.watch.as_ref().map(|watch| watch.offset)
    }

    /// How many items there are, without recording the access: for decisions outside of the template.
    pub(crate) fn len_for_now(&self) -> usize {
        self.items.all().len()
    }

    /// The items from one on, without recording the access.
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
        if let Some(watch) = &self.watch {
            watch.watermark.raise(match found {
                Some(_) => watch.offset + index + 1,
                None => END,
            });
        }
        found
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.get(0).is_none()
    }

    /// Records an access to all of the list.
    pub(crate) fn settle(&self) {
        if let Some(watch) = &self.watch {
            watch.watermark.raise(END);
        }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn depth(&self) -> u16 {
        self.depth
    }

    pub(super) fn holds_state(&self) -> bool {
        self.holds_state
    }
}
