//! Counting with the `tokenizer.json` of a model, through the `tokenizers` crate.
//! The file is untrusted: its size is bounded, and a crash inside the reader becomes an error.

use std::fs::File;
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use promptdeck_core::registry::check_json_values;
use tokenizers::Tokenizer;

use super::{Estimate, TokenCount, TokenCounter};

/// The largest tokenizer file that is read, in bytes. The largest published ones are about 35 MB.
pub const MAX_FILE_BYTES: usize = 64 << 20;

/// The most JSON values a file may hold; the largest vocabularies and their merges have some two
/// million.
const MAX_VALUES: usize = 5_000_000;

/// The longest text handed to a tokenizer in one piece, in bytes; a longer one is estimated.
const MAX_TEXT_BYTES: usize = 8 << 20;

/// Why a tokenizer file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// The file is larger than [`MAX_FILE_BYTES`].
    #[error(
        "the tokenizer file has {bytes} bytes, more than the {MAX_FILE_BYTES} that are read; is it the right file?"
    )]
    TooLarge {
        /// The size of the file.
        bytes: usize,
    },
    /// The file cannot be opened or read to its end.
    #[error("{path} cannot be read: {error}")]
    Unopened {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// The file is not a tokenizer this version can read.
    #[error("the tokenizer file cannot be read: {0}; give the tokenizer.json of a model folder")]
    Unreadable(String),
}

impl TokenizerError {
    /// The stable code of this error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "tokenizer_too_large",
            Self::Unopened { .. } | Self::Unreadable(_) => "tokenizer_unreadable",
        }
    }
}

/// A tokenizer read from the bytes of a `tokenizer.json`.
pub struct TokenizerFile {
    name: String,
    tokenizer: Tokenizer,
}

impl TokenizerFile {
    /// Reads the tokenizer of a file, of which no more is read than a tokenizer may have; `name` is
    /// what is shown beside its counts.
    ///
    /// # Errors
    /// [`TokenizerError`] when the file cannot be read, is too large or no tokenizer.
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

    /// Reads the tokenizer; `name` is what is shown beside its counts.
    ///
    /// # Errors
    /// [`TokenizerError`] when the file is too large or no tokenizer.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, TokenizerError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(TokenizerError::TooLarge { bytes: bytes.len() });
        }
        check_json_values(bytes, MAX_VALUES)
            .map_err(|error| TokenizerError::Unreadable(error.to_string()))?;
        // The reader builds automata and regular expressions from what the file says and asserts
        // on the way: an unwound panic there is a bad file, nothing else.
        let tokenizer = catch_unwind(|| Tokenizer::from_bytes(bytes))
            .map_err(|_| TokenizerError::Unreadable("it contradicts itself".into()))?
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

    /// Special tokens written in the text count as the tokens they are; none are added around it.
    /// A text the tokenizer refuses is estimated.
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
