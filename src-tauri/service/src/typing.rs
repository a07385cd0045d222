//! Where typing went on: whether a splice continues the one before, so that both are one undo step.
//!
//! The page sends a text as it became, reduced to the smallest splice. Among equal characters such a
//! splice has several places: "l" typed before or after the "l" of "hel" gives the same text. So the
//! caret is known as a range of places only.

use std::ops::RangeInclusive;

use serde_json::Value;

use crate::edit;
use crate::wire::{Edit, Step};

/// Splices of one text: where the caret was before and is after them, in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    before: RangeInclusive<usize>,
    after: RangeInclusive<usize>,
    /// More than a key types at once.
    pasted: bool,
    /// A selection or a word went, or was typed over.
    replaced: bool,
    /// A sentence or a line begins.
    begins: bool,
}

impl Typed {
    /// Reads what edits typed from their inverses, in the order in which these apply, and the tree
    /// after the edits; nothing unless all change a text.
    #[must_use]
    pub fn of(edits: &[Edit], backward: &[Edit], after: &Value) -> Option<Self> {
        let changes = edits.iter().zip(backward.iter().rev());
        let changes = changes
            .map(|(edit, inverse)| Change::of(edit, inverse))
            .collect::<Option<Vec<_>>>()?;
        let first = Splice::of(changes.first()?, after);
        let last = Splice::of(changes.last()?, after);
        let end = last.at + last.inserted;
        Some(Self {
            before: first.at - first.slack..=first.at + first.deleted,
            after: end - last.slack..=end,
            pasted: edits.len() == 1 && first.deleted == 0 && first.characters > 1,
            replaced: first.deleted_characters > 1,
            begins: first.begins,
        })
    }

    /// Whether these splices continue others: the caret did not move between, neither pasted, and
    /// they neither replace a selection nor begin a sentence. So undo takes back one sentence of a
    /// text typed without a pause, and what was typed over comes back without the text before it.
    #[must_use]
    pub fn continues(&self, last: &Self) -> bool {
        let touch =
            self.before.start() <= last.after.end() && last.after.start() <= self.before.end();
        touch && !self.pasted && !last.pasted && !self.replaced && !self.begins
    }
}

/// Whether a character behind a text begins the next sentence or line: the space behind a full stop
/// does, so that undo takes it back with the words that follow it.
fn begins_sentence(text: &str, next: char) -> bool {
    match next {
        '\n' => !text.ends_with('\n'),
        next if next.is_whitespace() => text.ends_with(['.', '!', '?', '…']),
        '。' | '！' | '？' | '」' | '』' | '”' => false,
        _ => text.ends_with(['。', '！', '？']),
    }
}

/// One splice, in UTF-16 units.
struct Splice {
    at: usize,
    deleted: usize,
    inserted: usize,
    /// Characters deleted.
    deleted_characters: usize,
    /// Characters inserted, without whitespace before them: the page holds back what was typed at the end
    /// of a printed text until a letter follows.
    characters: usize,
    /// Whether it inserts the first character of a sentence or a line.
    begins: bool,
    /// How far to the left it could stand with the same result.
    slack: usize,
}

/// What an edit changes in a text.
struct Change<'a> {
    path: &'a [Step],
    /// In UTF-16 units.
    at: usize,
    removed: &'a str,
    insert: &'a str,
}

impl<'a> Change<'a> {
    /// Nothing unless the edit changes a text. One that is set, or removed with its field, changes
    /// between what both have in common.
    fn of(edit: &'a Edit, inverse: &'a Edit) -> Option<Self> {
        if let (
            Edit::Splice {
                path, at, insert, ..
            },
            Edit::Splice {
                insert: removed, ..
            },
        ) = (edit, inverse)
        {
            let at = *at as usize;
            return Some(Self {
                path,
                at,
                removed,
                insert,
            });
        }
        let (path, before, after) = match (edit, inverse) {
            (Edit::Set { path, value: after }, Edit::Set { value: before, .. }) => {
                (path, before.as_str()?, after.as_str()?)
            }
            (Edit::Set { path, value } | Edit::Insert { path, value, .. }, Edit::Remove { .. }) => {
                (path, "", value.as_str()?)
            }
            (Edit::Remove { path }, Edit::Set { value, .. } | Edit::Insert { value, .. }) => {
                (path, value.as_str()?, "")
            }
            _ => return None,
        };
        let common = |one: &mut dyn Iterator<Item = char>,
                      other: &mut dyn Iterator<Item = char>| {
            let pairs = one.zip(other).take_while(|(one, other)| one == other);
            pairs.map(|(one, _)| one.len_utf8()).sum::<usize>()
        };
        let head = common(&mut before.chars(), &mut after.chars());
        let (removed, insert) = (&before[head..], &after[head..]);
        let tail = common(&mut removed.chars().rev(), &mut insert.chars().rev());
        Some(Self {
            path,
            at: before[..head].encode_utf16().count(),
            removed: &removed[..removed.len() - tail],
            insert: &insert[..insert.len() - tail],
        })
    }
}

impl Splice {
    fn of(change: &Change<'_>, after: &Value) -> Self {
        let &Change {
            path,
            at,
            removed,
            insert,
        } = change;
        let stretch = match (insert, removed) {
            (stretch, "") | ("", stretch) => stretch,
            _ => "",
        };
        let text = edit::at(after, path)
            .and_then(Value::as_str)
            .unwrap_or_default();
        let next = insert.chars().next();
        // A later edit of the same group may have shortened the text.
        let before = edit::byte_offset(text, at).map(|end| &text[..end]);
        Self {
            at,
            deleted: removed.encode_utf16().count(),
            inserted: insert.encode_utf16().count(),
            deleted_characters: removed.chars().count(),
            characters: insert.trim_start().chars().count(),
            begins: before
                .zip(next)
                .is_some_and(|(before, next)| begins_sentence(before, next)),
            slack: before.map_or(0, |before| slack(before, stretch)),
        }
    }
}

