//! The difference between two previews, sent to the page instead of the whole preview.

use super::Preview;
use crate::saturating::saturating_u32;
use crate::wire::{Patch, PreviewPatch};

impl Preview {
    /// The patch from an earlier evaluation, displayed as `number - 1`, to this one.
    #[must_use]
    pub fn patch_from(&self, old: Option<&Self>, number: u32) -> PreviewPatch {
        let nothing = Self::default();
        let base = old.unwrap_or(&nothing);
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
            rolled: self.rolled(),
        }
    }
}

/// The shortest replacement between a common prefix and a common suffix.
fn patch<T: PartialEq + Clone>(old: &[T], new: &[T]) -> Patch<T> {
    let head = old
        .iter()
        .zip(new)
        .take_while(|(old, new)| old == new)
        .count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    Patch {
        head: saturating_u32(head),
        middle: new[head..new.len() - tail].to_vec(),
        tail: saturating_u32(tail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &[u32], new: &[u32], head: u32, middle: &[u32], tail: u32) {
        let middle = middle.to_vec();
        assert_eq!(patch(old, new), Patch { head, middle, tail });
    }

    #[test]
    fn patches() {
        check(&[], &[], 0, &[], 0);
        check(&[], &[1], 0, &[1], 0);
        check(&[1, 2, 3], &[1, 2, 3], 3, &[], 0);
        check(&[1, 2, 3], &[1, 9, 3], 1, &[9], 1);
        check(&[1, 1], &[1, 1, 1], 2, &[1], 0);
        check(&[1, 2, 3], &[3], 0, &[], 1);
    }
}
