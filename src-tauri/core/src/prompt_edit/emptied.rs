//! The prompts that are right once texts of a prompt print nothing: what joined such a text to the texts
//! beside it goes with it, and what is left between those joined two of them before.

use std::{borrow::Cow, ops::Range};

use super::{Printed, Prompt, gap::is_same_print};
use crate::hydrate::{Segment, TextOrigin};

/// Prompts that are compared at most, where several texts go and each leaves a choice of separators.
const MOST: usize = 64;

/// What a segment prints after an edit, and where in it the caret is, if it is there.
pub(super) type Shown = (String, Option<usize>);

impl Prompt<'_> {
    /// The prompts with some segments replaced, as [`Prompt::with`] gives one, but without texts that
    /// print nothing any more.
    pub(super) fn without_emptied(
        &self,
        mut replaced: impl FnMut(usize, &Segment) -> Option<Shown>,
    ) -> Vec<Printed> {
        let segments = &self.hydration.segments;
        let mut caret = None;
        let mut texts: Vec<Cow<'_, str>> = Vec::with_capacity(segments.len());
        // Where the prompt before has the end of a text that is replaced.
        let mut ends = vec![None; segments.len()];
        let mut end = 0;
        for (index, segment) in segments.iter().enumerate() {
            end += segment.text.len();
            texts.push(match replaced(index, segment) {
                Some((text, at)) => {
                    caret = at.map(|at| (index, at)).or(caret);
                    ends[index] = self.ends_print(index).then_some(end);
                    Cow::Owned(text)
                }
                None => Cow::Borrowed(&*segment.text),
            });
        }
        let is_emptied = self.emptied(&texts);
        let print = |prompts: &mut [Printed], run: Range<usize>| {
            for prompt in prompts {
                for at in run.clone() {
                    if let Some((_, offset)) = caret.filter(|(segment, _)| *segment == at) {
                        prompt.caret = prompt.text.len() + offset;
                    }
                    prompt.text.push_str(&texts[at]);
                    if let Some(end) = ends[at] {
                        prompt.lose_newlines(&self.hydration.text[..end]);
                    }
                }
            }
        };
        let mut prompts = vec![Printed::default()];
        let mut index = 0;
        while index < segments.len() {
            let end = (index..segments.len())
                .find(|&at| segments[at].source.is_some() && !texts[at].is_empty())
                .unwrap_or(segments.len());
            let run = index..end;
            if run.clone().any(|at| is_emptied[at]) {
                if caret.is_some_and(|(at, _)| run.contains(&at)) {
                    for prompt in &mut prompts {
                        prompt.caret = prompt.text.len();
                    }
                }
                let mut glues: Vec<&str> = Vec::new();
                let is_between = index > 0 && end < segments.len();
                for at in run.filter(|_| is_between) {
                    let glue = &*texts[at];
                    if !glue.is_empty() && !glues.contains(&glue) {
                        glues.push(glue);
                    }
                }
                if !glues.is_empty() {
                    prompts = prompts
                        .iter()
                        .flat_map(|prompt| glues.iter().map(|glue| prompt.followed_by(glue)))
                        .take(MOST)
                        .collect();
                }
            } else {
                print(&mut prompts, run);
            }
            print(&mut prompts, end..segments.len().min(end + 1));
            index = end + 1;
        }
        prompts
    }

    /// Which segments are of a text of which nothing is printed.
    fn emptied(&self, texts: &[Cow<'_, str>]) -> Vec<bool> {
        let segments = &self.hydration.segments;
        let mut emptied = vec![false; segments.len()];
        let mut start = 0;
        while start < segments.len() {
            let end = self.print_of(start).end;
            let is_emptied = segments[start].source.is_some()
                && texts[start..end].iter().all(|text| text.is_empty());
            emptied[start..end].fill(is_emptied);
            start = end;
        }
        emptied
    }

    /// Whether the print of a text has a bullet.
    pub(super) fn has_bullet(&self, index: usize) -> bool {
        let print_segments = &self.hydration.segments[self.print_of(index)];
        print_segments
            .iter()
            .any(|segment| segment.origin == Some(TextOrigin::Bullet))
    }

    /// The segments of the print of a text that a segment is of; glue is alone.
    pub(super) fn print_of(&self, index: usize) -> Range<usize> {
        let segments = &self.hydration.segments;
        let print_source = segments[index].source.as_ref();
        let is_own = |segment: &&Segment| {
            let pair = print_source.zip(segment.source.as_ref());
            pair.is_some_and(|(source, other)| is_same_print(source, other))
        };
        let before = segments[..index].iter().rev().take_while(is_own).count();
        let after = segments[index + 1..].iter().take_while(is_own).count();
        index - before..index + 1 + after
    }
}
