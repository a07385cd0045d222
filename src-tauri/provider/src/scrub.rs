//! Removes a key from a text in every form in which servers and proxies repeat it: verbatim,
//! percent-encoded, escaped for JSON or HTML, any of these twice, and within base64, such as in an
//! `Authorization` header.

use std::ops::Range;

use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use memchr::memmem;

/// Replacement for a key.
pub(crate) const HIDDEN: &str = "[key]";

/// Maximum number of decoding rounds: a query within a query is encoded twice.
const DEEPEST: usize = 3;

/// Longest text that is decoded, in bytes; a longer one is searched verbatim only.
const LONGEST_DECODED: usize = 1 << 20;

/// Shortest base64 needle that is searched for.
const SHORTEST_BASE64: usize = 6;

/// Names of query fields that hold keys of any service.
const KEY_FIELDS: [&str; 6] = [
    "key",
    "api_key",
    "api-key",
    "apikey",
    "token",
    "access_token",
];

/// Replaces every occurrence of the key.
pub(crate) fn scrub(key: &str, text: &str) -> String {
    hide(text, found(key, text))
}

/// Replaces the values of query fields that hold keys, such as `?key=`.
pub(crate) fn scrub_queries(text: &str) -> String {
    let mut values = Vec::new();
    for (at, _) in text.match_indices(['?', '&']) {
        let rest = &text[at + 1..];
        let Some((name, value)) = rest.split_once('=') else {
            continue;
        };
        if KEY_FIELDS
            .iter()
            .any(|field| name.eq_ignore_ascii_case(field))
        {
            let is_end = |char: char| char.is_whitespace() || "&#\"'<>)]}".contains(char);
            let length = value.find(is_end).unwrap_or(value.len());
            let start = at + 1 + name.len() + 1;
            values.push(start..start + length);
        }
    }
    hide(text, values)
}

/// Length in bytes of the longest suffix that may be the beginning of the key.
pub(crate) fn beginning_at_end(key: &str, text: &str) -> usize {
    let longest = key.len().saturating_sub(1).min(text.len());
    (1..=longest)
        .rev()
        .find(|length| {
            let start = text.len() - length;
            text.is_char_boundary(start) && key.as_bytes().starts_with(&text.as_bytes()[start..])
        })
        .unwrap_or(0)
}

fn hide(text: &str, mut ranges: Vec<Range<usize>>) -> String {
    ranges.sort_by_key(|range| range.start);
    let mut hidden = String::with_capacity(text.len());
    let mut end = 0;
    for range in ranges {
        if range.is_empty() {
            continue;
        }
        if range.start >= end {
            hidden.push_str(&text[end..range.start]);
            hidden.push_str(HIDDEN);
        }
        end = end.max(range.end);
    }
    hidden.push_str(&text[end..]);
    hidden
}

/// The ranges of the text that hold the key in any form.
fn found(key: &str, text: &str) -> Vec<Range<usize>> {
    let encoded = in_base64(key);
    let mut decoded = Decoded::of(text);
    let mut ranges = Vec::new();
    for depth in 0..=DEEPEST {
        if depth > 0 && (text.len() > LONGEST_DECODED || !decoded.decode()) {
            break;
        }
        for at in memmem::find_iter(&decoded.bytes, key.as_bytes()) {
            ranges.push(decoded.source(at..at + key.len()));
        }
        for needle in &encoded {
            for at in memmem::find_iter(&decoded.bytes, needle.as_bytes()) {
                ranges.push(decoded.source(decoded.base64_around(at..at + needle.len())));
            }
        }
    }
    ranges
}

/// The base64 digits that depend on the key alone, for each alignment of its first byte and for
/// both alphabets.
fn in_base64(key: &str) -> Vec<String> {
    let mut needles = Vec::new();
    for before in 0..3 {
        let mut bytes = vec![0; before];
        bytes.extend(key.as_bytes());
        let whole = STANDARD_NO_PAD.encode(&bytes);
        let needle = &whole[(before * 8).div_ceil(6)..bytes.len() * 8 / 6];
        if needle.len() >= SHORTEST_BASE64 {
            needles.push(needle.replace('+', "-").replace('/', "_"));
            needles.push(needle.to_owned());
        }
    }
    needles.dedup();
    needles
}

/// A text after some rounds of decoding, with the source offset of each byte.
struct Decoded {
    bytes: Vec<u8>,
    /// Offset in the text at which each byte starts, and the end; `None` before the first round.
    starts: Option<Vec<usize>>,
}

impl Decoded {
    fn of(text: &str) -> Self {
        Self {
            bytes: text.as_bytes().to_vec(),
            starts: None,
        }
    }

    fn source(&self, range: Range<usize>) -> Range<usize> {
        match &self.starts {
            None => range,
            Some(starts) => starts[range.start]..starts[range.end],
        }
    }

    /// Range in the text of the whole base64 run around a match.
    fn base64_around(&self, range: Range<usize>) -> Range<usize> {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
        let before = self.bytes[..range.start].iter().rev();
        let after = self.bytes[range.end..].iter();
        let end = range.end + after.take_while(is_part).count();
        let padding = self.bytes[end..].iter().take_while(|byte| **byte == b'=');
        range.start - before.take_while(is_part).count()..end + padding.count()
    }

