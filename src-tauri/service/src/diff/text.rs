//! Differences between two texts, by line or by word.
//!
//! A minimal word diff joins unrelated sentences at words they happen to share. A few unchanged
//! letters between longer changes do not help a reader, so they count as changed too.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use crate::wire::{Granularity, Part, PartKind};

/// Time limit of a diff; beyond it, the diff becomes coarser.
const TIMEOUT: Duration = Duration::from_millis(500);

/// The removed, added and unchanged pieces of both texts in order, each a word or a line.
#[must_use]
pub fn changes<'a>(
    old: &'a str,
    new: &'a str,
    granularity: Granularity,
) -> Vec<(PartKind, &'a str)> {
    let mut config = TextDiff::configure();
    config.timeout(TIMEOUT);
    let diff = match granularity {
        Granularity::Words => config.diff_words(old, new),
        Granularity::Lines => config.diff_lines(old, new),
    };
    let (mut behind, mut ahead) = (old, new);
    let mut changes = Vec::new();
    for change in diff.iter_all_changes() {
        let length = change.value().len();
        let kind = match change.tag() {
            ChangeTag::Equal => PartKind::Same,
            ChangeTag::Delete => PartKind::Removed,
            ChangeTag::Insert => PartKind::Added,
        };
        let mut piece = "";
        if kind != PartKind::Added {
            (piece, behind) = behind.split_at(length);
        }
        if kind != PartKind::Removed {
            (piece, ahead) = ahead.split_at(length);
        }
        changes.push((kind, piece));
    }
    match granularity {
        Granularity::Words => readable(&changes),
        Granularity::Lines => changes,
    }
}

/// A line diff of two texts.
#[must_use]
pub fn lines(old: &str, new: &str) -> Vec<Part> {
    parts(old, new, Granularity::Lines)
}

/// A word diff of two texts.
#[must_use]
pub fn words(old: &str, new: &str) -> Vec<Part> {
    parts(old, new, Granularity::Words)
}

/// How much of two texts is compared from their first difference on, in characters.
const COMPARED: usize = 4000;
/// How many characters of an excerpt are changed ones, or unchanged ones in a row.
const EXCERPT: usize = 60;

/// A word diff from the first difference on, which begins at this byte of both texts: its words, and
/// a few of those behind it.
#[must_use]
pub fn excerpt(old: &str, new: &str, at: usize) -> Vec<Part> {
    // A word is shown as a whole.
    let start = new[..at].char_indices().rev().take(EXCERPT);
    let start = start
        .take_while(|(_, next)| !next.is_whitespace())
        .last()
        .map_or(at, |(start, _)| start);
    let compared = |text: &str| -> String { text[start..].chars().take(COMPARED).collect() };
    let mut parts = words(&compared(old), &compared(new));
    let mut changed = 0;
    let mut end = parts.len();
    for (index, part) in parts.iter_mut().enumerate() {
        let left = match part.kind {
            PartKind::Same => EXCERPT,
            _ => (2 * EXCERPT).saturating_sub(changed).max(EXCERPT),
        };
        if let Some((cut, _)) = part.text.char_indices().nth(left) {
            part.text.truncate(cut);
            part.text.push('…');
            if part.kind == PartKind::Same {
                end = index + 1;
                break;
            }
        }
        if part.kind != PartKind::Same {
            changed += part.text.chars().count();
        } else if changed > 2 * EXCERPT {
            end = index + 1;
            break;
        }
    }
    parts.truncate(end);
    parts
}

fn parts(old: &str, new: &str, granularity: Granularity) -> Vec<Part> {
    let parts = changes(old, new, granularity)
        .into_iter()
        .map(|(kind, text)| Part {
            kind,
            text: text.to_owned(),
            section: None,
        });
    join_equal(parts)
}

/// Joins adjacent parts of the same kind and section.
pub(super) fn join_equal(parts: impl Iterator<Item = Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        match joined.last_mut() {
            Some(last) if last.kind == part.kind && last.section == part.section => {
                last.text.push_str(&part.text);
            }
            _ => joined.push(part),
        }
    }
    joined
}

/// Consecutive pieces and their number of letters.
#[derive(Default)]
struct Pieces<'a> {
    all: Vec<&'a str>,
    letters: usize,
    lines: bool,
}

impl<'a> Pieces<'a> {
    fn push(&mut self, piece: &'a str) {
        self.all.push(piece);
        self.letters += piece.chars().filter(|c| !c.is_whitespace()).count();
        self.lines |= piece.contains('\n');
    }

    fn append(&mut self, other: &Self) {
        self.all.extend(&other.all);
        self.letters += other.letters;
        self.lines |= other.lines;
    }
}

/// An unchanged part, followed by a removed and an added one.
#[derive(Default)]
struct Stretch<'a> {
    unchanged: Pieces<'a>,
    removed: Pieces<'a>,
    added: Pieces<'a>,
}

impl Stretch<'_> {
    fn changed(&self) -> usize {
        self.removed.letters.max(self.added.letters)
    }
}

