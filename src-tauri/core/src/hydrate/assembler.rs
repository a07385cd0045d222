//! Assembles the prompt of one call: the tokens of a route in order, joined by glue, then the
//! injections.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    HydrateError, PromptLimit, Seed, Settings, TokenOutcome,
    choose::Choices,
    injection_filter::Injections,
    list_merge::OpenList,
    program::SectionProgram,
    render::Heading,
    route_program::{RouteProgram, TokenTarget},
    segment::{Part, TextOrigin},
    token_report::DropReason,
    trace::{SourceRef, Trace},
    writer::Writer,
};

/// The inputs of one call while its tokens are assembled.
pub(super) struct Assembler<'p, 'c, S> {
    pub sections: &'p [Arc<SectionProgram>],
    pub route: &'p RouteProgram,
    pub state: &'c S,
    pub seed: Seed,
    /// Entries of rolled arrays that are given instead of rolled.
    pub pinned: Option<&'c PinnedEntries>,
    /// The choices of the route's sections, by slot.
    pub choices: Choices,
    /// The active runtime injections.
    pub injections: Option<Injections>,
}

/// Entries of rolled arrays, by section, item and field.
pub type PinnedEntries = BTreeMap<(String, usize, String), Vec<u32>>;

/// What the prompt ends with so far.
#[derive(Default)]
struct PreviousOutput {
    /// The section it counts as, for glue.
    section: Option<u32>,
    /// The list that the next one may be merged into.
    list: Option<OpenList>,
}

impl<'p, S: Settings> Assembler<'p, '_, S> {
    pub fn program(&self, section: u32) -> &'p SectionProgram {
        &self.sections[section as usize]
    }

    /// Writes the whole prompt, or nothing.
    ///
    /// # Errors
    ///
    /// [`HydrateError::PromptTooLarge`].
    pub fn run<T: Trace<'p>>(&self, writer: &mut Writer<'_, T>) -> Result<(), HydrateError> {
        let mut previous = PreviousOutput::default();
        for (position, token) in self.route.tokens.iter().enumerate() {
            match &token.target {
                Ok(target) => self.token(position, target, &mut previous, writer),
                Err(reason) => dropped(*reason, writer),
            }
            if let Some(limit) = writer.exceeded() {
                return Err(too_large(Some((position, &token.text)), limit, writer));
            }
        }
        writer.normalize_newlines();
        if !self.route.places_injections {
            self.inject(writer);
            if let Some(limit) = writer.exceeded() {
                return Err(too_large(None, limit, writer));
            }
        }
        Ok(())
    }

    fn token<T: Trace<'p>>(
        &self,
        position: usize,
        target: &'p TokenTarget,
        previous: &mut PreviousOutput,
        writer: &mut Writer<'_, T>,
    ) {
        if let Some(injections) = &self.injections
            && !injections.admits(target.section)
        {
            let program = self.program(injections.section);
            let by = || injections.names(program);
            return writer.trace.token(|| TokenOutcome::Filtered { by: by() });
        }
        let resolved = self.resolve(target, &mut writer.trace);
        let found = match &resolved {
            Ok(found) => found,
            Err(reason) => return dropped(*reason, writer),
        };
        if let Some(list) = &previous.list
            && self.can_merge(list, target, found, writer)
        {
            let into = list.token;
            self.merge_list(target.section, Some(position as u32), found, writer);
            writer.trace.token(|| TokenOutcome::Merged { into });
            return;
        }
        let start = writer.len();
        if let Some(section) = previous.section {
            writer.glue(if section == target.section {
                "\n"
            } else {
                "\n\n"
            });
        }
        let glued = writer.len();
        let heading = self.write(target.section, Some(position as u32), found, writer);
        previous.list = None;
        if writer.len() == glued {
            writer.truncate(start);
            return dropped(DropReason::Blank, writer);
        }
        previous.section = Some(target.section);
        if let Some(Heading::Printed(heading)) = heading
            && !heading.is_empty()
            && !self.never_merges(target.section)
        {
            previous.list = Some(OpenList {
                heading,
                token: position,
            });
        }
        writer.trace.token(|| TokenOutcome::Rendered);
    }

    /// The texts of the active injections, at the end.
    pub fn inject<T: Trace<'p>>(&self, writer: &mut Writer<'_, T>) {
        let Some(injections) = &self.injections else {
            return;
        };
        let program = self.program(injections.section);
        for item in &injections.items {
            let Some(text) = program.item(*item).text() else {
                continue;
            };
            let start = writer.len();
            if !writer.is_empty() {
                writer.glue("\n\n");
            }
            let glued = writer.len();
            let source = SourceRef {
                token: None,
                section: injections.section,
                item: *item,
                field: "text",
                part: Part::Injection,
                entry: None,
                fragment: None,
                variable: None,
                origin: TextOrigin::Authored { start: 0, end: 0 },
            };
            self.text(text, source, writer);
            writer.trim_from(glued);
            if writer.len() == glued {
                writer.truncate(start);
            }
        }
    }
}

/// Takes away what was written of a prompt that is too large.
#[cold]
fn too_large<'p, T: Trace<'p>>(
    entry: Option<(usize, &str)>,
    limit: PromptLimit,
    writer: &mut Writer<'_, T>,
) -> HydrateError {
    writer.clear();
    HydrateError::PromptTooLarge {
        entry: entry.map(|(position, token)| (position, token.to_owned())),
        limit,
    }
}

fn dropped<'p, T: Trace<'p>>(reason: DropReason, writer: &mut Writer<'_, T>) {
    writer.trace.token(|| TokenOutcome::Dropped { reason });
}
