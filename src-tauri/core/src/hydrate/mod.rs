//! Hydration: registry, state, route and seed in; evaluation and prompt out.

mod choose;
mod delimiters;
mod engine;
mod error;
mod evaluation;
mod explain;
mod item_program;
mod mode;
mod name;
mod number;
mod oddities;
mod pick;
mod program;
mod relation;
mod render;
mod report;
mod resolve;
mod route_program;
mod same;
mod seed;
mod segment;
mod state;
mod state_entries;
mod state_ref;
mod template;
mod token;
mod trace;
pub mod variants;
mod volatile;
mod walk;
mod writer;

pub(crate) use choose::SCALE;
pub(crate) use delimiters::JINJA;
pub use engine::{Call, Engine, Hydration};
pub use error::HydrateError;
pub use evaluation::{
    ArrayEvaluation, ChosenItem, Evaluation, Origin, SectionEvaluation, SliderEvaluation,
};
pub use mode::{Mode, ModeFault};
pub use name::Name;
pub(crate) use oddities::baked_faults;
pub(crate) use relation::Reference;
pub use report::{DropReason, Outcome, TokenReport};
pub use seed::{Seed, SeedError};
pub use segment::{Part, Segment, Source};
pub use state::{Entries, Settings, State, Table};
pub use state_entries::{StateEntry, entry_fault};
pub use state_ref::StateRef;
pub use token::{ALIASES, MAX_DEPTH, Token, TokenError};
pub(crate) use volatile::{Piece, Rolls, early};

pub use crate::registry::Selection;
