//! Hydration: renders a prompt from a registry, a state, a route and a seed, and reports the values
//! used.

#![warn(clippy::missing_errors_doc)]

mod assembler;
mod call_line;
mod call_warnings;
mod chacha;
mod chances;
mod choose;
mod constraints;
mod delimiters;
mod engine;
mod error;
mod evaluation;
mod evaluation_trace;
mod gap_trace;
mod hashed_key;
mod incompatibility;
mod injection_filter;
mod item_program;
mod known_entries;
mod list_merge;
mod mode;
mod number;
mod pick;
mod plain_json;
mod prefix_stability;
mod print_cache;
mod program;
mod provenance;
mod race;
mod render;
mod resolve;
mod roll_trace;
mod roller;
mod route_program;
pub mod schema;
mod seed;
mod segment;
mod short_eq;
mod state;
mod state_entries;
mod state_lint;
mod state_ref;
mod template;
mod token;
mod token_report;
mod trace;
pub mod variants;
mod writer;

pub use assembler::PinnedEntries;
pub use call_line::{CallLine, KnownState, LineReader, LineState};
pub use call_warnings::CallWarnings;
pub use chances::Chances;
pub(crate) use choose::SCALE;
pub(crate) use choose::is_slider_set;
pub use choose::{SLIDER_DEFAULT, has_slider};
pub(crate) use constraints::Reference;
pub use delimiters::JINJA;
pub(crate) use delimiters::ranges as jinja_ranges;
pub use engine::{Call, Engine, EvaluatedText, Hydration};
pub use error::{HydrateError, PromptLimit};
pub use evaluation::{
    ArrayEvaluation, ChosenItem, Evaluation, Origin, SectionEvaluation, SectionSettings,
    SliderEvaluation, SliderSetting,
};
pub use gap_trace::UnsetVariable;
pub(crate) use gap_trace::is_placeholder;
pub use hashed_key::HashedKey;
pub use incompatibility::{Incompatibility, Relation, incompatibilities, unknown_requirements};
pub(crate) use item_program::printed_texts;
pub use known_entries::KnownEntries;
pub use mode::{Mode, ModeFault};
pub use prefix_stability::{PromptPiece, SeedDependence, early_changes};
pub(crate) use program::SCALE_NAMES;
pub use program::SCALE_TEMPLATE;
pub use roller::{PieceSource, PrintedPiece, Roll, RolledText, Roller};
pub use seed::{Seed, SeedError};
pub use segment::{Gap, Part, Segment, Source, TextOrigin};
pub use state::{Entries, Settings, State, Table};
pub use state_entries::{StateEntry, entry_fault, without_slider};
pub(crate) use state_entries::{beyond_longest, longest_below};
pub(crate) use state_lint::baked_faults;
pub use state_lint::default_faults;
pub use state_ref::StateRef;
pub use template::rename_variable;
pub(crate) use template::{TemplateNames, variables_in};
pub use token::{ALIASES, MAX_DEPTH, Token, TokenError, resolve_section};
pub use token_report::{DropReason, TokenOutcome, TokenReport};
pub use trace::RolledArray;
pub use writer::{MAX_PROMPT_BYTES, MAX_PROMPT_PIECES};
pub(crate) use writer::{normalized, without_space};

pub use crate::registry::Selection;
