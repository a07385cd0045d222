//! A strict JSON parser that records source positions and the spelling of numbers.
//!
//! `serde_json` records no positions, lets a later key overwrite an earlier one, rewrites exponents and
//! takes an object with its private number key for a number.
//! This parser knows nothing of registries.

use promptdeck_json::{abridged, push_step};
use serde_json::{Map, Number, Value};

use super::{
    DataKey, DiagnosticData, ParseCode, SourceMap,
    bounds::{self, MAX_DEPTH, Root},
    position::{Node, Position, line_starts, position_at},
};

/// A fault with its byte offset; the path is filled in, innermost step first, on the way out.
#[derive(Debug)]
pub(super) struct JsonFault {
    pub code: ParseCode,
    pub message: String,
    pub data: DiagnosticData,
    pub offset: usize,
    path: Vec<String>,
}

impl JsonFault {
    pub fn new(code: ParseCode, offset: usize, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: DiagnosticData::none(),
            offset,
            path: Vec::new(),
        }
    }

    /// The same fault with what its message names.
    pub fn naming(self, data: DiagnosticData) -> Self {
        Self { data, ..self }
    }

    /// The JSON pointer to the fault.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.path.iter().rev() {
            push_step(&mut pointer, step);
        }
        pointer
    }

    fn within(mut self, step: impl Into<String>) -> Self {
        self.path.push(step.into());
        self
    }
}

/// Reads one JSON text, all of it, once it is known to be within bounds.
pub(super) fn read(bytes: &[u8], root: Root<'_>) -> Result<(Value, SourceMap), JsonFault> {
    bounds::check(bytes, root)?;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let message = match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
                "this is UTF-16, as its byte order mark (BOM) says; save the file as UTF-8"
            }
            _ => "this is not UTF-8; save the file as UTF-8",
        };
        JsonFault::new(ParseCode::Encoding, error.valid_up_to(), message)
    })?;
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        open: Vec::new(),
        nodes: Vec::with_capacity(text.len() / 16),
    };
    if text.starts_with('\u{feff}') {
        return Err(reader
            .fault("the file begins with a byte order mark (BOM); save it as UTF-8 without one"));
    }
    reader.skip_whitespace();
    let value = reader.value(Node::NO_KEY, 0)?;
    reader.skip_whitespace();
    if reader.at < reader.bytes.len() {
        return Err(reader.fault("text follows the JSON value; remove it"));
    }
    let nodes = reader.nodes;
    Ok((value, SourceMap::new(text, nodes)))
}