    /// Decodes one layer of escapes; `false` if there is none.
    fn decode(&mut self) -> bool {
        if !self.bytes.iter().any(|byte| b"%\\&".contains(byte)) {
            return false;
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut starts = Vec::with_capacity(self.bytes.len() + 1);
        let mut at = 0;
        while at < self.bytes.len() {
            let (byte, length) = unescaped(&self.bytes[at..]).unwrap_or((self.bytes[at], 1));
            bytes.push(byte);
            starts.push(self.source(at..at).start);
            at += length;
        }
        starts.push(self.source(at..at).start);
        let changed = bytes.len() < self.bytes.len();
        *self = Self {
            bytes,
            starts: Some(starts),
        };
        changed
    }
}

/// The ASCII character of an escape at the start, and the length of the escape.
fn unescaped(bytes: &[u8]) -> Option<(u8, usize)> {
    let number = |range: Range<usize>, radix| {
        let digits = std::str::from_utf8(bytes.get(range)?).ok()?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let number = u8::from_str_radix(digits, radix).ok()?;
        number.is_ascii().then_some(number)
    };
    match bytes {
        [b'%', ..] => Some((number(1..3, 16)?, 3)),
        [b'\\', b'u', ..] => Some((number(2..6, 16)?, 6)),
        [b'\\', b'x', ..] => Some((number(2..4, 16)?, 4)),
        [b'\\', b'/' | b'\\' | b'"', ..] => Some((bytes[1], 2)),
        [b'&', b'#', b'x' | b'X', ..] => {
            let end = bytes.iter().take(9).position(|byte| *byte == b';')?;
            Some((number(3..end, 16)?, end + 1))
        }
        [b'&', b'#', ..] => {
            let end = bytes.iter().take(9).position(|byte| *byte == b';')?;
            Some((number(2..end, 10)?, end + 1))
        }
        [b'&', ..] => [
            ("&amp;", b'&'),
            ("&lt;", b'<'),
            ("&gt;", b'>'),
            ("&quot;", b'"'),
        ]
        .into_iter()
        .find(|(name, _)| bytes.starts_with(name.as_bytes()))
        .map(|(name, char)| (char, name.len())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};

    use super::*;

    const KEY: &str = "sk-pl/an+ted&01~23";

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(scrub(KEY, text), expect, "{text}");
    }

    #[test]
    fn every_form_of_a_key_is_hidden() {
        check(
            &format!("as it is: {KEY}, twice: {KEY}."),
            "as it is: [key], twice: [key].",
        );
        check(
            "component sk-pl%2Fan%2Bted%2601%7E23 end",
            "component [key] end",
        );
        check("lower sk-pl%2fan%2bted%2601~23 end", "lower [key] end");
        check("partly sk-pl/an%2Bted&01~23 end", "partly [key] end");
        let all: String = KEY.bytes().map(|byte| format!("%{byte:02X}")).collect();
        check(&format!("all {all} end"), "all [key] end");
        check(
            "twice sk-pl%252Fan%252Bted%252601%257E23 end",
            "twice [key] end",
        );
        check(
            "JSON \"sk-pl\\/an\\u002bted\\u002601~23\" end",
            "JSON \"[key]\" end",
        );
        check("HTML sk-pl&#x2F;an&#43;ted&amp;01~23 end", "HTML [key] end");
        check(
            "nothing 100 % of it & all \\ that",
            "nothing 100 % of it & all \\ that",
        );
        check(
            "Grüße %zz %2 \\u00 &#; &#x; %",
            "Grüße %zz %2 \\u00 &#; &#x; %",
        );
    }

    #[test]
    fn a_key_within_base64_is_hidden() {
        for before in [
            "",
            "a",
            "ab",
            "abc",
            "user:",
            "Bearer ",
            "{\"Authorization\": \"Bearer ",
        ] {
            for after in ["", "x", "\"}"] {
                let whole = format!("{before}{KEY}{after}");
                for encoded in [STANDARD.encode(&whole), URL_SAFE.encode(&whole)] {
                    check(
                        &format!("Basic {encoded} was refused"),
                        "Basic [key] was refused",
                    );
                    let query = encoded.replace('=', "%3D").replace('+', "%2B");
                    check(&format!("?auth={query}&x"), "?auth=[key]&x");
                }
            }
        }
    }

    #[test]
    fn values_of_key_fields_are_hidden() {
        let check = |text: &str, expect: &str| assert_eq!(scrub_queries(text), expect);
        check(
            "GET /v1/models?key=abc&page=2 failed",
            "GET /v1/models?key=[key]&page=2 failed",
        );
        check(
            "https://h/?page=2&Api_Key=abc\"",
            "https://h/?page=2&Api_Key=[key]\"",
        );
        check(
            "max_tokens=5 ? monkey=1 &key=",
            "max_tokens=5 ? monkey=1 &key=",
        );
        check("what? = no", "what? = no");
    }

    #[test]
    fn the_beginning_of_a_key_is_noticed_at_the_end() {
        let check = |text: &str, expect| assert_eq!(beginning_at_end(KEY, text), expect, "{text}");
        check("nothing of it", 0);
        check("risky", 0);
        check("risk", 2);
        check("it is sk-p", 4);
        check("s", 1);
        check("ends with s", 1);
        check(&KEY[..KEY.len() - 1], KEY.len() - 1);
        check("é", 0);
        check("", 0);
    }

    #[test]
    fn any_text_is_read() {
        let alphabet = [
            "%", "2", "F", "\\", "u", "0", "&", "#", "x", ";", "sk", "é", "=", "/",
        ];
        let mut state = 1_u32;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(alphabet[(state >> 20) as usize % alphabet.len()]);
            }
            assert_eq!(scrub(KEY, &text), text);
        }
    }
}
