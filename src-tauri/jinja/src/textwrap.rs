//! Wraps a line of text at a width, as Python's `textwrap.wrap` does with tabs and white space left
//! alone. Takes time in proportion to the text, however long its words are.

fn is_blank(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ')
}

fn all_blank(text: &str) -> bool {
    text.chars().all(is_blank)
}

/// The number of characters of a text, or `most + 1` when there are more than that many.
fn count_up_to(text: &str, most: usize) -> usize {
    text.chars().take(most.saturating_add(1)).count()
}

/// Cuts a line into words and the white space between them; words with hyphens also after those.
fn chunks(line: &str, hyphens: bool) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let blank = is_blank(first);
        let end = rest
            .find(|one| is_blank(one) != blank)
            .unwrap_or(rest.len());
        let (chunk, after) = rest.split_at(end);
        rest = after;
        if blank || !hyphens {
            chunks.push(chunk);
        } else {
            split_hyphens(chunk, &mut chunks);
        }
    }
    chunks
}

/// Cuts a word after each hyphen between letters, and around a dash of two or more.
fn split_hyphens<'a>(word: &'a str, into: &mut Vec<&'a str>) {
    let is_word = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
    let is_letter = |one: Option<char>| one.is_some_and(char::is_alphabetic);
    let mut begin = 0;
    let mut at = 0;
    while let Some(found) = word[at..].find('-') {
        let dash_at = at + found;
        let rest = word[dash_at..].trim_start_matches('-');
        let end = word.len() - rest.len();
        let mut before = word[begin..dash_at].chars().rev();
        let mut after = rest.chars();
        let (last, next) = (before.next(), after.next());
        if end - dash_at >= 2 {
            if dash_at > begin && is_word(next) {
                into.push(&word[begin..dash_at]);
                into.push(&word[dash_at..end]);
                begin = end;
            }
        } else {
            let (second_last, second_next) = (before.next(), after.next());
            let between = is_letter(last)
                && (is_letter(second_last) || second_last == Some('-'))
                && is_letter(next)
                && (is_letter(second_next) || second_next == Some('-'));
            if between {
                into.push(&word[begin..end]);
                begin = end;
            }
        }
        at = end;
    }
    if begin < word.len() {
        into.push(&word[begin..]);
    }
}

/// The lines of a wrapped paragraph.
pub(super) fn wrapped(line: &str, width: usize, long: bool, hyphens: bool) -> Vec<String> {
    let mut left = chunks(line, hyphens);
    left.reverse();
    let mut lines: Vec<String> = Vec::new();
    while !left.is_empty() {
        if !lines.is_empty() && left.last().is_some_and(|one| all_blank(one)) {
            left.pop();
        }
        let mut current: Vec<&str> = Vec::new();
        let mut room = width;
        while let Some(next) = left.last() {
            let size = count_up_to(next, room);
            if size > room {
                break;
            }
            room -= size;
            current.extend(left.pop());
        }
        if let Some(next) = left.pop_if(|next| count_up_to(next, width) > width) {
            if long {
                let (now, later) = next.split_at(break_at(next, room, hyphens));
                current.push(now);
                left.push(later);
            } else if current.is_empty() {
                current.push(next);
            } else {
                left.push(next);
            }
        }
        if current.last().is_some_and(|one| all_blank(one)) {
            current.pop();
        }
        if !current.is_empty() {
            lines.push(current.concat());
        }
    }
    lines
}

/// The byte a word too long for a line is cut at: after the last hyphen that fits, if any.
fn break_at(word: &str, room: usize, hyphens: bool) -> usize {
    let end = word
        .char_indices()
        .nth(room)
        .map_or(word.len(), |(at, _)| at);
    if hyphens
        && let Some(at) = word[..end].rfind('-')
        && word[..at].contains(|one: char| one != '-')
    {
        return at + 1;
    }
    end
}
