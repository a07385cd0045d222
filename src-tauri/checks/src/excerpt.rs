//! Short quotations of a prompt for messages.

use std::ops::Range;

/// Characters shown around a place.
const AROUND: usize = 24;
/// Characters of a place that are shown.
const MOST: usize = 60;

/// The text at a place, quoted with what surrounds it.
pub(crate) fn around(text: &str, place: &Range<usize>) -> String {
    let start = text.floor_char_boundary(place.start);
    let end = text.ceil_char_boundary(place.end.max(start));
    let (before, rest) = text.split_at(start);
    let (inside, after) = rest.split_at(end - start);
    let head = last(before, AROUND);
    let mut excerpt = head.to_owned();
    excerpt.push_str(first(inside, MOST));
    let whole_inside = first(inside, MOST).len() == inside.len();
    let tail = if whole_inside {
        first(after, AROUND)
    } else {
        ""
    };
    excerpt.push_str(tail);
    let cut_before = head.len() < before.len();
    let cut_after = !whole_inside || tail.len() < after.len();
    quoted(&excerpt, cut_before, cut_after)
}

/// The beginning of a text, quoted.
pub(crate) fn beginning(text: &str) -> String {
    let excerpt = first(text, MOST);
    quoted(excerpt, false, excerpt.len() < text.len())
}

/// The end of a text, quoted.
pub(crate) fn end(text: &str) -> String {
    let excerpt = last(text, MOST);
    quoted(excerpt, excerpt.len() < text.len(), false)
}

fn quoted(excerpt: &str, before: bool, after: bool) -> String {
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("{}{excerpt:?}{}", dots(before), dots(after))
}

fn first(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

fn last(text: &str, count: usize) -> &str {
    match text.char_indices().rev().nth(count.saturating_sub(1)) {
        Some((start, _)) => text.get(start..).unwrap_or(text),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_short() {
        let text = format!("{}needle{}", "a".repeat(100), "ö".repeat(100));
        let excerpt = around(&text, &(100..106));
        assert_eq!(
            excerpt,
            format!("…\"{}needle{}\"…", "a".repeat(24), "ö".repeat(24))
        );
        assert_eq!(around("short", &(1..2)), "\"short\"");
        assert_eq!(around("short", &(9..12)), "\"short\"");
        assert_eq!(beginning("a\nb"), "\"a\\nb\"");
        assert_eq!(end(&"x".repeat(61)), format!("…\"{}\"", "x".repeat(60)));
    }
}
