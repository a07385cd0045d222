//! The kinds of expectations: the key of each, the form of its value, and the checks that accept it.
//! Reader and forms use the same table.

use super::document::Subject;

/// A kind of expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectationKind {
    /// Key in the document.
    pub key: &'static str,
    /// Form of its value.
    pub value: ValueForm,
    applies_to: Applicability,
}

/// The form of an expectation's value, and the keys beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// Text.
    Text,
    /// A pattern (Python's re).
    Pattern,
    /// Golden text, recorded rather than typed.
    Golden,
    /// A section, item or entry of the assembly order.
    Target,
    /// A number of characters.
    Characters,
    /// A number of tokens, with `tokenizer`.
    Tokens,
    /// A section, item or entry of the assembly order, with `min` and `max`.
    Share,
    /// True, with the codes of problems in `allow`.
    Problems,
    /// True.
    Flag,
    /// Text of a reason, or true for any.
    Reason,
}

/// What a check holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// The prompt of one roll.
    Prompt,
    /// The prompts of several rolls.
    Rolls,
    /// A model's answer.
    Answer,
}

/// The texts that a kind of expectation applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Applicability {
    /// Any text: a prompt, or a cleaned answer.
    Text,
    /// Prompts.
    Prompts,
    /// The prompt of one roll.
    OnePrompt,
    /// An answer.
    Answer,
}

const fn kind(key: &'static str, value: ValueForm, applies_to: Applicability) -> ExpectationKind {
    ExpectationKind {
        key,
        value,
        applies_to,
    }
}

/// All kinds, in the order in which forms list them.
pub const KINDS: [ExpectationKind; 18] = [
    kind("contains", ValueForm::Text, Applicability::Text),
    kind("not_contains", ValueForm::Text, Applicability::Text),
    kind("matches", ValueForm::Pattern, Applicability::Text),
    kind("not_matches", ValueForm::Pattern, Applicability::Text),
    kind("starts_with", ValueForm::Text, Applicability::Text),
    kind("ends_with", ValueForm::Text, Applicability::Text),
    kind("max_tokens", ValueForm::Tokens, Applicability::Text),
    kind("min_tokens", ValueForm::Tokens, Applicability::Text),
    kind("max_characters", ValueForm::Characters, Applicability::Text),
    kind("text", ValueForm::Golden, Applicability::OnePrompt),
    kind("renders", ValueForm::Target, Applicability::Prompts),
    kind("never_renders", ValueForm::Target, Applicability::Prompts),
    kind("share", ValueForm::Share, Applicability::Prompts),
    kind(
        "stable_prefix_tokens",
        ValueForm::Tokens,
        Applicability::Prompts,
    ),
    kind("no_problems", ValueForm::Problems, Applicability::Prompts),
    kind("accepted", ValueForm::Flag, Applicability::Answer),
    kind("rejected", ValueForm::Reason, Applicability::Answer),
    kind("cleaned", ValueForm::Golden, Applicability::Answer),
];

impl ExpectationKind {
    /// Whether checks of this subject accept it.
    #[must_use]
    pub fn accepts(self, subject: SubjectKind) -> bool {
        match self.applies_to {
            Applicability::Text => true,
            Applicability::Prompts => subject != SubjectKind::Answer,
            Applicability::OnePrompt => subject == SubjectKind::Prompt,
            Applicability::Answer => subject == SubjectKind::Answer,
        }
    }

    /// Why checks of this subject refuse it, and the way out.
    pub(crate) fn refusal(self, subject: SubjectKind) -> Option<String> {
        let Self {
            key, applies_to, ..
        } = self;
        (!self.accepts(subject)).then(|| match (applies_to, subject) {
            (_, SubjectKind::Answer) => {
                format!("`{key}` is about prompts; this check holds an `answer`")
            }
            (Applicability::Answer, _) => {
                format!("`{key}` is about answers; add an `answer` to the check")
            }
            _ => "a golden text needs one roll; leave out `rolls` and name a `seed`".to_owned(),
        })
    }
}

impl SubjectKind {
    /// All subjects.
    pub const ALL: [Self; 3] = [Self::Prompt, Self::Rolls, Self::Answer];

    pub(crate) fn of(subject: &Subject) -> Self {
        match subject {
            Subject::Answer { .. } => Self::Answer,
            Subject::Prompt(given) if given.rolls > 1 => Self::Rolls,
            Subject::Prompt(_) => Self::Prompt,
        }
    }
}
