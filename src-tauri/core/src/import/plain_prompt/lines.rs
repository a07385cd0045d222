//! Classifies the lines of a prompt: headings, tags, entries of lists.

use std::collections::HashMap;

use promptdeck_python::text::is_space;

use crate::list_marker;

/// A line, without its line break.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// The byte offset of its start.
    pub start: usize,
    pub text: &'t str,
}

impl<'t> Line<'t> {
    /// Whether it is blank.
    pub fn is_blank(&self) -> bool {
        self.text.chars().all(is_space)
    }

    /// The text of a list's entry.
    pub fn entry(&self) -> Option<&'t str> {
        self.text.strip_prefix("- ")
    }

    /// Whether the line begins an entry of a list of any kind.
    pub fn begins_entry(&self) -> bool {
        list_marker::after(self.text).is_some()
    }

    /// The name of what follows, if the line ends with a colon.
    pub fn label(&self) -> Option<&'t str> {
        let text = self.text.trim().trim_matches('*').trim_end();
        let label = text.strip_suffix(':')?.trim_end_matches('*').trim();
        (!label.is_empty()).then_some(label)
    }

    /// The level and the text of a heading that begins with number signs.
    fn heading(&self) -> Option<(usize, &'t str)> {
        let rest = self.text.trim_start_matches('#');
        let level = self.text.len() - rest.len();
        let text = rest.strip_prefix(' ')?.trim();
        let text = text.trim_end_matches('#').trim_end();
        ((1..=6).contains(&level) && !text.is_empty()).then_some((level, text))
    }

    /// The level of the heading that this line underlines.
    fn underline(&self) -> Option<usize> {
        let text = self.text.trim_end();
        let all = |byte: u8| text.len() >= 3 && text.bytes().all(|other| other == byte);
        match () {
            () if all(b'=') => Some(1),
            () if all(b'-') => Some(2),
            () => None,
        }
    }

    /// The fence of a block of code: its character and length.
    fn fence(&self) -> Option<(char, usize)> {
        let text = self.text.trim_start();
        let fence = text
            .chars()
            .next()
            .filter(|first| matches!(first, '`' | '~'))?;
        let length = text.chars().take_while(|next| *next == fence).count();
        (length >= 3).then_some((fence, length))
    }

    /// The name of the tag that opens the line, and whether the line closes it again.
    fn opening_tag(&self) -> Option<(&'t str, bool)> {
        let text = self.text.trim_end();
        let rest = text.strip_prefix('<')?;
        let name = &rest[..rest.find(|next| !is_tag_name(next)).unwrap_or(rest.len())];
        let after = &rest[name.len()..];
        let close = after.find('>')?;
        let attributes = &after[..close];
        let valid = name.starts_with(|first: char| first.is_alphabetic())
            && (attributes.is_empty() || attributes.starts_with(' '))
            && !attributes.contains('<')
            && !attributes.ends_with('/');
        let content = &after[close + 1..];
        let closed = content
            .strip_suffix('>')
            .and_then(|content| content.strip_suffix(name))
            .is_some_and(|content| content.ends_with("</"));
        (valid && (content.is_empty() || closed)).then_some((name, closed))
    }

    /// The name of the tag that the line closes.
    fn closing_tag(&self) -> Option<&'t str> {
        let name = self.text.trim_end().strip_prefix("</")?.strip_suffix('>')?;
        (!name.is_empty() && name.chars().all(is_tag_name)).then_some(name)
    }
}

fn is_tag_name(next: char) -> bool {
    next.is_alphanumeric() || matches!(next, '_' | '-' | '.')
}

/// The lines of a text.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    text.split('\n')
        .map(|line| {
            let line_at_start = Line { start, text: line };
            start += line.len() + 1;
            line_at_start
        })
        .collect()
}

/// Where a prompt can be split, apart from blank lines, by line.
#[derive(Debug, Default)]
pub(super) struct Structure<'t> {
    /// Whether the line is inside a block of code or between tags, its first line excepted.
    pub enclosed: Vec<bool>,
    /// Headings: line, level, text.
    pub headings: Vec<(usize, usize, &'t str)>,
    /// Outermost tags: first line, last line, name.
    pub tags: Vec<(usize, usize, &'t str)>,
}

/// Finds headings and outermost tags, in one pass over the lines. Without tags, a line that is
/// one is a text.
pub(super) fn structure<'t>(lines: &[Line<'t>], with_tags: bool) -> Structure<'t> {
    let mut enclosed = vec![false; lines.len()];
    let mut fence: Option<(char, usize)> = None;
    let mut open: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some((fence_char, length)) = fence {
            enclosed[at] = true;
            let closes = |(found, count)| found == fence_char && count >= length;
            if line.fence().is_some_and(closes) {
                fence = None;
            }
        } else if let Some(found) = line.fence() {
            fence = Some(found);
        } else if let Some(name) = line.closing_tag().filter(|_| with_tags) {
            if let Some(first) = open.get_mut(name).and_then(Vec::pop) {
                pairs.push((first, at, name));
            }
        } else if let Some((name, closed)) = line.opening_tag().filter(|_| with_tags) {
            match closed {
                true => pairs.push((at, at, name)),
                false => open.entry(name).or_default().push(at),
            }
        }
    }
    pairs.sort_unstable();
    let mut tags: Vec<(usize, usize, &str)> = Vec::new();
    for pair in pairs {
        if tags.last().is_none_or(|(_, last, _)| pair.0 > *last) {
            enclosed[pair.0 + 1..=pair.1].fill(true);
            tags.push(pair);
        }
    }
    let mut headings = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if enclosed[at] {
            continue;
        }
        if let Some((level, text)) = line.heading() {
            headings.push((at, level, text));
        } else if let Some(level) = lines.get(at + 1).and_then(Line::underline) {
            let first = at == 0 || lines[at - 1].is_blank();
            if first && !line.is_blank() && !enclosed[at + 1] && !line.begins_entry() {
                headings.push((at, level, line.text.trim()));
            }
        }
    }
    Structure {
        enclosed,
        headings,
        tags,
    }
}
