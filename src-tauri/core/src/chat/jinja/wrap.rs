//! Wraps a line of text at a width, as Python's `textwrap.wrap` does with tabs and white space left
//! alone.

use super::value::char_count;

fn is_blank(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ')
}

/// Cuts a line into words and the white space between them; words with hyphens also after those.
fn chunks(line: &str, hyphens: bool) -> Vec<String> {
    let mut chunks: Vec<String> = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let blank = is_blank(first);
        let end = rest
            .find(|one| is_blank(one) != blank)
            .unwrap_or(rest.len());
        let (chunk, after) = rest.split_at(end);
        rest = after;
        if blank || !hyphens {
            chunks.push(chunk.to_owned());
        } else {
            split_hyphens(chunk, &mut chunks);
        }
    }
    chunks
}

/// Cuts a word after each hyphen that stands between letters, and around a dash of two or more.
fn split_hyphens(word: &str, into: &mut Vec<String>) {
    let characters: Vec<char> = word.chars().collect();
    let is_letter = |at: usize| characters.get(at).is_some_and(|one| one.is_alphabetic());
    let is_word = |at: usize| {
        characters
            .get(at)
            .is_some_and(|one| one.is_alphanumeric() || *one == '_')
    };
    let mut begin = 0;
    let mut at = 0;
    let take = |begin: usize, end: usize| characters[begin..end].iter().collect::<String>();
    while at < characters.len() {
        if characters[at] != '-' {
            at += 1;
            continue;
        }
        let mut end = at;
        while end < characters.len() && characters[end] == '-' {
            end += 1;
        }
        let dash = end - at >= 2;
        if dash && at > begin && is_word(end) {
            into.push(take(begin, at));
            into.push(take(at, end));
            begin = end;
        } else if !dash
            && at > begin + 1
            && is_letter(at - 1)
            && (is_letter(at - 2) || at >= 2 && characters[at - 2] == '-')
            && is_letter(at + 1)
            && (is_letter(at + 2) || characters.get(at + 2) == Some(&'-'))
        {
            into.push(take(begin, end));
            begin = end;
        }
        at = end;
    }
    if begin < characters.len() {
        into.push(take(begin, characters.len()));
    }
}

/// The lines of a wrapped paragraph.
pub(super) fn wrapped(line: &str, width: usize, long: bool, hyphens: bool) -> Vec<String> {
    let mut left = chunks(line, hyphens);
    left.reverse();
    let mut lines: Vec<String> = Vec::new();
    while !left.is_empty() {
        if !lines.is_empty()
            && left
                .last()
                .is_some_and(|one| one.trim_matches(is_blank).is_empty())
        {
            left.pop();
        }
        let mut current: Vec<String> = Vec::new();
        let mut length = 0;
        while let Some(next) = left.last() {
            let size = char_count(next);
            if length + size > width {
                break;
            }
            length += size;
            current.extend(left.pop());
        }
        if let Some(next) = left.pop_if(|next| char_count(next) > width) {
            let room = if width < 1 { 1 } else { width - length };
            if long {
                let cut = break_at(&next, room, hyphens);
                let at = next
                    .char_indices()
                    .nth(cut)
                    .map_or(next.len(), |(at, _)| at);
                current.push(next[..at].to_owned());
                left.push(next[at..].to_owned());
            } else if current.is_empty() {
                current.push(next);
            } else {
                left.push(next);
            }
        }
        if current
            .last()
            .is_some_and(|one| one.trim_matches(is_blank).is_empty())
        {
            current.pop();
        }
        if !current.is_empty() {
            lines.push(current.concat());
        }
    }
    lines
}

/// Where a word too long for a line is cut: after the last hyphen that fits, if any.
fn break_at(word: &str, room: usize, hyphens: bool) -> usize {
    if hyphens && char_count(word) > room {
        let fits: Vec<char> = word.chars().take(room).collect();
        if let Some(at) = fits.iter().rposition(|one| *one == '-')
            && at > 0
            && fits[..at].iter().any(|one| *one != '-')
        {
            return at + 1;
        }
    }
    room
}
