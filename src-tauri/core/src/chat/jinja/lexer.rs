//! Cuts a template into tokens, with the white space control of the tags and of `trim_blocks` and
//! `lstrip_blocks`. Knows strings, comments and raw blocks; knows no grammar.

use std::str::FromStr;
use std::sync::Arc;

use num_bigint::BigInt;

use super::error::{Error, ErrorKind, Result};
use super::value::Value;

/// What a token is.
#[derive(Clone)]
pub(super) enum Kind {
    Text(Arc<str>),
    BlockBegin,
    BlockEnd,
    VariableBegin,
    VariableEnd,
    Name(Arc<str>),
    Const(Value),
    String(Arc<str>),
    Operator(&'static str),
    End,
}

/// A token and the byte offset it begins at.
#[derive(Clone)]
pub(super) struct Token {
    pub kind: Kind,
    pub at: u32,
}

/// Longest first where one begins another.
const OPERATORS: [&str; 26] = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}",
    ">", "<", "=", ".", ":", "|", ",", ";",
];

/// Makes every line end a single `\n` and drops one at the very end, as Jinja does with a source.
pub(super) fn normalized(source: &str) -> String {
    let mut text = if source.contains('\r') {
        source.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        source.to_owned()
    };
    if text.ends_with('\n') {
        text.pop();
    }
    text
}

/// Python's `str.isspace` for one character.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Block,
    Variable,
    Comment,
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    tokens: Vec<Token>,
    /// Whether the position is the start of a line as far as `lstrip_blocks` is concerned.
    line_start: bool,
}

/// The tokens of a normalized source, ending in [`Kind::End`].
pub(super) fn tokens(source: &str) -> Result<Vec<Token>> {
    let mut lexer = Lexer {
        source,
        at: 0,
        tokens: Vec::new(),
        line_start: true,
    };
    while lexer.at < source.len() {
        lexer.outside()?;
    }
    lexer.push(Kind::End, source.len());
    Ok(lexer.tokens)
}

fn error(message: impl Into<String>, at: usize) -> Error {
    Error::new(ErrorKind::Syntax, message).at(at as u32)
}

