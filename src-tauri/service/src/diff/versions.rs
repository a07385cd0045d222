//! Compares two versions: the settings they use and their prompts.

use std::time::Duration;

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::Registry;

use super::settings::{Used, differing, of_call};
use super::text::{changes, join_equal};
use crate::ServiceError;
use crate::preview::Preview;
use crate::preview::value_label::of_array;
use crate::saturating::saturating_u32;
use crate::wire::{Comparison, Failure, Granularity, Origin, Part, PartKind, SideText, ValueLabel};

/// An evaluated version.
#[derive(Debug)]
pub struct Version {
    name: String,
    state: State,
    route: Option<String>,
    seed: Seed,
    preview: Preview,
}

impl Version {
    /// Evaluates a version.
    #[must_use]
    pub fn new(
        name: String,
        registry: Registry,
        state: State,
        route: Option<String>,
        seed: Seed,
    ) -> Self {
        let call = Call {
            state: &state,
            route: route.as_deref(),
            seed,
        };
        Self::of(name, &Engine::new(registry), &call)
    }

    /// Evaluates a call with an engine.
    pub(crate) fn of(name: String, engine: &Engine, call: &Call<'_>) -> Self {
        let preview = match engine.hydrate(call) {
            Ok(hydration) => Preview::of(hydration, engine, call.state, Duration::ZERO),
            Err(fault) => Preview::nothing(ServiceError::from(fault).into()),
        };
        Self {
            name,
            state: call.state.clone(),
            route: call.route.map(str::to_owned),
            seed: call.seed,
            preview,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why it has no prompt, such as a route that its registry has not.
    #[must_use]
    pub fn problem(&self) -> Option<&Failure> {
        self.preview.problem.as_ref()
    }

    /// Short summary of the selections.
    #[must_use]
    pub fn glance(&self) -> String {
        self.preview.glance()
    }

    /// The prompt of this version.
    #[must_use]
    pub fn text(&self) -> String {
        self.preview.text()
    }

    fn side(&self) -> SideText {
        SideText {
            name: self.name.clone(),
            characters: self.preview.characters,
            tokens: None,
            problem: self.preview.problem.clone(),
        }
    }

    /// Every setting with its used value and whether it was rolled.
    fn settings(&self) -> Vec<Used> {
        let mut all = Vec::new();
        for section in &self.preview.sections {
            let mut add = |name: &str, value: ValueLabel, origin: Origin| {
                all.push(Used {
                    section: Some(section.section.clone()),
                    name: name.to_owned(),
                    value,
                    rolled: origin == Origin::Random,
                });
            };
            let names: Vec<_> = section.used.iter().map(|item| item.name.as_str()).collect();
            let used = if names.is_empty() {
                "none".into()
            } else {
                names.join(", ")
            };
            add("item", ValueLabel::plain(used), section.origin);
            if let Some(slider) = &section.slider {
                add(
                    "slider",
                    ValueLabel::plain(slider.used.to_string()),
                    slider.origin,
                );
            }
            for array in &section.arrays {
                let value =
                    of_array(array).unwrap_or_else(|| ValueLabel::plain(array.mode.clone()));
                add(&array.field, value, array.origin);
            }
        }
        all.extend(self.call_settings());
        all
    }

    /// The settings of the call itself, which need no evaluation.
    fn call_settings(&self) -> Vec<Used> {
        of_call(&self.state, self.route.as_deref(), self.seed).collect()
    }
}

/// Compares two versions; their registries are compared by
/// [`differing_keys`](super::tree::differing_keys).
#[must_use]
pub fn compare(left: &Version, right: &Version, granularity: Granularity) -> Comparison {
    // A version that cannot be evaluated has no values and no text that could differ.
    let is_evaluated = left.problem().is_none() && right.problem().is_none();
    let settings = |side: &Version| match is_evaluated {
        true => side.settings(),
        false => side.call_settings(),
    };
    let (settings, compared) = differing(settings(left), settings(right));
    let (old, new) = (left.preview.text(), right.preview.text());
    let changes = match is_evaluated {
        true => changes(&old, &new, granularity),
        false => Vec::new(),
    };
    let pieces = |kind| {
        let of_kind = changes.iter().filter(|(change, text)| {
            *change == kind && (granularity == Granularity::Lines || !text.trim().is_empty())
        });
        saturating_u32(of_kind.count())
    };
    Comparison {
        left: left.side(),
        right: right.side(),
        settings,
        compared,
        edited: Vec::new(),
        added: pieces(PartKind::Added),
        removed: pieces(PartKind::Removed),
        prompt: attribute(&changes, &left.preview, &right.preview),
    }
}

/// Iterates over the segments of one side.
struct Walk<'a> {
    segments: std::slice::Iter<'a, crate::wire::Segment>,
    left: usize,
    section: Option<&'a str>,
}

impl<'a> Walk<'a> {
    fn over(preview: &'a Preview) -> Self {
        Self {
            segments: preview.segments.iter(),
            left: 0,
            section: None,
        }
    }

    /// How many of the next `length` bytes belong to one section, and to which.
    fn next(&mut self, length: usize) -> (usize, Option<&'a str>) {
        while self.left == 0 {
            let Some(segment) = self.segments.next() else {
                return (length, None);
            };
            self.left = segment.text.len();
            self.section = segment.source.as_ref().map(|source| &*source.section);
        }
        let taken = length.min(self.left);
        self.left -= taken;
        (taken, self.section)
    }

    fn skip(&mut self, mut length: usize) {
        while length > 0 {
            length -= self.next(length).0;
        }
    }
}

/// Splits the changes at section boundaries and joins equal neighbours.
fn attribute(changes: &[(PartKind, &str)], left: &Preview, right: &Preview) -> Vec<Part> {
    let (mut old, mut new) = (Walk::over(left), Walk::over(right));
    let mut parts = Vec::new();
    for (kind, text) in changes {
        if *kind == PartKind::Same {
            old.skip(text.len());
        }
        let walk = if *kind == PartKind::Removed {
            &mut old
        } else {
            &mut new
        };
        let mut rest = *text;
        while !rest.is_empty() {
            let (taken, section) = walk.next(rest.len());
            // Segments and changes end at character boundaries.
            let (piece, remainder) = rest.split_at(taken);
            rest = remainder;
            parts.push(Part {
                kind: *kind,
                text: piece.to_owned(),
                section: section.map(str::to_owned),
            });
        }
    }
    join_equal(parts.into_iter())
}
