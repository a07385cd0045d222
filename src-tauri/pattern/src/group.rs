//! Everything that opens with a parenthesis: groups, flags, look-around,
//! references by name, conditionals, comments.

use promptdeck_python::{repr, text::is_identifier};

use super::error::PatternError;
use super::parse::{Flags, Parser};
use super::syntax::Node;

impl Parser {
    /// A group; the parenthesis at `start` has been read. Comments and flags
    /// for the whole pattern yield nothing.
    pub(super) fn group(
        &mut self,
        start: usize,
        may_set_flags: bool,
    ) -> Result<Option<Node>, PatternError> {
        if !self.accept('?') {
            return self.capture(None, start).map(Some);
        }
        let Some(kind) = self.next() else {
            return Err(PatternError::malformed(
                self.at,
                "unexpected end of pattern",
            ));
        };
        match kind {
            ':' => {
                let node = self.body(start)?;
                Ok(Some(grouped(node)))
            }
            'P' => self.named(start),
            '#' => {
                while let Some(next) = self.sign()? {
                    if next == (')', None) {
                        return Ok(None);
                    }
                }
                Err(PatternError::malformed(
                    start,
                    "missing ), unterminated comment",
                ))
            }
            '=' | '!' => {
                let node = self.body(start)?;
                Ok(Some(Node::Look {
                    ahead: true,
                    negative: kind == '!',
                    node: Box::new(node),
                }))
            }
            '<' => self.look_behind(start),
            '>' => {
                let node = self.body(start)?;
                Ok(Some(Node::Atomic(Box::new(node))))
            }
            '(' => self.conditional(start),
            _ => self.flags_group(start, kind, may_set_flags),
        }
    }

    /// The inside of a group and its closing parenthesis.
    fn body(&mut self, start: usize) -> Result<Node, PatternError> {
        let node = self.alternation(false)?;
        if self.accept(')') {
            return Ok(node);
        }
        Err(PatternError::malformed(
            start,
            "missing ), unterminated subpattern",
        ))
    }

    fn capture(
        &mut self,
        name: Option<(String, usize)>,
        start: usize,
    ) -> Result<Node, PatternError> {
        let number = self.groups.len();
        self.groups.push(None);
        if let Some((name, place)) = name {
            if let Some((_, earlier)) = self.names.iter().find(|(known, _)| *known == name) {
                return Err(PatternError::malformed(
                    place,
                    format!(
                        "redefinition of group name '{name}' as group {number}; was group {earlier}"
                    ),
                ));
            }
            self.names.push((name, number));
        }
        let node = self.body(start)?;
        self.groups[number] = Some(node.width(&self.groups));
        Ok(Node::Group(number, Box::new(node)))
    }

    /// `(?P<name>...)` and `(?P=name)`.
    fn named(&mut self, start: usize) -> Result<Option<Node>, PatternError> {
        match self.next() {
            Some('<') => {
                let place = self.at;
                let name = self.name('>', ">")?;
                self.capture(Some((name, place)), start).map(Some)
            }
            Some('=') => {
                let place = self.at;
                let name = self.name(')', ")")?;
                let Some(group) = self.group_named(&name) else {
                    return Err(PatternError::malformed(
                        place,
                        format!("unknown group name {}", repr::text(&name)),
                    ));
                };
                self.reference(group, place, "unknown group name", place)
                    .map(Some)
            }
            Some(other) => Err(PatternError::malformed(
                start + 1,
                format!("unknown extension ?P{other}"),
            )),
            None => Err(PatternError::malformed(
                self.at,
                "unexpected end of pattern",
            )),
        }
    }

    fn group_named(&self, name: &str) -> Option<usize> {
        let found = self.names.iter().find(|(known, _)| known == name);
        found.map(|(_, group)| *group)
    }

    /// Text up to `end`, which is read as well.
    fn until(&mut self, end: char, missing: &str) -> Result<String, PatternError> {
        let place = self.at;
        let mut text = String::new();
        loop {
            match self.sign()? {
                Some((next, None)) if next == end => break,
                Some((next, escaped)) => {
                    text.push(next);
                    text.extend(escaped);
                }
                None if text.is_empty() => {
                    return Err(PatternError::malformed(place, "missing group name"));
                }
                None => {
                    return Err(PatternError::malformed(
                        place,
                        format!("missing {missing}, unterminated name"),
                    ));
                }
            }
        }
        if text.is_empty() {
            return Err(PatternError::malformed(place, "missing group name"));
        }
        Ok(text)
    }

    fn name(&mut self, end: char, missing: &str) -> Result<String, PatternError> {
        let place = self.at;
        let name = self.until(end, missing)?;
        if is_identifier(&name) {
            return Ok(name);
        }
        Err(PatternError::malformed(
            place,
            format!("bad character in group name {}", repr::text(&name)),
        ))
    }

    fn look_behind(&mut self, start: usize) -> Result<Option<Node>, PatternError> {
        let negative = match self.next() {
            Some('=') => false,
            Some('!') => true,
            Some(other) => {
                return Err(PatternError::malformed(
                    start + 1,
                    format!("unknown extension ?<{other}"),
                ));
            }
            None => {
                return Err(PatternError::malformed(
                    self.at,
                    "unexpected end of pattern",
                ));
            }
        };
        self.look_behinds.push(self.groups.len());
        let node = self.body(start)?;
        self.look_behinds.pop();
        let (low, high) = node.width(&self.groups);
        if low != high && self.variable_look_behind.is_none() {
            self.variable_look_behind = Some(start);
        }
        Ok(Some(Node::Look {
            ahead: false,
            negative,
            node: Box::new(node),
        }))
    }