/// How far to the left a stretch behind `before` can be shifted so that the text without it stays the
/// same, in UTF-16 units.
fn slack(before: &str, stretch: &str) -> usize {
    if stretch.is_empty() {
        return 0;
    }
    let ends = stretch.chars().rev().chain(before.chars().rev());
    let equal = before
        .chars()
        .rev()
        .zip(ends)
        .take_while(|(character, end)| character == end);
    equal.map(|(character, _)| character.len_utf16()).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn splice(at: u32, delete: u32, insert: &str) -> Edit {
        Edit::Splice {
            path: vec![Step::Key("text".to_owned())],
            at,
            delete,
            insert: insert.to_owned(),
        }
    }

    /// Whether the last of some splices continues the one before it.
    fn goes_on(text: &str, splices: &[Edit]) -> bool {
        let mut tree = json!({ "text": text });
        let mut typed = Vec::new();
        for edit in splices {
            let inverse = edit::apply(&mut tree, edit).expect("applies");
            typed.push(Typed::of(std::slice::from_ref(edit), &[inverse], &tree).expect("a splice"));
        }
        let [.., last, next] = typed.as_slice() else {
            return false;
        };
        next.continues(last)
    }

    #[test]
    fn keys_at_the_caret_continue() {
        assert!(goes_on("ab", &[splice(1, 0, "x"), splice(2, 0, "y")]));
        assert!(goes_on("ab", &[splice(1, 0, "x"), splice(1, 1, "")]));
        assert!(goes_on("abc", &[splice(2, 1, ""), splice(1, 1, "")]));
        assert!(goes_on("abc", &[splice(1, 1, ""), splice(1, 1, "")]));
        assert!(goes_on("abc", &[splice(0, 3, "x"), splice(1, 0, "y")]));
    }

    #[test]
    fn a_replaced_selection_begins_a_step() {
        assert!(!goes_on("ab", &[splice(2, 0, "c"), splice(0, 3, "x")]));
        assert!(!goes_on("ab", &[splice(2, 0, "c"), splice(0, 3, "")]));
    }

    #[test]
    fn a_sentence_and_a_line_begin_a_step() {
        assert!(!goes_on("One", &[splice(3, 0, "."), splice(4, 0, " ")]));
        assert!(!goes_on("On", &[splice(2, 0, "e"), splice(3, 0, "\n")]));
        assert!(!goes_on("好", &[splice(1, 0, "。"), splice(2, 0, "你")]));
        assert!(goes_on("One.", &[splice(4, 0, " "), splice(5, 0, "T")]));
        assert!(goes_on("One", &[splice(3, 0, "\n"), splice(4, 0, "\n")]));
        assert!(goes_on("One", &[splice(3, 0, "\n"), splice(4, 0, "T")]));
        assert!(goes_on("v1", &[splice(2, 0, "."), splice(3, 0, "2")]));
        assert!(goes_on("a", &[splice(1, 0, " "), splice(2, 0, " ")]));
        assert!(goes_on("", &[splice(0, 0, "a"), splice(1, 0, "b")]));
    }

    #[test]
    fn a_text_that_is_set_is_known_by_what_changes_in_it() {
        let set = |text: &str| Edit::Set {
            path: vec![Step::Key("text".to_owned())],
            value: text.into(),
        };
        assert!(goes_on("One", &[set("One."), set("One")]));
        assert!(!goes_on("One", &[set("One."), set("One. ")]));
        assert!(!goes_on("One", &[set("One."), set("N")]));
        assert!(!goes_on("abcdef", &[set("axbcdef"), set("axbcdefy")]));
        assert!(goes_on("äö", &[set("äxö"), set("äxyö")]));
    }

    #[test]
    fn a_caret_that_moved_does_not_continue() {
        assert!(!goes_on("abcdef", &[splice(1, 0, "x"), splice(5, 0, "y")]));
        assert!(!goes_on("abcdef", &[splice(5, 0, "x"), splice(1, 0, "y")]));
    }

    #[test]
    fn a_paste_is_alone() {
        assert!(!goes_on("ab", &[splice(1, 0, "x"), splice(2, 0, "pasted")]));
        assert!(!goes_on("ab", &[splice(1, 0, "pasted"), splice(7, 0, "x")]));
    }

    #[test]
    fn whitespace_that_waited_for_a_letter_was_typed() {
        assert!(goes_on("One.", &[splice(4, 0, "\n\nN"), splice(7, 0, "o")]));
        assert!(goes_on("One", &[splice(3, 0, ","), splice(4, 0, " t")]));
        assert!(!goes_on(
            "One",
            &[splice(3, 0, "\n\nNo"), splice(7, 0, "w")]
        ));
    }

    #[test]
    fn equal_letters_leave_the_caret_open() {
        // "th" typed before "then": the smallest splices stand behind the letters already there.
        assert!(goes_on("then", &[splice(1, 0, "t"), splice(1, 0, "h")]));
        assert!(goes_on("aaaa", &[splice(4, 0, "a"), splice(1, 0, "b")]));
    }
}
