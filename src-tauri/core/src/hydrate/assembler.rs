//! Assembles the prompt of one call: the tokens of a route in order, joined by glue, then the
//! injections.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use smallvec::SmallVec;

use super::{
    Seed, Settings, TokenOutcome,
    choose::{Choices, ItemSet},
    program::SectionProgram,
    render::Heading,
    resolve::TokenContent,
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
pub(super) type PinnedEntries = BTreeMap<(String, usize, String), Vec<u32>>;

/// The runtime injections of a call that has some.
pub(super) struct Injections {
    /// The section's position in the registry.
    pub section: u32,
    /// The active items, in item order.
    pub items: SmallVec<[u32; 4]>,
    /// The sections they let through, by position in the registry.
    pub admitted: SmallVec<[u32; 8]>,
}

/// What the prompt ends with so far.
#[derive(Default)]
struct PreviousOutput {
    /// The section it counts as, for glue.
    section: Option<u32>,
    /// The list that the next one may be merged into.
    list: Option<OpenList>,
}

struct OpenList {
    /// The range of its heading in the text.
    heading: Range<usize>,
    /// The token that opened it.
    token: usize,
}

impl Injections {
    /// The injections of a call: none unless the section is optional and some are selected.
    pub fn new(
        section: u32,
        program: &SectionProgram,
        chosen: &ItemSet,
        find: impl Fn(&str) -> Option<u32>,
    ) -> Option<Self> {
        let ItemSet::Many(items) = chosen else {
            return None;
        };
        if program.section.required() {
            return None;
        }
        let included = items
            .iter()
            .flat_map(|item| program.section.items()[*item as usize].include_sections());
        Some(Self {
            section,
            items: items.clone(),
            admitted: std::iter::once(section)
                .chain(included.filter_map(find))
                .collect(),
        })
    }
}

impl<'p, S: Settings> Assembler<'p, '_, S> {
    pub fn program(&self, section: u32) -> &'p SectionProgram {
        &self.sections[section as usize]
    }

    /// Writes the whole prompt.
    pub fn run<T: Trace<'p>>(&self, writer: &mut Writer<'_, T>) {
        let mut previous = PreviousOutput::default();
        for (position, token) in self.route.tokens.iter().enumerate() {
            match &token.target {
                Ok(target) => self.token(position, target, &mut previous, writer),
                Err(reason) => dropped(*reason, writer),
            }
        }
        writer.normalize_newlines();
        if !self.route.places_injections {
            self.inject(writer);
        }
    }

    fn token<T: Trace<'p>>(
        &self,
        position: usize,
        target: &'p TokenTarget,
        previous: &mut PreviousOutput,
        writer: &mut Writer<'_, T>,
    ) {
        if let Some(injections) = &self.injections
            && !injections.admitted.contains(&target.section)
        {
            let by = || {
                injections.items.iter().filter_map(|item| {
                    self.program(injections.section)
                        .item(*item)
                        .identity
                        .as_deref()
                        .map(str::to_owned)
                })
            };
            writer
                .trace
                .token(|| TokenOutcome::Filtered { by: by().collect() });
            return;
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

    /// Whether a list is merged into the open one: its heading is the same, or absent.
    fn can_merge<T: Trace<'p>>(
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
    fn never_merges(&self, section: u32) -> bool {
        self.program(section).never_merges
    }

    /// The texts of the active injections, at the end.
    fn inject<T: Trace<'p>>(&self, writer: &mut Writer<'_, T>) {
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

fn dropped<'p, T: Trace<'p>>(reason: DropReason, writer: &mut Writer<'_, T>) {
    writer.trace.token(|| TokenOutcome::Dropped { reason });
}
