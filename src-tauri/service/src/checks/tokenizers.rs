//! The built-in tokenizers by name, each loaded once, for checks that count tokens.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use promptdeck_checks::{Counter, Tokenizers};
use promptdeck_model::tokenizer::{self, TokenCounter as _};

/// The tokenizers that checks can name.
#[derive(Default)]
pub struct BuiltInTokenizers {
    loaded: Mutex<BTreeMap<String, Counter>>,
}

impl Tokenizers for BuiltInTokenizers {
    fn counter(&self, name: &str) -> Option<Counter> {
        // A poisoned lock is safe: an insert happens as a whole.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = loaded.get(name) {
            return Some(Arc::clone(counter));
        }
        let tokenizer = tokenizer::by_name(name)?;
        let counter: Counter = Arc::new(move |text: &str| tokenizer.count(text).tokens);
        loaded.insert(name.to_owned(), Arc::clone(&counter));
        Some(counter)
    }

    fn names(&self) -> Vec<String> {
        ["o200k_base", "cl100k_base", "estimate"]
            .map(str::to_owned)
            .to_vec()
    }
}
