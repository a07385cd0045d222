//! Selects the tokenizer for counts, and passes its counts to the core.

use std::path::Path;

use promptdeck_model::{
    model_dir,
    tokenizer::{self, Cached, Estimate, TokenCounter, TokenizerFile},
};
use promptdeck_population::Tokenizer;
use promptdeck_request::tokens::CountTokens;
use promptdeck_service::chat::inspector;

use crate::failure::Failure;

/// A tokenizer by name.
#[derive(Debug, Clone, PartialEq, Eq, clap::Args)]
pub struct TokenizerArgs {
    /// Count tokens with this tokenizer: `o200k_base`, `cl100k_base`, or `estimate`, the default.
    #[arg(long, value_name = "NAME")]
    tokenizer: Option<String>,
}

/// Adapts a tokenizer to the core's counter.
pub struct Counter(Cached);

impl TokenizerArgs {
    /// The selected counter.
    pub fn counter(&self) -> Result<Counter, Failure> {
        let name = self.tokenizer.as_deref().unwrap_or("estimate");
        tokenizer::by_name(name).map(Counter).ok_or_else(|| {
            let message = format!(
                "there is no tokenizer {name:?}; known are o200k_base, cl100k_base and estimate"
            );
            let failure = Failure::input("unknown_tokenizer", message);
            match Path::new(name).exists() {
                true => failure.with_hint("a file is read by `promptdeck chat inspect` alone"),
                false => failure,
            }
        })
    }

    /// The flag, if given.
    pub fn first_flag(&self) -> Option<&'static str> {
        self.tokenizer.as_ref().map(|_| "--tokenizer")
    }
}

impl CountTokens for Counter {
    fn count(&self, text: &str) -> usize {
        self.0.count(text).tokens
    }
}

impl Tokenizer for Counter {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn is_exact(&self) -> bool {
        self.0.count("").exact
    }

    fn count(&self, text: &str) -> u64 {
        self.0.count(text).tokens as u64
    }

    fn first_piece(&self, text: &str) -> usize {
        self.0.first_piece(text)
    }

    fn divides_at(&self, text: &str, at: usize) -> bool {
        self.0.divides_at(text, at)
    }
}

/// The tokenizer for one model: its own or another.
pub struct ModelTokenizer {
    counter: Cached,
    is_model_tokenizer: bool,
    unusable: Option<String>,
}

impl ModelTokenizer {
    /// The tokenizer that the author names: a built-in one or a file.
    pub fn by_name(name: &str) -> Result<Self, Failure> {
        if let Some(counter) = tokenizer::by_name(name) {
            return Ok(Self {
                counter,
                is_model_tokenizer: false,
                unusable: None,
            });
        }
        Self::file(Path::new(name)).map_err(|error| {
            let hint = "known by name are o200k_base, cl100k_base and estimate";
            Failure::input(error.code(), format!("{name}: {error}; {hint}"))
        })
    }

    /// The tokenizer in the model's folder or beside its file; otherwise an estimate.
    pub fn of_model(path: Option<&Path>) -> Self {
        let estimate = |unusable| Self {
            counter: Cached::new(Box::new(Estimate)),
            is_model_tokenizer: false,
            unusable,
        };
        match path.and_then(model_dir::tokenizer) {
            None => estimate(None),
            Some(file) => Self::file(&file)
                .unwrap_or_else(|error| estimate(Some(format!("{}: {error}", file.display())))),
        }
    }

    fn file(path: &Path) -> Result<Self, tokenizer::TokenizerError> {
        let tokenizer = TokenizerFile::open(&path.display().to_string(), path)?;
        Ok(Self {
            counter: Cached::new(Box::new(tokenizer)),
            is_model_tokenizer: true,
            unusable: None,
        })
    }

    /// Why the model's own tokenizer could not be used.
    pub fn unusable(&self) -> Option<&str> {
        self.unusable.as_deref()
    }

    /// The tokenizer as the inspector's counter.
    pub fn counter(&self) -> inspector::Counter<'_> {
        inspector::Counter {
            tokens: &self.counter,
            is_model_tokenizer: self.is_model_tokenizer,
        }
    }
}
