//! The changes that an edit makes, and the prompts that are right after it.

use super::{Change, Refusal};
use crate::hydrate::{normalized, without_space};

/// The changes of an edit, and the prompt they have to give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// The prompts that are right: more than one where a list may lose its bullets or texts what joins
    /// them, none where the edit is a choice and no text.
    pub(super) prompts: Vec<Printed>,
    /// Whether the prompt may end differently, as that of a list whose last entry is empty.
    pub(super) trims: bool,
    /// A declared variable that the new text spells out.
    pub(super) spelled: Option<Refusal>,
    /// Why the new text could not be printed, if it is not.
    pub(super) unprinted: Option<Refusal>,
}

/// A prompt that is right after an edit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Printed {
    pub text: String,
    /// Where the caret stands, in bytes.
    pub caret: usize,
    /// The variable without a value before the caret.
    pub behind: Option<String>,
    /// Ends of texts that lost newlines at their end, in bytes, and how many. A prompt has no third newline
    /// in a row, so what joins such a text to the next may print as many more.
    pub newlines_lost: Vec<(usize, usize)>,
}

impl Printed {
    /// Where the caret stands in a prompt that is this one. None if it is another one.
    fn caret_in(&self, printed: &str) -> Option<usize> {
        let (mut rest, mut at, mut caret) = (printed, 0, self.caret);
        for &(end, lost) in &self.newlines_lost {
            rest = rest.strip_prefix(&self.text[at..end])?;
            let more = leading_newlines(rest).saturating_sub(leading_newlines(&self.text[end..]));
            let more = more.min(lost);
            rest = &rest[more..];
            if self.caret > end {
                caret += more;
            }
            at = end;
        }
        (rest == &self.text[at..]).then_some(caret)
    }

    /// Notes how many newlines a text that ends here has lost at its end.
    pub fn lose_newlines(&mut self, before: &str) {
        let lost = trailing_newlines(before).saturating_sub(trailing_newlines(&self.text));
        if lost > 0 {
            self.newlines_lost.push((self.text.len(), lost));
        }
    }

    /// The prompt with more text.
    pub fn followed_by(&self, text: &str) -> Self {
        Self {
            text: [&self.text, text].concat(),
            ..self.clone()
        }
    }
}

impl Plan {
    /// The caret in the prompt that the changed call prints, in bytes.
    #[must_use]
    pub fn caret(&self, printed: &str) -> usize {
        if let Some(caret) = (self.prompts.iter()).find_map(|prompt| prompt.caret_in(printed)) {
            return caret;
        }
        // Less whitespace is printed than was expected.
        let normalized_text = normalized(printed);
        let mut prompts = self.prompts.iter();
        let found = prompts.find(|prompt| normalized(&prompt.text) == normalized_text);
        found.or(self.prompts.first()).map_or(0, |prompt| {
            let begun = normalized(&format!("{}x", &prompt.text[..prompt.caret]));
            (begun.len() - 1).min(printed.len())
        })
    }

    /// The variable without a value before the caret: the written text ends with its name.
    #[must_use]
    pub fn behind(&self) -> Option<&str> {
        self.prompts
            .iter()
            .find_map(|prompt| prompt.behind.as_deref())
    }

    /// Whether the changed call prints what the edit shows.
    ///
    /// # Errors
    ///
    /// [`Refusal`] if it prints anything else; the changes must be taken back then.
    pub fn check(&self, printed: &str) -> Result<(), Refusal> {
        let is_right = |prompt: &Printed| prompt.caret_in(printed).is_some();
        if self.prompts.is_empty() || self.prompts.iter().any(is_right) {
            return Ok(());
        }
        let prompts = || self.prompts.iter().map(|prompt| &*prompt.text);
        if self.trims {
            // The whitespace of an injected text is printed as it is: both are normalized.
            let normalized_text = normalized(printed);
            if prompts().any(|prompt| normalized(prompt) == normalized_text) {
                return Ok(());
            }
        }
        let reason = self.spelled.clone().or_else(|| self.unprinted.clone());
        Err(reason.unwrap_or_else(|| {
            let printed = without_space(printed);
            if prompts().any(|prompt| without_space(prompt) == printed) {
                Refusal::Whitespace
            } else {
                Refusal::OtherText
            }
        }))
    }
}

fn leading_newlines(text: &str) -> usize {
    text.len() - text.trim_start_matches('\n').len()
}

fn trailing_newlines(text: &str) -> usize {
    text.len() - text.trim_end_matches('\n').len()
}
