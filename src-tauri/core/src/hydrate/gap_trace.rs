//! Records the variables without a value of their own in what a call prints, and nothing else: cheap
//! enough for every line of a batch.

use std::sync::Arc;

use super::{program::SectionProgram, trace::Trace};
use crate::registry::Section;

/// A declared variable in a text that a call prints, with neither a value nor a default, or with its own
/// name in braces as the only one.
#[derive(Clone, Copy, Debug)]
pub struct UnsetVariable<'e> {
    /// The section that declares it.
    pub section: &'e Section,
    /// The first item printed with it.
    pub item: usize,
    /// Its position among the declared ones.
    pub position: usize,
    /// Whether its value is its own name in braces; otherwise it has none and leaves a gap.
    pub is_placeholder: bool,
}

impl<'e> UnsetVariable<'e> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'e str {
        &self.section.template_vars()[self.position]
    }
}

/// Whether a value is the name of its variable in braces: the text before anything was filled in.
pub(crate) fn is_placeholder(value: &str, name: &str) -> bool {
    let inside = value
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    inside == Some(name)
}

/// Variables without a value of their own, each once: the indices of section, item and variable, and
/// whether its value is its name.
#[derive(Default)]
pub(super) struct GapTrace(pub Vec<(u32, u32, u32, bool)>);

impl GapTrace {
    /// The variables, by their sections.
    pub fn unset(self, sections: &[Arc<SectionProgram>]) -> Vec<UnsetVariable<'_>> {
        let unset =
            |(section, item, position, is_placeholder): (u32, u32, u32, bool)| UnsetVariable {
                section: &sections[section as usize].section,
                item: item as usize,
                position: position as usize,
                is_placeholder,
            };
        self.0.into_iter().map(unset).collect()
    }
}

impl Trace<'_> for GapTrace {
    const RECORDS: bool = false;
    const FINDS_GAPS: bool = true;

    fn gap(&mut self, section: u32, item: u32, variable: u32, is_placeholder: bool) {
        let is_known = |known: &(u32, u32, u32, bool)| (known.0, known.2) == (section, variable);
        if !self.0.iter().any(is_known) {
            self.0.push((section, item, variable, is_placeholder));
        }
    }
}
