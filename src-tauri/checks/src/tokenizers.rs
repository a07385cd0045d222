//! Token counters by name, passed in by the caller: no tokenizer lives here.

use std::sync::Arc;

/// Counts the tokens of a text. Threads share it.
pub type Counter = Arc<dyn Fn(&str) -> usize + Send + Sync>;

/// The tokenizers that checks can name.
pub trait Tokenizers {
    /// The counter of that name.
    fn counter(&self, name: &str) -> Option<Counter>;

    /// The names, for messages.
    fn names(&self) -> Vec<String>;
}

/// No tokenizer: a check that counts tokens cannot run.
#[must_use]
pub fn no_tokenizers() -> impl Tokenizers {
    struct None;
    impl Tokenizers for None {
        fn counter(&self, _: &str) -> Option<Counter> {
            Option::None
        }

        fn names(&self) -> Vec<String> {
            Vec::new()
        }
    }
    None
}
