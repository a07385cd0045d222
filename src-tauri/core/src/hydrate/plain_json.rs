//! A reader for plain JSON: strings without escapes, natural numbers, no `null`. Programs that
//! request a hundred thousand prompts write such lines, and reading them dominates the time of such
//! a batch. This reader therefore tracks no positions and words no errors; lines that are not plain
//! go to `serde_json`, which reads or rejects them. Values are read into types by serde, or one by
//! one with the methods of [`Reader`].

use std::fmt;

use memchr::memchr_iter;
use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};

/// Reads a line into a `T` if it is plain and has that shape. `T` must not be recursive, since the
/// depth is not limited.
pub(super) fn read<'de, T: Deserialize<'de>>(line: &'de str) -> Option<T> {
    let mut reader = Reader::new(line);
    let value = T::deserialize(&mut reader).ok()?;
    reader.is_at_end().then_some(value)
}

/// The line is not plain or has another shape.
#[derive(Debug)]
pub(super) struct NotPlain;

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not plain JSON")
    }
}

impl std::error::Error for NotPlain {}

impl de::Error for NotPlain {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// A part of a plain line.
pub(super) type Read<T> = Result<T, NotPlain>;

/// A number of this many digits fits 64 bits.
const MOST_DIGITS: usize = 19;

/// Number of bytes before the first quote, backslash or control character.
fn plain_bytes(bytes: &[u8]) -> usize {
    // SWAR test of eight bytes for a zero byte; only the first hit is exact, since later ones may
    // result from a borrow.
    const EACH: u64 = u64::MAX / 0xff;
    const HIGHEST: u64 = EACH << 7;
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk() {
        let eight = u64::from_le_bytes(*eight);
        let nought = |byte: u64| byte.wrapping_sub(EACH) & !byte;
        let quote = nought(eight ^ (EACH * u64::from(b'"')));
        let backslash = nought(eight ^ (EACH * u64::from(b'\\')));
        let control = eight.wrapping_sub(EACH * u64::from(b' ')) & !eight;
        let found = (quote | backslash | control) & HIGHEST;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = &bytes[at..];
    let stops = |&byte: &u8| byte == b'"' || byte == b'\\' || byte < b' ';
    at + rest.iter().position(stops).unwrap_or(rest.len())
}

/// Reads the values of a line in order.
pub(super) struct Reader<'de> {
    text: &'de str,
    at: usize,
}

impl<'de> Reader<'de> {
    /// A reader at the start of a line.
    pub fn new(text: &'de str) -> Self {
        Self { text, at: 0 }
    }

    /// Whether nothing but white space is left.
    pub fn is_at_end(&mut self) -> bool {
        self.next().is_none()
    }

    /// Reads an object. `member` gets each name and reads the value.
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, &'de str) -> Read<()>) -> Read<()> {
        self.take(b'{')?;
        let mut first = true;
        while self.more(&mut first, b'}')? {
            let name = self.text()?;
            self.take(b':')?;
            member(self, name)?;
        }
        Ok(())
    }