/// Treats unchanged text between two changes as changed if it is on one line and no longer than
/// either.
fn readable<'a>(changes: &[(PartKind, &'a str)]) -> Vec<(PartKind, &'a str)> {
    let mut stretches = vec![Stretch::default()];
    let mut before = PartKind::Same;
    for (kind, piece) in changes {
        if *kind == PartKind::Same && before != PartKind::Same {
            join(&mut stretches);
            stretches.push(Stretch::default());
        }
        before = *kind;
        let Some(last) = stretches.last_mut() else {
            continue;
        };
        match kind {
            PartKind::Same => last.unchanged.push(piece),
            PartKind::Removed => last.removed.push(piece),
            PartKind::Added => last.added.push(piece),
        }
    }
    join(&mut stretches);
    let mut changes_in_order = Vec::new();
    for Stretch {
        unchanged,
        removed,
        added,
    } in stretches
    {
        let mut push = |kind, pieces: Pieces<'a>| {
            changes_in_order.extend(pieces.all.into_iter().map(|piece| (kind, piece)));
        };
        push(PartKind::Same, unchanged);
        push(PartKind::Removed, removed);
        push(PartKind::Added, added);
    }
    changes_in_order
}

/// Joins the last change with earlier ones while the unchanged text between them is short enough.
fn join(stretches: &mut Vec<Stretch<'_>>) {
    while let [.., before, last] = stretches.as_mut_slice() {
        let between = &last.unchanged;
        let joins = !between.lines
            && last.changed() > 0
            && between.letters <= before.changed()
            && between.letters <= last.changed();
        if !joins {
            return;
        }
        for (old, new) in [
            (&mut before.removed, &last.removed),
            (&mut before.added, &last.added),
        ] {
            old.append(&last.unchanged);
            old.append(new);
        }
        stretches.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The changes as text: what was removed in brackets, what was added in braces.
    fn marked(old: &str, new: &str, granularity: Granularity) -> String {
        let mut marked = String::new();
        let mut last = PartKind::Same;
        let ends = |kind| match kind {
            PartKind::Same => ("", ""),
            PartKind::Removed => ("[", "]"),
            PartKind::Added => ("{", "}"),
        };
        for (kind, piece) in changes(old, new, granularity) {
            if kind != last {
                marked.push_str(ends(last).1);
                marked.push_str(ends(kind).0);
                last = kind;
            }
            marked.push_str(piece);
        }
        marked + ends(last).1
    }

    #[test]
    fn only_the_changed_word_is_marked() {
        assert_eq!(
            marked(
                "Stay under twenty words a line.",
                "Stay under thirty words a line.",
                Granularity::Words
            ),
            "Stay under [twenty]{thirty} words a line."
        );
    }

    #[test]
    fn sentences_that_share_a_few_letters_are_not_strung_together() {
        assert_eq!(
            marked(
                "You are dry and in no hurry.\n- Let a joke stand without a footnote.",
                "You are loud, fast and delighted.\n- Open a round with the score.",
                Granularity::Words
            ),
            "You are [dry and in no hurry.]{loud, fast and delighted.}\n\
             - [Let a joke stand without a footnote.]{Open a round with the score.}"
        );
    }

    #[test]
    fn what_stayed_between_two_small_changes_stays() {
        assert_eq!(
            marked(
                "the old mill by the river at dusk",
                "the new mill by the river at dawn",
                Granularity::Words
            ),
            "the [old]{new} mill by the river at [dusk]{dawn}"
        );
        assert_eq!(marked("one ", "two ", Granularity::Words), "[one]{two} ");
    }

    #[test]
    fn an_excerpt_begins_with_the_changed_word() {
        let check = |old: &str, new: &str, expected: &str| {
            let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b);
            let parts = excerpt(old, new, same.count());
            let marked: String = parts
                .iter()
                .map(|part| match part.kind {
                    PartKind::Same => part.text.clone(),
                    PartKind::Removed => format!("[{}]", part.text),
                    PartKind::Added => format!("{{{}}}", part.text),
                })
                .collect();
            assert_eq!(marked, expected);
        };
        check(
            "You help. Answer in one line.",
            "You help. Be kind. Answer in one line.",
            "{Be kind. }Answer in one line.",
        );
        check(
            "Now 2026-01-01 19Z, a clear sky.",
            "Now 2026-01-01 20Z, a clear sky.",
            "[19Z,]{20Z,} a clear sky.",
        );
        let rest: String = (0..2000).map(|word| format!("w{word} ")).collect();
        let (old, new) = (format!("a one {rest}"), format!("a two, three {rest}"));
        let shown = format!("[one]{{two, three}} {}…", &rest[..59]);
        check(&old, &new, &shown);
        check(&rest, "", &format!("[{}…]", &rest[..120]));
    }

    #[test]
    fn nothing_of_either_text_is_lost() {
        let texts = ["", "a b c\nd e", "x b y\n\nd f g", "b", "é b c d\n"];
        for old in texts {
            for new in texts {
                for granularity in [Granularity::Words, Granularity::Lines] {
                    let changes = changes(old, new, granularity);
                    let side = |other: PartKind| -> String {
                        let own = changes.iter().filter(|(kind, _)| *kind != other);
                        own.map(|(_, piece)| *piece).collect()
                    };
                    assert_eq!(side(PartKind::Added), old);
                    assert_eq!(side(PartKind::Removed), new);
                }
            }
        }
    }
}
