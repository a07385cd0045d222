//! Persistent storage: SQLite for snapshots, drafts and runs; atomic file replacement; folder
//! watching.
//!
//! The crate handles bytes and rows. It interprets neither registries nor the edits of a draft.

pub mod blobs;
mod check;
mod columns;
pub mod connections;
mod damage;
mod database;
pub mod drafts;
mod error;
mod examine;
pub mod files;
mod image;
mod list_checksums;
mod lock;
mod manifest;
mod move_file;
mod paths;
mod raw_file;
pub mod regular_file;
mod row_checksum;
mod row_id;
mod row_scan;
pub mod runs;
mod salvage;
pub mod schema;
pub mod settings;
pub mod snapshots;
mod space;
mod store;
pub mod turns;
pub mod watch;
mod write_monitor;

pub use blobs::Hash;
pub use error::StoreError;
pub use lock::on_waiting;
pub use paths::{STORE_VARIABLE, default_path, named_path};
pub use salvage::{Salvage, SalvageKind};
pub use store::{OpenedStore, Store};