impl<'a> Lexer<'a> {
    fn push(&mut self, kind: Kind, at: usize) {
        self.tokens.push(Token {
            kind,
            at: at as u32,
        });
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn text(&mut self, text: &str, at: usize) {
        if !text.is_empty() {
            self.push(Kind::Text(text.into()), at);
        }
    }

    /// The next tag opening from the current position.
    fn next_tag(&self) -> Option<(usize, Tag)> {
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        while let Some(found) = self.source[at..].find('{') {
            at += found;
            match bytes.get(at + 1) {
                Some(b'%') => return Some((at, Tag::Block)),
                Some(b'{') => return Some((at, Tag::Variable)),
                Some(b'#') => return Some((at, Tag::Comment)),
                _ => at += 1,
            }
        }
        None
    }

    /// Plain text up to the next tag, then the tag.
    fn outside(&mut self) -> Result<()> {
        let begin = self.at;
        let Some((open, tag)) = self.next_tag() else {
            self.text(&self.source[begin..], begin);
            self.at = self.source.len();
            return Ok(());
        };
        let sign = self.source.as_bytes().get(open + 2).copied();
        let text = &self.source[begin..open];
        let text = self.before_tag(text, sign, tag == Tag::Variable);
        self.text(text, begin);
        self.at = open + 2;
        if matches!(sign, Some(b'-' | b'+')) {
            self.at += 1;
        }
        match tag {
            Tag::Comment => self.comment(open),
            Tag::Variable => {
                self.push(Kind::VariableBegin, open);
                self.inside(open, "}}")
            }
            Tag::Block => match self.raw_begin() {
                Some(after) => self.raw(open, after),
                None => {
                    self.push(Kind::BlockBegin, open);
                    self.inside(open, "%}")
                }
            },
        }
    }

    /// The text before a tag with what the tag takes away from its end.
    fn before_tag<'t>(&self, text: &'t str, sign: Option<u8>, variable: bool) -> &'t str {
        match sign {
            Some(b'-') => trim_end(text),
            Some(b'+') => text,
            _ if variable => text,
            _ => {
                let line = text.rfind('\n').map_or(0, |at| at + 1);
                let blank = !text[line..].is_empty() && text[line..].chars().all(is_space);
                if blank && (line > 0 || self.line_start) {
                    &text[..line]
                } else {
                    text
                }
            }
        }
    }

    /// After a closing tag: what it takes away from the text that follows. `trims` for the tags
    /// `trim_blocks` is about.
    fn after_tag(&mut self, minus: bool, plus: bool, trims: bool) {
        let before = self.at;
        if minus {
            self.at = self.source.len() - trim_start(self.rest()).len();
        } else if trims && !plus && self.rest().starts_with('\n') {
            self.at += 1;
        }
        self.line_start = self.source[before..self.at].ends_with('\n');
    }

    fn comment(&mut self, open: usize) -> Result<()> {
        let Some(found) = self.rest().find("#}") else {
            return Err(error("Missing end of comment tag", open));
        };
        let body = &self.rest()[..found];
        let (minus, plus) = (body.ends_with('-'), body.ends_with('+'));
        self.at += found + 2;
        self.after_tag(minus, plus, true);
        Ok(())
    }

    /// The length of `raw` and its closing tag, when the block just opened is one.
    fn raw_begin(&self) -> Option<usize> {
        let rest = trim_start(self.rest()).strip_prefix("raw")?;
        let rest = trim_start(rest);
        let after = match rest.strip_prefix("-%}") {
            Some(after) => trim_start(after),
            None => rest.strip_prefix("%}")?,
        };
        Some(self.source.len() - after.len())
    }

    fn raw(&mut self, open: usize, after: usize) -> Result<()> {
        self.line_start = self.source[..after].ends_with('\n');
        let mut search = after;
        while let Some(found) = self.source[search..].find("{%") {
            let end = search + found;
            search = end + 2;
            let mut rest = &self.source[end + 2..];
            let sign = rest
                .bytes()
                .next()
                .filter(|byte| matches!(byte, b'-' | b'+'));
            if sign.is_some() {
                rest = &rest[1..];
            }
            let Some(rest) = trim_start(rest).strip_prefix("endraw") else {
                continue;
            };
            let rest = trim_start(rest);
            let (rest, minus, plus) = if let Some(rest) = rest.strip_prefix("-%}") {
                (rest, true, false)
            } else if let Some(rest) = rest.strip_prefix("+%}") {
                (rest, false, true)
            } else if let Some(rest) = rest.strip_prefix("%}") {
                (rest, false, false)
            } else {
                continue;
            };
            let text = self.before_tag(&self.source[after..end], sign, false);
            self.text(text, after);
            self.at = self.source.len() - rest.len();
            self.after_tag(minus, plus, true);
            return Ok(());
        }
        Err(error("Missing end of raw directive", open))
    }

    /// The tokens of a tag up to its end.
    fn inside(&mut self, open: usize, end: &'static str) -> Result<()> {
        let mut open_brackets: Vec<&'static str> = Vec::new();
        loop {
            self.at = self.source.len() - trim_start(self.rest()).len();
            let rest = self.rest();
            if open_brackets.is_empty() {
                let (minus, plus) = (rest.starts_with('-'), rest.starts_with('+'));
                let signed = minus || plus && end == "%}";
                let tail = if signed { &rest[1..] } else { rest };
                if tail.starts_with(end) {
                    let at = self.at;
                    self.at += usize::from(signed) + 2;
                    self.after_tag(minus, plus, end == "%}");
                    let kind = if end == "%}" {
                        Kind::BlockEnd
                    } else {
                        Kind::VariableEnd
                    };
                    self.push(kind, at);
                    return Ok(());
                }
            }
            let Some(first) = rest.chars().next() else {
                // The parser says what is missing; the tag just stops.
                self.at = self.source.len();
                let _ = open;
                return Ok(());
            };
            match first {
                '0'..='9' => self.number()?,
                '\'' | '"' => self.string(first)?,
                '_' => self.name(),
                _ if first.is_alphabetic() => self.name(),
                _ => self.operator(first, &mut open_brackets)?,
            }
        }
    }

    fn name(&mut self) {
        let rest = self.rest();
        let end = rest
            .find(|character: char| !(character.is_alphanumeric() || character == '_'))
            .unwrap_or(rest.len());
        self.push(Kind::Name(rest[..end].into()), self.at);
        self.at += end;
    }

    fn operator(&mut self, first: char, open: &mut Vec<&'static str>) -> Result<()> {
        let rest = self.rest();
        let Some(operator) = OPERATORS
            .iter()
            .find(|operator| rest.starts_with(**operator))
        else {
            let message = format!("unexpected char '{first}' at {}", self.at);
            return Err(error(message, self.at));
        };
        match *operator {
            "{" => open.push("}"),
            "(" => open.push(")"),
            "[" => open.push("]"),
            "}" | ")" | "]" => match open.pop() {
                None => return Err(error(format!("unexpected '{operator}'"), self.at)),
                Some(expected) if expected != *operator => {
                    let message = format!("unexpected '{operator}', expected '{expected}'");
                    return Err(error(message, self.at));
                }
                Some(_) => {}
            },
            _ => {}
        }
        self.push(Kind::Operator(operator), self.at);
        self.at += operator.len();
        Ok(())
    }

    /// Digits with single underscores between them, from `from` on: the index after the last.
    fn digits(&self, from: usize, valid: fn(u8) -> bool) -> usize {
        let bytes = self.source.as_bytes();
        let mut at = from;
        loop {
            match bytes.get(at) {
                Some(byte) if valid(*byte) => at += 1,
                Some(b'_') if at > from && bytes.get(at + 1).is_some_and(|next| valid(*next)) => {
                    at += 1;
                }
                _ => return at,
            }
        }
    }

    fn number(&mut self) -> Result<()> {
        let bytes = self.source.as_bytes();
        let begin = self.at;
        let decimal = |byte: u8| byte.is_ascii_digit();
        let whole = self.digits(begin, decimal);
        let after_dot = self.source[..begin].ends_with('.');
        let mut end = whole;
        if !after_dot {
            if bytes.get(whole) == Some(&b'.')
                && bytes.get(whole + 1).is_some_and(u8::is_ascii_digit)
            {
                end = self.digits(whole + 1, decimal);
            }
            if matches!(bytes.get(end), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
                let exponent = self.digits(end + 1 + sign, decimal);
                if exponent > end + 1 + sign {
                    end = exponent;
                }
            }
        }
        if end > whole {
            let typed = self.source[begin..end].replace('_', "");
            self.push(
                Kind::Const(Value::Float(typed.parse().unwrap_or(f64::NAN))),
                begin,
            );
            self.at = end;
            return Ok(());
        }
        let (radix, from, valid): (u32, usize, fn(u8) -> bool) =
            match (bytes[begin], bytes.get(begin + 1)) {
                (b'0', Some(b'x' | b'X')) => (16, begin + 2, |byte| byte.is_ascii_hexdigit()),
                (b'0', Some(b'o' | b'O')) => (8, begin + 2, |byte| matches!(byte, b'0'..=b'7')),
                (b'0', Some(b'b' | b'B')) => (2, begin + 2, |byte| matches!(byte, b'0' | b'1')),
                // A leading zero is a number of its own unless only zeros follow.
                (b'0', _) => (10, begin, |byte| byte == b'0'),
                _ => (10, begin, |byte| byte.is_ascii_digit()),
            };
        let start = from + usize::from(radix != 10 && bytes.get(from) == Some(&b'_'));
        let mut end = self.digits(start, valid);
        let mut typed = self.source[start..end].replace('_', "");
        let mut radix = radix;
        if typed.is_empty() {
            (radix, end, typed) = (10, begin + 1, "0".to_owned());
        }
        if typed.len() > 4300 {
            return Err(error("the number has more than 4300 digits", begin));
        }
        let value = BigInt::parse_bytes(typed.as_bytes(), radix)
            .or_else(|| BigInt::from_str("0").ok())
            .unwrap_or_default();
        self.push(Kind::Const(Value::integer(value)), begin);
        self.at = end;
        Ok(())
    }

    fn string(&mut self, quote: char) -> Result<()> {
        let begin = self.at;
        let body = &self.rest()[1..];
        let mut escaped = false;
        let mut plain = true;
        for (index, character) in body.char_indices() {
            if escaped {
                escaped = false;
            } else if character == '\\' {
                escaped = true;
                plain = false;
            } else if character == quote {
                let text = &body[..index];
                let value: Arc<str> = if plain {
                    text.into()
                } else {
                    unescaped(text)
                        .map_err(|message| error(message, begin))?
                        .into()
                };
                self.push(Kind::String(value), begin);
                self.at = begin + index + 2;
                return Ok(());
            }
        }
        Err(error(
            format!("unexpected char '{quote}' at {begin}"),
            begin,
        ))
    }
}

