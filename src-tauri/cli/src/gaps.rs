//! Variables and expressions without a value in a printed prompt: one warning for each, with the way to
//! set it, and an entry in JSON results; a note if the value is the name itself, which is printed.

use promptdeck_core::{hydrate::UnsetVariable, lint};
use promptdeck_request::prompt::PromptGap;
use serde::Serialize;

use crate::{failure::Failure, state::StateSources, warnings::Warnings};

/// A variable or an expression without a value, in a JSON result.
#[derive(Serialize)]
pub struct GapRow<'a> {
    section: &'a str,
    #[serde(flatten)]
    what: Gap<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Gap<'a> {
    Variable(&'a str),
    Expression(&'a str),
}

/// The rows of a result.
pub fn rows<'a>(found: &[UnsetVariable<'a>]) -> Vec<GapRow<'a>> {
    let row = |gap: &UnsetVariable<'a>| GapRow {
        section: gap.section.name(),
        what: Gap::Variable(gap.name()),
    };
    let gaps = found.iter().filter(|gap| !gap.is_placeholder);
    gaps.map(row).collect()
}

/// The rows of a rendered prompt.
pub fn rows_of_prompt(found: &[PromptGap]) -> impl Iterator<Item = GapRow<'_>> {
    found.iter().map(|gap| GapRow {
        section: gap.source.as_ref().map_or("", |source| &source.section),
        what: Gap::Expression(&gap.expression),
    })
}

/// Where the value of a variable is set.
#[derive(Clone, Copy)]
pub enum SetBy<'a> {
    /// A flag of the verb; with the flags that are given.
    Flag(&'a StateSources),
    /// The state in a document.
    State,
}

/// Whether a shell reads a key as one word, as it is.
fn is_word(key: &str) -> bool {
    let is_plain = |next: char| next.is_alphanumeric() || "_-.:/".contains(next);
    key.chars().all(is_plain)
}

impl SetBy<'_> {
    /// Warns about the variables without a value, and notes those with their own name as value.
    pub fn warn(self, found: &[UnsetVariable<'_>], warnings: &mut Warnings) -> Result<(), Failure> {
        for gap in found {
            let key = format!("{}::{}", gap.section.name(), gap.name());
            // Empty on purpose.
            if let Self::Flag(sources) = self
                && !gap.is_placeholder
                && sources.sets_variable(&key)
            {
                continue;
            }
            let hint = match self {
                Self::Flag(_) if is_word(&key) => format!("set it with --var {key}=TEXT"),
                Self::Flag(_) => format!("set it with --var \"{key}=TEXT\""),
                Self::State => format!("set {key:?} in template_vars of the state"),
            };
            warnings.diagnostic_with(&lint::unset_variable(gap), &hint)?;
        }
        Ok(())
    }
}
