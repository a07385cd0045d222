//! Differences between two texts, by line or by word.
//!
//! A minimal word diff joins unrelated sentences at words they happen to share. A few unchanged
//! letters between longer changes do not help a reader, so they count as changed too.

use std::time::{Duration, Instant};

use similar::algorithms::{
    Capture, Compact, DiffHook as _, IdentifyDistinct, NoFinishHook, Replace, myers,
};
use similar::{DiffOp, DiffTag, DiffableStr as _};

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
    let (old, new) = match granularity {
        Granularity::Words => (old.tokenize_words(), new.tokenize_words()),
        Granularity::Lines => (old.tokenize_lines(), new.tokenize_lines()),
    };
    let mut changes = Vec::new();
    let mut push = |kind, pieces: &[&'a str]| {
        changes.extend(pieces.iter().map(|piece| (kind, *piece)));
    };
    for operation in operations(&old, &new) {
        let (removed, added) = (operation.old_range(), operation.new_range());
        if operation.tag() == DiffTag::Equal {
            push(PartKind::Same, &old[removed]);
        } else {
            push(PartKind::Removed, &old[removed]);
            push(PartKind::Added, &new[added]);
        }
    }
    match granularity {
        Granularity::Words => readable(&changes),
        Granularity::Lines => changes,
    }
}

/// What turns one sequence into the other. `TextDiff` would do the same and bring along each of its
/// algorithms for each kind of sequence, 0.4 MB of a program.
fn operations(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let deadline = Instant::now().checked_add(TIMEOUT);
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let ends = old[prefix..].iter().rev().zip(new[prefix..].iter().rev());
    let suffix = ends.take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    // Compared as numbers, and only where the two differ.
    let ids = IdentifyDistinct::<u32>::new(old, prefix..old_end, new, prefix..new_end);
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    if prefix > 0 {
        let Ok(()) = hook.equal(0, 0, prefix);
    }
    let Ok(()) = myers::diff_deadline(
        &mut NoFinishHook::new(&mut hook),
        ids.old_lookup(),
        ids.old_range(),
        ids.new_lookup(),
        ids.new_range(),
        deadline,
    );
    if suffix > 0 {
        let Ok(()) = hook.equal(old_end, new_end, suffix);
    }
    let Ok(()) = hook.finish();
    hook.into_inner().into_inner().into_ops()
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
    use proptest::collection::vec;
    use proptest::prelude::*;
    use similar::TextDiff;

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
        let expected = format!("[one]{{two, three}} {}…", &rest[..59]);
        check(&old, &new, &expected);
        check(&rest, "", &format!("[{}…]", &rest[..120]));
    }

    proptest! {
        /// Up to 400 words of few kinds: both sides of the length from which `TextDiff` compares
        /// numbers.
        #[test]
        fn operations_are_those_of_text_diff(
            start in vec(0..4_u8, 0..100),
            middles in (vec(0..9_u8, 0..200), vec(0..9_u8, 0..200)),
            end in vec(0..4_u8, 0..100),
        ) {
            let text = |middle: &Vec<u8>| -> String {
                let kinds = start.iter().chain(middle).chain(&end);
                kinds.map(|kind| format!("word{kind}{}", if *kind == 2 { '\n' } else { ' ' })).collect()
            };
            let (old, new) = (text(&middles.0), text(&middles.1));
            let words = TextDiff::from_words(&old, &new);
            let ours = operations(&old.tokenize_words(), &new.tokenize_words());
            prop_assert_eq!(&ours[..], words.ops());
            let lines = TextDiff::from_lines(&old, &new);
            let ours = operations(&old.tokenize_lines(), &new.tokenize_lines());
            prop_assert_eq!(&ours[..], lines.ops());
        }
    }

    #[test]
    fn nothing_of_either_text_is_lost() {
        let texts = ["", "a b c\nd e", "x b y\n\nd f g", "b", "é b c d\n"];
        for old in texts {
            for new in texts {
                for granularity in [Granularity::Words, Granularity::Lines] {
                    let changes = changes(old, new, granularity);
                    let side = |other: PartKind| -> String {
                        let pieces = changes.iter().filter(|(kind, _)| *kind != other);
                        pieces.map(|(_, piece)| *piece).collect()
                    };
                    assert_eq!(side(PartKind::Added), old);
                    assert_eq!(side(PartKind::Removed), new);
                }
            }
        }
    }
}