/// Decodes the string literal that starts at `at`; the text was read before, so it is valid.
pub(super) fn string_at(text: &str, at: usize) -> Option<String> {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at,
        open: Vec::new(),
        nodes: Vec::new(),
    };
    reader.string().ok()
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Where the containers begin whose end was not read yet, outermost first.
    open: Vec<usize>,
    nodes: Vec<Node>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn fault(&self, message: impl Into<String>) -> JsonFault {
        JsonFault::new(ParseCode::Syntax, self.at, message)
    }

    /// A fault about the character at hand.
    fn unexpected(&self, wanted: &str) -> JsonFault {
        let expected = DiagnosticData::of(DataKey::Expected, wanted);
        match self.text[self.at..].chars().next() {
            Some(found) => self
                .fault(format!("expected {wanted}, found {found:?}"))
                .naming(expected.with(DataKey::Found, found.to_string())),
            None => self
                .fault(format!("{}: expected {wanted}", self.unfinished()))
                .naming(expected),
        }
    }

    /// In the middle of what the text ends.
    fn unfinished(&self) -> String {
        let Some(start) = self.open.last() else {
            return match self.text.trim().is_empty() {
                true => "the text is empty".to_owned(),
                false => "the text ends in the middle of a value".to_owned(),
            };
        };
        let container = match self.bytes[*start] {
            b'{' => "object",
            _ => "list",
        };
        let Position { line, column } = position_at(self.text, &line_starts(self.text), *start);
        format!(
            "the text ends in the middle of the {container} that begins at line {line}, column {column}"
        )
    }

    fn value(&mut self, key: u32, depth: usize) -> Result<Value, JsonFault> {
        let node = self.nodes.len();
        self.nodes.push(Node {
            offset: self.at as u32,
            key,
            next: 0,
        });
        let value = match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.unexpected("a value")),
        }?;
        self.nodes[node].next = self.nodes.len() as u32;
        Ok(value)
    }

    fn literal(&mut self, word: &str, value: Value) -> Result<Value, JsonFault> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else if word.as_bytes().starts_with(rest) {
            self.at = self.bytes.len();
            Err(self.unexpected(&format!("`{word}`")))
        } else {
            Err(self.unexpected("a value (true, false or null in small letters)"))
        }
    }

    fn descend(&self, depth: usize) -> Result<usize, JsonFault> {
        if depth < MAX_DEPTH {
            Ok(depth + 1)
        } else {
            Err(JsonFault::new(
                ParseCode::TooDeep,
                self.at,
                format!("nested deeper than {MAX_DEPTH} levels"),
            )
            .naming(DiagnosticData::of(DataKey::Maximum, MAX_DEPTH)))
        }
    }

    /// Reads the bracket that closes the innermost container.
    fn close(&mut self) {
        self.open.pop();
        self.at += 1;
    }

    fn array(&mut self, depth: usize) -> Result<Value, JsonFault> {
        let depth = self.descend(depth)?;
        self.open.push(self.at);
        self.at += 1;
        let mut entries = Vec::new();
        self.skip_whitespace();
        if self.peek() == Some(b']') {
            self.close();
            return Ok(Value::Array(entries));
        }
        loop {
            self.skip_whitespace();
            let entry = self
                .value(Node::NO_KEY, depth)
                .map_err(|fault| fault.within(entries.len().to_string()))?;
            entries.push(entry);
            self.skip_whitespace();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.close();
                    return Ok(Value::Array(entries));
                }
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, JsonFault> {
        let depth = self.descend(depth)?;
        self.open.push(self.at);
        self.at += 1;
        let mut members = Map::new();
        self.skip_whitespace();
        if self.peek() == Some(b'}') {
            self.close();
            return Ok(Value::Object(members));
        }
        loop {
            self.skip_whitespace();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let key_at = self.at;
            let key = self.string()?;
            if members.contains_key(&key) {
                let message = format!("duplicate key {:?}; keep one", abridged(&key));
                return Err(JsonFault::new(ParseCode::DuplicateKey, key_at, message)
                    .naming(DiagnosticData::of(DataKey::Key, key.as_str()))
                    .within(key));
            }
            self.skip_whitespace();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.at += 1;
            self.skip_whitespace();
            match self.value(key_at as u32, depth) {
                Ok(value) => members.insert(key, value),
                Err(fault) => return Err(fault.within(key)),
            };
            self.skip_whitespace();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.close();
                    return Ok(Value::Object(members));
                }
                _ => return Err(self.unexpected("`,` or `}`")),
            }
        }
    }

    fn number(&mut self) -> Result<Value, JsonFault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.unexpected("a digit")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits_required()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits_required()?;
        }
        // The only constructor that keeps the author's spelling: parsing rewrites exponents.
        let spelling = self.text[start..self.at].to_owned();
        Ok(Value::Number(Number::from_string_unchecked(spelling)))
    }

    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
    }

    fn digits_required(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        self.digits();
        if self.at == start {
            return Err(self.unexpected("a digit"));
        }
        Ok(())
    }

    /// Reads the string literal at hand, whose opening quote was seen.
    fn string(&mut self) -> Result<String, JsonFault> {
        let opening = self.at;
        self.at += 1;
        let mut decoded = String::new();
        loop {
            let plain = self.at;
            while let Some(byte) = self.peek() {
                if byte == b'"' || byte == b'\\' || byte < b' ' {
                    break;
                }
                self.at += 1;
            }
            decoded.push_str(&self.text[plain..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(decoded);
                }
                Some(b'\\') => self.escape(&mut decoded)?,
                // A line end may follow what is left of a file.
                Some(_) if !self.text[self.at..].trim().is_empty() => {
                    return Err(self.fault("a bare control character in a string; escape it"));
                }
                _ => {
                    self.at = opening;
                    let message =
                        "the text ends in the middle of this string: close it with a quote";
                    return Err(self.fault(message));
                }
            }
        }
    }

    fn escape(&mut self, decoded: &mut String) -> Result<(), JsonFault> {
        let start = self.at;
        self.at += 1;
        let character = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let character = self.unicode(start)?;
                decoded.push(character);
                return Ok(());
            }
            _ => return Err(self.unexpected("an escape: one of \" \\ / b f n r t u")),
        };
        self.at += 1;
        decoded.push(character);
        Ok(())
    }

    /// The character of a `\u` escape, of both halves when it is a pair.
    fn unicode(&mut self, start: usize) -> Result<char, JsonFault> {
        let lone = || {
            JsonFault::new(
                ParseCode::LoneSurrogate,
                start,
                "unpaired surrogate; write the whole character",
            )
        };
        let first = self.hex()?;
        let code = match first {
            0xd800..=0xdbff => {
                if !self.bytes[self.at..].starts_with(b"\\u") {
                    return Err(lone());
                }
                self.at += 2;
                let second = self.hex()?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(lone());
                }
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            }
            other => other,
        };
        char::from_u32(code).ok_or_else(lone)
    }

    fn hex(&mut self) -> Result<u32, JsonFault> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.unexpected("four hexadecimal digits"));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}
