//! Offsets of a printed text in the authored text it is made of: the assembly cuts whitespace at
//! both ends and newlines after the second one in a row.

use std::ops::Range;

use promptdeck_python::text::is_space;

/// The characters of a printed text, each with its offset there and in the authored text.
fn pairs<'a>(
    authored: &'a str,
    printed: &'a str,
) -> impl Iterator<Item = Option<(usize, usize, char)>> + 'a {
    let mut rest = authored.char_indices();
    printed.char_indices().map(move |(at, printed)| {
        for (offset, character) in rest.by_ref() {
            if character == printed {
                return Some((at, offset, character));
            }
            if !is_space(character) {
                return None;
            }
        }
        None
    })
}

/// The range of the authored text that a range of the printed one is made of. What the assembly cut
/// stays outside of it, except between two of its characters.
pub fn range(authored: &str, printed: &str, range: Range<usize>) -> Option<Range<usize>> {
    if authored == printed {
        return Some(range);
    }
    let (mut start, mut end, mut last) = (None, None, 0);
    for pair in pairs(authored, printed) {
        let (at, offset, character) = pair?;
        if at == range.start {
            start = Some(offset);
        }
        last = offset + character.len_utf8();
        if at + character.len_utf8() == range.end {
            end = Some(last);
        }
    }
    let start = start.unwrap_or(last);
    Some(if range.is_empty() {
        start..start
    } else {
        start..end?
    })
}

/// The range of a printed text that prints a range of the authored one.
pub fn printed(authored: &str, printed: &str, wanted: &Range<usize>) -> Option<Range<usize>> {
    let (mut start, mut end) = (None, None);
    let mut last = 0;
    for pair in pairs(authored, printed) {
        let (at, offset, character) = pair?;
        if offset == wanted.start {
            start = Some(at);
        }
        last = at + character.len_utf8();
        if offset + character.len_utf8() == wanted.end {
            end = Some(last);
        }
    }
    if wanted.is_empty() {
        let at = start.or((wanted.start == authored.len()).then_some(last))?;
        return Some(at..at);
    }
    Some(start?..end?)
}
