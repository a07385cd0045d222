//! Hydration: registry, state, route and seed in; evaluation and prompt out.

mod engine;
mod error;
mod evaluation;
mod mode;
mod seed;
mod segment;
mod state;
mod token;

pub use engine::{Call, Engine, Hydration};
pub use error::HydrateError;
pub use evaluation::{
    ArrayEvaluation, ChosenItem, Evaluation, Origin, SectionEvaluation, SliderEvaluation,
};
pub use mode::{Mode, ModeFault};
pub use seed::{Seed, SeedError};
pub use segment::{Part, Segment, Source};
pub use state::{State, Table};
pub use token::{DropReason, Outcome, Token, TokenError, TokenReport};

pub use crate::registry::Selection;
