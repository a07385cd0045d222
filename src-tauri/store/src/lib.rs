//! Where work is kept: SQLite snapshots and drafts, atomic files, watched folders.
//!
//! It knows bytes and rows. What a registry is, and what a draft's edits mean, is not its business.

mod check;
mod columns;
pub mod connections;
pub mod contents;
mod damage;
pub mod drafts;
mod error;
mod examine;
pub mod files;
mod image;
mod ledger;
mod live;
mod location;
mod lock;
mod manifest;
mod open;
mod raw_file;
mod recovery;
pub mod regular_file;
pub mod runs;
mod salvage;
pub mod schema;
mod seal;
pub mod settings;
pub mod snapshots;
mod space;
pub mod watch;

pub use contents::Hash;
pub use error::StoreError;
pub use location::{STORE_VARIABLE, default_path};
pub use lock::on_waiting;
pub use open::{Opened, Store};
pub use salvage::{Salvage, SalvageKind};
