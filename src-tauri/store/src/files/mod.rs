//! Files of the author: a reader sees the old bytes or the new ones, never a mixture, and no
//! concurrent edit by another program is silently overwritten.
//!
//! `replace` puts new bytes into a temporary file beside the target (`temporary`), which is exchanged
//! with it (`atomic_exchange`). Devices, pipes and other irregular files are written to directly (`target`).
//! Files move to free names only (`relocate`), the system's trash included (`trash`); so do copies of
//! what must not be lost (`beside`).

mod atomic_exchange;
mod beside;
mod leftovers;
mod relocate;
mod replace;
mod system;
mod target;
mod temporary;
mod trash;
mod write_error;

use std::io::Read;
use std::path::Path;

use crate::{StoreError, regular_file};

pub use beside::{DAMAGED, REPLACED, UNSAVED, copy_beside, is_copy_name, move_replaced};
pub use leftovers::clean;
pub use relocate::relocate;
pub(crate) use replace::sync_folder;
pub use replace::{Expected, Replaced, clean_beside, create, current, replace, replace_with_copy};
pub(crate) use system::mount_point;
pub(crate) use target::folder_of;
pub use trash::{Trashed, trash};
pub use write_error::write_error;

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// [`StoreError::TooLarge`] above the limit, [`StoreError::File`] if the file cannot be read or is
/// not a regular one.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    let fail = |fault| StoreError::file("read", path, fault);
    let file = regular_file::open(path).map_err(fail)?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > limit {
        return Err(StoreError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}
