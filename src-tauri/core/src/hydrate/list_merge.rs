//! Lists in sequence under one heading print as one list: the later ones are merged into the first.

use std::ops::Range;

use super::{
    Settings, assembler::Assembler, resolve::TokenContent, route_program::TokenTarget,
    template::Template, trace::Trace, writer::Writer,
};

/// The list that the prompt ends with.
pub(super) struct OpenList {
    /// The range of its heading in the text.
    pub heading: Range<usize>,
    /// The token that opened it.
    pub token: usize,
}

impl<'p, S: Settings> Assembler<'p, '_, S> {
    /// Whether a list is merged into the open one: its heading is the same, or absent.
    pub fn can_merge<T: Trace<'p>>(
        &self,
        open: &OpenList,
        target: &TokenTarget,
        found: &TokenContent<'p>,
        writer: &Writer<'_, T>,
    ) -> bool {
        if !found.is_list() || self.never_merges(target.section) {
            return false;
        }
        let Some(heading) = self.list_heading(found) else {
            return true;
        };
        let program = self.program(target.section);
        let mut rest = &writer.text[open.heading.clone()];
        let matches = self
            .printed(program, heading)
            .all(|part| match rest.strip_prefix(part) {
                Some(after) => {
                    rest = after;
                    true
                }
                None => false,
            });
        matches && rest.is_empty()
    }

    /// Whether the lists of a section never merge with others.
    pub fn never_merges(&self, section: u32) -> bool {
        self.program(section).never_merges
    }

    /// Prints the entries of lists as a continuation of the list that the prompt ends with.
    pub fn merge_list<T: Trace<'p>>(
        &self,
        section: u32,
        token: Option<u32>,
        found: &TokenContent<'p>,
        writer: &mut Writer<'_, T>,
    ) {
        let parts = match found {
            TokenContent::Single(content) => std::slice::from_ref(content),
            TokenContent::Several(parts) | TokenContent::Lists { parts, .. } => parts,
        };
        let mut first = false;
        for part in parts {
            self.entries(section, token, part, true, &mut first, writer);
        }
    }

    /// The heading of a list, if the content is a list with one.
    pub fn list_heading(&self, found: &TokenContent<'p>) -> Option<&'p Template> {
        match found {
            TokenContent::Single(content) => content.list()?.0.heading.as_ref(),
            TokenContent::Several(_) => None,
            TokenContent::Lists { heading, .. } => heading.map(|(_, heading)| heading),
        }
    }
}
