//! Which tokenizer sizes are counted with, and its counts handed to the core.

use promptdeck_core::request::tokens::CountTokens;
use promptdeck_model::tokens::{self, Cached, TokenCounter};

use crate::failure::Failure;

/// A counter by name.
#[derive(Debug, Clone, PartialEq, Eq, clap::Args)]
pub struct TokenizerArgs {
    /// Count tokens with this tokenizer: `o200k_base`, `cl100k_base`, or an estimate.
    #[arg(long, value_name = "NAME", default_value = "estimate")]
    tokenizer: String,
}

/// Counts for the core.
pub struct Counter(Cached);

impl TokenizerArgs {
    /// The counter.
    pub fn counter(&self) -> Result<Counter, Failure> {
        tokens::by_name(&self.tokenizer).map(Counter).ok_or_else(|| {
            Failure::input(
                "unknown_tokenizer",
                format!(
                    "there is no tokenizer {:?}; known are o200k_base, cl100k_base and estimate",
                    self.tokenizer
                ),
            )
        })
    }
}

impl CountTokens for Counter {
    fn count(&self, text: &str) -> usize {
        self.0.count(text).tokens
    }
}
