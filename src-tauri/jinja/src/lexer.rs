//! Cuts a template into tokens, with the white space control of the tags and of `trim_blocks` and
//! `lstrip_blocks`. Knows strings, comments and raw blocks; knows no grammar.

mod literal;

use std::sync::Arc;

use promptdeck_python::text::{is_space, lstrip, rstrip};

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
            Some(b'-') => rstrip(text),
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
            self.at = self.source.len() - lstrip(self.rest()).len();
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
        let rest = lstrip(self.rest()).strip_prefix("raw")?;
        let rest = lstrip(rest);
        let after = match rest.strip_prefix("-%}") {
            Some(after) => lstrip(after),
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
            let Some(rest) = lstrip(rest).strip_prefix("endraw") else {
                continue;
            };
            let rest = lstrip(rest);
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
            self.at = self.source.len() - lstrip(self.rest()).len();
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
}
