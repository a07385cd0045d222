//! Finds special tokens in the text of a chat for display: tokens in bars anywhere, and tags,
//! brackets and named tokens only where the format produces them.

use std::collections::HashMap;
use std::ops::Range;

/// Maximum length of a special token, in bytes.
const LONGEST: usize = 64;

/// The special tokens of `text` in order. `producible` is all text that the format can produce, that is
/// its template or its words; `named` are the model's special tokens.
pub fn find(text: &str, producible: &str, named: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut words = Words::of(producible);
    let mut at = 0;
    while let Some(next) = text[at..].find(|one: char| begins(one, named)) {
        let start = at + next;
        let rest = &text[start..];
        match token(rest, &mut words, named) {
            Some(length) => {
                found.push(start..start + length);
                at = start + length;
            }
            None => at = start + rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

/// The special tokens in bars that occur in an author's text.
pub fn in_content<'a>(content: &'a str, producible: &str) -> Vec<&'a str> {
    let ranges = find(content, "", &[]);
    let tokens = ranges.into_iter().map(|range| &content[range]);
    let mut words = Words::of(producible);
    tokens.filter(|token| words.contain(token)).collect()
}

/// Caches whether the format can produce a token, since a text may contain the same token many
/// times.
struct Words<'a> {
    producible: &'a str,
    known: HashMap<&'a str, bool>,
}

impl<'a> Words<'a> {
    fn of(producible: &'a str) -> Self {
        let known = HashMap::new();
        Self { producible, known }
    }

    fn contain(&mut self, token: &'a str) -> bool {
        let producible = self.producible;
        *self
            .known
            .entry(token)
            .or_insert_with(|| producible.contains(token))
    }
}

fn begins(one: char, named: &[&str]) -> bool {
    one == '<' || one == '[' || named.iter().any(|token| token.starts_with(one))
}

/// Length of the token at the start of a text.
fn token<'a>(rest: &'a str, words: &mut Words<'a>, named: &[&str]) -> Option<usize> {
    let mut called = named.iter().filter(|token| !token.is_empty());
    if let Some(token) = called.find(|token| rest.starts_with(**token)) {
        return Some(token.len());
    }
    let closing = if rest.starts_with('[') { ']' } else { '>' };
    let end = rest
        .char_indices()
        .take_while(|(at, one)| *at < LONGEST && !one.is_whitespace())
        .find(|(at, one)| *at > 0 && *one == closing)
        .map(|(at, _)| at + 1)?;
    // `<<SYS>>` has two closing brackets.
    let end = if rest.starts_with("<<") && rest[end..].starts_with('>') {
        end + 1
    } else {
        end
    };
    let token = &rest[..end];
    let inner = &token[1..end - 1];
    let in_bars = |bar: char| inner.starts_with(bar) || inner.ends_with(bar);
    if closing == '>' && inner.len() > 1 && (in_bars('|') || in_bars('｜')) {
        return Some(end);
    }
    let name = inner.trim_start_matches(['<', '/']).trim_end_matches('>');
    let named_so = match closing {
        ']' => name
            .chars()
            .all(|one| one.is_ascii_uppercase() || one == '_'),
        _ => name
            .chars()
            .all(|one| one.is_alphanumeric() || matches!(one, '_' | '-' | ':')),
    };
    (named_so && !name.is_empty() && words.contain(token)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, producible: &str, named: &[&str], expected: &[&str]) {
        let found = find(text, producible, named);
        let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn tokens_are_found_where_they_stand() {
        check("<|im_start|>user\n", "", &[], &["<|im_start|>"]);
        check("a <｜User｜>b", "", &[], &["<｜User｜>"]);
        check("<|channel>thought", "", &[], &["<|channel>"]);
        check(
            "<s>[INST] x [/INST]",
            "<s>[INST] [/INST]",
            &[],
            &["<s>", "[INST]", "[/INST]"],
        );
        check(
            "<<SYS>>\n<</SYS>>",
            "<<SYS>> <</SYS>>",
            &[],
            &["<<SYS>>", "<</SYS>>"],
        );
        check(
            "<think>\n</think>",
            "'<think>' '</think>'",
            &[],
            &["<think>", "</think>"],
        );
        check("use <b>bold</b> [A]", "<think>", &[], &[]);
        check("a < b, c > d; x[i]", "x[i]", &[], &[]);
        check("▁EOT and é", "", &["▁EOT", ""], &["▁EOT"]);
        check("<| |> <|unfinished", "", &[], &[]);
    }

    #[test]
    fn special_tokens_in_an_authors_text_are_reported() {
        let template = "{{ '<|im_end|>' }}";
        assert_eq!(
            in_content("a <|im_end|> <|other|> <b>", template),
            ["<|im_end|>"]
        );
    }
}
