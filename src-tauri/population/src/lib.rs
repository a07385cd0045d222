//! What the rolls of a registry print, and what an edit changes in them.
//!
//! A *roll* is one hydration with one seed; a *sample* is a number of rolls with consecutive seeds.
//! A [`profile::ProfilePlan`] measures a sample, an [`impact::ImpactPlan`] compares the samples of
//! two versions. Both are [`Survey`]s: any number of workers roll parts of the sample, their partial
//! results are merged in any order, and the result is the same for any division of the work.
//!
//! The crate accesses no file, clock or thread. Memory does not grow with the number of rolls.

#![warn(clippy::missing_errors_doc)]

mod common_start;
mod counts;
mod distinct;
pub mod distribution;
pub mod impact;
mod interval;
pub mod profile;
mod rows;
mod survey;
mod tally;
mod text_hash;
mod tokens;
mod too_large;

use promptdeck_core::{hydrate::JINJA, registry::Registry};

pub use common_start::{EndedBy, PrefixLevel, PrefixPoint, StablePrefix, shared_start};
pub use distinct::Distinct;
pub use interval::wilson;
pub use rows::{RowKind, visible_source};
pub use survey::{Partial, Survey, Worker, measure};
pub use tally::Occurrences;
pub use tokens::{NamedTokenizer, Tokenizer};

/// Whether texts are rendered that a sample takes as they are: `Some(false)` for Jinja templates, since
/// only the arguments of a call render them; `None` for registries without an engine.
#[must_use]
pub fn rendered(registry: &Registry) -> Option<bool> {
    (registry.template_engine() == Some(JINJA)).then_some(false)
}
