//! The difference between two previews, sent to the page instead of the whole preview.

use super::Preview;
use crate::saturating::saturating_u32;
use crate::wire::{Patch, PreviewPatch, UnchangedRun};

impl Preview {
    /// The patch from an earlier evaluation, displayed as `number - 1`, to this one.
    #[must_use]
    pub fn patch_from(&self, old: Option<&Self>, number: u32) -> PreviewPatch {
        let empty = Self::default();
        let base = old.unwrap_or(&empty);
        PreviewPatch {
            number,
            base: old.map(|_| number.wrapping_sub(1)),
            segments: patch(&base.segments, &self.segments),
            sections: patch(&base.sections, &self.sections),
            tokens: patch(&base.tokens, &self.tokens),
            unprinted: patch(&base.unprinted, &self.unprinted),
            characters: self.characters,
            micros: self.micros,
            problem: self.problem.clone(),
            unrendered: self.unrendered.clone(),
            rolled: self.rolled(),
            unlockable: self.unlockable.clone(),
        }
    }
}

/// How far apart, counted in entries of both sequences, the same entries are looked for after a
/// difference.
const REACH: usize = 512;

/// The replacement between a common prefix and a common suffix, without the entries in it that are
/// the same: a roll changes a few sections far apart.
fn patch<T: PartialEq + Clone>(old: &[T], new: &[T]) -> Patch<T> {
    let head = common(old.iter(), new.iter());
    let tail = common(old[head..].iter().rev(), new[head..].iter().rev());
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let (mut from, mut to) = (head, head);
    let mut middle = Vec::new();
    let mut unchanged = Vec::new();
    while let Some((removed, added)) = difference(&old[from..], &new[to..]) {
        middle.extend_from_slice(&new[to..to + added]);
        (from, to) = (from + removed, to + added);
        let same = common(old[from..].iter(), new[to..].iter());
        unchanged.push(UnchangedRun {
            after: saturating_u32(middle.len()),
            from: saturating_u32(from),
            count: saturating_u32(same),
        });
        (from, to) = (from + same, to + same);
    }
    middle.extend_from_slice(&new[to..]);
    Patch {
        head: saturating_u32(head),
        middle,
        unchanged,
        tail: saturating_u32(tail),
    }
}

/// Number of equal entries before the first difference.
fn common<T: PartialEq>(old: impl Iterator<Item = T>, new: impl Iterator<Item = T>) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

/// Numbers of entries that were removed and added before both sequences go on with the same entry;
/// nothing if that is out of reach.
fn difference<T: PartialEq>(old: &[T], new: &[T]) -> Option<(usize, usize)> {
    let (last_old, last_new) = (old.len().checked_sub(1)?, new.len().checked_sub(1)?);
    (0..=REACH.min(last_old + last_new))
        .flat_map(|apart| {
            let removed = apart.saturating_sub(last_new)..=apart.min(last_old);
            removed.map(move |removed| (removed, apart - removed))
        })
        .find(|&(removed, added)| old[removed] == new[added])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(after: u32, from: u32, count: u32) -> UnchangedRun {
        UnchangedRun { after, from, count }
    }

    /// Applies a patch as the page does.
    fn applied(old: &[u32], patch: &Patch<u32>) -> Vec<u32> {
        let index = |number: u32| usize::try_from(number).expect("small");
        let mut new = old[..index(patch.head)].to_vec();
        let mut at = 0;
        for run in &patch.unchanged {
            new.extend(&patch.middle[at..index(run.after)]);
            new.extend(&old[index(run.from)..][..index(run.count)]);
            at = index(run.after);
        }
        new.extend(&patch.middle[at..]);
        new.extend(&old[old.len() - index(patch.tail)..]);
        new
    }

    fn check(
        old: &[u32],
        new: &[u32],
        head: u32,
        middle: &[u32],
        unchanged: &[UnchangedRun],
        tail: u32,
    ) {
        let found = patch(old, new);
        assert_eq!(applied(old, &found), new);
        let (middle, unchanged) = (middle.to_vec(), unchanged.to_vec());
        let expected = Patch {
            head,
            middle,
            unchanged,
            tail,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn patches() {
        check(&[], &[], 0, &[], &[], 0);
        check(&[], &[1], 0, &[1], &[], 0);
        check(&[1, 2, 3], &[1, 2, 3], 3, &[], &[], 0);
        check(&[1, 2, 3], &[1, 9, 3], 1, &[9], &[], 1);
        check(&[1, 1], &[1, 1, 1], 2, &[1], &[], 0);
        check(&[1, 2, 3], &[3], 0, &[], &[], 1);
    }

    #[test]
    fn entries_between_two_differences_are_not_sent() {
        check(
            &[1, 2, 3, 4, 5, 6],
            &[1, 8, 3, 4, 9, 6],
            1,
            &[8, 9],
            &[run(1, 2, 2)],
            1,
        );
        // Longer and shorter replacements, and entries that only went.
        check(
            &[1, 2, 3, 4, 5, 6, 7],
            &[8, 8, 3, 4, 6, 9],
            0,
            &[8, 8, 9],
            &[run(2, 2, 2), run(2, 5, 1)],
            0,
        );
    }

    #[test]
    fn what_has_nothing_in_common_is_replaced_as_a_whole() {
        let old: Vec<u32> = (0..1000).collect();
        let new: Vec<u32> = (2000..3200).collect();
        check(&old, &new, 0, &new, &[], 0);
        // The same entries, but out of reach.
        let new: Vec<u32> = (2000..2600).chain(0..1000).chain([9]).collect();
        check(&old, &new, 0, &new, &[], 0);
    }
}
