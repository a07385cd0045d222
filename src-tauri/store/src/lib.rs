//! Where work is kept: SQLite snapshots and drafts, atomic files, watched folders.
//!
//! It knows bytes and rows. What a registry is, and what a draft's edits mean, is not its business.

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
mod ledger;
mod lock;
mod manifest;
mod paths;
mod raw_file;
mod recovery;
pub mod regular_file;
mod row_checksum;
pub mod runs;
mod salvage;
pub mod schema;
pub mod settings;
pub mod snapshots;
mod space;
mod store;
pub mod watch;

pub use blobs::Hash;
pub use error::StoreError;
pub use lock::on_waiting;
pub use paths::{STORE_VARIABLE, default_path};
pub use salvage::{Salvage, SalvageKind};
pub use store::{OpenedStore, Store};
