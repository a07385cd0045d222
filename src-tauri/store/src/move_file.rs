//! Hands what the store has of one file, or of all files of a folder, to other names: a renamed file
//! keeps its snapshots, its unsaved work, its runs, its conversations and its settings.

use rusqlite::{Connection, params};

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
            move_rows(transaction, from, to)?;
            for (before, after) in names {
                settings::rename(transaction, before, after)?;
            }
            Ok(())
        })
    }

    /// Moves the rows of all files of the folder `from` to those of the folder `to`, in one
    /// transaction, whether the files exist or not. `kinds` are what names of settings have before
    /// the file, and a space. Damaged rows stay where they are.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn move_folder(&self, from: &str, to: &str, kinds: &[String]) -> Result<(), StoreError> {
        if from == to {
            return Ok(());
        }
        self.write(0, |transaction| {
            for file in files_of(transaction, from)? {
                let after = format!("{to}{}", &file[from.len()..]);
                move_rows(transaction, &file, &after)?;
            }
            for name in settings::names(transaction)? {
                let file = kinds.iter().find_map(|kind| {
                    let file = name.strip_prefix(kind.as_str())?.strip_prefix(' ')?;
                    is_inside(file, from).then_some(file)
                });
                if let Some(file) = file {
                    let kind = &name[..name.len() - file.len()];
                    let after = format!("{kind}{to}{}", &file[from.len()..]);
                    settings::rename(transaction, &name, &after)?;
                }
            }
            Ok(())
        })
    }

    /// Whether a file of a folder has unsaved work or snapshots.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn folder_has_history(&self, folder: &str) -> Result<bool, StoreError> {
        self.read(|conn| {
            let files = conn
                .prepare_cached(
                    "SELECT file FROM drafts WHERE modified = 1
                     UNION SELECT file FROM snapshots WHERE deleted_at IS NULL",
                )?
                .query_map([], |row| row.get::<_, String>(0))?
                .collect::<Result<Vec<_>, _>>()?;
            Ok(files.iter().any(|file| is_inside(file, folder)))
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

fn move_rows(conn: &Connection, from: &str, to: &str) -> Result<(), StoreError> {
    snapshots::move_rows(conn, from, to)?;
    runs::move_rows(conn, from, to)?;
    turns::move_rows(conn, from, to)?;
    drafts::move_rows(conn, from, to)
}

/// The files of a folder of which there are rows.
fn files_of(conn: &Connection, folder: &str) -> Result<Vec<String>, StoreError> {
    let files = conn
        .prepare_cached(
            "SELECT file FROM snapshots UNION SELECT file FROM runs
             UNION SELECT file FROM turns UNION SELECT file FROM drafts",
        )?
        .query_map([], |row| row.get::<_, String>(0))?
        .collect::<Result<Vec<_>, _>>()?;
    let inside = files.into_iter().filter(|file| is_inside(file, folder));
    Ok(inside.collect())
}

/// Whether a file is in a folder, at whatever depth.
fn is_inside(file: &str, folder: &str) -> bool {
    let rest = file.strip_prefix(folder);
    rest.is_some_and(|rest| rest.starts_with(std::path::MAIN_SEPARATOR))
}
