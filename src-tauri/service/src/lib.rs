//! The application logic shared by the window and the command line.
//!
//! [`Studio`] is the interface for a window; [`snapshots`], [`diff`], [`files`], [`providers`],
//! [`chat::inspector`], [`checks`], [`population`], [`WildcardFolder`] and [`draw_seed`] serve the
//! command line.

mod analysis;
mod background;
mod calls;
mod catalog;
pub mod chat;
pub mod checks;
mod clock;
pub mod command;
mod conflict;
mod connections;
mod debouncer;
pub mod diff;
mod draft_writer;
pub mod edit;
mod error;
pub mod executor;
mod file_version;
mod history;
mod impact;
mod list_reader;
mod lock_rolls;
mod open_documents;
mod panics;
mod path_text;
pub mod population;
mod preview;
mod profile;
mod prompt_edit;
pub mod providers;
mod renames;
mod request;
mod rolled;
mod runs;
mod saturating;
mod session;
pub mod snapshots;
mod source;
pub mod starters;
mod store_handle;
mod studio;
mod talk;
mod tree;
mod typing;
mod wall_clock;
pub mod wire;
mod working_copy;
pub mod workspace;

pub use calls::pasted::read_messages;
pub use clock::draw_seed;
pub use error::ServiceError;
pub use promptdeck_store::{self as store, files};
pub use source::{WildcardFolder, save_first_view};
pub use studio::{Listener, Options, Studio};
pub use tokio_util::sync::CancellationToken;
pub use wall_clock::WallClock;
