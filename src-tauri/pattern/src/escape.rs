//! Escapes and bracketed sets of Python's regular expressions.

use super::error::PatternError;
use super::parse::Parser;
use super::syntax::{Assertion, Category, CategoryKind, Node, Set};

/// What one entry of a bracketed set stands for.
#[derive(Clone, Copy)]
enum Entry {
    Point(u32),
    Category(Category),
}

impl Entry {
    fn join(self, set: &mut Set) {
        match self {
            Self::Point(code) => set.ranges.push((code, code)),
            Self::Category(category) => set.categories.push(category),
        }
    }
}

impl Parser {
    /// An escape outside brackets; the backslash at `start` has been read.
    pub(super) fn escape(&mut self, start: usize) -> Result<Node, PatternError> {
        let Some(letter) = self.next() else {
            return Err(PatternError::malformed(
                start,
                "bad escape (end of pattern)",
            ));
        };
        if let Some(category) = self.category(letter) {
            return Ok(Node::Set(Set {
                categories: vec![category],
                ..Set::default()
            }));
        }
        let ascii = self.flags.ascii;
        match letter {
            'A' => Ok(Node::Assert(Assertion::TextStart)),
            'Z' => Ok(Node::Assert(Assertion::TextEnd)),
            'b' => Ok(Node::Assert(Assertion::WordBoundary { ascii })),
            'B' => Ok(Node::Assert(Assertion::NotWordBoundary { ascii })),
            '0' => {
                let code = self.octal(0, 2);
                Ok(self.code_point(code))
            }
            '1'..='9' => self.numbered(letter, start),
            _ => {
                let code = self.character_escape(letter, start)?;
                Ok(self.code_point(code))
            }
        }
    }

    /// `\1` to `\99`, or three octal digits.
    fn numbered(&mut self, letter: char, start: usize) -> Result<Node, PatternError> {
        let mut number = letter.to_digit(10).unwrap_or(0);
        if let Some(second) = self.peek().and_then(|next| next.to_digit(10)) {
            let third = self
                .chars
                .get(self.at + 1)
                .and_then(|next| next.to_digit(8));
            if let (1..=7, 0..=7, Some(third)) = (number, second, third) {
                self.at += 2;
                let code = number * 64 + second * 8 + third;
                if code > 0o377 {
                    return Err(octal_too_large(code, start));
                }
                return Ok(self.code_point(code));
            }
            self.at += 1;
            number = number * 10 + second;
        }
        let group = number as usize;
        self.reference(
            group,
            start,
            &format!("invalid group reference {group}"),
            start + 1,
        )
    }

    /// A reference to `group`, written at `start`.
    pub(super) fn reference(
        &self,
        group: usize,
        start: usize,
        unknown: &str,
        unknown_at: usize,
    ) -> Result<Node, PatternError> {
        match self.groups.get(group) {
            None => return Err(PatternError::malformed(unknown_at, unknown)),
            Some(None) => {
                return Err(PatternError::malformed(
                    start,
                    "cannot refer to an open group",
                ));
            }
            Some(Some(_)) => {}
        }
        if self
            .look_behinds
            .first()
            .is_some_and(|before| group >= *before)
        {
            return Err(PatternError::malformed(
                start,
                "cannot refer to group defined in the same lookbehind subpattern",
            ));
        }
        Ok(Node::Backreference {
            group,
            ignore_case: self.flags.ignore_case,
        })
    }