    /// The text of the next value if it is an object: from its brace to the one that closes it. What
    /// is between them need not be JSON.
    pub fn object_text(&mut self) -> Read<&'de str> {
        if self.next() != Some(b'{') {
            return Err(NotPlain);
        }
        let bytes = self.text.as_bytes();
        let (start, mut depth) = (self.at, 0_usize);
        loop {
            match self.byte() {
                None => return Err(NotPlain),
                Some(b'"') => {
                    self.at += 1;
                    self.at += plain_bytes(&bytes[self.at..]);
                    if self.byte() != Some(b'"') {
                        return Err(NotPlain);
                    }
                }
                Some(b'{' | b'[') => depth += 1,
                Some(b'}' | b']') => depth -= 1,
                Some(_) => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(&self.text[start..self.at]);
            }
        }
    }

    /// What comes next up to the closing brace of that number, counted from 1.
    pub fn up_to_brace(&mut self, number: usize) -> Option<&'de str> {
        self.next();
        let rest = &self.text[self.at..];
        let mut braces = memchr_iter(b'}', rest.as_bytes());
        let last = braces.nth(number.checked_sub(1)?)?;
        Some(&rest[..=last])
    }

    /// Skips a text if it comes next. A text that is one JSON object is then the next value.
    pub fn skip(&mut self, text: &str) -> bool {
        self.next();
        let is_next = self.text[self.at..].starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte after white space, not consumed.
    fn next(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn take(&mut self, expected: u8) -> Read<()> {
        if self.next() != Some(expected) {
            return Err(NotPlain);
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a string.
    pub fn text(&mut self) -> Read<&'de str> {
        self.take(b'"')?;
        let start = self.at;
        let end = start + plain_bytes(&self.text.as_bytes()[start..]);
        self.at = end;
        if self.byte() != Some(b'"') {
            return Err(NotPlain);
        }
        self.at += 1;
        Ok(&self.text[start..end])
    }

    /// Reads a natural number: digits not followed by a fraction or exponent.
    pub fn number(&mut self) -> Read<u64> {
        self.next();
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_fractional = matches!(rest.as_bytes().get(digits), Some(b'.' | b'e' | b'E'));
        let padded = digits > 1 && rest.starts_with('0');
        if digits == 0 || digits > MOST_DIGITS || is_fractional || padded {
            return Err(NotPlain);
        }
        self.at += digits;
        rest[..digits].parse().map_err(|_| NotPlain)
    }

    fn boolean(&mut self) -> Read<bool> {
        self.next();
        let rest = &self.text[self.at..];
        let (word, value) = if rest.starts_with("true") {
            ("true", true)
        } else if rest.starts_with("false") {
            ("false", false)
        } else {
            return Err(NotPlain);
        };
        self.at += word.len();
        Ok(value)
    }

    /// Whether another member or element precedes `close`; otherwise consumes `close`.
    fn more(&mut self, first: &mut bool, close: u8) -> Read<bool> {
        let next = self.next();
        if next == Some(close) {
            self.at += 1;
            return Ok(false);
        }
        if !std::mem::replace(first, false) {
            self.take(b',')?;
        }
        Ok(true)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = NotPlain;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.next() {
            Some(b'"') => visitor.visit_borrowed_str(self.text()?),
            Some(b'0'..=b'9') => visitor.visit_u64(self.number()?),
            Some(b't' | b'f') => visitor.visit_bool(self.boolean()?),
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            _ => Err(NotPlain),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.take(b'{')?;
        visitor.visit_map(Members {
            reader: self,
            first: true,
        })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.take(b'[')?;
        visitor.visit_seq(Members {
            reader: self,
            first: true,
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_str(visitor)
    }

    /// `serde_json` requests its raw and exact values under reserved names that a hostile line
    /// could contain.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, _: V) -> Read<V::Value> {
        Err(NotPlain)
    }

    /// An unknown field may hold any value.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Read<V::Value> {
        Err(NotPlain)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf unit
        unit_struct tuple tuple_struct enum
    }
}

/// The members of an object or the elements of an array.
struct Members<'r, 'de> {
    reader: &'r mut Reader<'de>,
    first: bool,
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = NotPlain;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        if !self.reader.more(&mut self.first, b'}')? {
            return Ok(None);
        }
        let key = seed.deserialize(&mut *self.reader)?;
        self.reader.take(b':')?;
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> SeqAccess<'de> for Members<'_, 'de> {
    type Error = NotPlain;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        if !self.reader.more(&mut self.first, b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(default)]
    struct Shape<'a> {
        #[serde(borrow)]
        text: &'a str,
        #[serde(borrow)]
        texts: Option<Vec<&'a str>>,
        count: u64,
        rate: f64,
        flags: BTreeMap<String, bool>,
        inner: Option<BTreeMap<String, Vec<u64>>>,
    }

    impl Default for Shape<'_> {
        fn default() -> Self {
            Self {
                text: "none",
                texts: None,
                count: 1,
                rate: 0.5,
                flags: BTreeMap::new(),
                inner: None,
            }
        }
    }

    /// Checks that the line is read as by `serde_json` or not at all, and returns whether it was
    /// read.
    fn agrees(json: &str) -> bool {
        let Some(plain) = read::<Shape<'_>>(json) else {
            return false;
        };
        let known: Shape<'_> = serde_json::from_str(json).expect(json);
        assert_eq!(format!("{plain:?}"), format!("{known:?}"), "{json}");
        true
    }

    #[test]
    fn bytes_are_plain_up_to_quotes_backslashes_and_controls() {
        for stop in (0..=u8::MAX).filter(|&byte| byte == b'"' || byte == b'\\' || byte < b' ') {
            for at in 0..20 {
                let mut bytes = [b'!', b' ', 0x7f, 0x80, 0xff, b'#', b'[', b']'].repeat(3);
                bytes[at] = stop;
                assert_eq!(plain_bytes(&bytes), at, "{stop}");
                assert_eq!(plain_bytes(&bytes[..at]), at, "before {stop}");
            }
        }
    }

    #[test]
    fn what_is_not_plain_is_left() {
        for json in [
            r#"{"text":"a\n"}"#,
            "{\"text\":\"a\nb\"}",
            r#"{"text":null}"#,
            r#"{"count":-1}"#,
            r#"{"count":01}"#,
            r#"{"count":1.0}"#,
            r#"{"count":1e3}"#,
            r#"{"count":99999999999999999999}"#,
            r#"{"rate":2.5}"#,
            r#"{"flags":{"a":truer}}"#,
            r#"{"text":"a",}"#,
            r#"{"texts":["a",]}"#,
            r#"{"text":"a""count":1}"#,
            r#"{"text":"a"}}"#,
            r#"{"text":"a","text":"b"}"#,
            r#"{"unknown":1}"#,
            r#"{"text":"a"#,
            "[]",
            "",
        ] {
            assert!(!agrees(json), "{json}");
        }
    }

    #[test]
    fn what_asks_for_a_newtype_is_left() {
        #[derive(Deserialize)]
        struct Newtype(#[expect(dead_code, reason = "never read")] u64);

        assert!(read::<Newtype>("1").is_none());
        assert!(read::<u64>("1").is_some());
    }

    fn shape() -> impl Strategy<Value = Value> {
        let word = "[a-zé😀:_ ]{0,9}";
        let numbers = prop::collection::vec(any::<u64>().prop_map(|n| n >> 1), 0..4);
        (
            word,
            prop::collection::vec(word, 0..4),
            any::<u32>(),
            prop::collection::btree_map(word, any::<bool>(), 0..4),
            prop::collection::btree_map(word, numbers, 0..4),
        )
            .prop_map(|(text, texts, count, flags, inner)| {
                json!({
                    "text": text, "texts": texts, "count": count, "rate": count, "flags": flags,
                    "inner": inner,
                })
            })
    }

    proptest! {
        #[test]
        fn plain_json_is_read_as_serde_json_reads_it(shape in shape()) {
            prop_assert!(agrees(&shape.to_string()));
            prop_assert!(agrees(&serde_json::to_string_pretty(&shape).expect("JSON")));
        }

        #[test]
        fn damaged_json_is_read_as_serde_json_reads_it_or_left(
            shape in shape(),
            at in any::<prop::sample::Index>(),
            put in "[\\[\\]{}:,\"0-9a-z\\\\.\\- \u{0}]{0,2}",
        ) {
            let mut json = shape.to_string();
            let places: Vec<usize> = json.char_indices().map(|(at, _)| at).collect();
            let start = *at.get(&places);
            let end = start + json[start..].chars().next().map_or(0, char::len_utf8);
            json.replace_range(start..end, &put);
            agrees(&json);
        }
    }
}