/// Resolves the escapes of a Python text literal; unknown ones stay as they are.
fn unescaped(text: &str) -> std::result::Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        let Some(escape) = rest.next() else {
            return Err("\\ at end of string".into());
        };
        match escape {
            '\n' => {}
            '\\' | '\'' | '"' => out.push(escape),
            'a' => out.push('\u{7}'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'v' => out.push('\u{b}'),
            'x' => out.push(coded(&mut rest, 2, 'x')?),
            'u' => out.push(surrogates(&mut rest)?),
            'U' => out.push(coded(&mut rest, 8, 'U')?),
            'N' => return Err("names of characters (\\N) are not supported".into()),
            '0'..='7' => {
                let mut code = escape as u32 - 48;
                let mut ahead = rest.clone();
                for _ in 0..2 {
                    match ahead.next().and_then(|digit| digit.to_digit(8)) {
                        Some(digit) => {
                            code = code * 8 + digit;
                            rest.next();
                        }
                        None => break,
                    }
                }
                out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            other => {
                out.push('\\');
                out.push(other);
            }
        }
    }
    Ok(out)
}

fn digits_of(rest: &mut std::str::Chars<'_>, count: usize, name: char) -> Result<u32, String> {
    let mut code = 0u32;
    for _ in 0..count {
        let digit = rest.next().and_then(|digit| digit.to_digit(16));
        let digit = digit.ok_or_else(|| format!("truncated \\{name} escape"))?;
        code = code.wrapping_mul(16).wrapping_add(digit);
    }
    Ok(code)
}

fn coded(rest: &mut std::str::Chars<'_>, count: usize, name: char) -> Result<char, String> {
    let code = digits_of(rest, count, name)?;
    char::from_u32(code).ok_or_else(|| format!("\\{name} names no character"))
}

/// `\uXXXX`; a pair of surrogates is one character, a lone one has no place in a text here.
fn surrogates(rest: &mut std::str::Chars<'_>) -> Result<char, String> {
    let code = digits_of(rest, 4, 'u')?;
    char::from_u32(code).ok_or_else(|| "a lone surrogate is not supported in a text".into())
}
