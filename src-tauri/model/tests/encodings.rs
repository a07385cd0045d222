//! Compares the counts of the built-in encodings with another implementation, `tiktoken-rs`.

use promptdeck_model::tokenizer::{Tiktoken, TokenCounter};
use proptest::prelude::*;
use tiktoken_rs::CoreBPE;

/// Character classes that the encodings' patterns distinguish: letters of every kind, marks,
/// contractions, numbers, white space of one and several bytes, line ends, punctuation.
const PIECES: [&str; 36] = [
    "a",
    "B",
    "word",
    "Word",
    " word",
    "don't",
    "'s",
    "'LL",
    "é",
    "e\u{301}",
    "\u{301}",
    "ß",
    "Ж",
    "漢",
    "ǅ",
    "ʰ",
    "😀",
    "1",
    "23",
    "4567",
    "0.5",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\u{a0}",
    "\u{2003}",
    "\u{1680}",
    "\u{200b}",
    "!",
    "?!",
    "//",
    "_",
    "<|endoftext|>",
];

fn encodings() -> [(Tiktoken, &'static CoreBPE); 2] {
    [
        (Tiktoken::O200kBase, tiktoken_rs::o200k_base_singleton()),
        (Tiktoken::Cl100kBase, tiktoken_rs::cl100k_base_singleton()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn texts_of_telling_pieces(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..16)) {
        let text = pieces.concat();
        for (ours, theirs) in encodings() {
            prop_assert_eq!(ours.count(&text).tokens, theirs.count_ordinary(&text), "{}", ours.name());
        }
    }

    #[test]
    fn texts_of_any_characters(text in any::<String>()) {
        for (ours, theirs) in encodings() {
            prop_assert_eq!(ours.count(&text).tokens, theirs.count_ordinary(&text), "{}", ours.name());
        }
    }
}
