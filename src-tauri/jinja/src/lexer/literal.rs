//! Numbers and texts as they are written in a template.

use std::str::FromStr;
use std::sync::Arc;

use num_bigint::BigInt;

use super::super::error::Result;
use super::super::value::Value;
use super::{Kind, Lexer, error};

impl Lexer<'_> {
    /// Digits with single underscores between them, from `from` on: the index after the last.
    pub(super) fn digits(&self, from: usize, valid: fn(u8) -> bool) -> usize {
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

    pub(super) fn number(&mut self) -> Result<()> {
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
                // A leading zero is a separate number unless only zeros follow.
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

    pub(super) fn string(&mut self, quote: char) -> Result<()> {
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
