//! Where work is kept: SQLite snapshots and drafts, atomic files, watched folders.
//!
//! It knows bytes and rows. What a registry is, and what a draft's edits mean, is not its business.

mod aside;
pub mod connections;
pub mod contents;
pub mod drafts;
mod error;
pub mod files;
mod location;
mod open;
pub mod regular_file;
pub mod runs;
mod seal;
pub mod settings;
pub mod snapshots;
pub mod watch;

pub use contents::Hash;
pub use error::StoreError;
pub use location::{STORE_VARIABLE, default_path};
pub use open::{Opened, Salvage, Store};
