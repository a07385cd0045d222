//! Loops over an argument that is a text: Jinja takes it letter by letter, and the author means a list.

use promptdeck_core::{
    hydrate::Source,
    registry::{DataKey, Diagnostic, DiagnosticData, Severity},
};

use super::{key_in_args, pointer};
use crate::codes;
use crate::template::LoopedExpression;

/// A loop of a prompt that goes over the letters of an argument.
#[derive(Debug, Clone, PartialEq)]
pub struct TextLoop {
    /// What it loops over, as it is written.
    pub expression: String,
    /// The key in `args` that holds the text.
    pub argument: String,
    /// Where it is written.
    pub source: Option<Source>,
}

impl TextLoop {
    /// A loop of a template, if it is over an argument.
    #[must_use]
    pub fn of(looped: &LoopedExpression, template: &str) -> Option<Self> {
        let expression = &template[looped.range.clone()];
        let argument = key_in_args(looped.argument.as_deref()?, expression)?;
        Some(Self {
            expression: expression.to_owned(),
            argument: argument.to_owned(),
            source: None,
        })
    }

    /// The diagnostic of such a loop in the prompt of a registry.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let pointer = self.source.as_ref().map(pointer);
        let pointer = pointer.unwrap_or_else(|| "/template_engine".to_owned());
        self.diagnostic_at(pointer, "args of the call document")
    }

    /// The diagnostic of such a loop in a template at a pointer; `part` is where the argument is set.
    #[must_use]
    pub fn diagnostic_at(&self, pointer: String, part: &str) -> Diagnostic {
        let expression = self.expression.as_str();
        let section = self.source.as_ref().map(|source| &*source.section);
        let place = section.map_or_else(String::new, |section| format!(" of {section}"));
        Diagnostic::new(
            codes::TEXT_LOOPED,
            Severity::Warning,
            format!(
                "{expression}{place} is a text, and its loop goes over the letters: write a list, in \
                 JSON, in {part}"
            ),
            pointer,
            DiagnosticData::of(DataKey::Name, expression)
                .with_some(DataKey::Section, section)
                .with_some(DataKey::Argument, Some(self.argument.as_str())),
        )
    }
}
