//! Counts tokens with the `tokenizer.json` of a model, through the `tokenizers` crate. The file is
//! untrusted: its size is bounded, and a panic in the reader becomes an error.

use std::fs::File;
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use promptdeck_core::registry::check_json_values;
use tokenizers::Tokenizer;

use super::{Estimate, TokenCount, TokenCounter};

/// Maximum size of a tokenizer file, in bytes. The largest published ones are about 35 MB.
pub const MAX_FILE_BYTES: usize = 64 << 20;

/// Maximum number of JSON values in a file. The largest vocabularies with their merges have about
/// two million.
const MAX_VALUES: usize = 5_000_000;

/// Longest text passed to a tokenizer at once, in bytes; a longer one is estimated.
const MAX_TEXT_BYTES: usize = 8 << 20;

/// Why a tokenizer file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// The file is larger than [`MAX_FILE_BYTES`].
    #[error(
        "the tokenizer file has {bytes} bytes, more than the limit of {MAX_FILE_BYTES}; give the tokenizer.json of a model folder"
    )]
    TooLarge {
        /// Size of the file in bytes.
        bytes: usize,
    },
    /// The file cannot be opened or read to its end.
    #[error("{path} cannot be read: {error}")]
    Unopened {
        /// Path of the file.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// The file is not a tokenizer that this version supports.
    #[error("the tokenizer file cannot be read: {0}; give the tokenizer.json of a model folder")]
    Unreadable(String),
}

impl TokenizerError {
    /// Stable code of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "tokenizer_too_large",
            Self::Unopened { .. } | Self::Unreadable(_) => "tokenizer_unreadable",
        }
    }
}

/// A tokenizer loaded from a `tokenizer.json`.
pub struct TokenizerFile {
    name: String,
    tokenizer: Tokenizer,
}

impl TokenizerFile {
    /// Loads the tokenizer of a file within the size limit; `name` is displayed with its counts.
    ///
    /// # Errors
    /// [`TokenizerError`] if the file cannot be read, is too large or is not a tokenizer.
    pub fn open(name: &str, path: &Path) -> Result<Self, TokenizerError> {
        let unopened = |error| TokenizerError::Unopened {
            path: path.display().to_string(),
            error,
        };
        let mut bytes = Vec::new();
        let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX);
        File::open(path)
            .and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes))
            .map_err(unopened)?;
        Self::from_bytes(name, &bytes)
    }

    /// Loads a tokenizer from bytes; `name` is displayed with its counts.
    ///
    /// # Errors
    /// [`TokenizerError`] if `bytes` are too many or not a tokenizer.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, TokenizerError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(TokenizerError::TooLarge { bytes: bytes.len() });
        }
        check_json_values(bytes, MAX_VALUES)
            .map_err(|error| TokenizerError::Unreadable(error.to_string()))?;
        // The reader builds automata and regular expressions from the file and asserts its
        // consistency, so a panic means a bad file.
        let tokenizer = catch_unwind(|| Tokenizer::from_bytes(bytes))
            .map_err(|_| TokenizerError::Unreadable("it is inconsistent".into()))?
            .map_err(|error| TokenizerError::Unreadable(error.to_string()))?;
        Ok(Self {
            name: name.to_owned(),
            tokenizer,
        })
    }
}

impl TokenCounter for TokenizerFile {
    fn name(&self) -> &str {
        &self.name
    }

    /// Special tokens in the text count as one token each; none are added around it. A text that
    /// the tokenizer rejects is estimated.
    fn count(&self, text: &str) -> TokenCount {
        if text.len() > MAX_TEXT_BYTES {
            return Estimate.count(text);
        }
        let encode = AssertUnwindSafe(|| self.tokenizer.encode_fast(text, false));
        match catch_unwind(encode) {
            Ok(Ok(encoding)) => TokenCount {
                tokens: encoding.len(),
                exact: true,
            },
            Ok(Err(_)) | Err(_) => Estimate.count(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn word_level() -> Vec<u8> {
        let file = json!({
            "version": "1.0",
            "truncation": null,
            "padding": null,
            "added_tokens": [{"id": 3, "content": "<|end|>", "single_word": false, "lstrip": false,
                "rstrip": false, "normalized": false, "special": true}],
            "normalizer": null,
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": null,
            "decoder": null,
            "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "hello": 1, "world": 2},
                "unk_token": "[UNK]"}
        });
        file.to_string().into_bytes()
    }

    #[test]
    fn a_file_of_too_many_values_is_refused_before_it_is_built() {
        let file = format!("{{\"model\":[{}0]}}", "[],".repeat(MAX_VALUES));
        let refused = TokenizerFile::from_bytes("full", file.as_bytes()).err();
        let message = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(message.contains("more than 5000000 values"), "{message}");
    }

    #[test]
    fn counts_with_the_given_file() {
        let tokenizer = TokenizerFile::from_bytes("tiny", &word_level()).expect("a tokenizer");
        let check = |text: &str, tokens| {
            assert_eq!(
                tokenizer.count(text),
                TokenCount {
                    tokens,
                    exact: true
                },
                "{text:?}"
            );
        };
        check("", 0);
        check("hello world", 2);
        check("hello there world", 3);
        check("hello<|end|>", 2);
    }

    #[test]
    fn bad_files_are_refused_with_a_code() {
        let check = |bytes: &[u8], code: &str| {
            let error = TokenizerFile::from_bytes("bad", bytes)
                .err()
                .expect("an error");
            assert_eq!(error.code(), code);
        };
        check(b"", "tokenizer_unreadable");
        check(b"{}", "tokenizer_unreadable");
        check(
            br#"{"model":{"type":"BPE","vocab":{},"merges":["a b"]}}"#,
            "tokenizer_unreadable",
        );
        check(&vec![b' '; MAX_FILE_BYTES + 1], "tokenizer_too_large");
    }

    proptest! {
        #[test]
        fn a_damaged_file_never_crashes(at in 0usize..400, byte in any::<u8>(), cut in 0usize..500) {
            let mut bytes = word_level();
            let at = at % bytes.len();
            bytes[at] = byte;
            bytes.truncate(cut.max(1));
            if let Ok(tokenizer) = TokenizerFile::from_bytes("damaged", &bytes) {
                tokenizer.count("hello world <|end|>");
            }
        }
    }
}