    /// Up to `most` more octal digits after `value`.
    fn octal(&mut self, mut value: u32, most: usize) -> u32 {
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|next| next.to_digit(8)) else {
                break;
            };
            self.at += 1;
            value = value * 8 + digit;
        }
        value
    }

    fn category(&mut self, letter: char) -> Option<Category> {
        let kind = match letter.to_ascii_lowercase() {
            'd' => CategoryKind::Digit,
            's' => CategoryKind::Space,
            'w' => CategoryKind::Word,
            _ => return None,
        };
        self.count_category(kind);
        Some(Category {
            kind,
            negated: letter.is_ascii_uppercase(),
            ascii: self.flags.ascii,
        })
    }

    /// Escapes that stand for one character, inside brackets and outside.
    fn character_escape(&mut self, letter: char, start: usize) -> Result<u32, PatternError> {
        let plain = match letter {
            'a' => 0x07,
            'f' => 0x0C,
            'n' => 0x0A,
            'r' => 0x0D,
            't' => 0x09,
            'v' => 0x0B,
            'x' => return self.hex(2, start),
            'u' => return self.hex(4, start),
            'U' => {
                let code = self.hex(8, start)?;
                if code > 0x10_FFFF {
                    return Err(self.bad_escape(start));
                }
                return Ok(code);
            }
            'N' => {
                return Err(PatternError::unsupported(
                    start,
                    "\\N{...} is not supported: write the character itself or \\uXXXX",
                ));
            }
            letter if letter.is_ascii_alphanumeric() => return Err(self.bad_escape(start)),
            other => u32::from(other),
        };
        Ok(plain)
    }

    fn hex(&mut self, digits: usize, start: usize) -> Result<u32, PatternError> {
        let mut code: u32 = 0;
        for _ in 0..digits {
            let Some(digit) = self.peek().and_then(|next| next.to_digit(16)) else {
                return Err(PatternError::malformed(
                    start,
                    format!("incomplete escape {}", self.written(start)),
                ));
            };
            self.at += 1;
            code = code.saturating_mul(16).saturating_add(digit);
        }
        Ok(code)
    }

    fn bad_escape(&self, start: usize) -> PatternError {
        PatternError::malformed(start, format!("bad escape {}", self.written(start)))
    }

    fn written(&self, start: usize) -> String {
        self.chars[start..self.at].iter().collect()
    }

    /// A set; the bracket at `start` has been read.
    pub(super) fn set(&mut self, start: usize) -> Result<Node, PatternError> {
        let mut set = Set {
            negated: self.accept('^'),
            ..Set::default()
        };
        let first = self.at;
        loop {
            let place = self.at;
            let Some(next) = self.next() else {
                return Err(unterminated_set(start));
            };
            if next == ']' && place != first {
                break;
            }
            let low = self.entry(next, place)?;
            if self.peek() != Some('-') {
                low.join(&mut set);
                continue;
            }
            self.at += 1;
            let high_place = self.at;
            let Some(next) = self.next() else {
                return Err(unterminated_set(start));
            };
            if next == ']' {
                low.join(&mut set);
                Entry::Point(u32::from('-')).join(&mut set);
                break;
            }
            let high = self.entry(next, high_place)?;
            match (low, high) {
                (Entry::Point(low), Entry::Point(high)) if low <= high => {
                    set.ranges.push((low, high));
                }
                _ => {
                    return Err(PatternError::malformed(
                        place,
                        format!("bad character range {}", self.written(place)),
                    ));
                }
            }
        }
        self.fold(&mut set.ranges);
        Ok(Node::Set(set))
    }

    fn entry(&mut self, next: char, place: usize) -> Result<Entry, PatternError> {
        if next != '\\' {
            return Ok(Entry::Point(u32::from(next)));
        }
        let Some(letter) = self.next() else {
            return Err(PatternError::malformed(
                place,
                "bad escape (end of pattern)",
            ));
        };
        if let Some(category) = self.category(letter) {
            return Ok(Entry::Category(category));
        }
        match letter {
            'b' => Ok(Entry::Point(0x08)),
            '0'..='7' => {
                let code = self.octal(letter.to_digit(8).unwrap_or(0), 2);
                if code > 0o377 {
                    return Err(octal_too_large(code, place));
                }
                Ok(Entry::Point(code))
            }
            _ => Ok(Entry::Point(self.character_escape(letter, place)?)),
        }
    }
}

fn unterminated_set(start: usize) -> PatternError {
    PatternError::malformed(start, "unterminated character set")
}

fn octal_too_large(code: u32, start: usize) -> PatternError {
    PatternError::malformed(
        start,
        format!("octal escape value \\{code:o} outside of range 0-0o377"),
    )
}
