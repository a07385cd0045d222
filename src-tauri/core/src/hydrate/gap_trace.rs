//! Records the variables without a value in what a call prints, and nothing else: cheap enough for every
//! line of a batch.

use super::trace::Trace;
use crate::registry::Section;

/// A declared variable that has neither a value nor a default, in a text that a call prints.
#[derive(Clone, Copy, Debug)]
pub struct EmptyVariable<'e> {
    /// The section that declares it.
    pub section: &'e Section,
    /// The first item printed with it.
    pub item: usize,
    /// Its position among the declared ones.
    pub position: usize,
}

impl<'e> EmptyVariable<'e> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'e str {
        &self.section.template_vars()[self.position]
    }
}

/// Variables without a value, each once: the indices of section, item and variable.
#[derive(Default)]
pub(super) struct GapTrace(pub Vec<(u32, u32, u32)>);

impl Trace<'_> for GapTrace {
    const RECORDS: bool = false;
    const FINDS_GAPS: bool = true;

    fn gap(&mut self, section: u32, item: u32, variable: u32) {
        let is_known = |known: &(u32, u32, u32)| (known.0, known.2) == (section, variable);
        if !self.0.iter().any(is_known) {
            self.0.push((section, item, variable));
        }
    }
}
