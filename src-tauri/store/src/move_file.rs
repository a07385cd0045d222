//! Hands what the store has of one file to another: a renamed file keeps its snapshots, its unsaved
//! work, its runs, its conversations and its settings.

use rusqlite::params;

use crate::{Store, StoreError, drafts, runs, settings, snapshots, turns};

impl Store {
    /// Moves the rows of the file `from` to the file `to`, in one transaction. `names` are the names
    /// of settings before and after. Damaged rows stay where they are.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn move_file(
        &self,
        from: &str,
        to: &str,
        names: &[(String, String)],
    ) -> Result<(), StoreError> {
        if from == to {
            return Ok(());
        }
        self.write(0, |transaction| {
            snapshots::move_rows(transaction, from, to)?;
            runs::move_rows(transaction, from, to)?;
            turns::move_rows(transaction, from, to)?;
            drafts::move_rows(transaction, from, to)?;
            for (before, after) in names {
                settings::rename(transaction, before, after)?;
            }
            Ok(())
        })
    }

    /// Whether a file has unsaved work or snapshots, which a new file of that name would inherit.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn has_history(&self, file: &str) -> Result<bool, StoreError> {
        self.read(|conn| {
            Ok(conn
                .prepare_cached(
                    "SELECT 1 FROM drafts WHERE file = ?1 AND modified = 1
                     UNION ALL
                     SELECT 1 FROM snapshots WHERE file = ?1 AND deleted_at IS NULL",
                )?
                .exists(params![file])?)
        })
    }
}