    /// `(?(group)yes|no)`; the inner opening parenthesis has been read.
    fn conditional(&mut self, start: usize) -> Result<Option<Node>, PatternError> {
        let place = self.at;
        let name = self.until(')', ")")?;
        let group = if is_identifier(&name) {
            self.group_named(&name).ok_or_else(|| {
                PatternError::malformed(place, format!("unknown group name {}", repr::text(&name)))
            })?
        } else {
            let group = match name.parse::<usize>() {
                Ok(group) if name.bytes().all(|byte| byte.is_ascii_digit()) => group,
                _ => {
                    return Err(PatternError::malformed(
                        place,
                        format!("bad character in group name {}", repr::text(&name)),
                    ));
                }
            };
            if group == 0 {
                return Err(PatternError::malformed(place, "bad group number"));
            }
            self.conditionals.push((group, place));
            group
        };
        if self
            .look_behinds
            .first()
            .is_some_and(|before| group >= *before)
        {
            return Err(PatternError::malformed(
                place,
                "cannot refer to group defined in the same lookbehind subpattern",
            ));
        }
        let outer = self.flags;
        let yes = self.sequence(false)?;
        let no = if self.accept('|') {
            let no = self.sequence(false)?;
            if self.peek() == Some('|') {
                return Err(PatternError::malformed(
                    self.at,
                    "conditional backref with more than two branches",
                ));
            }
            no
        } else {
            Node::Empty
        };
        self.flags = outer;
        if !self.accept(')') {
            return Err(PatternError::malformed(
                start,
                "missing ), unterminated subpattern",
            ));
        }
        Ok(Some(Node::Conditional {
            group,
            yes: Box::new(yes),
            no: Box::new(no),
        }))
    }

    /// `(?flags)` at the very start, or `(?flags-flags:...)`.
    fn flags_group(
        &mut self,
        start: usize,
        kind: char,
        may_set_flags: bool,
    ) -> Result<Option<Node>, PatternError> {
        let known = |letter: char| "aiLmsux".contains(letter);
        if !known(kind) && kind != '-' {
            return Err(PatternError::malformed(
                start + 1,
                format!("unknown extension ?{kind}"),
            ));
        }
        let (mut on, mut off) = (String::new(), String::new());
        let mut next = Some(kind);
        while let Some(letter) = next.filter(|letter| known(*letter)) {
            if letter == 'L' {
                return Err(PatternError::malformed(
                    self.at,
                    "bad inline flags: cannot use 'L' flag with a str pattern",
                ));
            }
            on.push(letter);
            if on.contains('a') && on.contains('u') {
                return Err(PatternError::malformed(
                    self.at,
                    "bad inline flags: flags 'a', 'u' and 'L' are incompatible",
                ));
            }
            next = self.next();
        }
        if next == Some(')') {
            if !may_set_flags {
                return Err(PatternError::malformed(
                    start,
                    "global flags not at the start of the expression",
                ));
            }
            apply(&mut self.flags, &on, true);
            return Ok(None);
        }
        if next == Some('-') {
            next = self.next();
            if !next.is_some_and(known) {
                return Err(missing(self.at, next, "missing flag"));
            }
            while let Some(letter) = next.filter(|letter| known(*letter)) {
                if "auL".contains(letter) {
                    return Err(PatternError::malformed(
                        self.at,
                        "bad inline flags: cannot turn off flags 'a', 'u' and 'L'",
                    ));
                }
                off.push(letter);
                next = self.next();
            }
        }
        if next != Some(':') {
            return Err(missing(
                self.at,
                next,
                if off.is_empty() {
                    "missing -, : or )"
                } else {
                    "missing :"
                },
            ));
        }
        if on.chars().any(|letter| off.contains(letter)) {
            return Err(PatternError::malformed(
                self.at,
                "bad inline flags: flag turned on and off",
            ));
        }
        let outer = self.flags;
        apply(&mut self.flags, &on, true);
        apply(&mut self.flags, &off, false);
        let node = self.body(start)?;
        self.flags = outer;
        Ok(Some(grouped(node)))
    }
}

/// A group that captures nothing still shields its content from what follows:
/// a repetition of it is not a repetition of its last item, and a place inside
/// it may be repeated.
fn grouped(node: Node) -> Node {
    match node {
        Node::Assert(_) | Node::Repeat { .. } => Node::Concat(vec![node]),
        other => other,
    }
}

fn missing(at: usize, next: Option<char>, message: &str) -> PatternError {
    let unknown = next.is_some_and(char::is_alphabetic);
    let place = if next.is_some() { at - 1 } else { at };
    PatternError::malformed(place, if unknown { "unknown flag" } else { message })
}

fn apply(flags: &mut Flags, letters: &str, on: bool) {
    for letter in letters.chars() {
        match letter {
            'i' => flags.ignore_case = on,
            'm' => flags.multi_line = on,
            's' => flags.dot_all = on,
            'x' => flags.verbose = on,
            'a' => flags.ascii = true,
            'u' => flags.ascii = false,
            _ => {}
        }
    }
}
