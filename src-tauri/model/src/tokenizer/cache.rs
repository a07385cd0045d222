//! Caches the counts of recently seen texts in bounded memory. The key is the text itself, so two
//! texts never share a count.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::{TokenCount, TokenCounter};

/// Maximum bytes of text in each of the two generations.
const GENERATION_BYTES: usize = 4 << 20;

/// Two generations of counts. When the young one is full it replaces the old one, whose entries are
/// dropped unless they were used in the meantime.
#[derive(Default)]
struct Generations {
    young: HashMap<Box<str>, TokenCount>,
    old: HashMap<Box<str>, TokenCount>,
    young_bytes: usize,
}

impl Generations {
    fn get(&mut self, text: &str) -> Option<TokenCount> {
        if let Some(count) = self.young.get(text) {
            return Some(*count);
        }
        let (key, count) = self.old.remove_entry(text)?;
        self.put(key, count);
        Some(count)
    }

    fn put(&mut self, text: Box<str>, count: TokenCount) {
        if self.young_bytes + text.len() > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += text.len();
        self.young.insert(text, count);
    }
}

/// A token counter with a cache. Threads can share it; counting itself runs outside the lock.
pub struct Cached {
    counter: Box<dyn TokenCounter>,
    seen: Mutex<Generations>,
}

impl Cached {
    /// Adds a cache to `counter`.
    #[must_use]
    pub fn new(counter: Box<dyn TokenCounter>) -> Self {
        Self {
            counter,
            seen: Mutex::default(),
        }
    }
}

impl TokenCounter for Cached {
    fn name(&self) -> &str {
        self.counter.name()
    }

    fn first_piece(&self, text: &str) -> usize {
        self.counter.first_piece(text)
    }

    fn divides_at(&self, text: &str, at: usize) -> bool {
        self.counter.divides_at(text, at)
    }

    fn count(&self, text: &str) -> TokenCount {
        // A poisoned lock is safe: no panic can happen in the middle of an insert.
        let lock = || self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = lock().get(text) {
            return count;
        }
        let count = self.counter.count(text);
        if text.len() <= GENERATION_BYTES {
            lock().put(text.into(), count);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Counting(Arc<AtomicUsize>);

    impl TokenCounter for Counting {
        fn name(&self) -> &'static str {
            "counting"
        }

        fn count(&self, text: &str) -> TokenCount {
            self.0.fetch_add(1, Ordering::Relaxed);
            TokenCount {
                tokens: text.len(),
                exact: true,
            }
        }
    }

    #[test]
    fn a_text_is_counted_once_and_forgotten_when_memory_is_full() {
        let calls = Arc::new(AtomicUsize::new(0));
        let cached = Cached::new(Box::new(Counting(Arc::clone(&calls))));
        let calls = || calls.load(Ordering::Relaxed);
        cached.count("a");
        cached.count("a");
        assert_eq!(calls(), 1);
        let big = "x".repeat(GENERATION_BYTES);
        cached.count(&big);
        cached.count("a");
        assert_eq!(calls(), 2, "still in the old generation");
        cached.count(&"y".repeat(GENERATION_BYTES));
        cached.count(&"z".repeat(GENERATION_BYTES));
        cached.count("a");
        assert_eq!(calls(), 5, "two generations later it is gone");
    }

    #[test]
    fn a_text_too_large_to_remember_is_still_counted() {
        let calls = Arc::new(AtomicUsize::new(0));
        let cached = Cached::new(Box::new(Counting(Arc::clone(&calls))));
        let big = "x".repeat(GENERATION_BYTES + 1);
        assert_eq!(cached.count(&big).tokens, GENERATION_BYTES + 1);
        cached.count(&big);
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }
}
