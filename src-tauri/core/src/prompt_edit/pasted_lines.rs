//! Lines that are pasted into an entry of a list.

use crate::list_marker;

/// The lines that are put between the two parts of an entry, `head` and `tail`: the first ends the part
/// before, the last begins the part after. Each line begins an entry, but indented ones, which stay in
/// the entry above with their indentation. A bullet before an entry is left out, and so are the numbers
/// of lines that are numbered in order. Blank lines alone split the entry.
pub(super) fn entries_of(lines: &str, head: &str, tail: &str) -> Vec<String> {
    let lines: Vec<&str> = lines
        .lines()
        .chain(lines.ends_with('\n').then_some(""))
        .collect();
    let layout = Layout::new(&lines, head, tail);
    let last = lines.len().saturating_sub(1);
    let mut entries: Vec<String> = Vec::new();
    if !head.is_empty() && !layout.joins_head {
        entries.push(String::new());
    }
    let mut is_behind_blank = false;
    for (at, line) in lines.iter().copied().enumerate() {
        let joins_tail = at == last && !tail.is_empty();
        let joins_head = at == 0 && layout.joins_head;
        let end = |text: &str| {
            let text = if joins_tail { text } else { text.trim_end() };
            text.to_owned()
        };
        if joins_head {
            entries.push(end(line));
        } else if layout.nested[at] {
            let above = entries.pop().unwrap_or_default();
            let glue = if is_behind_blank { "\n\n" } else { "\n" };
            entries.push([&above, glue, &end(layout.without_margin(line))].concat());
        } else {
            let text = end(layout.without_marker(line).trim_start());
            if joins_tail || !text.is_empty() {
                entries.push(text);
            }
        }
        is_behind_blank = line.trim().is_empty() && at > 0;
    }
    if lines.iter().all(|line| line.trim().is_empty()) {
        entries.resize(entries.len().max(2), String::new());
    }
    entries
}

/// How pasted lines are laid out.
struct Layout {
    /// The first line goes on with what is before the caret.
    joins_head: bool,
    /// The indentation of all lines, in characters.
    margin: usize,
    /// Of each line, whether it is part of the entry above.
    nested: Vec<bool>,
    /// The entries are numbered in order.
    is_numbered: bool,
}

impl Layout {
    fn new(lines: &[&str], head: &str, tail: &str) -> Self {
        let first = lines.first().copied().unwrap_or_default();
        let may_join = !head.is_empty() && list_marker::after_bullet(first).is_none();
        let mut indents: Vec<Option<usize>> = lines
            .iter()
            .map(|line| (!line.trim().is_empty()).then(|| indent_of(line)))
            .collect();
        let margin = match may_join {
            true => 0,
            false => indents.iter().flatten().min().copied().unwrap_or_default(),
        };
        // What follows a line break before the caret; a single space is one between words.
        if let (Some(indent @ None), 2..) = (indents.last_mut(), indent_of(tail)) {
            *indent = Some(indent_of(tail));
        }
        let mut is_behind = may_join;
        let mut nested = Vec::with_capacity(lines.len());
        let mut begun = Vec::new();
        for (at, indent) in indents.iter().enumerate() {
            let is_nested = is_behind && at > 0 && indent.is_some_and(|indent| indent > margin);
            nested.push(is_nested);
            let text = list_marker::after_bullet(lines[at]).unwrap_or(lines[at]);
            is_behind |= !text.trim().is_empty();
            if indent.is_some() && !is_nested && !lines[at].trim().is_empty() {
                begun.push(list_marker::numbered(lines[at]).map(|(number, _)| number));
            }
        }
        let is_first_numbered = list_marker::numbered(first).is_some();
        if may_join && !is_first_numbered && !first.trim().is_empty() {
            begun.remove(0);
        }
        let is_numbered = begun.len() > 1
            && begun[0].is_some()
            && begun.windows(2).all(|pair| {
                let next = pair[0].map(|number| number + 1);
                pair[1] == next
            });
        Self {
            joins_head: may_join && !(is_first_numbered && is_numbered),
            margin,
            nested,
            is_numbered,
        }
    }

    fn without_margin<'l>(&self, line: &'l str) -> &'l str {
        let mut rest = line.chars();
        rest.by_ref().take(self.margin).for_each(drop);
        rest.as_str()
    }

    fn without_marker<'l>(&self, line: &'l str) -> &'l str {
        let number = || list_marker::numbered(line).filter(|_| self.is_numbered);
        list_marker::after_bullet(line)
            .or_else(|| number().map(|(_, text)| text))
            .unwrap_or(line)
    }
}

/// The whitespace that a line begins with, in characters.
fn indent_of(line: &str) -> usize {
    line.chars()
        .take_while(|letter| letter.is_whitespace())
        .count()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Also read by the page's test `pasted-lines.test.ts`: a list on a card splits lines itself.
    const CASES: &str = include_str!("../../../../tests/cases/pasted_lines.json");

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Case {
        name: String,
        head: String,
        lines: String,
        tail: String,
        entries: Vec<String>,
    }

    #[test]
    fn pasted_lines_are_split_as_on_a_card() {
        let cases: Vec<Case> = serde_json::from_str(CASES).expect("cases");
        for case in cases {
            let mut entries = entries_of(&case.lines, &case.head, &case.tail);
            entries[0].insert_str(0, &case.head);
            entries.last_mut().expect("an entry").push_str(&case.tail);
            assert_eq!(entries, case.entries, "{}", case.name);
        }
    }
}
