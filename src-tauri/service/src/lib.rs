//! What a user does, for the window and the command line alike.
//!
//! [`Studio`] is the whole of it for a window; [`snapshots`], [`compare`], [`files`],
//! [`providers`], [`chat::inspector`] and [`draw_seed`] serve the command line.

mod analysis;
mod calls;
mod catalog;
mod changes;
pub mod chat;
mod clock;
pub mod command;
pub mod compare;
mod conflict;
mod connections;
mod difference;
mod disk;
mod drafts;
pub mod edit;
mod error;
pub mod executor;
mod external;
mod freeze;
mod history;
mod import;
mod library;
mod list_reader;
mod opening;
mod path_text;
mod pause;
pub mod providers;
mod request;
mod runs;
mod session;
mod shown;
pub mod snapshots;
mod store_care;
mod studio;
mod tree;
mod wall_clock;
pub mod wire;
mod working_copy;
pub mod workspace;

pub use clock::draw_seed;
pub use error::ServiceError;
pub use promptdeck_model::tokenizer::load as load_tokenizer;
pub use promptdeck_store::{self as store, files};
pub use studio::{Listener, Options, Studio};
pub use tokio_util::sync::CancellationToken;
pub use wall_clock::WallClock;
