//! One call: the tokens of a route in order, glued together, and the injections at the end.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use smallvec::SmallVec;

use super::{
    Outcome, Seed, Settings,
    choose::{Choices, Chosen},
    program::SectionProgram,
    render::Heading,
    report::DropReason,
    resolve::Found,
    route_program::{RouteProgram, Target},
    segment::Part,
    trace::{Spot, Trace},
    writer::Writer,
};

/// Everything one call needs while it walks through its tokens.
pub(super) struct Walk<'p, 'c, S> {
    pub sections: &'p [Arc<SectionProgram>],
    pub route: &'p RouteProgram,
    pub state: &'c S,
    pub seed: Seed,
    /// Entries of rolled arrays that are settled beforehand.
    pub pins: Option<&'c Pins>,
    /// The choices of the route's sections, by slot.
    pub choices: Choices,
    /// The active runtime injections.
    pub injections: Option<Injections>,
}

/// Entries of rolled arrays, by section, item and field.
pub(super) type Pins = BTreeMap<(String, usize, String), Vec<u32>>;

/// The runtime injections of a call that has some.
pub(super) struct Injections {
    /// The section's position in the registry.
    pub section: u32,
    /// The active items, in item order.
    pub items: SmallVec<[u32; 4]>,
    /// The sections they let through, by position in the registry.
    pub admitted: SmallVec<[u32; 8]>,
}

/// What stands last in the prompt.
#[derive(Default)]
struct Last {
    /// The section it counts as, for glue.
    section: Option<u32>,
    /// The list that may absorb the next one.
    list: Option<OpenList>,
}

struct OpenList {
    /// Where its heading stands in the text.
    heading: Range<usize>,
    /// The token that opened it.
    token: usize,
}

impl Injections {
    /// The injections of a call: none unless the section is optional and some are selected.
    pub fn new(
        section: u32,
        program: &SectionProgram,
        chosen: &Chosen,
        find: impl Fn(&str) -> Option<u32>,
    ) -> Option<Self> {
        let Chosen::Many(items) = chosen else {
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

impl<'p, S: Settings> Walk<'p, '_, S> {
    pub fn program(&self, section: u32) -> &'p SectionProgram {
        &self.sections[section as usize]
    }

    /// Writes the whole prompt.
    pub fn run<T: Trace<'p>>(&self, writer: &mut Writer<'_, T>) {
        let mut last = Last::default();
        for (position, token) in self.route.tokens.iter().enumerate() {
            match &token.target {
                Ok(target) => self.token(position, target, &mut last, writer),
                Err(reason) => dropped(*reason, writer),
            }
        }
        writer.tidy();
        if !self.route.places_injections {
            self.inject(writer);
        }
    }

    fn token<T: Trace<'p>>(
        &self,
        position: usize,
        target: &'p Target,
        last: &mut Last,
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
                .token(|| Outcome::Filtered { by: by().collect() });
            return;
        }
        let resolved = self.resolve(target, &mut writer.trace);
        let found = match &resolved {
            Ok(found) => found,
            Err(reason) => return dropped(*reason, writer),
        };
        if let Some(list) = &last.list
            && self.absorbed(list, target, found, writer)
        {
            let into = list.token;
            self.absorb(target.section, Some(position as u32), found, writer);
            writer.trace.token(|| Outcome::Merged { into });
            return;
        }
        let start = writer.len();
        if let Some(section) = last.section {
            writer.glue(if section == target.section {
                "\n"
            } else {
                "\n\n"
            });
        }
        let glued = writer.len();
        let heading = self.write(target.section, Some(position as u32), found, writer);
        last.list = None;
        if writer.len() == glued {
            writer.truncate(start);
            return dropped(DropReason::Blank, writer);
        }
        last.section = Some(target.section);
        if let Some(Heading::Printed(heading)) = heading
            && !heading.is_empty()
            && !self.stands_apart(target.section)
        {
            last.list = Some(OpenList {
                heading,
                token: position,
            });
        }
        writer.trace.token(|| Outcome::Rendered);
    }

    /// Whether a list goes into the open one: its own heading is the same, or absent.
    fn absorbed<T: Trace<'p>>(
        &self,
        open: &OpenList,
        target: &Target,
        found: &Found<'p>,
        writer: &Writer<'_, T>,
    ) -> bool {
        if !found.is_list() || self.stands_apart(target.section) {
            return false;
        }
        let Some(own) = self.heading_of(found) else {
            return true;
        };
        let program = self.program(target.section);
        let mut rest = &writer.text[open.heading.clone()];
        let same = self
            .printed(program, own)
            .all(|part| match rest.strip_prefix(part) {
                Some(after) => {
                    rest = after;
                    true
                }
                None => false,
            });
        same && rest.is_empty()
    }

    /// Whether the lists of a section never merge with others.
    fn stands_apart(&self, section: u32) -> bool {
        self.program(section).stands_apart
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
            let spot = Spot {
                token: None,
                section: injections.section,
                item: *item,
                field: "text",
                part: Part::Injection,
                entry: None,
                fragment: None,
                variable: None,
            };
            self.text(text, spot, writer);
            writer.trim_from(glued);
            if writer.len() == glued {
                writer.truncate(start);
            }
        }
    }
}

fn dropped<'p, T: Trace<'p>>(reason: DropReason, writer: &mut Writer<'_, T>) {
    writer.trace.token(|| Outcome::Dropped { reason });
}
